//! The limit of the request replaces the longer one of its client.

use std::time::Duration;

async fn call() -> reqwest::Result<String> {
    let client = reqwest::Client::builder().timeout(Duration::from_secs(20)).build()?;
    client.get(outcome::url()).timeout(Duration::from_millis(300)).send().await?.text().await //~ covered 300ms by own [reqwest] total
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
