//! What the gate's answer does not depend on, and what it cannot miss, over all fixtures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod cases;
#[path = "cases/changes.rs"]
mod changes;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cases::Case;
use changes::{copy, renamed, spaced};
use untimed::catalog::Catalog;
use untimed::finding::{Finding, Identity, Outcome, Region, Rule, Ruling, Severity, Verdict};
use untimed::gate::{Baseline, Question, Scope, rule};
use untimed::settings::Settings;

fn audit(base: &Path, roots: Vec<PathBuf>, catalog: &Catalog) -> Outcome {
    let settings = cases::everything(base, roots, 1);
    untimed::scan::audit(&settings, catalog).unwrap_or_else(|error| panic!("{}: {error}", base.display()))
}

/// Asks the gate about an audit, strictly, with what another audit found as the baseline.
fn ask(known: &Outcome, outcome: &mut Outcome) -> Ruling {
    let mut settings = Settings::default();
    settings.gate.strict = true;
    let files: BTreeSet<String> = outcome.files.iter().map(ToString::to_string).collect();
    let baseline = Baseline::of(&known.findings);
    let scope = Scope { files: &files, exists: &|path| files.contains(path), complete: true, deadline: true };
    let question = Question { settings: &settings, baseline: Some(("known", &baseline)), then: None, scope, opened: &|_| None };
    rule(outcome, &question)
}

