//! The annotated code under `fixtures/<language>/`, as cases that are audited on their own.
//!
//! A case is a file directly under `fixtures/<language>/<library>/`, or a folder there, which is audited as a whole.
//! `fixtures/javascript/lesson` is one case altogether.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use untimed::catalog::Catalog;
use untimed::finding::Outcome;
use untimed::settings::Settings;

/// Folders of `fixtures/` that hold no audited code.
const OTHERS: [&str; 2] = ["chain", "conf"];
/// Folders that are one case although they lie where a library's folder does.
const WHOLE: [&str; 1] = ["lesson"];
/// The endings of files that a frontend reads.
const READ: [&str; 12] = ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "astro", "rs"];

/// The repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// `javascript`, `rust`.
    pub language: String,
    /// The folder's name: a library, or `language`.
    pub library: String,
    /// The file or folder.
    pub path: PathBuf,
}

impl Case {
    /// Its path inside the repository.
    pub fn name(&self) -> String {
        shown(&self.path)
    }

    /// The files of it that a frontend reads, sorted.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        collect(&self.path, &mut files);
        files.sort();
        files
    }
}

/// A path inside the repository, with `/`.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// Whether a frontend reads a file.
pub fn is_read(path: &Path) -> bool {
    path.extension().is_some_and(|ending| READ.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        entries(path).iter().for_each(|entry| collect(entry, files));
    } else if is_read(path) {
        files.push(path.to_path_buf());
    }
}

/// What a folder holds, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = read.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

/// All cases, sorted. `UNTIMED_CASES=axios,language/wrapper` keeps those whose path holds one of the words.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for language in entries(&root().join("fixtures")) {
        let word = name_of(&language);
        if !language.is_dir() || OTHERS.contains(&word.as_str()) {
            continue;
        }
        for library in entries(&language).into_iter().filter(|path| path.is_dir()) {
            let of = |path: PathBuf| Case { language: word.clone(), library: name_of(&library), path };
            if WHOLE.contains(&name_of(&library).as_str()) {
                cases.push(of(library.clone()));
                continue;
            }
            cases.extend(entries(&library).into_iter().map(of).filter(|case| !case.files().is_empty()));
        }
    }
    if let Ok(words) = std::env::var("UNTIMED_CASES") {
        cases.retain(|case| words.split(',').any(|word| case.name().contains(word)));
    }
    cases
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Settings under which every file below a root takes part, whatever the folders on the way are called.
pub fn everything(base: &Path, roots: Vec<PathBuf>, threads: usize) -> Settings {
    Settings {
        base: base.to_path_buf(),
        roots,
        tests: true,
        examples: true,
        generated: true,
        vendored: true,
        ignored: true,
        threads,
        ..Settings::default()
    }
}

/// The catalog that comes along.
pub fn catalog() -> Catalog {
    untimed::scan::catalog(&Settings::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Audits a case.
pub fn audit(case: &Case, catalog: &Catalog, threads: usize) -> Outcome {
    let settings = everything(&root(), vec![case.path.clone()], threads);
    untimed::scan::audit(&settings, catalog).unwrap_or_else(|error| panic!("{}: {error}", case.name()))
}

/// What `f` makes of each case, in their order. Plain threads: an audit brings its own pool, and a pool that waits for another takes on
/// further work on top of its stack.
pub fn each<T: Send>(cases: &[Case], f: impl Fn(&Case) -> T + Sync) -> Vec<T> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let done = std::sync::Mutex::new(Vec::with_capacity(cases.len()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((at, case)) =
                    Some(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)).and_then(|at| Some((at, cases.get(at)?)))
                {
                    let made = f(case);
                    done.lock().unwrap().push((at, made));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, made)| made).collect()
}
