//! A lexer that never fails: what is a comment, a text, a word, a bracket, and nothing more.
//!
//! In: any bytes. Out: [`Token`]s with byte offsets. It is what guards, remarks, mentions and the item-by-item reading
//! stand on; the real lexing of code is proc-macro2's.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, keyword, number or anything not ASCII.
    Word,
    /// A string, character or lifetime.
    Text,
    /// A line or block comment.
    Comment,
    /// `(`, `[`, `{`.
    Open,
    /// `)`, `]`, `}`.
    Close,
    /// Any other byte.
    Punct(u8),
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// The tokens of a text.
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    /// Reads from the start of `bytes`.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, mut keep: impl FnMut(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|byte| keep(*byte)) {
            self.at += 1;
        }
    }

    fn comment(&mut self) {
        if self.peek(1) == b'/' {
            return self.skip_while(|byte| byte != b'\n');
        }
        let mut depth = 0_usize;
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// A string with escapes, from its opening quote.
    fn string(&mut self) {
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// A raw string, from its first `#` or its quote. Says whether it was one.
    fn raw_string(&mut self) -> bool {
        let hashes = self.bytes.get(self.at..).unwrap_or(&[]).iter().take_while(|byte| **byte == b'#').count();
        if self.peek(hashes) != b'"' {
            return false;
        }
        self.at += hashes + 1;
        while self.at < self.bytes.len() {
            if self.peek(0) == b'"' && (1..=hashes).all(|ahead| self.peek(ahead) == b'#') {
                self.at += hashes + 1;
                return true;
            }
            self.at += 1;
        }
        true
    }

    /// A character or a lifetime, from its quote.
    fn quote(&mut self) {
        self.at += 1;
        let first = self.peek(0);
        if first == b'\\' {
            self.at += 2;
            self.skip_while(|byte| byte != b'\'' && byte != b'\n');
            self.at = (self.at + 1).min(self.bytes.len());
            return;
        }
        let width = match first {
            0xF0.. => 4,
            0xE0.. => 3,
            0xC0.. => 2,
            _ => 1,
        };
        if self.peek(width) == b'\'' {
            self.at += width + 1;
        } else {
            self.skip_while(in_word);
        }
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        if self.peek(0).is_ascii_digit() {
            loop {
                self.skip_while(in_word);
                if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
                    self.at += 1;
                } else {
                    return Kind::Word;
                }
            }
        }
        self.skip_while(in_word);
        match self.bytes.get(start..self.at).unwrap_or(&[]) {
            b"r" | b"br" | b"cr" if matches!(self.peek(0), b'#' | b'"') => {
                if self.raw_string() {
                    return Kind::Text;
                }
                // A raw name: `r#type`.
                if self.peek(0) == b'#' && in_word(self.peek(1)) {
                    self.at += 1;
                    self.skip_while(in_word);
                }
            }
            b"b" | b"c" if self.peek(0) == b'"' => {
                self.string();
                return Kind::Text;
            }
            b"b" if self.peek(0) == b'\'' => {
                self.quote();
                return Kind::Text;
            }
            _ => {}
        }
        Kind::Word
    }
}

const fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_while(|byte| byte.is_ascii_whitespace());
        let first = *self.bytes.get(self.at)?;
        let start = self.at;
        let kind = match first {
            b'/' if matches!(self.peek(1), b'/' | b'*') => {
                self.comment();
                Kind::Comment
            }
            b'"' => {
                self.string();
                Kind::Text
            }
            b'\'' => {
                self.quote();
                Kind::Text
            }
            byte if in_word(byte) => self.word(),
            byte => {
                self.at += 1;
                match byte {
                    b'(' | b'[' | b'{' => Kind::Open,
                    b')' | b']' | b'}' => Kind::Close,
                    byte => Kind::Punct(byte),
                }
            }
        };
        self.at = self.at.min(self.bytes.len());
        Some(Token { kind, start, end: self.at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(Kind, &str)> {
        Tokens::new(text.as_bytes()).map(|token| (token.kind, &text[token.start..token.end])).collect()
    }

    #[test]
    fn texts_and_comments_are_whole() {
        assert_eq!(
            words(r##"r#"a"b"# 'x' '\'' 'a: "\"}" 1.5"##),
            [
                (Kind::Text, "r#\"a\"b\"#"),
                (Kind::Text, "'x'"),
                (Kind::Text, "'\\''"),
                (Kind::Text, "'a"),
                (Kind::Punct(b':'), ":"),
                (Kind::Text, "\"\\\"}\""),
                (Kind::Word, "1.5"),
            ]
        );
        assert_eq!(
            words("/* a /* b */ */r#type//x\n'é'"),
            [(Kind::Comment, "/* a /* b */ */"), (Kind::Word, "r#type"), (Kind::Comment, "//x"), (Kind::Text, "'é'"),]
        );
    }
}
