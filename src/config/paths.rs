//! Paths of a configuration file: patterns, and folders that must be there.
//!
//! In: values and the file's folder. Out: [`Globs`] and paths. A pattern that names a place which is not there is refused: it would
//! silently do nothing.

use std::path::{Path, PathBuf};

use super::section::Item;
use super::source::ConfigError;
use crate::near::nearest;
use crate::settings::Globs;

/// Reads a list of patterns.
pub(super) fn globs(item: &Item<'_>, home: &Path) -> Result<Globs, ConfigError> {
    let items = item.texts()?;
    let mut texts = Vec::with_capacity(items.len());
    for item in &items {
        let text = item.words()?;
        alive(item, text, home)?;
        texts.push(text.to_owned());
    }
    Globs::new(home, &texts).map_err(|(at, why)| {
        let item = items.get(at).unwrap_or(item);
        item.error(format!("`{}` is no pattern of paths: {why}", texts.get(at).map_or("", String::as_str)))
    })
}

/// Reads a folder or file that must be there.
pub(super) fn place(item: &Item<'_>, home: &Path) -> Result<PathBuf, ConfigError> {
    let text = item.words()?;
    alive(item, text, home)?;
    Ok(home.join(text))
}

/// Refuses a pattern whose fixed beginning is not there. A name without `/` is one of a file or folder anywhere below and is not checked.
fn alive(item: &Item<'_>, text: &str, home: &Path) -> Result<(), ConfigError> {
    let plain = text.trim_start_matches('!').trim_start_matches("./");
    let is_wild = |part: &str| part.contains(['*', '?', '[', '{']);
    if !plain.trim_end_matches('/').contains('/') && (is_wild(plain) || item.key.starts_with("exclude")) {
        return Ok(());
    }
    let mut at = home.to_path_buf();
    for part in plain.split('/').filter(|part| !part.is_empty()) {
        if is_wild(part) {
            return Ok(());
        }
        let next = at.join(part);
        if !next.exists() {
            let shown = at.strip_prefix(home).unwrap_or(&at).join(part);
            let near = names(&at);
            let near = nearest(part, near.iter().map(String::as_str)).map_or_else(String::new, |near| {
                let near = at.strip_prefix(home).unwrap_or(&at).join(near);
                format!("; the nearest is `{}`", near.display().to_string().replace('\\', "/"))
            });
            let shown = shown.display().to_string().replace('\\', "/");
            return Err(item.error(format!("`{text}` leads nowhere: there is no `{shown}` beside this file{near}")));
        }
        at = next;
    }
    Ok(())
}

/// What a folder holds.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
