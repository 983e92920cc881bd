//! Rust: lowers a file with syn's tree, and knows how crates and modules are laid out.
//!
//! In: the text of a file ([`Rust`]), or the path of one ([`RustModules`]). Out: [`FileFacts`], and what module paths mean. Only
//! owned facts leave: the spans of the syntax tree are invalidated after each file, so that memory does not grow. No `cargo`
//! process is run, no macro of another file is expanded, no type is inferred.
//!
//! What the facts say beyond the common conventions:
//!
//! - tuple fields read as `x.0` are members named `0`; tuple patterns are parts by index;
//! - `if`, `match` and `loop` used as values are choices among the tails that do not leave (`return`, `break`, `bail!` are left out);
//! - the futures of `select!` are the arguments of its call, its handlers stand beside it;
//! - `lazy_static!` and `thread_local!` names are bindings with the type and the value inside;
//! - a declared field's serde or clap default is its initialiser;
//! - private `use` declarations are exported too, for child modules can reach them.

mod arms;
mod attrs;
mod blocks;
mod branches;
mod comments;
mod declared;
mod depth;
mod derive;
mod expand;
mod exprs;
mod format;
mod fragments;
mod functions;
mod items;
mod loops;
mod lower;
mod macros;
mod mentions;
pub mod modules;
mod patterns;
mod repair;
mod repeats;
mod scan;
mod spans;
mod tokens;
mod types;
mod uses;

#[cfg(test)]
mod tests;

pub use modules::RustModules;

use self::depth::Depth;
use self::lower::Lower;
use super::{Elsewhere, Frontend, Nowhere};
use crate::facts::{Broken, FileFacts, Language};
use crate::span::{LineIndex, Span};

/// The reader of Rust.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rust;

impl Rust {
    /// The reader. It has no state.
    pub const fn new() -> Self {
        Self
    }
}

impl Frontend for Rust {
    fn heirs(&self) -> &'static [&'static str] {
        &["impl", "type"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["rs"]
    }

    fn interpreters(&self) -> &'static [&'static str] {
        &["cargo", "rust-script", "run-cargo-script"]
    }

    fn family(&self) -> &'static str {
        "rust"
    }

    fn lower(&self, extension: &str, text: &str) -> FileFacts {
        self.lower_with(extension, text, &Nowhere)
    }

    fn declared_macro(&self, text: &str, name: &str) -> Option<String> {
        mentions::declared_macro(text, name)
    }

    fn says(&self, text: &str, word: &str) -> bool {
        let mut words = scan::Tokens::new(text.as_bytes()).filter(|token| token.kind == scan::Kind::Word);
        words.any(|token| text.get(token.start..token.end) == Some(word))
    }

    fn lower_with(&self, _extension: &str, text: &str, elsewhere: &dyn Elsewhere) -> FileFacts {
        let mut facts = FileFacts::empty(Language::Rust, LineIndex::new(text));
        facts.remarks = comments::remarks(text);
        let start = prelude(text);
        let code = text.get(start..).unwrap_or("");
        let mut read = comments::without_docs(code);
        let mut depth = Depth::of(read.as_bytes());
        if !depth.is_readable() {
            let (blanked, too_deep) = repair::without_deep_items(&read);
            facts.broken.extend(too_deep.into_iter().map(|bad| bad.at(start)));
            depth = Depth::of(blanked.as_bytes());
            read = blanked;
        }
        if depth.is_shallow() {
            return parse(facts, code, &read, start, elsewhere);
        }
        let spare = facts.clone();
        on_own_stack(|| parse(facts, code, &read, start, elsewhere)).unwrap_or_else(|| {
            whole(spare, start, text.len(), "it is nested deeply, and could not be read on a stack of its own")
        })
    }

    fn mentions(&self, text: &[u8], found: &mut dyn FnMut(&str)) {
        mentions::mentions(text, found);
    }

    fn test_modules(&self, text: &[u8]) -> Vec<String> {
        mentions::test_modules(text)
    }
}

/// Runs something on a thread with a large stack.
fn on_own_stack<T: Send>(read: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(depth::STACK).spawn_scoped(scope, read);
        thread.ok()?.join().ok()
    })
}

/// How many bytes stand before the code: a byte order mark and a `#!` line.
fn prelude(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let code = text.get(mark..).unwrap_or("");
    let is_attribute = code.strip_prefix("#!").is_some_and(|rest| {
        let mut tokens = scan::Tokens::new(rest.as_bytes()).filter(|token| token.kind != scan::Kind::Comment);
        tokens.next().is_some_and(|token| rest.get(token.start..token.end) == Some("["))
    });
    if code.starts_with("#!") && !is_attribute { mark + code.find('\n').unwrap_or(code.len()) } else { mark }
}

/// Reads `read`, which is `code` with some characters blanked, and which begins at the byte `start` of the file.
fn parse(mut facts: FileFacts, code: &str, read: &str, start: usize, elsewhere: &dyn Elsewhere) -> FileFacts {
    let facts = match syn::parse_str::<syn::File>(read) {
        Ok(file) => Lower::new(facts, code, start, elsewhere).file(&file),
        Err(error) => {
            let (blanked, bad) = repair::without_bad_items(read);
            match syn::parse_str::<syn::File>(&blanked) {
                Ok(file) if !bad.is_empty() => {
                    facts.broken.extend(bad.into_iter().map(|bad| bad.at(start)));
                    Lower::new(facts, code, start, elsewhere).file(&file)
                }
                _ => whole(facts, start, start + code.len(), &error.to_string()),
            }
        }
    };
    proc_macro2::extra::invalidate_current_thread_spans();
    facts
}

fn whole(mut facts: FileFacts, start: usize, end: usize, reason: &str) -> FileFacts {
    facts.broken.push(Broken { span: Span::new(start as u32, end as u32), reason: reason.into() });
    facts
}
