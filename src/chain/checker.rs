//! Chains for the checker, with the place of each value that a person would change.
//!
//! In: a [`Graph`] and the sites that it names. Out: [`Chain`]s. What they can take is [`crate::budget`]'s question.

use std::sync::Arc;

use super::hops::per_try;
use crate::budget::{Bound, Chain, Curve, Hop, Place};
use crate::finding::graph::{self, Graph};
use crate::finding::{Limit, Site};

/// How many places one sentence names.
const MOST_PLACES: usize = 3;

/// The graph's chains as the checker takes them, named by the services on their way.
pub fn checked(graph: &Graph, sites: &[Site]) -> Vec<Chain> {
    let hops: Vec<Hop> = graph.hops.iter().map(|hop| checked_hop(hop, sites)).collect();
    let chain = |places: &Vec<usize>| {
        let hops: Vec<Hop> = places.iter().map(|place| hops[*place].clone()).collect();
        Chain { name: Some(graph.stops(places).join("/")), ..Chain::new(hops) }
    };
    graph.chains.iter().map(chain).collect()
}

fn checked_hop(hop: &graph::Hop, sites: &[Site]) -> Hop {
    let wait = hop.per_try.map_or(Bound::Unbounded, Bound::Finite);
    let backoff = hop.backoff.map(Curve::Fixed);
    let longest: Vec<&Site> =
        hop.calls.iter().map(|call| &sites[call.site]).filter(|site| per_try(site) == hop.per_try).collect();
    let most: Vec<&Site> =
        hop.calls.iter().map(|call| &sites[call.site]).filter(|site| site.retries == hop.retries && site.retries > 0).collect();
    Hop {
        backoff,
        per_try_at: place_of(&longest, limit_of),
        retries_at: place_of(&most, |site| ("the retries".to_owned(), at_site(site))),
        ..Hop::new(hop.caller.as_str(), hop.callee.as_str(), wait, hop.retries)
    }
}

/// One place for several sites: the setting of the first, and where it and the others stand.
fn place_of(sites: &[&Site], place: impl Fn(&Site) -> (String, String)) -> Option<Arc<Place>> {
    let mut settings = Vec::new();
    let mut places = Vec::new();
    for (setting, at) in sites.iter().map(|site| place(site)) {
        if !places.contains(&at) {
            settings.push(setting);
            places.push(at);
        }
    }
    let setting = settings.into_iter().next()?;
    let more = places.len().saturating_sub(MOST_PLACES);
    places.truncate(MOST_PLACES);
    let mut at = places.join(", ");
    if more > 0 {
        at.push_str(&format!(" and at {more} more"));
    }
    Some(Arc::new(Place { setting, at }))
}

/// What ends a site's wait, or would, and where that is written.
fn limit_of(site: &Site) -> (String, String) {
    let written = site.limit.as_ref().and_then(|limit| Some((limit, limit.at.as_ref()?)));
    match written.filter(|_| per_try(site).is_some() || site.verdict == crate::finding::Verdict::Covered) {
        Some((limit, at)) => (named(limit), format!("{}:{}", at.file, at.line)),
        None => (format!("a limit for `{}`", site.call), at_site(site)),
    }
}

fn named(limit: &Limit) -> String {
    limit.setting.as_ref().map_or_else(|| "the limit".to_owned(), |setting| format!("`{setting}`"))
}

fn at_site(site: &Site) -> String {
    format!("{}:{}", site.at.file, site.name_line)
}
