//! JavaScript and TypeScript: text to facts.
//!
//! In: the text of a file and the ending of its name (`js`, `jsx`, `mjs`, `cjs`, `ts`, `tsx`, `mts`, `cts`, `vue`, `svelte`,
//! `astro`). Out: [`FileFacts`]. It opens no files, resolves no imports and knows no client library; what module paths mean
//! is said by [`modules`].
//!
//! Names that this frontend makes up, none of which code can contain: `require:x` and `import:x` for a module taken inside an
//! expression, `module.exports` and `exports.x` for what a module gives, `param:0` for a parameter that is taken apart with a
//! rest, `type:120` for a type written in place.

mod assignments;
mod blocks;
mod calls;
mod chains;
mod classes;
mod commonjs;
mod constructors;
mod exits;
mod functions;
mod grammar;
mod imports;
mod literals;
mod loops;
mod lower;
mod marks;
mod mended;
mod mentions;
pub mod modules;
mod patterns;
mod roles;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod values;

use std::borrow::Cow;
use std::cell::RefCell;

use tree_sitter::{Parser, Tree};

use self::grammar::Grammar;
pub use self::grammar::QueryError;
use self::lower::Lowerer;
use super::Frontend;
use crate::facts::{Broken, FileFacts, Language};
use crate::span::{LineIndex, Span};

/// Reads JavaScript and TypeScript.
#[derive(Debug)]
pub struct JavaScript {
    javascript: Grammar,
    typescript: Grammar,
    tsx: Grammar,
}

impl JavaScript {
    /// Reads the query files.
    ///
    /// # Errors
    /// A line of them that is refused.
    pub fn new() -> Result<Self, QueryError> {
        Ok(Self {
            javascript: Grammar::new(tree_sitter_javascript::LANGUAGE.into(), grammar::FOR_JAVASCRIPT)?,
            typescript: Grammar::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), grammar::FOR_TYPESCRIPT)?,
            tsx: Grammar::new(tree_sitter_typescript::LANGUAGE_TSX.into(), grammar::FOR_TSX)?,
        })
    }

    /// Lowers a text of one grammar, with the lines of the file that it stands in.
    fn lower_text(&self, extension: &str, text: &str, lines: LineIndex) -> FileFacts {
        let (grammar, language) = match extension {
            "ts" | "mts" | "cts" => (&self.typescript, Language::TypeScript),
            "tsx" => (&self.tsx, Language::TypeScript),
            _ => (&self.javascript, Language::JavaScript),
        };
        let Some(tree) = parse(grammar, text) else { return unread(language, lines, text) };
        let facts = FileFacts::empty(language, lines);
        if language == Language::JavaScript
            && tree.root_node().has_error()
            && is_flow(text)
            && let Some(typed) = parse(&self.tsx, text)
        {
            return Lowerer::new(text, &self.tsx, typed.root_node(), facts).run(typed.root_node());
        }
        let tree = read_anyway(grammar, text, tree);
        Lowerer::new(text, grammar, tree.root_node(), facts).run(tree.root_node())
    }
}

/// How often a text is mended; what is refused can hide more of it.
const ROUNDS: usize = 4;

/// The tree of a text, also where it is valid and the grammar refuses or mistakes it.
fn read_anyway(grammar: &Grammar, text: &str, mut tree: Tree) -> Tree {
    let mut mended = Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        let Some(next) = mended::mended(&mended, &tree) else { break };
        let Some(again) = parse(grammar, &next).filter(|again| mended::is_better(again, &tree)) else { break };
        (mended, tree) = (Cow::Owned(next), again);
    }
    tree
}

impl Frontend for JavaScript {
    fn heirs(&self) -> &'static [&'static str] {
        &["implements", "extends"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "astro"]
    }

    fn interpreters(&self) -> &'static [&'static str] {
        &["node", "nodejs", "bun", "deno", "tsx", "ts-node", "zx"]
    }

    fn family(&self) -> &'static str {
        "javascript"
    }

    fn lower(&self, extension: &str, text: &str) -> FileFacts {
        let lines = LineIndex::new(text);
        match extension {
            "vue" | "svelte" | "astro" => {
                let blocks = blocks::blocks(extension, text);
                self.lower_text(blocks.extension, &blocks.text, lines)
            }
            _ => self.lower_text(extension, text, lines),
        }
    }

    fn mentions(&self, text: &[u8], found: &mut dyn FnMut(&str)) {
        mentions::mentions(text, found);
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

fn parse(grammar: &Grammar, text: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar.language).ok()?;
        parser.parse(text, None)
    })
}

/// Whether a file has types that the JavaScript grammar does not know.
fn is_flow(text: &str) -> bool {
    let head = text.char_indices().nth(1000).map_or(text, |(end, _)| &text[..end]);
    head.contains("@flow")
}

fn unread(language: Language, lines: LineIndex, text: &str) -> FileFacts {
    let mut facts = FileFacts::empty(language, lines);
    facts.broken.push(Broken { span: Span::new(0, text.len() as u32), reason: "the parser gave up".into() });
    facts
}
