//! Literals: texts, numbers, templates, lists and objects.
//!
//! In: a literal's node. Out: an [`ExprId`]; escapes are decoded, numbers read. Methods inside objects are functions.

use tree_sitter::Node;

use super::functions::Made;
use super::lower::Lowerer;
use super::roles::Role;
use crate::facts::{Arg, Expr, ExprId, Field};

impl<'t> Lowerer<'t> {
    pub(super) fn string(&mut self, node: Node<'t>) -> ExprId {
        let text = self.string_text(node);
        self.push(Expr::Text(text), node)
    }

    /// What a string literal says.
    pub(super) fn string_text(&self, node: Node<'t>) -> Box<str> {
        unescape(inside(self.text(node), 1, 1))
    }

    /// What a string literal says, as it is written.
    pub(super) fn string_raw(&self, node: Node<'t>) -> &'t str {
        inside(self.text(node), 1, 1)
    }

    pub(super) fn number(&mut self, node: Node<'t>) -> ExprId {
        match number(self.text(node)) {
            Some(number) => self.push(Expr::Number(number), node),
            None => self.opaque("a number that cannot be read", Vec::new(), node),
        }
    }

    /// A template: a text if nothing is put into it, else its parts.
    pub(super) fn template(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let mut parts = Vec::new();
        let end = (node.end_byte() - 1).max(node.start_byte());
        let mut from = node.start_byte() + 1;
        for hole in kids.named() {
            if self.role(hole) != Role::Other || hole.child_count() == 0 {
                continue;
            }
            self.template_text(from, hole.start_byte(), node, &mut parts);
            self.values_inside(hole, &mut parts);
            from = hole.end_byte();
        }
        self.done(kids);
        if parts.is_empty() {
            let text = unescape(self.text.get(from..end).unwrap_or(""));
            return self.push(Expr::Text(text), node);
        }
        self.template_text(from, end, node, &mut parts);
        self.push(Expr::Join(parts), node)
    }

    fn template_text(&mut self, from: usize, to: usize, node: Node<'t>, parts: &mut Vec<ExprId>) {
        if let Some(text) = self.text.get(from..to).filter(|text| !text.is_empty()) {
            parts.push(self.push(Expr::Text(unescape(text)), node));
        }
    }

    pub(super) fn list(&mut self, node: Node<'t>) -> ExprId {
        let items = self.items(node);
        self.push(Expr::List(items), node)
    }

    /// The elements of a list, or the arguments of a call.
    pub(super) fn items(&mut self, node: Node<'t>) -> Vec<Arg> {
        let kids = self.kids(node);
        let mut items = Vec::new();
        for kid in kids.named() {
            if self.role(kid) == Role::Spread {
                let value = self.spread(kid);
                items.push(Arg { value, name: None, spread: true });
            } else if !self.role(kid).is_type() {
                items.push(Arg::plain(self.value(kid)));
            }
        }
        self.done(kids);
        items
    }

    fn spread(&mut self, node: Node<'t>) -> ExprId {
        match self.first(node) {
            Some(inner) => self.value(inner),
            None => self.opaque("code that cannot be read", Vec::new(), node),
        }
    }

    pub(super) fn object(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let mut fields = Vec::new();
        for kid in kids.named() {
            match self.role(kid) {
                Role::Name => fields.push(Field::Named(self.text(kid).into(), self.value(kid))),
                Role::Spread => fields.push(Field::Spread(self.spread(kid))),
                Role::Method => self.object_method(kid, &mut fields),
                _ => self.pair(kid, &mut fields),
            }
        }
        self.done(kids);
        self.push(Expr::Object { of: None, fields }, node)
    }

    fn pair(&mut self, node: Node<'t>, fields: &mut Vec<Field>) {
        let kids = self.kids(node);
        let (key, value) = (kids.get(self.grammar.field.key), kids.get(self.grammar.field.value));
        self.done(kids);
        let (Some(key), Some(value)) = (key, value) else {
            let mut parts = Vec::new();
            self.values_inside(node, &mut parts);
            fields.extend(parts.into_iter().map(Field::Spread));
            return;
        };
        match self.key(key) {
            Key::Named(name) => {
                if name.len() == key.byte_range().len() {
                    self.hint = Some(self.text(key));
                }
                let value = self.value(value);
                fields.push(Field::Named(name, value));
            }
            Key::Computed(key) => {
                let value = self.value(value);
                fields.push(Field::Computed(key, value));
            }
        }
    }

    /// The name of a member as it is declared.
    pub(super) fn key(&mut self, node: Node<'t>) -> Key {
        match self.role(node) {
            Role::Text => Key::Named(self.string_text(node)),
            Role::Number => Key::Named(match number(self.text(node)) {
                Some(number) => number.to_string().into(),
                None => self.text(node).into(),
            }),
            Role::Ignored => Key::Named(self.text(node).into()),
            _ => match self.first(node) {
                Some(inner) if self.role(inner) == Role::Text => Key::Named(self.string_text(inner)),
                Some(inner) => Key::Computed(self.value(inner)),
                None => Key::Named(self.text(node).into()),
            },
        }
    }

    fn object_method(&mut self, node: Node<'t>, fields: &mut Vec<Field>) {
        let shape = self.method_shape(node);
        let key = shape.key.map(|key| self.key(key));
        let name = shape.key.map(|key| self.text(key));
        let function = self.function(node, Made { name, class: None, is_static: false });
        let literal = self.function_literal(function, node);
        if shape.setter {
            return;
        }
        let value = if shape.getter { self.got(function, literal, node) } else { literal };
        match key {
            Some(Key::Named(name)) => fields.push(Field::Named(name, value)),
            Some(Key::Computed(key)) => fields.push(Field::Computed(key, value)),
            None => fields.push(Field::Spread(value)),
        }
    }

    /// What a getter gives, if that is one value.
    fn got(&mut self, function: crate::facts::FunctionId, literal: ExprId, node: Node<'t>) -> ExprId {
        match self.facts.function(function).returns.as_slice() {
            [only] => *only,
            _ => self.opaque("a getter", vec![literal], node),
        }
    }
}

/// The name of a member as it is declared.
pub(super) enum Key {
    /// A name that is written out.
    Named(Box<str>),
    /// A value that gives the name.
    Computed(ExprId),
}

fn inside(text: &str, before: usize, after: usize) -> &str {
    text.get(before..text.len().saturating_sub(after)).unwrap_or("")
}

/// Reads a number literal of any base, also with `_` and `n`.
pub(super) fn number(text: &str) -> Option<f64> {
    let clean: String = text.chars().filter(|c| *c != '_').collect();
    let clean = clean.strip_suffix('n').unwrap_or(&clean);
    let base = |digits: &str, base| u128::from_str_radix(digits, base).ok().map(|number| number as f64);
    match clean.as_bytes() {
        [b'0', b'x' | b'X', ..] => base(&clean[2..], 16),
        [b'0', b'o' | b'O', ..] => base(&clean[2..], 8),
        [b'0', b'b' | b'B', ..] => base(&clean[2..], 2),
        [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(|digit| (b'0'..b'8').contains(digit)) => base(clean, 8),
        _ => clean.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// Decodes the escapes of a string.
pub(super) fn unescape(raw: &str) -> Box<str> {
    if !raw.contains('\\') {
        return raw.into();
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('v') => text.push('\u{b}'),
            Some('0') => text.push('\0'),
            Some('x') => text.extend(code(&mut rest, 2)),
            Some('u') => text.extend(unicode(&mut rest)),
            Some('\r') => {
                let mut peek = rest.clone();
                if peek.next() == Some('\n') {
                    rest = peek;
                }
            }
            Some('\n' | '\u{2028}' | '\u{2029}') | None => {}
            Some(other) => text.push(other),
        }
    }
    text.into()
}

fn code(rest: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let hex: String = rest.clone().take(digits).collect();
    if hex.len() < digits {
        return None;
    }
    let code = u32::from_str_radix(&hex, 16).ok()?;
    rest.by_ref().take(digits).for_each(drop);
    char::from_u32(code)
}

fn unicode(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let mut peek = rest.clone();
    if peek.next() != Some('{') {
        return code(rest, 4);
    }
    let hex: String = peek.by_ref().take_while(|c| *c != '}').collect();
    *rest = peek;
    char::from_u32(u32::from_str_radix(&hex, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_base() {
        for (text, value) in [
            ("5_000", 5000.0),
            ("0x1F", 31.0),
            ("0o17", 15.0),
            ("0b101", 5.0),
            ("1e3", 1000.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("30n", 30.0),
            ("017", 15.0),
            ("0", 0.0),
            ("08", 8.0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        assert_eq!(number("0x"), None);
        assert_eq!(number("1e999"), None);
    }

    #[test]
    fn escapes() {
        assert_eq!(&*unescape(r"a\n\x41\u0042\u{43}\'\\"), "a\nABC'\\");
        assert_eq!(&*unescape("a\\\r\nb\\\nc\\"), "abc");
        assert_eq!(&*unescape(r"\xZZ\u12"), "ZZ12");
    }
}
