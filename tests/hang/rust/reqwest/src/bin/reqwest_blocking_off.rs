//! The default of 30 seconds is switched off.

fn call() -> reqwest::Result<String> {
    let client = reqwest::blocking::Client::builder().timeout(None).build()?;
    client.get(outcome::url()).send()?.text() //~ uncovered [reqwest::blocking]
}

fn main() {
    outcome::tell(call());
}
