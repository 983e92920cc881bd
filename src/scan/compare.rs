//! Two audits, of now and of then.
//!
//! In: settings, and which trees to audit. Out: the audit of now, of the folder or of what is staged, and the one of a revision. Earlier
//! trees are written into a temporary folder and audited there as if it were the repository's: same paths, same settings. The limits that
//! a tree's own configuration declares hold for it; all else that the configuration says is taken from now.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Observer, ScanError, catalog, conduct, export};
use crate::catalog::Catalog;
use crate::config;
use crate::finding::Outcome;
use crate::gate::Then;
use crate::history::{History, Listing, Written, renames};
use crate::link::Files;
use crate::settings::{Settings, full};

/// Which trees are audited.
#[derive(Debug, Clone, Default)]
pub struct Trees {
    /// The revision to compare with.
    pub since: Option<String>,
    /// What is staged, in place of what lies in the folder.
    pub staged: bool,
    /// Compare with the last commit, if there is one.
    pub head: bool,
    /// Whether each call of now is told whose it is and whom it calls.
    pub services: bool,
}

/// The audits.
pub struct Compared {
    /// What is found now.
    pub now: Audited,
    /// What was found then.
    pub then: Option<Then>,
}

/// An audit, and where its files are.
pub struct Audited {
    /// What was found.
    pub outcome: Outcome,
    /// With which settings; their paths lead to the files that were audited.
    pub settings: Settings,
    /// The files that took part, from the repository's folder on, with the path that is opened.
    pub files: BTreeMap<String, PathBuf>,
    /// Shown paths, with the path that is opened.
    pub opened: BTreeMap<String, PathBuf>,
    /// The repository's folder, or the temporary one in its place.
    pub folder: Option<PathBuf>,
    /// Keeps the temporary folder.
    written: Option<Written>,
    /// The folder that it stands for.
    origin: Option<PathBuf>,
}

impl Audited {
    /// Whether there is a file of that path, from the repository's folder on.
    pub fn exists(&self, path: &str) -> bool {
        let folder = self.folder.as_deref().unwrap_or(&self.settings.base);
        folder.join(path).exists()
    }

    /// The file that is audited in place of one of the repository's folder, if another tree is.
    pub fn instead_of(&self, file: &Path) -> Option<PathBuf> {
        let written = self.written.as_ref()?;
        Some(written.folder().join(file.strip_prefix(self.origin.as_ref()?).ok()?))
    }
}

/// Audits the trees.
///
/// # Errors
///
/// An audit that cannot run, or a tree that cannot be read.
pub fn compare(settings: &Settings, trees: &Trees, observer: &dyn Observer) -> Result<Compared, ScanError> {
    let Trees { since, staged, head, services } = trees;
    let catalog = catalog(settings)?;
    if since.is_none() && !staged {
        return Ok(Compared { now: audited(settings.clone(), &catalog, None, *services, observer)?, then: None });
    }
    let history = History::of(&settings.roots).map_err(ScanError::History)?;
    let head = (*head && history.has_commit()).then_some("HEAD");
    let before = since.as_deref().or(head).map(|revision| history.at(revision)).transpose().map_err(ScanError::History)?;
    let index = staged.then(|| history.staged()).transpose().map_err(ScanError::History)?;
    let now = match &index {
        Some(index) => audit_listing(settings, &catalog, &history, index, *services, observer)?,
        None => audited(settings.clone(), &catalog, None, *services, observer)?,
    };
    let Some(before) = before else { return Ok(Compared { now, then: None }) };
    let what = before.what().to_owned();
    let scanned: Vec<PathBuf> = now.files.values().map(|path| full(path)).collect();
    let unchanged = match &index {
        Some(index) => before.is(index),
        None => before.is_as_in(history.folder(), &scanned),
    };
    if unchanged {
        let then = Then { what, outcome: now.outcome.clone(), names: BTreeMap::new() };
        return Ok(Compared { now, then: Some(then) });
    }
    let old = audit_listing(settings, &catalog, &history, &before, false, observer)?;
    let names = names(&old, &now, &before, index.as_ref());
    Ok(Compared { now, then: Some(Then { what, outcome: old.outcome, names }) })
}

