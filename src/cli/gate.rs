//! `untimed gate`: the arguments, and what is done with them.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::progress::Watch;
use super::reports::ReportArgs;
use super::select::{Select, folders};
use super::words::one_of;
use crate::budget::{EXPECTED_TIME, time};
use crate::finding::{Rule, Ruling};
use crate::limit::Millis;
use crate::report::{self, Format, Sources};
use crate::scan::{self, Compared, Known, Trees};
use crate::settings::{Floor, Settings};

const AFTER: &str = "\
Examples:
  untimed gate --write-baseline           take what is there as known, once
  untimed gate                            fail on what the baseline does not know
  untimed gate --ratchet                  the same, and take what is gone out of the baseline
  untimed gate --since origin/main        fail on what is new since a revision
  untimed gate --staged                   what is about to be committed, for a hook
  untimed gate --min-coverage 95 --strict
  untimed gate --since origin/main --deadline 2s

Exit code: 0 the gate holds, 1 it does not, 2 it could not run.";

/// Arguments of `untimed gate`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct GateArgs {
    /// Files and folders to audit; this folder unless said
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Compare with the tree at this revision; the folder and the index are left alone
    #[arg(long, value_name = "REV", help_heading = "What is known")]
    since: Option<String>,

    /// Audit what is staged in place of what lies in the folder; with neither a baseline nor --since, compare with HEAD
    #[arg(long, help_heading = "What is known")]
    staged: bool,

    /// The file with the known findings; .untimed-baseline.json above the paths unless said
    #[arg(long, value_name = "FILE", help_heading = "What is known")]
    baseline: Option<PathBuf>,

    /// Write all findings into the baseline
    #[arg(long, help_heading = "What is known")]
    write_baseline: bool,

    /// Take findings that are gone out of the baseline; never add one
    #[arg(long, help_heading = "What is known")]
    ratchet: bool,

    /// Covered calls of all that are needed, in percent
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "When it holds")]
    min_coverage: Option<f64>,

    /// Uncovered calls that are allowed
    #[arg(long, value_name = "COUNT", help_heading = "When it holds")]
    max_uncovered: Option<u32>,

    /// Partial and unknown count as uncovered
    #[arg(long, help_heading = "When it holds")]
    strict: bool,

    /// The rules whose new findings fail; those that are errors unless said
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = one_of(Rule::ALL, Rule::id), help_heading = "When it holds", hide_possible_values = true)]
    fail_on: Vec<Rule>,

    /// How long the caller of the top of each chain waits: tries that do not fit are findings too
    #[arg(long, value_name = "TIME", value_parser = deadline, help_heading = "When it holds")]
    deadline: Option<Millis>,

    #[command(flatten)]
    reports: ReportArgs,

    #[command(flatten)]
    select: Select,
}

/// Rules and reports.
pub(super) fn run(args: &GateArgs, out: &mut dyn Write) -> Result<u8> {
    args.reports.check()?;
    let mut settings = args.select.settings(&args.paths)?;
    args.lay_over(&mut settings);
    if args.select.configure.shown(&settings, out)? {
        return Ok(0);
    }
    let known = Known::of(&settings, args.baseline.as_deref());
    let head = args.staged && args.since.is_none() && !known.is_there();
    let services = args.reports.has(Format::has_services);
    let trees = Trees { since: args.since.clone(), staged: args.staged, head, services };
    let watch = Watch::new(args.reports.quiet);
    let compared = scan::compare(&settings, &trees, &watch);
    watch.end();
    let mut compared = compared?;
    let ruling = args.rule(&mut compared, &known)?;
    let sources = Sources::new(folders(&compared.now.settings));
    let outcome = &compared.now.outcome;
    args.reports.deliver(out, |format, detail| Ok(report::gate::gate(outcome, &ruling, format, &sources, detail)))?;
    Ok(u8::from(!ruling.holds()))
}

impl GateArgs {
    /// Lays the flags over what the configuration says of the gate.
    fn lay_over(&self, settings: &mut Settings) {
        settings.deadline = self.deadline;
        let gate = &mut settings.gate;
        let flags =
            [self.min_coverage.is_some().then_some("--min-coverage"), self.max_uncovered.is_some().then_some("--max-uncovered")];
        let written = flags.into_iter().flatten().collect::<Vec<_>>().join(", ");
        if !written.is_empty() {
            let floor = Floor { min_coverage: self.min_coverage, max_uncovered: self.max_uncovered, written, ..Floor::default() };
            gate.replace(floor);
        }
        if self.strict {
            gate.strict = true;
            settings.written.insert("gate.strict".to_owned(), "--strict".to_owned());
        }
        if !self.fail_on.is_empty() {
            gate.fail_on = Some(self.fail_on.clone());
            settings.written.insert("gate.fail_on".to_owned(), "--fail-on".to_owned());
        }
    }

    /// Asks the gate, and writes the baseline where that is asked for.
    fn rule(&self, compared: &mut Compared, known: &Known) -> Result<Ruling> {
        let complete = self.select.takes_all_kinds();
        let fresh = self.write_baseline && !known.is_there();
        let baseline = if fresh { None } else { known.read(&compared.now)? };
        let name = known.shown();
        let ruling = scan::rule(compared, baseline.as_ref().map(|baseline| (name.as_str(), baseline)), complete);
        scan::say(compared);
        if !self.write_baseline && !self.ratchet {
            return Ok(ruling);
        }
        if baseline.is_none() && self.ratchet {
            bail!("--ratchet: there is no {name}: expected a baseline to take from; --write-baseline makes one");
        }
        let old = baseline.unwrap_or_default();
        let renewed = old.renewed(&compared.now.outcome.findings, &ruling, self.ratchet);
        let changed = known.write(&renewed)?;
        let mut after = scan::rule(compared, Some((name.as_str(), &renewed)), complete);
        let did = if changed { "written" } else { "left as it is" };
        let (added, gone) = (renewed.known.difference(&old.known).count(), old.known.difference(&renewed.known).count());
        after.written = Some(format!("{name} {did}: {} known, {added} added, {gone} taken out", renewed.known.len()));
        Ok(after)
    }
}

fn deadline(text: &str) -> Result<Millis, String> {
    let wait = time(text).ok().filter(|wait| *wait > Millis::ZERO);
    wait.ok_or_else(|| format!("`{text}` is no deadline; expected a time above 0, {EXPECTED_TIME}"))
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or_else(|| format!("`{text}` is no percentage; expected a number from 0 to 100"))
}
