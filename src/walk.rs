//! Which files take part: a parallel walk that honours ignore files, sorted, with what was left out and why.
//!
//! In: [`Settings`], the languages' file endings, and the names of configuration files. Out: [`Walked`]. It reads no file but the first
//! bytes of those without an ending, and decides nothing about their content.

mod configs;

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use ignore::overrides::OverrideBuilder;
use ignore::{WalkBuilder, WalkState};

use crate::facts::deployment::Filed;
use crate::finding::{Counts, Unreadable};
use crate::settings::Settings;
pub use crate::settings::full;

pub use configs::Configs;

/// A file of a known language.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its path, as it is opened.
    pub path: PathBuf,
    /// Its path, as reports print it.
    pub shown: String,
    /// The ending of its name, or of the language that its `#!` line says, in lower case.
    pub extension: String,
}

/// What the walk found.
#[derive(Debug, Default)]
pub struct Walked {
    /// Sorted by the shown path.
    pub entries: Vec<Entry>,
    /// What was seen and left out.
    pub counts: Counts,
    /// Files and folders that could not be opened, sorted.
    pub unreadable: Vec<Unreadable>,
    /// The configuration files, sorted by the shown path.
    pub configs: Vec<Filed>,
}

/// Why the walk could not begin.
#[derive(Debug)]
pub enum WalkError {
    /// A named path is not there.
    Missing(PathBuf),
    /// A glob that is none.
    BadGlob(String, String),
}

impl std::fmt::Display for WalkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "{}: no such file or folder: expected a path to audit", path.display()),
            Self::BadGlob(glob, why) => write!(f, "--exclude `{glob}` is no glob: {why}"),
        }
    }
}

impl std::error::Error for WalkError {}

/// The languages that are read: the ending for a file's own ending, or for an interpreter.
pub trait Languages: Sync {
    /// Whether files with this ending are read.
    fn reads(&self, extension: &str) -> bool;
    /// The ending that stands for an interpreter.
    fn interpreter(&self, name: &str) -> Option<&'static str>;
}

/// Why a file is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Test,
    Example,
    Generated,
    Vendored,
}

/// Walks the named paths.
///
/// # Errors
///
/// A path that is not there, or a glob that is none.
pub fn walk(settings: &Settings, languages: &dyn Languages, configs: &dyn Configs) -> Result<Walked, WalkError> {
    if let Some(missing) = settings.roots.iter().find(|root| !root.exists()) {
        return Err(WalkError::Missing(missing.clone()));
    }
    let found = Mutex::new(Found::default());
    for root in inner_first(&settings.roots) {
        walk_root(settings, root, &found, &|entry| {
            visit_config(settings, configs, root, entry, &found);
            visit(settings, languages, root, entry, &found);
        })?;
    }
    let Found { mut walked, configs: mut named, .. } = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    configs::add_around(settings, configs, &mut named);
    walked.configs = configs::sorted(named);
    walked.entries.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
    walked.unreadable.sort_by(|a, b| a.file.cmp(&b.file));
    walked.unreadable.dedup();
    Ok(walked)
}

/// What was found so far, and where: a file that lies below two named paths counts once.
#[derive(Debug, Default)]
struct Found {
    walked: Walked,
    seen: HashSet<PathBuf>,
    configs: configs::Found,
}

/// Named paths before the folders around them: what is named is looked at even where its folder would leave it out.
fn inner_first(roots: &[PathBuf]) -> Vec<&Path> {
    let mut roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
    roots.sort_by_key(|root| std::cmp::Reverse(full(root).components().count()));
    roots
}

/// A walk of one root, without what is to be left out wholly.
fn builder(settings: &Settings, root: &Path) -> Result<WalkBuilder, WalkError> {
    let mut overrides = OverrideBuilder::new(root);
    for glob in &settings.exclude {
        overrides.add(&format!("!{glob}")).map_err(|why| WalkError::BadGlob(glob.clone(), why.to_string().replace("'!", "'")))?;
    }
    let overrides = overrides.build().map_err(|why| WalkError::BadGlob(settings.exclude.join(", "), why.to_string()))?;
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(!settings.ignored)
        .hidden(true)
        .require_git(false)
        .follow_links(true)
        .overrides(overrides)
        .add_custom_ignore_filename(".untimedignore")
        .threads(if settings.threads == 0 {
            std::thread::available_parallelism().map_or(1, usize::from)
        } else {
            settings.threads
        });
    let (vendored, excluded) = (settings.vendored, settings.excluded.clone());
    builder.filter_entry(move |entry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || (name != "node_modules" || vendored) && !excluded.fit(entry.path())
    });
    Ok(builder)
}

