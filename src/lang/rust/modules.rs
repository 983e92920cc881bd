//! What module paths mean in Rust: files of the crate, crates of the workspace, packages from elsewhere.
//!
//! In: the path of the file that asks, and a path as written (`crate::a::b`, `super::x`, `reqwest::blocking`, `path:FILE`). Out: a file
//! or a package. Modules are found by where files stand, as rustc does it, and not by reading `mod` declarations; a path that
//! goes on inside a file (an item, a module written in place) is [`Resolved::Missing`], and the caller asks again for less.
//! Manifests and lock files are read once each; nothing outside them and no `cargo` process is asked.

mod above;
mod layout;
mod lock;
mod manifest;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use self::layout::Place;
use self::lock::Lock;
use self::manifest::{Dependency, Manifest};
use crate::facts::{Mentioned, Modules, Program, Resolved};

/// Crates and modules of the scanned tree. Shared by all threads; everything read is kept.
#[derive(Debug)]
pub struct RustModules {
    roots: Vec<PathBuf>,
    manifests: Kept<Manifest>,
    locks: Kept<Lock>,
    files: RwLock<FxHashMap<PathBuf, bool>>,
    packages: Kept<Manifest>,
    workspaces: Kept<Manifest>,
    aliases: Kept<Vec<(String, String)>>,
    /// Crate names of code, by the package's folder.
    crates: RwLock<FxHashMap<(PathBuf, String), (Named, bool)>>,
    members: RwLock<FxHashMap<PathBuf, Arc<Vec<Arc<Manifest>>>>>,
    places: RwLock<FxHashMap<PathBuf, Place>>,
}

/// What was found in each folder.
type Kept<T> = RwLock<FxHashMap<PathBuf, Option<Arc<T>>>>;

impl RustModules {
    /// `roots` are the scanned folders; above them manifests are looked for as far as the repository goes.
    pub fn new(roots: &[PathBuf]) -> Self {
        Self {
            roots: roots.to_vec(),
            manifests: RwLock::default(),
            locks: RwLock::default(),
            files: RwLock::default(),
            packages: RwLock::default(),
            workspaces: RwLock::default(),
            aliases: RwLock::default(),
            crates: RwLock::default(),
            members: RwLock::default(),
            places: RwLock::default(),
        }
    }

    fn manifest(&self, folder: &Path) -> Option<Arc<Manifest>> {
        kept(&self.manifests, folder, Manifest::read)
    }

    fn lock(&self, folder: &Path) -> Option<Arc<Lock>> {
        let inside = || folders_up(folder).find_map(|folder| kept(&self.locks, folder, Lock::read));
        inside().or_else(|| above::folders(folder).into_iter().find_map(|folder| kept(&self.locks, &folder, Lock::read)))
    }

