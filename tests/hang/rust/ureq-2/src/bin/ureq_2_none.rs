//! 30 seconds to connect, and none for the answer.

fn call() -> Result<String, Box<dyn std::error::Error>> {
    Ok(ureq2::get(&outcome::url()).call()?.into_string()?) //~ partial 30s by default [ureq] connect
}

fn main() {
    outcome::tell(call());
}
