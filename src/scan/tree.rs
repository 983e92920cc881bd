//! The files of one scan: read once for trigger words and mentions, parsed when somebody asks.
//!
//! In: the walk's entries. Out: [`Files`] for the linker. Files outside the named paths are found when an import leads there, as long as
//! they lie in the repository; they are read for meaning and not counted.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use aho_corasick::AhoCorasick;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalog::Catalog;
use crate::facts::Modules;
use crate::finding::{Counts, Unreadable};
use crate::lang::Frontend;
use crate::lang::javascript::modules::JsModules;
use crate::lang::javascript::{JavaScript, QueryError};
use crate::lang::json;
use crate::lang::rust::Rust;
use crate::lang::rust::modules::RustModules;
use crate::link::{Files, Unit};
use crate::settings::Settings;
use crate::span::FileId;
use crate::walk::{Entry, full};

/// How many files outside the named paths are followed at most.
const MOST_OUTSIDE: usize = 20_000;

/// The languages that are read.
pub(super) struct Languages {
    javascript: JavaScript,
    rust: Rust,
}

impl Languages {
    /// All of them.
    pub(super) fn new() -> Result<Self, QueryError> {
        Ok(Self { javascript: JavaScript::new()?, rust: Rust })
    }

    fn all(&self) -> [&dyn Frontend; 2] {
        [&self.javascript, &self.rust]
    }

    fn of(&self, extension: &str) -> Option<usize> {
        self.all().iter().position(|frontend| frontend.extensions().contains(&extension))
    }
}

impl crate::walk::Languages for Languages {
    fn reads(&self, extension: &str) -> bool {
        self.of(extension).is_some()
    }

    fn interpreter(&self, name: &str) -> Option<&'static str> {
        let by = self.all().into_iter().find(|frontend| frontend.interpreters().contains(&name))?;
        by.extensions().first().copied()
    }
}

/// One file.
struct Slot {
    path: PathBuf,
    shown: Arc<str>,
    extension: String,
    language: usize,
    counted: bool,
    unit: OnceLock<Option<Unit>>,
    words: OnceLock<Box<[u32]>>,
}

/// What the first reading of a file says.
#[derive(Default)]
struct Glance {
    triggered: bool,
    mentions: Vec<Box<str>>,
    passes_on: bool,
    reason: Option<String>,
    generated: bool,
}

/// The files of one scan.
pub(super) struct Tree<'a> {
    languages: &'a Languages,
    modules: Vec<Box<dyn Modules + 'a>>,
    slots: Vec<Slot>,
    outside: Vec<OnceLock<Slot>>,
    known: Mutex<FxHashMap<PathBuf, FileId>>,
    glances: Vec<Glance>,
    /// Files by what they mention.
    mentioned: FxHashMap<Box<str>, Vec<u32>>,
    fences: Vec<PathBuf>,
    closures: Mutex<FxHashMap<(FileId, bool), Arc<[FileId]>>>,
}

impl<'a> Tree<'a> {
    /// Reads every file once.
    pub(super) fn new(settings: &Settings, languages: &'a Languages, catalog: &Catalog, entries: Vec<Entry>) -> Self {
        let triggers: Vec<Option<AhoCorasick>> =
            languages.all().iter().map(|frontend| AhoCorasick::new(catalog.triggers(frontend.family())).ok()).collect();
        let slots: Vec<Slot> = entries.into_iter().filter_map(|entry| slot(languages, entry)).collect();
        let glances: Vec<Glance> =
            slots.par_iter().map(|slot| glance(languages, triggers[slot.language].as_ref(), slot, settings.generated)).collect();
        let mut mentioned: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
        for (at, glance) in glances.iter().enumerate() {
            for stem in &glance.mentions {
                mentioned.entry(stem.clone()).or_default().push(at as u32);
            }
        }
        let known = slots.iter().enumerate().map(|(at, slot)| (full(&slot.path), FileId(at as u32))).collect();
        Self {
            languages,
            modules: vec![Box::new(JsModules::new(&settings.roots)), Box::new(RustModules::new(&settings.roots))],
            outside: (0..MOST_OUTSIDE).map(|_| OnceLock::new()).collect(),
            slots,
            known: Mutex::new(known),
            glances,
            mentioned,
            fences: settings.roots.iter().map(|root| fence(root)).collect(),
            closures: Mutex::default(),
        }
    }

