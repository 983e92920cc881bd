//! Which version of a package a file uses.
//!
//! In: the file's folder and the package. Out: the version of the nearest lock file, else the range of the nearest manifest that
//! wants the package.

use std::path::Path;

use super::JsModules;
use super::lock::Lock;
use super::specifier::without_version;

impl JsModules {
    /// The version in the nearest lock file.
    pub(super) fn locked(&self, folder: &Path, package: &str) -> Option<String> {
        let (root, lock) = self.folders.upward(folder).find_map(|folder| {
            let lock = self.locks.get(folder, || Lock::read(folder));
            lock.is_some().then_some((folder, lock))
        })?;
        let inside = folder.strip_prefix(root).ok()?;
        let range = self.declared(folder, package);
        lock.as_ref().as_ref()?.version(inside, package, range.as_deref())
    }

    /// What the nearest manifest that wants a package says of it, as written.
    pub(super) fn declared(&self, folder: &Path, package: &str) -> Option<String> {
        self.folders.upward(folder).find_map(|folder| {
            let manifest = self.manifest(folder)?;
            manifest.as_ref().as_ref()?.wants(package).map(str::to_owned)
        })
    }

    /// The range in which a package is wanted; nothing for packages that are taken from elsewhere than the registry.
    pub(super) fn range(&self, folder: &Path, package: &str) -> Option<String> {
        let declared = self.declared(folder, package)?;
        if let Some(catalog) = declared.strip_prefix("catalog:") {
            let catalog = if catalog.is_empty() { "default" } else { catalog };
            let workspace = self.workspace(folder)?;
            return workspace.as_ref().as_ref()?.catalogs.get(&(catalog.to_owned(), package.to_owned())).cloned();
        }
        if let Some(real) = declared.strip_prefix("npm:") {
            return real.get(without_version(real).len() + 1..).map(str::to_owned);
        }
        let range = declared.strip_prefix("workspace:").unwrap_or(&declared);
        let is_range =
            !range.contains(':') && !range.contains('/') && !(range.len() < declared.len() && matches!(range, "*" | "^" | "~"));
        is_range.then(|| range.to_owned())
    }
}
