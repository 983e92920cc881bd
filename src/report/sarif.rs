//! The audit as SARIF 2.1.0, for code scanning and editors.
//!
//! In: an [`Outcome`]. Out: one run: every rule with its page, every finding with its evidence as a code flow, its fingerprint, its
//! suppression and whether it stood before. What code scanning would refuse is cut, the least severe first, and a notification says so.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::json::{SCHEMA_VERSION, summary};
use super::{counted, rules, said, thousands};
use crate::finding::{Evidence, Finding, Outcome, Region, Rule, Severity, Standing, Stranger, Unreadable};

/// What code scanning accepts of one run.
struct Most {
    /// More results are refused.
    results: usize,
    /// Of these, no more are shown, the most severe first.
    shown: usize,
    /// A larger file, compressed, is refused.
    bytes: usize,
}

const CODE_SCANNING: Most = Most { results: 25_000, shown: 5_000, bytes: 10_000_000 };
/// Of a code flow, no more steps than this are shown.
const MOST_STEPS: usize = 1_000;
/// The name and version of [`Finding::fingerprint`] in SARIF.
const FINGERPRINT: &str = "untimed/v1";

/// The whole audit.
pub(super) fn audit(outcome: &Outcome) -> String {
    fitting(outcome, &CODE_SCANNING)
}

/// The audit with as many results as are accepted.
fn fitting(outcome: &Outcome, accepted: &Most) -> String {
    let mut findings: Vec<&Finding> = outcome.findings.iter().collect();
    let mut most = accepted.results;
    loop {
        if findings.len() > most {
            // Stable: within a severity the order stays that of the places.
            findings.sort_by_key(|finding| (finding.suppressed.is_some(), std::cmp::Reverse(finding.severity)));
            findings.truncate(most);
        }
        let text = super::json::pretty(&log(outcome, &findings, accepted.shown));
        if findings.is_empty() || text.len() < accepted.bytes || compressed(&text) < accepted.bytes {
            return text;
        }
        most = findings.len() / 2;
    }
}

/// How many bytes a text takes, compressed as for an upload.
fn compressed(text: &str) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.map_or(usize::MAX, |bytes| bytes.len())
}

fn log(outcome: &Outcome, findings: &[&Finding], shown: usize) -> Value {
    let mut notifications: Vec<Value> = outcome.unreadable.iter().map(unreadable).collect();
    notifications.extend(outcome.strangers.iter().map(stranger));
    notifications.extend(cut(outcome, findings, shown));
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "untimed",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "version": env!("CARGO_PKG_VERSION"),
                "rules": Rule::ALL.map(rule),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
            "results": findings.iter().map(|finding| result(finding)).collect::<Vec<_>>(),
            "properties": {"schema_version": SCHEMA_VERSION, "summary": summary(outcome)},
        }],
    })
}

/// What is not there, or there and not shown, as notifications.
fn cut(outcome: &Outcome, kept: &[&Finding], shown: usize) -> Vec<Value> {
    let mut said = Vec::new();
    let left = outcome.findings.len() - kept.len();
    if left > 0 {
        let of = |wanted: Severity| {
            let all = outcome.findings.iter().filter(|finding| finding.severity == wanted).count();
            all - kept.iter().filter(|finding| finding.severity == wanted).count()
        };
        let left_out = counted(left, "finding is", "findings are");
        let (errors, warnings) =
            (counted(of(Severity::Error), "error", "errors"), counted(of(Severity::Warning), "warning", "warnings"));
        let text =
            format!("{left_out} not in this file, the least severe first ({errors}, {warnings}): code scanning would refuse it");
        said.push(json!({"level": "warning", "message": {"text": text}}));
    }
    if kept.len() > shown {
        let (kept, shown) = (counted(kept.len(), "result", "results"), thousands(shown));
        let text = format!("of the {kept} code scanning shows {shown}, the most severe");
        said.push(json!({"level": "note", "message": {"text": text}}));
    }
    said
}

fn rule(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": {"text": rule.summary()},
        "fullDescription": {"text": rule.summary()},
        "help": {"text": anstream::adapter::strip_str(&rules::page(rule)).to_string(), "markdown": rules::markdown(rule)},
        "properties": {"tags": ["reliability", "timeouts"]},
    })
}

