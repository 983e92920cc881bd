//! Reports: finished findings, verdicts and numbers become text for people and machines. One small file for each format.
//!
//! In: an [`Outcome`], or answers of the budget checker. Out: text. Reports decide and filter nothing, print nothing, and read no files
//! but, for excerpts, the sources. Styles are written into text as ANSI sequences; whoever prints strips them where no terminal reads.

pub mod budget;
mod checkstyle;
pub mod clients;
mod csv;
mod excerpt;
pub mod explain;
pub mod export;
mod figures;
mod format;
pub mod gate;
mod github;
mod gitlab;
mod groups;
pub mod html;
pub mod json;
mod jsonl;
mod junit;
mod markdown;
pub mod rules;
mod sarif;
mod sources;
mod suppressions;
mod table;
mod text;
mod xml;

use crate::finding::{Evidence, Finding, Outcome};

pub use figures::{Figures, figures};
pub use format::Format;
pub use groups::Grouping;
pub use sources::Sources;

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// Long lists are not folded.
    pub all: bool,
    /// The first line alone.
    pub quiet: bool,
    /// How many columns there are; 0: as many as it takes.
    pub width: usize,
}

impl Detail {
    /// How much of a long list is shown, of which this much is enough at first.
    const fn most(self, enough: usize) -> usize {
        if self.all { usize::MAX } else { enough }
    }
}

/// How many places where one change covers many calls are enough at first.
const MOST_REMEDIES: usize = 8;
/// How many packages that are not known are enough at first.
const MOST_STRANGERS: usize = 12;

/// How many unreadable files are enough at first.
const MOST_UNREADABLE: usize = 5;

/// An audit as text.
pub fn audit(outcome: &Outcome, format: Format, sources: &Sources, detail: Detail) -> String {
    with_chains(outcome, &[], format, sources, detail)
}

/// An audit as text, with the chains that were found; formats that have findings alone leave them out.
pub fn with_chains(outcome: &Outcome, chains: &[budget::Answer], format: Format, sources: &Sources, detail: Detail) -> String {
    match format {
        Format::Text => text::audit(outcome, sources, detail),
        Format::Short => text::short(outcome),
        Format::Json => json::audit(outcome),
        Format::Jsonl => jsonl::audit(outcome),
        Format::Sarif => sarif::audit(outcome),
        Format::Github => github::audit(outcome),
        Format::Gitlab => gitlab::audit(outcome),
        Format::Junit => junit::audit(outcome),
        Format::Checkstyle => checkstyle::audit(outcome),
        Format::Markdown => markdown::audit(outcome, detail),
        Format::Csv => csv::audit(outcome),
        Format::Html => html::audit(outcome, sources, chains),
    }
}

/// An audit as one row for each group of sites. `roots` are the named paths, as the user wrote them and as reports print them.
/// Formats that have findings alone have no such table.
pub fn grouped(outcome: &Outcome, grouping: Grouping, roots: &[(String, String)], format: Format) -> Option<String> {
    let rows = groups::rows(outcome, grouping, roots);
    match format {
        Format::Text | Format::Short => Some(groups::table(grouping, &rows)),
        Format::Json => Some(groups::json(grouping, &rows)),
        Format::Jsonl => Some(groups::jsonl(&rows)),
        _ => None,
    }
}

/// All suppressions of an audit. Formats that have findings alone have no such list.
pub fn suppressions(outcome: &Outcome, format: Format) -> Option<String> {
    suppressions::list(&outcome.suppressions, format)
}

/// The findings that nobody suppressed.
fn open(outcome: &Outcome) -> impl Iterator<Item = &Finding> {
    outcome.findings.iter().filter(|finding| finding.suppressed.is_none())
}

/// What is wrong and what to do, in one line.
fn said(finding: &Finding) -> String {
    if finding.fix.is_empty() { finding.message.clone() } else { format!("{}; {}", finding.message, finding.fix) }
}

/// A piece of evidence in one line: `file:line: what it says`.
fn step(one: &Evidence) -> String {
    format!("{}:{}: {}", one.at.file, one.at.line, one.text)
}

/// Text from the scanned code, without characters that a terminal would obey.
fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    let obeyed =
        |c: char| c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.contains(obeyed) {
        text.chars().map(|c| if obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect::<String>().into()
    } else {
        text.into()
    }
}

/// A number with its noun.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// A number with its thousands set apart: `12,345`.
fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
