//! `tsconfig.json` and `jsconfig.json`: path aliases.
//!
//! In: a folder. Out: what a bare path may stand for there. `extends` is followed as far as it can be read (a base that is not
//! installed is passed over), and so are `references`. `include` and `exclude` are not read: the nearest configuration is taken.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::JsModules;
use super::manifest::read_json;

/// How many bases and references are followed.
const LONGEST_CHAIN: u32 = 16;

/// The aliases that one configuration gives.
#[derive(Default)]
pub(super) struct Tsconfig {
    base_url: Option<PathBuf>,
    /// Patterns with at most one `*`, and what each may stand for.
    paths: Vec<(String, Vec<PathBuf>)>,
    references: Vec<Tsconfig>,
}

impl Tsconfig {
    /// What a path may stand for, the best first.
    fn candidates(&self, module: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let best = self
            .paths
            .iter()
            .filter_map(|(pattern, targets)| {
                let rest = matched(pattern, module)?;
                Some((pattern.find('*').unwrap_or(usize::MAX), rest, targets))
            })
            .max_by_key(|(length, ..)| *length);
        if let Some((_, rest, targets)) = best {
            found.extend(targets.iter().map(|target| PathBuf::from(target.to_string_lossy().replacen('*', rest, 1))));
        }
        if let Some(base) = &self.base_url {
            found.push(base.join(module));
        }
        for reference in &self.references {
            found.extend(reference.candidates(module));
        }
        found
    }
}

/// What the `*` of a pattern stands for in a path that matches.
fn matched<'a>(pattern: &str, module: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((before, after)) => {
            let rest = module.strip_prefix(before)?.strip_suffix(after)?;
            Some(rest)
        }
        None => (pattern == module).then_some(""),
    }
}

impl JsModules {
    /// The file that an alias of the nearest configuration stands for.
    pub(super) fn configured(&self, folder: &Path, module: &str) -> Option<PathBuf> {
        let config = self.folders.upward(folder).find_map(|folder| {
            let config = self.tsconfigs.get(folder, || self.read_tsconfig(folder));
            Some(config).filter(|config| config.is_some())
        })?;
        let candidates = config.as_ref().as_ref()?.candidates(module);
        candidates.iter().find_map(|path| self.file(folder, path.to_str()?))
    }

    fn read_tsconfig(&self, folder: &Path) -> Option<Tsconfig> {
        ["tsconfig.json", "jsconfig.json"].iter().find_map(|name| self.load(&folder.join(name), LONGEST_CHAIN))
    }

    fn load(&self, path: &Path, left: u32) -> Option<Tsconfig> {
        let left = left.checked_sub(1)?;
        let json = read_json(path)?;
        let folder = path.parent()?;
        let mut config = Tsconfig::default();
        for base in texts(json.get("extends")) {
            if let Some(base) = self.base(folder, base).and_then(|base| self.load(&base, left)) {
                config.base_url = base.base_url.or(config.base_url);
                config.paths = if base.paths.is_empty() { config.paths } else { base.paths };
            }
        }
        let options = json.get("compilerOptions");
        if let Some(base) = options.and_then(|options| options.get("baseUrl")).and_then(Value::as_str) {
            config.base_url = Some(folder.join(here(base, folder)));
        }
        if let Some(paths) = options.and_then(|options| options.get("paths")).and_then(Value::as_object) {
            let base = config.base_url.clone().unwrap_or_else(|| folder.to_path_buf());
            let target = |target: &str| base.join(here(target, folder));
            config.paths =
                paths.iter().map(|(from, to)| (from.clone(), texts(Some(to)).into_iter().map(target).collect())).collect();
        }
        for reference in json.get("references").and_then(Value::as_array).into_iter().flatten() {
            let Some(target) = reference.get("path").and_then(Value::as_str) else { continue };
            let target = folder.join(target);
            let target = if target.is_dir() { target.join("tsconfig.json") } else { target };
            // A reference to another folder is another project: its aliases are not for the files here.
            if target.parent() == Some(folder) && target != path {
                config.references.extend(self.load(&target, left));
            }
        }
        Some(config)
    }

    /// The file of a base: a path, or a package of the repository.
    fn base(&self, folder: &Path, base: &str) -> Option<PathBuf> {
        let mut path = if base.starts_with(['.', '/']) {
            folder.join(base)
        } else {
            let slashes = if base.starts_with('@') { 2 } else { 1 };
            let end = base.match_indices('/').nth(slashes - 1).map_or(base.len(), |(at, _)| at);
            let home = self.local_package(folder, base.get(..end)?)?;
            home.join(base.get(end + 1..).filter(|inner| !inner.is_empty()).unwrap_or("tsconfig.json"))
        };
        if path.is_dir() {
            path = path.join("tsconfig.json");
        } else if !path.is_file() {
            path.as_mut_os_string().push(".json");
        }
        Some(path)
    }
}

fn here(path: &str, folder: &Path) -> PathBuf {
    PathBuf::from(path.replace("${configDir}", &folder.to_string_lossy()))
}

/// A text, or a list of texts.
fn texts(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
