//! Where one change covers most.
//!
//! In: judged sites. Out: [`Remedy`]s, those that cover most first: the call inside a wrapper, the place where an instance is made,
//! a process-wide setting, else the call itself.

use std::collections::BTreeMap;

use super::Judge;
use super::call::Call;
use super::findings::Case;
use super::sites::Item;
use crate::finding::{Region, Remedy, Site, Verdict};
use crate::link::FunctionKey;
use crate::link::value::Layer;

/// Where a site's limit would best be written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub at: Region,
    pub what: String,
}

impl Judge<'_> {
    /// Where to write the limit of a site.
    pub(super) fn remedy(&self, item: &Item, call: &Call, through: &[FunctionKey], site: &Site) -> Option<Spot> {
        if matches!(site.verdict, Verdict::Covered) {
            return None;
        }
        if !through.is_empty() {
            let name = through.last().map(|key| self.function_name(*key)).unwrap_or_default();
            return Some(Spot { at: self.region_of(call.at), what: format!("limit the call inside `{name}`") });
        }
        let library = self.catalog().library(call.lib.library);
        let shared = |layer: &&Layer| library.object(layer.object).level == crate::catalog::schema::Level::Client;
        let made = self.making(&call.lib).filter(shared).or_else(|| self.ambient_for(call));
        if let Some(made) = made.filter(|_| library.can_be_covered_by_client()) {
            return Some(Spot { at: self.region_of(made.at), what: "limit the instance made here".to_owned() });
        }
        Some(Spot { at: self.region_of(item.at), what: "limit this call".to_owned() })
    }
}

/// Sums up where changes help most.
pub(super) fn remedies(cases: &[Case]) -> Vec<Remedy> {
    let mut spots: BTreeMap<&Spot, Vec<String>> = BTreeMap::new();
    for case in cases {
        if let Some(spot) = &case.remedy {
            spots.entry(spot).or_default().push(case.site.id.clone());
        }
    }
    let mut remedies: Vec<Remedy> =
        spots.into_iter().map(|(spot, sites)| Remedy { at: spot.at.clone(), text: spot.what.clone(), sites }).collect();
    remedies.sort_by(|a, b| b.sites.len().cmp(&a.sites.len()).then_with(|| (&a.at, &a.text).cmp(&(&b.at, &b.text))));
    remedies
}
