//! Floors under the coverage.
//!
//! In: sites, floors, and where files and services are. Out: what was reached. A call that a comment suppresses does not count.

use std::path::{Path, PathBuf};

use crate::finding::{Reached, Site, Verdict};
use crate::settings::{Floor, Settings, full};

/// What was reached under each floor. `opened` gives a shown path's real one.
pub(super) fn reached(sites: &[Site], settings: &Settings, opened: &dyn Fn(&str) -> Option<PathBuf>) -> Vec<Reached> {
    settings.gate.floors.iter().map(|floor| one(sites, floor, settings, opened)).collect()
}

fn one(sites: &[Site], floor: &Floor, settings: &Settings, opened: &dyn Fn(&str) -> Option<PathBuf>) -> Reached {
    let mut reached = Reached {
        part: part(floor),
        written: floor.written.clone(),
        min_coverage: floor.min_coverage,
        max_uncovered: floor.max_uncovered,
        ..Reached::default()
    };
    for site in sites.iter().filter(|site| site.suppressed.is_none() && concerns(floor, site, settings, opened)) {
        reached.calls += 1;
        match site.verdict {
            Verdict::Covered => reached.covered += 1,
            Verdict::Uncovered => reached.uncovered += 1,
            Verdict::Partial | Verdict::Unknown => reached.uncovered += usize::from(settings.gate.strict),
        }
    }
    reached
}

fn concerns(floor: &Floor, site: &Site, settings: &Settings, opened: &dyn Fn(&str) -> Option<PathBuf>) -> bool {
    if !floor.kinds.is_empty() && !floor.kinds.contains(&site.kind) {
        return false;
    }
    if floor.paths.is_empty() && floor.services.is_empty() {
        return true;
    }
    let path = opened(&site.at.file).map(|path| full(&path));
    let Some(path) = path else { return false };
    (floor.paths.is_empty() || floor.paths.fit(&path))
        && (floor.services.is_empty() || floor.services.iter().any(|name| belongs(name, site, &path, settings)))
}

/// Whether a site stands in a service's code.
fn belongs(name: &str, site: &Site, path: &Path, settings: &Settings) -> bool {
    let home = settings.home.clone().unwrap_or_default();
    let service = settings.services.iter().find(|service| service.name == name);
    site.caller_service.as_deref() == Some(name)
        || service.is_some_and(|service| service.paths.iter().any(|folder| path.starts_with(home.join(folder))))
}

/// The part in words.
fn part(floor: &Floor) -> String {
    let kinds: Vec<&str> = floor.kinds.iter().map(|kind| kind.word()).collect();
    let parts = [("kind", kinds.join(", ")), ("paths", floor.paths.texts().join(", ")), ("service", floor.services.join(", "))];
    let parts = parts.iter().filter(|(_, what)| !what.is_empty()).map(|(word, what)| format!("{word} {what}"));
    parts.collect::<Vec<_>>().join("; ")
}
