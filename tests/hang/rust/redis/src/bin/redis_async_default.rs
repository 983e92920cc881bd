//! Version 1 gives every command half a second.

use redis::AsyncCommands;

async fn call() -> redis::RedisResult<String> {
    let client = redis::Client::open(format!("redis://{}", outcome::address()))?;
    let mut connection = client.get_multiplexed_async_connection().await?;
    connection.get("key").await //~ covered 500ms by default [redis] total
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
