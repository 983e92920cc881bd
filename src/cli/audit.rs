//! `untimed audit`: the arguments, and what is done with them.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::output::{deliver, width};
use super::progress::{Watch, word};
use super::select::{Select, folders};
use crate::finding::{Counts, Outcome};
use crate::report::{self, Detail, Format, Grouping, Sources};
use crate::scan::{self, Stage};
use crate::settings::Settings;

const AFTER: &str = "\
Examples:
  untimed audit
  untimed audit src --kind http,rpc
  untimed audit --by path services/orders services/billing
  untimed audit --format json --output audit.json
  untimed audit --tests --exclude 'legacy/**'

Exit code: 0 whatever is found, 2 the audit could not run.";

/// Arguments of `untimed audit`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct AuditArgs {
    /// Files and folders to audit; this folder unless said
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// What to print: text, short (one line for each finding), json, jsonl
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats(), help_heading = "Output", hide_possible_values = true)]
    format: Format,

    /// A table instead, one row for each: path, client, wrapper, kind, directory
    #[arg(long, value_name = "WHAT", value_parser = groupings(), help_heading = "Output", hide_possible_values = true)]
    by: Option<Grouping>,

    /// Do not fold long lists
    #[arg(long, help_heading = "Output")]
    all: bool,

    /// Only the first line, and no progress
    #[arg(long, short, conflicts_with = "all", help_heading = "Output")]
    quiet: bool,

    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Say on standard error how many files were parsed and how long each stage took
    #[arg(long, help_heading = "Output")]
    stats: bool,

    #[command(flatten)]
    select: Select,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::word)).map(|word| Format::from_word(&word).unwrap_or(Format::Text))
}

fn groupings() -> impl TypedValueParser<Value = Grouping> {
    PossibleValuesParser::new(Grouping::ALL.map(Grouping::word)).map(|word| Grouping::from_word(&word).unwrap_or(Grouping::Path))
}

/// Audits and reports.
pub(super) fn run(args: &AuditArgs, out: &mut dyn Write) -> Result<u8> {
    let begun = Instant::now();
    let settings = args.select.settings(&args.paths);
    let catalog = scan::catalog(&settings)?;
    let watch = Watch::new(args.quiet);
    // Programs are told whose a call is and whom it calls; that takes a look at the configuration, too.
    let outcome = if matches!(args.format, Format::Json | Format::Jsonl) {
        scan::audit_with_services(&settings, &catalog, &watch)
    } else {
        scan::audit_watched(&settings, &catalog, &watch)
    };
    let stages = watch.end();
    let outcome = outcome?;
    let text = text(args, &settings, &outcome)?;
    deliver(&text, args.output.as_deref(), out)?;
    if args.stats {
        let _ = write!(std::io::stderr(), "{}", stats(&outcome.counts, &stages, begun.elapsed()));
    }
    Ok(0)
}

fn text(args: &AuditArgs, settings: &Settings, outcome: &Outcome) -> Result<String> {
    if let Some(grouping) = args.by {
        if args.quiet {
            bail!("--quiet: expected without --by, which prints the table alone");
        }
        let roots: Vec<(String, String)> =
            settings.roots.iter().map(|root| (root.display().to_string(), scan::shown(settings, root))).collect();
        return Ok(report::grouped(outcome, grouping, &roots, args.format));
    }
    let width = if args.output.is_some() { 0 } else { width() };
    let detail = Detail { all: args.all, quiet: args.quiet, width };
    Ok(report::audit(outcome, args.format, &Sources::new(folders(settings)), detail))
}

fn stats(counts: &Counts, stages: &[(Stage, Duration)], whole: Duration) -> String {
    let share = if counts.scanned == 0 { 0.0 } else { f64::from(counts.parsed) / f64::from(counts.scanned) * 100.0 };
    let times: Vec<String> =
        stages.iter().map(|(stage, time)| format!("{} {:.1} ms", word(*stage), time.as_secs_f64() * 1_000.0)).collect();
    format!(
        "files: {} seen, {} read, {} parsed ({share:.1} %)\ntime: {}, whole {:.1} ms\n",
        counts.seen,
        counts.scanned,
        counts.parsed,
        times.join(", "),
        whole.as_secs_f64() * 1_000.0
    )
}
