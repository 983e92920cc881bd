//! The support table of README.md is what `queries/` says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

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

#[test]
fn the_support_table_is_up_to_date() {
    let readme = include_str!("../README.md");
    let from = readme.find(BEGIN).map(|at| at + BEGIN.len()).unwrap();
    let to = from + readme[from..].find(END).unwrap();
    let right = table();
    if readme[from..to] != right {
        panic!("README.md has another support table than queries/ makes. The right one is:\n\n{right}");
    }
}
