//! `yarn.lock`, the classic form and that of later versions.
//!
//! In: its text. Out: the versions of each package, with the ranges that they are for.

use rustc_hash::FxHashMap;

/// Versions by package: pairs of a range and the version for it.
pub(super) fn ranges(text: &str) -> FxHashMap<String, Vec<(String, String)>> {
    let mut all: FxHashMap<String, Vec<(String, String)>> = FxHashMap::default();
    let mut head: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        if !line.starts_with(char::is_whitespace) {
            head = line.trim_end_matches(':').split(',').filter_map(|one| wanted(one.trim().trim_matches('"'))).collect();
        } else if let Some(version) = line.trim().strip_prefix("version") {
            let version = version.trim_start_matches(':').trim().trim_matches('"');
            for (package, range) in head.drain(..) {
                all.entry(package.to_owned()).or_default().push((range.to_owned(), version.to_owned()));
            }
        }
    }
    all
}

/// `axios` and `^1.2.0` of `axios@^1.2.0` or `axios@npm:^1.2.0`.
fn wanted(text: &str) -> Option<(&str, &str)> {
    let at = text.get(1..)?.find('@')? + 1;
    let range = text.get(at + 1..)?;
    if range.starts_with("workspace:") {
        return None;
    }
    Some((text.get(..at)?, range.strip_prefix("npm:").unwrap_or(range)))
}
