//! The findings as a table for spreadsheets.
//!
//! In: an [`Outcome`]. Out: comma-separated values, one line for each finding, also the suppressed. No cell is a formula.

use std::borrow::Cow;

use ::csv::Writer;

use super::{clean, step};
use crate::finding::{Finding, Outcome, Standing};

const COLUMNS: [&str; 12] =
    ["rule", "severity", "file", "line", "column", "message", "fix", "site", "fingerprint", "suppressed", "standing", "evidence"];

/// The whole table.
pub(super) fn audit(outcome: &Outcome) -> String {
    table(COLUMNS, outcome.findings.iter().map(row))
}

/// A table as RFC 4180 says it, with plain line ends; no cell below its head is a formula.
pub(super) fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut writer = Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record(head);
    for row in rows {
        let _ = writer.write_record(row.iter().map(|cell| harmless(cell).into_owned()));
    }
    writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn row(finding: &Finding) -> [String; COLUMNS.len()] {
    let evidence: Vec<String> = finding.evidence.iter().map(step).collect();
    [
        finding.rule.id().to_owned(),
        finding.severity.word().to_owned(),
        finding.at.file.to_string(),
        finding.at.line.to_string(),
        finding.at.column.to_string(),
        finding.message.clone(),
        finding.fix.clone(),
        finding.site.clone(),
        finding.fingerprint.clone(),
        finding.suppressed.clone().unwrap_or_default(),
        finding.standing.map_or("", Standing::word).to_owned(),
        evidence.join("; "),
    ]
}

/// A cell that a spreadsheet shows as text: what could begin a formula stands behind an apostrophe.
fn harmless(cell: &str) -> Cow<'_, str> {
    let cell = clean(cell);
    let first = cell.trim_start().chars().next();
    if first.is_some_and(|c| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠')) {
        format!("'{cell}").into()
    } else {
        cell
    }
}
