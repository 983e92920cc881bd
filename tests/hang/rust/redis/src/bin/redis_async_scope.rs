//! The default is switched off, and a scope ends the wait.

use std::time::Duration;

use redis::{AsyncCommands, AsyncConnectionConfig};
use tokio::time::timeout;

async fn call() -> Result<String, Box<dyn std::error::Error>> {
    let client = redis::Client::open(format!("redis://{}", outcome::address()))?;
    let config = AsyncConnectionConfig::new().set_response_timeout(None);
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    Ok(timeout(Duration::from_millis(300), connection.get("key")).await??) //~ covered 300ms by scope [redis] total
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
