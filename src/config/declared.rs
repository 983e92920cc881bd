//! `[[override]]`, `[[wrapper]]` and `[[limit]]` tables.
//!
//! In: one table each. Out: what it declares.

use std::path::Path;

use super::section::{Item, Section};
use super::source::ConfigError;
use super::{keys, kinds, paths, severities};
use crate::limit::LimitKind;
use crate::settings::{ACCEPTED, DeclaredLimit, DeclaredWrapper, Globs, Override};

fn globs(section: &Section<'_>, home: &Path) -> Result<Globs, ConfigError> {
    section.get("paths").map_or_else(|| Ok(Globs::default()), |item| paths::globs(&item, home))
}

/// Other rules for some paths.
pub(super) fn override_of(item: &Item<'_>, home: &Path) -> Result<Override, ConfigError> {
    let section = item.section(keys::OVERRIDE)?;
    section.need("paths", &item.span, "the paths where it holds, for example `paths = [\"legacy/**\"]`")?;
    Ok(Override {
        paths: globs(&section, home)?,
        severities: severities(&section.need(
            "rules",
            &item.span,
            "rules, for example `rules = { partial-limit = \"off\" }`",
        )?)?,
    })
}

/// Whether a function is a wrapper.
pub(super) fn wrapper(item: &Item<'_>, home: &Path) -> Result<DeclaredWrapper, ConfigError> {
    let section = item.section(keys::WRAPPER)?;
    let function = section.need("function", &item.span, "the name of a function, or `Class.name`")?;
    Ok(DeclaredWrapper {
        function: function.words()?.to_owned(),
        paths: globs(&section, home)?,
        is_wrapper: section.get("wrapper").map_or(Ok(true), |item| item.flag())?,
        at: item.source.region(&item.span),
    })
}

/// A limit that the code does not show.
pub(super) fn limit(item: &Item<'_>, home: &Path) -> Result<DeclaredLimit, ConfigError> {
    let section = item.section(keys::LIMIT)?;
    let texts = |key| -> Result<Vec<String>, ConfigError> {
        let items = section.get(key).map_or_else(|| Ok(Vec::new()), |item| item.texts())?;
        items.iter().map(|item| item.words().map(str::to_owned)).collect()
    };
    let wait = section.need("wait", &item.span, "how long it lets a call wait, for example `wait = \"3s\"`")?;
    let reason = section.need("reason", &item.span, "who ends the calls, for example `reason = \"the sidecar ends them\"`")?;
    Ok(DeclaredLimit {
        paths: globs(&section, home)?,
        kinds: section.get("kinds").map_or_else(|| Ok(Vec::new()), |item| item.some_words(&kinds()))?,
        clients: texts("clients")?,
        hosts: texts("hosts")?,
        wait: wait.length()?,
        kind: section.get("kind").map_or(Ok(LimitKind::Total), |item| item.word(&ACCEPTED.map(|kind| (kind.word(), kind))))?,
        reason: reason.words()?.to_owned(),
        at: item.source.region(&item.span),
    })
}
