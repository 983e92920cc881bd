//! Connecting is limited, the answer is not.

use std::time::Duration;

fn call() -> Result<String, ureq::Error> {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_connect(Some(Duration::from_millis(300))).build().into();
    agent.get(outcome::url()).call()?.body_mut().read_to_string() //~ partial 300ms by client [ureq] connect
}

fn main() {
    outcome::tell(call());
}
