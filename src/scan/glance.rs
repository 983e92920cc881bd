//! The first look at a file: one pass over its bytes, no parsing.
//!
//! In: a path. Out: a [`Glance`]: whether the file holds a trigger word, what it mentions, and whether it is generated. What the mentions
//! mean is found out later, for the few that matter.

use std::path::Path;

use aho_corasick::AhoCorasick;

use crate::lang::Frontend;

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
    pub passes_on: bool,
    /// Whether a comment may speak to the program.
    pub speaks: bool,
    pub reason: Option<String>,
    pub generated: bool,
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
    seen.words = super::words::hashes(&bytes);
    seen.mentions.sort();
    seen.mentions.dedup();
    let has = |word: &str| memchr_find(&bytes, word.as_bytes());
    seen.speaks = has("untimed:");
    seen.passes_on =
        has("export *") || has("export {") || has("export{") || has("module.exports") || has("exports.") || has("pub use");
    seen
}

/// The last parts of a module path, under which its file may be known.
fn add_stems(path: &Path, mention: &str, stems: &mut Vec<Box<str>>) {
    if mention.contains("::") || path.extension().is_some_and(|ending| ending == "rs") {
        stems.extend(
            mention
                .split("::")
                .filter(|part| !matches!(*part, "" | "crate" | "self" | "super" | "std" | "core" | "alloc"))
                .map(Into::into),
        );
        return;
    }
    let clean = mention.split(['?', '#']).next().unwrap_or(mention).trim_end_matches('/');
    let last = clean.rsplit('/').next().unwrap_or(clean);
    if matches!(last, "." | "..") {
        let up = clean.split('/').filter(|part| *part == "..").count();
        let folder = path.ancestors().nth(up + 1).and_then(Path::file_name);
        stems.extend(folder.map(|name| name.to_string_lossy().into_owned().into()));
        return;
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
