//! Parse, run, print the error once, leave with the exit code.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use untimed::cli::{Cli, Command, budget};

fn main() -> ExitCode {
    let Cli { command } = Cli::parse();
    let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
    let done = match command {
        Command::Budget(args) => budget::run(&args, &mut std::io::stdin().lock(), &mut out),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "untimed: {error:#}");
            ExitCode::from(2)
        }
    }
}
