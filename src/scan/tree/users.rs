//! Who uses a file, and which packages can be run.
//!
//! In: a file of the tree. Out: other files, or a package. Whose code they are is decided in [`crate::chain`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Tree;
use crate::facts::Program;
use crate::span::FileId;

impl Tree<'_> {
    /// The files under the named paths.
    pub(in crate::scan) fn counted(&self) -> impl Iterator<Item = FileId> {
        let counted = self.slots.iter().enumerate().filter(|(_, slot)| slot.counted);
        counted.map(|(at, _)| FileId(at as u32))
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
            return self.direct(file).to_vec();
        }
        let Some(home) = modules.package_of(&slot.path) else { return Vec::new() };
        self.package_users.get_or_init(|| self.find_package_users()).get(&home).cloned().unwrap_or_default()
    }

    /// The files that name a package, in languages where modules hold modules, by the package; those of the package are not among them.
    fn find_package_users(&self) -> BTreeMap<String, Vec<FileId>> {
        let package = |file: FileId| {
            let slot = self.slot(file)?;
            self.modules[slot.language].package_of(&slot.path)
        };
        let own: Vec<Option<String>> = (0..self.slots.len() as u32).map(FileId).map(package).collect();
        let mut users: BTreeMap<String, BTreeSet<FileId>> = BTreeMap::new();
        let nests = |file: &FileId| self.slot(*file).is_some_and(|slot| self.modules[slot.language].nest());
        for (home, importers) in self.imports.by_file.iter().filter(|(home, _)| nests(home)) {
            let Some(home) = own.get(home.0 as usize).cloned().unwrap_or_else(|| package(*home)) else { continue };
            let is_other = |user: &&FileId| own.get(user.0 as usize).is_some_and(|own| own.as_ref() != Some(&home));
            users.entry(home.clone()).or_default().extend(importers.iter().filter(is_other));
        }
        users.into_iter().map(|(package, users)| (package, users.into_iter().collect())).collect()
    }
}
