//! What configuration files say about services: which there are, where their code is, how others reach them, what is in their
//! environment.
//!
//! In: nothing; a reader of [`crate::conf`] fills these in. Out: [`Deployment`]. Values that a file does not say itself (a variable
//! that nobody sets, a template) are kept as the reason why they are not known, never guessed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file or folder: where it is, and how reports print it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Filed {
    /// An absolute path without `.` and `..`.
    pub path: PathBuf,
    /// As reports print it, with `/`; `.` for the folder that paths are shown relative to.
    pub shown: String,
}

impl Filed {
    /// The file or folder that a relative path leads to from this folder; an absolute path is taken as it is.
    #[must_use]
    pub fn join(&self, relative: &str) -> Self {
        if Path::new(relative).is_absolute() {
            return Self { path: PathBuf::from(relative), shown: relative.to_owned() };
        }
        let mut path = self.path.clone();
        let mut shown: Vec<&str> = self.shown.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let is_rooted = self.shown.starts_with('/');
        for part in relative.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." => {
                    path.pop();
                    match shown.last() {
                        None | Some(&"..") if !is_rooted => shown.push(".."),
                        _ => drop(shown.pop()),
                    }
                }
                name => {
                    path.push(name);
                    shown.push(name);
                }
            }
        }
        let joined = shown.join("/");
        let shown = match (is_rooted, joined.is_empty()) {
            (true, _) => format!("/{joined}"),
            (false, true) => ".".to_owned(),
            (false, false) => joined,
        };
        Self { path, shown }
    }

    /// The folder around it.
    #[must_use]
    pub fn folder(&self) -> Self {
        self.join("..")
    }

    /// Its last name.
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// A line of a configuration file, as people read it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The file, as reports print it.
    pub file: Arc<str>,
    /// 1-based; 0 for the file as a whole.
    pub line: u32,
}

impl Spot {
    /// A line of a file.
    pub fn new(file: &str, line: u32) -> Self {
        Self { file: file.into(), line }
    }
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// Something that a reader could not read or had to decide; the rest was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// Where.
    pub at: Spot,
    /// What, as a sentence without a full stop.
    pub text: String,
}

/// The value of an environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The value, or why it is not known.
    pub value: Result<String, String>,
    /// Where it is set.
    pub at: Spot,
}

/// A service as one reader found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deployed {
    /// Its name.
    pub name: String,
    /// The reader's word: `compose`, `kubernetes`, `procfile`.
    pub reader: &'static str,
    /// Where it is written.
    pub at: Spot,
    /// The folder within which its name is unique, and host names mean what they mean.
    pub project: PathBuf,
    /// The folder that holds its code.
    pub code: Option<Filed>,
    /// The source file that it runs, as its command names it.
    pub entry: Option<String>,
    /// The image it runs.
    pub image: Option<String>,
    /// The names under which others reach it.
    pub hosts: Vec<String>,
    /// Names that it alone has for others.
    pub aliases: BTreeMap<String, String>,
    /// The ports on which it listens.
    pub ports: Vec<u16>,
    /// Ports of the machine that lead to it.
    pub published: Vec<u16>,
    /// Its environment.
    pub env: BTreeMap<String, Setting>,
}

impl Deployed {
    /// A service of which nothing but its name is known.
    pub fn new(name: &str, reader: &'static str, at: Spot, project: &Path) -> Self {
        Self {
            name: name.to_owned(),
            reader,
            at,
            project: project.to_path_buf(),
            code: None,
            entry: None,
            image: None,
            hosts: Vec::new(),
            aliases: BTreeMap::new(),
            ports: Vec::new(),
            published: Vec::new(),
            env: BTreeMap::new(),
        }
    }
}

/// What one reader says about all files that are its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deployment {
    /// The services, in the order in which they are written.
    pub services: Vec<Deployed>,
    /// Folders that images are built from, by the image's name without registry and tag.
    pub images: BTreeMap<String, Filed>,
    /// Variables that every one of its services has, unless it sets them itself.
    pub given: BTreeMap<String, Setting>,
    /// What could not be read, or had to be decided.
    pub notes: Vec<Note>,
}

/// The name of an image, without registry, tag and digest: `orders` of `ghcr.io/shop/orders:1.2`.
pub fn image_name(image: &str) -> &str {
    let last = image.rsplit('/').next().unwrap_or(image);
    last.split(['@', ':']).next().unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_shown() {
        let base = Filed { path: "/r/deploy".into(), shown: "deploy".to_owned() };
        for (relative, path, shown) in [
            ("../services/orders", "/r/services/orders", "services/orders"),
            (".", "/r/deploy", "deploy"),
            ("..", "/r", "."),
            ("../../else", "/else", "../else"),
            ("/abs/x", "/abs/x", "/abs/x"),
        ] {
            let joined = base.join(relative);
            assert_eq!((joined.path.to_str(), joined.shown.as_str()), (Some(path), shown), "{relative}");
        }
        let root = Filed { path: "/r".into(), shown: ".".to_owned() };
        assert_eq!(root.join("a/./b").shown, "a/b");
        assert_eq!(root.join("a").folder(), root);
    }
}
