//! `package.json`: what a package is called, what it gives, what it depends on.
//!
//! In: a folder. Out: a [`Manifest`], or nothing where there is none that can be read.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::facts::Program;

/// A package's manifest.
pub(super) struct Manifest {
    /// The package's folder.
    pub(super) folder: PathBuf,
    /// Its name.
    pub(super) name: Option<String>,
    /// All that it says.
    pub(super) json: Value,
}

impl Manifest {
    /// Reads the manifest of a folder.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let json = read_json(&folder.join("package.json"))?;
        let name = json.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()).map(str::to_owned);
        Some(Self { folder: folder.to_path_buf(), name, json })
    }

    /// The range in which a package is wanted.
    pub(super) fn wants(&self, package: &str) -> Option<&str> {
        ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
            .into_iter()
            .find_map(|section| self.json.get(section)?.get(package)?.as_str())
    }

    /// The program that it is: a package with a `start` script, which is no workspace around others.
    pub(super) fn program(&self) -> Option<Program> {
        let start = self.json.get("scripts")?.get("start")?.as_str()?;
        if self.json.get("workspaces").is_some() {
            return None;
        }
        let folder = self.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let is_source = |word: &&str| [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"].iter().any(|ending| word.ends_with(ending));
        Some(Program {
            name: self.name.clone().or(folder)?,
            manifest: self.folder.join("package.json"),
            entry: start.split_whitespace().find(is_source).map(str::to_owned),
        })
    }
}

/// Reads a JSON file, also one with comments and trailing commas.
pub(super) fn read_json(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&plain_json(text)).ok())
}

/// JSON without comments and trailing commas.
fn plain_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut in_text = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' if in_text => {
                out.push(c);
                out.extend(rest.next());
            }
            '"' => {
                in_text = !in_text;
                out.push(c);
            }
            '/' if !in_text && rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            '/' if !in_text && rest.peek() == Some(&'*') => {
                rest.next();
                let mut last = ' ';
                for c in rest.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            ']' | '}' if !in_text => {
                let kept = out.trim_end().strip_suffix(',').map_or(out.len(), str::len);
                out.truncate(kept);
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain_json;

    #[test]
    fn comments_and_commas_go() {
        let text = "{ // a\n \"b\": \"//, }\\\"\", /* c, */ \"d\": [1, 2, ],\n}";
        assert_eq!(serde_json::from_str::<serde_json::Value>(&plain_json(text)).unwrap()["d"][1], 2);
        plain_json("/* never ends");
    }
}
