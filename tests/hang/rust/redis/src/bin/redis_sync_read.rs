//! The gaps on the socket.

use std::time::Duration;

use redis::Commands;

fn call() -> redis::RedisResult<String> {
    let client = redis::Client::open(format!("redis://{}", outcome::address()))?;
    let mut connection = client.get_connection()?;
    connection.set_read_timeout(Some(Duration::from_millis(300)))?;
    connection.get("key") //~ covered 300ms by client [redis] idle
}

fn main() {
    outcome::tell(call());
}
