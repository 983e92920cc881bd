//! The gaps on the socket.

use std::time::Duration;

fn call() -> Result<String, Box<dyn std::error::Error>> {
    let agent = ureq2::AgentBuilder::new().timeout_read(Duration::from_millis(300)).build();
    Ok(agent.get(&outcome::url()).call()?.into_string()?) //~ covered 300ms by client [ureq] idle
}

fn main() {
    outcome::tell(call());
}