fn walk_root(
    settings: &Settings,
    root: &Path,
    found: &Mutex<Found>,
    visit: &(dyn Fn(&ignore::DirEntry) + Sync),
) -> Result<(), WalkError> {
    builder(settings, root)?.build_parallel().run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    visit(&entry);
                }
                Ok(_) => {}
                Err(error) => {
                    let file = path_of(&error).map_or_else(|| root.to_path_buf(), Path::to_path_buf);
                    let reason = reason_of(&error);
                    if let Ok(mut found) = found.lock() {
                        found.walked.counts.unreadable += 1;
                        found.walked.unreadable.push(Unreadable { file: show(settings, root, &file), reason });
                    }
                }
            }
            WalkState::Continue
        })
    });
    Ok(())
}

fn visit_config(settings: &Settings, configs: &dyn Configs, root: &Path, entry: &ignore::DirEntry, found: &Mutex<Found>) {
    if let Some((path, shown)) = configs::config(settings, configs, root, entry)
        && let Ok(mut found) = found.lock()
    {
        found.configs.entry(path).or_insert(shown);
    }
}

fn visit(settings: &Settings, languages: &dyn Languages, root: &Path, entry: &ignore::DirEntry, found: &Mutex<Found>) {
    let path = entry.path();
    let Some(extension) = language_of(path, languages) else { return };
    let named = entry.depth() == 0;
    if !named && !settings.included.is_empty() && !settings.included.fit(path) {
        return;
    }
    let left = if named { None } else { left_out(path.strip_prefix(root).unwrap_or(path), path) };
    let size = entry.metadata().map_or(0, |data| data.len());
    let Ok(mut found) = found.lock() else { return };
    if !found.seen.insert(full(path)) {
        return;
    }
    let found = &mut found.walked;
    found.counts.seen += 1;
    if !keeps(settings, left) {
        match left {
            Some(Left::Test) => found.counts.tests += 1,
            Some(Left::Example) => found.counts.examples += 1,
            Some(Left::Generated) => found.counts.generated += 1,
            Some(Left::Vendored) => found.counts.vendored += 1,
            None => {}
        }
        return;
    }
    if size > settings.max_size {
        found.counts.too_large += 1;
        return;
    }
    let shown = show(settings, root, path);
    found.entries.push(Entry { path: path.to_path_buf(), shown, extension });
}

/// Whether a file takes part that is left out for this reason unless the user asks for it.
fn keeps(settings: &Settings, left: Option<Left>) -> bool {
    match left {
        Some(Left::Test) => settings.tests,
        Some(Left::Example) => settings.examples,
        Some(Left::Generated) => settings.generated,
        Some(Left::Vendored) => settings.vendored,
        None => true,
    }
}

/// A named path as reports print it; empty where the paths of the files below it are relative to it.
pub fn shown_root(settings: &Settings, root: &Path) -> String {
    if !root.is_dir() {
        return show(settings, root, root);
    }
    let shown = show(settings, root, &root.join("?"));
    shown.trim_end_matches('?').trim_end_matches('/').to_owned()
}

