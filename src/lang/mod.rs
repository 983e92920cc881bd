//! The languages: each lowers the text of one file into [`FileFacts`], and knows nothing of any other file but the macros that write parts of
//! this one.
//!
//! In: a path and the bytes of a file. Out: facts, or what the file mentions. It follows nothing, opens nothing, and knows
//! no client library.

pub mod javascript;
pub mod json;
pub mod rust;

use crate::facts::FileFacts;

/// What other files say of macros that write parts of a file.
pub trait Elsewhere: Sync {
    /// What a macro takes and makes: the text between the brackets of its definition.
    fn definition(&self, name: &str) -> Option<String>;

    /// Whether another file uses a macro of this one.
    fn is_used(&self, name: &str) -> bool;
}

/// A file that stands alone.
pub struct Nowhere;

impl Elsewhere for Nowhere {
    fn definition(&self, _: &str) -> Option<String> {
        None
    }

    fn is_used(&self, _: &str) -> bool {
        false
    }
}

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

    /// Lowers one file, of which macros that other files declare may write parts.
    fn lower_with(&self, extension: &str, text: &str, _elsewhere: &dyn Elsewhere) -> FileFacts {
        self.lower(extension, text)
    }

    /// What a macro takes and makes, where a text declares one of that name.
    fn declared_macro(&self, _text: &str, _name: &str) -> Option<String> {
        None
    }

    /// Whether the code of a text holds a word.
    fn says(&self, _text: &str, _word: &str) -> bool {
        false
    }

    /// The modules that a text mentions, without parsing it: over-approximated, cheap. Each is called back as written.
    fn mentions(&self, text: &[u8], found: &mut dyn FnMut(&str));

    /// The words after which a text names the types that it implements, extends or adds to, up to the next `{` or `;`.
    fn heirs(&self) -> &'static [&'static str];

    /// The modules of test code that a text says stand in other files, as written.
    fn test_modules(&self, _text: &[u8]) -> Vec<String> {
        Vec::new()
    }
}
