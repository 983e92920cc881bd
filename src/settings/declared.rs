//! What the user declares about the code, and what counts in which part of it.
//!
//! In: nothing; the configuration reader fills these in. Out: plain data, each with the place where it was written.

use std::collections::BTreeMap;

use super::Globs;
use crate::finding::{Region, Rule, Severity, SiteKind};
use crate::limit::{LimitKind, Millis};

/// The families of languages that a client can belong to, each a folder under `queries/`.
pub const FAMILIES: [&str; 2] = ["javascript", "rust"];

/// A `[[client]]` table: a library file inside the configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSource {
    /// The folder under `queries/` that it belongs to: one of [`FAMILIES`].
    pub family: &'static str,
    /// The configuration file, as it is shown.
    pub file: String,
    /// The text of a library file, on the lines and columns of the configuration file.
    pub text: String,
}

/// An `[[override]]` table: other rules for some paths.
#[derive(Debug, Clone)]
pub struct Override {
    /// Where it holds.
    pub paths: Globs,
    /// The weight of rules there.
    pub severities: BTreeMap<Rule, Severity>,
}

/// A `[[wrapper]]` table: whether a function is a wrapper.
#[derive(Debug, Clone)]
pub struct DeclaredWrapper {
    /// The function: `name` or `Class.name`.
    pub function: String,
    /// Where it is defined; empty: anywhere.
    pub paths: Globs,
    /// Whether it is one.
    pub is_wrapper: bool,
    /// Where this is written.
    pub at: Region,
}

/// A `[[limit]]` table: something that the code does not show ends the calls of some paths.
#[derive(Debug, Clone)]
pub struct DeclaredLimit {
    /// The calls that it ends: those in these paths; empty: in all.
    pub paths: Globs,
    /// Only calls of these kinds; empty: all.
    pub kinds: Vec<SiteKind>,
    /// Only calls of these clients; empty: all.
    pub clients: Vec<String>,
    /// Only calls to these hosts; empty: all.
    pub hosts: Vec<String>,
    /// How long it lets a call wait.
    pub wait: Millis,
    /// What it ends.
    pub kind: LimitKind,
    /// Who ends it, and why that can be relied on.
    pub reason: String,
    /// Where this is written.
    pub at: Region,
}

/// When the gate holds.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    /// The file with the known findings, as it is opened.
    pub baseline: Option<std::path::PathBuf>,
    /// Partial and unknown count as uncovered.
    pub strict: bool,
    /// The rules whose new findings fail it; `None`: those of severity error.
    pub fail_on: Option<Vec<Rule>>,
    /// The floors that must be kept.
    pub floors: Vec<Floor>,
}

impl Gate {
    /// Lets a threshold over all calls take the place of the one that is there.
    pub fn replace(&mut self, floor: Floor) {
        for other in self.floors.iter_mut().filter(|other| other.is_over_all()) {
            if floor.min_coverage.is_some() {
                other.min_coverage = None;
            }
            if floor.max_uncovered.is_some() {
                other.max_uncovered = None;
            }
        }
        self.floors.retain(|other| other.min_coverage.is_some() || other.max_uncovered.is_some());
        self.floors.insert(0, floor);
    }
}

impl Floor {
    /// Whether it is about all calls.
    pub fn is_over_all(&self) -> bool {
        self.paths.is_empty() && self.kinds.is_empty() && self.services.is_empty()
    }
}

/// A floor under the coverage of all calls, or of a part of them.
#[derive(Debug, Clone, Default)]
pub struct Floor {
    /// Only calls in these paths; empty: in all.
    pub paths: Globs,
    /// Only calls of these kinds; empty: all.
    pub kinds: Vec<SiteKind>,
    /// Only calls in the code of these services; empty: all.
    pub services: Vec<String>,
    /// Covered calls of all, in percent, that are needed.
    pub min_coverage: Option<f64>,
    /// Uncovered calls that are allowed.
    pub max_uncovered: Option<u32>,
    /// Where this is written, in words: `untimed.toml:12`, `--min-coverage`.
    pub written: String,
}
