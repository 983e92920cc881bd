//! `untimed completions` and `untimed man`: made from the definition of the command line.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use super::output::deliver;

/// Arguments of `untimed completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  untimed completions bash > /etc/bash_completion.d/untimed")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Arguments of `untimed man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  untimed man > untimed.1\n  untimed man audit > untimed-audit.1")]
pub struct ManArgs {
    /// The page of this command; of the program unless said
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Prints a completion script.
pub(super) fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "untimed", &mut script);
    deliver(&String::from_utf8_lossy(&script), None, out)?;
    Ok(0)
}

/// Prints a manual page.
pub(super) fn man(args: &ManArgs, out: &mut dyn Write) -> Result<u8> {
    let mut command = Cli::command();
    command.build();
    if let Some(name) = &args.command {
        let Some(found) = command.find_subcommand(name) else {
            let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            bail!("`{name}`: no such command; expected one of {}", known.join(", "));
        };
        command = found.clone();
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).context("the manual page could not be made")?;
    deliver(&String::from_utf8_lossy(&page), None, out)?;
    Ok(0)
}
