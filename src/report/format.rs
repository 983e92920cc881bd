//! What a report is written as.
//!
//! In: a word of the command line. Out: a [`Format`]. Which text it makes stands in the module of that name.

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