/// Copies `fixtures/` with every file changed, and asks the gate about each case with the unchanged one as its baseline.
fn unmoved_by(change: fn(&str) -> String) {
    let catalog = cases::catalog();
    let (before, after) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(&cases::root().join("fixtures"), &before.path().join("fixtures"), str::to_owned);
    copy(&cases::root().join("fixtures"), &after.path().join("fixtures"), change);
    let wrong = cases::each(&cases::all(), |case| {
        let of = |base: &Path| audit(base, vec![base.join(case.name())], &catalog);
        let (known, mut now) = (of(before.path()), of(after.path()));
        let ruling = ask(&known, &mut now);
        let moved = !ruling.holds() || ruling.others > 0 || !ruling.stale.is_empty();
        moved.then(|| format!("{}: {:?}, {} others, stale {:#?}", case.name(), ruling.failures, ruling.others, ruling.stale))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn names_of_local_variables() {
    unmoved_by(renamed);
}

/// Every line further in, with other ends of lines.
fn reformatted(text: &str) -> String {
    let mut within = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        // The lines of a text over several lines stay as they are.
        let ticks = line.matches('`').count() + line.matches("r#\"").count() + line.matches("\"#").count();
        lines.push(if within || line.is_empty() || line.starts_with("#!") { line.to_owned() } else { format!("    {line}") });
        within ^= ticks % 2 == 1;
    }
    lines.join("\r\n") + "\r\n\r\n"
}

#[test]
fn lines_that_say_nothing_indentation_and_ends_of_lines() {
    unmoved_by(|text| reformatted(&spaced(text)));
}

#[test]
fn the_order_in_which_files_are_named() {
    let catalog = cases::catalog();
    let root = cases::root();
    let wrong = cases::each(&cases::all(), |case| {
        let known = audit(&root, case.files(), &catalog);
        let mut files = case.files();
        files.reverse();
        let mut now = audit(&root, files, &catalog);
        let ruling = ask(&known, &mut now);
        (!ruling.holds() || !ruling.stale.is_empty()).then(|| format!("{}: {:?}", case.name(), ruling.failures))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The places where a limit that decides a site of a case is written, with the sites' ids.
fn limits(outcome: &Outcome) -> BTreeMap<Region, Vec<String>> {
    let mut limits: BTreeMap<Region, Vec<String>> = BTreeMap::new();
    for site in outcome.sites.iter().filter(|site| site.verdict == Verdict::Covered) {
        if let Some(at) = site.limit.as_ref().and_then(|limit| limit.at.clone()) {
            limits.entry(at).or_default().push(site.id.clone());
        }
    }
    limits
}

/// The text without the limit at a place: a property of an object, or a call in a chain. `None` where it is written otherwise.
fn without(text: &str, at: &Region) -> Option<String> {
    let offset = |line: u32, column: u32| {
        let start: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        let rest = text.get(start..)?;
        Some(start + rest.char_indices().nth(column as usize - 1).map_or(rest.len(), |(at, _)| at))
    };
    let (from, to) = (offset(at.line, at.column)?, offset(at.end_line, at.end_column)?);
    let (before, after) = (text.get(..from)?, text.get(to..)?);
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    if let Some(key) = before.trim_end().strip_suffix(':') {
        let key = key.trim_end().trim_end_matches(['\'', '"']);
        let begin = key.rfind(|c: char| !word(c)).map_or(0, |at| at + 1);
        let begin = if key[..begin].ends_with(['\'', '"']) { begin - 1 } else { begin };
        let in_object = key[..begin].trim_end().ends_with(['{', ',']);
        let rest = after.trim_start().strip_prefix(',').unwrap_or(after);
        return (begin < key.len() && in_object).then(|| format!("{}{rest}", &text[..begin]));
    }
    let name = before.strip_suffix('(')?;
    let begin = name.rfind(|c: char| !word(c))?;
    let rest = after.strip_prefix(')')?;
    let step = name[begin..].starts_with('.') && rest.trim_start().starts_with('.');
    step.then(|| format!("{}{rest}", name[..begin].trim_end()))
}

/// What the gate says of a case without one of its limits: `None` where it could not be taken out.
fn miss(
    case: &Case,
    file: &str,
    at: &Region,
    sites: &[String],
    known: &Outcome,
    catalog: &Catalog,
) -> Option<Result<(), String>> {
    let text = std::fs::read_to_string(cases::root().join(file)).ok()?;
    let changed = without(&text, at)?;
    let folder = tempfile::tempdir().unwrap();
    let copied = folder.path().join(case.name());
    std::fs::create_dir_all(copied.parent().unwrap()).unwrap();
    if case.path.is_dir() {
        copy(&case.path, &copied, str::to_owned);
    } else {
        std::fs::copy(&case.path, &copied).unwrap();
    }
    std::fs::write(folder.path().join(file), changed).unwrap();
    let mut now = audit(folder.path(), vec![copied], catalog);
    // Another limit may hold the call, or a default: then nothing is worse.
    let held = sites.iter().all(|id| now.sites.iter().any(|site| site.id == *id && site.verdict == Verdict::Covered));
    if held {
        return None;
    }
    let ruling = ask(known, &mut now);
    Some(if ruling.holds() {
        Err(format!("{file}:{}:{}: the limit is gone and the gate holds", at.line, at.column))
    } else {
        Ok(())
    })
}

#[test]
fn no_limit_can_be_taken_out_unseen() {
    let catalog = cases::catalog();
    let root = cases::root();
    let results: Vec<Result<(), String>> = cases::each(&cases::all(), |case| {
        let known = audit(&root, vec![case.path.clone()], &catalog);
        let limits = limits(&known);
        limits.iter().filter_map(|(at, sites)| miss(case, &at.file, at, sites, &known, &catalog)).collect::<Vec<_>>()
    })
    .concat();
    let unseen: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    eprintln!("{} limits taken out", results.len());
    assert!(unseen.is_empty(), "{} of {}:\n{unseen:#?}", unseen.len(), results.len());
    assert!(results.len() > 250 || std::env::var("UNTIMED_CASES").is_ok(), "only {} limits could be taken out", results.len());
}

#[test]
fn a_hundred_thousand_findings() {
    let finding = |at: u32| {
        let file = format!("src/f{}.ts", at / 1_000);
        let identity = Identity {
            path: file.clone(),
            definition: format!("g{}", at % 1_000 / 10),
            callee: "fetch".into(),
            ordinal: at % 10 + 1,
        };
        Finding {
            rule: Rule::UncoveredCall,
            severity: Severity::Error,
            site: String::new(),
            at: Region { file: file.into(), line: at % 1_000 + 1, column: 1, end_line: at % 1_000 + 1, end_column: 9 },
            message: String::new(),
            fix: String::new(),
            evidence: Vec::new(),
            fingerprint: identity.digest(Some(Rule::UncoveredCall)),
            identity,
            suppressed: None,
            standing: None,
        }
    };
    let of = |count: u32| Outcome {
        findings: (0..count).map(finding).collect(),
        files: (0..100).map(|at| format!("src/f{at}.ts").into()).collect(),
        ..Outcome::default()
    };
    let (known, begun) = (of(100_000), std::time::Instant::now());
    let text = Baseline::of(&known.findings).text();
    assert_eq!(Baseline::parse("known", &text).unwrap().known.len(), 100_000);
    let mut more = of(100_001);
    assert_eq!(ask(&known, &mut more).failures, ["1 new uncovered-call"]);
    let mut fewer = of(99_999);
    let ruling = ask(&known, &mut fewer);
    assert_eq!((ruling.known, ruling.stale.len(), ruling.holds()), (99_999, 1, true));
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
