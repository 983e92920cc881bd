//! The languages that are read.
//!
//! In: the ending of a file's name, or the interpreter of its `#!` line. Out: the frontend that reads it.

use crate::lang::Frontend;
use crate::lang::javascript::{JavaScript, QueryError};
use crate::lang::rust::Rust;

/// The languages that are read.
pub(super) struct Languages {
    javascript: JavaScript,
    rust: Rust,
}

impl Languages {
    /// The files that describe packages.
    pub(super) const MANIFESTS: [&str; 2] = ["package.json", "Cargo.toml"];

    /// All of them.
    pub(super) fn new() -> Result<Self, QueryError> {
        Ok(Self { javascript: JavaScript::new()?, rust: Rust })
    }

    /// Their frontends, in the order of their places.
    pub(super) fn all(&self) -> [&dyn Frontend; 2] {
        [&self.javascript, &self.rust]
    }

    /// The place of the language of files with that ending.
    pub(super) fn of(&self, extension: &str) -> Option<usize> {
        self.all().iter().position(|frontend| frontend.extensions().contains(&extension))
    }
}

impl crate::walk::Languages for Languages {
    fn reads(&self, extension: &str) -> bool {
        self.of(extension).is_some()
    }

    fn interpreter(&self, name: &str) -> Option<&'static str> {
        let by = self.all().into_iter().find(|frontend| frontend.interpreters().contains(&name))?;
        by.extensions().first().copied()
    }
}
