//! From call sites to chains: which service a site belongs to, which service it calls, and the ways that calls take through them.
//!
//! In: the sites of an audit, and [`Sources`]: what configuration files say, what the user declares, what packages there are, and who imports
//! whom. Out: a [`Graph`], and [`budget::Chain`](crate::budget::Chain)s for the checker. It reads no files, computes no times, and guesses
//! nothing: what does not follow from what is written becomes `?` with the reason.

mod address;
mod callee;
mod checker;
mod exceeded;
mod hops;
mod owners;
mod paths;
mod services;

use std::path::PathBuf;
use std::sync::Arc;

use crate::facts::Program;
use crate::facts::deployment::{Deployment, Filed, Setting};
use crate::finding::Site;
use crate::finding::graph::{Graph, What};
use crate::settings::Service as Declared;

pub use checker::checked;
pub use exceeded::exceeded;

/// How many chains are listed at most.
pub const MOST_CHAINS: usize = 1_000;

/// What is known besides the sites.
pub struct Sources<'a> {
    /// What each reader of configuration found; earlier ones beat later ones.
    pub deployments: &'a [Deployment],
    /// What the user declares; it beats what is found.
    pub declared: &'a [Declared],
    /// The file that declares, as reports print it.
    pub declared_in: &'a str,
    /// The folder that declared paths are relative to.
    pub base: &'a Filed,
    /// Packages with an entry point of their own, with their environment.
    pub programs: &'a [Runnable],
    /// The code.
    pub code: &'a dyn Code,
}

/// A package that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runnable {
    /// The package.
    pub program: Program,
    /// Its folder.
    pub folder: Filed,
    /// Its manifest, as reports print it.
    pub manifest: String,
    /// What the `.env` file beside its manifest sets.
    pub env: Vec<(String, Setting)>,
}

/// What the scan knows about files of code. Files go by the paths that reports print.
pub trait Code {
    /// Where a file is, absolute.
    fn path(&self, file: &str) -> PathBuf;

    /// The files that use a file: those that import it, or name its package.
    fn users(&self, file: &str) -> Vec<Arc<str>>;

    /// The name of the package that a file belongs to.
    fn package(&self, file: &str) -> Option<String>;
}

/// Joins sites into a graph, and tells each site whose it is and whom it calls. `from` names the services that chains begin with; empty: all
/// that nobody calls. `most` chains are listed.
///
/// # Errors
///
/// A name in `from` that no service has, with the names that there are.
pub fn graph(sites: &mut [Site], sources: &Sources<'_>, from: &[String], most: usize) -> Result<Graph, NoService> {
    let mut known = services::Services::new(sources);
    let mut owners = owners::Owners::new(sources.code);
    let mut edges = hops::Edges::default();
    for (index, site) in sites.iter_mut().enumerate() {
        let callers = owners.of(&site.at.file, &mut known);
        let mut called: Vec<Option<String>> = Vec::new();
        for caller in &callers {
            for found in callee::callees(site, *caller, &mut known) {
                called.push((found.what == What::Service).then(|| found.name.clone()));
                edges.add(&known, *caller, found, index);
            }
        }
        site.caller_service = one(callers.iter().map(|caller| known.all[*caller].said().map(str::to_owned)));
        site.target.service = one(called.into_iter());
    }
    let (mut hops, leaves) = edges.hops(sites);
    hops.sort_by(|a, b| (&a.caller, &a.callee).cmp(&(&b.caller, &b.callee)));
    let unknown = from.iter().find(|name| !known.all.iter().any(|service| service.name == **name));
    if let Some(name) = unknown {
        let mut names: Vec<String> = hops.iter().map(|hop| hop.caller.clone()).collect();
        names.dedup();
        return Err(NoService { name: name.clone(), names });
    }
    let walked = paths::walk(&hops, from, most);
    let mut notes = known.notes;
    notes.extend(walked.notes);
    notes.sort();
    notes.dedup();
    let mut services = known.all.into_iter().map(services::Service::shown).chain(leaves).collect::<Vec<_>>();
    services.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Graph { services, hops, chains: walked.chains, circles: walked.circles, capped: walked.capped, notes })
}

/// The one name that all have.
fn one(mut names: impl Iterator<Item = Option<String>>) -> Option<String> {
    let first = names.next()??;
    names.all(|name| name.as_ref() == Some(&first)).then_some(first)
}

/// A service that is asked for and is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoService {
    /// The name.
    pub name: String,
    /// The services that call something.
    pub names: Vec<String>,
}

impl std::fmt::Display for NoService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--from {}: there is no such service; ", self.name)?;
        match self.names.as_slice() {
            [] => f.write_str("no service calls another one"),
            names => write!(f, "expected one of {}", names.join(", ")),
        }
    }
}
