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
    /// For code scanning and editors: SARIF 2.1.0.
    Sarif,
    /// For GitHub: annotations of a workflow.
    Github,
    /// For GitLab: a code quality report.
    Gitlab,
    /// For views of test results: JUnit XML.
    Junit,
    /// For views of linters: Checkstyle XML.
    Checkstyle,
    /// For a comment or a summary.
    Markdown,
    /// For a spreadsheet.
    Csv,
    /// For a browser: one page that needs no network.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 12] = [
        Self::Text,
        Self::Short,
        Self::Json,
        Self::Jsonl,
        Self::Sarif,
        Self::Github,
        Self::Gitlab,
        Self::Junit,
        Self::Checkstyle,
        Self::Markdown,
        Self::Csv,
        Self::Html,
    ];

    /// The word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Short => "short",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Junit => "junit",
            Self::Checkstyle => "checkstyle",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Html => "html",
        }
    }

    /// Whether a report says of a call which service makes it and which one it reaches.
    pub const fn has_services(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl | Self::Html)
    }

    /// Whether a report draws chains.
    pub const fn has_chains(self) -> bool {
        matches!(self, Self::Html)
    }
}
