//! The tries that cannot end inside what the caller waits, as findings.
//!
//! In: a [`Graph`] with its chains as the checker takes them, the sites that it names, and how long the top's caller waits. Out:
//! [`Finding`]s without numbers. What a chain can take is [`crate::budget`]'s answer; whether a finding is new is the gate's.

use std::collections::BTreeMap;

use super::checked;
use crate::budget::{self, Bound, Call};
use crate::finding::graph::{Graph, Hop};
use crate::finding::{Evidence, Finding, Identity, Region, Rule, Site};
use crate::limit::Millis;

/// One finding for each hop whose tries do not fit in some chain, at its call that takes longest; of several chains the first one says why.
pub fn exceeded(graph: &Graph, sites: &[Site], deadline: Millis) -> Vec<Finding> {
    let mut found: BTreeMap<usize, Finding> = BTreeMap::new();
    for (chain, places) in checked(graph, sites).into_iter().zip(&graph.chains) {
        let name = chain.name.clone().unwrap_or_default();
        let verdict = budget::check(&chain.with_deadline(Bound::Finite(deadline)));
        for (at, (call, place)) in verdict.calls.iter().zip(places).enumerate().filter(|(_, (call, _))| call.broken) {
            let above = at.checked_sub(1).and_then(|above| graph.hops.get(*places.get(above)?));
            let Some(site) = graph.hops.get(*place).and_then(|hop| longest(hop, sites)) else { continue };
            let evidence = above.and_then(|hop| granted(hop, call, sites)).into_iter().collect();
            found.entry(*place).or_insert_with(|| finding(call, site, &name, evidence));
        }
    }
    found.into_values().collect()
}

/// The call of a hop that takes longest.
fn longest<'s>(hop: &Hop, sites: &'s [Site]) -> Option<&'s Site> {
    hop.calls.first().and_then(|call| sites.get(call.site))
}

fn finding(call: &Call, site: &Site, chain: &str, evidence: Vec<Evidence>) -> Finding {
    let (caller, callee) = (call.hop.caller.to_string(), call.hop.callee.to_string());
    let (needs, room) = budget::words::compared(call.needs, call.room());
    let tries = if call.hang_tries == 1 { "its try" } else { "its tries" };
    let message = format!(
        "{caller} -> {callee} needs {needs} for {tries} and has {room}: {} of {} fit (chain {chain})",
        call.fit, call.hang_tries
    );
    Finding {
        rule: Rule::OverBudget,
        severity: Rule::OverBudget.weight(),
        site: site.id.clone(),
        at: site.at.clone(),
        message,
        fix: call.advice.first().cloned().unwrap_or_default(),
        evidence,
        fingerprint: String::new(),
        identity: Identity { path: site.identity.path.clone(), definition: caller, callee, ordinal: 0 },
        suppressed: None,
        standing: None,
    }
}

/// Where it stands how long the call above waits.
fn granted(above: &Hop, call: &Call, sites: &[Site]) -> Option<Evidence> {
    let site = longest(above, sites)?;
    let at: Region = site.limit.as_ref().and_then(|limit| limit.at.clone()).unwrap_or_else(|| site.at.clone());
    let text = format!("{} -> {} waits {}", above.caller, above.callee, budget::words::short(call.granted));
    Some(Evidence { at, text })
}
