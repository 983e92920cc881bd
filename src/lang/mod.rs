//! The languages: each lowers the text of one file into [`FileFacts`], and knows nothing of any other file.
//!
//! In: a path and the bytes of a file. Out: facts, or what the file mentions. It follows nothing, opens nothing, and knows
//! no client library.

pub mod javascript;
pub mod json;
pub mod rust;

use crate::facts::FileFacts;

/// A language's reader.
pub trait Frontend: Sync {
    /// The endings of file names that it reads, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// The interpreters whose `#!` line marks its scripts.
    fn interpreters(&self) -> &'static [&'static str];

    /// The folder under `queries/` whose libraries it uses.
    fn family(&self) -> &'static str;

    /// Lowers one file. `extension` is the ending of its name, in lower case. Never fails: what cannot be read becomes
    /// [`FileFacts::broken`].
    fn lower(&self, extension: &str, text: &str) -> FileFacts;

    /// The modules that a text mentions, without parsing it: over-approximated, cheap. Each is called back as written.
    fn mentions(&self, text: &[u8], found: &mut dyn FnMut(&str));

    /// The words after which a text names the types that it implements, extends or adds to, up to the next `{` or `;`.
    fn heirs(&self) -> &'static [&'static str];

    /// The modules of test code that a text says stand in other files, as written.
    fn test_modules(&self, _text: &[u8]) -> Vec<String> {
        Vec::new()
    }
}
