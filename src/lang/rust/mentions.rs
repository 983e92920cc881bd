//! The module-like words of a text, without parsing it.
//!
//! In: bytes. Out: every `use` declaration's paths, every `mod name;`, and every path `a::b` of an expression or type, each once
//! as written. It finds too much rather than too little: words of macros and of unused code are called back too.

use rustc_hash::FxHashSet;

use super::scan::{Kind, Token, Tokens};

/// Calls back each path once.
pub(super) fn mentions(text: &[u8], found: &mut dyn FnMut(&str)) {
    let mut seen = FxHashSet::default();
    let mut say = |path: &str| {
        if !path.is_empty() && !seen.contains(path) {
            found(path);
            seen.insert(path.to_owned());
        }
    };
    let mut tokens = Tokens::new(text).filter(|token| token.kind != Kind::Comment).peekable();
    let word = |token: &Token| std::str::from_utf8(text.get(token.start..token.end).unwrap_or(&[])).unwrap_or("");
    let is = |token: Option<&Token>, punct: u8| token.is_some_and(|token| token.kind == Kind::Punct(punct));
    let mut path = String::new();
    while let Some(token) = tokens.next() {
        if token.kind != Kind::Word {
            continue;
        }
        match word(&token) {
            "use" => use_tree(text, &mut tokens, &mut say),
            "mod" => {
                let name = tokens.next_if(|token| token.kind == Kind::Word);
                if let Some(name) = name.filter(|_| is(tokens.peek(), b';')) {
                    say(&format!("self::{}", plain(word(&name))));
                }
            }
            "extern" => {}
            first => {
                path.clear();
                path.push_str(plain(first));
                let mut whole = false;
                while tokens.next_if(|token| token.kind == Kind::Punct(b':')).is_some() {
                    if tokens.next_if(|token| token.kind == Kind::Punct(b':')).is_none() {
                        break;
                    }
                    let Some(next) = tokens.next_if(|token| token.kind == Kind::Word) else { break };
                    path.push_str("::");
                    path.push_str(plain(word(&next)));
                    whole = true;
                }
                if whole {
                    say(&path);
                }
            }
        }
    }
}

fn plain(word: &str) -> &str {
    word.strip_prefix("r#").unwrap_or(word)
}

/// The paths of a `use` declaration, after the word `use`.
fn use_tree(text: &[u8], tokens: &mut impl Iterator<Item = Token>, say: &mut dyn FnMut(&str)) {
    let mut prefix = String::new();
    let mut marks: Vec<usize> = Vec::new();
    let mut current = String::new();
    let mut renaming = false;
    let flush = |prefix: &str, current: &mut String, say: &mut dyn FnMut(&str)| {
        let path = format!("{prefix}{current}");
        say(path.trim_end_matches("::*").trim_end_matches("::self").trim_end_matches("::"));
        current.clear();
    };
    for token in tokens {
        let word = std::str::from_utf8(text.get(token.start..token.end).unwrap_or(&[])).unwrap_or("");
        match token.kind {
            Kind::Word if word == "as" => renaming = true,
            Kind::Word if renaming => renaming = false,
            Kind::Word => current.push_str(plain(word)),
            Kind::Punct(b':') if current.is_empty() && prefix.is_empty() || current.ends_with("::") => {}
            Kind::Punct(b':') => current.push_str("::"),
            Kind::Punct(b'*') => current.push('*'),
            Kind::Open => {
                marks.push(prefix.len());
                prefix.push_str(&current);
                current.clear();
            }
            Kind::Punct(b',') if current.is_empty() => {}
            Kind::Punct(b',') => flush(&prefix, &mut current, say),
            Kind::Close => {
                if !current.is_empty() {
                    flush(&prefix, &mut current, say);
                }
                match marks.pop() {
                    Some(mark) => prefix.truncate(mark),
                    None => return,
                }
            }
            Kind::Punct(b';') => {
                if !current.is_empty() {
                    flush(&prefix, &mut current, say);
                }
                return;
            }
            Kind::Text | Kind::Comment | Kind::Punct(_) => return,
        }
    }
}

