//! Where the modules of a crate stand.
//!
//! In: the path of a file and, if there is one, the manifest of its package. Out: its [`Place`] in the tree of modules, and the
//! file of any other place.

use std::path::{Component, Path, PathBuf};

use super::manifest::Manifest;

/// Whether a file exists.
pub(super) type Exists<'a> = &'a dyn Fn(&Path) -> bool;

/// A module: the folder that its child modules stand in, whether or not it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    children: PathBuf,
    /// The same for the crate's root module.
    top: PathBuf,
    /// The file of the root module, where it is known.
    root: Option<PathBuf>,
    /// Whether the path went above the root.
    outside: bool,
}

impl Place {
    /// The root module of a crate whose root file is known.
    pub(super) fn root(file: &Path) -> Self {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Self { children: folder.clone(), top: folder, root: Some(file.to_owned()), outside: false }
    }

    /// A root module whose file is not known, by the folder that its child modules stand in.
    pub(super) fn folder(folder: &Path) -> Self {
        Self { children: folder.to_owned(), top: folder.to_owned(), root: None, outside: false }
    }

    /// The module of a file.
    pub(super) fn of(file: &Path, package: Option<&Manifest>, roots: &[PathBuf], exists: Exists<'_>) -> Self {
        if is_root(file, package) {
            return Self::root(file);
        }
        let top = top_folder(file, package, roots, exists);
        let folder = file.parent().unwrap_or(Path::new(""));
        let stem = file.file_stem().unwrap_or_default();
        let children = if stem == "mod" { folder.to_owned() } else { folder.join(stem) };
        let root =
            ["lib.rs", "main.rs", "mod.rs"].iter().map(|name| top.join(name)).filter(|path| exists(path)).collect::<Vec<_>>();
        let first =
            children.strip_prefix(&top).ok().and_then(|rest| rest.components().next()).map(|name| name.as_os_str().to_owned());
        let root = match root.as_slice() {
            [lib, main, ..] => {
                let declares =
                    |path: &Path| first.as_ref().and_then(|name| name.to_str()).is_some_and(|name| declares(path, name));
                Some(if !declares(lib) && declares(main) { main.clone() } else { lib.clone() })
            }
            [only] => Some(only.clone()),
            [] => package.and_then(|package| package.root(exists)).filter(|root| root.parent() == Some(&top)),
        };
        Self { children, top, root, outside: false }
    }

    /// Whether it is a module inside another one.
    pub(super) fn is_inside(&self, other: &Self) -> bool {
        self.top == other.top && self.children.starts_with(&other.children)
    }

    /// The root module.
    pub(super) fn top(&self) -> Self {
        Self { children: self.top.clone(), outside: false, ..self.clone() }
    }

    /// A module inside this one.
    pub(super) fn child(&self, name: &str) -> Self {
        Self { children: self.children.join(name.strip_prefix("r#").unwrap_or(name)), ..self.clone() }
    }

    /// The module whose children stand beside a file.
    pub(super) fn beside(&self, file: &Path) -> Self {
        Self { children: file.parent().unwrap_or(Path::new("")).to_owned(), ..self.clone() }
    }

    /// Follows a path: names, `super` and `self`.
    pub(super) fn walk(&self, path: &str) -> Self {
        let mut at = self.clone();
        for name in path.split("::").filter(|name| !name.is_empty()) {
            at = match name {
                "self" => at,
                "super" if at.children == at.top => Self { outside: true, ..at },
                "super" => Self { children: at.children.parent().unwrap_or(Path::new("")).to_owned(), ..at },
                name => at.child(name),
            };
        }
        at
    }

    /// The file that this module is written in.
    pub(super) fn file(&self, exists: Exists<'_>) -> Option<PathBuf> {
        if self.outside {
            return None;
        }
        if self.children == self.top {
            return self.root.clone();
        }
        let mut beside = self.children.clone().into_os_string();
        beside.push(".rs");
        [PathBuf::from(beside), self.children.join("mod.rs")].into_iter().find(|path| exists(path))
    }
}

/// Whether a file is the root of a crate.
fn is_root(file: &Path, package: Option<&Manifest>) -> bool {
    let Some(package) = package else {
        return file.file_name().is_some_and(|name| name == "lib.rs" || name == "main.rs" || name == "build.rs");
    };
    if package.targets.iter().any(|target| target == file) {
        return true;
    }
    let Ok(inside) = file.strip_prefix(&package.folder) else { return false };
    let parts: Vec<&str> = inside.components().filter_map(|part| part.as_os_str().to_str()).collect();
    matches!(
        parts.as_slice(),
        ["build.rs"]
            | ["src", "lib.rs" | "main.rs"]
            | ["src", "bin", _]
            | ["src", "bin", _, "main.rs"]
            | ["tests" | "examples" | "benches", _]
            | ["tests" | "examples" | "benches", _, "main.rs"]
    )
}

/// The folder that a crate's modules stand in.
fn top_folder(file: &Path, package: Option<&Manifest>, roots: &[PathBuf], exists: Exists<'_>) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    if let Some(package) = package {
        let targets = package.targets.iter().filter_map(|target| target.parent());
        let around = targets.filter(|top| folder.starts_with(top) && **top != package.folder);
        if let Some(top) = around.max_by_key(|top| top.components().count()) {
            return top.to_owned();
        }
        if let Ok(inside) = folder.strip_prefix(&package.folder) {
            let parts: Vec<&str> = inside.components().filter_map(|part| part.as_os_str().to_str()).collect();
            let depth = match parts.as_slice() {
                ["src", "bin", name, ..] if exists(&package.folder.join("src/bin").join(name).join("main.rs")) => 3,
                ["src", "bin", ..] => 2,
                ["tests" | "examples" | "benches" | "src", ..] => 1,
                _ => 0,
            };
            return parts.iter().take(depth).fold(package.folder.clone(), |path, part| path.join(part));
        }
    }
    let within = |folder: &&Path| roots.is_empty() || roots.iter().any(|root| folder.starts_with(root));
    let mut around = folder.ancestors().take_while(within);
    let named = |folder: &&Path| {
        folder.file_name().is_some_and(|name| name == "src") || exists(&folder.join("lib.rs")) || exists(&folder.join("main.rs"))
    };
    around.find(named).unwrap_or(folder).to_owned()
}

/// Whether a file says `mod name`.
fn declares(file: &Path, name: &str) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let declaration = format!("mod {name}");
    text.match_indices(&declaration).any(|(at, _)| {
        let after = text.get(at + declaration.len()..).and_then(|rest| rest.chars().next());
        !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// A path without `.` (but where it begins so) and, as far as possible, without `..`.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir if out.as_os_str().is_empty() => out.push("."),
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
