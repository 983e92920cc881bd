//! Every command has a limit.

use std::time::Duration;

use redis::{AsyncCommands, AsyncConnectionConfig};

async fn call() -> redis::RedisResult<String> {
    let client = redis::Client::open(format!("redis://{}", outcome::address()))?;
    let config = AsyncConnectionConfig::new().set_response_timeout(Some(Duration::from_millis(300)));
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    connection.get("key").await //~ covered 300ms by client [redis] total
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
