//! SARIF is what its own schema says: the one of the standard, which the crate `serde-sarif` brings along.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use untimed::finding::Standing;
use untimed::report::{Format, Sources};

/// The schema of the standard, from the sources that Cargo fetched for the tests.
fn schema() -> Value {
    let rustc = run("rustc", &["-vV"]);
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = run(env!("CARGO"), &["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_path_buf();
    let schema = std::fs::read_to_string(folder.join("src/schema.json")).unwrap();
    // A pattern of the standard has a lone `]`, which JavaScript takes for itself and the validator refuses.
    serde_json::from_str(&schema.replace("]?$\"", "\\\\]?$\"")).unwrap()
}

fn run(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn it_is_what_the_standard_says() {
    let schema = schema();
    assert_eq!(schema["properties"]["version"]["enum"][0], "2.1.0");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut outcome = super::outcome();
    outcome.findings[0].suppressed = Some("a stream".to_owned());
    outcome.findings[1].standing = Some(Standing::New);
    outcome.findings[2].standing = Some(Standing::Known);
    let mut log: Value = serde_json::from_str(&super::write(&outcome, Format::Sarif, &Sources::default())).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["suppressions"][0]["justification"], "a stream");
    assert_eq!((&results[1]["baselineState"], &results[2]["baselineState"]), (&"new".into(), &"unchanged".into()));
    assert!(results.as_array().unwrap().iter().any(|result| result["codeFlows"].is_array()));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["help"]["markdown"].as_str().is_some_and(|page| page.len() > 80)));
    log["runs"][0]["results"][0]["level"] = "perhaps".into();
    assert!(!validator.is_valid(&log), "the schema accepts anything");
}
