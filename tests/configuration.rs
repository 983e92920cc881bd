//! The JSON Schema of `untimed.toml` says what the reader says; what `untimed init` writes is read; docs/configuration.md names every key.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may fail loudly")]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use untimed::config::{Found, TABLES, read_text, template};
use untimed::finding::{Outcome, Rule, SiteKind};
use untimed::settings::Settings;

const ALL: &str = include_str!("config/all.toml");

fn schema() -> Value {
    serde_json::from_str(include_str!("../schemas/untimed.schema.json")).unwrap()
}

/// The folder that `tests/config/all.toml` speaks of.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for folder in ["src", "services/orders", "legacy"] {
        std::fs::create_dir_all(home.path().join(folder)).unwrap();
    }
    home
}

fn reads(text: &str, home: &Path) -> Result<(), String> {
    read_text(text, "untimed.toml", home, &mut Settings::default()).map_err(|error| error.to_string())
}

fn fits(text: &str) -> bool {
    let value: toml::Value = toml::from_str(text).unwrap();
    jsonschema::draft202012::new(&schema()).unwrap().is_valid(&serde_json::to_value(value).unwrap())
}

#[test]
fn the_schema_knows_the_keys_that_the_reader_knows() {
    for (table, keys) in TABLES {
        let mut at = schema();
        for part in table.split('.').filter(|part| !part.is_empty()) {
            at = match part {
                "*" => at["additionalProperties"].take(),
                name => at["properties"][name].take(),
            };
            if at["type"] == "array" {
                at = at["items"].take();
            }
        }
        let known: BTreeSet<&str> = at["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(known, keys.iter().copied().collect::<BTreeSet<_>>(), "[{table}]");
        assert_eq!(at["additionalProperties"], false, "[{table}]");
    }
    let words = |of: &Value| of.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let definitions = &schema()["$defs"];
    assert_eq!(words(&definitions["rule"]["enum"]), Rule::ALL.map(Rule::id));
    assert_eq!(words(&definitions["kind"]["enum"]), SiteKind::ALL.map(SiteKind::word));
    let rules = &schema()["properties"]["rules"]["properties"];
    assert_eq!(rules.as_object().unwrap().len(), Rule::ALL.len());
}

#[test]
fn what_is_read_fits_the_schema_and_what_is_refused_does_not() {
    let home = home();
    assert_eq!((reads(ALL, home.path()), fits(ALL)), (Ok(()), true));
    for text in [
        "exlude = []",
        "include = \"src\"",
        "include = [3]",
        "include = [\"\"]",
        "kinds = [\"fax\"]",
        "max_size = -1",
        "[policy]\nlongest = 3",
        "[policy]\nlongest_default = \"soon\"",
        "[policy]\nlongest_default = true",
        "[policy]\naccept = []",
        "[policy]\naccept = [\"connect\"]",
        "[policy]\ntests = \"yes\"",
        "[rules]\nno-such-rule = \"off\"",
        "[rules]\nlimit-off = \"warn\"",
        "[[override]]\npaths = [\"legacy\"]",
        "[[wrapper]]\nwrapper = true",
        "[[limit]]\nreason = \"x\"",
        "[[limit]]\nwait = \"3s\"",
        "[[client]]\nclient = \"x\"\nsource = \"y\"",
        "[services.a]\nports = [70000]",
        "[services.a]\nenv = { A = 3 }",
        "[gate]\nmin_coverage = 101",
        "[gate]\nmax_uncovered = 1.5",
        "[gate]\nfail_on = [\"x\"]",
        "[[gate.floor]]\nkinds = [\"http\"]",
    ] {
        assert!(reads(text, home.path()).is_err(), "read: {text}");
        assert!(!fits(text), "fits the schema: {text}");
    }
}

#[test]
fn what_init_writes_is_read_with_and_without_what_is_only_proposed() {
    let home = home();
    let services = [("orders".to_owned(), "services/orders".to_owned()), ("a.b".to_owned(), "legacy".to_owned())];
    for services in [&services[..], &[]] {
        let text = template(&Found { outcome: &Outcome::default(), services });
        assert_eq!((reads(&text, home.path()), fits(&text)), (Ok(()), true), "{text}");
        let proposed: String = text
            .lines()
            .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line).to_owned() + "\n")
            .collect();
        assert_ne!(proposed, text);
        assert_eq!((reads(&proposed, home.path()), fits(&proposed)), (Ok(()), true), "{proposed}");
    }
}

#[test]
fn the_documentation_names_every_key() {
    let page = include_str!("../docs/configuration.md");
    for (table, keys) in TABLES {
        for key in *keys {
            assert!(page.contains(&format!("`{key}`")), "docs/configuration.md does not name `{key}` of [{table}]");
        }
    }
}

#[test]
fn the_examples_of_the_documentation_are_read() {
    let home = home();
    let page = include_str!("../docs/configuration.md");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 6);
    for block in blocks {
        assert_eq!((reads(block, home.path()), fits(block)), (Ok(()), true), "{block}");
    }
    let mut settings = Settings::default();
    let client = page.split("```").find_map(|block| block.strip_prefix("toml\n").filter(|text| text.starts_with("[[client]]")));
    read_text(client.unwrap(), "untimed.toml", home.path(), &mut settings).unwrap();
    untimed::scan::catalog(&settings).unwrap_or_else(|error| panic!("{error}"));
}
