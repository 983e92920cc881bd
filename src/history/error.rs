//! Why an earlier tree cannot be read.

use std::fmt;
use std::path::PathBuf;

/// Why an earlier tree cannot be read.
#[derive(Debug)]
pub enum HistoryError {
    /// The path lies in no repository.
    NoRepository(PathBuf),
    /// The repository has no folder with files.
    Bare(PathBuf),
    /// A named path lies outside of the repository of the others.
    Elsewhere(PathBuf, PathBuf),
    /// Nothing has been committed.
    NoCommit(String),
    /// There is no such revision; the clone may be shallow; a name that is near.
    NoRevision {
        /// As it was asked for.
        revision: String,
        /// Whether the clone has a part of the history only.
        shallow: bool,
        /// A branch or tag with a name like it.
        near: Option<String>,
    },
    /// A submodule's tree is not here.
    Submodule {
        /// Its path.
        path: String,
        /// Its commit.
        commit: String,
    },
    /// A path whose merge is not settled.
    Unmerged(String),
    /// The repository cannot be read.
    Unreadable(String, String),
    /// A temporary folder or file cannot be written.
    Unwritable(PathBuf, std::io::Error),
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRepository(path) => {
                write!(f, "{}: lies in no git repository: expected one for --since and --staged", path.display())
            }
            Self::Bare(path) => write!(f, "{}: is a bare repository: expected one with a work tree", path.display()),
            Self::Elsewhere(path, folder) => {
                write!(f, "{}: lies outside of {}: expected paths of one repository", path.display(), folder.display())
            }
            Self::NoCommit(revision) => {
                write!(f, "--since {revision}: nothing is committed in this repository yet: expected a revision to compare with")
            }
            Self::NoRevision { revision, shallow, near } => {
                write!(f, "--since {revision}: no such revision")?;
                match (shallow, near) {
                    (true, _) => f.write_str(
                        " in this shallow clone: expected one that was fetched (`git fetch --unshallow`, or `fetch-depth: 0` where the clone is made)",
                    ),
                    (false, Some(near)) => write!(f, ": expected a branch, a tag or a commit; the nearest is `{near}`"),
                    (false, None) => f.write_str(": expected a branch, a tag or a commit, for example `main` or `HEAD~1`"),
                }
            }
            Self::Submodule { path, commit } => write!(
                f,
                "{path}: the submodule's commit {commit} is not here: expected it to be fetched (`git -C {path} fetch origin {commit}`)"
            ),
            Self::Unmerged(path) => write!(f, "{path}: is not merged: expected a settled index for --staged"),
            Self::Unreadable(what, why) => write!(f, "{what}: cannot be read from the repository: {why}"),
            Self::Unwritable(path, error) => {
                write!(f, "{}: cannot be written: {error}; expected a folder for temporary files (TMPDIR)", path.display())
            }
        }
    }
}

impl std::error::Error for HistoryError {}
