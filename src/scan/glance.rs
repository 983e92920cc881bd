//! The first look at a file: one pass over its bytes, no parsing.
//!
//! In: a path. Out: a [`Glance`]: whether the file holds a trigger word, what it mentions, and whether it is generated. What the mentions
//! mean is found out later, for the few that matter.

use std::path::Path;

use aho_corasick::AhoCorasick;

use crate::lang::Frontend;

/// The stem of modules that go by a name of the package's own: `#http`, `@database`.
pub(super) const ALIAS: &str = "#";

/// What the first reading of a file says.
#[derive(Default)]
pub(super) struct Glance {
    pub triggered: bool,
    pub mentions: Vec<Box<str>>,
    /// All modules, as written.
    pub modules: Vec<Box<str>>,
    /// Those that are test code.
    pub tests: Vec<String>,
    /// Its words, as hashes, until they are put together with those of all files.
    pub words: Box<[u32]>,
    /// Whether it may hand on names of other files.
    pub passes_on: bool,
    /// Whether it may do so without naming them.
    pub passes_all: bool,
    /// Whether it is one value as a module, whose members may be declared elsewhere.
    pub is_whole: bool,
    /// Whether a comment may speak to the program.
    pub speaks: bool,
    pub reason: Option<String>,
    pub generated: bool,
}

impl Glance {
    /// Whether the file may export names that it does not hold.
    pub(super) fn hands_on(&self) -> bool {
        self.passes_all || self.is_whole
    }
}

/// Reads a file once: does it hold a trigger word, and what does it mention?
pub(super) fn glance(frontend: &dyn Frontend, triggers: Option<&AhoCorasick>, path: &Path, keep_generated: bool) -> Glance {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let reason = if error.kind() == std::io::ErrorKind::PermissionDenied {
                "permission denied".to_owned()
            } else {
                error.to_string()
            };
            return Glance { reason: Some(reason), ..Glance::default() };
        }
    };
    let mut seen = Glance { generated: !keep_generated && is_generated(&bytes), ..Glance::default() };
    if let Some(triggers) = triggers {
        seen.triggered = triggers.find_overlapping_iter(&bytes).any(|hit| whole_word(&bytes, hit.start(), hit.end()));
    }
    frontend.mentions(&bytes, &mut |mention| {
        add_stems(path, mention, &mut seen.mentions);
        seen.modules.push(mention.into());
    });
    seen.tests = frontend.test_modules(&bytes);
    seen.words = super::words::hashes(&bytes, frontend.heirs());
    seen.mentions.sort();
    seen.mentions.dedup();
    let has = |word: &str| memchr_find(&bytes, word.as_bytes());
    seen.speaks = has("untimed:");
    let uses: Vec<&[u8]> = public_uses(&bytes).collect();
    seen.passes_all = has("export *")
        || has("exportStar")
        || has("...require(")
        || has("module.exports = require(")
        || uses.iter().any(|path| path.contains(&b'*'));
    seen.is_whole = has("module.exports") || has("export =");
    seen.passes_on = seen.passes_all
        || takes_for_inner(&seen.modules) && uses_all(&bytes)
        || has("export {")
        || has("export{")
        || has("module.exports")
        || has("exports.")
        || !uses.is_empty();
    seen
}

/// The paths that `pub use` and `pub(…) use` name.
fn public_uses(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memmem::find_iter(bytes, b"pub").filter_map(|at| {
        let rest = &bytes[at + 3..];
        let rest = match rest.first()? {
            b'(' => &rest[memchr::memchr(b')', rest)? + 1..],
            _ => rest,
        };
        let path = rest.strip_prefix(b" use ")?;
        path.get(..memchr::memchr(b';', path)?)
    })
}

/// Whether a file declares modules, which see what it takes for itself (Rust `mod name;`).
fn takes_for_inner(modules: &[Box<str>]) -> bool {
    modules.iter().any(|module| module.strip_prefix("self::").is_some_and(|name| !name.contains("::")))
}

/// Whether a file takes everything of a module (Rust `use x::*`).
fn uses_all(bytes: &[u8]) -> bool {
    let uses = memchr::memmem::find_iter(bytes, b"use ").filter_map(|at| bytes.get(at..at + memchr::memchr(b';', &bytes[at..])?));
    let mut paths = uses.filter(|path| path.ends_with(b"*") || path.ends_with(b"*}"));
    paths.next().is_some()
}

/// The last parts of a module path, under which its file may be known.
pub(super) fn add_stems(path: &Path, mention: &str, stems: &mut Vec<Box<str>>) {
    if mention.contains("::") || path.extension().is_some_and(|ending| ending == "rs") {
        stems.extend(
            mention
                .split("::")
                .filter(|part| !matches!(*part, "" | "crate" | "self" | "super" | "std" | "core" | "alloc"))
                .map(Into::into),
        );
        return;
    }
    let plain = mention.trim_start_matches('#');
    let clean = plain.split(['?', '#']).next().unwrap_or(plain).trim_end_matches('/');
    let last = clean.rsplit('/').next().unwrap_or(clean);
    if matches!(last, "." | "..") {
        let up = clean.split('/').filter(|part| *part == "..").count();
        let folder = path.ancestors().nth(up + 1).and_then(Path::file_name);
        stems.extend(folder.map(|name| name.to_string_lossy().into_owned().into()));
        return;
    }
    // An alias of the package's own need not be named as the file is.
    if mention.starts_with('#') || clean.starts_with(['@', '~']) && !clean.contains('/') {
        stems.push(ALIAS.into());
    }
    let stem = last.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(last);
    stems.push(stem.into());
    if stem == "index" {
        stems.extend(clean.rsplit('/').nth(1).map(Into::into));
    }
}

/// Whether a hit that is made of letters stands alone; one that ends with `_` is the beginning of a name.
fn whole_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    let last = end.checked_sub(1).and_then(|at| bytes.get(at));
    let begins_a_name = last == Some(&b'_');
    let goes_on = is_word(bytes.get(start)) && is_word(before) || is_word(last) && !begins_a_name && is_word(bytes.get(end));
    !goes_on
}

fn memchr_find(bytes: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(bytes, word).is_some()
}

/// Whether a file says that it is generated, or is minified.
pub(super) fn is_generated(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(600)];
    if memchr_find(head, b"@generated") || memchr_find(head, b"DO NOT EDIT") {
        return true;
    }
    if bytes.len() < 20_000 {
        return false;
    }
    let lines = memchr::memchr_iter(b'\n', bytes).count() + 1;
    bytes.len() / lines > 400
}
