//! Where the server is, and the one line that the test reads.

use std::env;
use std::fmt::Debug;
use std::process::exit;
use std::sync::LazyLock;
use std::time::Instant;

static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The server's address; the clock starts here.
pub fn address() -> String {
    LazyLock::force(&BEGUN);
    format!("127.0.0.1:{}", env::var("SERVER_PORT").unwrap_or_else(|_| "8080".into()))
}

/// The server's address as a URL.
pub fn url() -> String {
    format!("http://{}/item", address())
}

/// Says what became of the call, and ends the program.
pub fn tell<T, E: Debug>(result: Result<T, E>) -> ! {
    match result {
        Ok(_) => println!("answered"),
        Err(error) => println!("rejected {} {error:?}", BEGUN.elapsed().as_millis()),
    }
    exit(0)
}
