//! Who calls whom: services, hops between them, and chains of hops.
//!
//! In: nothing; [`crate::chain`] fills these in. Out: plain data that reports print. Sites are named by their place in
//! [`Outcome::sites`](super::Outcome::sites).

use crate::finding::SiteKind;
use crate::limit::Millis;

/// The name of what could not be resolved.
pub const UNKNOWN: &str = "?";

/// Services and what they call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// Sorted by name; also those that call nothing and are not called.
    pub services: Vec<Service>,
    /// Sorted by caller and callee.
    pub hops: Vec<Hop>,
    /// Ways from a service that nobody calls to a leaf, as places in `hops`, in the order of names.
    pub chains: Vec<Vec<usize>>,
    /// Circles, each beginning with the service that closes it.
    pub circles: Vec<Vec<String>>,
    /// Whether there are more chains than are listed.
    pub capped: bool,
    /// What could not be read or resolved, and what was decided where two things contradict.
    pub notes: Vec<Note>,
}

impl Graph {
    /// The services on the way of a chain.
    pub fn stops(&self, chain: &[usize]) -> Vec<&str> {
        let first = chain.first().map(|hop| self.hops[*hop].caller.as_str());
        first.into_iter().chain(chain.iter().map(|hop| self.hops[*hop].callee.as_str())).collect()
    }
}

/// A service, or something outside that services call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Its name, unique in the graph.
    pub name: String,
    /// What it is.
    pub what: What,
    /// The folders that hold its code, as reports print them.
    pub code: Vec<String>,
    /// The names under which others reach it.
    pub hosts: Vec<String>,
    /// The ports on which it listens.
    pub ports: Vec<u16>,
    /// Who says that there is such a service, and where.
    pub found: Vec<Found>,
}

/// What a service is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A service of the tree.
    Service,
    /// A host outside.
    Host,
    /// A dependency of which only the kind is known.
    Dependency(SiteKind),
    /// Not known.
    Unknown,
}

impl What {
    /// The word in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Host => "host",
            Self::Dependency(kind) => kind.word(),
            Self::Unknown => "unknown",
        }
    }
}

/// Who says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// `declared`, `compose`, `kubernetes`, `procfile`, `package`, `folder`.
    pub by: &'static str,
    /// The file and line.
    pub at: String,
}

/// All calls from one service to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Who calls.
    pub caller: String,
    /// Who is called.
    pub callee: String,
    /// The longest that one try takes; `None`: nothing ends it, or nobody knows when.
    pub per_try: Option<Millis>,
    /// The most tries after the first; `u32::MAX` means without end.
    pub retries: u32,
    /// The wait before the first retry, of the site with the most.
    pub backoff: Option<Millis>,
    /// The sites: first the one that decides `per_try`, then in the order of places.
    pub calls: Vec<Crossing>,
}

/// A site as a part of a hop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crossing {
    /// Its place in the outcome's sites.
    pub site: usize,
    /// How its callee is known, or why it is not.
    pub how: String,
}

/// Something that a person should know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// A file, with a line where there is one; empty for the graph as a whole.
    pub at: String,
    /// What, as a sentence without a full stop.
    pub text: String,
}
