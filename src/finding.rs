//! What the program says: sites with a verdict and its evidence, wrappers, findings, and the summary of a whole audit.
//!
//! In: nothing; the judge fills these in. Out: plain owned data that every report prints. Places are already resolved to paths,
//! lines and columns, so that a report needs neither the sources nor the facts.

pub mod graph;
mod outcome;
mod ruling;

use std::fmt;

pub use ruling::{KnownFinding, Reached, Ruling};
use serde::{Deserialize, Serialize};

use crate::limit::{LimitKind, Millis};
use crate::span::{LineIndex, Span};

pub use outcome::*;

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
