//! `untimed audit`: the arguments, and what is done with them.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::progress::{Watch, word};
use super::reports::ReportArgs;
use super::select::{Select, folders};
use super::words::one_of;
use crate::budget::Defaults;
use crate::finding::{Counts, Outcome};
use crate::report::budget::{Answer, Wanted};
use crate::report::{self, Format, Grouping, Sources};
use crate::scan::{self, ScanError, Stage};
use crate::settings::Settings;

/// How many chains a page draws.
const MOST_DRAWN: usize = 50;

const AFTER: &str = "\
Examples:
  untimed audit
  untimed audit src --kind http,rpc
  untimed audit --by path services/orders services/billing
  untimed audit --format json --output audit.json
  untimed audit --format text --format json=audit.json
  untimed audit --tests --exclude 'legacy/**'

Exit code: 0 whatever is found, 2 the audit could not run.";

/// Arguments of `untimed audit`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct AuditArgs {
    /// Files and folders to audit; this folder unless said
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    reports: ReportArgs,

    /// A table instead, one row for each: path, client, wrapper, kind, directory
    #[arg(long, value_name = "WHAT", value_parser = one_of(Grouping::ALL, Grouping::word), help_heading = "Output", hide_possible_values = true)]
    by: Option<Grouping>,

    /// A list of all suppressions instead, with what has become of each
    #[arg(long, conflicts_with = "by", help_heading = "Output")]
    suppressions: bool,

    /// Say on standard error how many files were parsed and how long each stage took
    #[arg(long, help_heading = "Output")]
    stats: bool,

    #[command(flatten)]
    select: Select,
}

/// Audits and reports.
pub(super) fn run(args: &AuditArgs, out: &mut dyn Write) -> Result<u8> {
    let begun = Instant::now();
    args.reports.check()?;
    if args.by.is_some() && args.reports.quiet {
        bail!("--quiet: expected without --by, which prints the table alone");
    }
    let settings = args.select.settings(&args.paths)?;
    if args.select.configure.shown(&settings, out)? {
        return Ok(0);
    }
    let watch = Watch::new(args.reports.quiet);
    let exported = args.audit(&settings, &watch);
    let stages = watch.end();
    let (outcome, chains) = exported?;
    match args.by {
        None if args.suppressions => args.reports.deliver(out, |format, _| suppressions(&outcome, format))?,
        None => {
            let sources = Sources::new(folders(&settings));
            let write = |format, detail| Ok(report::with_chains(&outcome, &chains, format, &sources, detail));
            args.reports.deliver(out, write)?;
        }
        Some(grouping) => args.reports.deliver(out, |format, _| table(&settings, &outcome, grouping, format))?,
    }
    if args.stats {
        let _ = write!(std::io::stderr(), "{}", stats(&outcome.counts, &stages, begun.elapsed()));
    }
    Ok(0)
}

impl AuditArgs {
    /// The audit; for reports that say so, with whose a call is and whom it calls, which takes a look at the configuration too; for a page,
    /// with the chains.
    fn audit(&self, settings: &Settings, watch: &Watch) -> Result<(Outcome, Vec<Answer>), ScanError> {
        let catalog = scan::catalog(settings)?;
        let is_list = self.by.is_some() || self.suppressions;
        if is_list || !self.reports.has(Format::has_services) {
            return Ok((scan::audit_watched(settings, &catalog, watch)?, Vec::new()));
        }
        let most = if self.reports.has(Format::has_chains) { MOST_DRAWN } else { 0 };
        let exported = scan::export(settings, &catalog, watch, &[], most)?;
        let answer = |chain| Answer::to(chain, &Defaults::default(), &Wanted::default()).ok();
        Ok((exported.outcome, exported.chains.into_iter().filter_map(answer).collect()))
    }
}

fn table(settings: &Settings, outcome: &Outcome, grouping: Grouping, format: Format) -> Result<String> {
    let roots: Vec<(String, String)> =
        settings.roots.iter().map(|root| (root.display().to_string(), scan::shown(settings, root))).collect();
    listed(report::grouped(outcome, grouping, &roots, format), format, "--by")
}

fn suppressions(outcome: &Outcome, format: Format) -> Result<String> {
    listed(report::suppressions(outcome, format), format, "--suppressions")
}

/// A list, in a format that has such lists.
fn listed(text: Option<String>, format: Format, flag: &str) -> Result<String> {
    text.ok_or_else(|| anyhow!("--format {}: expected text, short, json or jsonl with {flag}", format.word()))
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
