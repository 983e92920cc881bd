//! The configuration reader: `untimed.toml` becomes [`Settings`].
//!
//! In: the file's path. Out: settings with the values of the file in place of the defaults; every value knows where it was written.
//! What is wrong is refused with its line and column: unknown keys, wrong types, paths that lead nowhere. It does not read client
//! libraries: the text of `[[client]]` tables is handed on to the catalog's own loader. Flags are laid over it by [`crate::cli`].

mod clients;
mod declared;
mod find;
mod gate;
mod init;
mod keys;
mod paths;
mod section;
mod services;
mod show;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use toml::de::DeTable;

pub use find::{NAME, find, shown};
pub use init::{Found, template};
pub use keys::TABLES;
pub use show::show;
pub use source::ConfigError;

use crate::finding::{Rule, Severity, SiteKind};
use crate::limit::LimitKind;
use crate::settings::{ACCEPTED, Settings, full};
use section::{Item, Section};
use source::Source;

/// Reads a file into settings.
///
/// # Errors
///
/// A file that cannot be read, or the first thing in it that is wrong.
pub fn read(file: &Path, settings: &mut Settings) -> Result<(), ConfigError> {
    let text = std::fs::read_to_string(file).map_err(|error| ConfigError {
        file: shown(file),
        place: None,
        message: format!("cannot be read: {error}; expected a configuration file"),
    })?;
    let home = full(file).parent().map(Path::to_path_buf).unwrap_or_default();
    read_text(&text, &shown(file), &home, settings)
}

/// Reads a text as if it were the file of that name in a folder.
///
/// # Errors
///
/// The first thing in it that is wrong.
pub fn read_text(text: &str, name: &str, home: &Path, settings: &mut Settings) -> Result<(), ConfigError> {
    let source = Source::new(name, text);
    let document = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        source.error(&span, format!("no TOML: {}", error.message()))
    })?;
    let document = document.get_ref();
    let top = Section::open(&source, "", document, keys::FILE)?;
    settings.config = Some(name.to_owned());
    settings.home = Some(home.to_path_buf());
    what(&top, home, settings)?;
    if let Some(item) = top.get("policy") {
        policy(&item.section(keys::POLICY)?, settings)?;
    }
    if let Some(item) = top.get("rules") {
        settings.severities = severities(&item)?;
        item.section(&[])?.items().iter().for_each(|item| note(item, settings));
    }
    if let Some(item) = top.get("override") {
        settings.overrides = tables(&item, |item| declared::override_of(item, home))?;
        note(&item, settings);
    }
    if let Some(item) = top.get("client") {
        settings.clients = clients::clients(&source, document, &item)?;
        note(&item, settings);
    }
    if let Some(item) = top.get("wrapper") {
        settings.wrappers = tables(&item, |item| declared::wrapper(item, home))?;
        note(&item, settings);
    }
    if let Some(item) = top.get("limit") {
        settings.limits = tables(&item, |item| declared::limit(item, home))?;
        note(&item, settings);
    }
    if let Some(item) = top.get("services") {
        settings.services = services::services(&item, home)?;
        note(&item, settings);
    }
    if let Some(item) = top.get("gate") {
        settings.gate = gate::gate(&item, home, &settings.services)?;
        item.section(&[])?.items().iter().for_each(|item| note(item, settings));
    }
    Ok(())
}

/// Remembers where a value was written.
fn note(item: &Item<'_>, settings: &mut Settings) {
    settings.written.insert(item.key.clone(), item.source.written(&item.key_span));
}

fn tables<T>(item: &Item<'_>, read: impl Fn(&Item<'_>) -> Result<T, ConfigError>) -> Result<Vec<T>, ConfigError> {
    item.list(&format!("tables, each under its own `[[{}]]`", item.key))?.iter().map(read).collect()
}

/// What is looked at.
fn what(top: &Section<'_>, home: &Path, settings: &mut Settings) -> Result<(), ConfigError> {
    if let Some(item) = top.get("include") {
        settings.included = paths::globs(&item, home)?;
        note(&item, settings);
    }
    if let Some(item) = top.get("exclude") {
        settings.excluded = paths::globs(&item, home)?;
        note(&item, settings);
    }
    if let Some(item) = top.get("kinds") {
        settings.kinds = item.some_words(&kinds())?;
        note(&item, settings);
    }
    if let Some(item) = top.get("queries") {
        settings.queries = item.texts()?.iter().map(|item| paths::place(item, home)).collect::<Result<_, _>>()?;
        note(&item, settings);
    }
    if let Some(item) = top.get("max_size") {
        settings.max_size = item.whole(u64::MAX)?;
        note(&item, settings);
    }
    Ok(())
}

fn policy(section: &Section<'_>, settings: &mut Settings) -> Result<(), ConfigError> {
    for item in section.items() {
        match item.last() {
            "longest_default" => settings.longest_default = item.length()?,
            "accept" => settings.accepted = accepted(&item)?,
            "tests" => settings.tests = item.flag()?,
            "examples" => settings.examples = item.flag()?,
            "generated" => settings.generated = item.flag()?,
            "vendored" => settings.vendored = item.flag()?,
            _ => settings.ignored = item.flag()?,
        }
        note(&item, settings);
    }
    Ok(())
}

/// The kinds of limits that count; some kind must.
fn accepted(item: &Item<'_>) -> Result<Vec<LimitKind>, ConfigError> {
    let kinds = item.some_words(&ACCEPTED.map(|kind| (kind.word(), kind)))?;
    if kinds.is_empty() {
        Err(item.error(format!("`{}` is empty: expected some of total, idle, wait", item.key)))
    } else {
        Ok(kinds)
    }
}

fn kinds() -> Vec<(&'static str, SiteKind)> {
    SiteKind::ALL.map(|kind| (kind.word(), kind)).to_vec()
}

fn rules() -> Vec<(&'static str, Rule)> {
    Rule::ALL.map(|rule| (rule.id(), rule)).to_vec()
}

/// A table of rules and their weights.
fn severities(item: &Item<'_>) -> Result<BTreeMap<Rule, Severity>, ConfigError> {
    let known: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    let words = [("error", Severity::Error), ("warning", Severity::Warning), ("off", Severity::Off)];
    let mut severities = BTreeMap::new();
    for item in item.section(&known)?.items() {
        if let Some(rule) = Rule::from_id(item.last()) {
            severities.insert(rule, item.word(&words)?);
        }
    }
    Ok(severities)
}
