//! The files of one scan: read once for trigger words and mentions, parsed when somebody asks.
//!
//! In: the walk's entries. Out: [`Files`] for the linker. Files outside the named paths are found when an import leads there, as long as
//! they lie in the repository; they are read for meaning and not counted.

mod imports;
mod macros;
mod outside;
mod strangers;
mod users;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use aho_corasick::AhoCorasick;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use self::imports::{Closures, Imports};
use self::macros::Around;
use self::outside::{Way, fence};
use super::glance::{Glance, glance, is_generated};
use super::languages::Languages;
use super::words::Words;
use crate::catalog::Catalog;
use crate::facts::deployment::Filed;
use crate::facts::{Modules, Resolved};
use crate::finding::{Counts, Unreadable};
use crate::lang::javascript::modules::JsModules;
use crate::lang::json;
use crate::lang::rust::modules::RustModules;
use crate::link::{Files, Unit};
use crate::settings::{Settings, repository};
use crate::span::FileId;
use crate::walk::{Entry, full};

/// How many files outside the named paths are followed at most.
const MOST_OUTSIDE: usize = 20_000;

/// How many files that may name something are asked at most.
const MOST_NAMING: usize = 600;

/// One file.
struct Slot {
    path: PathBuf,
    shown: Arc<str>,
    extension: String,
    language: usize,
    counted: bool,
    unit: OnceLock<Option<Unit>>,
    generated: OnceLock<bool>,
    importers: OnceLock<Box<[FileId]>>,
}

impl Slot {
    fn new(path: PathBuf, shown: Arc<str>, extension: String, language: usize, counted: bool) -> Self {
        let (unit, generated, importers) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { path, shown, extension, language, counted, unit, generated, importers }
    }
}

/// The files of one scan.
pub(super) struct Tree<'a> {
    languages: &'a Languages,
    modules: Vec<Box<dyn Modules + 'a>>,
    slots: Vec<Slot>,
    /// Further files outside of the named paths, as they are found.
    outside: Vec<OnceLock<Box<Slot>>>,
    known: Mutex<FxHashMap<PathBuf, FileId>>,
    glances: Vec<Glance>,
    words: Words,
    fences: Vec<PathBuf>,
    /// The folders that identities are relative to.
    anchors: Vec<PathBuf>,
    base: PathBuf,
    /// Who imports whom.
    imports: Imports,
    package_users: OnceLock<BTreeMap<String, Vec<FileId>>>,
    closures: Mutex<Closures>,
    by_name: OnceLock<FxHashMap<Arc<str>, usize>>,
    /// The files that say which services there are.
    configs: Vec<Filed>,
    /// How many files were left out because they are modules of test code.
    tests: u32,
}

