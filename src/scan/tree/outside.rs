//! The files outside of the named paths that the named ones lead to, directly or through each other: they are read for meaning and not
//! counted.
//!
//! In: the first look at the named files. Out: more files, each with the first look at it. Files inside of the named paths that the walk left
//! out are none of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{Slot, shown_below};
use crate::facts::{Mentioned, Modules};
use crate::scan::glance::Glance;
use crate::scan::languages::Languages;
use crate::settings::{Settings, repository};
use crate::walk::full;

/// How many files are read at most because others lead there.
const MOST_READ: usize = 2_000;

/// What is asked while files outside are looked for.
pub(super) struct Way<'t> {
    pub settings: &'t Settings,
    pub languages: &'t Languages,
    pub modules: &'t [Box<dyn Modules + 't>],
    /// The folders that imports may not leave.
    pub fences: &'t [PathBuf],
    /// The named folders.
    pub walked: &'t [PathBuf],
    /// The first look at a file.
    pub look: &'t (dyn Fn(&Slot) -> Glance + Sync),
}

impl Way<'_> {
    /// The files that the named ones lead to, with the first look at each, sorted by path.
    pub(super) fn lead_out(&self, slots: &[Slot], glances: &[Glance]) -> Vec<(Slot, Glance)> {
        if self.fences.iter().all(|fence| self.walked.contains(fence)) {
            return Vec::new();
        }
        let mut seen: BTreeSet<PathBuf> = slots.iter().map(|slot| full(&slot.path)).collect();
        let mut level: BTreeSet<PathBuf> =
            slots.par_iter().zip(glances).flat_map_iter(|(slot, glance)| self.from(slot, glance)).collect();
        let mut found: Vec<(Slot, Glance)> = Vec::new();
        while !level.is_empty() && found.len() < MOST_READ {
            let fresh: Vec<Slot> =
                level.into_iter().filter(|path| seen.insert(path.clone())).filter_map(|path| self.slot(path)).collect();
            let read: Vec<(Slot, Glance)> = fresh
                .into_par_iter()
                .map(|slot| {
                    let glance = (self.look)(&slot);
                    (slot, glance)
                })
                .collect();
            level = read.par_iter().flat_map_iter(|(slot, glance)| self.from(slot, glance)).collect();
            found.extend(read);
        }
        found.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
        found
    }

    /// The files outside that a file mentions. One outside that declares the modules beside it does not use them all.
    fn from(&self, slot: &Slot, glance: &Glance) -> Vec<PathBuf> {
        let modules = &self.modules[slot.language];
        let is_used = |module: &str| slot.counted || !declares(module);
        let paths = glance.modules.iter().filter(|module| is_used(module)).filter_map(|module| {
            match modules.mentioned(&slot.path, module) {
                Mentioned::File(path) | Mentioned::Unclear(Some(path)) => Some(full(&path)),
                Mentioned::Unclear(None) | Mentioned::Elsewhere => None,
            }
        });
        paths.filter(|path| self.is_outside(path)).collect()
    }

    fn is_outside(&self, path: &Path) -> bool {
        let is_in = |folders: &[PathBuf]| folders.iter().any(|folder| path.starts_with(folder));
        is_in(self.fences) && !is_in(self.walked)
    }

    fn slot(&self, path: PathBuf) -> Option<Slot> {
        let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
        let language = self.languages.of(&extension)?;
        let shown = shown_below(&full(&self.settings.base), &path);
        Some(Slot::new(path, shown, extension, language, false))
    }
}

/// Whether a module is mentioned as `mod name;` does it.
fn declares(module: &str) -> bool {
    module.strip_prefix("self::").is_some_and(|name| !name.contains("::"))
}

/// The folder that imports may not leave: the repository's, else the one where the command runs and above the named path, else its parent.
pub(super) fn fence(root: &Path, base: &Path) -> PathBuf {
    let root = full(root);
    let below = || (root != *base && root.starts_with(base)).then(|| base.to_path_buf());
    repository(&root).or_else(below).or_else(|| root.parent().map(Path::to_path_buf)).unwrap_or(root)
}
