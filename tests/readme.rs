//! What the pages say of the repository is so: the support table is what `queries/` says, the table of gaps is what `fixtures/` say, and
//! every link leads somewhere.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

mod cases;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use untimed::report::clients::Client;
use untimed::scan;
use untimed::settings::Settings;

const BEGIN: &str = "<!-- support table: made from queries/ -->\n";
const END: &str = "<!-- end of the support table -->";

/// One row for each kind, one column for each language; the most important clients first.
fn table() -> String {
    let clients = scan::clients(&scan::catalog(&Settings::default()).unwrap());
    let mut cells: BTreeMap<(usize, &str), Vec<(u8, String)>> = BTreeMap::new();
    for client in &clients {
        let names = cells.entry((row(client), client.language)).or_default();
        // What a language brings along itself is no library.
        if client.client != client.language && !names.iter().any(|(_, name)| *name == client.client) {
            names.push((client.priority, client.client.clone()));
        }
    }
    let mut text = String::from("| reaches | JavaScript, TypeScript | Rust |\n|---|---|---|\n");
    for (at, kind) in ROWS.iter().enumerate() {
        let cell = |language| {
            let mut names = cells.get(&(at, language)).cloned().unwrap_or_default();
            names.sort();
            names.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(", ")
        };
        let _ = writeln!(text, "| {kind} | {} | {} |", cell("javascript"), cell("rust"));
    }
    text
}

const ROWS: [&str; 8] = ["http", "rpc", "socket", "database", "cache", "queue", "mail", "(limits and retries around calls)"];

fn row(client: &Client) -> usize {
    ROWS.iter().position(|row| Some(*row) == client.kind).unwrap_or(ROWS.len() - 1)
}

/// What stands between two marks of a page.
#[track_caller]
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(begin).unwrap();
    rest.split_once(end).unwrap().0
}

#[test]
fn the_support_table_is_up_to_date() {
    let written = between(include_str!("../README.md"), BEGIN, END);
    let right = table();
    assert!(written == right, "README.md has another support table than queries/ makes. The right one is:\n\n{right}");
}

const GAPS_BEGIN: &str = "<!-- gaps: made from fixtures/ -->\n";
const GAPS_END: &str = "<!-- end of the gaps -->";

/// One row for each file with a note that begins with `MISSING:` or `SPURIOUS:`.
fn gaps() -> String {
    let mut text = String::from("| annotated code | true and not said | said and not true |\n|---|---|---|\n");
    for case in cases::all() {
        for file in case.files() {
            let code = std::fs::read_to_string(&file).unwrap();
            let count = |word: &str| code.matches(word).count();
            let (missing, spurious) = (count("MISSING:"), count("SPURIOUS:"));
            if missing + spurious > 0 {
                let name = cases::shown(&file);
                let _ = writeln!(text, "| [{name}](../{name}) | {missing} | {spurious} |");
            }
        }
    }
    text
}

#[test]
fn the_table_of_gaps_is_up_to_date() {
    let written = between(include_str!("../docs/cannot-see.md"), GAPS_BEGIN, GAPS_END);
    let right = gaps();
    assert!(written == right, "docs/cannot-see.md has other gaps than fixtures/ say. The right table is:\n\n{right}");
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut found = vec![cases::root().join("README.md"), cases::root().join("CHANGELOG.md")];
    pages(&cases::root().join("docs"), &mut found);
    let mut broken = Vec::new();
    for page in &found {
        let text = std::fs::read_to_string(page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let target = page.parent().unwrap().join(file);
            if !file.is_empty() && !link.contains("://") && !file.contains(' ') && !target.exists() {
                broken.push(format!("{}: {link}", cases::shown(page)));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(found.len() > 20, "only {} pages", found.len());
}
