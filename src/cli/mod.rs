//! The command line: clap structs in, reports and exit codes out.
//!
//! In: arguments, standard input, a place to write. Out: a report there, and the exit code. Nothing is computed here: each command fills in
//! [`Settings`](crate::settings::Settings), asks the conductor, and hands the outcome to a report.

mod about;
mod audit;
pub mod budget;
mod clients;
mod configure;
mod explain;
mod export;
mod gate;
mod init;
mod output;
mod progress;
mod reports;
mod select;
mod words;

use std::io::{Read, Write};

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

pub use output::color;

const AFTER: &str = "\
Examples:
  untimed audit                        every outbound call below this folder, and what ends it
  untimed audit src --by client        the same as a table
  untimed gate --since origin/main     fail on what is new
  untimed explain src/http.ts:12       the whole reasoning for one call
  untimed clients axios                what is known about a client library
  untimed export                       who calls whom, as chains for the checker
  untimed budget chain.txt --deadline 2s
  untimed budget --scan . --deadline 2s

Exit code: 0 done, 1 a check does not hold, 2 the command could not run.";

/// Finds every outbound call that can wait for ever, and every retry that nobody is waiting for.
#[derive(Debug, Parser)]
#[command(name = "untimed", version, after_help = AFTER, max_term_width = 110)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Whether there are colours.
    #[command(flatten)]
    pub color: ColorArgs,
}

/// Whether reports have colours.
#[derive(Debug, Args)]
pub struct ColorArgs {
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always, never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = ["auto", "always", "never"], help_heading = "Output")]
    pub color: String,

    /// No colours, as --color never
    #[arg(long, global = true, help_heading = "Output")]
    pub no_color: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the outbound calls, and say which of them nothing ends
    Audit(audit::AuditArgs),
    /// Check that no more calls can wait for ever than before
    Gate(gate::GateArgs),
    /// Write a first untimed.toml, from what is found in the tree
    Init(init::InitArgs),
    /// Tell the whole reasoning for the calls on a line, or what a rule means
    Explain(explain::ExplainArgs),
    /// Write down who calls whom and how long that may take, as chains for the checker
    Export(export::ExportArgs),
    /// Check whether a chain of timeouts and retries fits inside its caller's deadline
    Budget(budget::BudgetArgs),
    /// List what is known about client libraries: defaults, and where limits go
    Clients(clients::ClientsArgs),
    /// Print a completion script for a shell
    Completions(about::CompletionsArgs),
    /// Print a manual page (roff)
    Man(about::ManArgs),
}

/// Runs a command, writes its report to `out`, and gives the exit code.
///
/// # Errors
///
/// Whatever keeps the command from running, as one sentence that names the file, the line or the flag.
pub fn run(cli: &Cli, stdin: &mut dyn Read, out: &mut dyn Write) -> Result<u8> {
    match &cli.command {
        Command::Audit(args) => audit::run(args, out),
        Command::Gate(args) => gate::run(args, out),
        Command::Init(args) => init::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Export(args) => export::run(args, out),
        Command::Budget(args) => budget::run(args, stdin, out),
        Command::Clients(args) => clients::run(args, out),
        Command::Completions(args) => about::completions(args, out),
        Command::Man(args) => about::man(args, out),
    }
}
