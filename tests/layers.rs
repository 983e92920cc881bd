//! Which module may know which: the picture of the house, read against the `crate::…` paths of every file under `src/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each room and the rooms that it may name. Down only, never sideways; a room may always name itself.
///
/// Where this differs from the first picture:
/// - `settings` names `finding`: the kinds of sites that a user selects are the words of the report, and are not said twice.
/// - what a language knows about modules (which file an import means, which version a package has) stands behind `facts::Modules`, so
///   that `link` asks it without naming a language.
/// - `cli` names `budget`: `untimed budget` computes from a chain file and scans nothing, so that no conductor stands between.
/// - `near` and `config` are rooms of their own: a misspelled name is met in the configuration, in library files, in comments and on the
///   command line; the configuration reader fills settings and knows nothing of catalogs, whose texts it hands on.
/// - `history` reads trees of a git repository and knows nothing of what their files mean; `scan` names `config`, since the limits that an
///   earlier tree declares stand in that tree's own file.
/// - `conf` writes down `facts::deployment`, as `lang` writes down facts of code; `chain` joins them with finished sites and asks about files
///   through `chain::Code`, so that it knows neither readers nor the linker.
/// - `lang/json` lowers JSON modules for every language that imports them; it is no language of its own.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("span", &[]),
    ("limit", &[]),
    ("facts", &["span"]),
    ("finding", &["span", "limit"]),
    ("budget", &["limit"]),
    ("near", &[]),
    ("settings", &["span", "limit", "finding"]),
    ("config", &["span", "limit", "near", "finding", "settings"]),
    ("lang", &["facts", "span"]),
    ("conf", &["facts", "span"]),
    ("catalog", &["near", "span", "limit", "facts", "finding", "budget", "settings"]),
    ("walk", &["span", "limit", "facts", "finding", "budget", "settings"]),
    ("history", &["near", "settings"]),
    ("report", &["finding", "span", "limit", "budget", "settings"]),
    ("gate", &["near", "finding", "span", "limit", "budget", "settings"]),
    ("link", &["span", "limit", "facts", "finding", "budget", "settings", "catalog"]),
    ("judge", &["span", "limit", "facts", "finding", "budget", "settings", "catalog", "link"]),
    ("chain", &["limit", "facts", "finding", "budget", "settings"]),
    (
        "scan",
        &[
            "span", "limit", "facts", "finding", "budget", "settings", "config", "lang", "conf", "catalog", "walk", "history",
            "report", "gate", "link", "judge", "chain",
        ],
    ),
    ("cli", &["scan", "settings", "config", "report", "finding", "limit", "budget", "near"]),
    ("main", &["cli", "scan", "settings", "report"]),
];

/// Rooms that know no language and no library by name.
const NAMELESS: [&str; 2] = ["link", "judge"];

/// Names of libraries that are words of every program too.
const ORDINARY: &[&str] = &[
    "again", "async", "backoff", "bent", "centra", "chrono", "curl", "diesel", "fetch", "futures", "got", "language", "ms",
    "needle", "phin", "pool", "postgres", "redis", "request", "retry", "runtimes", "std", "time", "tower", "ws",
];

/// A file of the crate.
struct Source {
    /// Its path below `src/`.
    name: String,
    /// The modules on the way to it: `["link", "value"]`.
    modules: Vec<String>,
    /// Its text without comments, string literals kept.
    code: String,
}

impl Source {
    fn room(&self) -> &str {
        self.modules.first().map_or("lib", String::as_str)
    }
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(&source_folder(), &mut files);
    files.sort();
    files.iter().map(|path| source(path)).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

fn source(path: &Path) -> Source {
    let below = path.strip_prefix(source_folder()).unwrap().with_extension("");
    let mut modules: Vec<String> = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if modules.last().is_some_and(|last| last == "mod" || last == "lib") {
        modules.pop();
    }
    Source {
        name: path.strip_prefix(source_folder()).unwrap().to_string_lossy().replace('\\', "/"),
        modules,
        code: without_comments(&std::fs::read_to_string(path).unwrap()),
    }
}

/// The text with comments blanked out.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if next == '"' {
            let end = end_of_text(rest);
            code.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            let end = if rest.starts_with("'\\") { 4 } else { 3 };
            rest = &rest[end..];
        } else {
            code.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    code
}

