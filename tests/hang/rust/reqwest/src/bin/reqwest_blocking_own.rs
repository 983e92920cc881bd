//! The request has a limit of its own, over a client that has none.

use std::time::Duration;

fn call() -> reqwest::Result<String> {
    let client = reqwest::blocking::Client::builder().timeout(None).build()?;
    client.get(outcome::url()).timeout(Duration::from_millis(300)).send()?.text() //~ covered 300ms by own [reqwest::blocking] total
}

fn main() {
    outcome::tell(call());
}
