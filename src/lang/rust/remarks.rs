//! Comments that speak to the program: `// untimed: …`, `/* untimed: … */`.
//!
//! In: a text. Out: [`Remark`]s. What they mean is not decided here.

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
