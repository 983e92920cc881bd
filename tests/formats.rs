//! All formats carry the same findings, whatever the scanned code holds, and each is what its own schema says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

#[path = "formats/carried.rs"]
mod carried;
mod cases;
#[path = "formats/hostile.rs"]
mod hostile;
#[path = "formats/sarif.rs"]
mod sarif;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use untimed::finding::{Finding, Outcome, Rule};
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

fn write(outcome: &Outcome, format: Format, sources: &Sources) -> String {
    report::audit(outcome, format, sources, Detail { all: true, ..Detail::default() })
}

#[test]
fn every_format_carries_the_same_findings_of_every_fixture() {
    let (cases, catalog) = (cases::all(), cases::catalog());
    let sources = || Sources::new(vec![root().to_path_buf()]);
    let wrong: Vec<Vec<String>> = cases::each(&cases, |case| {
        let outcome = cases::audit(case, &catalog, 1);
        let differs = |format: &Format| {
            let carried = carried::carried(*format, &write(&outcome, *format, &sources()));
            (carried != carried::expected(*format, &outcome))
                .then(|| format!("{} of {}: {carried:?}", format.word(), case.name()))
        };
        Format::ALL.iter().filter_map(differs).collect()
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} reports differ from the audit:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn fingerprints_tell_findings_apart() {
    let outcome = outcome();
    let rules: BTreeSet<Rule> = outcome.findings.iter().map(|finding| finding.rule).collect();
    assert!(outcome.findings.len() > 100 && rules.len() >= 5, "{} findings of {rules:?} are too few", outcome.findings.len());
    let mut seen: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in &outcome.findings {
        if let Some(other) = seen.insert(&finding.fingerprint, finding) {
            panic!("one fingerprint for two findings:\n{other:#?}\n{finding:#?}");
        }
    }
}

#[test]
fn folded_findings_are_counted() {
    let outcome = outcome();
    let text = report::audit(&outcome, Format::Text, &Sources::default(), Detail::default());
    let text = anstream::adapter::strip_str(&text).to_string();
    assert!(text.contains("more findings: --all shows them"), "{text}");
    assert!(text.lines().count() < 600, "{} lines are not folded", text.lines().count());
}
