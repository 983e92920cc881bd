//! The findings as annotations of a GitHub workflow: one command for each line of the log.
//!
//! In: an [`Outcome`]. Out: text. Whoever runs in such a workflow also writes [`super::markdown`] as the job's summary.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{clean, open};
use crate::finding::{Finding, Outcome, Severity, Standing};

/// All findings that are not suppressed, and all files that could not be read.
pub(super) fn audit(outcome: &Outcome) -> String {
    let mut text = String::new();
    for finding in open(outcome) {
        let at = &finding.at;
        let _ = write!(text, "::{} file={},line={}", level(finding), property(&at.file), at.line);
        if at.end_line == at.line {
            // A column is refused where the place spans lines.
            let _ = write!(text, ",col={},endColumn={}", at.column, at.end_column);
        } else if at.end_line > at.line {
            let _ = write!(text, ",endLine={}", at.end_line);
        }
        let _ = write!(text, ",title={}::{}", property(finding.rule.id()), data(&finding.message));
        if !finding.fix.is_empty() {
            let _ = write!(text, "%0A{}", data(&finding.fix));
        }
        text.push('\n');
    }
    for one in &outcome.unreadable {
        let _ = writeln!(text, "::warning file={},title=not read::{}", property(&one.file), data(&one.reason));
    }
    text
}

fn level(finding: &Finding) -> &'static str {
    match (finding.standing, finding.severity) {
        (Some(Standing::Known), _) | (_, Severity::Off) => "notice",
        (_, Severity::Warning) => "warning",
        (_, Severity::Error) => "error",
    }
}

/// Text after the second `::`.
fn data(text: &str) -> Cow<'_, str> {
    let text = clean(text);
    if text.contains('%') { text.replace('%', "%25").into() } else { text }
}

/// The value of a property: a colon or a comma would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
