//! Connecting is limited, the answer is not.

use std::time::Duration;

async fn call() -> reqwest::Result<String> {
    let client = reqwest::Client::builder().connect_timeout(Duration::from_millis(300)).build()?;
    client.get(outcome::url()).send().await?.text().await //~ partial 300ms by client [reqwest] connect
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
