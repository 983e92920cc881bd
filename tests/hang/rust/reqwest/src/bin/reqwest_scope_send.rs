//! A scope around the head alone; the body is read outside.

use std::time::Duration;

use tokio::time::timeout;

async fn call() -> Result<String, Box<dyn std::error::Error>> {
    let client = reqwest::Client::new();
    let response = timeout(Duration::from_millis(300), client.get(outcome::url()).send()).await??; //~ partial 300ms by scope [reqwest] headers
    Ok(response.text().await?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
