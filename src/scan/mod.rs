//! The conductor: walk, read, link, judge. The only place that has threads and opens source files.
//!
//! In: [`Settings`]. Out: an [`Outcome`]. Each stage is one call; what it means stands in its own module.

mod clients;
mod comments;
mod compare;
mod explain;
mod export;
mod glance;
mod known;
mod languages;
mod tree;
mod words;

use std::path::{Path, PathBuf};

use crate::catalog::{Catalog, CatalogError, Strangers};
use crate::chain::NoService;
use crate::finding::{Outcome, Unreadable};
use crate::gate;
use crate::history::HistoryError;
use crate::judge::{self, Policy};
use crate::lang::javascript::QueryError;
use crate::link::{Files, Program};
use crate::settings::Settings;
use crate::walk::{self, WalkError};

pub use crate::chain::MOST_CHAINS;
pub use clients::clients;
pub use compare::{Audited, Compared, Trees, compare};
pub use explain::{Explained, explain};
pub use export::{Exported, export};
pub use known::{Known, KnownError, rule, say};
use languages::Languages;
use tree::Tree;

/// Why an audit could not run.
#[derive(Debug)]
pub enum ScanError {
    /// The walk could not begin.
    Walk(WalkError),
    /// A library file is refused.
    Catalog(CatalogError),
    /// A query file that comes along is refused.
    Query(QueryError),
    /// A folder or file with the user's libraries cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// Chains should begin with a service that is not there; the services that call something.
    NoService(String, Vec<String>),
    /// Threads could not be started.
    Threads(String),
    /// An earlier tree cannot be read.
    History(HistoryError),
}

impl std::fmt::Display for ScanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Walk(error) => error.fmt(f),
            Self::Catalog(error) => error.fmt(f),
            Self::Query(error) => error.fmt(f),
            Self::Unreadable(path, error) => {
                let path = path.display();
                write!(f, "{path}: cannot be read: {error}; expected a folder of <language>/<library>.toml (--queries)")
            }
            Self::History(error) => error.fmt(f),
            Self::NoService(name, names) => NoService { name: name.clone(), names: names.clone() }.fmt(f),
            Self::Threads(why) => write!(f, "threads could not be started: {why}"),
        }
    }
}

impl std::error::Error for ScanError {}

/// The catalog with the user's own libraries.
///
/// # Errors
///
/// A library file that is refused, or a folder that cannot be read.
pub fn catalog(settings: &Settings) -> Result<Catalog, ScanError> {
    let mut catalog = Catalog::built_in().map_err(ScanError::Catalog)?;
    for folder in &settings.queries {
        add_folder(&mut catalog, folder)?;
    }
    for client in &settings.clients {
        catalog.add_client(client.family, &client.file, &client.text).map_err(ScanError::Catalog)?;
    }
    catalog.check().map_err(ScanError::Catalog)?;
    Ok(catalog)
}

/// Adds `FOLDER/<language>/*.toml`.
fn add_folder(catalog: &mut Catalog, folder: &Path) -> Result<(), ScanError> {
    let unreadable = |path: &Path| {
        let path = path.to_path_buf();
        move |error| ScanError::Unreadable(path, error)
    };
    let mut files = Vec::new();
    for language in std::fs::read_dir(folder).map_err(unreadable(folder))? {
        let language = language.map_err(unreadable(folder))?.path();
        if !language.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&language).map_err(unreadable(&language))? {
            let file = file.map_err(unreadable(&language))?.path();
            if file.extension().is_some_and(|ending| ending == "toml") {
                files.push((language.file_name().unwrap_or_default().to_string_lossy().into_owned(), file));
            }
        }
    }
    files.sort();
    for (language, file) in files {
        let shown = file.display().to_string();
        let family = crate::catalog::family_of(&language, &shown).map_err(ScanError::Catalog)?;
        let text = std::fs::read_to_string(&file).map_err(unreadable(&file))?;
        catalog.add(family, &shown, &text).map_err(ScanError::Catalog)?;
    }
    Ok(())
}

