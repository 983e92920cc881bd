//! Finds the items of a file that cannot be read, and blanks them, so that the rest can.
//!
//! In: a text. Out: the same text with the characters of bad items replaced by spaces (one for one, so that lines and columns
//! stay), and what was bad. The cut between items is made by counting brackets; where that fails because one is missing,
//! it is made where an item's first word stands at the left margin. Statements inside a function are not saved one by one.

use std::ops::Range;

use super::depth::Depth;
use super::scan::{Kind, Token, Tokens};
use crate::facts::Broken;
use crate::span::Span;

/// A part of the text that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bad {
    range: Range<usize>,
    reason: String,
}

impl Bad {
    /// As a fact of the file, in which the text begins at `start`.
    pub(super) fn at(self, start: usize) -> Broken {
        Broken { span: Span::new((start + self.range.start) as u32, (start + self.range.end) as u32), reason: self.reason.into() }
    }
}

/// How many modules and `impl` blocks are opened to save the good items inside.
const OPENED: usize = 8;

/// Blanks the items that nest too deeply to be parsed. `None`: there are none.
pub(super) fn without_deep_items(text: &str) -> (Option<String>, Vec<Bad>) {
    let refuse = |piece: &str, _: Inside| {
        (!Depth::of(piece.as_bytes()).is_readable()).then(|| "it is nested too deeply to be read".to_owned())
    };
    if refuse(text, Inside::Module).is_none() {
        return (None, Vec::new());
    }
    let bad = find_bad(text, 0..text.len(), Inside::Module, 0, &refuse);
    (Some(blank(text, &bad)), bad)
}

/// Blanks the items that syn refuses.
pub(super) fn without_bad_items(text: &str) -> (String, Vec<Bad>) {
    let bad = find_bad(text, 0..text.len(), Inside::Module, 0, &|piece, inside| inside.refuse(piece));
    (blank(text, &bad), bad)
}

/// What an item stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Module,
    Impl,
    Trait,
}

impl Inside {
    fn refuse(self, piece: &str) -> Option<String> {
        let error = match self {
            Self::Module => syn::parse_str::<syn::File>(piece).err(),
            Self::Impl => syn::parse_str::<syn::ImplItem>(piece).err(),
            Self::Trait => syn::parse_str::<syn::TraitItem>(piece).err(),
        };
        error.map(|error| error.to_string())
    }
}

/// Says why an item is refused, if it is.
type Refuse<'a> = &'a dyn Fn(&str, Inside) -> Option<String>;

fn find_bad(text: &str, range: Range<usize>, inside: Inside, opened: usize, refuse: Refuse<'_>) -> Vec<Bad> {
    let mut bad = Vec::new();
    for piece in pieces(text, range) {
        let Some(reason) = text.get(piece.clone()).and_then(|item| refuse(item, inside)) else { continue };
        let parts = at_margin(text, piece.clone());
        if parts.len() == 1 {
            bad.extend(bad_piece(text, piece, reason, inside, opened, refuse));
            continue;
        }
        for part in parts {
            if let Some(reason) = text.get(part.clone()).and_then(|item| refuse(item, inside)) {
                bad.extend(bad_piece(text, part, reason, inside, opened, refuse));
            }
        }
    }
    bad
}

/// What is bad of a refused item: the items inside it, if leaving them out mends it, else all of it.
fn bad_piece(text: &str, piece: Range<usize>, reason: String, inside: Inside, opened: usize, refuse: Refuse<'_>) -> Vec<Bad> {
    if let Some((within, body)) = container(text, piece.clone()).filter(|_| opened < OPENED) {
        let parts = find_bad(text, body, within, opened + 1, refuse);
        let before = text.get(..piece.end).unwrap_or("");
        let mended = blank(before, &parts);
        if !parts.is_empty() && mended.get(piece.start..).is_some_and(|item| refuse(item, inside).is_none()) {
            return parts;
        }
    }
    vec![Bad { range: piece, reason }]
}

/// The tokens of a part of a text that are not comments, by their place in the whole text.
fn tokens(text: &str, range: Range<usize>) -> impl Iterator<Item = Token> + '_ {
    let from = range.start;
    Tokens::new(text.as_bytes().get(range).unwrap_or(&[])).filter(|token| token.kind != Kind::Comment).map(move |token| Token {
        start: token.start + from,
        end: token.end + from,
        ..token
    })
}

