//! The request has a limit of its own.

use std::time::Duration;

fn call() -> Result<String, Box<dyn std::error::Error>> {
    Ok(ureq2::get(&outcome::url()).timeout(Duration::from_millis(300)).call()?.into_string()?) //~ covered 300ms by own [ureq] total
}

fn main() {
    outcome::tell(call());
}