impl<'a> Tree<'a> {
    /// Reads every file once.
    pub(super) fn new(
        settings: &Settings,
        languages: &'a Languages,
        catalog: &Catalog,
        entries: Vec<Entry>,
        configs: Vec<Filed>,
    ) -> Self {
        let triggers = triggers(languages, catalog);
        let mut slots: Vec<Slot> = entries.into_iter().filter_map(|entry| slot(languages, entry)).collect();
        let look = |slot: &Slot| {
            glance(languages.all()[slot.language], triggers[slot.language].as_ref(), &slot.path, settings.generated)
        };
        let mut glances: Vec<Glance> = slots.par_iter().map(look).collect();
        let modules: Vec<Box<dyn Modules + 'a>> =
            vec![Box::new(JsModules::new(&settings.roots)), Box::new(RustModules::new(&settings.roots))];
        let fences: Vec<PathBuf> = settings.roots.iter().map(|root| fence(root, &full(&settings.base))).collect();
        let walked: Vec<PathBuf> = settings.roots.iter().map(|root| full(root)).collect();
        let way = Way { settings, languages, modules: &modules, fences: &fences, walked: &walked, look: &look };
        for (slot, glance) in way.lead_out(&slots, &glances) {
            slots.push(slot);
            glances.push(glance);
        }
        let tests = if settings.tests { FxHashSet::default() } else { test_files(&slots, &glances, &modules) };
        let left_out = tests.iter().filter(|at| slots[**at].counted).count() as u32;
        leave_out(&tests, &mut slots);
        leave_out(&tests, &mut glances);
        for (slot, glance) in slots.iter().zip(&mut glances).filter(|(_, glance)| !glance.triggered && !glance.generated) {
            // A package may go by another name here.
            let known = |package: &str| !catalog.package(languages.all()[slot.language].family(), package, "").is_empty();
            glance.triggered = modules[slot.language]
                .aliases(&slot.path)
                .iter()
                .any(|(name, package)| glance.mentions.iter().any(|mention| **mention == **name) && known(package));
        }
        let words = Words::new(glances.iter().enumerate().map(|(at, glance)| (at as u32, &*glance.words)));
        glances.iter_mut().for_each(|glance| glance.words = Box::default());
        let known = slots.iter().enumerate().map(|(at, slot)| (full(&slot.path), FileId(at as u32))).collect();
        let mut tree = Self {
            languages,
            modules,
            outside: (0..MOST_OUTSIDE).map(|_| OnceLock::new()).collect(),
            slots,
            known: Mutex::new(known),
            glances,
            words,
            fences,
            anchors: anchors(settings),
            base: full(&settings.base),
            imports: Imports::default(),
            package_users: OnceLock::new(),
            closures: Mutex::default(),
            by_name: OnceLock::new(),
            configs,
            tests: left_out,
        };
        if tree.glances.iter().any(|glance| glance.triggered) {
            tree.imports = tree.find_imports();
        }
        tree
    }

    /// The files that say which services there are, sorted.
    pub(super) fn configs(&self) -> &[Filed] {
        &self.configs
    }

    /// The files that hold a trigger word.
    pub(super) fn triggered(&self) -> Vec<FileId> {
        let hit = self.glances.iter().enumerate().filter(|(_, glance)| glance.triggered && !glance.generated);
        hit.map(|(at, _)| FileId(at as u32)).collect()
    }

    /// Adds what was read and what could not be; gives the files that take part.
    pub(super) fn count(&self, counts: &mut Counts, unreadable: &mut Vec<Unreadable>) -> Vec<Arc<str>> {
        let mut files = Vec::new();
        counts.tests += self.tests;
        for (slot, glance) in self.slots.iter().zip(&self.glances).filter(|(slot, _)| slot.counted) {
            if let Some(reason) = &glance.reason {
                unreadable.push(Unreadable { file: slot.shown.to_string(), reason: reason.clone() });
                continue;
            }
            if glance.generated {
                counts.generated += 1;
                continue;
            }
            counts.scanned += 1;
            files.push(slot.shown.clone());
            let Some(Some(unit)) = slot.unit.get() else { continue };
            counts.parsed += 1;
            if let Some(broken) = unit.facts.broken.first() {
                let line = unit.facts.lines.position(broken.span.start).line;
                let more = if unit.facts.broken.len() > 1 {
                    format!(" and {} more", unit.facts.broken.len() - 1)
                } else {
                    String::new()
                };
                unreadable.push(Unreadable {
                    file: slot.shown.to_string(),
                    reason: format!("line {line}: {}{more}; the rest was read", broken.reason),
                });
            }
        }
        files
    }

    /// The counted files in which a comment may speak to the program.
    pub(super) fn speaking(&self) -> Vec<FileId> {
        let speaks = |file: &FileId| {
            let glance = &self.glances[file.0 as usize];
            glance.speaks && !glance.generated
        };
        self.counted().filter(speaks).collect()
    }

    /// The folder that identities are relative to, if it is not where the command runs.
    pub(super) fn anchor(&self) -> Option<PathBuf> {
        self.anchors.first().cloned()
    }