/// Cuts at the ends of items.
fn pieces(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut open: Vec<u8> = Vec::new();
    let mut start = None;
    let mut header = Header::default();
    let mut end = range.start;
    for token in tokens(text, range) {
        let word = text.get(token.start..token.end).unwrap_or("");
        let from = *start.get_or_insert(token.start);
        end = token.end;
        if open.is_empty() {
            header.see(token.kind, word);
        }
        let done = match token.kind {
            Kind::Open => {
                open.extend(word.bytes());
                false
            }
            Kind::Close => {
                let stray = open.is_empty();
                close(&mut open, word);
                let ends = word == "}" && !header.until_semicolon || word == "]" && header.is_inner_attribute();
                stray || ends && open.is_empty()
            }
            Kind::Punct(b';') => open.is_empty(),
            _ => false,
        };
        if done {
            all.push(from..end);
            start = None;
            header = Header::default();
        }
    }
    if let Some(from) = start {
        all.push(from..end);
    }
    all
}

/// Closes the innermost bracket of a kind; those that were opened inside it and never closed are closed with it.
fn close(open: &mut Vec<u8>, word: &str) {
    let opener = match word {
        ")" => b'(',
        "]" => b'[',
        _ => b'{',
    };
    match open.iter().rposition(|bracket| *bracket == opener) {
        Some(at) if opener == b'{' || open.last() == Some(&opener) => open.truncate(at),
        _ => {}
    }
}

/// What the first words of an item say about where it ends.
#[derive(Default)]
struct Header {
    seen: usize,
    first: [u8; 2],
    decided: bool,
    until_semicolon: bool,
}

impl Header {
    fn see(&mut self, kind: Kind, word: &str) {
        if let (Some(slot), Some(byte)) = (self.first.get_mut(self.seen), word.bytes().next()) {
            *slot = byte;
        }
        self.seen += 1;
        if kind != Kind::Word || self.decided && word != "fn" {
            return;
        }
        match word {
            "pub" | "crate" | "default" => {}
            "const" | "static" | "type" | "use" | "let" => {
                self.decided = true;
                self.until_semicolon = true;
            }
            "fn" => self.until_semicolon = false,
            _ => self.decided = true,
        }
    }

    const fn is_inner_attribute(&self) -> bool {
        matches!(self.first, [b'#', b'!'])
    }
}

/// Cuts a piece where the first word of an item stands at the left margin.
fn at_margin(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let starts = |word: &str| {
        matches!(
            word,
            "fn" | "pub"
                | "impl"
                | "struct"
                | "enum"
                | "trait"
                | "mod"
                | "use"
                | "async"
                | "static"
                | "const"
                | "unsafe"
                | "type"
                | "#"
        )
    };
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut after_attribute = false;
    for token in tokens(text, range.clone()) {
        let word = text.get(token.start..token.end).unwrap_or("");
        let margin = token.start == 0 || text.as_bytes().get(token.start - 1) == Some(&b'\n');
        if all.is_empty() || margin && starts(word) && !after_attribute {
            if let Some(last) = all.last_mut() {
                last.end = token.start;
            }
            all.push(token.start..range.end);
        }
        if margin {
            after_attribute = word == "#";
        }
    }
    all
}

/// What the item holds, if it is a module, `impl` block or trait: the kind of items, and the range between its braces.
fn container(text: &str, range: Range<usize>) -> Option<(Inside, Range<usize>)> {
    let mut kind = None;
    let mut depth = 0_usize;
    for token in tokens(text, range.clone()) {
        match (token.kind, text.get(token.start..token.end).unwrap_or("")) {
            (Kind::Open, "{") if depth == 0 => {
                return text.get(range.clone())?.ends_with('}').then_some((kind?, token.end..range.end - 1));
            }
            (Kind::Open, _) => depth += 1,
            (Kind::Close, _) => depth = depth.saturating_sub(1),
            (Kind::Word, "mod") if kind.is_none() => kind = Some(Inside::Module),
            (Kind::Word, "impl") if kind.is_none() => kind = Some(Inside::Impl),
            (Kind::Word, "trait") if kind.is_none() => kind = Some(Inside::Trait),
            (Kind::Word, "fn" | "struct" | "enum" | "use" | "static" | "macro_rules") if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Replaces the characters of bad parts by spaces; lines stay.
fn blank(text: &str, bad: &[Bad]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for part in bad {
        out.push_str(text.get(at..part.range.start).unwrap_or(""));
        let gone = text.get(part.range.clone()).unwrap_or("");
        out.extend(gone.chars().map(|c| if c == '\n' || c == '\r' { c } else { ' ' }));
        at = part.range.end.max(at);
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}
