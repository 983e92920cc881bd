//! The `[gate]` table.
//!
//! In: the table, and the services that floors may name. Out: [`Gate`].

use std::path::Path;

use super::section::{Item, Section};
use super::source::ConfigError;
use super::{keys, kinds, paths, rules, tables};
use crate::near::expected;
use crate::settings::{Floor, Gate, Globs, Service};

/// Reads the table.
pub(super) fn gate(item: &Item<'_>, home: &Path, services: &[Service]) -> Result<Gate, ConfigError> {
    let section = item.section(keys::GATE)?;
    let mut gate = Gate::default();
    for item in section.items() {
        match item.last() {
            "baseline" => gate.baseline = Some(home.join(item.words()?)),
            "strict" => gate.strict = item.flag()?,
            "fail_on" => gate.fail_on = Some(item.some_words(&rules())?),
            "floor" => gate.floors.extend(tables(&item, |item| floor(item, home, services))?),
            _ => {}
        }
    }
    if let Some(all) = thresholds(&section, Floor::default())? {
        gate.floors.insert(0, all);
    }
    Ok(gate)
}

/// The thresholds of a table, if it has some.
fn thresholds(section: &Section<'_>, floor: Floor) -> Result<Option<Floor>, ConfigError> {
    let coverage = section.get("min_coverage");
    let uncovered = section.get("max_uncovered");
    let Some(first) = coverage.as_ref().or(uncovered.as_ref()) else { return Ok(None) };
    Ok(Some(Floor {
        written: first.source.written(&first.key_span),
        min_coverage: coverage.as_ref().map(Item::percent).transpose()?,
        max_uncovered: uncovered.as_ref().map(|item| item.whole(u64::from(u32::MAX)).map(|most| most as u32)).transpose()?,
        ..floor
    }))
}

/// A floor under a part of the calls.
fn floor(item: &Item<'_>, home: &Path, services: &[Service]) -> Result<Floor, ConfigError> {
    let section = item.section(keys::FLOOR)?;
    let mut named = Vec::new();
    for item in section.get("services").map_or_else(|| Ok(Vec::new()), |item| item.texts())? {
        let name = item.words()?;
        if !services.iter().any(|service| service.name == name) {
            let known: Vec<&str> = services.iter().map(|service| service.name.as_str()).collect();
            return Err(item.error(format!("`{name}` is no service of this file: {}", expected(name, &known))));
        }
        named.push(name.to_owned());
    }
    let part = Floor {
        paths: section.get("paths").map_or_else(|| Ok(Globs::default()), |item| paths::globs(&item, home))?,
        kinds: section.get("kinds").map_or_else(|| Ok(Vec::new()), |item| item.some_words(&kinds()))?,
        services: named,
        ..Floor::default()
    };
    thresholds(&section, part)?
        .ok_or_else(|| item.error("a floor without a threshold: expected `min_coverage` or `max_uncovered`".to_owned()))
}
