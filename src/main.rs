//! Parse, run, print the error once, leave with the exit code.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use untimed::cli::{Cli, color, run};

/// Parsing and lowering make millions of small allocations on all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = anstream::AutoStream::new(std::io::stdout(), color(&cli.color)).lock();
    match run(&cli, &mut std::io::stdin().lock(), &mut out) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "untimed: {error:#}");
            ExitCode::from(2)
        }
    }
}
