//! Which configuration files there are: by name, below the named paths and in the folders around them.
//!
//! In: [`Settings`] and a test for names. Out: paths, sorted. Nothing is opened, and nothing is counted: what takes part in an audit is
//! code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{WalkError, builder, full, keeps, left_out, show};
use crate::settings::{Settings, repository};

/// The configuration files whose names are taken: where each is, and how reports print it. `around` says which names count in the
/// folders around the named paths, as far up as the repository goes.
///
/// # Errors
///
/// A glob that is none.
pub fn configs(
    settings: &Settings,
    takes: &(dyn Fn(&str) -> bool + Sync),
    around: &dyn Fn(&str) -> bool,
) -> Result<Vec<(PathBuf, String)>, WalkError> {
    let mut found: BTreeMap<PathBuf, String> = BTreeMap::new();
    for root in &settings.roots {
        for entry in builder(settings, root)?.build().flatten() {
            let path = entry.path();
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || !takes(&entry.file_name().to_string_lossy()) {
                continue;
            }
            let too_large = entry.metadata().is_ok_and(|data| data.len() > settings.max_size);
            if !too_large && keeps(settings, left_out(path.strip_prefix(root).unwrap_or(path), path)) {
                found.entry(full(path)).or_insert_with(|| show(settings, root, path));
            }
        }
        for folder in folders_around(root) {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                if entry.path().is_file() && around(&entry.file_name().to_string_lossy()) {
                    found.entry(entry.path()).or_insert_with(|| shown_above(settings, root, &entry.path()));
                }
            }
        }
    }
    let mut all: Vec<(PathBuf, String)> = found.into_iter().collect();
    all.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(all)
}

/// The folders around a named path, as far up as the repository goes; none where there is no repository.
fn folders_around(root: &Path) -> Vec<PathBuf> {
    let root = full(root);
    let begin = if root.is_dir() { root.as_path() } else { root.parent().unwrap_or(&root) };
    let Some(top) = repository(begin) else { return Vec::new() };
    begin.ancestors().skip(1).take_while(|folder| folder.starts_with(&top)).map(Path::to_path_buf).collect()
}

/// A path above the named ones as reports print it: relative to where the command runs, or to the named path.
fn shown_above(settings: &Settings, root: &Path, path: &Path) -> String {
    let base = full(&settings.base);
    if let Ok(below) = path.strip_prefix(&base) {
        return below.to_string_lossy().replace('\\', "/");
    }
    let from = if full(root).starts_with(&base) { base } else { full(root) };
    let up = from.ancestors().position(|folder| path.starts_with(folder)).unwrap_or(0);
    let rest = from.ancestors().nth(up).and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
    format!("{}{}", "../".repeat(up), rest.to_string_lossy().replace('\\', "/"))
}
