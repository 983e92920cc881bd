//! The catalog as plain data for reports.
//!
//! In: the [`Catalog`]. Out: [`Client`]s, sorted by language and name. Nothing is left out but how values are computed.

use crate::catalog::schema::{At, Counts};
use crate::catalog::{Catalog, Library};
use crate::limit::{LimitKind, Millis};
use crate::report::clients::{Claim, Client};

/// All libraries of the catalog that send, limit or repeat calls.
pub fn clients(catalog: &Catalog) -> Vec<Client> {
    let mut clients: Vec<Client> = catalog.libraries().iter().map(client).filter(matters).collect();
    clients.sort_by(|a, b| (a.language, &a.client, &a.file).cmp(&(b.language, &b.client, &b.file)));
    clients
}

/// Whether it is more than a helper that computes values.
fn matters(client: &Client) -> bool {
    !(client.sends.is_empty() && client.limits.is_empty() && client.scopes.is_empty() && client.retries.is_empty())
}

fn client(library: &Library) -> Client {
    Client {
        client: library.client.to_string(),
        language: library.family,
        kind: (!library.sends.is_empty()).then(|| library.kind.word()),
        packages: library.packages.iter().map(ToString::to_string).collect(),
        globals: library.globals.iter().map(|(name, _)| name.to_string()).collect(),
        words: library.triggers(),
        priority: library.priority,
        file: library.path.to_string(),
        source: library.source.to_string(),
        note: library.note.as_deref().map(str::to_owned),
        fix: library.fix.as_deref().map(|fix| fix.replace("{call}", "…")),
        sends: sends(library),
        limits: keys(library).chain(arguments(library)).chain(steps(library)).collect(),
        defaults: defaults(library),
        ignored: ignored(library),
        retries: retries(library),
        scopes: scopes(library),
    }
}

fn on(object: &str) -> String {
    if object == "module" { String::new() } else { format!("{object}: ") }
}

fn sends(library: &Library) -> Vec<Claim> {
    let claim = |table: &crate::catalog::schema::SendTable| Claim {
        what: format!("{}{}", on(&table.on), table.call.join(", ")),
        short: table.on.clone(),
        versions: table.versions.clone(),
        source: table.source.clone(),
        ..Claim::default()
    };
    library.sends.iter().map(|send| claim(&send.table)).collect()
}

fn keys(library: &Library) -> impl Iterator<Item = Claim> {
    library.limits.iter().map(|limit| {
        let table = &limit.table;
        let places: Vec<&str> = table.at.iter().map(place).collect();
        Claim {
            what: format!("`{}`", table.key),
            means: format!("{}, {}", ends(table.kind, table.when_read), places.join(" or ")),
            short: table.key.clone(),
            versions: table.versions.clone(),
            note: table.note.clone(),
            source: table.source.clone(),
        }
    })
}

const fn place(at: &At) -> &'static str {
    match at {
        At::Send => "in the options of the call",
        At::Make => "where the object is made",
        At::Step => "in the options of a step",
        At::Scope => "in the options of the enclosing call",
        At::Write => "written to the object",
    }
}

/// Outbound calls with an argument that limits them.
fn arguments(library: &Library) -> impl Iterator<Item = Claim> {
    library.sends.iter().filter_map(|send| Some((&send.table, send.table.limit?))).map(|(table, kind)| Claim {
        what: format!("{}`{}`", on(&table.on), table.call.join("`, `")),
        means: format!("{kind}, as an argument"),
        short: names(&table.call),
        versions: table.versions.clone(),
        note: None,
        source: table.source.clone(),
    })
}

fn steps(library: &Library) -> impl Iterator<Item = Claim> {
    let limiting = library.steps.iter().filter_map(|step| Some((step, step.table.kind?)));
    limiting.filter(|(step, _)| step.table.ignored.is_none()).map(|(step, kind)| Claim {
        what: format!("`{}`", step.table.call.join("`, `")),
        means: format!("{}, called on {}", ends(kind, step.table.when_read), step.table.on),
        short: names(&step.table.call),
        versions: step.table.versions.clone(),
        note: step.table.note.clone(),
        source: step.table.source.clone(),
    })
}

fn ends(kind: LimitKind, when_read: Option<LimitKind>) -> String {
    when_read.map_or_else(|| kind.to_string(), |read| format!("{kind}, {read} where the body is read with the call"))
}

fn defaults(library: &Library) -> Vec<Claim> {
    let claim = |table: &crate::catalog::schema::DefaultTable| {
        let wait = Millis::from_millis(table.ms);
        Claim {
            what: format!("`{}`", table.key),
            means: format!("{wait}, {}", ends(table.kind, table.when_read)),
            short: format!("{wait} {}", table.kind),
            versions: table.versions.clone(),
            source: table.source.clone(),
            note: None,
        }
    };
    library.defaults.iter().map(|default| claim(&default.table)).collect()
}

fn ignored(library: &Library) -> Vec<Claim> {
    let keys = library.ignored.iter().filter_map(|ignored| {
        let table = &ignored.table;
        Some(Claim {
            what: format!("`{}`", table.key),
            means: table.why.clone()?,
            short: table.key.clone(),
            versions: table.versions.clone(),
            source: table.source.clone(),
            note: None,
        })
    });
    let steps = library.steps.iter().filter_map(|step| {
        let table = &step.table;
        Some(Claim {
            what: format!("`{}`", table.call.join("`, `")),
            means: table.ignored.clone()?,
            short: table.on.clone(),
            versions: table.versions.clone(),
            source: table.source.clone(),
            note: table.note.clone(),
        })
    });
    keys.chain(steps).collect()
}

fn retries(library: &Library) -> Vec<Claim> {
    let claim = |table: &crate::catalog::schema::RetryTable| {
        let counts = if table.counts == Counts::Tries { "all tries" } else { "extra tries" };
        let keys = if table.keys.is_empty() { "always".to_owned() } else { format!("`{}`", table.keys.join("`, `")) };
        let on_timeout = if table.on_timeout { "" } else { ", not after a timeout" };
        Claim {
            what: keys,
            means: format!("{counts}, {} unless set{on_timeout}", table.default),
            short: table.default.to_string(),
            versions: table.versions.clone(),
            source: table.source.clone(),
            note: None,
        }
    };
    library.retries.iter().map(|retry| claim(&retry.table)).collect()
}

fn scopes(library: &Library) -> Vec<Claim> {
    let claim = |table: &crate::catalog::schema::ScopeTable| {
        let limit = table.kind.map_or_else(String::new, |kind| format!("a {kind} limit"));
        let repeats = if table.retries { "repeats the work" } else { "" };
        let means = [limit.as_str(), repeats].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        Claim {
            what: format!("{}`{}`", on(&table.on), table.call.join("`, `")),
            means,
            short: names(&table.call),
            versions: table.versions.clone(),
            source: table.source.clone(),
            note: table.note.clone(),
        }
    };
    library.scopes.iter().map(|scope| claim(&scope.table)).collect()
}

/// What shapes are called, without their arguments, each name once.
fn names(shapes: &[String]) -> String {
    let mut names: Vec<String> = Vec::new();
    for shape in shapes {
        let name = shape.split('(').next().unwrap_or(shape).trim_start_matches("**.").to_owned() + "()";
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}
