//! Which packages the files import that reach other services and that nothing is known of.
//!
//! In: what the first look at each file says it mentions, and the catalog. Out: [`Stranger`]s. No file is read or parsed for it.

use rustc_hash::FxHashMap;

use super::Tree;
use crate::catalog::{Catalog, Strangers};
use crate::facts::Resolved;
use crate::finding::Stranger;

impl Tree<'_> {
    /// Those that the files under the named paths import.
    pub(in crate::scan) fn strangers(&self, catalog: &Catalog, known: &Strangers) -> Vec<Stranger> {
        let mut importers: FxHashMap<(usize, &str), Vec<usize>> = FxHashMap::default();
        for (at, (slot, glance)) in self.slots.iter().zip(&self.glances).enumerate().filter(|(_, (_, seen))| !seen.generated) {
            let nests = self.modules[slot.language].nest();
            for package in glance.modules.iter().filter_map(|module| package(module, nests)) {
                let files = importers.entry((slot.language, package)).or_default();
                if files.last() != Some(&at) {
                    files.push(at);
                }
            }
        }
        let name = |language: usize, package: &str, files: &[usize]| {
            let (modules, family) = (&self.modules[language], self.languages.all()[language].family());
            let path = &self.slots[*files.first()?].path;
            if !known.is_one(catalog, family, package, |is_client| modules.relies_on(path, package, is_client)) {
                return None;
            }
            match modules.resolve(path, package) {
                Resolved::Package { name, .. } => Some(name),
                Resolved::File(_) | Resolved::Missing => None,
            }
        };
        let found = importers.into_iter().filter_map(|((language, package), files)| {
            let package = name(language, package, &files)?;
            let file = self.slots[*files.first()?].shown.clone();
            Some(Stranger { package, language: self.languages.all()[language].family(), files: files.len() as u32, file })
        });
        let mut found: Vec<Stranger> = found.collect();
        found.sort_by(|a, b| (b.files, a.language, &a.package).cmp(&(a.files, b.language, &b.package)));
        found
    }
}

/// The package that a module is of, by the way it is written: `@acme/sdk` of `@acme/sdk/client`, `pulsar` of `pulsar::Consumer`.
fn package(module: &str, nests: bool) -> Option<&str> {
    if nests {
        let first = module.trim_start_matches("::").split("::").next()?;
        let is_word = |name: &str| matches!(name, "crate" | "self" | "super" | "std" | "core" | "alloc");
        return (first.starts_with(|letter: char| letter.is_ascii_lowercase()) && !is_word(first)).then_some(first);
    }
    let is_path = module.starts_with(['.', '/', '#', '~']) || module.contains(':');
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let end = module.match_indices('/').nth(parts - 1).map_or(module.len(), |(at, _)| at);
    module.get(..end).filter(|name| !is_path && !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::package;

    #[test]
    fn packages_as_they_are_written() {
        assert_eq!(package("@acme/sdk/client", false), Some("@acme/sdk"));
        assert_eq!(package("lodash/fp", false), Some("lodash"));
        assert_eq!(package("./sdk", false), None);
        assert_eq!(package("node:fs", false), None);
        assert_eq!(package("pulsar::consumer::Message", true), Some("pulsar"));
        assert_eq!(package("crate::pulsar", true), None);
        assert_eq!(package("Pulsar::new", true), None);
    }
}