    /// Where the file is that reports print so.
    pub(super) fn opened(&self, shown: &str) -> Option<PathBuf> {
        let by_name = self.by_name.get_or_init(|| {
            let places = self.slots.iter().enumerate();
            places.map(|(at, slot)| (slot.shown.clone(), at)).collect()
        });
        let outside = || self.outside.iter().map_while(OnceLock::get).map(|slot| &**slot).find(|slot| *slot.shown == *shown);
        let slot = by_name.get(shown).and_then(|at| self.slots.get(*at)).or_else(outside)?;
        Some(slot.path.clone())
    }

    fn slot(&self, file: FileId) -> Option<&Slot> {
        let at = file.0 as usize;
        self.slots.get(at).or_else(|| self.outside.get(at - self.slots.len())?.get().map(|slot| &**slot))
    }

    /// Those of the files that may name something of `home`, and itself.
    fn near(&self, home: FileId, far: bool, files: impl Iterator<Item = u32>) -> Vec<FileId> {
        let closure = self.closure(home, far);
        self.in_order(files.map(FileId).filter(|file| closure.contains(file)).chain([home]).collect())
    }

    fn in_order(&self, mut files: Vec<FileId>) -> Vec<FileId> {
        files.sort_by_key(|file| self.order(*file));
        files.dedup();
        files
    }
}

impl Files for Tree<'_> {
    fn unit(&self, file: FileId) -> Option<&Unit> {
        let slot = self.slot(file)?;
        slot.unit
            .get_or_init(|| {
                let bytes = std::fs::read(&slot.path).ok()?;
                let text = String::from_utf8_lossy(&bytes);
                let facts = if slot.extension == "json" {
                    json::lower(&text)
                } else {
                    let around = Around { tree: self, file };
                    self.languages.all()[slot.language].lower_with(&slot.extension, &text, &around)
                };
                Some(Unit::new(facts))
            })
            .as_ref()
    }

    fn path(&self, file: FileId) -> &Path {
        self.slot(file).map_or(Path::new(""), |slot| &slot.path)
    }

    fn shown(&self, file: FileId) -> Arc<str> {
        self.slot(file).map_or_else(|| "".into(), |slot| slot.shown.clone())
    }

    fn rooted(&self, shown: &str) -> String {
        let path = self.opened(shown).map(|path| full(&path));
        let below = path.as_deref().and_then(|path| self.anchors.iter().find_map(|anchor| path.strip_prefix(anchor).ok()));
        below.map_or_else(|| shown.to_owned(), |below| below.to_string_lossy().replace('\\', "/"))
    }

    fn is_counted(&self, file: FileId) -> bool {
        self.slot(file).is_some_and(|slot| slot.counted)
    }

    fn is_generated(&self, file: FileId) -> bool {
        if let Some(glance) = self.glances.get(file.0 as usize) {
            return glance.generated;
        }
        let Some(slot) = self.slot(file) else { return false };
        *slot.generated.get_or_init(|| std::fs::read(&slot.path).is_ok_and(|bytes| is_generated(&bytes)))
    }

    fn find(&self, path: &Path) -> Option<FileId> {
        let path = full(path);
        let mut known = self.known.lock().ok()?;
        if let Some(file) = known.get(&path) {
            return Some(*file);
        }
        if !self.fences.iter().any(|fence| path.starts_with(fence)) || !path.is_file() {
            return None;
        }
        let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
        let language = if extension == "json" { 0 } else { self.languages.of(&extension)? };
        let at = known.len();
        let place = self.outside.get(at - self.slots.len())?;
        let slot = Slot::new(path.clone(), shown_below(&self.base, &path), extension, language, false);
        place.set(Box::new(slot)).ok()?;
        let file = FileId(at as u32);
        known.insert(path, file);
        Some(file)
    }

    fn modules(&self, file: FileId) -> &dyn Modules {
        &*self.modules[self.slot(file).map_or(0, |slot| slot.language)]
    }

    fn family(&self, file: FileId) -> &'static str {
        self.languages.all()[self.slot(file).map_or(0, |slot| slot.language)].family()
    }

    fn importers(&self, home: FileId) -> Vec<FileId> {
        self.direct(home).to_vec()
    }

    fn candidates(&self, home: FileId, words: &[&str], far: bool) -> Vec<FileId> {
        if words.is_empty() {
            return self.in_order(self.closure(home, far).iter().copied().collect());
        }
        self.near(home, far, words.iter().flat_map(|word| self.words.holders(word)))
    }

    fn heirs(&self, home: FileId, name: &str) -> Vec<FileId> {
        self.near(home, true, self.words.heirs(name))
    }

    fn makers(&self, home: FileId, name: &str) -> Vec<FileId> {
        self.near(home, true, self.words.makers(name).chain(self.words.heirs(name)))
    }

    fn order(&self, file: FileId) -> (u32, &Path) {
        // Files outside are numbered as they are found, which differs from run to run.
        if (file.0 as usize) < self.slots.len() { (file.0, Path::new("")) } else { (u32::MAX, self.path(file)) }
    }

    fn may_export(&self, file: FileId, name: &str) -> bool {
        matches!(name, "default" | "=") || self.may_hand_on(file, name, &mut FxHashSet::default())
    }

    fn passes_on(&self, file: FileId) -> bool {
        self.glances.get(file.0 as usize).is_some_and(|glance| glance.passes_on)
    }

    fn passes_all(&self, file: FileId) -> bool {
        self.glances.get(file.0 as usize).is_some_and(|glance| glance.passes_all)
    }

    fn holders(&self, word: &str) -> Vec<FileId> {
        self.words.holders(word).map(FileId).collect()
    }

    fn holds_word(&self, file: FileId, word: &str) -> bool {
        file.0 as usize >= self.slots.len() || self.words.holds(file.0, word)
    }
}

