//! Every phase has a limit.

use std::time::Duration;

fn call() -> Result<String, ureq::Error> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(Duration::from_millis(300)))
        .timeout_recv_response(Some(Duration::from_millis(300)))
        .timeout_recv_body(Some(Duration::from_millis(300)))
        .build()
        .into();
    agent.get(outcome::url()).call()?.body_mut().read_to_string() //~ covered 300ms by client [ureq]
}

fn main() {
    outcome::tell(call());
}