/// A named path as reports print it: the beginning of the paths of the files below it.
pub fn shown(settings: &Settings, root: &Path) -> String {
    walk::shown_root(settings, root)
}

/// What the conductor begins to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Looking for files.
    Walk,
    /// Reading this many files once.
    Read(usize),
    /// Parsing, linking and judging what this many files with a trigger word lead to.
    Judge(usize),
}

/// Somebody who is told about the progress of an audit: a progress bar, or a clock.
pub trait Observer: Sync {
    /// A stage begins; the one before it is over.
    fn begins(&self, stage: Stage);
}

impl Observer for () {
    fn begins(&self, _: Stage) {}
}

/// Audits what the settings name.
///
/// # Errors
///
/// What keeps the audit from running at all; a file that cannot be read does not.
pub fn audit(settings: &Settings, catalog: &Catalog) -> Result<Outcome, ScanError> {
    audit_watched(settings, catalog, &())
}

/// Audits what the settings name, and tells an observer what is going on.
///
/// # Errors
///
/// As [`audit`].
pub fn audit_watched(settings: &Settings, catalog: &Catalog, observer: &dyn Observer) -> Result<Outcome, ScanError> {
    conduct(settings, catalog, observer, |_, _, outcome| outcome)
}

/// Goes through all stages; at the end `then` may ask the program more.
fn conduct<T: Send>(
    settings: &Settings,
    catalog: &Catalog,
    observer: &dyn Observer,
    then: impl FnOnce(&Tree<'_>, &Program<'_>, Outcome) -> T + Send,
) -> Result<T, ScanError> {
    let languages = Languages::new().map_err(ScanError::Query)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .stack_size(16 * 1024 * 1024)
        .build()
        .map_err(|error| ScanError::Threads(error.to_string()))?;
    pool.install(|| {
        observer.begins(Stage::Walk);
        let walked = walk::walk(settings, &languages, &export::Configured).map_err(ScanError::Walk)?;
        observer.begins(Stage::Read(walked.entries.len()));
        let tree = Tree::new(settings, &languages, catalog, walked.entries, walked.configs);
        let first = tree.triggered();
        observer.begins(Stage::Judge(first.len()));
        let program = Program::new(&tree, catalog);
        let policy = Policy::of(settings);
        let judged = judge::judge(&program, &policy, &first);
        let mut counts = walked.counts;
        let mut unreadable = walked.unreadable;
        let files = tree.count(&mut counts, &mut unreadable);
        let strangers = tree.strangers(catalog, &Strangers::built_in().map_err(ScanError::Catalog)?);
        unreadable.sort_by(|a: &Unreadable, b: &Unreadable| (&a.file, &a.reason).cmp(&(&b.file, &b.reason)));
        counts.unreadable = unreadable.len() as u32;
        let (mut findings, mut sites) = (judged.findings, judged.sites);
        if let Some(deadline) = settings.deadline {
            findings.extend(export::over_budget(&tree, settings, &mut sites, deadline)?);
        }
        let comments = comments::comments(&tree);
        let suppressing = gate::Suppressing {
            comments: &comments,
            today: today(),
            rooted: &|shown| tree.rooted(shown),
            complete: settings.kinds.is_empty(),
            deadline: settings.deadline.is_some(),
        };
        let suppressions = gate::suppress(&mut findings, &mut sites, &suppressing);
        gate::number(&mut findings);
        gate::weigh(&mut findings, settings, &|shown| tree.opened(shown));
        let outcome = Outcome {
            counts,
            files,
            sites,
            wrappers: judged.wrappers,
            findings,
            remedies: judged.remedies,
            unreadable,
            strangers,
            overrides: judged.overrides,
            suppressions,
        };
        Ok(then(&tree, &program, outcome))
    })
}

/// Today, as the clock of Greenwich says.
fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
