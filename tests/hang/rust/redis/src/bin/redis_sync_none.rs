//! A plain connection waits for ever.

use redis::Commands;

fn call() -> redis::RedisResult<String> {
    let client = redis::Client::open(format!("redis://{}", outcome::address()))?;
    let mut connection = client.get_connection()?;
    connection.get("key") //~ uncovered [redis]
}

fn main() {
    outcome::tell(call());
}
