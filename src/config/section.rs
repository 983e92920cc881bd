//! Tables and values of a configuration file, read with their types.
//!
//! In: what the TOML parser gives, with places. Out: plain values, or a [`ConfigError`] that says what was found at which place and what
//! was expected. Keys that a table does not know are refused when it is opened.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::{ConfigError, Source};
use crate::limit::Millis;
use crate::near::expected;

/// A table whose keys are known.
#[derive(Clone)]
pub(super) struct Section<'a> {
    pub source: &'a Source<'a>,
    table: &'a DeTable<'a>,
    name: String,
}

/// A value, with the key that it stands under.
#[derive(Clone)]
pub(super) struct Item<'a> {
    pub source: &'a Source<'a>,
    /// The way to it: `policy.accept`.
    pub key: String,
    name: String,
    /// Where the value stands.
    pub span: Range<usize>,
    /// Where the key stands.
    pub key_span: Range<usize>,
    value: &'a DeValue<'a>,
}

impl<'a> Section<'a> {
    /// Opens a table; `known` are its keys. None: any.
    ///
    /// # Errors
    ///
    /// The first key that is not known.
    pub(super) fn open(source: &'a Source<'a>, name: &str, table: &'a DeTable<'a>, known: &[&str]) -> Result<Self, ConfigError> {
        let section = Self { source, table, name: name.to_owned() };
        let unknown = section.items().into_iter().find(|item| !known.is_empty() && !known.contains(&item.last()));
        match unknown {
            None => Ok(section),
            Some(item) => {
                let wanted = expected(item.last(), known);
                Err(source.error(&item.key_span, format!("`{}` is no key{}: {wanted}", item.last(), section.place())))
            }
        }
    }

    fn place(&self) -> String {
        if self.name.is_empty() { " of the file".to_owned() } else { format!(" of `{}`", self.name) }
    }

    fn item(&self, key: &'a Spanned<std::borrow::Cow<'a, str>>, value: &'a Spanned<DeValue<'a>>) -> Item<'a> {
        let name = key.get_ref();
        let key_name = if self.name.is_empty() { name.to_string() } else { format!("{}.{name}", self.name) };
        Item {
            source: self.source,
            key: key_name,
            name: name.to_string(),
            span: value.span(),
            key_span: key.span(),
            value: value.get_ref(),
        }
    }

    /// All values, in the order of the file.
    pub(super) fn items(&self) -> Vec<Item<'a>> {
        let mut items: Vec<Item<'a>> = self.table.iter().map(|(key, value)| self.item(key, value)).collect();
        items.sort_by_key(|item| item.key_span.start);
        items
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<Item<'a>> {
        let (key, value) = self.table.get_key_value(key)?;
        Some(self.item(key, value))
    }

    /// The value of a key that must be there; `at` is where the table stands.
    pub(super) fn need(&self, key: &str, at: &Range<usize>, example: &str) -> Result<Item<'a>, ConfigError> {
        self.get(key).ok_or_else(|| self.source.error(at, format!("`{}` has no `{key}`: expected {example}", self.name)))
    }
}

impl<'a> Item<'a> {
    /// The key's own name.
    pub(super) fn last(&self) -> &str {
        &self.name
    }

    /// A refusal of this value.
    pub(super) fn error(&self, message: String) -> ConfigError {
        self.source.error(&self.span, message)
    }

    fn wrong(&self, wanted: &str) -> ConfigError {
        let kind = match self.value.type_str() {
            "integer" => "an integer",
            "array" => "a list",
            "datetime" => "a date",
            "float" => "a number with a fraction",
            "string" => "a text",
            "boolean" => "true or false",
            _ => "a table",
        };
        self.error(format!("`{}` is {kind}: expected {wanted}", self.key))
    }

    /// A text.
    pub(super) fn text(&self) -> Result<&'a str, ConfigError> {
        self.value.as_str().ok_or_else(|| self.wrong("a text, in quotes"))
    }

    /// A text that says something.
    pub(super) fn words(&self) -> Result<&'a str, ConfigError> {
        let text = self.text()?;
        if text.trim().is_empty() { Err(self.error(format!("`{}` is empty: expected a text", self.key))) } else { Ok(text) }
    }

    /// `true` or `false`.
    pub(super) fn flag(&self) -> Result<bool, ConfigError> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    /// The elements of a list.
    pub(super) fn list(&self, wanted: &str) -> Result<Vec<Item<'a>>, ConfigError> {
        let list = self.value.as_array().ok_or_else(|| self.wrong(wanted))?;
        let element = |(at, value): (usize, &'a Spanned<DeValue<'a>>)| Item {
            source: self.source,
            key: format!("{}[{at}]", self.key),
            name: self.name.clone(),
            span: value.span(),
            key_span: value.span(),
            value: value.get_ref(),
        };
        Ok(list.iter().enumerate().map(element).collect())
    }

    /// A list of texts.
    pub(super) fn texts(&self) -> Result<Vec<Item<'a>>, ConfigError> {
        let list = self.list("a list of texts, for example [\"a\", \"b\"]")?;
        list.iter().try_for_each(|item| item.words().map(|_| ()))?;
        Ok(list)
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, ConfigError> {
        let text = self.text()?;
        known.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            self.error(format!("`{}` is `{text}`: {}", self.key, expected(text, &words)))
        })
    }

    /// A list of words.
    pub(super) fn some_words<T: Copy>(&self, known: &[(&str, T)]) -> Result<Vec<T>, ConfigError> {
        self.texts()?.iter().map(|item| item.word(known)).collect()
    }

    /// A length of time: a text with a unit, or milliseconds.
    pub(super) fn length(&self) -> Result<Millis, ConfigError> {
        if let DeValue::String(text) = self.value {
            return text.parse().map_err(|error| self.error(format!("`{}`: {error}", self.key)));
        }
        let millis = self.whole(u64::MAX).map_err(|_| self.wrong("a length of time, for example \"3s\" or 3000"))?;
        Ok(Millis::from_millis(millis))
    }

    /// A whole number from 0 to `most`.
    pub(super) fn whole(&self, most: u64) -> Result<u64, ConfigError> {
        let wanted = || if most == u64::MAX { "a whole number".to_owned() } else { format!("a whole number from 0 to {most}") };
        let number = self.value.as_integer().ok_or_else(|| self.wrong(&wanted()))?;
        let read = u64::from_str_radix(number.as_str(), number.radix()).ok().filter(|number| *number <= most);
        read.ok_or_else(|| self.error(format!("`{}` is {}: expected {}", self.key, number.as_str(), wanted())))
    }

    /// A percentage.
    pub(super) fn percent(&self) -> Result<f64, ConfigError> {
        let written = match self.value {
            DeValue::Integer(number) => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            _ => return Err(self.wrong("a percentage from 0 to 100")),
        };
        let number = written.replace('_', "").parse::<f64>().ok().filter(|number| (0.0..=100.0).contains(number));
        number.ok_or_else(|| self.error(format!("`{}` is {written}: expected a percentage from 0 to 100", self.key)))
    }

    /// A table; `known` are its keys. None: any.
    pub(super) fn section(&self, known: &[&str]) -> Result<Section<'a>, ConfigError> {
        let table = self.value.as_table().ok_or_else(|| self.wrong("a table"))?;
        Section::open(self.source, &self.key, table, known)
    }
}
