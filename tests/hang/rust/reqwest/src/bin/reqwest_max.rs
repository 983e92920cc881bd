//! The longest duration there is limits nothing.

use std::time::Duration;

async fn call() -> reqwest::Result<String> {
    let client = reqwest::Client::builder().timeout(Duration::MAX).build()?;
    client.get(outcome::url()).send().await?.text().await //~ uncovered [reqwest]
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
