//! What the program says: sites with a verdict and its evidence, wrappers, findings, and the summary of a whole audit.
//!
//! In: nothing; the judge fills these in. Out: plain owned data that every report prints. Places are already resolved to paths,
//! lines and columns, so that a report needs neither the sources nor the facts.

pub mod graph;
mod ruling;

use std::fmt;

pub use ruling::{KnownFinding, Reached, Ruling};
use serde::{Deserialize, Serialize};

use crate::limit::{LimitKind, Millis};
use crate::span::{LineIndex, Span};

/// Whether anything ends a call whose callee hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing ends it.
    Uncovered,
    /// It could not be followed.
    Unknown,
    /// Some of its phases are limited.
    Partial,
    /// A callee that stops sending cannot hold the caller.
    Covered,
}

impl Verdict {
    /// The word used in every report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Covered => "covered",
            Self::Partial => "partial",
            Self::Uncovered => "uncovered",
            Self::Unknown => "unknown",
        }
    }
}

/// What covers a call, or limits a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Written at the call.
    Own,
    /// Written where the instance was made.
    Client,
    /// The call goes through a wrapper whose inner call is limited.
    Wrapper,
    /// An enclosing construct.
    Scope,
    /// A process-wide setting.
    Global,
    /// The library's own default.
    Default,
    /// The configuration file says so.
    Declared,
}

impl By {
    /// The word used in every report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Client => "client",
            Self::Wrapper => "wrapper",
            Self::Scope => "scope",
            Self::Global => "global",
            Self::Default => "default",
            Self::Declared => "declared",
        }
    }
}

/// How the length of a limit is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Written in the code.
    Constant,
    /// From the environment, with this fallback.
    Env,
    /// Known at run time alone.
    Dynamic,
}

/// What kind of dependency a call reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SiteKind {
    /// HTTP.
    Http,
    /// Remote procedure calls.
    Rpc,
    /// Sockets, WebSockets.
    Socket,
    /// Databases.
    Database,
    /// Caches.
    Cache,
    /// Message brokers.
    Queue,
    /// Mail.
    Mail,
}

impl SiteKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 7] = [Self::Http, Self::Rpc, Self::Socket, Self::Database, Self::Cache, Self::Queue, Self::Mail];

    /// The word used in every report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Rpc => "rpc",
            Self::Socket => "socket",
            Self::Database => "database",
            Self::Cache => "cache",
            Self::Queue => "queue",
            Self::Mail => "mail",
        }
    }
}

/// A place in a file as people read it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Region {
    /// The path as reports print it, with `/`.
    pub file: std::sync::Arc<str>,
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    /// 1-based.
    pub end_line: u32,
    /// 1-based, in characters; one past the last.
    pub end_column: u32,
}

impl Region {
    /// The place of a span in a file.
    pub fn of(file: std::sync::Arc<str>, lines: &LineIndex, span: Span) -> Self {
        let (start, end) = (lines.position(span.start), lines.position(span.end));
        Self { file, line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }
}

/// The limit that decides a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// How long; `None` when it is known at run time alone.
    pub wait: Option<Millis>,
    /// What it ends.
    pub kind: LimitKind,
    /// How its length is known.
    pub origin: Origin,
    /// Whether the call could pass another value.
    pub overridable: bool,
    /// Where it is written; `None` for a library's default.
    pub at: Option<Region>,
    /// The name of what is set there, if it has one: `timeout`.
    pub setting: Option<String>,
}

/// One fact that led to a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Where it stands.
    pub at: Region,
    /// What it says.
    pub text: String,
}

/// A part of a destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Known text.
    Text(String),
    /// An environment variable, and what stands in for it where it is not set.
    Env {
        /// Its name.
        name: String,
        /// What the code falls back to.
        fallback: Option<Vec<Self>>,
    },
    /// One of several.
    Choice(Vec<Vec<Self>>),
    /// Not known.
    Unknown {
        /// Its source text.
        text: String,
        /// Why; completes "it comes from …".
        why: String,
    },
}

