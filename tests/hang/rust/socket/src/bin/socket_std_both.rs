//! Connecting and each read.

use std::io::Read;
use std::net::TcpStream;
use std::time::Duration;

fn call() -> Result<String, Box<dyn std::error::Error>> {
    let limit = Duration::from_millis(300);
    let mut stream = TcpStream::connect_timeout(&outcome::address().parse()?, limit)?; //~ covered 300ms
    stream.set_read_timeout(Some(limit))?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn main() {
    outcome::tell(call());
}
