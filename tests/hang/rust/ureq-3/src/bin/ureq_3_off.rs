//! None is no limit.

fn call() -> Result<String, ureq::Error> {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(None).build().into();
    agent.get(outcome::url()).call()?.body_mut().read_to_string() //~ uncovered [ureq]
}

fn main() {
    outcome::tell(call());
}
