//! Folders above a path.
//!
//! In: a path. Out: the repository that it lies in, or a file that stands above it. Nothing is opened.

use std::path::{Path, PathBuf};

use super::full;

/// The folder of the repository that a path lies in.
pub fn repository(path: &Path) -> Option<PathBuf> {
    full(path).ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf)
}

/// The nearest file of that name beside a path or above it, as far up as the repository goes.
pub fn above(path: &Path, name: &str) -> Option<PathBuf> {
    for folder in full(path).ancestors() {
        let file = folder.join(name);
        if file.is_file() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
