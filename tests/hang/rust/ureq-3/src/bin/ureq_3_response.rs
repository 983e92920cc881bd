//! Until the headers alone.

use std::time::Duration;

fn call() -> Result<String, ureq::Error> {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_recv_response(Some(Duration::from_millis(300))).build().into();
    agent.get(outcome::url()).call()?.body_mut().read_to_string() //~ partial 300ms by client [ureq] headers
}

fn main() {
    outcome::tell(call());
}
