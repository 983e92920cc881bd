//! Where things stand in files: byte spans, and the lines and columns that people count.
//!
//! In: the text of a file, once. Out: [`LineIndex`], which turns byte offsets into 1-based lines and columns without
//! the text. It reads no files.

/// A file of the scan, by its place in the sorted list of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from two byte offsets.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether nothing lies in it.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether `other` lies within this span.
    pub const fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A span in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Where in it.
    pub span: Span,
}

/// A 1-based line and column; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Turns byte offsets of one text into lines and columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineIndex {
    /// The offset at which each line begins.
    starts: Vec<u32>,
    /// For each character of more than one byte: its offset, and how many bytes it takes beyond the first. A byte order mark is no
    /// character.
    wide: Vec<(u32, u8)>,
}

impl LineIndex {
    /// Indexes a text. Lines end with `\n`, `\r\n` or a lone `\r`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        let wide = if text.is_ascii() {
            Vec::new()
        } else {
            let more = |at: usize, c: char| c.len_utf8() as u8 - u8::from(at > 0 || c != '\u{feff}');
            text.char_indices().filter(|(_, c)| !c.is_ascii()).map(|(at, c)| (at as u32, more(at, c))).collect()
        };
        Self { starts, wide }
    }

    /// The line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let from = self.wide.partition_point(|(at, _)| *at < start);
        let to = self.wide.partition_point(|(at, _)| *at < offset);
        let extra: u32 = self.wide.get(from..to).unwrap_or(&[]).iter().map(|(_, more)| u32::from(*more)).sum();
        Position { line: line as u32, column: (offset - start).saturating_sub(extra) + 1 }
    }

    /// The byte offset at which a 1-based line begins, if there is such a line.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get(line.checked_sub(1)? as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let index = LineIndex::new("a\r\nüö x\n\n🦀y");
        assert_eq!(index.position(0), Position { line: 1, column: 1 });
        assert_eq!(index.position(8), Position { line: 2, column: 4 });
        let crab = "a\r\nüö x\n\n".len() as u32;
        assert_eq!(index.position(crab + 4), Position { line: 4, column: 2 });
        assert_eq!(LineIndex::new("\u{feff}x").position(3), Position { line: 1, column: 1 });
    }
}
