//! The audit as a table: one row for each named path, client, wrapper, kind or directory.
//!
//! In: an [`Outcome`]. Out: rows, and their text. Rows of paths come in the order in which they were named, all others sorted by what is
//! not covered, the most first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::clean;
use super::figures::{Figures, figures};
use super::table::{Side, table as draw};
use crate::finding::{Outcome, Site};
use crate::limit::Millis;

/// How many values a row names at most.
const MOST_VALUES: usize = 6;

/// What the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// The paths named on the command line.
    Path,
    /// Client libraries.
    Client,
    /// Wrappers.
    Wrapper,
    /// Kinds of dependency.
    Kind,
    /// Folders that hold files with sites.
    Directory,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Path, Self::Client, Self::Wrapper, Self::Kind, Self::Directory];

    /// The word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Client => "client",
            Self::Wrapper => "wrapper",
            Self::Kind => "kind",
            Self::Directory => "directory",
        }
    }

    /// The row of a site.
    fn key(self, site: &Site) -> String {
        match self {
            Self::Path => String::new(),
            Self::Client => site.client.clone(),
            Self::Wrapper => site.wrapper.clone().unwrap_or_else(|| "(no wrapper)".to_owned()),
            Self::Kind => site.kind.word().to_owned(),
            Self::Directory => folder(&site.at.file).to_owned(),
        }
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Row {
    /// What the row is about.
    pub name: String,
    /// For paths and directories: the files that take part; else: the files that hold the sites.
    pub files: usize,
    /// What is counted.
    #[serde(flatten)]
    pub figures: Figures,
}

/// The rows of an audit.
pub(super) fn rows(outcome: &Outcome, grouping: Grouping, roots: &[(String, String)]) -> Vec<Row> {
    if grouping == Grouping::Path {
        return roots.iter().map(|(named, shown)| path_row(outcome, named, shown)).collect();
    }
    let mut groups: BTreeMap<String, Vec<&Site>> = BTreeMap::new();
    for site in &outcome.sites {
        groups.entry(grouping.key(site)).or_default().push(site);
    }
    let mut rows: Vec<Row> = groups
        .into_iter()
        .map(|(name, sites)| {
            let holders: BTreeSet<&Arc<str>> = sites.iter().map(|site| &site.at.file).collect();
            let files = match grouping {
                Grouping::Directory => outcome.files.iter().filter(|file| folder(file) == name).count(),
                _ => holders.len(),
            };
            Row { name, files, figures: figures(sites.iter().copied()) }
        })
        .collect();
    let open = |row: &Row| row.figures.call_sites - row.figures.covered;
    rows.sort_by(|a, b| (open(b), b.figures.call_sites).cmp(&(open(a), a.figures.call_sites)).then_with(|| a.name.cmp(&b.name)));
    rows
}

fn path_row(outcome: &Outcome, named: &str, shown: &str) -> Row {
    let below = |file: &str| {
        matches!(shown, "" | ".") || file == shown || file.strip_prefix(shown).is_some_and(|rest| rest.starts_with('/'))
    };
    let sites = outcome.sites.iter().filter(|site| below(&site.at.file));
    let files = outcome.files.iter().filter(|file| below(file)).count();
    Row { name: named.to_owned(), files, figures: figures(sites) }
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

/// The rows for people.
pub(super) fn table(grouping: Grouping, rows: &[Row]) -> String {
    let columns = [
        (grouping.word(), Side::Left),
        ("files", Side::Right),
        ("call sites", Side::Right),
        ("covered", Side::Right),
        ("partial", Side::Right),
        ("uncovered", Side::Right),
        ("unknown", Side::Right),
        ("places with a limit", Side::Right),
        ("values (ms)", Side::Left),
        ("overrides", Side::Right),
    ];
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let figures = &row.figures;
            vec![
                clean(&row.name).into_owned(),
                row.files.to_string(),
                figures.call_sites.to_string(),
                figures.covered.to_string(),
                figures.partial.to_string(),
                figures.uncovered.to_string(),
                figures.unknown.to_string(),
                figures.places.to_string(),
                values(&figures.values),
                figures.overrides.to_string(),
            ]
        })
        .collect();
    draw(&columns, &cells)
}

/// Distinct lengths in milliseconds, the shortest first.
fn values(values: &[Millis]) -> String {
    let mut shown: Vec<String> = values.iter().take(MOST_VALUES).map(|value| value.as_millis_f64().to_string()).collect();
    if values.is_empty() {
        shown.push("–".to_owned());
    }
    if values.len() > MOST_VALUES {
        shown.push(format!("+{}", values.len() - MOST_VALUES));
    }
    shown.join(", ")
}

/// The rows for programs.
pub(super) fn json(grouping: Grouping, rows: &[Row]) -> String {
    let document = json!({"schema_version": super::json::SCHEMA_VERSION, "by": grouping.word(), "rows": rows});
    super::json::pretty(&document)
}

/// The rows for programs that read line by line.
pub(super) fn jsonl(rows: &[Row]) -> String {
    rows.iter().map(|row| serde_json::to_string(row).unwrap_or_default() + "\n").collect()
}
