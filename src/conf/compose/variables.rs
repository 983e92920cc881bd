//! `${NAME}` in compose files.
//!
//! In: a text and the variables that are set. Out: the text with values filled in, or why that is not possible. `${A:-b}`, `${A-b}`, `${A:+b}`,
//! `${A:?why}`, `$A` and `$$` mean what they mean to compose; a variable that is not set is a reason, not an empty text.

use std::collections::BTreeMap;

/// The variables that are set.
#[derive(Debug, Default)]
pub(super) struct Variables {
    set: BTreeMap<String, String>,
}

impl Variables {
    /// Those of a `.env` file.
    pub(super) fn new(set: BTreeMap<String, String>) -> Self {
        Self { set }
    }

    /// The value of one.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.set.get(name).map(String::as_str)
    }

    /// The text with values filled in.
    pub(super) fn filled(&self, text: &str) -> Result<String, String> {
        self.fill(text, 0)
    }

    fn fill(&self, text: &str, depth: u32) -> Result<String, String> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            if let Some(next) = after.strip_prefix('$') {
                out.push('$');
                rest = next;
            } else if after.starts_with('{') {
                let end = closing(after).ok_or_else(|| format!("`{text}` has a `${{` that is not closed"))?;
                out.push_str(&self.expression(&after[1..end], depth)?);
                rest = &after[end + 1..];
            } else {
                let length = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(after.len());
                if length == 0 || after.starts_with(|c: char| c.is_ascii_digit()) {
                    out.push('$');
                    rest = after;
                    continue;
                }
                out.push_str(self.get(&after[..length]).ok_or_else(|| unset(&after[..length]))?);
                rest = &after[length..];
            }
        }
        out.push_str(rest);
        Ok(out)
    }

    /// What stands between `${` and `}`.
    fn expression(&self, inner: &str, depth: u32) -> Result<String, String> {
        let length = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inner.len());
        let (name, rest) = inner.split_at(length);
        let value = self.get(name);
        let filled = value.filter(|value| !value.is_empty());
        let other = |text: &str| if depth < 8 { self.fill(text, depth + 1) } else { Err(format!("`{inner}` is too deep")) };
        let known = |value: Option<&str>| value.map(str::to_owned);
        if rest.is_empty() {
            return known(value).ok_or_else(|| unset(name));
        }
        if let Some(default) = rest.strip_prefix(":-") {
            return known(filled).map_or_else(|| other(default), Ok);
        }
        if let Some(default) = rest.strip_prefix('-') {
            return known(value).map_or_else(|| other(default), Ok);
        }
        if let Some(instead) = rest.strip_prefix(":+") {
            return if filled.is_some() { other(instead) } else { Ok(String::new()) };
        }
        if let Some(instead) = rest.strip_prefix('+') {
            return if value.is_some() { other(instead) } else { Ok(String::new()) };
        }
        if rest.starts_with(":?") {
            return known(filled).ok_or_else(|| unset(name));
        }
        if rest.starts_with('?') {
            return known(value).ok_or_else(|| unset(name));
        }
        Err(format!("`${{{inner}}}` is no expression that compose knows"))
    }
}

fn unset(name: &str) -> String {
    format!("`{name}` is not set in the .env file, and has no default")
}

/// Where the `}` stands that closes the `{` at the beginning.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of a text between colons that stand in no braces and brackets.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut begin) = (0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ':' if depth <= 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_filled_in() {
        let set = [("A", "1"), ("E", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let variables = Variables::new(set.into_iter().collect());
        for (text, filled) in [
            ("x${A}y$A.", "x1y1."),
            ("${B:-d}/${E:-e}/${E-e}", "d/e/"),
            ("${B:-${C:-http://c:80}}", "http://c:80"),
            ("${A:+yes}${B:+no}${E+set}", "yesset"),
            ("$$A $5", "$A $5"),
            ("${A:?no}", "1"),
        ] {
            assert_eq!(variables.filled(text).as_deref(), Ok(filled), "{text}");
        }
        for text in ["${B}", "$B", "${E:?must}", "${A", "${A!x}"] {
            assert!(variables.filled(text).is_err(), "{text}");
        }
    }

    #[test]
    fn colons_in_braces_part_nothing() {
        assert_eq!(parts("${A:-1}:[::1]:80"), ["${A:-1}", "[::1]", "80"]);
    }
}
