//! The files of one tree, held against the folder or written out.
//!
//! In: an index of the repository, those of its submodules with it. Out: whether the folder has the same files; the files in a temporary
//! folder. Files that no reader of the scan opens (pictures, archives, …) are passed over.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::index::entry::Mode;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::HistoryError;

/// Endings of files that say nothing about calls.
const PASSED_OVER: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "bmp", "tif", "tiff", "psd", "svg", "woff", "woff2", "ttf", "otf", "eot",
    "mp3", "mp4", "mov", "webm", "wav", "ogg", "pdf", "zip", "gz", "tgz", "xz", "zst", "br", "bz2", "7z", "jar", "wasm", "so",
    "dylib", "dll", "exe", "a", "o", "class", "bin", "dat", "db", "sqlite", "parquet", "csv", "tsv", "md", "mdx", "rst", "css",
    "scss", "sass", "less", "po", "snap", "map",
];

/// A file of a tree.
#[derive(Debug)]
struct File {
    /// From the repository's folder on.
    path: String,
    id: ObjectId,
    is_link: bool,
    /// The repository that holds it, by its place in the listing.
    of: usize,
}

/// The files of one tree.
pub struct Listing {
    what: String,
    repositories: Vec<gix::ThreadSafeRepository>,
    files: Vec<File>,
}

/// A tree in a temporary folder, which lasts as long as this.
#[derive(Debug)]
pub struct Written {
    folder: tempfile::TempDir,
}

impl Written {
    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Adds the files of an index, and those of the submodules that are checked out in the folder.
pub(super) fn lay_out(
    repository: &gix::Repository,
    index: &gix::index::State,
    folder: &Path,
    prefix: &str,
    listing: &mut Listing,
) -> Result<(), HistoryError> {
    let of = listing.repositories.len();
    listing.repositories.push(repository.clone().into_sync());
    for entry in index.entries() {
        let path = format!("{prefix}{}", entry.path(index).to_str_lossy());
        let is_link = entry.mode == Mode::SYMLINK;
        if entry.mode == Mode::COMMIT {
            submodule(&folder.join(&path), &path, entry.id, folder, listing)?;
        } else if (is_link || matches!(entry.mode, Mode::FILE | Mode::FILE_EXECUTABLE)) && is_needed(&path) {
            listing.files.push(File { path, id: entry.id, is_link, of });
        }
    }
    Ok(())
}

/// Adds the files of a submodule at a commit. One that is not checked out has no files now either.
fn submodule(at: &Path, path: &str, commit: ObjectId, folder: &Path, listing: &mut Listing) -> Result<(), HistoryError> {
    if !at.join(".git").exists() {
        return Ok(());
    }
    let missing = || HistoryError::Submodule { path: path.to_owned(), commit: commit.to_string() };
    let repository = gix::open(at).map_err(|_| missing())?;
    let tree = repository.find_object(commit).ok().and_then(|object| object.peel_to_tree().ok()).ok_or_else(missing)?;
    let index = repository.index_from_tree(&tree.id).map_err(|_| missing())?;
    lay_out(&repository, &index, folder, &format!("{path}/"), listing)
}

fn is_needed(path: &str) -> bool {
    let ending = Path::new(path).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_none_or(|ending| !PASSED_OVER.contains(&ending.as_str()))
}

impl Listing {
    pub(super) fn new(what: &str) -> Self {
        Self { what: what.to_owned(), repositories: Vec::new(), files: Vec::new() }
    }

    /// What was asked for: a revision, or the index.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The paths of its files, from the repository's folder on.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str())
    }

    /// Whether it has the same files as another listing.
    pub fn is(&self, other: &Self) -> bool {
        let of = |listing: &Self| -> FxHashSet<(String, ObjectId)> {
            listing.files.iter().map(|file| (file.path.clone(), file.id)).collect()
        };
        of(self) == of(other)
    }

    /// Whether the folder has the same files, and of these `scanned` no further one. Contents are compared by their hash.
    pub fn is_as_in(&self, folder: &Path, scanned: &[PathBuf]) -> bool {
        let known: FxHashSet<PathBuf> = self.files.iter().map(|file| folder.join(&file.path)).collect();
        scanned.iter().filter(|path| path.starts_with(folder)).all(|path| known.contains(path))
            && self.files.par_iter().all(|file| same(file, &folder.join(&file.path)))
    }

    /// Writes the files into a temporary folder that looks like a repository's.
    ///
    /// # Errors
    ///
    /// A file that is not in the repository, or a folder that cannot be written.
    pub fn write(&self) -> Result<Written, HistoryError> {
        let unwritable = |path: &Path| {
            let path = path.to_path_buf();
            move |error| HistoryError::Unwritable(path, error)
        };
        let temporary = std::env::temp_dir();
        let folder = tempfile::Builder::new().prefix("untimed-").tempdir().map_err(unwritable(&temporary))?;
        let folders: std::collections::BTreeSet<PathBuf> =
            self.files.iter().filter_map(|file| Some(folder.path().join(&file.path).parent()?.to_path_buf())).collect();
        for one in folders.iter().chain([&folder.path().join(".git")]) {
            std::fs::create_dir_all(one).map_err(unwritable(one))?;
        }
        let each = self.files.len().div_ceil(rayon::current_num_threads() * 4).max(16);
        self.files.par_chunks(each).try_for_each(|files| {
            let repositories: Vec<gix::Repository> =
                self.repositories.iter().map(gix::ThreadSafeRepository::to_thread_local).collect();
            files.iter().try_for_each(|file| {
                let path = folder.path().join(&file.path);
                let object = repositories[file.of]
                    .find_object(file.id)
                    .map_err(|error| HistoryError::Unreadable(format!("{} at {}", file.path, self.what), error.to_string()))?;
                if file.is_link { link(&object.data, &path) } else { std::fs::write(&path, &object.data) }
                    .map_err(unwritable(&path))
            })
        })?;
        Ok(Written { folder })
    }
}

/// Whether a file of the folder has the content of one of the tree.
fn same(file: &File, path: &Path) -> bool {
    let content = if file.is_link {
        std::fs::read_link(path).map(|target| target.to_string_lossy().into_owned().into_bytes())
    } else {
        std::fs::read(path)
    };
    content
        .is_ok_and(|bytes| gix::objs::compute_hash(file.id.kind(), gix::objs::Kind::Blob, &bytes).is_ok_and(|id| id == file.id))
}

/// Makes a link as the tree has it, unless it leads out of it.
#[cfg(unix)]
fn link(target: &[u8], path: &Path) -> std::io::Result<()> {
    use std::os::unix::ffi::OsStrExt as _;
    let target = Path::new(std::ffi::OsStr::from_bytes(target));
    if target.is_absolute() { Ok(()) } else { std::os::unix::fs::symlink(target, path) }
}

/// Links are passed over where making one needs a right of its own.
#[cfg(not(unix))]
fn link(_: &[u8], _: &Path) -> std::io::Result<()> {
    Ok(())
}
