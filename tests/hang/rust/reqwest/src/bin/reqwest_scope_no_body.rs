//! A scope around the head, and the body is never read.

use std::time::Duration;

use tokio::time::timeout;

async fn call() -> Result<String, Box<dyn std::error::Error>> {
    let client = reqwest::Client::new();
    let response = timeout(Duration::from_millis(300), client.head(outcome::url()).send()).await??; //~ covered 300ms by scope [reqwest]
    Ok(response.status().to_string())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
