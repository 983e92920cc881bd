//! Lock files: `package-lock.json` and `npm-shrinkwrap.json` (versions 1 to 3), `pnpm-lock.yaml`, `yarn.lock`, `bun.lock`.
//!
//! In: the folder of a lock file. Out: the version of a package that a folder below uses.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::manifest::read_json;
use super::{pnpm, yarn};

/// A lock file.
pub(super) enum Lock {
    /// Versions by place: `node_modules/axios`, `packages/a/node_modules/axios`.
    Places(FxHashMap<String, String>),
    /// Versions by importer and package.
    Importers(FxHashMap<String, FxHashMap<String, String>>),
    /// Versions by package, each with the ranges that it is for.
    Ranges(FxHashMap<String, Vec<(String, String)>>),
}

impl Lock {
    /// Reads the lock file of a folder.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let npm = |name: &str| read_json(&folder.join(name)).and_then(|json| npm(&json)).map(Self::Places);
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        npm("package-lock.json")
            .or_else(|| npm("npm-shrinkwrap.json"))
            .or_else(|| text("pnpm-lock.yaml").map(|text| Self::Importers(pnpm::importers(&text))))
            .or_else(|| text("yarn.lock").map(|text| Self::Ranges(yarn::ranges(&text))))
            .or_else(|| read_json(&folder.join("bun.lock")).and_then(|json| bun(&json)).map(Self::Places))
    }

    /// The version of a package that a folder below the lock file uses; `range` is what its manifest wants.
    pub(super) fn version(&self, inside: &Path, package: &str, range: Option<&str>) -> Option<String> {
        let mut folders = inside.ancestors().map(|folder| folder.to_string_lossy().replace('\\', "/"));
        match self {
            Self::Places(places) => folders.find_map(|folder| {
                let before = if folder.is_empty() { String::new() } else { format!("{folder}/") };
                places.get(&format!("{before}node_modules/{package}")).cloned()
            }),
            Self::Importers(importers) => {
                folders.find_map(|folder| importers.get(if folder.is_empty() { "." } else { &folder })?.get(package).cloned())
            }
            Self::Ranges(packages) => {
                let versions = packages.get(package)?;
                let bare = |range: &str| range.strip_prefix("npm:").unwrap_or(range).to_owned();
                let wanted = range.map(bare);
                let exact = versions.iter().find(|(range, _)| wanted.as_deref() == Some(range.as_str()));
                exact.or_else(|| versions.first()).map(|(_, version)| version.clone())
            }
        }
    }
}

/// Versions by place.
fn npm(json: &Value) -> Option<FxHashMap<String, String>> {
    let version = |entry: &Value| entry.get("version").and_then(Value::as_str).map(str::to_owned);
    if let Some(packages) = json.get("packages").and_then(Value::as_object) {
        let own = packages.iter().filter(|(place, _)| place.matches("node_modules/").count() == 1);
        return Some(own.filter_map(|(place, entry)| Some((place.clone(), version(entry)?))).collect());
    }
    let packages = json.get("dependencies")?.as_object()?;
    Some(packages.iter().filter_map(|(name, entry)| Some((format!("node_modules/{name}"), version(entry)?))).collect())
}

/// `"axios": ["axios@1.7.2", …]`; packages of one package alone are named `package/axios`.
fn bun(json: &Value) -> Option<FxHashMap<String, String>> {
    let packages = json.get("packages")?.as_object()?;
    let entry = |(name, entry): (&String, &Value)| {
        let written = entry.get(0)?.as_str()?;
        let version = written.rsplit_once('@')?.1;
        Some((format!("node_modules/{name}"), version.to_owned()))
    };
    Some(packages.iter().filter_map(entry).collect())
}
