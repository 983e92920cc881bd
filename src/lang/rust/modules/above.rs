//! Folders above the one where the command runs, as far as the repository goes: a workspace may begin there.
//!
//! In: a folder, relative to where the command runs. Out: the folders around that place, the nearest first. A path that says where it begins
//! shows them itself.

use std::path::{Path, PathBuf};

/// The folders above where the command runs that may belong to the repository of a folder.
pub(super) fn folders(folder: &Path) -> Vec<PathBuf> {
    let begins_here = !folder.is_absolute() && super::folders_up(folder).all(|inside| !inside.join(".git").exists());
    let here = std::env::current_dir().ok().filter(|here| begins_here && !here.join(".git").exists());
    let Some(here) = here else { return Vec::new() };
    here.parent().map(|parent| super::folders_up(parent).map(Path::to_path_buf).collect()).unwrap_or_default()
}
