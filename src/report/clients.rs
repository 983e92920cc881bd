//! The catalog as people and programs read it.
//!
//! In: [`Client`]s, plain data that the conductor makes of the catalog. Out: text.

mod entry;

use serde::Serialize;

pub use entry::entry;

use super::table::{Side, table};

/// What the catalog knows about one client library.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Client {
    /// Its name in reports.
    pub client: String,
    /// The language family.
    pub language: &'static str,
    /// What its calls reach; `None` for helpers that send nothing themselves.
    pub kind: Option<&'static str>,
    /// The packages that are this library.
    pub packages: Vec<String>,
    /// Names that need no import.
    pub globals: Vec<String>,
    /// The words that make a file worth parsing.
    #[serde(skip)]
    pub words: Vec<String>,
    /// 1: first of its field; 2: common; 3: seen.
    pub priority: u8,
    /// The file that says it.
    pub file: String,
    /// Where its claims were read or measured.
    pub source: String,
    /// What a person should know.
    pub note: Option<String>,
    /// Where to write a limit, as a sentence.
    pub fix: Option<String>,
    /// Outbound calls.
    pub sends: Vec<Claim>,
    /// Where limits go.
    pub limits: Vec<Claim>,
    /// Limits that are there when nothing is set.
    pub defaults: Vec<Claim>,
    /// What looks like a limit and does nothing.
    pub ignored: Vec<Claim>,
    /// Retries that it makes itself.
    pub retries: Vec<Claim>,
    /// Calls that enclose work.
    pub scopes: Vec<Claim>,
}

/// One thing that the catalog says.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Claim {
    /// The key or the call.
    pub what: String,
    /// What it does.
    pub means: String,
    /// In short, for the table.
    pub short: String,
    /// The versions for which it holds; all if `None`.
    pub versions: Option<String>,
    /// What a person should know.
    pub note: Option<String>,
    /// Where it was read or measured.
    pub source: Option<String>,
}

/// How many characters a cell that lists names takes at most.
const WIDEST: usize = 36;

/// The words that make a file worth parsing, each once, one a line.
pub fn words(clients: &[Client]) -> String {
    let words: std::collections::BTreeSet<&str> = clients.iter().flat_map(|client| &client.words).map(String::as_str).collect();
    words.into_iter().map(|word| format!("{word}\n")).collect()
}

/// All clients, one a line.
pub fn list(clients: &[Client]) -> String {
    let columns = [
        ("client", Side::Left),
        ("language", Side::Left),
        ("kind", Side::Left),
        ("priority", Side::Right),
        ("default limit", Side::Left),
        ("where limits go", Side::Left),
        ("packages", Side::Left),
    ];
    let rows: Vec<Vec<String>> = clients
        .iter()
        .map(|client| {
            vec![
                client.client.clone(),
                client.language.to_owned(),
                client.kind.unwrap_or("–").to_owned(),
                client.priority.to_string(),
                some_of(&client.defaults),
                some_of(if client.limits.is_empty() { &client.scopes } else { &client.limits }),
                names(&client.packages, &client.globals),
            ]
        })
        .collect();
    table(&columns, &rows)
}

/// The first claims in short, each once.
fn some_of(claims: &[Claim]) -> String {
    let mut short: Vec<&str> = Vec::new();
    for claim in claims {
        if !short.contains(&claim.short.as_str()) {
            short.push(&claim.short);
        }
    }
    folded(&short)
}

fn folded(names: &[&str]) -> String {
    let Some((first, others)) = names.split_first() else { return "–".to_owned() };
    let mut cell = (*first).to_owned();
    if cell.chars().count() > WIDEST {
        cell = cell.chars().take(WIDEST - 1).chain(['…']).collect();
    }
    for (at, name) in others.iter().enumerate() {
        if cell.chars().count() + name.chars().count() + 2 > WIDEST {
            return format!("{cell}, +{}", others.len() - at);
        }
        cell = format!("{cell}, {name}");
    }
    cell
}

fn names(packages: &[String], globals: &[String]) -> String {
    let names: Vec<&str> = if packages.is_empty() { globals } else { packages }.iter().map(String::as_str).collect();
    folded(&names)
}

/// All clients, for programs.
pub fn json(clients: &[Client]) -> String {
    let document = serde_json::json!({"schema_version": super::json::SCHEMA_VERSION, "clients": clients});
    super::json::pretty(&document)
}
