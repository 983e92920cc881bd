//! Who uses a file, and which packages can be run.
//!
//! In: a file of the tree. Out: other files, or a package. Whose code they are is decided in [`crate::chain`].

use std::path::Path;

use super::Tree;
use crate::facts::{Program, Resolved};
use crate::span::FileId;

impl Tree<'_> {
    /// The files under the named paths.
    pub(in crate::scan) fn counted(&self) -> impl Iterator<Item = FileId> {
        (0..self.slots.len() as u32).map(FileId)
    }

    /// The package that a manifest describes, if it can be run.
    pub(in crate::scan) fn program_of(&self, manifest: &Path) -> Option<Program> {
        let described = |program: &Program| program.manifest == manifest;
        self.modules.iter().find_map(|modules| modules.program_of(manifest).filter(described))
    }

    /// The files that use a file: those that import it, or, in languages where modules hold modules, those of other packages that
    /// name its package.
    pub(in crate::scan) fn users(&self, file: FileId) -> Vec<FileId> {
        let Some(slot) = self.slot(file) else { return Vec::new() };
        let modules = &self.modules[slot.language];
        if !modules.nest() {
            return self.direct(file);
        }
        let Some(home) = modules.package_of(&slot.path) else { return Vec::new() };
        let names_it = |at: &u32| {
            let Some(other) = self.slot(FileId(*at)).filter(|other| other.language == slot.language) else { return false };
            let first = |module: &str| module.trim_start_matches("::").split("::").next().unwrap_or_default().to_owned();
            let leads = |module: &str| match modules.resolve(&other.path, &first(module)) {
                Resolved::File(path) => modules.package_of(&path).as_deref() == Some(&home),
                _ => false,
            };
            modules.package_of(&other.path).as_deref() != Some(&home)
                && self.glances[*at as usize].modules.iter().any(|module| leads(module))
        };
        let stems = self.stems(file);
        let mut users: Vec<u32> =
            stems.iter().filter_map(|stem| self.mentioned.get(stem)).flatten().copied().filter(names_it).collect();
        users.sort_unstable();
        users.dedup();
        users.into_iter().map(FileId).collect()
    }
}
