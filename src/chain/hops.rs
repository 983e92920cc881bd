//! Sites become hops: one for each caller and callee, with the longest wait and the most tries of its sites.
//!
//! In: sites with their callers and callees. Out: [`Hop`]s, and what they lead to besides services.

use std::collections::BTreeMap;

use super::callee::Callee;
use super::services::Services;
use crate::finding::graph::{Crossing, Hop, Service, What};
use crate::finding::{Site, Verdict};
use crate::limit::Millis;

/// Calls between services.
#[derive(Debug, Default)]
pub(super) struct Edges {
    crossings: BTreeMap<(String, String), Vec<Crossing>>,
    leaves: BTreeMap<String, What>,
}

impl Edges {
    /// Adds a site's call.
    pub(super) fn add(&mut self, services: &Services, caller: usize, callee: Callee, site: usize) {
        if callee.what != What::Service {
            self.leaves.insert(callee.name.clone(), callee.what);
        }
        let hop = self.crossings.entry((services.all[caller].name.clone(), callee.name)).or_default();
        hop.push(Crossing { site, how: callee.how });
    }

    /// The hops, and the leaves that are no services.
    pub(super) fn hops(self, sites: &[Site]) -> (Vec<Hop>, Vec<Service>) {
        let leaf = |(name, what)| Service { name, what, code: vec![], hosts: vec![], ports: vec![], found: vec![] };
        let hops = self.crossings.into_iter().map(|((caller, callee), calls)| hop(caller, callee, calls, sites));
        (hops.collect(), self.leaves.into_iter().map(leaf).collect())
    }
}

fn hop(caller: String, callee: String, mut calls: Vec<Crossing>, sites: &[Site]) -> Hop {
    let wait = |call: &Crossing| per_try(&sites[call.site]).map_or(u64::MAX, Millis::as_micros);
    // The first of the longest comes first; the others stay in their order.
    let longest = (0..calls.len()).rev().max_by_key(|at| wait(&calls[*at])).unwrap_or_default();
    let first = calls.remove(longest);
    calls.insert(0, first);
    let retries = calls.iter().map(|call| sites[call.site].retries).max().unwrap_or_default();
    let most = calls.iter().filter(|call| sites[call.site].retries == retries && retries > 0);
    let backoff = most.filter_map(|call| sites[call.site].backoff).max();
    let per_try = calls.first().and_then(|call| per_try(&sites[call.site]));
    Hop { caller, callee, per_try, retries, backoff, calls }
}

/// How long one try of a site takes at most; `None` where nothing ends it, not all of it, or nobody knows when.
pub(super) fn per_try(site: &Site) -> Option<Millis> {
    site.limit.as_ref().filter(|_| site.verdict == Verdict::Covered)?.wait.filter(|wait| *wait > Millis::ZERO)
}
