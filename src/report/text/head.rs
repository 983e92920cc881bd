//! The first lines: what was found, what was left out, what could not be read, what is not known.
//!
//! In: an [`Outcome`]. Out: text.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::super::figures::figures;
use super::super::{Detail, MOST_STRANGERS, MOST_UNREADABLE, clean, counted, thousands};
use crate::finding::{Counts, Outcome, Stranger};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
const STRONG: Style = Style::new().bold();

/// The one line that matters.
pub(super) fn head(outcome: &Outcome) -> String {
    let figures = figures(outcome.sites.iter());
    let files = counted(outcome.counts.scanned as usize, "file", "files");
    let mut text = String::new();
    if figures.call_sites == 0 {
        let _ = write!(text, "{STRONG}No outbound call{STRONG:#} in {files}");
    } else {
        let sites = counted(figures.call_sites, "outbound call", "outbound calls");
        let _ = write!(text, "{STRONG}{sites}{STRONG:#} in {files}: ");
        let parts = [
            (figures.covered, "covered", GOOD),
            (figures.partial, "partial", DOUBTFUL),
            (figures.uncovered, "uncovered", BAD),
            (figures.unknown, "unknown", DOUBTFUL),
        ];
        for (count, word, style) in parts {
            let style = if count == 0 { Style::new() } else { style };
            let _ = write!(text, "{style}{} {word}{style:#}, ", thousands(count));
        }
        let percent = figures.coverage * 100.0;
        let _ = write!(text, "coverage {percent:.1} %");
    }
    let left = left_out(&outcome.counts);
    if !left.is_empty() {
        let _ = write!(text, " (left out: {})", left.join(", "));
    }
    text.push('\n');
    text
}

/// What did not take part.
pub(in super::super) fn left_out(counts: &Counts) -> Vec<String> {
    [
        (counts.tests, "test file", "test files"),
        (counts.examples, "example", "examples"),
        (counts.generated, "generated file", "generated files"),
        (counts.vendored, "vendored file", "vendored files"),
        (counts.too_large, "file over the size cap", "files over the size cap"),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, many)| counted(count as usize, one, many))
    .collect()
}

/// What could not be read.
pub(in super::super) fn unreadable(outcome: &Outcome, detail: Detail) -> String {
    let mut text = String::new();
    let shown = detail.most(MOST_UNREADABLE);
    for one in outcome.unreadable.iter().take(shown) {
        let word = if one.in_part() { "read in part" } else { "not read" };
        let _ = writeln!(text, "{DOUBTFUL}{word}{DOUBTFUL:#} {}: {}", clean(&one.file), clean(&one.reason));
    }
    let more = outcome.unreadable.len().saturating_sub(shown);
    if more > 0 {
        let _ = writeln!(text, "… and {} more (--all names them)", counted(more, "unreadable file", "unreadable files"));
    }
    text
}

/// Which packages are not known, and so not counted.
pub(in super::super) fn strangers(outcome: &Outcome, detail: Detail) -> String {
    let names = stranger_names(outcome, detail);
    if names.is_empty() {
        return String::new();
    }
    format!("{DOUBTFUL}not known{DOUBTFUL:#} {names}: what goes out through them is not counted\n")
}

/// The packages that are not known, with how many files import each.
pub(in super::super) fn stranger_names(outcome: &Outcome, detail: Detail) -> String {
    let shown = detail.most(MOST_STRANGERS);
    let one = |one: &Stranger| format!("{} ({})", clean(&one.package), counted(one.files as usize, "file", "files"));
    let mut names: Vec<String> = outcome.strangers.iter().take(shown).map(one).collect();
    let more = outcome.strangers.len().saturating_sub(shown);
    if more > 0 {
        names.push(format!("{} (--all names them)", counted(more, "other package", "other packages")));
    }
    names.join(", ")
}
