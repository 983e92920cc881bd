//! What the user asked for, from the command line and from `untimed.toml`, merged.
//!
//! In: nothing; [`crate::cli`] and the configuration reader fill it in. Out: plain data.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::finding::SiteKind;
use crate::limit::Millis;

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
    /// The services that the user declares, sorted by name.
    pub services: Vec<Service>,
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
            services: Vec::new(),
        }
    }
}
