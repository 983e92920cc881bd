//! What must not change a verdict: the number of threads, lines that say nothing, and the names of local variables.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases;
#[path = "cases/changes.rs"]
mod changes;

use std::collections::BTreeSet;
use std::path::Path;

use changes::{copy, renamed, spaced};
use untimed::catalog::Catalog;
use untimed::finding::{Outcome, Site};

fn audit(base: &Path, root: &Path, catalog: &Catalog, threads: usize) -> Outcome {
    let settings = cases::everything(base, vec![root.to_path_buf()], threads);
    untimed::scan::audit(&settings, catalog).unwrap_or_else(|error| panic!("{}: {error}", root.display()))
}

#[test]
fn threads() {
    let (catalog, root) = (cases::catalog(), cases::root());
    let of = |threads| untimed::report::json::audit(&audit(&root, &root.join("fixtures"), &catalog, threads));
    let one = of(1);
    let four = of(4);
    let line = one.lines().zip(four.lines()).position(|(a, b)| a != b);
    assert!(one == four, "1 thread and 4 threads differ, first in line {:?}", line.map(|line| line + 1));
}

/// Copies `fixtures/` with every file changed, and audits each case in both. `mark` is what a site must keep beside its verdict.
fn unchanged_by(change: fn(&str) -> String, mark: fn(&Site) -> String) {
    let catalog = cases::catalog();
    let (before, after) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(&cases::root().join("fixtures"), &before.path().join("fixtures"), str::to_owned);
    copy(&cases::root().join("fixtures"), &after.path().join("fixtures"), change);
    let differences = cases::each(&cases::all(), |case| {
        let of = |base: &Path| {
            let outcome = audit(base, &base.join(case.name()), &catalog, 1);
            let said = outcome.sites.iter().map(|site| format!("{}:{} {site}", site.at.file, mark(site)));
            said.collect::<BTreeSet<String>>()
        };
        let (before, after) = (of(before.path()), of(after.path()));
        let lost = before.difference(&after).map(|site| format!("no longer said: {site}"));
        let new = after.difference(&before).map(|site| format!("said instead:   {site}"));
        lost.chain(new).collect::<Vec<_>>()
    })
    .concat();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn lines_that_say_nothing() {
    unchanged_by(spaced, |site| site.id.clone());
}

#[test]
fn names_of_local_variables() {
    unchanged_by(renamed, |site| site.name_line.to_string());
}

#[test]
fn names_are_replaced_where_that_is_sure() {
    assert_eq!(renamed("  const api = make();\n  api.get(1);\n"), "  const v0q = make();\n  v0q.get(1);\n");
    let unsure = "  const timeout = 5;\n  get({ timeout });\n";
    assert_eq!(renamed(unsure), unsure);
    let member = "  const api = make();\n  this.api = api;\n";
    assert_eq!(renamed(member), member);
}
