//! Each hop has a limit, body included.

use std::time::Duration;

fn call() -> Result<String, ureq::Error> {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_per_call(Some(Duration::from_millis(300))).build().into();
    agent.get(outcome::url()).call()?.body_mut().read_to_string() //~ covered 300ms by client [ureq] total
}

fn main() {
    outcome::tell(call());
}
