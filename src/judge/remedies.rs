//! Where one change covers most.
//!
//! In: judged sites. Out: [`Remedy`]s, those that cover most first: the call inside a wrapper, the place where an instance is made,
//! a process-wide setting, else the call itself.

use std::collections::BTreeMap;

use super::Judge;
use super::call::Call;
use super::findings::Case;
use super::fixes::Fix;
use super::sites::Item;
use crate::catalog::schema::Level;
use crate::catalog::{Catalog, Role};
use crate::finding::{Region, Remedy, Site, Verdict};
use crate::link::FunctionKey;
use crate::link::value::{Layer, LibValue, Rule};

/// Where a site's limit would best be written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub at: Region,
    pub what: String,
    /// What would limit it together with all others of its program: a process-wide setting of the library.
    pub together: Option<String>,
}

impl Judge<'_> {
    /// Where to write the limit of a site. With `off`, the call itself says that it has none: no other place can give it one.
    pub(super) fn remedy(
        &self,
        item: &Item,
        call: &Call,
        through: &[FunctionKey],
        site: &Site,
        off: bool,
        fix: &Fix,
    ) -> Option<Spot> {
        if matches!(site.verdict, Verdict::Covered) {
            return None;
        }
        let spot = |at, what: &str| Spot { at, what: what.to_owned(), together: None };
        if !through.is_empty() {
            let name = through.last().map(|key| self.function_name(*key)).unwrap_or_default();
            return Some(spot(self.region_of(call.at), &format!("limit the call inside `{name}`")));
        }
        if fix.at_call {
            return Some(spot(self.region_of(item.at), "limit this call"));
        }
        let library = self.catalog().library(call.lib.library);
        let shared = |layer: &&Layer| library.object(layer.object).level == Level::Client;
        if let Some((_, made)) = self.given_object(call) {
            return Some(spot(self.region_of(made.at), "limit the instance made here"));
        }
        let making = || self.making(&call.lib).map(|made| configured_at(self.catalog(), &call.lib, made)).filter(shared);
        let made = self.ambient_for(call).or_else(making);
        if let Some(made) = made.filter(|_| library.can_be_covered_by_client()) {
            return Some(spot(self.region_of(made.at), "limit the instance made here"));
        }
        let together = if off || made.is_some() { None } else { library.process_wide(call.lib.object) };
        Some(Spot { together, ..spot(self.region_of(item.at), "limit this call") })
    }
}

/// The call that made the configuration that a client is made of, where that can be seen: others take it too.
fn configured_at<'l>(catalog: &Catalog, lib: &'l LibValue, made: &'l Layer) -> &'l Layer {
    let makes = lib.layers.iter().rev().skip_while(|layer| layer.at != made.at);
    let mut found = made;
    for layer in makes.skip(1).filter(|layer| layer.library == made.library) {
        let goes_on = match found.rule {
            Rule::Make(rule) => {
                found.roles.get(&Role::Config).is_some() || catalog.library(found.library).makes[rule].table.keeps
            }
            _ => false,
        };
        if !goes_on || made.roles.get(&Role::Config).is_none() {
            break;
        }
        if matches!(layer.rule, Rule::Make(_)) {
            found = layer;
        }
    }
    found
}

/// Sums up where changes help most.
pub(super) fn remedies(cases: &[Case]) -> Vec<Remedy> {
    let mut spots: BTreeMap<&Spot, Vec<String>> = BTreeMap::new();
    let mut settings: BTreeMap<(&Option<String>, &str), Vec<&Case>> = BTreeMap::new();
    for case in cases {
        if let Some(setting) = case.remedy.as_ref().and_then(|spot| spot.together.as_deref()) {
            settings.entry((&case.package, setting)).or_default().push(case);
        }
    }
    settings.retain(|_, cases| cases.len() > 1);
    for case in cases {
        let Some(spot) = &case.remedy else { continue };
        if !spot.together.as_deref().is_some_and(|setting| settings.contains_key(&(&case.package, setting))) {
            spots.entry(spot).or_default().push(case.site.id.clone());
        }
    }
    let one = |spot: &Spot, sites| Remedy { at: spot.at.clone(), text: spot.what.clone(), sites };
    let mut remedies: Vec<Remedy> = spots.into_iter().map(|(spot, sites)| one(spot, sites)).collect();
    remedies.extend(settings.into_iter().filter_map(|((_, setting), cases)| {
        let sites = cases.iter().map(|case| case.site.id.clone()).collect();
        Some(Remedy {
            at: cases.first()?.site.at.clone(),
            text: format!("set {setting} once, before the first of these calls"),
            sites,
        })
    }));
    remedies.sort_by(|a, b| b.sites.len().cmp(&a.sites.len()).then_with(|| (&a.at, &a.text).cmp(&(&b.at, &b.text))));
    remedies
}
