//! The command line: clap structs in, reports and exit codes out.

pub mod budget;

use clap::{Parser, Subcommand};

/// Finds every outbound call that can wait for ever, and every retry that nobody is waiting for.
#[derive(Debug, Parser)]
#[command(name = "untimed", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check whether a chain of timeouts and retries fits inside its caller's deadline
    Budget(budget::BudgetArgs),
}
