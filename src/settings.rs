//! What the user asked for, from the command line and from `untimed.toml`, merged.
//!
//! In: nothing; [`crate::cli`] and [`crate::config`] fill it in. Out: plain data.

mod declared;
mod globs;
mod places;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use declared::{ClientSource, DeclaredLimit, DeclaredWrapper, FAMILIES, Floor, Gate, Override};
pub use globs::{Globs, full};
pub use places::{above, repository};

use crate::finding::{Rule, Severity, SiteKind};
use crate::limit::{LimitKind, Millis};

/// The kinds of limits that can cover a call.
pub const ACCEPTED: [LimitKind; 3] = [LimitKind::Total, LimitKind::Idle, LimitKind::Wait];

/// What an audit looks at, and what counts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder that paths are shown relative to.
    pub base: PathBuf,
    /// Files and folders to audit.
    pub roots: Vec<PathBuf>,
    /// Also test code.
    pub tests: bool,
    /// Also examples.
    pub examples: bool,
    /// Also generated and minified files.
    pub generated: bool,
    /// Also vendored files.
    pub vendored: bool,
    /// Also what `.gitignore` and its like exclude.
    pub ignored: bool,
    /// Files larger than this many bytes are counted and not read.
    pub max_size: u64,
    /// The kinds of sites that are reported; empty: all.
    pub kinds: Vec<SiteKind>,
    /// A library's default longer than this is no limit.
    pub longest_default: Millis,
    /// Folders with the user's own library files.
    pub queries: Vec<PathBuf>,
    /// How many threads; 0: as many as there are processors.
    pub threads: usize,
    /// Globs of paths to leave out.
    pub exclude: Vec<String>,
    /// How long the caller of a chain's top waits; chains are held to it where it is given.
    pub deadline: Option<Millis>,
    /// The services that the user declares, sorted by name.
    pub services: Vec<Service>,
    /// The configuration file, as it is shown.
    pub config: Option<String>,
    /// Whether the user wants no configuration file.
    pub unconfigured: bool,
    /// The folder of the configuration file.
    pub home: Option<PathBuf>,
    /// Only files that fit these take part; empty: all.
    pub included: Globs,
    /// Files that the configuration leaves out.
    pub excluded: Globs,
    /// The kinds of limits that cover a call.
    pub accepted: Vec<LimitKind>,
    /// The weight of rules, where it is not the rule's own.
    pub severities: BTreeMap<Rule, Severity>,
    /// What is different in some paths; the last that fits counts.
    pub overrides: Vec<Override>,
    /// The user's own clients.
    pub clients: Vec<ClientSource>,
    /// Functions that are, or are not, wrappers.
    pub wrappers: Vec<DeclaredWrapper>,
    /// Limits that the code does not show.
    pub limits: Vec<DeclaredLimit>,
    /// When the gate holds.
    pub gate: Gate,
    /// Where each value that is not a default was written, by its key: `policy.accept` → `untimed.toml:4`, `--kind`.
    pub written: BTreeMap<String, String>,
}

/// A service as `[services.NAME]` of `untimed.toml` declares it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Service {
    /// Its name in chains.
    pub name: String,
    /// The folders that hold its code, relative to the configuration file's folder, with `/`.
    pub paths: Vec<String>,
    /// The names under which others reach it.
    pub hosts: Vec<String>,
    /// The ports on which it listens.
    pub ports: Vec<u16>,
    /// Its environment.
    pub env: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base: PathBuf::from("."),
            roots: vec![PathBuf::from(".")],
            tests: false,
            examples: false,
            generated: false,
            vendored: false,
            ignored: false,
            max_size: 2 * 1024 * 1024,
            kinds: Vec::new(),
            longest_default: Millis::from_millis(60_000),
            queries: Vec::new(),
            threads: 0,
            exclude: Vec::new(),
            deadline: None,
            services: Vec::new(),
            config: None,
            unconfigured: false,
            home: None,
            included: Globs::default(),
            excluded: Globs::default(),
            accepted: ACCEPTED.to_vec(),
            severities: BTreeMap::new(),
            overrides: Vec::new(),
            clients: Vec::new(),
            wrappers: Vec::new(),
            limits: Vec::new(),
            gate: Gate::default(),
            written: BTreeMap::new(),
        }
    }
}
