//! The readers of configuration that says which services there are: one folder each, one recipe.
//!
//! In: the configuration files of a tree. Out: a [`Deployment`] of each reader. They know no source code and no other reader; what a
//! service's name or a host means is decided by [`crate::chain`]. A file that cannot be read becomes a note, and the rest goes on.
//!
//! A reader is a folder with a unit struct that implements [`Reader`], listed in [`all`].

mod command;
pub mod compose;
pub mod dotenv;
pub mod kubernetes;
pub mod procfile;
mod template;
#[cfg(test)]
mod trial;
mod yaml;

use crate::facts::deployment::{Deployment, Filed, Note, Spot};

/// A reader of one kind of configuration.
pub trait Reader: Sync {
    /// Its word in reports: `compose`.
    fn word(&self) -> &'static str;

    /// Whether a file by this name may be one of its files.
    fn takes(&self, name: &str) -> bool;

    /// Whether such a file also counts in the folders around the named paths.
    fn takes_around(&self, name: &str) -> bool {
        self.takes(name)
    }

    /// Reads all its files of a tree, sorted by path. It may follow what they name (`env_file`, `extends`).
    fn read(&self, files: &[Filed]) -> Deployment;
}

/// All readers. Where two say different things about a service, the earlier one counts.
pub fn all() -> [&'static dyn Reader; 3] {
    [&compose::Compose, &kubernetes::Kubernetes, &procfile::Procfile]
}

/// The text of a file, or a note that says why there is none.
fn text_of(file: &Filed, notes: &mut Vec<Note>) -> Option<String> {
    match std::fs::read(&file.path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned()),
        Err(error) => {
            notes.push(Note { at: Spot::new(&file.shown, 0), text: format!("cannot be read: {error}") });
            None
        }
    }
}
