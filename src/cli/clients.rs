//! `untimed clients`: what the catalog knows.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::configure::Configure;
use super::output::deliver;
use crate::report::clients::{Client, entry, json, list, words};
use crate::scan;
use crate::settings::{FAMILIES, Settings};

const AFTER: &str = "\
Examples:
  untimed clients
  untimed clients axios
  untimed clients --language rust
  untimed clients --format json
  untimed clients --format words --language rust | rg --count -F -f - src

Exit code: 0 listed, 2 there is no such client.";

/// Arguments of `untimed clients`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct ClientsArgs {
    /// The whole entry of this client or package
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Only clients of this language
    #[arg(long, value_name = "LANGUAGE", value_parser = FAMILIES)]
    language: Option<String>,

    /// What to print; `words`: the words that make a file worth parsing, one a line
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json", "words"])]
    format: String,

    /// A folder with library files of your own, as <language>/<library>.toml; may be given several times
    #[arg(long, value_name = "DIR")]
    queries: Vec<PathBuf>,

    #[command(flatten)]
    configure: Configure,
}

/// Lists.
pub(super) fn run(args: &ClientsArgs, out: &mut dyn Write) -> Result<u8> {
    let mut settings = Settings::default();
    args.configure.read(&mut settings)?;
    settings.queries.extend(args.queries.iter().cloned());
    if args.configure.shown(&settings, out)? {
        return Ok(0);
    }
    let mut clients = scan::clients(&scan::catalog(&settings)?);
    clients.retain(|client| args.language.as_ref().is_none_or(|language| client.language == language));
    if let Some(name) = &args.name {
        clients.retain(|client| is_called(client, name));
        if clients.is_empty() {
            bail!("`{name}`: no such client; expected a name that `untimed clients` lists, or a package");
        }
    }
    let text = match (args.format.as_str(), &args.name) {
        ("json", _) => json(&clients),
        ("words", _) => words(&clients),
        (_, None) => list(&clients),
        (_, Some(_)) => clients.iter().map(entry).collect::<Vec<_>>().join("\n"),
    };
    deliver(&text, None, out)?;
    Ok(0)
}

/// Whether a client goes by a name: its own, or one of its packages'.
fn is_called(client: &Client, name: &str) -> bool {
    client.client.eq_ignore_ascii_case(name) || client.packages.iter().any(|package| package == name)
}
