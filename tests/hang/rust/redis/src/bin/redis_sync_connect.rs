//! Connecting is limited, a command is not.

use std::time::Duration;

use redis::Commands;

fn call() -> redis::RedisResult<String> {
    let client = redis::Client::open(format!("redis://{}", outcome::address()))?;
    let mut connection = client.get_connection_with_timeout(Duration::from_millis(300))?;
    connection.get("key") //~ partial 300ms by client [redis] connect
}

fn main() {
    outcome::tell(call());
}