/// The path as reports print it: relative to the base where it lies below; else to the named path, or, where there are several and
/// two files could go by one name, as it is named.
fn show(settings: &Settings, root: &Path, path: &Path) -> String {
    let base = settings.base.as_path();
    let clean = |path: &Path| {
        let parts: Vec<String> = path
            .components()
            .filter(|part| !matches!(part, Component::CurDir))
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        parts.join("/").replace("//", "/")
    };
    if path.is_relative() && base == Path::new(".") && !path.starts_with("..") {
        return clean(path);
    }
    match full(path).strip_prefix(full(base)) {
        Ok(below) => clean(below),
        Err(_) if settings.roots.len() > 1 => clean(path),
        Err(_) => match path.strip_prefix(root) {
            Ok(below) if below.as_os_str().is_empty() => {
                path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
            Ok(below) => clean(below),
            Err(_) => clean(path),
        },
    }
}

/// The ending that says the language of a file; `None` where it is of none that is read.
pub fn language_of(path: &Path, languages: &dyn Languages) -> Option<String> {
    if let Some(extension) = path.extension() {
        let extension = extension.to_string_lossy().to_ascii_lowercase();
        return languages.reads(&extension).then_some(extension);
    }
    let mut head = [0_u8; 128];
    let read = File::open(path).and_then(|mut file| file.read(&mut head)).ok()?;
    let line = std::str::from_utf8(head.get(..read)?).unwrap_or_default().lines().next()?.strip_prefix("#!")?.to_owned();
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut name = words.next()?;
    if name == "env" {
        name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    languages.interpreter(name).map(str::to_owned)
}

/// Why a file below a named path is left out, by its name and its folders.
fn left_out(below: &Path, path: &Path) -> Option<Left> {
    let folders: Vec<String> = below
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .map(|part| part.as_os_str().to_string_lossy().to_lowercase())
        .collect();
    for folder in &folders {
        let left = match folder.as_str() {
            "node_modules" | "vendor" | "vendored" | "third_party" | "third-party" | "bower_components" | "jspm_packages"
            | "site-packages" => Some(Left::Vendored),
            "test" | "tests" | "__tests__" | "__mocks__" | "__fixtures__" | "spec" | "specs" | "e2e" | "__e2e__" | "cypress"
            | "playwright" | "testdata" | "test-utils" | "testing" | "mocks" => Some(Left::Test),
            "examples" | "example" | "samples" | "demos" | "benches" | "benchmarks" => Some(Left::Example),
            "dist" | "target" | "coverage" | "generated" | "__generated__" | "storybook-static" => Some(Left::Generated),
            _ => None,
        };
        if left.is_some() {
            return left;
        }
    }
    if folders.iter().any(|folder| matches!(folder.as_str(), "build" | "out")) && beside_manifest(below, path) {
        return Some(Left::Generated);
    }
    let name = below.file_name()?.to_string_lossy().to_lowercase();
    let inner = |word: &str| name.contains(&format!(".{word}.")) || name.contains(&format!("-{word}."));
    // `orders.servertest.ts`
    let kinds = ["servertest", "clienttest", "unittest", "inttest", "apitest", "integrationtest"];
    if [".test.", ".spec.", ".stories.", ".cy.", ".e2e.", ".bench.", "_test.", "-test.", ".mock."]
        .iter()
        .any(|word| name.contains(word))
        || name.split('.').skip(1).any(|part| kinds.contains(&part))
        || name.starts_with("test_")
        || name.starts_with("jest.")
        || name.starts_with("vitest.")
        || name == "conftest.py"
    {
        return Some(Left::Test);
    }
    if inner("min")
        || inner("bundle")
        || inner("generated")
        || name.ends_with(".d.ts")
        || name.ends_with(".d.mts")
        || name.ends_with(".d.cts")
        || name.contains("_pb.")
        || name.contains(".pb.")
    {
        return Some(Left::Generated);
    }
    None
}

/// Whether the `build` or `out` folder on the way to a file lies beside a manifest: then it holds what is built.
fn beside_manifest(below: &Path, path: &Path) -> bool {
    let depth = below.components().count();
    path.ancestors().take(depth).any(|folder| {
        folder.file_name().is_some_and(|name| name == "build" || name == "out")
            && folder.parent().is_some_and(|parent| parent.join("package.json").exists() || parent.join("Cargo.toml").exists())
    })
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
}

fn reason_of(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } => reason_of(err),
        ignore::Error::Loop { ancestor, .. } => format!("a link that leads back to {}", ancestor.display()),
        ignore::Error::Io(error) => match error.kind() {
            std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            std::io::ErrorKind::NotFound => "a link that leads nowhere".to_owned(),
            _ => error.to_string(),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Js;

    impl Configs for Js {
        fn takes(&self, name: &str) -> bool {
            name == "x.yaml"
        }

        fn takes_around(&self, name: &str) -> bool {
            self.takes(name)
        }
    }

    impl Languages for Js {
        fn reads(&self, extension: &str) -> bool {
            extension == "js"
        }

        fn interpreter(&self, _: &str) -> Option<&'static str> {
            None
        }
    }

    fn shown(base: &Path, roots: &[&str]) -> (Vec<String>, u32) {
        let roots = roots.iter().map(|root| base.join(root)).collect();
        let settings = Settings { base: base.to_path_buf(), roots, ..Settings::default() };
        let walked = walk(&settings, &Js, &Js).unwrap();
        (walked.entries.into_iter().map(|entry| entry.shown).collect(), walked.counts.seen)
    }

    #[test]
    fn a_file_below_two_named_paths_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a/x.js", "a/test/y.js", "b/x.js"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let base = folder.path();
        assert_eq!(shown(base, &[".", "a", "./a/x.js"]), (vec!["a/x.js".into(), "b/x.js".into()], 3));
        assert_eq!(
            shown(base, &["a", "a/test/y.js"]),
            (vec!["a/test/y.js".into(), "a/x.js".into()], 2),
            "what is named takes part"
        );
        assert_eq!(shown(&base.join("a"), &["../b"]), (vec!["x.js".into()], 1));
        let (both, _) = shown(&base.join("a"), &[".", "../b"]);
        assert!(both.contains(&"x.js".into()) && both.iter().any(|path| path.ends_with("b/x.js")), "{both:?}");
    }
}
