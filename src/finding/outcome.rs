//! What an audit says as a whole: rules, findings, suppressions, remedies, counts.
//!
//! In: nothing, these are data. Out: the types that reports, gates and baselines share.

use serde::{Deserialize, Serialize};

use super::{Evidence, Identity, Region, Site, Wrapper};

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Nothing ends the call.
    UncoveredCall,
    /// Only some phases are limited.
    PartialLimit,
    /// A limit is written and switches itself off.
    LimitOff,
    /// A limit is written where it does nothing.
    LimitWithoutEffect,
    /// A value that is plausible in another unit only.
    SuspiciousUnit,
    /// A raw call beside a limited wrapper that other calls use.
    BypassedWrapper,
    /// An inner limit at or above the limit around it.
    LimitNeverFires,
    /// Retries around a call that nothing ends.
    RetryWithoutLimit,
    /// The verdict is unknown.
    UnknownLimit,
    /// Tries that cannot end inside what the caller waits.
    OverBudget,
    /// A suppression that suppresses nothing.
    UnusedSuppression,
    /// A suppression without a reason, or that cannot be read.
    BadSuppression,
}

impl Rule {
    /// All rules, in the order of reports.
    pub const ALL: [Self; 12] = [
        Self::UncoveredCall,
        Self::PartialLimit,
        Self::LimitOff,
        Self::LimitWithoutEffect,
        Self::SuspiciousUnit,
        Self::BypassedWrapper,
        Self::LimitNeverFires,
        Self::RetryWithoutLimit,
        Self::UnknownLimit,
        Self::OverBudget,
        Self::UnusedSuppression,
        Self::BadSuppression,
    ];

    /// The rule's name.
    pub const fn id(self) -> &'static str {
        match self {
            Self::UncoveredCall => "uncovered-call",
            Self::PartialLimit => "partial-limit",
            Self::LimitOff => "limit-off",
            Self::LimitWithoutEffect => "limit-without-effect",
            Self::SuspiciousUnit => "suspicious-unit",
            Self::BypassedWrapper => "bypassed-wrapper",
            Self::LimitNeverFires => "limit-never-fires",
            Self::RetryWithoutLimit => "retry-without-limit",
            Self::UnknownLimit => "unknown-limit",
            Self::OverBudget => "over-budget",
            Self::UnusedSuppression => "unused-suppression",
            Self::BadSuppression => "bad-suppression",
        }
    }

    /// Whether it is found only where it is said how long the caller of a chain's top waits.
    pub const fn needs_deadline(self) -> bool {
        matches!(self, Self::OverBudget)
    }

    /// Whether it is about a site's verdict.
    pub const fn is_verdict(self) -> bool {
        matches!(self, Self::UncoveredCall | Self::PartialLimit | Self::UnknownLimit)
    }

    /// The rule of that name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.id() == id)
    }

    /// How much its findings weigh unless the user says otherwise.
    pub const fn weight(self) -> Severity {
        match self {
            Self::UncoveredCall | Self::OverBudget | Self::BadSuppression => Severity::Error,
            _ => Severity::Warning,
        }
    }

    /// What it means, in one sentence.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::UncoveredCall => "an outbound call that nothing ends when the callee hangs",
            Self::PartialLimit => "an outbound call of which only some phases are limited",
            Self::LimitOff => "a limit is written and switches itself off",
            Self::LimitWithoutEffect => "a limit is written where it does nothing",
            Self::SuspiciousUnit => "a value that is plausible in another unit only",
            Self::BypassedWrapper => "a raw call beside a limited wrapper that other calls use",
            Self::LimitNeverFires => "an inner limit at or above the limit around it",
            Self::RetryWithoutLimit => "retries around a call that nothing ends",
            Self::UnknownLimit => "an outbound call whose limit could not be followed",
            Self::OverBudget => "tries that cannot end inside what the caller waits",
            Self::UnusedSuppression => "a suppression that suppresses nothing",
            Self::BadSuppression => "a suppression without a reason, or one that cannot be read",
        }
    }
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Not reported.
    Off,
    /// Reported.
    Warning,
    /// Reported, and fails a gate that asks for it.
    Error,
}

