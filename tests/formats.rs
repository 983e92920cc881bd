//! All formats carry the same findings, and the JSON is what its schema says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use untimed::finding::{Outcome, Rule};
use untimed::report::{self, Detail, Format, Sources};
use untimed::scan;
use untimed::settings::Settings;

/// Real input with findings of many kinds.
const INPUT: [&str; 4] = ["fixtures/javascript", "fixtures/rust/language", "fixtures/rust/reqwest", "fixtures/rust/ureq"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn outcome() -> Outcome {
    let roots = INPUT.map(|path| root().join(path)).to_vec();
    let settings = Settings { base: root().to_path_buf(), roots, ..Settings::default() };
    scan::audit(&settings, &scan::catalog(&settings).unwrap()).unwrap()
}

fn json_lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// Where findings stand and what about: `file:line:column rule`.
type Places = BTreeSet<String>;

fn of_outcome(outcome: &Outcome) -> Places {
    outcome.findings.iter().map(|one| format!("{}:{}:{} {}", one.at.file, one.at.line, one.at.column, one.rule.id())).collect()
}

fn of_json<'a>(findings: impl Iterator<Item = &'a Value>) -> Places {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    findings.map(|one| format!("{}:{}:{} {}", text(&one["file"]), one["line"], one["column"], text(&one["rule"]))).collect()
}

fn of_short(text: &str) -> Places {
    text.lines()
        .map(|line| {
            let (place, rest) = line.split_once(": ").unwrap();
            format!("{place} {}", rest.split(' ').next().unwrap())
        })
        .collect()
}

/// `error[rule]: message`, then `--> file:line:column` in the next line.
fn of_text(text: &str) -> Places {
    let plain = anstream::adapter::strip_str(text).to_string();
    let lines: Vec<&str> = plain.lines().collect();
    let headings = lines.windows(2).filter_map(|pair| {
        let rule = pair[0].strip_prefix("error[").or_else(|| pair[0].strip_prefix("warning["))?.split(']').next()?;
        let place = pair[1].trim_start().strip_prefix("--> ")?;
        Some(format!("{place} {rule}"))
    });
    headings.collect()
}

#[test]
fn every_format_carries_the_same_findings() {
    let outcome = outcome();
    let expected = of_outcome(&outcome);
    assert!(expected.len() > 100, "{} findings are too few to say much", expected.len());
    let rules: BTreeSet<Rule> = outcome.findings.iter().map(|finding| finding.rule).collect();
    assert!(rules.len() >= 5, "only {rules:?}");
    let sources = Sources::new(vec![root().to_path_buf()]);
    let write = |format| report::audit(&outcome, format, &sources, Detail { all: true, ..Detail::default() });
    let json: Value = serde_json::from_str(&write(Format::Json)).unwrap();
    assert_eq!(of_json(json["findings"].as_array().unwrap().iter()), expected, "json");
    let lines: Vec<Value> = json_lines(&write(Format::Jsonl)).collect();
    let of_type = |wanted: &str| lines.iter().filter(|line| line["type"] == wanted).count();
    assert_eq!(of_json(lines.iter().filter(|line| line["type"] == "finding")), expected, "jsonl");
    assert_eq!((of_type("site"), of_type("summary")), (outcome.sites.len(), 1));
    assert_eq!(of_short(&write(Format::Short)), expected, "short");
    assert_eq!(of_text(&write(Format::Text)), expected, "text");
}

#[test]
fn folded_findings_are_counted() {
    let outcome = outcome();
    let text = report::audit(&outcome, Format::Text, &Sources::default(), Detail::default());
    let text = anstream::adapter::strip_str(&text).to_string();
    assert!(text.contains("more findings: --all shows them"), "{text}");
    assert!(text.lines().count() < 600, "{} lines are not folded", text.lines().count());
}

#[test]
fn the_json_is_what_its_schema_says() {
    let schema: Value = serde_json::from_str(include_str!("../schemas/audit.schema.json")).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let mut untimed = Command::new(env!("CARGO_BIN_EXE_untimed"));
    let output = untimed.args(["audit", "--format", "json"]).args(INPUT).current_dir(root()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(report["sites"].as_array().unwrap().len() > 300);
    report["sites"][0]["verdict"] = "perhaps".into();
    assert!(!validator.is_valid(&report), "the schema accepts anything");
}

#[test]
fn the_schema_names_every_rule() {
    let schema: Value = serde_json::from_str(include_str!("../schemas/audit.schema.json")).unwrap();
    let rules = Rule::ALL.map(|rule| Value::from(rule.id())).to_vec();
    assert_eq!(schema["$defs"]["finding"]["properties"]["rule"]["enum"], Value::Array(rules));
}
