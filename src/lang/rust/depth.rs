//! How deep the syntax tree of a text can get, found before anything is parsed.
//!
//! In: a text. Out: [`Depth`], an upper estimate of how many brackets and of how many tree nodes lie above one another.
//! Parsers, visitors and destructors of trees recurse, so this decides whether a text is read where we are, on a larger
//! stack, or not at all. It knows no grammar: operators pile up until a separator ends them.

use super::scan::{Kind, Tokens};

/// How deep a text nests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Depth {
    /// Brackets within brackets.
    pub brackets: usize,
    /// Nodes of the tree within nodes: brackets, and operators, calls, members and type arguments.
    pub nodes: usize,
}

/// What can be read on the stack of any thread.
const SHALLOW: Depth = Depth { brackets: 24, nodes: 120 };

/// What can be read on the stack of [`STACK`].
const DEEP: Depth = Depth { brackets: 400, nodes: 3000 };

/// The stack for what is neither shallow nor too deep, in bytes. Only the part that is used costs memory.
pub(super) const STACK: usize = 512 << 20;

impl Depth {
    /// Whether it can be read on any thread's stack.
    pub(super) const fn is_shallow(self) -> bool {
        self.within(SHALLOW)
    }

    /// Whether it can be read at all.
    pub(super) const fn is_readable(self) -> bool {
        self.within(DEEP)
    }

    const fn within(self, limit: Self) -> bool {
        self.brackets <= limit.brackets && self.nodes <= limit.nodes
    }

    /// Measures a text.
    pub(super) fn of(text: &[u8]) -> Self {
        let mut most = Self::default();
        let mut levels = vec![Level::default()];
        let mut above = 0_usize;
        let mut after_brace = false;
        let mut before = 0_u8;
        for token in Tokens::new(text).filter(|token| token.kind != Kind::Comment) {
            let word = text.get(token.start..token.end).unwrap_or(&[]);
            if after_brace && !goes_on(token.kind, word) {
                end_statement(&mut levels);
            }
            after_brace = false;
            match token.kind {
                Kind::Open => {
                    let level = levels.last_mut();
                    above += level.map_or(0, |level| {
                        level.operators += 1;
                        level.nodes()
                    });
                    levels.push(Level::default());
                    most.brackets = most.brackets.max(levels.len() - 1);
                }
                Kind::Close => {
                    if levels.len() > 1 {
                        levels.pop();
                        above -= levels.last().map_or(0, |level| level.nodes()).min(above);
                    }
                    after_brace = word == b"}";
                }
                Kind::Punct(punct) => {
                    if let Some(level) = levels.last_mut() {
                        level.punct(punct, before);
                    }
                }
                Kind::Word if KEYWORDS.contains(&word) => {
                    if let Some(level) = levels.last_mut() {
                        level.operators += 1;
                    }
                }
                Kind::Word | Kind::Text | Kind::Comment => {}
            }
            most.nodes = most.nodes.max(above + levels.last().map_or(0, |level| level.nodes()));
            before = if let Kind::Punct(punct) = token.kind { punct } else { 0 };
        }
        most
    }
}

/// Words that put one expression around another.
const KEYWORDS: [&[u8]; 14] = [
    b"return", b"break", b"as", b"else", b"move", b"async", b"unsafe", b"loop", b"if", b"dyn", b"impl", b"mut", b"const",
    b"yield",
];

/// The operators and open `<` of the statement that is going on between two brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    operators: usize,
    angles: usize,
}

impl Level {
    const fn nodes(&self) -> usize {
        self.operators + self.angles
    }

    fn punct(&mut self, punct: u8, before: u8) {
        match (punct, before) {
            (b';', _) => *self = Self::default(),
            (b',', _) => self.operators = 0,
            (b'>', b'=') => *self = Self::default(),
            (b'>', b'-') => {}
            (b'<', _) => self.angles += 1,
            (b'>', _) => self.angles = self.angles.saturating_sub(1),
            (b':' | b'#' | b'@' | b'$' | b'~' | b'\\' | b'`', _) => {}
            _ => self.operators += 1,
        }
    }
}

fn end_statement(levels: &mut [Level]) {
    if let Some(level) = levels.last_mut() {
        *level = Level::default();
    }
}

/// Whether what stands after a `}` may belong to the same expression.
fn goes_on(kind: Kind, word: &[u8]) -> bool {
    match kind {
        Kind::Word => word == b"else" || word == b"as",
        Kind::Punct(punct) => punct != b'#',
        Kind::Open => word == b"(" || word == b"[",
        Kind::Text | Kind::Comment | Kind::Close => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_nests_and_forgets_what_ended() {
        let of = |text: &str| Depth::of(text.as_bytes());
        assert_eq!(of("fn a() {} ").brackets, 1);
        assert!(of(&"fn a() { b.c(); d() }\n".repeat(1000)).is_shallow());
        assert!(of(&"x => a.b(), y => c + d, ".repeat(1000)).is_shallow());
        assert!(!of(&"!".repeat(5000)).is_readable());
        assert!(!of(&"a + ".repeat(5000)).is_readable());
        assert!(!of(&"S {} + ".repeat(5000)).is_readable());
        assert!(!of(&"M<K, ".repeat(5000)).is_readable());
        assert!(!of(&"if a {} else ".repeat(5000)).is_readable());
        assert!(!of(&"(".repeat(500)).is_readable());
        assert!(!of(&"a.b()".repeat(5000)).is_readable());
        assert!(!of(&"f(a.b.c, ".repeat(1500)).is_readable());
    }
}
