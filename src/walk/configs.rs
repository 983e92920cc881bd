//! Which configuration files there are: by name, below the named paths and in the folders around them.
//!
//! In: what the walk meets, and a test for names. Out: paths, sorted. Nothing is opened, and nothing is counted: what takes part in an audit
//! is code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{full, keeps, left_out, show};
use crate::facts::deployment::Filed;
use crate::settings::{Settings, repository};

/// Which names are those of configuration files.
pub trait Configs: Sync {
    /// Whether a file by this name is taken below the named paths.
    fn takes(&self, name: &str) -> bool;
    /// Whether it is also taken in the folders around the named paths, as far up as the repository goes.
    fn takes_around(&self, name: &str) -> bool;
}

/// Where configuration files are, and how reports print that.
pub(super) type Found = BTreeMap<PathBuf, String>;

/// The configuration file that an entry of the walk is.
pub(super) fn config(
    settings: &Settings,
    configs: &dyn Configs,
    root: &Path,
    entry: &ignore::DirEntry,
) -> Option<(PathBuf, String)> {
    if !configs.takes(&entry.file_name().to_string_lossy()) {
        return None;
    }
    let path = entry.path();
    let too_large = entry.metadata().is_ok_and(|data| data.len() > settings.max_size);
    let is_kept = !too_large && keeps(settings, left_out(path.strip_prefix(root).unwrap_or(path), path));
    is_kept.then(|| (full(path), show(settings, root, path)))
}

/// Adds those around the named paths.
pub(super) fn add_around(settings: &Settings, configs: &dyn Configs, found: &mut Found) {
    for root in &settings.roots {
        for folder in folders_around(root) {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                if configs.takes_around(&entry.file_name().to_string_lossy()) && entry.path().is_file() {
                    found.entry(entry.path()).or_insert_with(|| shown_above(settings, root, &entry.path()));
                }
            }
        }
    }
}

/// All that were found, by the paths that reports print.
pub(super) fn sorted(found: Found) -> Vec<Filed> {
    let mut all: Vec<Filed> = found.into_iter().map(|(path, shown)| Filed { path, shown }).collect();
    all.sort_by(|a, b| a.shown.cmp(&b.shown));
    all
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