    fn is_file(&self, path: &Path) -> bool {
        if let Some(known) = self.files.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return *known;
        }
        let is = path.is_file();
        self.files.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), is);
        is
    }

    /// The nearest manifest that describes a package.
    fn package(&self, file: &Path) -> Option<Arc<Manifest>> {
        let folder = file.parent()?;
        if let Some(known) = self.packages.read().unwrap_or_else(PoisonError::into_inner).get(folder) {
            return known.clone();
        }
        let mut manifests = folders_up(folder).filter_map(|folder| self.manifest(folder));
        let found = manifests.find(|manifest| manifest.package.is_some());
        self.packages.write().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned(), found.clone());
        found
    }

    /// The manifest of the workspace that a package belongs to.
    fn workspace(&self, package: &Manifest) -> Option<Arc<Manifest>> {
        if let Some(known) = self.workspaces.read().unwrap_or_else(PoisonError::into_inner).get(&package.folder) {
            return known.clone();
        }
        let folders = folders_up(&package.folder);
        let found = folders.filter_map(|folder| self.manifest(folder)).find(|manifest| {
            manifest.workspace.as_ref().is_some_and(|workspace| {
                manifest.folder == package.folder || !workspace.excludes(&manifest.folder, &package.folder)
            })
        });
        self.workspaces.write().unwrap_or_else(PoisonError::into_inner).insert(package.folder.clone(), found.clone());
        found
    }

    /// The packages of a workspace.
    fn members(&self, workspace: &Manifest) -> Arc<Vec<Arc<Manifest>>> {
        if let Some(known) = self.members.read().unwrap_or_else(PoisonError::into_inner).get(&workspace.folder) {
            return known.clone();
        }
        let folders = workspace.workspace.as_ref().map(|of| of.member_folders(&workspace.folder)).unwrap_or_default();
        let all: Vec<Arc<Manifest>> = folders
            .iter()
            .map(PathBuf::as_path)
            .chain([workspace.folder.as_path()])
            .filter_map(|folder| self.manifest(folder))
            .filter(|manifest| manifest.package.is_some())
            .collect();
        let all = Arc::new(all);
        self.members.write().unwrap_or_else(PoisonError::into_inner).insert(workspace.folder.clone(), all.clone());
        all
    }

    /// The first dependency of a package that matches, with what the workspace says about it.
    fn dependency(&self, package: &Manifest, matches: impl Fn(&Dependency) -> bool) -> Option<Dependency> {
        package.dependencies.iter().filter_map(|found| self.inherited(package, found)).find(|found| matches(found))
    }

    fn inherited(&self, package: &Manifest, found: &Dependency) -> Option<Dependency> {
        if !found.from_workspace {
            return Some(found.clone());
        }
        if let Some(workspace) = self.workspace(package) {
            return workspace.workspace.as_ref()?.dependencies.iter().find(|shared| shared.key == found.key).cloned();
        }
        // What lies above where the command runs says which versions there are, not which files.
        above::folders(&package.folder).iter().find_map(|folder| {
            let workspace = self.manifest(folder)?;
            let shared = workspace.workspace.as_ref()?.dependencies.iter().find(|shared| shared.key == found.key)?;
            Some(Dependency { folder: None, ..shared.clone() })
        })
    }

    /// The package that a crate name of the code stands for: another one of the tree, or one from elsewhere.
    fn crate_named(&self, from: &Path, word: &str) -> Named {
        let Some(package) = self.package(from) else {
            let lock = from.parent().and_then(|folder| self.lock(folder));
            return Named::Elsewhere(lock.and_then(|lock| lock.spelled(word)).unwrap_or_else(|| word.to_owned()));
        };
        self.crate_of(&package, word).0
    }

    /// What a crate name stands for in the code of a package, and whether the package depends on it.
    fn crate_of(&self, package: &Arc<Manifest>, word: &str) -> (Named, bool) {
        let key = (package.folder.clone(), word.to_owned());
        if let Some(known) = self.crates.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let depends = self.dependency(package, |dependency| same_crate(&dependency.key, word)).is_some();
        let found = (self.find_crate(package, word), depends);
        self.crates.write().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
        found
    }

    fn find_crate(&self, package: &Arc<Manifest>, word: &str) -> Named {
        let dependency = self.dependency(package, |dependency| same_crate(&dependency.key, word));
        if let Some(folder) = dependency.as_ref().and_then(|dependency| dependency.folder.as_ref())
            && let Some(manifest) = self.manifest(folder)
        {
            return Named::Here(manifest);
        }
        let name = dependency.as_ref().map_or(word, |dependency| dependency.package.as_str());
        if package.crate_name().is_some_and(|own| same_crate(&own, word)) {
            return Named::Here(package.clone());
        }
        let members = self.workspace(package).map(|workspace| self.members(&workspace));
        let named = |member: &&Arc<Manifest>| {
            member.package.as_deref().is_some_and(|own| same_crate(own, name))
                || dependency.is_none() && member.crate_name().is_some_and(|own| same_crate(&own, name))
        };
        if let Some(member) = members.iter().flat_map(|all| all.iter()).find(named) {
            return Named::Here(member.clone());
        }
        if dependency.is_some() {
            return Named::Elsewhere(name.to_owned());
        }
        Named::Elsewhere(self.lock(&package.folder).and_then(|lock| lock.spelled(word)).unwrap_or_else(|| word.to_owned()))
    }

    fn place(&self, file: &Path) -> Place {
        if let Some(known) = self.places.read().unwrap_or_else(PoisonError::into_inner).get(file) {
            return known.clone();
        }
        let place = Place::of(file, self.package(file).as_deref(), &self.roots, &|path| self.is_file(path));
        self.places.write().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned(), place.clone());
        place
    }

    fn file_of(&self, place: &Place) -> Resolved {
        place.file(&|path| self.is_file(path)).map_or(Resolved::Missing, Resolved::File)
    }

    /// `a::b` whose first name is neither `crate`, `self` nor `super`.
    fn resolve_plain(&self, from: &Path, path: &str, only_crates: bool) -> Resolved {
        let (first, inner) = path.split_once("::").unwrap_or((path, ""));
        if matches!(first, "std" | "core" | "alloc") {
            return Resolved::Package { name: "std".to_owned(), inner: inner.to_owned() };
        }
        let place = self.place(from);
        if !only_crates && place.child(first).file(&|path| self.is_file(path)).is_some() {
            return self.file_of(&place.walk(path));
        }
        match self.crate_named(from, first) {
            Named::Here(manifest) => match manifest.root(&|path| self.is_file(path)) {
                Some(root) => self.file_of(&Place::root(&root).walk(inner)),
                None => Resolved::Missing,
            },
            // In the edition of 2015 plain paths begin at the crate.
            Named::Elsewhere(_)
                if !only_crates
                    && self.begins_at_crate(from, first)
                    && place.top().child(first).file(&|path| self.is_file(path)).is_some() =>
            {
                self.file_of(&place.top().walk(path))
            }
            Named::Elsewhere(name) => Resolved::Package { name, inner: inner.to_owned() },
        }
    }
}

