//! The facts of all files, joined: what a name means, what a value is, who calls whom.
//!
//! In: [`FileFacts`] of single files through the door [`Files`], and the [`Catalog`]. Out: a [`Program`] that answers questions
//! about values lazily: nothing is computed that no question needs, and files outside the named paths are read for meaning when
//! an import leads there. It decides no verdict.

mod added;
mod asking;
mod branches;
mod bundled;
mod call;
mod callers;
mod changes;
mod choice;
mod closures;
mod containers;
mod contexts;
mod dispatch;
mod elements;
mod eval;
mod exports;
mod extended;
mod filled;
mod frames;
mod globs;
mod handed;
mod higher_order;
mod index;
mod inside;
mod instance;
mod kept;
mod library;
mod made;
mod makers;
mod memory;
mod moments;
mod names;
mod number;
mod object;
mod params;
mod promise;
mod providers;
mod queried;
mod results;
mod stand_in;
mod stubs;
mod texts;
mod this;
mod types;
pub mod value;
mod variants;
mod written;

use std::path::Path;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

pub use callers::{CallRef, called_as};
pub use choice::truth;
pub use closures::leaves;
pub use eval::Eval;
pub use index::{Owner, Unit, step_names as index_names};
pub use library::{Matched, Op, Roles};
pub use number::{Amount, amount_of};
pub use object::Lookup;
pub use texts::{is_text, parts_of};
pub use value::{Bound, Env, Frame, Layer, LibValue, Loc, Value};

use crate::catalog::Catalog;
use crate::facts::{FunctionId, Modules};
use crate::span::FileId;

/// The files of the scan, parsed when they are first asked for. Implemented by the conductor.
pub trait Files: Sync {
    /// A file's facts and their index; `None` when it cannot be read.
    fn unit(&self, file: FileId) -> Option<&Unit>;

    /// A file's path.
    fn path(&self, file: FileId) -> &Path;

    /// A file's path as reports print it.
    fn shown(&self, file: FileId) -> std::sync::Arc<str>;

    /// A path that reports print, from the repository's folder on: the same wherever the command runs.
    fn rooted(&self, shown: &str) -> String;

    /// Whether a file's own calls are counted: it lies under the named paths and is not left out.
    fn is_counted(&self, file: FileId) -> bool;

    /// Whether a file says that it is generated.
    fn is_generated(&self, file: FileId) -> bool;

    /// The file at a path, also outside the named paths, as long as it may be followed.
    fn find(&self, path: &Path) -> Option<FileId>;

    /// What the file's language knows about modules.
    fn modules(&self, file: FileId) -> &dyn Modules;

    /// The family of the file's language.
    fn family(&self, file: FileId) -> &'static str;

    /// A file's place among all files: the same whatever was found first.
    fn order(&self, file: FileId) -> (u32, &Path);

    /// The counted files that may name something of `home`: `home` itself, files that import it (also through others), each only
    /// if it holds one of the words (none: any). `far`: also files that get hold of it without importing it (methods of objects that are handed on).
    /// In a stable order.
    fn candidates(&self, home: FileId, words: &[&str], far: bool) -> Vec<FileId>;

    /// The counted files among the candidates, near and far, that may implement, extend or add to a type of `home`; `home` itself is one.
    fn heirs(&self, home: FileId, name: &str) -> Vec<FileId>;

    /// Those that may make instances of a type of `home` by writing them down, or add to it; `home` itself is one.
    fn makers(&self, home: FileId, name: &str) -> Vec<FileId>;

    /// Whether a file may export a name, as far as its words tell: it need not be parsed to say no.
    fn may_export(&self, file: FileId, name: &str) -> bool;

    /// Whether a counted file passes on what it imports.
    fn passes_on(&self, file: FileId) -> bool;

    /// Whether it may pass on what it imports without naming it.
    fn passes_all(&self, file: FileId) -> bool;

    /// The counted files that hold a word, in a stable order.
    fn holders(&self, word: &str) -> Vec<FileId>;

    /// Whether a counted file holds a word.
    fn holds_word(&self, file: FileId, word: &str) -> bool;

    /// The counted files that import `home` directly, in a stable order.
    fn importers(&self, home: FileId) -> Vec<FileId>;
}

/// A function of the scanned code.
pub type FunctionKey = (FileId, FunctionId);

/// Everything that is known, ready to be asked.
pub struct Program<'a> {
    /// The files.
    pub files: &'a dyn Files,
    /// The client libraries.
    pub catalog: &'a Catalog,
    callers: Mutex<FxHashMap<callers::Subject, std::sync::Arc<[CallRef]>>>,
}

impl<'a> Program<'a> {
    /// A program over files.
    pub fn new(files: &'a dyn Files, catalog: &'a Catalog) -> Self {
        Self { files, catalog, callers: Mutex::new(FxHashMap::default()) }
    }
}
