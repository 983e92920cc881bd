//! Macros that one file declares and another one uses: what they take and make, as text.
//!
//! In: a name, and the file that uses it. Out: the text of the definition. Of several that of the file nearest by: the one that asks itself, then
//! those that share most of the path with it.

use std::cmp::Reverse;
use std::path::Path;

use super::Tree;
use crate::lang::{Elsewhere, Frontend};
use crate::span::FileId;

/// What the files around one say of macros.
pub(super) struct Around<'t> {
    pub tree: &'t Tree<'t>,
    /// The file that is being read.
    pub file: FileId,
}

impl Around<'_> {
    /// The files of the same language that hold a word, those nearest by first.
    fn holders(&self, name: &str) -> Vec<FileId> {
        let Some(asking) = self.tree.slot(self.file) else { return Vec::new() };
        let path = |file: &FileId| self.tree.slot(*file).map_or(Path::new(""), |slot| &slot.path);
        let mut holders: Vec<FileId> = self.tree.words.holders(name).map(FileId).chain([self.file]).collect();
        holders.retain(|file| self.tree.slot(*file).is_some_and(|slot| slot.language == asking.language));
        holders.sort_by_key(|file| (Reverse(shared(&asking.path, path(file))), *file));
        holders.dedup();
        holders
    }

    fn text(&self, file: FileId) -> Option<String> {
        std::fs::read_to_string(&self.tree.slot(file)?.path).ok()
    }

    fn frontend(&self) -> Option<&dyn Frontend> {
        Some(self.tree.languages.all()[self.tree.slot(self.file)?.language])
    }
}

impl Elsewhere for Around<'_> {
    fn definition(&self, name: &str) -> Option<String> {
        let frontend = self.frontend()?;
        self.holders(name).into_iter().find_map(|file| frontend.declared_macro(&self.text(file)?, name))
    }

    fn is_used(&self, name: &str) -> bool {
        let others = self.holders(name).into_iter().filter(|file| *file != self.file);
        let says = |file| Some(self.frontend()?.says(&self.text(file)?, name));
        others.into_iter().any(|file| says(file) == Some(true))
    }
}

/// How many parts two paths share from the beginning.
fn shared(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).count()
}
