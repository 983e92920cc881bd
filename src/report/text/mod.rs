//! The audit for people: the one line that matters, where one change covers most, then the findings with their source.
//!
//! In: an [`Outcome`] and its [`Sources`]. Out: text. Long lists are folded unless [`Detail::all`] is set; what is folded is counted.

mod findings;
mod head;
mod remedies;

use std::fmt::Write as _;

pub(super) use findings::findings;
pub(super) use head::{left_out, stranger_names, strangers, unreadable};

use super::{Detail, Sources, clean, open};
use crate::finding::Outcome;

/// The whole report.
pub(super) fn audit(outcome: &Outcome, sources: &Sources, detail: Detail) -> String {
    let mut text = head::head(outcome);
    if detail.quiet {
        return text;
    }
    text.push_str(&unreadable(outcome, detail));
    text.push_str(&strangers(outcome, detail));
    text.push_str(&remedies::remedies(outcome, detail));
    text.push_str(&findings(outcome, sources, detail));
    text
}

/// One line for each finding: `file:line:column: rule message`.
pub(super) fn short(outcome: &Outcome) -> String {
    let mut text = String::new();
    for finding in open(outcome) {
        let (at, rule) = (&finding.at, finding.rule.id());
        let _ = writeln!(text, "{}:{}:{}: {rule} {}", clean(&at.file), at.line, at.column, clean(&finding.message));
    }
    text
}
