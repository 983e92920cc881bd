//! Whether the gate holds.
//!
//! In: an audit, what is known, and what the settings ask for. Out: the [`Ruling`], and each finding with its standing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::baseline::Baseline;
use super::compare::{self, Scope};
use super::{before, floors};
use crate::finding::{Finding, KnownFinding, Outcome, Reached, Rule, Ruling, Severity, Standing};
use crate::settings::{Gate, Settings};

/// An earlier audit.
pub struct Then {
    /// What was audited, in words: `main~2`.
    pub what: String,
    /// What was found.
    pub outcome: Outcome,
    /// The files that go by another name now.
    pub names: BTreeMap<String, String>,
}

/// What the gate is asked.
pub struct Question<'a> {
    /// What counts.
    pub settings: &'a Settings,
    /// The known findings, with the file's name.
    pub baseline: Option<(&'a str, &'a Baseline)>,
    /// The audit to compare with.
    pub then: Option<&'a Then>,
    /// The files of this run.
    pub scope: Scope<'a>,
    /// Gives a shown path's real one.
    pub opened: &'a dyn Fn(&str) -> Option<PathBuf>,
}

/// Rules.
pub fn rule(outcome: &mut Outcome, question: &Question<'_>) -> Ruling {
    let mut ruling = Ruling { judges_new: judges_new(question), ..Ruling::default() };
    let mut known: BTreeSet<KnownFinding> = BTreeSet::new();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    if let Some(then) = question.then {
        names.clone_from(&then.names);
        known.extend(compare::renamed(&Baseline::of(&then.outcome.findings).known, &names));
        ruling.compared.push(then.what.clone());
    }
    if let Some((file, baseline)) = question.baseline {
        let mut named = Baseline { known: compare::renamed(&baseline.known, &names) };
        let moved = compare::moved(&named, &outcome.findings, &question.scope);
        named.known = compare::renamed(&named.known, &moved);
        names.extend(moved);
        ruling.stale = compare::stale(&named, &outcome.findings, &question.scope);
        known.extend(named.known);
        ruling.compared.push(file.to_owned());
    }
    ruling.renamed = names.into_iter().collect();
    compare::stand(&mut outcome.findings, &known);
    let gate = &question.settings.gate;
    count(&mut ruling, &outcome.findings, gate);
    ruling.floors = floors::reached(&outcome.sites, question.settings, question.opened);
    ruling.failures = failures(&ruling, &outcome.findings, gate);
    ruling
}

/// Says at each new finding about a verdict what the call was then, under the names that files have now. To be said once.
pub fn say(outcome: &mut Outcome, then: &Then) {
    let mut sites = then.outcome.sites.clone();
    for site in &mut sites {
        if let Some(name) = then.names.get(&site.identity.path) {
            site.identity.path.clone_from(name);
        }
    }
    before::say(&mut outcome.findings, &outcome.sites, &sites, &then.what);
}

/// Whether new findings fail the gate: not where nothing is known and thresholds are given in their place.
fn judges_new(question: &Question<'_>) -> bool {
    let gate = &question.settings.gate;
    question.baseline.is_some() || question.then.is_some() || gate.fail_on.is_some() || gate.floors.is_empty()
}

/// Whether a finding fails the gate if it is new: those of the named rules do; where none are named, those that are errors.
fn fails(finding: &Finding, gate: &Gate) -> bool {
    let strict = gate.strict && matches!(finding.rule, Rule::PartialLimit | Rule::UnknownLimit);
    strict || gate.fail_on.as_ref().map_or(finding.severity == Severity::Error, |rules| rules.contains(&finding.rule))
}

fn count(ruling: &mut Ruling, findings: &[Finding], gate: &Gate) {
    for finding in findings {
        match (finding.suppressed.is_some(), finding.standing) {
            (true, _) => ruling.suppressed += 1,
            (false, Some(Standing::Known)) => ruling.known += 1,
            (false, _) if fails(finding, gate) => ruling.new += 1,
            (false, _) => ruling.others += 1,
        }
    }
}

fn failures(ruling: &Ruling, findings: &[Finding], gate: &Gate) -> Vec<String> {
    let mut failures = Vec::new();
    let is_new = |finding: &&Finding| finding.suppressed.is_none() && finding.standing == Some(Standing::New);
    for rule in Rule::ALL.into_iter().filter(|_| ruling.judges_new) {
        let new = findings.iter().filter(is_new).filter(|finding| finding.rule == rule && fails(finding, gate)).count();
        if new > 0 {
            failures.push(format!("{new} new {}", rule.id()));
        }
    }
    failures.extend(ruling.floors.iter().flat_map(short));
    failures
}

/// Why a floor is not kept.
fn short(floor: &Reached) -> Vec<String> {
    let of = if floor.part.is_empty() { String::new() } else { format!(" of {}", floor.part) };
    let mut short = Vec::new();
    if let Some(needed) = floor.min_coverage.filter(|_| !floor.is_covered()) {
        let reached = floor.shown_coverage();
        short.push(format!("coverage{of} {reached:.1} %, {needed} % needed ({})", floor.written));
    }
    if let Some(most) = floor.max_uncovered.filter(|_| !floor.is_few()) {
        short.push(format!("{} uncovered{of}, {most} allowed ({})", floor.uncovered, floor.written));
    }
    short
}
