//! `untimed export`: the arguments, and what is done with them.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::output::deliver_to;
use super::progress::Watch;
use super::select::Select;
use super::words::one_of;
use crate::report::export::{self as report, Format, View};
use crate::scan;

const AFTER: &str = "\
A service is an entry of a compose file, a Kubernetes workload or Service, a line of a Procfile, a package with an entry point of its
own, or what untimed.toml declares. A hop is all calls from one service to another: the longest time that one try takes, the most
retries. What cannot be resolved is called `?`, and the reason stands beside it.

Examples:
  untimed export                                  a chain file, with where each value was found
  untimed export | untimed budget - --deadline 2s
  untimed export --from checkout --format mermaid
  untimed export --format csv --output hops.csv
  untimed export --sites csv                      one row for each call site

Exit code: 0 done, 2 the export could not run.";

/// Arguments of `untimed export`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct ExportArgs {
    /// Files and folders to look at; this folder unless said
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// What to print: chain, json, csv, dot, mermaid
    #[arg(long, value_name = "FORMAT", default_value = "chain", value_parser = one_of(Format::ALL, Format::word), help_heading = "Output", hide_possible_values = true)]
    format: Format,

    /// One row for each call site instead: csv
    #[arg(long, value_name = "FORMAT", value_parser = ["csv"], conflicts_with = "format", help_heading = "Output", hide_possible_values = true)]
    sites: Option<String>,

    /// Begin chains with this service instead of those that nobody calls; may be given several times
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    from: Vec<String>,

    /// List at most this many chains
    #[arg(long, value_name = "COUNT", default_value_t = scan::MOST_CHAINS, help_heading = "Output")]
    most: usize,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    select: Select,
}

/// Audits, joins and prints.
pub(super) fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<u8> {
    let settings = args.select.settings(&args.paths)?;
    if args.select.configure.shown(&settings, out)? {
        return Ok(0);
    }
    let catalog = scan::catalog(&settings)?;
    let watch = Watch::new(false);
    let exported = scan::export(&settings, &catalog, &watch, &args.from, args.most);
    watch.end();
    let exported = exported?;
    let view = View { graph: &exported.graph, sites: &exported.outcome.sites, chains: &exported.chains };
    let text = if args.sites.is_some() { report::sites(view) } else { report::export(view, args.format) };
    deliver_to(&text, args.output.as_deref(), out)?;
    Ok(0)
}
