//! From an audit to chains: reads the configuration, asks who uses which file, and joins the sites into a graph.
//!
//! In: [`Settings`]. Out: an [`Exported`]. What belongs together is decided in [`crate::chain`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::languages::Languages;
use super::tree::Tree;
use super::{Observer, ScanError, conduct};
use crate::budget::Chain;
use crate::catalog::Catalog;
use crate::chain::{self, Code, NoService, Runnable, Sources};
use crate::conf::{self, dotenv};
use crate::config;
use crate::facts::deployment::{Deployment, Filed};
use crate::finding::graph::Graph;
use crate::finding::{Finding, Outcome, Site};
use crate::limit::Millis;
use crate::link::Files;
use crate::settings::Settings;
use crate::span::FileId;
use crate::walk::{self, full};

/// An audit, and who calls whom in it.
#[derive(Debug)]
pub struct Exported {
    /// The audit; its sites know whose they are and whom they call.
    pub outcome: Outcome,
    /// Services, hops and chains.
    pub graph: Graph,
    /// The chains, for the checker.
    pub chains: Vec<Chain>,
}

/// Audits what the settings name and joins the sites into chains: those that begin with the services in `from`, or with whoever is not called.
/// At most `most` chains are listed.
///
/// # Errors
///
/// As [`super::audit`]; and a service in `from` that is not there.
pub fn export(
    settings: &Settings,
    catalog: &Catalog,
    observer: &dyn Observer,
    from: &[String],
    most: usize,
) -> Result<Exported, ScanError> {
    conduct(settings, catalog, observer, |tree, _, mut outcome| {
        let graph = join(tree, settings, &mut outcome.sites, from, most)?;
        let chains = chain::checked(&graph, &outcome.sites);
        Ok(Exported { outcome, graph, chains })
    })?
}

/// Joins sites into chains, and tells each site whose it is and whom it calls.
fn join(tree: &Tree<'_>, settings: &Settings, sites: &mut [Site], from: &[String], most: usize) -> Result<Graph, ScanError> {
    let deployments = deployments(tree.configs());
    let home = settings.home.as_ref().unwrap_or(&settings.base);
    let base = Filed { path: full(home), shown: walk::shown_root(settings, home) };
    let code = Shown::new(tree);
    let programs = programs(tree, &deployments.manifests);
    let sources = Sources {
        deployments: &deployments.read,
        declared: &settings.services,
        declared_in: settings.config.as_deref().unwrap_or(config::NAME),
        base: &base,
        programs: &programs,
        code: &code,
    };
    chain::graph(sites, &sources, from, most).map_err(|NoService { name, names }| ScanError::NoService(name, names))
}

/// Tells each site whose it is and whom it calls.
pub(super) fn tell_services(tree: &Tree<'_>, settings: &Settings, sites: &mut [Site]) -> Result<(), ScanError> {
    join(tree, settings, sites, &[], 0).map(drop)
}

/// The tries that do not fit where the caller of each chain's top waits this long.
pub(super) fn over_budget(
    tree: &Tree<'_>,
    settings: &Settings,
    sites: &mut [Site],
    deadline: Millis,
) -> Result<Vec<Finding>, ScanError> {
    let graph = join(tree, settings, sites, &[], chain::MOST_CHAINS)?;
    Ok(chain::exceeded(&graph, sites, deadline))
}

/// What configuration says, and the manifests of packages.
struct Deployments {
    read: Vec<Deployment>,
    manifests: Vec<Filed>,
}

fn deployments(files: &[Filed]) -> Deployments {
    let named = |takes: &dyn Fn(&str) -> bool| files.iter().filter(|file| takes(&file.name())).cloned().collect::<Vec<_>>();
    let read = conf::all().map(|reader| reader.read(&named(&|name| reader.takes(name))));
    Deployments { read: read.into(), manifests: named(&is_manifest) }
}

fn is_manifest(name: &str) -> bool {
    Languages::MANIFESTS.contains(&name)
}

/// The files that say which services there are: manifests, and those of the readers of configuration.
pub(super) struct Configured;

impl walk::Configs for Configured {
    fn takes(&self, name: &str) -> bool {
        is_manifest(name) || conf::all().iter().any(|reader| reader.takes(name))
    }

    fn takes_around(&self, name: &str) -> bool {
        conf::all().iter().any(|reader| reader.takes_around(name))
    }
}

/// The packages that can be run, with the `.env` files beside their manifests.
fn programs(tree: &Tree<'_>, manifests: &[Filed]) -> Vec<Runnable> {
    let runnable = |manifest: &Filed| {
        let program = tree.program_of(&manifest.path)?;
        let folder = manifest.folder();
        let env = dotenv::beside(&folder);
        Some(Runnable { program, folder, manifest: manifest.shown.clone(), env })
    };
    manifests.iter().filter_map(runnable).collect()
}

/// The files of the tree by the paths that reports print.
struct Shown<'a> {
    tree: &'a Tree<'a>,
    files: FxHashMap<Arc<str>, FileId>,
}

impl<'a> Shown<'a> {
    fn new(tree: &'a Tree<'a>) -> Self {
        Self { tree, files: tree.counted().map(|file| (tree.shown(file), file)).collect() }
    }
}

impl Code for Shown<'_> {
    fn path(&self, file: &str) -> PathBuf {
        full(self.files.get(file).map_or(Path::new(file), |file| self.tree.path(*file)))
    }

    fn users(&self, file: &str) -> Vec<Arc<str>> {
        let users = self.files.get(file).map(|file| self.tree.users(*file)).unwrap_or_default();
        users.into_iter().map(|file| self.tree.shown(file)).collect()
    }

    fn package(&self, file: &str) -> Option<String> {
        let file = *self.files.get(file)?;
        self.tree.modules(file).package_of(self.tree.path(file))
    }
}