/// Where a call goes, as far as it can be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// The destination's source text, with what is known filled in.
    pub text: String,
    /// The host, if known.
    pub host: Option<String>,
    /// The port, if known.
    pub port: Option<u16>,
    /// The path, if known.
    pub path: Option<String>,
    /// The environment variables that take part in it.
    pub env: Vec<String>,
    /// What it is put together of; empty where the call names none.
    pub parts: Vec<Part>,
    /// The service it belongs to, once services are known.
    pub service: Option<String>,
}

/// What stays the same when lines move, local variables get other names, or the command runs in another folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Identity {
    /// The file's path from the repository's folder on, with `/`.
    pub path: String,
    /// The outermost named function around it, with its class; empty where there is none.
    pub definition: String,
    /// What is called: the client's function, or the wrapper.
    pub callee: String,
    /// Which of its like in the definition, from 1.
    pub ordinal: u32,
}

impl Identity {
    /// What it shares with its like in the definition.
    pub fn like(&self) -> (&str, &str, &str) {
        (&self.path, &self.definition, &self.callee)
    }

    /// 16 hexadecimal digits; those of a site where no rule is given.
    pub fn digest(&self, rule: Option<Rule>) -> String {
        let ordinal = self.ordinal.to_string();
        let site = [self.path.as_str(), &self.definition, &self.callee, &ordinal];
        rule.map_or_else(|| digest(&site), |rule| digest(&[rule.id(), site[0], site[1], site[2], site[3]]))
    }
}

/// An outbound call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Stable across line moves: the digest of its identity.
    pub id: String,
    /// What the id is made of.
    pub identity: Identity,
    /// From the beginning of the chain to the end of the terminal call.
    pub at: Region,
    /// The line on which the call's name stands (the terminal call's, for a chain over several lines).
    pub name_line: u32,
    /// The language's name, in lower case.
    pub language: &'static str,
    /// What it reaches.
    pub kind: SiteKind,
    /// The client library.
    pub client: String,
    /// The function called.
    pub call: String,
    /// The enclosing definition.
    pub function: Option<String>,
    /// Where it goes.
    pub target: Target,
    /// Whether anything ends it.
    pub verdict: Verdict,
    /// Where the deciding limit comes from.
    pub by: Option<By>,
    /// The deciding limit; none for an uncovered site.
    pub limit: Option<Limit>,
    /// What would end an uncovered site after all.
    pub default_limit: Option<Millis>,
    /// Extra tries after the first, on a timed-out try. `u32::MAX` means without end.
    pub retries: u32,
    /// The wait before the first of them.
    pub backoff: Option<Millis>,
    /// The wrapper it goes through.
    pub wrapper: Option<String>,
    /// Why, in order.
    pub evidence: Vec<Evidence>,
    /// The reason given in a suppression.
    pub suppressed: Option<String>,
    /// The service whose code this is.
    pub caller_service: Option<String>,
}

impl fmt::Display for Site {
    /// The one-line form of the verdict that text, explain and fixtures share: `covered 3s by client [axios] idle`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict.word())?;
        if let Some(limit) = &self.limit {
            match limit.wait {
                Some(wait) => write!(f, " {wait}")?,
                None => f.write_str(" dynamic")?,
            }
        }
        if let Some(by) = self.by {
            write!(f, " by {}", by.word())?;
        }
        write!(f, " [{}]", self.client)?;
        if let Some(limit) = &self.limit {
            write!(f, " {}", limit.kind)?;
        }
        if let Some(wait) = self.default_limit {
            write!(f, " default {wait}")?;
        }
        match self.retries {
            0 => Ok(()),
            u32::MAX => f.write_str(" retries forever"),
            n => write!(f, " retries {n}"),
        }
    }
}

/// A function or method of the scanned code that forwards its caller's destination into an outbound call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapper {
    /// Its name, with its class if it has one.
    pub name: String,
    /// Where it is defined.
    pub at: Region,
    /// How many sites go through it.
    pub sites: u32,
    /// The limit of its inner call.
    pub limit: Option<Limit>,
}

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
    /// The number of wrapper calls that pass their own value.
    pub overrides: u32,
    /// Sorted by file, line, column.
    pub suppressions: Vec<Suppression>,
}

/// A stable identity made of parts: 16 hexadecimal digits (FNV-1a, 64 bits).
pub fn digest(parts: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash ^= u64::from(byte);
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
