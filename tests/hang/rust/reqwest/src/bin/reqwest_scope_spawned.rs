//! The caller gives up waiting, the task goes on.

use std::time::Duration;

use tokio::time::timeout;

async fn call() -> Result<String, Box<dyn std::error::Error>> {
    let task = tokio::spawn(async {
        reqwest::get(outcome::url()).await?.text().await //~ covered 300ms by scope [reqwest] wait
    });
    Ok(timeout(Duration::from_millis(300), task).await???)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
