//! A scope around connecting and reading.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

async fn call() -> std::io::Result<String> {
    let exchange = async {
        let mut stream = TcpStream::connect(outcome::address()).await?; //~ covered 300ms by scope
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    };
    timeout(Duration::from_millis(300), exchange).await?
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