fn result(finding: &Finding) -> Value {
    let steps: Vec<Value> = steps(finding).take(MOST_STEPS).collect();
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": Rule::ALL.iter().position(|rule| *rule == finding.rule),
        "level": level(finding.severity),
        "message": {"text": said(finding)},
        "locations": [{"physicalLocation": place(&finding.at)}],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "suppressions": finding.suppressed.iter().map(|reason| json!({
            "kind": "inSource", "status": "accepted", "justification": reason,
        })).collect::<Vec<_>>(),
        "properties": {"site": finding.site},
    });
    if steps.len() > 1 {
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    }
    if let Some(standing) = finding.standing {
        result["baselineState"] = match standing {
            Standing::New => "new".into(),
            Standing::Known => "unchanged".into(),
        };
    }
    result
}

/// From the call along the facts that led to the finding.
fn steps(finding: &Finding) -> impl Iterator<Item = Value> {
    let begins = finding.evidence.first().is_none_or(|first| first.at != finding.at);
    let call = begins.then(|| step(&finding.at, &finding.message));
    call.into_iter().chain(finding.evidence.iter().map(|Evidence { at, text }| step(at, text)))
}

fn step(at: &Region, text: &str) -> Value {
    json!({"location": {"physicalLocation": place(at), "message": {"text": text}}})
}

fn place(at: &Region) -> Value {
    let mut region = json!({"startLine": at.line.max(1)});
    for (name, value) in [("startColumn", at.column), ("endLine", at.end_line), ("endColumn", at.end_column)] {
        if value > 0 {
            region[name] = value.into();
        }
    }
    json!({"artifactLocation": {"uri": uri(&at.file), "uriBaseId": "%SRCROOT%"}, "region": region})
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Off => "none",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn stranger(one: &Stranger) -> Value {
    let text = format!("not known: {} (in {} files): what goes out through it is not counted", one.package, one.files);
    json!({"level": "note", "message": {"text": text}})
}

fn unreadable(one: &Unreadable) -> Value {
    json!({
        "level": "warning",
        "message": {"text": format!("not read: {}", one.reason)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(&one.file), "uriBaseId": "%SRCROOT%"}}}],
    })
}

/// A path as a relative reference: what a URI may not hold is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Identity;

    fn outcome(findings: usize) -> Outcome {
        let finding = |at: usize| Finding {
            rule: Rule::ALL[at % 2],
            severity: if at.is_multiple_of(3) { Severity::Error } else { Severity::Warning },
            site: String::new(),
            at: Region { file: format!("src/{at}.ts").into(), line: 1, column: 1, end_line: 1, end_column: 2 },
            message: "nothing ends it".to_owned(),
            fix: String::new(),
            evidence: Vec::new(),
            fingerprint: format!("{at:016x}"),
            identity: Identity::default(),
            suppressed: None,
            standing: None,
        };
        Outcome { findings: (0..findings).map(finding).collect(), ..Outcome::default() }
    }

    fn run(text: &str) -> Value {
        serde_json::from_str::<Value>(text).unwrap()["runs"][0].take()
    }

    fn said(run: &Value) -> Vec<&str> {
        let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
        notifications.iter().filter_map(|one| one["message"]["text"].as_str()).collect()
    }

    #[test]
    fn what_code_scanning_refuses_is_cut_by_severity_and_said() {
        let text = fitting(&outcome(120), &Most { results: 100, shown: 50, bytes: usize::MAX });
        let run = run(&text);
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 100);
        assert_eq!(results.iter().filter(|one| one["level"] == "error").count(), 40, "no error is cut");
        let expected = [
            "20 findings are not in this file, the least severe first (0 errors, 20 warnings): code scanning would refuse it",
            "of the 100 results code scanning shows 50, the most severe",
        ];
        assert_eq!(said(&run), expected);
    }

    #[test]
    fn a_file_that_is_too_large_is_cut() {
        let whole = audit(&outcome(400));
        assert!(said(&run(&whole)).is_empty());
        let bytes = compressed(&whole) * 2 / 3;
        let text = fitting(&outcome(400), &Most { bytes, ..CODE_SCANNING });
        let run = run(&text);
        let kept = run["results"].as_array().unwrap().len();
        assert!(kept > 20 && compressed(&text) < bytes, "{kept}");
        assert!(said(&run)[0].contains("findings are not in this file"));
    }

    #[test]
    fn paths_are_relative_references() {
        assert_eq!(uri("src/a b/ü#1%.ts"), "src/a%20b/%C3%BC%231%25.ts");
        assert_eq!(uri("a:b.ts"), "a%3Ab.ts", "a colon would make a scheme of it");
    }
}
