//! The findings as a table for spreadsheets.
//!
//! In: an [`Outcome`]. Out: comma-separated values, one line for each finding, also the suppressed. No cell is a formula.

use std::borrow::Cow;

use ::csv::Writer;

use super::clean;
use crate::finding::{Finding, Outcome, Severity, Standing};

const COLUMNS: [&str; 12] =
    ["rule", "severity", "file", "line", "column", "message", "fix", "site", "fingerprint", "suppressed", "standing", "evidence"];

/// The whole table.
pub(super) fn audit(outcome: &Outcome) -> String {
    let mut writer = Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record(COLUMNS);
    for finding in &outcome.findings {
        let _ = writer.write_record(row(finding).iter().map(|cell| harmless(cell).into_owned()));
    }
    writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn row(finding: &Finding) -> [String; COLUMNS.len()] {
    let severity = match finding.severity {
        Severity::Off => "off",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let standing = match finding.standing {
        None => "",
        Some(Standing::New) => "new",
        Some(Standing::Known) => "known",
    };
    let evidence: Vec<String> =
        finding.evidence.iter().map(|one| format!("{}:{}: {}", one.at.file, one.at.line, one.text)).collect();
    [
        finding.rule.id().to_owned(),
        severity.to_owned(),
        finding.at.file.to_string(),
        finding.at.line.to_string(),
        finding.at.column.to_string(),
        finding.message.clone(),
        finding.fix.clone(),
        finding.site.clone(),
        finding.fingerprint.clone(),
        finding.suppressed.clone().unwrap_or_default(),
        standing.to_owned(),
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
