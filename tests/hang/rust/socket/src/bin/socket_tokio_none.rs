//! A socket without a limit.

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

async fn call() -> std::io::Result<String> {
    let mut stream = TcpStream::connect(outcome::address()).await?; //~ uncovered
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    outcome::tell(call().await);
}
