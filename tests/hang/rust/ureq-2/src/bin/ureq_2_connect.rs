//! Connecting is limited, the answer is not.

use std::time::Duration;

fn call() -> Result<String, Box<dyn std::error::Error>> {
    let agent = ureq2::AgentBuilder::new().timeout_connect(Duration::from_millis(300)).build();
    Ok(agent.get(&outcome::url()).call()?.into_string()?) //~ partial 300ms by client [ureq] connect
}

fn main() {
    outcome::tell(call());
}