impl RustModules {
    /// Whether a plain path may begin at the crate: its first name is none of the package's dependencies.
    fn begins_at_crate(&self, from: &Path, first: &str) -> bool {
        self.package(from).is_some() && !self.depends(from, first)
    }

    /// Whether a name is that of a dependency of a file's package.
    fn depends(&self, from: &Path, first: &str) -> bool {
        self.package(from).is_some_and(|package| self.crate_of(&package, first).1)
    }

    /// A path from the crate's root on. Where no manifest says where that is, and no file stands there, it may be any folder around.
    fn below_root(&self, from: &Path, path: &str) -> Resolved {
        let found = self.file_of(&self.place(from).top().walk(path));
        if !matches!(found, Resolved::Missing) || path.is_empty() || self.package(from).is_some() {
            return found;
        }
        let scanned = |folder: &&Path| self.roots.iter().any(|root| folder.starts_with(root));
        let around = from.parent().into_iter().flat_map(Path::ancestors).take_while(scanned);
        let mut found = around.map(|folder| self.file_of(&Place::folder(folder).walk(path)));
        found.find(|found| !matches!(found, Resolved::Missing)).unwrap_or(Resolved::Missing)
    }
}

/// What a crate name stands for.
#[derive(Debug, Clone)]
enum Named {
    Here(Arc<Manifest>),
    Elsewhere(String),
}

