//! Reports: finished findings, verdicts and numbers become text for people and machines. One small file for each format.
//!
//! In: an [`Outcome`], or answers of the budget checker. Out: text. Reports decide and filter nothing, print nothing, and read no files
//! but, for excerpts, the sources. Styles are written into text as ANSI sequences; whoever prints strips them where no terminal reads.

pub mod budget;
pub mod clients;
mod excerpt;
pub mod explain;
pub mod export;
mod figures;
mod groups;
pub mod json;
mod jsonl;
pub mod rules;
mod sources;
mod table;
mod text;

use crate::finding::Outcome;

pub use figures::{Figures, figures};
pub use groups::Grouping;
pub use sources::Sources;

/// What a report is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For people in a hurry: one line for each finding.
    Short,
    /// For programs.
    Json,
    /// For programs that read line by line.
    Jsonl,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Text, Self::Short, Self::Json, Self::Jsonl];

    /// The word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Short => "short",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
        }
    }

    /// The format of that name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// Long lists are not folded.
    pub all: bool,
    /// The first line alone.
    pub quiet: bool,
    /// How many columns there are; 0: as many as it takes.
    pub width: usize,
}

/// An audit as text.
pub fn audit(outcome: &Outcome, format: Format, sources: &Sources, detail: Detail) -> String {
    match format {
        Format::Text => text::audit(outcome, sources, detail),
        Format::Short => text::short(outcome),
        Format::Json => json::audit(outcome),
        Format::Jsonl => jsonl::audit(outcome),
    }
}

/// An audit as one row for each group of sites. `roots` are the named paths, as the user wrote them and as reports print them.
pub fn grouped(outcome: &Outcome, grouping: Grouping, roots: &[(String, String)], format: Format) -> String {
    let rows = groups::rows(outcome, grouping, roots);
    match format {
        Format::Text | Format::Short => groups::table(grouping, &rows),
        Format::Json => groups::json(grouping, &rows),
        Format::Jsonl => groups::jsonl(&rows),
    }
}

/// Text from the scanned code, without characters that a terminal would obey.
fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    let obeyed =
        |c: char| c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.contains(obeyed) {
        text.chars().map(|c| if obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect::<String>().into()
    } else {
        text.into()
    }
}

/// A number with its noun.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// A number with its thousands set apart: `12,345`.
fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
