//! What stood before, and what is gone.
//!
//! In: the findings of now, what is known, and which files there are. Out: the standing of each finding, and the known ones that are
//! gone. A file that goes by another name keeps its findings.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::{Baseline, known};
use crate::finding::{Finding, Identity, KnownFinding, Standing};

/// The files of this run.
pub struct Scope<'a> {
    /// Those that took part, from the repository's folder on.
    pub files: &'a BTreeSet<String>,
    /// Whether there is a file of that path, in this run or not.
    pub exists: &'a dyn Fn(&str) -> bool,
    /// Whether all findings are there; where some kinds of sites are left out, nobody can say what is gone.
    pub complete: bool,
    /// Whether chains are held to a deadline; where not, nobody can say what is gone of rules about them.
    pub deadline: bool,
}

/// Says of each finding whether it is known.
pub(super) fn stand(findings: &mut [Finding], all: &BTreeSet<KnownFinding>) {
    for finding in findings {
        finding.standing = Some(if all.contains(&known(finding)) { Standing::Known } else { Standing::New });
    }
}

/// Known findings under the names that files go by now.
pub(super) fn renamed(known: &BTreeSet<KnownFinding>, names: &BTreeMap<String, String>) -> BTreeSet<KnownFinding> {
    let under = |one: &KnownFinding| {
        let mut one = one.clone();
        if let Some(name) = names.get(&one.identity.path) {
            one.identity.path.clone_from(name);
        }
        one
    };
    known.iter().map(under).collect()
}

/// The known findings that are gone: their file took part and they are not found, or their file is not there any more.
pub(super) fn stale(baseline: &Baseline, findings: &[Finding], scope: &Scope<'_>) -> Vec<KnownFinding> {
    if !scope.complete {
        return Vec::new();
    }
    let now = Baseline::of(findings).known;
    let gone = |one: &&KnownFinding| {
        let path = &one.identity.path;
        let is_judged = scope.deadline || !one.rule.needs_deadline();
        is_judged && !now.contains(one) && (scope.files.contains(path) || !(scope.exists)(path))
    };
    baseline.known.iter().filter(gone).cloned().collect()
}

/// The files of a baseline that are gone, each with the file that has its findings now, where one has.
pub(super) fn moved(baseline: &Baseline, findings: &[Finding], scope: &Scope<'_>) -> BTreeMap<String, String> {
    let before = by_file(baseline.known.iter());
    let now = Baseline::of(findings).known;
    let now = by_file(now.iter());
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let mut names = BTreeMap::new();
    for (path, known) in before.iter().filter(|(path, _)| !scope.files.contains(**path) && !(scope.exists)(path)) {
        let fits = now.iter().filter(|(other, _)| !before.contains_key(*other) && !taken.contains(*other));
        let best = fits
            .map(|(other, found)| (known.intersection(found).count(), name(other) == name(path), *other, found.len()))
            .filter(|(both, same_name, _, found)| {
                let most = known.len().max(*found);
                both * 2 >= most && (*same_name || *both > 1 || known.iter().all(|(identity, _)| !identity.definition.is_empty()))
            })
            .max_by_key(|(both, same_name, other, _)| (*both, *same_name, std::cmp::Reverse(*other)));
        if let Some((_, _, other, _)) = best {
            taken.insert(other);
            names.insert((*path).to_owned(), other.to_owned());
        }
    }
    names
}

/// What is known in each file, without the file.
type Nameless = BTreeSet<(Identity, crate::finding::Rule)>;

fn by_file<'k>(known: impl Iterator<Item = &'k KnownFinding>) -> BTreeMap<&'k str, Nameless> {
    let mut files: BTreeMap<&str, Nameless> = BTreeMap::new();
    for one in known {
        let nameless = Identity { path: String::new(), ..one.identity.clone() };
        files.entry(&one.identity.path).or_default().insert((nameless, one.rule));
    }
    files
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
