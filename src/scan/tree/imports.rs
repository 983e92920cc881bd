//! Who imports whom: what the modules mean that a file mentions, and the files that may name something of another one.
//!
//! In: what the first look at each file says. Out: files.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{MOST_NAMING, Tree};
use crate::facts::Mentioned;
use crate::link::Files;
use crate::scan::glance::{self, ALIAS};
use crate::span::FileId;

/// What a module means that a file mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// What a file mentions, and under which names files may be meant.
type Mentions = (Box<[Meant]>, Vec<Box<str>>);

/// Who imports whom.
#[derive(Default)]
pub(super) struct Imports {
    /// The importers of each file.
    pub by_file: FxHashMap<FileId, Vec<FileId>>,
    /// The files that import whatever goes by a name.
    by_name: FxHashMap<Box<str>, Vec<FileId>>,
    /// What the modules mean that each file mentions, sorted.
    meant: Vec<Box<[Meant]>>,
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

    /// Whether a file may export a name: it holds the word, or passes on all of a file that may.
    pub(super) fn may_hand_on(&self, file: FileId, name: &str, seen: &mut FxHashSet<FileId>) -> bool {
        if self.holds_word(file, name) {
            return true;
        }
        seen.insert(file)
            && self.glances[file.0 as usize].hands_on()
            && self.imports.meant.get(file.0 as usize).is_some_and(|meant| {
                meant.iter().any(|meant| match meant {
                    Meant::File(import) => self.may_hand_on(*import, name, seen),
                    Meant::Package | Meant::Unclear(_) => true,
                    Meant::Nothing => false,
                })
            })
    }

    /// The files that import a file.
    pub(super) fn direct(&self, file: FileId) -> &[FileId] {
        self.slot(file).map_or(&[], |slot| slot.importers.get_or_init(|| self.find_direct(file).into()))
    }

    fn find_direct(&self, file: FileId) -> Vec<FileId> {
        let family = self.slot(file).map(|slot| slot.language);
        let stems = if self.imports.by_name.is_empty() { Vec::new() } else { self.stems(file) };
        let named = stems.iter().filter_map(|stem| self.imports.by_name.get(stem));
        let mut found: Vec<FileId> = self.imports.by_file.get(&file).into_iter().chain(named).flatten().copied().collect();
        found.retain(|other| *other != file && self.slot(*other).map(|slot| slot.language) == family);
        found.sort();
        found.dedup();
        found
    }

    /// Looks up what all files mention.
    pub(super) fn find_imports(&self) -> Imports {
        let files: Vec<FileId> = (0..self.slots.len() as u32).map(FileId).collect();
        let mentioned: Vec<Mentions> = files.par_iter().map(|file| self.mentions(*file)).collect();
        let mut imports = Imports::default();
        for (file, (meant, names)) in files.into_iter().zip(mentioned) {
            let homes: BTreeSet<FileId> = meant.iter().filter_map(|meant| meant.file()).collect();
            for home in homes {
                imports.by_file.entry(home).or_default().push(file);
            }
            for name in names {
                imports.by_name.entry(name).or_default().push(file);
            }
            imports.meant.push(meant);
        }
        imports
    }

    /// What the modules mean that a file mentions, and the names of those of which more than one file may be meant.
    fn mentions(&self, file: FileId) -> Mentions {
        let at = file.0 as usize;
        let Some((slot, glance)) = self.slots.get(at).zip(self.glances.get(at)).filter(|(_, glance)| !glance.generated) else {
            return Mentions::default();
        };
        let mut names = Vec::new();
        let meant = glance.modules.iter().map(|module| match self.modules[slot.language].mentioned(&slot.path, module) {
            Mentioned::File(path) => self.find(&path).map_or(Meant::Nothing, Meant::File),
            Mentioned::Unclear(path) => {
                glance::add_stems(&slot.path, module, &mut names);
                Meant::Unclear(path.and_then(|path| self.find(&path)))
            }
            Mentioned::Elsewhere => Meant::Package,
        });
        let mut meant: Vec<Meant> = meant.collect();
        meant.sort_unstable();
        meant.dedup();
        names.sort_unstable();
        names.dedup();
        (meant.into(), names)
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
