//! `Cargo.lock`: the versions in use, and what each package depends on.
//!
//! In: a folder. Out: its [`Lock`].

use std::path::Path;

use rustc_hash::FxHashMap;
use semver::{Version, VersionReq};
use toml::{Table, Value};

use super::same_crate;

/// The packages of a lock file.
#[derive(Debug, Clone, Default)]
pub(super) struct Lock {
    /// Names and versions.
    packages: Vec<(String, Version)>,
    /// What each depends on directly, whichever of its versions, by its name in code.
    needs: FxHashMap<String, Vec<String>>,
}

impl Lock {
    /// Reads the lock file of a folder.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join("Cargo.lock")).ok()?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Option<Self> {
        let table: Table = text.parse().ok()?;
        let all = table.get("package").and_then(Value::as_array).into_iter().flatten();
        let mut lock = Self::default();
        for package in all {
            let text = |key: &str| package.get(key).and_then(Value::as_str);
            let Some(name) = text("name") else { continue };
            let needs = package.get("dependencies").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            let names = needs.filter_map(|need| need.split(' ').next()).map(str::to_owned);
            lock.needs.entry(name.replace('-', "_")).or_default().extend(names);
            if let Some(version) = text("version").and_then(|version| Version::parse(version).ok()) {
                lock.packages.push((name.to_owned(), version));
            }
        }
        Some(lock)
    }

    /// What a package depends on directly, from its name in code.
    pub(super) fn needs(&self, word: &str) -> &[String] {
        self.needs.get(&word.replace('-', "_")).map_or(&[], Vec::as_slice)
    }

    /// The name of a package as it was published, from the name in code.
    pub(super) fn spelled(&self, word: &str) -> Option<String> {
        self.packages.iter().find(|(name, _)| same_crate(name, word)).map(|(name, _)| name.clone())
    }

    /// The version of a package: the highest that meets the requirement, else the highest.
    pub(super) fn version(&self, package: &str, wanted: Option<&str>) -> Option<String> {
        let wanted = wanted.and_then(|wanted| VersionReq::parse(wanted).ok());
        let all = || self.packages.iter().filter(|(name, _)| same_crate(name, package)).map(|(_, version)| version);
        let fits = all().filter(|version| wanted.as_ref().is_some_and(|wanted| wanted.matches(version))).max();
        fits.or_else(|| all().max()).map(ToString::to_string)
    }
}

/// A requirement of a manifest as a range with its meaning spelled out: `1.2` is `^1.2`.
pub(super) fn range(wanted: &str) -> String {
    let parts = wanted.split(',').map(str::trim);
    let spelled =
        parts.map(|part| if part.starts_with(|c: char| c.is_ascii_digit()) { format!("^{part}") } else { part.to_owned() });
    spelled.collect::<Vec<_>>().join(" ")
}
