//! The door through which the linker asks a language what a module path means and which version of a package is used.
//!
//! In: the path of the file that asks, and the module as written there. Out: a file, or a package. The languages implement it
//! (with their manifests and lock files); the linker calls it and knows no language.

use std::path::{Path, PathBuf};

/// What a module path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// A file of the repository.
    File(PathBuf),
    /// A package that is not part of the repository, or a module built into the language.
    Package {
        /// The package's name as the catalog knows it: `axios`, `@aws-sdk/client-s3`, `http` (for `node:http`), `reqwest`.
        name: String,
        /// What follows the name: `promises` of `mysql2/promise`, `blocking` of `reqwest::blocking`; empty for the package itself.
        inner: String,
    },
    /// Neither.
    Missing,
}

/// What a path that a file mentions leads to, as far as that can be told without reading the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mentioned {
    /// A file of the repository, or something in it.
    File(PathBuf),
    /// Nothing in the repository.
    Elsewhere,
    /// Perhaps this file, perhaps any by one of the path's names.
    Unclear(Option<PathBuf>),
}

/// A package or crate with an entry point of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The file that describes it.
    pub manifest: PathBuf,
    /// The source file that it runs, as written, where it says so.
    pub entry: Option<String>,
}

/// What one language knows about modules and packages. Implementations cache and are shared by all threads.
pub trait Modules: Sync {
    /// What `module` means in the file `from`.
    fn resolve(&self, from: &Path, module: &str) -> Resolved;

    /// What a path that is mentioned in the file `from` leads to.
    fn mentioned(&self, from: &Path, module: &str) -> Mentioned {
        match self.resolve(from, module) {
            Resolved::File(path) => Mentioned::File(path),
            Resolved::Package { .. } | Resolved::Missing => Mentioned::Elsewhere,
        }
    }

    /// The module that `name` would be inside `module`, in languages where modules hold modules (`crate::a` + `b`).
    fn join(&self, module: &str, name: &str) -> Option<String>;

    /// Whether modules hold modules, so that a name alone can be one (`reqwest::Client`, `crate::http`).
    fn nest(&self) -> bool;

    /// Whether written types say what a value is, and a method goes by one name alone.
    fn is_typed(&self) -> bool;

    /// The version of a package that the file `from` uses: exact from a lock file, else the range of the nearest manifest
    /// (`^2.0.0`). `None` when nothing says.
    fn version(&self, from: &Path, package: &str) -> Option<String>;

    /// Whether a package that the file `from` uses depends itself on one of those that `is_one` knows. Without a lock file nothing says so.
    fn relies_on(&self, _from: &Path, _package: &str, _is_one: &dyn Fn(&str) -> bool) -> bool {
        false
    }

    /// The names that the packages of a file have in its code where those differ from their own: name, package.
    fn aliases(&self, _file: &Path) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether a file can call what is private in the module `home`.
    fn sees_private(&self, from: &Path, home: &Path) -> bool {
        from == home
    }

    /// The name of the package or crate that a file belongs to, from the nearest manifest.
    fn package_of(&self, file: &Path) -> Option<String>;

    /// The package or crate that a file belongs to, if it can be run: if it has an entry point of its own.
    fn program_of(&self, file: &Path) -> Option<Program>;
}
