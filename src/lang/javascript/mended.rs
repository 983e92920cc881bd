//! Valid text that the grammars refuse, written so that they read it.
//!
//! In: a text and its tree, which has errors. Out: a text of the same length, in which every part that stays stands where it stood; it
//! is for the parser alone. What it changes says nothing: `type` before a star, bare `&` and `&&` in the text of markup, type arguments before a
//! template, and names of parameters that are keywords.

mod tagged;

use tree_sitter::Tree;

/// The parts of a tree that are no syntax: where each begins and ends.
fn broken(tree: &Tree) -> Vec<(usize, usize)> {
    let mut cursor = tree.walk();
    let mut parts = Vec::new();
    loop {
        let node = cursor.node();
        let is_broken = node.is_error() || node.is_missing();
        if is_broken {
            parts.push((node.start_byte(), node.end_byte()));
        }
        if !is_broken && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return parts;
            }
        }
    }
}

/// How much of a tree is no syntax.
pub(super) fn brokenness(tree: &Tree) -> usize {
    broken(tree).into_iter().map(|(from, to)| to - from + 1).sum()
}

/// Whether the tree of a mended text is the better one; one that is as whole is taken where the grammar took type arguments for something
/// else.
pub(super) fn is_better(again: &Tree, tree: &Tree) -> bool {
    let (again, before) = (brokenness(again), brokenness(tree));
    again < before || again == 0
}

/// The text as the grammars read it, if that is another one.
pub(super) fn mended(text: &str, tree: &Tree) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    tagged::blank_type_arguments(text, tree, &mut bytes);
    if tree.root_node().has_error() {
        blank_types_of_stars(text, &mut bytes);
        tagged::rename_keywords(text, &mut bytes);
        for (from, to) in broken(tree) {
            blank_ampersands(text, tree, from, to, &mut bytes);
        }
    }
    (bytes != text.as_bytes()).then(|| String::from_utf8(bytes).ok()).flatten()
}

/// `export type * from './x'`.
fn blank_types_of_stars(text: &str, bytes: &mut [u8]) {
    for (at, found) in text.match_indices("export type") {
        let word = at + found.len() - "type".len()..at + found.len();
        if text[word.end..].trim_start().starts_with('*') {
            bytes[word].fill(b' ');
        }
    }
}

/// An `&` that begins no entity and is no operator, and `&&` in the text of markup, on the lines of what is broken.
fn blank_ampersands(text: &str, tree: &Tree, from: usize, to: usize, bytes: &mut [u8]) {
    let begin = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let end = text[to..].find('\n').map_or(text.len(), |at| to + at);
    let (mut next, mut in_markup) = (begin, false);
    while let Some(found) = text[next..end].find('&') {
        let at = next + found;
        let length = text[at..].bytes().take_while(|byte| *byte == b'&').count();
        // What follows such a text belongs to it as well, up to the next tag or code in it.
        in_markup &= !text[next..at].contains(['<', '{']);
        in_markup |= follows_markup(tree, at);
        next = at + length;
        let says_nothing = if length > 1 { in_markup } else { !begins_entity(&text[next..]) };
        let assigns = text.as_bytes().get(next) == Some(&b'=');
        if says_nothing && !assigns && (in_markup || !is_operator(tree, at)) {
            bytes[at..next].fill(b' ');
        }
    }
}

/// Whether what the grammar found at a place follows the text of markup.
fn follows_markup(tree: &Tree, at: usize) -> bool {
    let mut node = tree.root_node().descendant_for_byte_range(at, at + 1);
    while let Some(found) = node.filter(|found| found.start_byte() == at) {
        if let Some(before) = found.prev_sibling() {
            return before.kind() == "jsx_text";
        }
        node = found.parent().filter(|around| around.is_error());
    }
    false
}

/// Whether the grammar reads an `&` as an operator between two values or two types.
fn is_operator(tree: &Tree, at: usize) -> bool {
    let node = tree.root_node().descendant_for_byte_range(at, at + 1);
    let around = node.filter(|node| node.kind() == "&").and_then(|node| node.parent());
    around.is_some_and(|around| !around.is_error())
}

/// Whether a text goes on as an entity does behind its `&`.
fn begins_entity(rest: &str) -> bool {
    let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '#')).unwrap_or(rest.len());
    word > 0 && rest[word..].starts_with(';')
}

#[cfg(test)]
mod tests {
    use crate::lang::Frontend;
    use crate::lang::javascript::JavaScript;

    fn broken(extension: &str, text: &str) -> usize {
        JavaScript::new().map_or(usize::MAX, |javascript| javascript.lower(extension, text).broken.len())
    }

    #[test]
    fn reads_what_the_grammars_refuse() {
        assert_eq!(broken("ts", "export type * from './types';\nexport type * as shapes from './shapes';\nfetch('/a');\n"), 0);
        assert_eq!(broken("tsx", "const a = <p onClick={() => b & c}>\n  salt & pepper, AT&T &amp; more\n</p>;\n"), 0);
        assert_eq!(broken("tsx", "const a = <Fade in={open}><Fade in /></Fade>;\n"), 0);
        assert_eq!(broken("tsx", "const a = <p>\n  {on && <b />} a && b\n  && (c)\n</p>;\n"), 0);
        assert_eq!(broken("tsx", "const a = <>\n  a && b && (\n  <b>{x && y} & z</b>)</>;\n"), 0);
    }

    #[test]
    fn leaves_what_is_broken() {
        assert_ne!(broken("ts", "const a = b & ;\nexport type x from;\n"), 0);
        assert_ne!(broken("tsx", "const a = <p>{b && }</p>;\n"), 0);
    }

    #[test]
    fn keeps_every_place() {
        let text = "export type * from './types';\nfetch('/a');\n";
        let facts = JavaScript::new().map(|javascript| javascript.lower("ts", text));
        let call = facts.ok().and_then(|facts| facts.calls.first().map(|call| facts.span(*call)));
        assert_eq!(call.map(|span| &text[span.start as usize..span.end as usize]), Some("fetch('/a')"));
    }
}
