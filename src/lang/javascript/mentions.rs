//! The modules that a text mentions, found without parsing it.
//!
//! In: bytes. Out: each text in quotes after `from`, `require`, `import`, also in comments and strings: too many, never too few.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// No module's name is longer.
const LONGEST: usize = 1024;

static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(["from", "require", "import"]).ok());

/// Calls back with each module that the text mentions, as written.
pub(super) fn mentions(text: &[u8], found: &mut dyn FnMut(&str)) {
    let Some(words) = &*WORDS else { return };
    for word in words.find_iter(text) {
        if let Some(module) = text.get(word.end()..).and_then(quoted).and_then(|module| std::str::from_utf8(module).ok()) {
            found(module);
        }
    }
}

/// The quoted text at the beginning, after spaces, comments and one parenthesis.
fn quoted(text: &[u8]) -> Option<&[u8]> {
    let mut rest = blank(text);
    if let Some((b'(', after)) = rest.split_first() {
        rest = blank(after);
    }
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let rest = rest.get(..LONGEST).unwrap_or(rest);
    let end = rest.iter().position(|byte| byte == quote || *byte == b'\n')?;
    rest.get(..end).filter(|module| rest.get(end) == Some(quote) && !module.is_empty())
}

/// What follows spaces and comments.
fn blank(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let end = match text {
            [b'/', b'*', ..] => text.windows(2).position(|pair| pair == b"*/").map(|at| at + 2),
            [b'/', b'/', ..] => text.iter().position(|byte| *byte == b'\n'),
            _ => return text,
        };
        match end.and_then(|end| text.get(end..)) {
            Some(rest) => text = rest,
            None => return &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_name_a_module() {
        let text = "import a from'x1';import{b}from\"x2\"\nexport * from /* c */ 'x3'; import 'x4'; const d = await import(\n// e\n`x5`)
            const f = require ( 'x6' ), g = x_1.__importStar(require('x7')); import h = require('x8'); import type { I } from 'x9';
            import(/* webpackChunkName: \"k\" */ './x10'); require(`a${b}`); from 'a\nb'; importScripts('n'); require('')";
        let mut all = Vec::new();
        mentions(text.as_bytes(), &mut |module| all.push(module.to_owned()));
        assert_eq!(all, ["x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "./x10", "a${b}"]);
    }
}
