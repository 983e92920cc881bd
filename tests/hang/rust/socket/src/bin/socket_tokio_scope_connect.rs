//! A scope around connecting alone; reading is outside.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

async fn call() -> std::io::Result<String> {
    let mut stream = timeout(Duration::from_millis(300), TcpStream::connect(outcome::address())).await??; //~ partial 300ms by scope
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
