//! The text of a configuration file, and what is wrong at a place in it.
//!
//! In: a path and its text. Out: places as people read them, and [`ConfigError`]s. It does not know what the keys mean.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::finding::Region;
use crate::span::{LineIndex, Span};

/// Why a configuration file is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, as it is shown.
    pub file: String,
    /// 1-based line and column, if the error has a place in the file.
    pub place: Option<(u32, u32)>,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for ConfigError {}

/// A configuration file.
#[derive(Debug)]
pub(super) struct Source<'t> {
    /// As it is shown.
    pub file: Arc<str>,
    /// What it says.
    pub text: &'t str,
    lines: LineIndex,
}

impl<'t> Source<'t> {
    pub(super) fn new(file: &str, text: &'t str) -> Self {
        Self { file: file.into(), text, lines: LineIndex::new(text) }
    }

    /// A refusal at a place.
    pub(super) fn error(&self, span: &Range<usize>, message: String) -> ConfigError {
        let at = self.lines.position(span.start as u32);
        ConfigError { file: self.file.to_string(), place: Some((at.line, at.column)), message }
    }

    /// A place as people read it.
    pub(super) fn region(&self, span: &Range<usize>) -> Region {
        Region::of(self.file.clone(), &self.lines, Span::new(span.start as u32, span.end as u32))
    }

    /// A place in words: `untimed.toml:3`.
    pub(super) fn written(&self, span: &Range<usize>) -> String {
        format!("{}:{}", self.file, self.lines.position(span.start as u32).line)
    }
}
