//! The gate's report: whether it holds and why, then only what is new, then what is known, suppressed and gone.
//!
//! In: an [`Outcome`] whose findings have a standing, and the [`Ruling`]. Out: text, or JSON with the whole audit beside the ruling.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::{Detail, Format, Sources, clean, counted, json, text};
use crate::finding::{KnownFinding, Outcome, Reached, Ruling, Standing};

/// How many findings that are gone are named at most.
const MOST: usize = 10;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The report. Formats that can say of a finding whether it stood before, and those whose readers compare by themselves, carry all
/// findings; the others carry those that are new.
pub fn gate(outcome: &Outcome, ruling: &Ruling, format: Format, sources: &Sources, detail: Detail) -> String {
    match format {
        Format::Text => whole(outcome, ruling, sources, detail),
        Format::Json => {
            let mut document = json::document(outcome);
            if let Value::Object(members) = &mut document {
                members.insert("gate".to_owned(), ruling_json(ruling));
            }
            json::pretty(&document)
        }
        Format::Short | Format::Github | Format::Checkstyle | Format::Markdown => {
            super::audit(&only_new(outcome, ruling), format, sources, detail)
        }
        Format::Jsonl | Format::Sarif | Format::Gitlab | Format::Junit | Format::Csv | Format::Html => {
            super::audit(outcome, format, sources, detail)
        }
    }
}

fn whole(outcome: &Outcome, ruling: &Ruling, sources: &Sources, detail: Detail) -> String {
    let mut report = head(outcome, ruling);
    if detail.quiet {
        return report;
    }
    report.push_str(&text::unreadable(outcome, detail));
    report.push_str(&text::strangers(outcome, detail));
    report.push_str(&text::findings(&only_new(outcome, ruling), sources, detail));
    report.push_str(&tail(ruling, detail));
    report
}

/// Whether it holds, and why.
fn head(outcome: &Outcome, ruling: &Ruling) -> String {
    let mut line = if ruling.holds() {
        let why = match (ruling.judges_new, ruling.others) {
            (true, 0) => "nothing is new",
            (true, _) => "nothing that is new fails it",
            (false, _) => "what is asked for is reached",
        };
        format!("{GOOD}gate holds{GOOD:#}: {why}")
    } else {
        format!("{BAD}gate does not hold{BAD:#}: {}", ruling.failures.join("; "))
    };
    let figures = super::figures(outcome.sites.iter());
    let percent = figures.coverage * 100.0;
    let _ = write!(line, " ({}, coverage {percent:.1} %", counted(figures.call_sites, "outbound call", "outbound calls"));
    if !ruling.compared.is_empty() {
        let _ = write!(line, "; compared with {}", clean(&ruling.compared.join(" and ")));
    }
    line.push_str(")\n");
    line
}

/// The counts, and what is gone.
fn tail(ruling: &Ruling, detail: Detail) -> String {
    let mut tail = String::from("\n");
    for floor in &ruling.floors {
        let _ = writeln!(tail, "{}", reached(floor));
    }
    let _ = writeln!(tail, "{}", counts(ruling));
    for (old, new) in &ruling.renamed {
        let _ = writeln!(tail, "renamed: {} is {} now", clean(old), clean(new));
    }
    let shown = detail.most(MOST);
    for one in ruling.stale.iter().take(shown) {
        let _ = writeln!(tail, "stale: {}", stale(one));
    }
    let more = ruling.stale.len().saturating_sub(shown);
    if more > 0 {
        let _ = writeln!(tail, "… and {more} more (--all names them)");
    }
    if ruling.judges_new && ruling.compared.is_empty() && ruling.new > 0 {
        tail.push_str("nothing is known yet: --write-baseline takes what is there as known, --since compares with a revision\n");
    }
    if !ruling.stale.is_empty() {
        tail.push_str("--ratchet takes what is stale out of the baseline\n");
    }
    if let Some(written) = &ruling.written {
        let _ = writeln!(tail, "{}", clean(written));
    }
    tail
}

/// How many findings there are of each standing.
fn counts(ruling: &Ruling) -> String {
    let number = super::thousands;
    let new = match (ruling.judges_new, ruling.others) {
        (false, _) => format!("{} not compared", number(ruling.new + ruling.others)),
        (true, 0) => format!("{} new", number(ruling.new)),
        (true, others) => format!("{} new, {} new that do not fail the gate", number(ruling.new), number(others)),
    };
    let (known, suppressed, stale) = (number(ruling.known), number(ruling.suppressed), number(ruling.stale.len()));
    format!("findings: {new}, {known} known, {suppressed} suppressed, {stale} stale")
}

fn reached(floor: &Reached) -> String {
    let part = if floor.part.is_empty() { "all calls".to_owned() } else { floor.part.clone() };
    let percent = floor.shown_coverage();
    let needed = floor.min_coverage.map_or_else(String::new, |needed| format!(" of {needed} % needed"));
    let allowed = floor.max_uncovered.map_or_else(String::new, |most| format!(" of {most} allowed"));
    let calls = counted(floor.calls, "call", "calls");
    format!(
        "{}: {calls}, coverage {percent:.1} %{needed}, {} uncovered{allowed} ({})",
        clean(&part),
        floor.uncovered,
        floor.written
    )
}

fn stale(one: &KnownFinding) -> String {
    let identity = &one.identity;
    let within = if identity.definition.is_empty() { String::new() } else { format!(" in {}", identity.definition) };
    let nth = if identity.ordinal > 1 { format!(" no. {}", identity.ordinal) } else { String::new() };
    clean(&format!("{} {}{nth}{within}: {}", identity.path, identity.callee, one.rule.id())).into_owned()
}

/// The audit with its new findings alone; without findings where nothing was compared.
fn only_new(outcome: &Outcome, ruling: &Ruling) -> Outcome {
    let mut outcome = outcome.clone();
    let judged = ruling.judges_new;
    outcome.findings.retain(|one| judged && one.suppressed.is_none() && one.standing == Some(Standing::New));
    outcome
}

fn ruling_json(ruling: &Ruling) -> Value {
    json!({
        "holds": ruling.holds(),
        "failures": ruling.failures,
        "compared_with": ruling.compared,
        "new": ruling.new,
        "other_new": ruling.others,
        "known": ruling.known,
        "suppressed": ruling.suppressed,
        "stale": ruling.stale.iter().map(known_json).collect::<Vec<_>>(),
        "renamed": ruling.renamed.iter().map(|(old, new)| json!({"from": old, "to": new})).collect::<Vec<_>>(),
        "floors": ruling.floors.iter().map(floor_json).collect::<Vec<_>>(),
        "written": ruling.written,
    })
}

fn known_json(one: &KnownFinding) -> Value {
    let identity = &one.identity;
    json!({
        "path": identity.path,
        "within": identity.definition,
        "callee": identity.callee,
        "rule": one.rule.id(),
        "nth": identity.ordinal,
    })
}

fn floor_json(floor: &Reached) -> Value {
    json!({
        "part": floor.part,
        "written": floor.written,
        "calls": floor.calls,
        "covered": floor.covered,
        "uncovered": floor.uncovered,
        "min_coverage": floor.min_coverage,
        "max_uncovered": floor.max_uncovered,
        "holds": floor.is_covered() && floor.is_few(),
    })
}
