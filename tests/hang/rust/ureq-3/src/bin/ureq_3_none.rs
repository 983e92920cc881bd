//! No limit anywhere.

fn call() -> Result<String, ureq::Error> {
    ureq::get(outcome::url()).call()?.body_mut().read_to_string() //~ uncovered [ureq]
}

fn main() {
    outcome::tell(call());
}