/// The modules in other files that are compiled for tests alone: `#[cfg(test)] mod tests;`. A module that is declared for other builds too
/// is none.
pub(super) fn test_modules(text: &[u8]) -> Vec<String> {
    if memchr::memmem::find(text, b"test").is_none() {
        return Vec::new();
    }
    let tokens: Vec<Token> = Tokens::new(text).filter(|token| token.kind != Kind::Comment).collect();
    let word = |at: usize| tokens.get(at).and_then(|token| text.get(token.start..token.end)).unwrap_or(&[]);
    let opens = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Open);
    let (mut tests, mut others) = (Vec::new(), Vec::new());
    let mut first = None;
    let mut at = 0;
    while at < tokens.len() {
        match word(at) {
            b"#" if opens(at + 1) => {
                first.get_or_insert(at);
                at = closes_at(&tokens, at + 1);
            }
            b"pub" => {
                first.get_or_insert(at);
                at = if opens(at + 1) { closes_at(&tokens, at + 1) } else { at };
            }
            b"mod" if word(at + 2) == b";" => {
                let start = tokens[first.take().unwrap_or(at)].start;
                let written = text.get(start..tokens[at + 2].end).and_then(|written| std::str::from_utf8(written).ok());
                if let Some((module, is_test)) = written.and_then(declared) {
                    if is_test { tests.push(module) } else { others.push(module) }
                }
            }
            _ => first = None,
        }
        at += 1;
    }
    tests.retain(|module| !others.contains(module));
    tests
}

/// The module that a declaration names, and whether it is test code.
fn declared(written: &str) -> Option<(String, bool)> {
    let item = syn::parse_str::<syn::ItemMod>(written).ok()?;
    let module = match super::attrs::path(&item.attrs) {
        Some(file) => format!("path:{file}"),
        None => format!("self::{}", plain(&item.ident.to_string())),
    };
    let is_test = super::attrs::is_test(&item.attrs);
    proc_macro2::extra::invalidate_current_thread_spans();
    Some((module, is_test))
}

/// What stands between the brackets of `macro_rules! name { … }`.
pub(super) fn declared_macro(text: &str, name: &str) -> Option<String> {
    memchr::memmem::find_iter(text.as_bytes(), b"macro_rules!").find_map(|at| {
        let rest = text.get(at + "macro_rules!".len()..)?.trim_start().strip_prefix(name)?.trim_start();
        let tokens: Vec<Token> = if rest.starts_with(['{', '(', '[']) { bracketed(rest) } else { return None };
        rest.get(tokens.first()?.end..tokens.last()?.start).map(str::to_owned)
    })
}

/// The tokens from the bracket that a text begins with to the one that closes it.
fn bracketed(text: &str) -> Vec<Token> {
    let mut depth = 0_usize;
    let mut tokens = Vec::new();
    for token in Tokens::new(text.as_bytes()) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        tokens.push(token);
        if depth == 0 {
            break;
        }
    }
    tokens
}

/// Where the bracket that opens at a place is closed.
fn closes_at(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth == 1 => return at,
            Kind::Close => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::{mentions, test_modules};

    #[test]
    fn modules_of_tests() {
        let text =
            "fn f() {} #[cfg(test)] mod a; #[cfg(all(test, feature = \"it\"))] #[path = \"x/y.rs\"] pub(crate) mod b; mod c;
            #[cfg(not(test))] mod d; #[cfg(test)] mod e { mod f; } #[cfg(test)] mod g; #[cfg(unix)] pub mod g; #[cfg(feature = \"test-util\")] mod h;";
        assert_eq!(test_modules(text.as_bytes()), ["self::a", "path:x/y.rs", "self::h"]);
    }

    fn of(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        mentions(text.as_bytes(), &mut |path| all.push(path.to_owned()));
        all
    }

    #[test]
    fn paths_as_written() {
        assert_eq!(
            of("use crate::http::{shared, self as h, pool::*};\nuse reqwest as r; use ::a::b;"),
            ["crate::http::shared", "crate::http", "crate::http::pool", "reqwest", "a::b"]
        );
        assert_eq!(
            of("mod a; mod b { fn f(x: &c::D) -> u8 { super::g::<u8>(\"x::y\") } } // q::r"),
            ["self::a", "c::D", "super::g"]
        );
        assert_eq!(of("use a::{b::{c, d}, e};"), ["a::b::c", "a::b::d", "a::e"]);
    }
}
