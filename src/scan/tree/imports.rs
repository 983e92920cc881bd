//! Who imports whom: what the modules mean that a file mentions, and the files that may name something of another one.
//!
//! In: what the first look at each file says. Out: files. A module is looked up when somebody asks, and once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{MOST_NAMING, Slot, Tree};
use crate::facts::Mentioned;
use crate::link::Files;
use crate::scan::glance::{self, ALIAS};
use crate::span::FileId;

/// What a module means that a file mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// A file, or something in it.
    File(FileId),
    /// Perhaps this file, perhaps any by one of the module's names.
    Unclear(Option<FileId>),
    /// What is not of the tree.
    Package,
    /// A file that is not there.
    Nothing,
}

impl Meant {
    /// The file that it is, or may be.
    const fn file(self) -> Option<FileId> {
        match self {
            Self::File(file) => Some(file),
            Self::Unclear(file) => file,
            Self::Package | Self::Nothing => None,
        }
    }
}

/// The files that may name something of a file, near or far.
pub(super) type Closures = FxHashMap<(FileId, bool), Arc<FxHashSet<FileId>>>;

impl Tree<'_> {
    /// The names under which other files may mention a file.
    fn stems(&self, file: FileId) -> Vec<Box<str>> {
        let Some(slot) = self.slot(file) else { return Vec::new() };
        let mut stems = Vec::new();
        let stem = slot.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let plain = stem.split('.').next().unwrap_or(&stem).to_owned();
        if matches!(plain.as_str(), "index" | "mod" | "lib" | "main") {
            let parent = slot.path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            stems.extend(parent.map(Into::into));
        }
        stems.push(plain.into());
        stems.push(ALIAS.into());
        if stem.contains('.') {
            stems.push(stem.into());
        }
        if let Some(package) = self.modules[slot.language].package_of(&slot.path) {
            let last = package.rsplit('/').next().unwrap_or(&package).to_owned();
            stems.push(last.replace('-', "_").into());
            stems.push(last.into());
        }
        stems
    }

    /// What the modules mean that a counted file mentions, each with the module as written.
    fn modules_of(&self, file: FileId) -> impl Iterator<Item = (&str, &Meant)> {
        let read = self.slots.get(file.0 as usize).zip(self.glances.get(file.0 as usize));
        read.into_iter().flat_map(move |(slot, glance)| {
            let modules = glance.modules.iter().enumerate();
            modules.map(move |(at, module)| (&**module, self.meant(slot, glance.modules.len(), at, module)))
        })
    }

    /// What the module means that a file mentions in one place of so many.
    fn meant<'s>(&self, slot: &'s Slot, places: usize, at: usize, module: &str) -> &'s Meant {
        let places = slot.meant.get_or_init(|| (0..places).map(|_| OnceLock::new()).collect());
        places[at].get_or_init(|| match self.modules[slot.language].mentioned(&slot.path, module) {
            Mentioned::File(path) => self.find(&path).map_or(Meant::Nothing, Meant::File),
            Mentioned::Unclear(path) => Meant::Unclear(path.and_then(|path| self.find(&path))),
            Mentioned::Elsewhere => Meant::Package,
        })
    }

    /// Whether a file imports another one, which goes by some names. Only modules that may mean it by their names are looked up.
    fn imports(&self, file: FileId, home: FileId, stems: &[Box<str>]) -> bool {
        let Some((slot, glance)) = self.slots.get(file.0 as usize).zip(self.glances.get(file.0 as usize)) else { return false };
        let by_path = self.modules[slot.language].nest();
        let may_mean = |module: &str| {
            by_path
                || stems.iter().any(|stem| module.contains(&**stem))
                || module.trim_end_matches('/').ends_with('.')
                || module.starts_with(['#', '@', '~'])
        };
        let named = |module: &str| {
            let mut names = Vec::new();
            glance::add_stems(&slot.path, module, &mut names);
            names.iter().any(|name| stems.contains(name))
        };
        let asked = glance.modules.iter().enumerate().filter(|(_, module)| may_mean(module));
        asked
            .map(|(at, module)| (module, self.meant(slot, glance.modules.len(), at, module)))
            .any(|(module, meant)| meant.file() == Some(home) || matches!(meant, Meant::Unclear(_)) && named(module))
    }

    /// Whether a file may export a name: it holds the word, or passes on all of a file that may.
    pub(super) fn may_hand_on(&self, file: FileId, name: &str, seen: &mut FxHashSet<FileId>) -> bool {
        if !self.is_counted(file) || self.words.holds(file.0, name) {
            return true;
        }
        seen.insert(file)
            && self.glances[file.0 as usize].hands_on()
            && self.modules_of(file).any(|(_, meant)| match meant {
                Meant::File(import) => self.may_hand_on(*import, name, seen),
                Meant::Package | Meant::Unclear(_) => true,
                Meant::Nothing => false,
            })
    }

    /// The files that import a file.
    pub(super) fn direct(&self, file: FileId) -> &[FileId] {
        self.slot(file).map_or(&[], |slot| slot.importers.get_or_init(|| self.find_direct(file).into()))
    }

    fn find_direct(&self, file: FileId) -> Vec<FileId> {
        let family = self.slot(file).map(|slot| slot.language);
        let stems = self.stems(file);
        let named = stems.iter().filter_map(|stem| self.mentioned.get(stem)).flatten().map(|at| FileId(*at));
        let named = named.filter(|other| self.imports(*other, file, &stems));
        let mut found: Vec<FileId> = named.chain(self.importers.get(&file).into_iter().flatten().copied()).collect();
        found.retain(|other| {
            *other != file
                && self.slot(*other).map(|slot| slot.language) == family
                && self.glances.get(other.0 as usize).is_some_and(|glance| !glance.generated)
        });
        found.sort();
        found.dedup();
        found
    }

    /// Who imports what, in the languages where a path need not say the name of the file that it leads to.
    pub(super) fn reverse(&self) -> BTreeMap<FileId, Vec<FileId>> {
        let nests = |slot: &Slot| self.modules[slot.language].nest();
        let files: Vec<FileId> = self.counted().filter(|file| self.slot(*file).is_some_and(nests)).collect();
        files.par_iter().for_each(|file| self.modules_of(*file).for_each(drop));
        let mut importers: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
        for file in files {
            let homes: BTreeSet<FileId> = self.modules_of(file).filter_map(|(_, meant)| meant.file()).collect();
            for home in homes {
                importers.entry(home).or_default().push(file);
            }
        }
        importers
    }

    /// The files that import a file, also through others that pass it on.
    pub(super) fn closure(&self, home: FileId, far: bool) -> Arc<FxHashSet<FileId>> {
        if let Some(known) = self.closures.lock().ok().and_then(|closures| closures.get(&(home, far)).cloned()) {
            return known;
        }
        let mut seen: FxHashSet<FileId> = [home].into_iter().collect();
        // Where types say whose method is called, the type's file need not be named near the call.
        let furthest = if self.modules(home).is_typed() { 2 } else { 1 };
        let mut frontier = VecDeque::from([(home, 0)]);
        while let Some((file, depth)) = frontier.pop_front().filter(|_| seen.len() < MOST_NAMING) {
            for other in self.direct(file).iter().copied() {
                let passes = self.passes_on(other);
                if seen.insert(other) && (passes || far && depth < furthest) {
                    frontier.push_back((other, if passes { depth } else { depth + 1 }));
                }
            }
        }
        let found = Arc::new(seen);
        if let Ok(mut closures) = self.closures.lock() {
            closures.insert((home, far), found.clone());
        }
        found
    }
}
