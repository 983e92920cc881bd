//! Comments: those that speak to the program (`// untimed: …`, `/* untimed: … */`), and documentation, which is only in the way.
//!
//! In: a text. Out: [`Remark`]s; the text with documentation turned into plain comments, byte for byte in the same place. What
//! remarks mean is not decided here.

use super::scan::{Kind, Tokens};
use crate::facts::Remark;
use crate::span::Span;

/// The remarks of a text, in order.
pub(super) fn remarks(text: &str) -> Vec<Remark> {
    if !text.contains("untimed:") {
        return Vec::new();
    }
    let comments = Tokens::new(text.as_bytes()).filter(|token| token.kind == Kind::Comment);
    comments
        .filter_map(|token| {
            let comment = text.get(token.start..token.end)?;
            let inner = match comment.strip_prefix("/*") {
                Some(block) => block.strip_suffix("*/").unwrap_or(block).trim_start_matches(['*', '!']),
                None => comment.trim_start_matches('/').trim_start_matches('!'),
            };
            let said = inner.trim().strip_prefix("untimed:")?;
            Some(Remark { span: Span::new(token.start as u32, token.end as u32), text: said.trim().into() })
        })
        .collect()
}

/// Turns documentation into plain comments: as attributes it would cost the parser more than all code around it.
pub(super) fn without_docs(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for token in Tokens::new(text.as_bytes()).filter(|token| token.kind == Kind::Comment && token.end - token.start > 2) {
        let is_empty_block = token.end - token.start == 4 && bytes.get(token.start + 1) == Some(&b'*');
        if let Some(mark @ (b'/' | b'!' | b'*')) = bytes.get_mut(token.start + 2)
            && !is_empty_block
        {
            *mark = b' ';
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::without_docs;

    #[test]
    fn documentation_becomes_plain() {
        let text = "//! a\n/// é\n//// b\n/** c */ /**/ /***/ //\n/*! d */ \"/// e\" //";
        assert_eq!(without_docs(text), "//  a\n//  é\n// / b\n/*  c */ /**/ /* */ //\n/*  d */ \"/// e\" //");
    }
}
