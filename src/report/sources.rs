//! The text of scanned files, for excerpts.
//!
//! In: paths as reports print them. Out: lines. A file that is no longer there, or that is not text, has none.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

/// Where the files of a report are.
#[derive(Debug, Default)]
pub struct Sources {
    folders: Vec<PathBuf>,
    read: RefCell<BTreeMap<String, Option<Rc<str>>>>,
}

impl Sources {
    /// Files relative to the first of these folders that has them: the folder where the command runs, then the named paths.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, read: RefCell::default() }
    }

    /// The text of a file.
    pub fn text(&self, file: &str) -> Option<Rc<str>> {
        let mut read = self.read.borrow_mut();
        read.entry(file.to_owned()).or_insert_with(|| self.load(file)).clone()
    }

    fn load(&self, file: &str) -> Option<Rc<str>> {
        let path = self.folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())?;
        let bytes = std::fs::read(path).ok()?;
        Some(String::from_utf8_lossy(&bytes).into())
    }

    /// Lines of a file, the first of them numbered `first` (from 1).
    pub fn lines(&self, file: &str, first: u32, last: u32) -> Option<Vec<String>> {
        let text = self.text(file)?;
        let wanted = (last.checked_sub(first)? + 1) as usize;
        let lines: Vec<String> = split(&text).skip(first.checked_sub(1)? as usize).take(wanted).map(str::to_owned).collect();
        (!lines.is_empty()).then_some(lines)
    }
}

/// The lines of a text, ended by `\n`, `\r\n` or a lone `\r`, as positions count them.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}
