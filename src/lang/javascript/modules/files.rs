//! Files by their paths, as Node and TypeScript look for them: endings left out, `.js` that is `.ts`, folders with an index.
//!
//! In: a folder and a path. Out: the file of the repository, never one of `node_modules`. A `package.json` that cannot be read is
//! as if it said nothing.

use std::io;
use std::path::{Component, Path, PathBuf};

use oxc_resolver::{FileMetadata, FileSystem, FileSystemOs, ResolveError, ResolveOptions, ResolverGeneric};

/// Endings that a path may leave out, most wanted first.
const ENDINGS: &[&str] =
    &[".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".astro", ".json", ".d.ts"];

/// What a file may be called in the source, by the ending that it has once it is built.
const BUILT_FROM: &[(&str, &[&str])] = &[
    (".js", &[".ts", ".tsx", ".js", ".jsx", ".d.ts"]),
    (".jsx", &[".tsx", ".jsx"]),
    (".mjs", &[".mts", ".mjs"]),
    (".cjs", &[".cts", ".cjs"]),
];

/// Looks for files.
pub(super) struct Files(ResolverGeneric<Disk>);

impl Default for Files {
    fn default() -> Self {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        Self(ResolverGeneric::new(ResolveOptions {
            extensions: owned(ENDINGS),
            extension_alias: BUILT_FROM.iter().map(|(built, from)| ((*built).to_owned(), owned(from))).collect(),
            main_fields: owned(&["source", "module", "main"]),
            modules: Vec::new(),
            symlinks: false,
            node_path: false,
            ..ResolveOptions::default()
        }))
    }
}

impl Files {
    /// The file that a relative or absolute path names.
    pub(super) fn find(&self, folder: &Path, path: &str) -> Option<PathBuf> {
        let path = plain(Path::new(path));
        let path = if path.is_absolute() { path } else { plain(&folder.join(path)) };
        let found = self.0.resolve(folder, path.to_str()?).ok()?;
        let in_packages = found.path().components().any(|part| part.as_os_str() == "node_modules");
        (!in_packages).then(|| plain(found.path()))
    }
}

/// A path without `.` and `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// The file system, with manifests that cannot be read made empty.
struct Disk;

impl FileSystem for Disk {
    fn new() -> Self {
        Self
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = std::fs::read(path)?;
        let is_manifest = path.extension().is_some_and(|ending| ending == "json");
        if is_manifest && serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&bytes).is_err() {
            return Ok(b"{}".to_vec());
        }
        Ok(bytes)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        let bytes = self.read(path)?;
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        FileSystemOs::metadata(path)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        FileSystemOs::symlink_metadata(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        FileSystemOs::read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        FileSystemOs::canonicalize(path)
    }
}