impl Severity {
    /// The word used in every report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Something to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What about.
    pub rule: Rule,
    /// How much it weighs.
    pub severity: Severity,
    /// The site's id; empty for findings that concern no site.
    pub site: String,
    /// The primary place.
    pub at: Region,
    /// What is wrong.
    pub message: String,
    /// What to write where.
    pub fix: String,
    /// Further places, in order.
    pub evidence: Vec<Evidence>,
    /// Stable across line moves: the digest of its identity and its rule.
    pub fingerprint: String,
    /// What the fingerprint is made of. The ordinal counts the findings of the rule.
    pub identity: Identity,
    /// The reason given in a suppression.
    pub suppressed: Option<String>,
    /// Whether it stood before; `None` where nothing was compared.
    pub standing: Option<Standing>,
}

impl Standing {
    /// The word used in every report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Known => "known",
        }
    }
}

/// Whether a finding stood before, by a baseline or by an earlier revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It is new.
    New,
    /// It stood before.
    Known,
}

/// A comment that suppresses findings, or means to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// Where the comment stands.
    pub at: Region,
    /// The rules that it names; none where it cannot be read.
    pub rules: Vec<Rule>,
    /// Its reason.
    pub reason: String,
    /// The last day on which it holds, as `2027-01-31`.
    pub until: Option<String>,
    /// Whether it speaks for the whole file.
    pub whole_file: bool,
    /// What has become of it.
    pub state: SuppressionState,
}

/// What has become of a suppression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuppressionState {
    /// It suppresses something.
    Used,
    /// It suppresses nothing.
    Unused,
    /// Nobody can say: some kinds of sites are left out.
    Unchecked,
    /// Its time is over.
    Stale,
    /// It has no reason, or cannot be read.
    Bad,
}

impl SuppressionState {
    /// The word used in every report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Unused => "unused",
            Self::Unchecked => "unchecked",
            Self::Stale => "stale",
            Self::Bad => "bad",
        }
    }
}

/// One place where a change covers many sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// Where to write the limit.
    pub at: Region,
    /// What to do there, as a sentence.
    pub text: String,
    /// The ids of the sites it would cover.
    pub sites: Vec<String>,
}

impl Remedy {
    /// Whether it covers more than one.
    pub fn covers_many(&self) -> bool {
        self.sites.len() > 1
    }
}

/// A file that could not be read, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its path.
    pub file: String,
    /// Why.
    pub reason: String,
}

impl Unreadable {
    /// Whether only a part of it could not be read.
    pub fn in_part(&self) -> bool {
        self.reason.ends_with("the rest was read")
    }
}

/// A package that code imports, that reaches other services, and that nobody told the program about: what it sends is not counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stranger {
    /// Its name.
    pub package: String,
    /// The family of languages that it is of.
    pub language: &'static str,
    /// How many of the files that take part import it.
    pub files: u32,
    /// The first of them, as reports print it.
    pub file: std::sync::Arc<str>,
}

/// What was seen and what was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Files of a known language under the named paths.
    pub seen: u32,
    /// Of these, files that take part: neither left out nor unreadable.
    pub scanned: u32,
    /// Files parsed.
    pub parsed: u32,
    /// Files that could not be read.
    pub unreadable: u32,
    /// Test code left out.
    pub tests: u32,
    /// Examples left out.
    pub examples: u32,
    /// Generated and minified files left out.
    pub generated: u32,
    /// Vendored files left out.
    pub vendored: u32,
    /// Files over the size cap.
    pub too_large: u32,
}

/// Everything that one audit found, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// What was seen.
    pub counts: Counts,
    /// The files that take part, as reports print them, sorted.
    pub files: Vec<std::sync::Arc<str>>,
    /// Sorted by file, line, column.
    pub sites: Vec<Site>,
    /// Sorted by file, line.
    pub wrappers: Vec<Wrapper>,
    /// Sorted by file, line, column, rule.
    pub findings: Vec<Finding>,
    /// Sorted by how much they cover.
    pub remedies: Vec<Remedy>,
    /// Sorted by file.
    pub unreadable: Vec<Unreadable>,
    /// Sorted by how many files import them, then by name.
    pub strangers: Vec<Stranger>,
    /// The number of wrapper calls that pass their own value.
    pub overrides: u32,
    /// Sorted by file, line, column.
    pub suppressions: Vec<Suppression>,
}