impl Modules for RustModules {
    fn nest(&self) -> bool {
        true
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn resolve(&self, from: &Path, module: &str) -> Resolved {
        if let Some(file) = module.strip_prefix("path:") {
            let path = layout::tidy(&from.parent().unwrap_or(Path::new("")).join(file));
            return if self.is_file(&path) { Resolved::File(path) } else { Resolved::Missing };
        }
        if let Some(rest) = module.strip_prefix("::") {
            return self.resolve_plain(from, rest, true);
        }
        let (first, rest) = module.split_once("::").unwrap_or((module, ""));
        match first {
            "crate" | "$crate" => self.below_root(from, rest),
            "self" => {
                let place = self.place(from);
                match self.file_of(&place.walk(rest)) {
                    // A file named by `#[path]` has its children beside it.
                    Resolved::Missing if !rest.is_empty() => match self.file_of(&place.beside(from).walk(rest)) {
                        Resolved::File(file) if file == from => Resolved::Missing,
                        found => found,
                    },
                    found => found,
                }
            }
            "super" => self.place(from).walk(module).file(&|path| self.is_file(path)).map_or(Resolved::Missing, Resolved::File),
            _ => self.resolve_plain(from, module, false),
        }
    }

    fn mentioned(&self, from: &Path, module: &str) -> Mentioned {
        let first = module.trim_start_matches("::").split("::").next().unwrap_or_default();
        // Types are mentioned where they are imported; `super` may stand in a module that is written in place.
        if first.starts_with(|letter: char| letter.is_ascii_uppercase()) || matches!(first, "std" | "core" | "alloc") {
            return Mentioned::Elsewhere;
        }
        let mut path = module;
        loop {
            match self.resolve(from, path) {
                Resolved::File(file) if !module.starts_with("super") => return Mentioned::File(file),
                Resolved::Package { .. } if self.depends(from, first) => return Mentioned::Elsewhere,
                Resolved::File(file) => return Mentioned::Unclear(Some(file)),
                Resolved::Package { .. } => return Mentioned::Unclear(None),
                Resolved::Missing => match path.rsplit_once("::") {
                    Some((shorter, _)) if !shorter.is_empty() => path = shorter,
                    _ => return Mentioned::Unclear(None),
                },
            }
        }
    }

    fn join(&self, module: &str, name: &str) -> Option<String> {
        (!module.starts_with("path:")).then(|| format!("{module}::{name}"))
    }

    fn version(&self, from: &Path, package: &str) -> Option<String> {
        let manifest = self.package(from);
        let wanted = manifest.as_ref().and_then(|manifest| {
            let dependency = self.dependency(manifest, |dependency| {
                same_crate(&dependency.package, package) || same_crate(&dependency.key, package)
            });
            dependency?.requirement
        });
        let folder = manifest.as_ref().map(|manifest| manifest.folder.as_path()).or_else(|| from.parent())?;
        let locked = self.lock(folder).and_then(|lock| lock.version(package, wanted.as_deref()));
        locked.or_else(|| wanted.map(|wanted| lock::range(&wanted)))
    }

    fn relies_on(&self, from: &Path, package: &str, is_one: &dyn Fn(&str) -> bool) -> bool {
        let lock = from.parent().and_then(|folder| self.lock(folder));
        lock.is_some_and(|lock| lock.needs(package).iter().any(|need| is_one(need)))
    }

    fn aliases(&self, file: &Path) -> Vec<(String, String)> {
        let Some(package) = self.package(file) else { return Vec::new() };
        let found = kept(&self.aliases, &package.folder, |_| {
            let renamed = package.dependencies.iter().filter_map(|found| self.inherited(&package, found));
            let renamed = renamed.filter(|dependency| !same_crate(&dependency.key, &dependency.package));
            Some(renamed.map(|dependency| (dependency.key.replace('-', "_"), dependency.package.replace('-', "_"))).collect())
        });
        found.map(|found| found.to_vec()).unwrap_or_default()
    }

    fn sees_private(&self, from: &Path, home: &Path) -> bool {
        if from.is_absolute() == home.is_absolute() {
            return from == home || self.place(from).is_inside(&self.place(home));
        }
        // Files outside of the named folders go by their whole paths.
        let whole = |path: &Path| std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| layout::tidy(&path));
        self.sees_private(&whole(from), &whole(home))
    }

    fn package_of(&self, file: &Path) -> Option<String> {
        self.package(file)?.package.clone()
    }

    fn program_of(&self, file: &Path) -> Option<Program> {
        let package = self.package(file)?;
        let runs = package.has_program || self.is_file(&package.folder.join("src/main.rs"));
        let name = package.package.clone()?;
        runs.then(|| Program { name, manifest: package.folder.join("Cargo.toml"), entry: None })
    }
}

/// Crate names are compared as code writes them.
fn same_crate(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one.bytes().zip(other.bytes()).all(|(a, b)| a == b || matches!((a, b), (b'-', b'_') | (b'_', b'-')))
}

/// A folder and those around it, up to the one that holds the repository.
fn folders_up(folder: &Path) -> impl Iterator<Item = &Path> {
    let mut done = false;
    folder.ancestors().take_while(move |folder| {
        let go_on = !done;
        done |= folder.join(".git").exists();
        go_on
    })
}

fn kept<T>(all: &Kept<T>, folder: &Path, read: impl FnOnce(&Path) -> Option<T>) -> Option<Arc<T>> {
    if let Some(known) = all.read().unwrap_or_else(PoisonError::into_inner).get(folder) {
        return known.clone();
    }
    let found = read(folder).map(Arc::new);
    all.write().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned(), found.clone());
    found
}
