//! `Cargo.toml`, as far as it says where crates are and what they are called.
//!
//! In: a folder. Out: its [`Manifest`]. Features, profiles and everything else are passed over; a manifest that is not TOML is no
//! manifest.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::layout::tidy;

/// What a `Cargo.toml` says.
#[derive(Debug, Clone, Default)]
pub(super) struct Manifest {
    /// The folder it stands in.
    pub folder: PathBuf,
    /// The package's name.
    pub package: Option<String>,
    /// The files of targets that it names.
    pub targets: Vec<PathBuf>,
    /// Dependencies of all kinds.
    pub dependencies: Vec<Dependency>,
    /// The workspace it is the root of.
    pub workspace: Option<Workspace>,
    /// Whether it names a program.
    pub has_program: bool,
    lib_name: Option<String>,
    lib_path: Option<PathBuf>,
}

/// A dependency.
#[derive(Debug, Clone)]
pub(super) struct Dependency {
    /// The name it has here.
    pub key: String,
    /// The name it was published under.
    pub package: String,
    /// The folder it stands in, if it is given by path.
    pub folder: Option<PathBuf>,
    /// The versions that will do.
    pub requirement: Option<String>,
    /// Whether the workspace says the rest.
    pub from_workspace: bool,
}

/// A workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    /// Dependencies that members inherit.
    pub dependencies: Vec<Dependency>,
    members: Vec<String>,
    exclude: Vec<String>,
}

impl Manifest {
    /// Reads the manifest of a folder.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        Self::parse(folder, &text)
    }

    fn parse(folder: &Path, text: &str) -> Option<Self> {
        let table: Table = text.parse().ok()?;
        let string =
            |table: Option<&Table>, key: &str| table.and_then(|table| table.get(key)).and_then(Value::as_str).map(str::to_owned);
        let package = table.get("package").or_else(|| table.get("project")).and_then(Value::as_table);
        let lib = table.get("lib").and_then(Value::as_table);
        let lib_path = string(lib, "path").map(|path| tidy(&folder.join(path)));
        let mut targets: Vec<PathBuf> = lib_path.iter().cloned().collect();
        for kind in ["bin", "example", "test", "bench"] {
            let all = table.get(kind).and_then(Value::as_array).into_iter().flatten();
            let paths = all.filter_map(|target| target.get("path").and_then(Value::as_str));
            targets.extend(paths.map(|path| tidy(&folder.join(path))));
        }
        targets.extend(string(package, "build").map(|path| tidy(&folder.join(path))));
        let mut dependencies = dependencies(folder, &table);
        for target in table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values) {
            dependencies.extend(target.as_table().map(|target| self::dependencies(folder, target)).unwrap_or_default());
        }
        Some(Self {
            folder: folder.to_owned(),
            package: string(package, "name"),
            targets,
            dependencies,
            workspace: table.get("workspace").and_then(Value::as_table).map(|table| Workspace::read(folder, table)),
            has_program: table.get("bin").and_then(Value::as_array).is_some_and(|programs| !programs.is_empty()),
            lib_name: string(lib, "name"),
            lib_path,
        })
    }

    /// The name that code calls its library by.
    pub(super) fn crate_name(&self) -> Option<String> {
        self.lib_name.clone().or_else(|| self.package.as_ref().map(|name| name.replace('-', "_")))
    }

    /// The file of its library, else of its program.
    pub(super) fn root(&self, exists: super::layout::Exists<'_>) -> Option<PathBuf> {
        let usual = ["src/lib.rs", "src/main.rs"].iter().map(|path| self.folder.join(path));
        self.lib_path.clone().into_iter().chain(usual).find(|path| exists(path))
    }
}

impl Workspace {
    fn read(folder: &Path, table: &Table) -> Self {
        let strings = |key: &str| {
            let all = table.get(key).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self { dependencies: dependencies(folder, table), members: strings("members"), exclude: strings("exclude") }
    }

    /// Whether a folder below the workspace is none of its own.
    pub(super) fn excludes(&self, root: &Path, folder: &Path) -> bool {
        self.exclude.iter().any(|path| folder.starts_with(tidy(&root.join(path))))
    }

    /// The folders of its members.
    pub(super) fn member_folders(&self, root: &Path) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = self.members.iter().flat_map(|pattern| expand(root, pattern)).collect();
        all.retain(|folder| !self.excludes(root, folder));
        all.sort();
        all.dedup();
        all
    }
}

/// The dependencies in a table that holds them under the usual names.
fn dependencies(folder: &Path, table: &Table) -> Vec<Dependency> {
    let kinds = ["dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies"];
    let tables = kinds.iter().filter_map(|kind| table.get(*kind).and_then(Value::as_table));
    tables.flatten().map(|(key, value)| dependency(folder, key, value)).collect()
}

fn dependency(folder: &Path, key: &str, value: &Value) -> Dependency {
    let string = |name: &str| value.get(name).and_then(Value::as_str);
    Dependency {
        key: key.to_owned(),
        package: string("package").unwrap_or(key).to_owned(),
        folder: string("path").map(|path| tidy(&folder.join(path))),
        requirement: value.as_str().or_else(|| string("version")).map(str::to_owned),
        from_workspace: value.get("workspace").and_then(Value::as_bool).unwrap_or(false),
    }
}

/// The folders that a pattern of `members` names: `crates/*`, `a/**`, `lib-?`.
fn expand(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut all = vec![root.to_owned()];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        all = match part {
            "**" => all.into_iter().flat_map(|folder| below(&folder, 6)).collect(),
            part if part.contains(['*', '?', '[']) => {
                let inside = all.iter().flat_map(|folder| folders(folder));
                inside
                    .filter(|folder| folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| like(part, name)))
                    .collect()
            }
            part => all.into_iter().map(|folder| tidy(&folder.join(part))).collect(),
        };
    }
    all
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    all.sort();
    all
}

fn below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    if depth > 0 {
        let inside = folders(folder).into_iter().filter(|path| !path.ends_with("target") && !path.ends_with(".git"));
        all.extend(inside.flat_map(|inner| below(&inner, depth - 1)));
    }
    all
}

/// Whether a name matches a pattern of `*` and `?`.
fn like(pattern: &str, name: &str) -> bool {
    match pattern.chars().next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = pattern.get(1..).unwrap_or("");
            like(rest, name)
                || name.char_indices().any(|(at, c)| name.get(at + c.len_utf8()..).is_some_and(|name| like(rest, name)))
        }
        Some(first) => match name.chars().next() {
            Some(c) if first == '?' || first == c => {
                like(pattern.get(first.len_utf8()..).unwrap_or(""), name.get(c.len_utf8()..).unwrap_or(""))
            }
            _ => false,
        },
    }
}
