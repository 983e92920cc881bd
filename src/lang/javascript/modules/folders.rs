//! Folders: how far upward to look, and what is remembered of each.
//!
//! In: paths. Out: the folders above a file, up to the top of its repository; a thread-safe memory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::files::plain;

/// How far upward to look.
pub(super) struct Folders {
    /// The tops of the repositories that hold the roots.
    tops: Vec<PathBuf>,
}

impl Folders {
    pub(super) fn new(roots: &[PathBuf]) -> Self {
        let top = |root: &PathBuf| {
            let root = plain(&std::path::absolute(root).ok()?);
            root.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf)
        };
        Self { tops: roots.iter().filter_map(top).collect() }
    }

    /// The folder of a file, as an absolute path.
    pub(super) fn of(&self, file: &Path) -> Option<PathBuf> {
        if file.is_absolute() {
            return plain(file).parent().map(Path::to_path_buf);
        }
        plain(&std::path::absolute(file).ok()?).parent().map(Path::to_path_buf)
    }

    /// A folder and those above it, the innermost first.
    pub(super) fn upward<'a>(&self, folder: &'a Path) -> impl Iterator<Item = &'a Path> + use<'a> {
        let depth = self.tops.iter().filter(|top| folder.starts_with(top)).map(|top| top.components().count()).max();
        folder.ancestors().take_while(move |folder| depth.is_none_or(|depth| folder.components().count() >= depth))
    }
}

/// What is known of each folder, found out once.
pub(super) struct Memo<T>(RwLock<FxHashMap<PathBuf, Arc<T>>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<T> Memo<T> {
    /// What is known of a folder.
    pub(super) fn get(&self, folder: &Path, find: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(folder) {
            return Arc::clone(known);
        }
        let found = Arc::new(find());
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(folder.to_path_buf()).or_insert(found))
    }
}
