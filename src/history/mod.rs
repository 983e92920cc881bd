//! Trees of a git repository that are not the folder's: at a revision, or as they are staged.
//!
//! In: a path inside a repository and a revision's name. Out: a [`Listing`] of its files, which can be held against the folder or written
//! into a temporary one. The work tree, the index and the repository are read and never written. What the files mean is not asked here.

mod error;
mod listing;
mod renames;

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;

pub use error::HistoryError;
pub use listing::{Listing, Written};
pub use renames::renames;

use crate::near::nearest;
use crate::settings::full;
use listing::lay_out;

/// A repository with a work tree.
pub struct History {
    repository: gix::Repository,
    folder: PathBuf,
}

impl History {
    /// The repository in which all these paths lie.
    ///
    /// # Errors
    ///
    /// There is none, or it has no work tree, or a path lies elsewhere.
    pub fn of(paths: &[PathBuf]) -> Result<Self, HistoryError> {
        let first = paths.first().map_or_else(|| full(Path::new(".")), |path| full(path));
        let inside = first.ancestors().find(|folder| folder.is_dir()).unwrap_or(&first);
        let repository = gix::discover(inside).map_err(|_| HistoryError::NoRepository(first.clone()))?;
        let folder = repository.workdir().map(full).ok_or_else(|| HistoryError::Bare(first.clone()))?;
        match paths.iter().find(|path| !full(path).starts_with(&folder)) {
            Some(path) => Err(HistoryError::Elsewhere(path.clone(), folder)),
            None => Ok(Self { repository, folder }),
        }
    }

    /// The folder of the work tree.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The tree at a revision.
    ///
    /// # Errors
    ///
    /// There is no such revision, or a part of its tree is not here.
    pub fn at(&self, revision: &str) -> Result<Listing, HistoryError> {
        let repository = &self.repository;
        let unborn = repository.head().is_ok_and(|head| head.is_unborn());
        let tree = repository
            .rev_parse_single(revision)
            .ok()
            .and_then(|id| id.object().ok())
            .and_then(|object| object.peel_to_tree().ok())
            .ok_or_else(|| if unborn { HistoryError::NoCommit(revision.to_owned()) } else { self.no_revision(revision) })?;
        let index = repository.index_from_tree(&tree.id).map_err(|error| unreadable(revision, &error))?;
        let mut listing = Listing::new(revision);
        lay_out(repository, &index, &self.folder, "", &mut listing)?;
        Ok(listing)
    }

    /// What is staged: the tree that a commit would have now.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or a merge is not settled.
    pub fn staged(&self) -> Result<Listing, HistoryError> {
        let index = self.repository.index_or_empty().map_err(|error| unreadable("the index", &error))?;
        let unmerged = index.entries().iter().find(|entry| entry.stage() != gix::index::entry::Stage::Unconflicted);
        if let Some(entry) = unmerged {
            return Err(HistoryError::Unmerged(entry.path(&index).to_str_lossy().into_owned()));
        }
        let mut listing = Listing::new("the index");
        lay_out(&self.repository, &index, &self.folder, "", &mut listing)?;
        Ok(listing)
    }

    /// Whether anything has been committed.
    pub fn has_commit(&self) -> bool {
        self.repository.head().is_ok_and(|head| !head.is_unborn())
    }

    fn no_revision(&self, revision: &str) -> HistoryError {
        let mut names: Vec<String> = Vec::new();
        if let Ok(references) = self.repository.references()
            && let Ok(all) = references.all()
        {
            names.extend(all.flatten().map(|reference| reference.name().shorten().to_str_lossy().into_owned()));
        }
        HistoryError::NoRevision {
            revision: revision.to_owned(),
            shallow: self.repository.is_shallow().unwrap_or(false),
            near: nearest(revision, names.iter().map(String::as_str)).map(str::to_owned),
        }
    }
}

fn unreadable(what: &str, why: &dyn std::fmt::Display) -> HistoryError {
    HistoryError::Unreadable(what.to_owned(), why.to_string())
}
