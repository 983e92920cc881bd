//! The packages of a repository that holds several: by the `workspaces` of `package.json`, `pnpm-workspace.yaml` or `lerna.json`.
//!
//! In: a folder. Out: the folder of the package that has a name. Patterns are expanded once, without `node_modules`.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::JsModules;
use super::manifest::{Manifest, read_json};
use super::yaml;

/// How deep `**` is followed.
const DEEPEST: u32 = 6;

/// The packages below one root.
pub(super) struct Workspace {
    packages: FxHashMap<String, PathBuf>,
    /// Ranges that packages refer to by `catalog:`, by catalog and package.
    pub(super) catalogs: FxHashMap<(String, String), String>,
}

impl Workspace {
    /// Reads the workspace whose root a folder is.
    fn read(folder: &Path) -> Option<Self> {
        let manifest = Manifest::read(folder);
        let mut patterns = manifest.as_ref().map(|manifest| manifest_patterns(&manifest.json)).unwrap_or_default();
        let mut catalogs = FxHashMap::default();
        let pnpm = std::fs::read_to_string(folder.join("pnpm-workspace.yaml")).ok();
        if let Some(text) = &pnpm {
            patterns.extend(yaml::list(text, "packages"));
            yaml::catalogs(text, &mut catalogs);
        }
        if let Some(manifest) = &manifest {
            manifest_catalogs(&manifest.json, &mut catalogs);
        }
        let lerna = read_json(&folder.join("lerna.json"));
        if let Some(lerna) = &lerna
            && patterns.is_empty()
        {
            patterns = strings(lerna.get("packages"));
            if patterns.is_empty() {
                patterns.push("packages/*".into());
            }
        }
        if patterns.is_empty() && pnpm.is_none() {
            return None;
        }
        let mut packages = FxHashMap::default();
        for home in expand_all(folder, &patterns) {
            if let Some(name) = Manifest::read(&home).and_then(|manifest| manifest.name) {
                packages.entry(name).or_insert(home);
            }
        }
        Some(Self { packages, catalogs })
    }
}

fn manifest_patterns(json: &Value) -> Vec<String> {
    match json.get("workspaces") {
        Some(list @ Value::Array(_)) => strings(Some(list)),
        Some(more) => strings(more.get("packages")),
        None => Vec::new(),
    }
}

fn manifest_catalogs(json: &Value, catalogs: &mut FxHashMap<(String, String), String>) {
    for holder in [Some(json), json.get("workspaces")].into_iter().flatten() {
        let one = holder.get("catalog").map(|catalog| ("default", catalog));
        let named =
            holder.get("catalogs").and_then(Value::as_object).into_iter().flatten().map(|(name, all)| (name.as_str(), all));
        for (name, catalog) in one.into_iter().chain(named) {
            for (package, range) in catalog.as_object().into_iter().flatten() {
                if let Some(range) = range.as_str() {
                    catalogs.insert((name.to_owned(), package.clone()), range.to_owned());
                }
            }
        }
    }
}

fn strings(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The folders that patterns name, sorted; patterns that begin with `!` take some away.
fn expand_all(root: &Path, patterns: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for pattern in patterns {
        let (into, pattern) = match pattern.strip_prefix('!') {
            Some(pattern) => (&mut refused, pattern),
            None => (&mut found, pattern.as_str()),
        };
        for pattern in braces(pattern) {
            let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
            expand(root, &parts, DEEPEST, into);
        }
    }
    found.retain(|folder| !refused.contains(folder));
    found.sort();
    found.dedup();
    found
}

/// `{a,b}/*` is `a/*` and `b/*`.
fn braces(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let Some((inside, after)) = rest.split_once('}') else { return vec![pattern.to_owned()] };
    inside.split(',').map(|one| format!("{before}{one}{after}")).collect()
}

fn expand(folder: &Path, parts: &[&str], left: u32, found: &mut Vec<PathBuf>) {
    let Some((first, rest)) = parts.split_first() else {
        if folder.join("package.json").is_file() {
            found.push(folder.to_path_buf());
        }
        return;
    };
    if *first == "**" {
        expand(folder, rest, left, found);
        if let Some(left) = left.checked_sub(1) {
            folders(folder).iter().for_each(|inner| expand(inner, parts, left, found));
        }
    } else if first.contains('*') {
        let matching =
            |inner: &&PathBuf| inner.file_name().and_then(|name| name.to_str()).is_some_and(|name| matches(first, name));
        folders(folder).iter().filter(matching).for_each(|inner| expand(inner, rest, left, found));
    } else {
        expand(&folder.join(first), rest, left, found);
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.split_once('*').is_some_and(|(before, after)| {
        name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
    })
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name != "node_modules" && !name.starts_with('.')))
        .map(|entry| entry.path())
        .collect();
    inner.sort();
    inner
}

impl JsModules {
    /// The workspace around a folder.
    pub(super) fn workspace(&self, folder: &Path) -> Option<std::sync::Arc<Option<Workspace>>> {
        self.folders.upward(folder).find_map(|folder| {
            let workspace = self.workspaces.get(folder, || Workspace::read(folder));
            Some(workspace).filter(|workspace| workspace.is_some())
        })
    }

    /// The folder of a package of the repository, by its name: the package around the file, one of the workspace, or one that
    /// the manifest takes from a folder.
    pub(super) fn local_package(&self, folder: &Path, name: &str) -> Option<PathBuf> {
        let around = self.folders.upward(folder).find_map(|folder| self.manifest(folder));
        if let Some(around) = around.as_deref().and_then(Option::as_ref) {
            if around.name.as_deref() == Some(name) {
                return Some(around.folder.clone());
            }
            let linked = around
                .wants(name)
                .and_then(|range| ["file:", "link:", "portal:"].iter().find_map(|kind| range.strip_prefix(kind)));
            if let Some(home) = linked.map(|path| around.folder.join(path)).filter(|home| home.is_dir()) {
                return Some(home);
            }
        }
        self.workspace(folder)?.as_ref().as_ref()?.packages.get(name).cloned()
    }
}
