//! The figures of an audit, or of a part of it.
//!
//! In: sites. Out: [`Figures`]. What counts as a place, a value or an override is CONTRACT's section 4; every report counts here.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::finding::{By, Limit, Site, Verdict};
use crate::limit::Millis;

/// The figures of an audit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// All sites.
    pub call_sites: usize,
    /// Covered sites.
    pub covered: usize,
    /// Sites of which a part is limited.
    pub partial: usize,
    /// Sites that nothing ends.
    pub uncovered: usize,
    /// Sites that could not be followed.
    pub unknown: usize,
    /// Covered of all, rounded to three places; 1 where there are none.
    pub coverage: f64,
    /// Distinct places where a limit that covers a site is written.
    pub places: usize,
    /// Distinct lengths of these limits, ascending.
    #[serde(rename = "values_ms")]
    pub values: Vec<Millis>,
    /// Calls of wrappers that pass their own value.
    pub overrides: usize,
}

/// Counts sites.
pub fn figures<'a>(sites: impl Iterator<Item = &'a Site> + Clone) -> Figures {
    let count = |verdict| sites.clone().filter(|site| site.verdict == verdict).count();
    let limits: Vec<&Limit> =
        sites.clone().filter(|site| site.verdict == Verdict::Covered).filter_map(|site| site.limit.as_ref()).collect();
    let places: BTreeSet<_> =
        limits.iter().filter_map(|limit| limit.at.as_ref()).map(|at| (&at.file, at.line, at.column)).collect();
    let values: BTreeSet<Millis> = limits.iter().filter_map(|limit| limit.wait).collect();
    let call_sites = sites.clone().count();
    let covered = count(Verdict::Covered);
    let coverage = if call_sites == 0 { 1.0 } else { (covered as f64 / call_sites as f64 * 1_000.0).round() / 1_000.0 };
    Figures {
        call_sites,
        covered,
        partial: count(Verdict::Partial),
        uncovered: count(Verdict::Uncovered),
        unknown: count(Verdict::Unknown),
        coverage,
        places: places.len(),
        values: values.into_iter().collect(),
        overrides: sites.filter(|site| site.wrapper.is_some() && site.by == Some(By::Own)).count(),
    }
}
