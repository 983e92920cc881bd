//! The request has a limit of its own.

use std::time::Duration;

fn call() -> Result<String, ureq::Error> {
    let request = ureq::get(outcome::url()).config().timeout_global(Some(Duration::from_millis(300))).build();
    request.call()?.body_mut().read_to_string() //~ covered 300ms by own [ureq] total
}

fn main() {
    outcome::tell(call());
}
