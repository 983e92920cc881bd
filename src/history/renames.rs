//! Which files go by another name now.
//!
//! In: files that are gone and files that are new, with their texts. Out: old path → new path. A file is the same one when most of its
//! lines are.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

/// The share of lines that two files must have in common.
const SHARE: f64 = 0.5;

/// More pairs than this are compared by name alone.
const MOST_PAIRS: usize = 40_000;

/// Pairs gone files with new ones: each with the one most like it.
pub fn renames(gone: &[(String, String)], new: &[(String, String)]) -> BTreeMap<String, String> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let few = gone.len().saturating_mul(new.len()) <= MOST_PAIRS;
    let counts: Vec<FxHashMap<&str, u32>> = new.iter().map(|(_, text)| lines(text)).collect();
    let mut pairs: Vec<(f64, &str, &str)> = Vec::new();
    for (old, text) in gone {
        let own = lines(text);
        for ((path, _), other) in new.iter().zip(&counts) {
            if few || name(old) == name(path) {
                pairs.push((share(&own, other), old, path));
            }
        }
    }
    pairs.retain(|(share, ..)| *share >= SHARE);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let mut found = BTreeMap::new();
    for (_, old, path) in pairs {
        if !found.contains_key(old) && taken.insert(path) {
            found.insert(old.to_owned(), path.to_owned());
        }
    }
    found
}

fn lines(text: &str) -> FxHashMap<&str, u32> {
    let mut counts = FxHashMap::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_insert(0) += 1;
    }
    counts
}

/// The lines that two files have in common, of those of the longer one.
#[allow(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
fn share(a: &FxHashMap<&str, u32>, b: &FxHashMap<&str, u32>) -> f64 {
    let all = |counts: &FxHashMap<&str, u32>| counts.values().sum::<u32>();
    let both: u32 = a.iter().map(|(line, count)| b.get(line).map_or(0, |other| *count.min(other))).sum();
    let longest = all(a).max(all(b));
    if longest == 0 { 0.0 } else { f64::from(both) / f64::from(longest) }
}

#[cfg(test)]
mod tests {
    use super::renames;

    #[test]
    fn a_renamed_file_is_known_by_its_lines() {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let gone = [file("a.ts", "one\ntwo\nthree\nfour"), file("b.ts", "x\ny\nz")];
        let new = [file("lib/c.ts", "one\n  two\nthree\nfive"), file("d.ts", "unlike\nanything")];
        let found = renames(&gone, &new);
        assert_eq!(found.get("a.ts").map(String::as_str), Some("lib/c.ts"));
        assert_eq!(found.len(), 1);
    }
}