/// Where a string literal ends.
fn end_of_text(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The first names of all paths that begin at the crate's root: `crate::x`, `crate::{x, y::z}`, and `super::…::x` that climbs so far.
fn rooms_named(source: &Source) -> Vec<(String, String)> {
    let mut named = Vec::new();
    let mut roots = vec!["crate::".to_owned()];
    if source.room() == "main" {
        roots.push("untimed::".to_owned());
    }
    if source.modules.len() > 1 {
        roots.push("super::".repeat(source.modules.len()));
    }
    for root in roots {
        for (at, _) in source.code.match_indices(&root) {
            let before = source.code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            named.extend(first_names(&source.code[at + root.len()..]));
        }
    }
    named
}

/// The first one or two names of a path, or of each path of a group.
fn first_names(rest: &str) -> Vec<(String, String)> {
    let Some(group) = rest.strip_prefix('{') else { return vec![two_names(rest)] };
    let mut depth = 0;
    let mut paths = vec![String::new()];
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => paths.push(String::new()),
            _ => {}
        }
        if let Some(path) = paths.last_mut().filter(|path| !(c.is_whitespace() || path.is_empty() && c == ',')) {
            path.push(c);
        }
    }
    paths.iter().filter(|path| !path.is_empty()).map(|path| two_names(path)).collect()
}

fn two_names(path: &str) -> (String, String) {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let first = name(path);
    let second = path[first.len()..].strip_prefix("::").map(name).unwrap_or_default();
    (first, second)
}

/// The modules that the crate declares.
fn rooms() -> BTreeSet<String> {
    let lib = without_comments(&std::fs::read_to_string(source_folder().join("lib.rs")).unwrap());
    lib.lines().filter_map(|line| Some(line.trim().strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned())).collect()
}

#[test]
fn every_room_has_its_floor() {
    let unknown: Vec<String> = rooms().into_iter().filter(|room| !MAY_NAME.iter().any(|(known, _)| known == room)).collect();
    assert!(unknown.is_empty(), "say in tests/layers.rs what these modules may name: {}", unknown.join(", "));
}

#[test]
fn no_room_names_one_above_or_beside_it() {
    let rooms = rooms();
    let mut breaches = BTreeSet::new();
    for source in sources() {
        let room = source.room();
        let Some((_, allowed)) = MAY_NAME.iter().find(|(known, _)| *known == room) else { continue };
        for (first, second) in rooms_named(&source) {
            if first != room && rooms.contains(&first) && !allowed.contains(&&*first) {
                breaches.insert(format!("src/{} names `crate::{first}`, which `{room}` may not know.", source.name));
            }
            let own_language = source.modules.get(1);
            let is_language = source_folder().join("lang").join(&second).is_dir() && !second.is_empty();
            if room == "lang" && first == "lang" && own_language.is_some() && is_language && own_language != Some(&second) {
                breaches.insert(format!("src/{} names `crate::lang::{second}`: a language may not know another.", source.name));
            }
        }
    }
    assert!(breaches.is_empty(), "{} breaches:\n{}", breaches.len(), breaches.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_engine_knows_no_language_and_no_library_by_name() {
    let mut names: BTreeSet<String> = ["javascript", "typescript", "rust", "nodejs", "npm", "cargo"].map(str::to_owned).into();
    for language in std::fs::read_dir(source_folder().with_file_name("queries")).unwrap() {
        let language = language.unwrap().path();
        for file in std::fs::read_dir(&language).into_iter().flatten() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|ending| ending == "toml") {
                names.insert(file.file_stem().unwrap().to_string_lossy().to_lowercase());
            }
        }
    }
    names.retain(|name| !ORDINARY.contains(&&**name));
    let mut breaches = BTreeSet::new();
    for source in sources().into_iter().filter(|source| NAMELESS.contains(&source.room())) {
        for word in source.code.split(|c: char| !(c.is_alphanumeric() || c == '-')) {
            if names.contains(&word.to_lowercase()) {
                breaches.insert(format!(
                    "src/{} says `{word}`: what is true of one language or library belongs to lang/ or queries/.",
                    source.name
                ));
            }
        }
    }
    assert!(breaches.is_empty(), "{} breaches:\n{}", breaches.len(), breaches.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn paths_are_read() {
    let source = |modules: &[&str], code: &str| Source {
        name: String::new(),
        modules: modules.iter().map(|m| (*m).to_owned()).collect(),
        code: without_comments(code),
    };
    let firsts = |source: Source| rooms_named(&source).into_iter().map(|(first, _)| first).collect::<Vec<_>>();
    let code = "use crate::{facts::{A, B}, span::C};\n// crate::judge\nfn f() { crate::limit::x(\"//\"); mycrate::walk() }";
    assert_eq!(firsts(source(&["link", "value"], code)), ["facts", "span", "limit"]);
    assert_eq!(firsts(source(&["link", "value"], "use super::super::judge::X; use super::y;")), ["judge"]);
}