    /// The files that hold a trigger word.
    pub(super) fn triggered(&self) -> Vec<FileId> {
        let hit = self.glances.iter().enumerate().filter(|(_, glance)| glance.triggered && !glance.generated);
        hit.map(|(at, _)| FileId(at as u32)).collect()
    }

    /// Adds what was read and what could not be; gives the files that take part.
    pub(super) fn count(&self, counts: &mut Counts, unreadable: &mut Vec<Unreadable>) -> Vec<Arc<str>> {
        let mut files = Vec::new();
        for (slot, glance) in self.slots.iter().zip(&self.glances) {
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

    fn slot(&self, file: FileId) -> Option<&Slot> {
        let at = file.0 as usize;
        self.slots.get(at).or_else(|| self.outside.get(at - self.slots.len())?.get())
    }

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

    fn direct(&self, file: FileId) -> Vec<FileId> {
        let family = self.slot(file).map(|slot| slot.language);
        let mut found: Vec<FileId> = Vec::new();
        for stem in self.stems(file) {
            for at in self.mentioned.get(&stem).map_or(&[][..], Vec::as_slice) {
                let other = FileId(*at);
                if other != file && self.slot(other).map(|slot| slot.language) == family && !self.glances[*at as usize].generated
                {
                    found.push(other);
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The files that import a file, also through others that pass it on; sorted by path.
    fn closure(&self, home: FileId, far: bool) -> Arc<[FileId]> {
        if let Some(known) = self.closures.lock().ok().and_then(|closures| closures.get(&(home, far)).cloned()) {
            return known;
        }
        let mut seen: FxHashSet<FileId> = [home].into_iter().collect();
        let mut frontier = vec![(home, 0)];
        while let Some((file, depth)) = frontier.pop() {
            for other in self.direct(file) {
                let passes = self.glances.get(other.0 as usize).is_some_and(|glance| glance.passes_on);
                if seen.insert(other) && (passes || far && depth < 1) {
                    frontier.push((other, if passes { depth } else { depth + 1 }));
                }
            }
        }
        let mut found: Vec<FileId> = seen.into_iter().collect();
        found.sort_by(|a, b| self.path(*a).cmp(self.path(*b)));
        let found: Arc<[FileId]> = found.into();
        if let Ok(mut closures) = self.closures.lock() {
            closures.insert((home, far), found.clone());
        }
        found
    }

    fn holds_word(&self, file: FileId, word: &str) -> bool {
        let Some(slot) = self.slot(file) else { return false };
        let words = slot.words.get_or_init(|| {
            let bytes = std::fs::read(&slot.path).unwrap_or_default();
            let mut words: Vec<u32> = words_of(&bytes).map(hash).collect();
            words.sort_unstable();
            words.dedup();
            words.into()
        });
        words.binary_search(&hash(word.trim_start_matches('#').as_bytes())).is_ok()
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
                    self.languages.all()[slot.language].lower(&slot.extension, &text)
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

    fn is_counted(&self, file: FileId) -> bool {
        self.slot(file).is_some_and(|slot| slot.counted)
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
        let shown = path.strip_prefix(full(Path::new("."))).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let slot = Slot {
            path: path.clone(),
            shown: shown.into(),
            extension,
            language,
            counted: false,
            unit: OnceLock::new(),
            words: OnceLock::new(),
        };
        place.set(slot).ok()?;
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
        self.direct(home)
    }

    fn candidates(&self, home: FileId, word: Option<&str>, far: bool) -> Vec<FileId> {
        let closure = self.closure(home, far);
        let is_it = |file: &&FileId| **file == home || word.is_none_or(|word| self.holds_word(**file, word));
        closure.iter().filter(is_it).copied().collect()
    }
}

fn slot(languages: &Languages, entry: Entry) -> Option<Slot> {
    let language = languages.of(&entry.extension)?;
    Some(Slot {
        path: entry.path,
        shown: entry.shown.into(),
        extension: entry.extension,
        language,
        counted: true,
        unit: OnceLock::new(),
        words: OnceLock::new(),
    })
}

/// Reads a file once: does it hold a trigger word, and what does it mention?
fn glance(languages: &Languages, triggers: Option<&AhoCorasick>, slot: &Slot, keep_generated: bool) -> Glance {
    let bytes = match std::fs::read(&slot.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let reason = if error.kind() == std::io::ErrorKind::PermissionDenied {
                "permission denied".to_owned()
            } else {
                error.to_string()
            };
            return Glance { reason: Some(reason), ..Glance::default() };
        }
    };
    let mut seen = Glance { generated: !keep_generated && is_generated(&bytes), ..Glance::default() };
    if let Some(triggers) = triggers {
        seen.triggered = triggers.find_overlapping_iter(&bytes).any(|hit| whole_word(&bytes, hit.start(), hit.end()));
    }
    languages.all()[slot.language].mentions(&bytes, &mut |mention| add_stems(slot, mention, &mut seen.mentions));
    seen.mentions.sort();
    seen.mentions.dedup();
    let has = |word: &str| memchr_find(&bytes, word.as_bytes());
    seen.passes_on =
        has("export *") || has("export {") || has("export{") || has("module.exports") || has("exports.") || has("pub use");
    seen
}

/// The last parts of a module path, under which its file may be known.
fn add_stems(slot: &Slot, mention: &str, stems: &mut Vec<Box<str>>) {
    if mention.contains("::") || slot.extension == "rs" {
        stems.extend(
            mention
                .split("::")
                .filter(|part| !matches!(*part, "" | "crate" | "self" | "super" | "std" | "core" | "alloc"))
                .map(Into::into),
        );
        return;
    }
    let clean = mention.split(['?', '#']).next().unwrap_or(mention).trim_end_matches('/');
    let last = clean.rsplit('/').next().unwrap_or(clean);
    if matches!(last, "." | "..") {
        let up = clean.split('/').filter(|part| *part == "..").count();
        let folder = slot.path.ancestors().nth(up + 1).and_then(Path::file_name);
        stems.extend(folder.map(|name| name.to_string_lossy().into_owned().into()));
        return;
    }
    let stem = last.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(last);
    stems.push(stem.into());
    if stem == "index" {
        stems.extend(clean.rsplit('/').nth(1).map(Into::into));
    }
}

/// Whether a hit that is made of letters stands alone.
fn whole_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    !(is_word(bytes.get(start)) && is_word(before))
        && !(is_word(end.checked_sub(1).and_then(|at| bytes.get(at))) && is_word(bytes.get(end)))
}

fn memchr_find(bytes: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(bytes, word).is_some()
}

/// Whether a file says that it is generated, or is minified.
fn is_generated(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(600)];
    if memchr_find(head, b"@generated") || memchr_find(head, b"DO NOT EDIT") {
        return true;
    }
    if bytes.len() < 20_000 {
        return false;
    }
    let lines = memchr::memchr_iter(b'\n', bytes).count() + 1;
    bytes.len() / lines > 400
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80))
        .filter(|word| !word.is_empty())
}

fn hash(word: &[u8]) -> u32 {
    word.iter().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The folder that imports may not leave: the repository's, else the named path's parent.
fn fence(root: &Path) -> PathBuf {
    let root = full(root);
    let repository = root.ancestors().find(|folder| folder.join(".git").exists());
    repository.map(Path::to_path_buf).or_else(|| root.parent().map(Path::to_path_buf)).unwrap_or(root)
}