fn audit_listing(
    settings: &Settings,
    catalog: &Catalog,
    history: &History,
    listing: &Listing,
    services: bool,
    observer: &dyn Observer,
) -> Result<Audited, ScanError> {
    let written = listing.write().map_err(ScanError::History)?;
    let settings = moved(settings, history.folder(), written.folder());
    if settings.roots.is_empty() {
        return Ok(Audited {
            outcome: Outcome::default(),
            folder: Some(written.folder().to_path_buf()),
            settings,
            files: BTreeMap::new(),
            opened: BTreeMap::new(),
            written: Some(written),
            origin: Some(history.folder().to_path_buf()),
        });
    }
    let audited = audited(settings, catalog, Some(written), services, observer)?;
    Ok(Audited { origin: Some(history.folder().to_path_buf()), ..audited })
}

fn audited(
    settings: Settings,
    catalog: &Catalog,
    written: Option<Written>,
    services: bool,
    observer: &dyn Observer,
) -> Result<Audited, ScanError> {
    let (outcome, files, opened, folder) = conduct(&settings, catalog, observer, |tree, _, mut outcome| {
        // Where there is a deadline the conductor has told them.
        if services && settings.deadline.is_none() {
            export::tell_services(tree, &settings, &mut outcome.sites)?;
        }
        let opened: BTreeMap<String, PathBuf> =
            outcome.files.iter().filter_map(|shown| Some((shown.to_string(), tree.opened(shown)?))).collect();
        let files = opened.iter().map(|(shown, path)| (tree.rooted(shown), path.clone())).collect();
        Ok((outcome, files, opened, tree.anchor()))
    })??;
    Ok(Audited { outcome, settings, files, opened, folder, written, origin: None })
}

/// The settings for the same audit in another folder. Named paths that are not there are left out.
fn moved(settings: &Settings, from: &Path, to: &Path) -> Settings {
    let there = |path: &Path| full(path).strip_prefix(from).map_or_else(|_| path.to_path_buf(), |below| to.join(below));
    let mut moved = settings.clone();
    moved.base = there(&settings.base);
    moved.roots = settings.roots.iter().map(|root| there(root)).filter(|root| root.exists()).collect();
    moved.home = settings.home.as_deref().map(there);
    if let Some(home) = moved.home.clone() {
        let patterns = [&mut moved.included, &mut moved.excluded].into_iter();
        let patterns = patterns.chain(moved.overrides.iter_mut().map(|part| &mut part.paths));
        let patterns = patterns.chain(moved.wrappers.iter_mut().map(|wrapper| &mut wrapper.paths));
        let patterns = patterns.chain(moved.limits.iter_mut().map(|limit| &mut limit.paths));
        let patterns = patterns.chain(moved.gate.floors.iter_mut().map(|floor| &mut floor.paths));
        patterns.for_each(|globs| *globs = globs.below(&home));
    }
    declare(settings, &mut moved);
    moved
}

/// Takes the declared limits from the tree that is audited, if it has a configuration that can be read.
fn declare(settings: &Settings, moved: &mut Settings) {
    let name = settings.config.clone().unwrap_or_else(|| config::NAME.to_owned());
    let beside = moved.home.as_ref().map(|home| home.join(Path::new(&name).file_name().unwrap_or_default()));
    let file = beside.or_else(|| config::find(&moved.roots).ok().flatten());
    let text = file.as_ref().filter(|_| !settings.unconfigured).and_then(|file| std::fs::read_to_string(file).ok());
    if let (Some(home), Some(text)) = (file.as_ref().and_then(|file| file.parent()), text) {
        let mut own = Settings::default();
        if config::read_text(&text, &name, home, &mut own).is_ok() {
            moved.limits = own.limits;
        }
    }
}

/// The files that go by another name now.
fn names(old: &Audited, now: &Audited, before: &Listing, index: Option<&Listing>) -> BTreeMap<String, String> {
    let listed: BTreeSet<&str> = before.paths().collect();
    let staged: Option<BTreeSet<&str>> = index.map(|index| index.paths().collect());
    let is_gone = |path: &str| staged.as_ref().map_or_else(|| !now.exists(path), |staged| !staged.contains(path));
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let pick = |files: &BTreeMap<String, PathBuf>, wanted: &dyn Fn(&str) -> bool| -> Vec<(String, String)> {
        files.iter().filter(|(path, _)| wanted(path)).map(|(path, opened)| (path.clone(), text(opened))).collect()
    };
    renames(&pick(&old.files, &|path| is_gone(path)), &pick(&now.files, &|path| !listed.contains(path)))
}
