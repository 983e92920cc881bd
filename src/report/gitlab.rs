//! The findings as GitLab's code quality report.
//!
//! In: an [`Outcome`]. Out: a JSON array of all findings that are not suppressed; GitLab itself compares it with the target branch.

use serde_json::{Value, json};

use super::open;
use crate::finding::{Finding, Outcome, Severity};

/// The whole report.
pub(super) fn audit(outcome: &Outcome) -> String {
    let findings: Vec<Value> = open(outcome).map(finding).collect();
    super::json::pretty(&findings)
}

fn finding(finding: &Finding) -> Value {
    let severity = match finding.severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Off => "info",
    };
    let body = if finding.fix.is_empty() { finding.message.clone() } else { format!("{}\n\n{}", finding.message, finding.fix) };
    json!({
        "type": "issue",
        "check_name": finding.rule.id(),
        "description": finding.message,
        "content": {"body": body},
        "categories": ["Bug Risk"],
        "severity": severity,
        "fingerprint": finding.fingerprint,
        "location": {
            "path": finding.at.file,
            "lines": {"begin": finding.at.line, "end": finding.at.end_line.max(finding.at.line)},
        },
    })
}
