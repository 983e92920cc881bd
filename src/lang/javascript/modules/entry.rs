//! Where a package of the repository begins, and what `#x` means inside one.
//!
//! In: a package's folder and the path inside it. Out: a file. An entry that points into a folder for built files is the source
//! that it is built from, because built files are not there or not read.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::JsModules;

/// Folders that hold what is built.
const BUILT: &[&str] = &["dist", "lib", "build", "out", "es", "esm", "cjs", "output", "dist-cjs", "dist-es", "types"];

impl JsModules {
    /// The file that a path inside a package of the repository names; the package itself if it is empty.
    pub(super) fn entry(&self, home: &Path, inner: &str) -> Option<PathBuf> {
        let manifest = self.manifest(home);
        let json = manifest.as_deref().and_then(Option::as_ref).map(|manifest| &manifest.json);
        let mut targets = Vec::new();
        if let Some(exports) = json.and_then(|json| json.get("exports")) {
            let key = if inner.is_empty() { ".".to_owned() } else { format!("./{inner}") };
            given(exports, &key, &mut targets);
        }
        if inner.is_empty() {
            let fields = ["source", "module", "main", "types", "typings"];
            targets.extend(fields.iter().filter_map(|field| json?.get(field)?.as_str()).map(str::to_owned));
        }
        let usual = if inner.is_empty() { ["src/index", "index", "src/main"] } else { ["src/", "", "lib/"] };
        targets
            .iter()
            .find_map(|target| self.target(home, target))
            .or_else(|| usual.iter().find_map(|usual| self.source(home, &format!("{usual}{inner}"))))
    }

    /// What `#x` means in the package around a folder.
    pub(super) fn own_import(&self, folder: &Path, path: &str) -> Option<PathBuf> {
        let manifest = self.folders.upward(folder).find_map(|folder| self.manifest(folder))?;
        let manifest = manifest.as_ref().as_ref()?;
        let mut targets = Vec::new();
        given(manifest.json.get("imports")?, path, &mut targets);
        targets.iter().filter(|target| target.starts_with("./")).find_map(|target| self.target(&manifest.folder, target))
    }

    /// The source of a target, else the target.
    fn target(&self, home: &Path, target: &str) -> Option<PathBuf> {
        let target = target.trim_start_matches("./");
        let parts: Vec<&str> = target.split('/').collect();
        let built = parts.iter().take_while(|part| BUILT.contains(part)).count();
        for stripped in 1..=built.min(parts.len() - 1) {
            let rest = parts.get(stripped..)?.join("/");
            if let Some(source) = ["src/", ""].iter().find_map(|before| self.source(home, &format!("{before}{rest}"))) {
                return Some(source);
            }
        }
        self.source(home, target)
    }

    /// A file by its path without an ending, or with the ending that it has once it is built.
    fn source(&self, home: &Path, path: &str) -> Option<PathBuf> {
        let base = [".d.ts", ".d.mts", ".d.cts", ".mjs", ".cjs", ".js"].iter().find_map(|ending| path.strip_suffix(ending));
        let exact =
            self.file(home, &format!("./{path}")).filter(|file| file.is_file() && !file.to_string_lossy().ends_with(".d.ts"));
        exact.or_else(|| self.file(home, &format!("./{}", base?)))
    }
}

/// The targets that `exports` or `imports` give for a key, in the order in which they are written.
fn given(map: &Value, key: &str, targets: &mut Vec<String>) {
    let Some(keys) = map.as_object().filter(|keys| keys.keys().any(|name| name.starts_with(['.', '#']))) else {
        if key == "." {
            leaves(map, "", targets);
        }
        return;
    };
    if let Some(exact) = keys.get(key) {
        leaves(exact, "", targets);
        return;
    }
    let best = keys
        .iter()
        .filter_map(|(pattern, value)| {
            let (before, after) = pattern.split_once('*')?;
            let rest = key.strip_prefix(before)?.strip_suffix(after)?;
            Some((before.len(), rest, value))
        })
        .max_by_key(|(length, ..)| *length);
    if let Some((_, rest, value)) = best {
        leaves(value, rest, targets);
    }
}

/// All texts under a value: the conditions are alternatives.
fn leaves(value: &Value, rest: &str, targets: &mut Vec<String>) {
    match value {
        Value::String(target) => targets.push(target.replace('*', rest)),
        Value::Array(all) => all.iter().for_each(|value| leaves(value, rest, targets)),
        Value::Object(all) => {
            let mut later = Vec::new();
            for (condition, value) in all {
                leaves(value, rest, if matches!(condition.as_str(), "types" | "typings") { &mut later } else { &mut *targets });
            }
            targets.extend(later);
        }
        _ => {}
    }
}
