//! The audit as JSON, as CONTRACT section 4 fixes it.
//!
//! In: an [`Outcome`]. Out: text. It filters nothing.

use serde::Serialize;
use serde_json::{Value, json};

use super::figures::figures;
use crate::finding::{Evidence, Finding, Limit, Outcome, Site, Stranger, Unreadable, Wrapper};

/// The version of the format.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole audit.
pub fn audit(outcome: &Outcome) -> String {
    pretty(&document(outcome))
}

/// A document as text: indented, for programs and the people who debug them.
pub(super) fn pretty(document: &impl Serialize) -> String {
    // What reports are made of has texts as keys and always serialises.
    serde_json::to_string_pretty(document).unwrap_or_default() + "\n"
}

/// The audit as a JSON value.
pub fn document(outcome: &Outcome) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "untimed", "version": env!("CARGO_PKG_VERSION")},
        "summary": summary(outcome),
        "sites": outcome.sites.iter().map(site).collect::<Vec<_>>(),
        "wrappers": outcome.wrappers.iter().map(wrapper).collect::<Vec<_>>(),
        "findings": outcome.findings.iter().map(finding).collect::<Vec<_>>(),
        "unreadable": outcome.unreadable.iter().map(unreadable).collect::<Vec<_>>(),
        "not_known": outcome.strangers.iter().map(stranger).collect::<Vec<_>>(),
    })
}

/// The summary.
pub fn summary(outcome: &Outcome) -> Value {
    let figures = figures(outcome.sites.iter());
    let counts = &outcome.counts;
    json!({
        "files": {
            "seen": counts.seen, "scanned": counts.scanned, "parsed": counts.parsed, "unreadable": counts.unreadable,
            "left_out": {
                "tests": counts.tests, "examples": counts.examples, "generated": counts.generated,
                "vendored": counts.vendored, "too_large": counts.too_large,
            },
        },
        "call_sites": figures.call_sites,
        "covered": figures.covered,
        "partial": figures.partial,
        "uncovered": figures.uncovered,
        "unknown": figures.unknown,
        "coverage": figures.coverage,
        "limits": {"places": figures.places, "values_ms": figures.values, "overrides": outcome.overrides},
    })
}

/// One site.
pub fn site(site: &Site) -> Value {
    json!({
        "id": site.id,
        "file": site.at.file,
        "line": site.at.line,
        "column": site.at.column,
        "end_line": site.at.end_line,
        "end_column": site.at.end_column,
        "language": site.language,
        "kind": site.kind.word(),
        "client": site.client,
        "call": site.call,
        "function": site.function,
        "target": {
            "text": site.target.text,
            "host": site.target.host,
            "port": site.target.port,
            "path": site.target.path,
            "service": site.target.service,
        },
        "verdict": site.verdict.word(),
        "by": site.by.map(|by| by.word()),
        "limit": site.limit.as_ref().map(limit),
        "default_limit": site.default_limit,
        "retries": retries(site.retries),
        "backoff_ms": site.backoff,
        "wrapper": site.wrapper,
        "evidence": site.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "suppressed": site.suppressed,
        "caller_service": site.caller_service,
    })
}

/// How often something is tried again; null means without end.
pub(super) fn retries(count: u32) -> Option<u32> {
    Some(count).filter(|count| *count != u32::MAX)
}

fn limit(limit: &Limit) -> Value {
    json!({
        "ms": limit.wait,
        "kind": limit.kind.word(),
        "value": limit.origin,
        "overridable": limit.overridable,
        "file": limit.at.as_ref().map(|at| &at.file),
        "line": limit.at.as_ref().map(|at| at.line),
    })
}

fn evidence(evidence: &Evidence) -> Value {
    json!({"file": evidence.at.file, "line": evidence.at.line, "text": evidence.text})
}

/// One wrapper.
pub fn wrapper(wrapper: &Wrapper) -> Value {
    json!({
        "name": wrapper.name,
        "file": wrapper.at.file,
        "line": wrapper.at.line,
        "sites": wrapper.sites,
        "limit": wrapper.limit.as_ref().map(limit),
    })
}

/// One finding.
pub fn finding(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule.id(),
        "severity": finding.severity,
        "site": finding.site,
        "file": finding.at.file,
        "line": finding.at.line,
        "column": finding.at.column,
        "message": finding.message,
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
        "suppressed": finding.suppressed,
        "evidence": finding.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "standing": finding.standing,
    })
}

/// One file that could not be read, or not wholly.
pub fn unreadable(one: &Unreadable) -> Value {
    json!({"file": one.file, "reason": one.reason})
}

/// One package that is not known.
pub fn stranger(one: &Stranger) -> Value {
    json!({"package": one.package, "language": one.language, "files": one.files, "file": one.file})
}