/// What makes a file of each language worth parsing.
fn triggers(languages: &Languages, catalog: &Catalog) -> Vec<Option<AhoCorasick>> {
    languages.all().iter().map(|frontend| AhoCorasick::new(catalog.triggers(frontend.family())).ok()).collect()
}

/// The files of modules that are declared as test code, and of modules inside of them.
fn test_files(slots: &[Slot], glances: &[Glance], modules: &[Box<dyn Modules + '_>]) -> FxHashSet<usize> {
    let mut queue: Vec<(usize, &str)> = Vec::new();
    for (at, glance) in glances.iter().enumerate() {
        queue.extend(glance.tests.iter().map(|module| (at, &**module)));
    }
    let mut found = FxHashSet::default();
    if queue.is_empty() {
        return found;
    }
    let places: FxHashMap<&Path, usize> = slots.iter().enumerate().map(|(at, slot)| (&*slot.path, at)).collect();
    while let Some((from, module)) = queue.pop() {
        let slot = &slots[from];
        let Resolved::File(path) = modules[slot.language].resolve(&slot.path, module) else { continue };
        if let Some(at) = places.get(&*path).copied().filter(|at| *at != from && found.insert(*at)) {
            let inside = glances[at].modules.iter().filter(|module| module.starts_with("self::"));
            queue.extend(inside.map(|module| (at, &**module)));
        }
    }
    found
}

fn leave_out<T>(places: &FxHashSet<usize>, from: &mut Vec<T>) {
    let mut at = 0..from.len();
    from.retain(|_| at.next().is_none_or(|at| !places.contains(&at)));
}

fn slot(languages: &Languages, entry: Entry) -> Option<Slot> {
    let language = languages.of(&entry.extension)?;
    Some(Slot::new(entry.path, entry.shown.into(), entry.extension, language, true))
}

/// How reports print a file outside of the named paths.
fn shown_below(base: &Path, path: &Path) -> Arc<str> {
    path.strip_prefix(base).unwrap_or(path).to_string_lossy().replace('\\', "/").into()
}

/// The folders that identities are relative to: the repository's of each named path, else the configuration file's.
fn anchors(settings: &Settings) -> Vec<PathBuf> {
    settings.roots.iter().filter_map(|root| repository(root)).chain(settings.home.clone()).collect()
}
