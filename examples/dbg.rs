//! debug
use untimed::link::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let settings = untimed::settings::Settings { roots: vec![path.into()], ..Default::default() };
    let catalog = untimed::scan::catalog(&settings).unwrap();
    untimed::scan::debug(&settings, &catalog);
}
