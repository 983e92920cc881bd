//! How much of the tokens given to a macro one of its variables takes.
//!
//! In: tokens, a place in them and the kind of the variable (`ident`, `expr`, `ty`). Out: the place after what it takes. Patterns and
//! statements are not known.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// How many ends of an expression or type are tried.
const ENDS: usize = 16;

/// Where a fragment that begins at a place ends.
pub(super) fn fragment(kind: &str, used: &[TokenTree], at: usize) -> Option<usize> {
    let first = used.get(at);
    let is_word = matches!(first, Some(TokenTree::Ident(_)));
    match kind {
        "ident" => is_word.then_some(at + 1),
        "tt" => first.map(|_| at + 1),
        "lifetime" => is_punct(first, '\'').then_some(at + 2),
        "literal" => {
            let number = at + usize::from(is_punct(first, '-'));
            match used.get(number)? {
                TokenTree::Literal(_) => Some(number + 1),
                TokenTree::Ident(word) if *word == "true" || *word == "false" => Some(number + 1),
                _ => None,
            }
        }
        "block" => matches!(first, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace).then_some(at + 1),
        "vis" => Some(match (first, used.get(at + 1)) {
            (Some(TokenTree::Ident(word)), Some(TokenTree::Group(group)))
                if *word == "pub" && group.delimiter() == Delimiter::Parenthesis =>
            {
                at + 2
            }
            (Some(TokenTree::Ident(word)), _) if *word == "pub" => at + 1,
            _ => at,
        }),
        "expr" | "expr_2021" => parsed(used, at, &[',', ';'], |tokens| syn::parse2::<syn::Expr>(tokens).is_ok()),
        "ty" => parsed(used, at, &[',', ';', '=', ':', '|', '>', '{'], |tokens| syn::parse2::<syn::Type>(tokens).is_ok()),
        "path" => parsed(used, at, &[',', ';', '=', ':', '|', '>', '{'], |tokens| syn::parse2::<syn::Path>(tokens).is_ok()),
        "meta" => parsed(used, at, &[',', ';'], |tokens| syn::parse2::<syn::Meta>(tokens).is_ok()),
        "item" => parsed(used, at, &['}', ';'], |tokens| syn::parse2::<syn::Item>(tokens).is_ok()),
        _ => None,
    }
}

/// The first place at which something that stands before one of some marks reads as what it should be. `{` and `}`: before and after a
/// group in braces.
fn parsed(used: &[TokenTree], at: usize, marks: &[char], reads: impl Fn(TokenStream) -> bool) -> Option<usize> {
    let mut tried = 0;
    let mut joined = false;
    for end in at..=used.len() {
        let ends = match used.get(end) {
            None => true,
            Some(TokenTree::Punct(punct)) => {
                let part = joined || punct.as_char() == ':' && punct.spacing() == Spacing::Joint;
                joined = punct.spacing() == Spacing::Joint && punct.as_char() == ':';
                let arrow = punct.as_char() == '=' && is_punct(used.get(end + 1), '>') && punct.spacing() == Spacing::Joint;
                !part && (arrow || marks.contains(&punct.as_char()))
            }
            Some(TokenTree::Group(group)) => {
                joined = false;
                group.delimiter() == Delimiter::Brace && marks.contains(&'{')
            }
            Some(_) => {
                joined = false;
                let before = end.checked_sub(1).and_then(|before| used.get(before));
                marks.contains(&'}')
                    && (is_punct(before, ';')
                        || matches!(before, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace))
            }
        };
        if !ends || end == at {
            continue;
        }
        tried += 1;
        if tried > ENDS {
            return None;
        }
        if reads(used.get(at..end)?.iter().cloned().collect()) {
            return Some(end);
        }
    }
    None
}

/// Whether a token is a certain mark.
pub(super) fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}
