//! A scope around the whole exchange.

use std::time::Duration;

use tokio::time::timeout;

async fn call() -> Result<String, Box<dyn std::error::Error>> {
    let exchange = async {
        reqwest::get(outcome::url()).await?.text().await //~ covered 300ms by scope [reqwest] total
    };
    Ok(timeout(Duration::from_millis(300), exchange).await??)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
