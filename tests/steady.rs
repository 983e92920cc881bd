//! What must not change a verdict: the number of threads, lines that say nothing, and the names of local variables.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

fn copy(from: &Path, to: &Path, change: fn(&str) -> String) {
    std::fs::create_dir_all(to).unwrap();
    let entries: Vec<PathBuf> = std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
    for entry in entries {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &target, change);
        } else if cases::is_read(&entry) {
            std::fs::write(&target, change(&std::fs::read_to_string(&entry).unwrap())).unwrap();
        } else {
            std::fs::copy(&entry, &target).unwrap();
        }
    }
}

/// A blank line and a comment at the top of every block.
fn spaced(text: &str) -> String {
    let mut spaced = String::from("// Nothing.\n\n");
    for line in text.lines() {
        spaced.push_str(line);
        spaced.push('\n');
        let code = line.split("//~").next().unwrap_or_default().trim_end();
        if code.ends_with('{') && !code.contains('`') && !code.contains('<') {
            spaced.push_str("\n  // Nothing.\n");
        }
    }
    spaced
}

#[test]
fn lines_that_say_nothing() {
    unchanged_by(spaced, |site| site.id.clone());
}

/// Local variables under other names, where a plain reading of the text is sure that each occurrence is the variable.
fn renamed(text: &str) -> String {
    let mut text = text.to_owned();
    for (at, name) in locals(&text).into_iter().enumerate() {
        if let Some(next) = rename(&text, &name, &format!("v{at}q")) {
            text = next;
        }
    }
    text
}

/// Names that an indented `const`, `let` or `var` declares.
fn locals(text: &str) -> BTreeSet<String> {
    let declared = text.lines().filter(|line| line.starts_with([' ', '\t'])).filter_map(|line| {
        let line = line.trim_start();
        let rest = ["const ", "let mut ", "let ", "var "].iter().find_map(|word| line.strip_prefix(word))?;
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        (name.len() > 1 && rest[name.len()..].trim_start().starts_with('=')).then_some(name)
    });
    declared.collect()
}

/// The text with a name replaced; `None` where an occurrence may be something else: a member, a key, a word of a text or note.
fn rename(text: &str, name: &str, new: &str) -> Option<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut last = 0;
    for (at, _) in text.match_indices(name) {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.chars().next_back().is_some_and(word) || after.chars().next().is_some_and(word) {
            continue;
        }
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let quotes = line.chars().filter(|c| matches!(c, '\'' | '"' | '`')).count();
        if line.contains("//") && !line.contains("://") || line.trim_start().starts_with("import") || line.contains("export ") {
            return None;
        }
        let (left, right) = (before.trim_end().chars().next_back(), after.trim_start().chars().next());
        let member = matches!(left, Some('.' | '#')) && !before.trim_end().ends_with("...");
        let key = right == Some(':') || matches!(left, Some('{' | ',')) && matches!(right, Some('}' | ','));
        let assigned_default = matches!(left, Some('{' | ',')) && right == Some('=');
        if member || key || assigned_default || quotes % 2 == 1 {
            return None;
        }
        out.push_str(&text[last..at]);
        out.push_str(new);
        last = at + name.len();
    }
    out.push_str(&text[last..]);
    Some(out)
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
