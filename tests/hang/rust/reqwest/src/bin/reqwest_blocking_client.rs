//! Until the headers, then again for the body.

use std::time::Duration;

fn call() -> reqwest::Result<String> {
    let client = reqwest::blocking::Client::builder().timeout(Duration::from_millis(300)).build()?;
    client.get(outcome::url()).send()?.text() //~ covered 300ms by client [reqwest::blocking]
}

fn main() {
    outcome::tell(call());
}
