//! Every JSON that the program prints is what its published schema says, and every schema refuses something.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use jsonschema::Validator;
use serde_json::{Value, json};
use untimed::finding::Rule;

const CODE: [&str; 4] = ["fixtures/javascript", "fixtures/rust/language", "fixtures/rust/reqwest", "fixtures/rust/ureq"];
const CHAIN: &str = "\
chain a deadline=2s backoff=25ms
web -> api  none 2 total=3s jitter=full backoff=exp:25ms..250ms min_useful=10ms
api -> db   500ms 1 propagate=deadline on_timeout=no reserve=10ms
chain b
web -> api  1s 4000000000
";
const LAYERS: &str = "layer,timeout,attempts,backoff\nedge,30,1,0\nservice,none,3,2\ndriver,5,2,0.5\n";

fn schema(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schemas/{name}.schema.json"));
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// The validator of a schema, or of one of its definitions.
fn validator(name: &str, definition: Option<&str>) -> Validator {
    let mut schema = schema(name);
    if let Some(definition) = definition {
        schema = json!({"$schema": schema["$schema"], "$ref": format!("#/$defs/{definition}"), "$defs": schema["$defs"]});
    }
    jsonschema::draft202012::new(&schema).unwrap()
}

/// What the program prints; it exits 0, or 1 where a chain does not fit.
fn run(args: &[&str], input: &str) -> String {
    let mut untimed = Command::new(env!("CARGO_BIN_EXE_untimed"));
    untimed
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = untimed.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.code() < Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn value(args: &[&str], input: &str) -> Value {
    serde_json::from_str(&run(args, input)).unwrap()
}

#[track_caller]
fn check(validator: &Validator, value: &Value, what: &str) {
    let wrong: Vec<String> = validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{what}: {}", wrong.join("\n"));
    let mut more = value.clone();
    more["surprise"] = true.into();
    assert!(!validator.is_valid(&more), "{what}: the schema accepts anything");
}

/// Checks every line of a report.
#[track_caller]
fn check_lines(validator: &Validator, report: &str) {
    for text in report.lines() {
        check(validator, &serde_json::from_str(text).unwrap(), text);
    }
}

#[test]
fn audits() {
    let args: Vec<&str> = ["audit", "--format", "json"].into_iter().chain(CODE).collect();
    let report = value(&args, "");
    assert!(report["sites"].as_array().unwrap().len() > 300);
    let audit = validator("audit", None);
    check(&audit, &report, "audit");
    for (list, member) in [("sites", "verdict"), ("findings", "rule"), ("findings", "standing"), ("sites", "kind")] {
        let mut other = report.clone();
        other[list][0][member] = "perhaps".into();
        assert!(!audit.is_valid(&other), "the schema accepts any {member}");
    }
}

#[test]
fn audits_line_by_line() {
    let line = validator("audit", Some("line"));
    let report = run(&["audit", "--format", "jsonl", "fixtures/javascript/lesson", "fixtures/rust/reqwest"], "");
    assert!(report.lines().count() > 30);
    check_lines(&line, &report);
}

#[test]
fn gates() {
    let audit = validator("audit", None);
    let floor: &[&str] = &["--min-coverage", "90", "--max-uncovered", "1", "fixtures/javascript/lesson"];
    let chains: &[&str] = &["--deadline", "2s", "fixtures/chain/shop-retries"];
    for (args, part) in [(floor, "floors"), (chains, "failures")] {
        let report = value(&[&["gate", "--no-config", "--format", "json"], args].concat(), "");
        check(&audit, &report, "gate");
        assert!(!report["gate"][part].as_array().unwrap().is_empty(), "no {part}");
        let mut other = report;
        other["gate"]["surprise"] = true.into();
        assert!(!audit.is_valid(&other), "the schema accepts any ruling");
    }
    let line = validator("audit", Some("line"));
    let report = run(&[&["gate", "--no-config", "--format", "jsonl"], chains].concat(), "");
    assert!(report.contains("\"over-budget\""), "{report}");
    check_lines(&line, &report);
}

#[test]
fn suppressions() {
    let args = ["audit", "--suppressions", "tests/cmd/suppressions.in", "--format"];
    let list = value(&[&args[..], &["json"]].concat(), "");
    assert!(list["suppressions"].as_array().unwrap().len() > 5);
    check(&validator("suppressions", None), &list, "suppressions");
    check_lines(&validator("suppressions", Some("suppression")), &run(&[&args[..], &["jsonl"]].concat(), ""));
}

#[test]
fn exports() {
    let (export, budget) = (validator("export", None), validator("budget", None));
    for shop in ["shop-healthy", "shop-inverted", "shop-retries"] {
        let folder = format!("fixtures/chain/{shop}");
        let report = value(&["export", &folder, "--format", "json"], "");
        check(&export, &report, shop);
        let mut other = report;
        other["hops"][0]["retries"] = "perhaps".into();
        assert!(!export.is_valid(&other), "the schema accepts any retries");
        check(&budget, &value(&["budget", "--scan", &folder, "--format", "json"], ""), shop);
    }
}

#[test]
fn tables() {
    let (table, row) = (validator("table", None), validator("table", Some("row")));
    for by in ["path", "client", "wrapper", "kind", "directory"] {
        let args = ["audit", "--by", by, "fixtures/javascript/lesson", "fixtures/javascript/axios", "--format"];
        check(&table, &value(&[&args[..], &["json"]].concat(), ""), by);
        check_lines(&row, &run(&[&args[..], &["jsonl"]].concat(), ""));
    }
}

#[test]
fn chains() {
    let budget = validator("budget", None);
    let asked: [&[&str]; 5] = [
        &[],
        &["--deadline", "300ms", "--solve", "--sensitivity"],
        &["--deadline", "10s", "--solve"],
        &["--bottom", "none", "--trace"],
        &["--bottom", "100ms", "--requests", "3"],
    ];
    let mut files: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chain")).unwrap().collect();
    files.retain(|file| file.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "txt"));
    assert!(files.len() > 10);
    for more in asked {
        check(&budget, &value(&[&["budget", "-", "--format", "json"], more].concat(), CHAIN), "a chain");
        for file in &files {
            let file = file.as_ref().unwrap().path();
            check(&budget, &value(&[&["budget", file.to_str().unwrap(), "--format", "json"], more].concat(), ""), "a chain");
        }
    }
}

#[test]
fn layers_and_required_timeouts() {
    check(&validator("layers", None), &value(&["budget", "--layers", "-", "--format", "json"], LAYERS), "layers");
    let required = value(&["budget", "--required", "--leaf", "2s", "--backoff", "1s", "--format", "json"], "");
    check(&validator("required", None), &required, "required");
}

#[test]
fn clients() {
    check(&validator("clients", None), &value(&["clients", "--format", "json"], ""), "clients");
}

#[test]
fn the_schema_names_every_rule() {
    let rules = Rule::ALL.map(|rule| Value::from(rule.id())).to_vec();
    assert_eq!(schema("audit")["$defs"]["finding"]["properties"]["rule"]["enum"], Value::Array(rules.clone()));
    assert_eq!(schema("suppressions")["$defs"]["suppression"]["properties"]["rules"]["items"]["enum"], Value::Array(rules));
}

#[test]
fn every_schema_is_described() {
    let page = include_str!("../docs/schemas.md");
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(page.contains(&format!("(../schemas/{name})")), "docs/schemas.md does not link {name}");
    }
}
