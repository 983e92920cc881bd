//! The client has a limit for the whole exchange.

use std::time::Duration;

async fn call() -> reqwest::Result<String> {
    let client = reqwest::Client::builder().timeout(Duration::from_millis(300)).build()?;
    client.get(outcome::url()).send().await?.text().await //~ covered 300ms by client [reqwest] total
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
