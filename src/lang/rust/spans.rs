//! From the positions that proc-macro2 knows to byte offsets of the file.
//!
//! In: the text that was parsed and where it begins in the file. Out: [`Span`]s. A token's span is asked for its line and column
//! (columns are characters), which costs two binary searches and keeps no memory, unlike its byte range.

use proc_macro2::{LineColumn, Span as Mark};

use crate::span::Span;

/// The lines of a text that was given to the parser.
pub(super) struct Marks<'a> {
    text: &'a str,
    base: usize,
    ascii: bool,
    starts: Vec<usize>,
}

impl<'a> Marks<'a> {
    /// `text` begins at the byte `base` of the file.
    pub(super) fn new(text: &'a str, base: usize) -> Self {
        let bytes = text.as_bytes();
        let starts = std::iter::once(0)
            .chain(bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1))
            .collect();
        Self { text, base, ascii: text.is_ascii(), starts }
    }

    fn offset(&self, at: LineColumn) -> u32 {
        let start = at.line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or(0);
        let column = if self.ascii {
            at.column
        } else {
            let line = self.text.get(start..).unwrap_or("");
            line.char_indices().nth(at.column).map_or(line.len(), |(at, _)| at)
        };
        (self.base + (start + column).min(self.text.len())) as u32
    }

    /// The span of a token.
    pub(super) fn span(&self, mark: Mark) -> Span {
        Span::new(self.offset(mark.start()), self.offset(mark.end()))
    }

    /// From the beginning of one token to the end of another.
    pub(super) fn between(&self, first: Mark, last: Mark) -> Span {
        let start = self.offset(first.start());
        Span::new(start, self.offset(last.end()).max(start))
    }
}
