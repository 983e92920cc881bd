//! The request has a limit of its own.

use std::time::Duration;

async fn call() -> reqwest::Result<String> {
    let client = reqwest::Client::new();
    let request = client.get(outcome::url()).timeout(Duration::from_millis(300));
    request.send().await?.text().await //~ covered 300ms by own [reqwest] total
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
