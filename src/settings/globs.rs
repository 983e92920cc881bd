//! Patterns of paths, as `.gitignore` writes them, below one folder.
//!
//! In: patterns and the folder that they are relative to. Out: [`Globs`], which says whether a path fits. No file is opened.

use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::OverrideBuilder;

/// Patterns of paths below one folder.
#[derive(Debug, Clone)]
pub struct Globs {
    texts: Vec<String>,
    folder: PathBuf,
    matcher: Gitignore,
}

impl Default for Globs {
    fn default() -> Self {
        Self { texts: Vec::new(), folder: PathBuf::new(), matcher: Gitignore::empty() }
    }
}

impl Globs {
    /// Reads patterns.
    ///
    /// # Errors
    ///
    /// The place of the first pattern that is none, and why it is none.
    pub fn new(folder: &Path, texts: &[String]) -> Result<Self, (usize, String)> {
        let folder = full(folder);
        let mut builder = GitignoreBuilder::new(&folder);
        for (at, text) in texts.iter().enumerate() {
            // An ignore file may hold what is no pattern; a configuration may not.
            OverrideBuilder::new(&folder).add(text).map_err(|error| (at, error.to_string()))?;
            builder.add_line(None, text.trim_start_matches("./")).map_err(|error| (at, error.to_string()))?;
        }
        let matcher = builder.build().map_err(|error| (0, error.to_string()))?;
        Ok(Self { texts: texts.to_vec(), folder, matcher })
    }

    /// The patterns, as they were written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a file, or a folder around it, fits one of them. A path that does not lie below the folder fits none.
    pub fn fit(&self, path: &Path) -> bool {
        if self.is_empty() {
            return false;
        }
        let path = full(path);
        path.strip_prefix(&self.folder).is_ok_and(|below| self.matcher.matched_path_or_any_parents(below, false).is_ignore())
    }

    /// The same patterns below another folder.
    #[must_use]
    pub fn below(&self, folder: &Path) -> Self {
        // The matcher sees paths that are relative already.
        Self { folder: full(folder), ..self.clone() }
    }
}

/// An absolute path without `.` and `..`; links are not followed.
pub fn full(path: &Path) -> PathBuf {
    /// Where the command runs: asked for once.
    static HERE: LazyLock<PathBuf> = LazyLock::new(|| std::env::current_dir().unwrap_or_default());
    let absolute = HERE.join(path);
    let mut clean = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_what_lies_below() {
        let globs = Globs::new(Path::new("/r"), &["legacy".into(), "./src/*.gen.ts".into(), "*.old.js".into()]).unwrap();
        for path in ["/r/legacy/a/b.ts", "/r/src/x.gen.ts", "/r/a/b.old.js", "/r/a/../legacy/x.ts", "/r/a/legacy/x.ts"] {
            assert!(globs.fit(Path::new(path)), "{path}");
        }
        for path in ["/r/src/a/x.gen.ts", "/legacy/a.ts", "/r/src/x.ts", "/other/r/legacy/x"] {
            assert!(!globs.fit(Path::new(path)), "{path}");
        }
        assert!(globs.below(Path::new("/t")).fit(Path::new("/t/legacy/x.ts")));
        assert_eq!(Globs::new(Path::new("/r"), &["a".into(), "[".into()]).map(|_| ()).unwrap_err().0, 1);
    }
}
