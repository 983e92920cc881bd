//! What module paths mean in JavaScript, and which version of a package is used.
//!
//! In: the path of a file and a module as written there. Out: a file of the repository, or the name of a package. Packages are
//! never followed into `node_modules`. A manifest, `tsconfig.json` or lock file that cannot be read is as if it were not there.

mod entry;
mod files;
mod folders;
mod lock;
mod manifest;
mod needs;
mod pnpm;
mod specifier;
mod tsconfig;
mod version;
mod workspace;
mod yaml;
mod yarn;

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

use self::files::Files;
use self::folders::{Folders, Memo};
use self::lock::Lock;
use self::manifest::Manifest;
use self::needs::Needs;
use self::specifier::Specifier;
use self::tsconfig::Tsconfig;
use self::workspace::Workspace;
use crate::facts::{Modules, Program, Resolved};

/// What JavaScript knows about modules and packages. It reads the file system, remembers what it read, and is shared by all
/// threads.
pub struct JsModules {
    folders: Folders,
    files: Files,
    manifests: Memo<Option<Manifest>>,
    tsconfigs: Memo<Option<Tsconfig>>,
    workspaces: Memo<Option<Workspace>>,
    locks: Memo<Option<Lock>>,
    needs: Memo<Option<Needs>>,
    resolved: RwLock<FxHashMap<PathBuf, FxHashMap<Box<str>, Resolved>>>,
}

impl JsModules {
    /// Prepares to resolve modules of files below `roots`. Manifests are looked for upward as far as the repository that holds
    /// a root reaches. Relative paths are taken from the current folder; answers are absolute.
    pub fn new(roots: &[PathBuf]) -> Self {
        Self {
            folders: Folders::new(roots),
            files: Files::default(),
            manifests: Memo::default(),
            tsconfigs: Memo::default(),
            workspaces: Memo::default(),
            locks: Memo::default(),
            needs: Memo::default(),
            resolved: RwLock::default(),
        }
    }

    fn resolve_in(&self, folder: &Path, module: &str) -> Resolved {
        match Specifier::new(module) {
            Specifier::Path(path) => self.file(folder, path).map_or(Resolved::Missing, Resolved::File),
            Specifier::Imports(path) => {
                self.configured(folder, path).or_else(|| self.own_import(folder, path)).map_or(Resolved::Missing, Resolved::File)
            }
            Specifier::Alias(path) => {
                self.configured(folder, path).or_else(|| self.usual_alias(folder, path)).map_or(Resolved::Missing, Resolved::File)
            }
            Specifier::Package { name, inner, local: true } => self.package(folder, module, name, inner),
            Specifier::Package { name, inner, local: false } => package(name, inner),
            Specifier::Unknown => self.configured(folder, module).map_or(Resolved::Missing, Resolved::File),
        }
    }

    /// A bare path: an alias, a package of the repository, or a package from elsewhere.
    fn package(&self, folder: &Path, module: &str, name: &str, inner: &str) -> Resolved {
        let local = self.configured(folder, module).or_else(|| {
            let home = self.local_package(folder, name)?;
            self.entry(&home, inner)
        });
        if let Some(file) = local {
            return Resolved::File(file);
        }
        match self.declared(folder, name).as_deref().and_then(|range| range.strip_prefix("npm:")) {
            Some(real) => package(specifier::without_version(real), inner),
            None => package(name, inner),
        }
    }

    /// A file of the repository by a path.
    fn file(&self, folder: &Path, path: &str) -> Option<PathBuf> {
        self.files.find(folder, path)
    }

    fn manifest(&self, folder: &Path) -> Option<std::sync::Arc<Option<Manifest>>> {
        Some(self.manifests.get(folder, || Manifest::read(folder))).filter(|manifest| manifest.is_some())
    }

    /// What `@/x`, `~/x` and `$lib/x` mean where no configuration says.
    fn usual_alias(&self, folder: &Path, path: &str) -> Option<PathBuf> {
        let (alias, rest) = path.split_once('/')?;
        let home = self.folders.upward(folder).find(|folder| self.manifest(folder).is_some())?;
        let below: &[&str] = if alias == "$lib" { &["src/lib"] } else { &["src", "app", "."] };
        below.iter().find_map(|below| self.file(&home.join(below), &format!("./{rest}")))
    }
}

fn package(name: &str, inner: &str) -> Resolved {
    Resolved::Package { name: name.to_owned(), inner: inner.to_owned() }
}

impl Modules for JsModules {
    fn nest(&self) -> bool {
        false
    }

    fn is_typed(&self) -> bool {
        false
    }

    fn resolve(&self, from: &Path, module: &str) -> Resolved {
        let Some(folder) = self.folders.of(from) else { return Resolved::Missing };
        if let Some(known) =
            self.resolved.read().unwrap_or_else(PoisonError::into_inner).get(&folder).and_then(|all| all.get(module))
        {
            return known.clone();
        }
        let resolved = self.resolve_in(&folder, module);
        let mut all = self.resolved.write().unwrap_or_else(PoisonError::into_inner);
        all.entry(folder).or_default().insert(module.into(), resolved.clone());
        resolved
    }

    fn join(&self, _module: &str, _name: &str) -> Option<String> {
        None
    }

    fn version(&self, from: &Path, package: &str) -> Option<String> {
        let folder = self.folders.of(from)?;
        self.locked(&folder, package).or_else(|| self.range(&folder, package))
    }

    fn relies_on(&self, from: &Path, package: &str, is_one: &dyn Fn(&str) -> bool) -> bool {
        let Some(folder) = self.folders.of(from) else { return false };
        let needs = |folder: &Path| self.needs.get(folder, || Needs::read(folder));
        let found = self.folders.upward(&folder).map(needs).find(|needs| needs.is_some());
        found.as_deref().and_then(Option::as_ref).is_some_and(|needs| needs.of(package).iter().any(|need| is_one(need)))
    }

    fn package_of(&self, file: &Path) -> Option<String> {
        let folder = self.folders.of(file)?;
        self.folders.upward(&folder).find_map(|folder| self.manifest(folder)?.as_ref().as_ref()?.name.clone())
    }

    fn program_of(&self, file: &Path) -> Option<Program> {
        let folder = self.folders.of(file)?;
        let manifest = self.folders.upward(&folder).find_map(|folder| self.manifest(folder))?;
        manifest.as_ref().as_ref()?.program()
    }
}

#[cfg(test)]
mod tests;
