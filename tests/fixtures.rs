//! Every fixture says beside its lines what the audit must say there, strict both ways: a site without a note and a note without a site
//! fail. See `tests/cases/notes.rs` for the notes, `UNTIMED_CASES=axios cargo test --test fixtures` for a part of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod cases;
#[path = "cases/notes.rs"]
mod notes;

use cases::Case;
use notes::{Claim, Notes};
use untimed::catalog::Catalog;

/// What one case says.
struct Checked {
    differences: Vec<String>,
    notes: usize,
    missing: usize,
    spurious: usize,
}

fn check(case: &Case, catalog: &Catalog) -> Checked {
    let mut notes = Notes::default();
    let mut files = Vec::new();
    for file in case.files() {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        files.push(cases::shown(&file));
        notes.read(&cases::shown(&file), &text);
    }
    let outcome = cases::audit(case, catalog, 1);
    let mut differences = notes.differences(&files, &outcome);
    if notes.is_empty() {
        differences.push(format!("{}: no notes: say `//~!none` where there is no site on purpose", case.name()));
    }
    let strangers = outcome.sites.iter().filter(|site| !files.iter().any(|file| **file == *site.at.file));
    differences.extend(strangers.map(|site| format!("{}:{}: a site outside of the case", site.at.file, site.at.line)));
    let count = |claim: Claim| notes.notes.iter().filter(|note| note.claim == claim).count();
    Checked { differences, notes: count(Claim::Said), missing: count(Claim::Missing), spurious: count(Claim::Spurious) }
}

fn agree(language: &str) {
    let catalog = cases::catalog();
    let mut cases = cases::all();
    cases.retain(|case| case.language == language);
    let checked = cases::each(&cases, |case| check(case, &catalog));
    let sum = |of: fn(&Checked) -> usize| checked.iter().map(of).sum::<usize>();
    eprintln!(
        "{language}: {} cases, {} notes, {} missing, {} spurious",
        cases.len(),
        sum(|c| c.notes),
        sum(|c| c.missing),
        sum(|c| c.spurious)
    );
    let differences: Vec<&str> = checked.iter().flat_map(|checked| &checked.differences).map(String::as_str).collect();
    assert!(differences.is_empty(), "{} differences:\n{}\n", differences.len(), differences.join("\n"));
}

#[test]
fn javascript() {
    agree("javascript");
}

#[test]
fn rust() {
    agree("rust");
}

#[test]
fn every_language_has_its_test() {
    let mut languages: Vec<String> = cases::all().into_iter().map(|case| case.language).collect();
    languages.dedup();
    assert!(languages.iter().all(|language| ["javascript", "rust"].contains(&&**language)), "{languages:?}");
}
