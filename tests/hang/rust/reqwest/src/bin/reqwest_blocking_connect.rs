//! Connecting is limited, and the default is switched off.

use std::time::Duration;

fn call() -> reqwest::Result<String> {
    let client = reqwest::blocking::Client::builder().timeout(None).connect_timeout(Duration::from_millis(300)).build()?;
    client.get(outcome::url()).send()?.text() //~ partial 300ms by client [reqwest::blocking] connect
}

fn main() {
    outcome::tell(call());
}
