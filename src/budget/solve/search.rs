//! The search for the cheapest change that fits.
//!
//! In: a chain and what may change. Out: the changed chain with the fewest edits, then the fewest lost tries, then the most time at the bottom. From the top down, all
//! that matters of the hops above is how much time they leave: more is never worse. So for each pair of (edits, tries lost) only the choice that leaves the most is kept.

use std::collections::BTreeMap;

use super::waits;
use crate::budget::check::check;
use crate::budget::hop::{Chain, Hop, OnTimeout};
use crate::budget::time::{Bound, ceil_ms, floor_ms, less};
use crate::limit::Millis;

/// What may change, and what has to hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub timeouts: bool,
    pub retries: bool,
    /// Each hop's own timeout has to fit, not only what is left of it by the calls beneath.
    pub by_itself: bool,
    /// Set every timeout to the longest that fits.
    pub longest: bool,
}

/// One decision at one hop, and the decision above it.
struct Choice {
    above: Option<usize>,
    tries: u64,
    per_try: Option<Bound>,
}

/// How far the hops so far have come: what they leave, and their last decision.
#[derive(Clone, Copy)]
struct State {
    left: Bound,
    choice: Option<usize>,
}

type Cost = (u64, u64);

/// So many numbers of tries are all looked at; of more, only these, one, and all.
const MOST_TRIES: u64 = 64;

pub(super) fn search(chain: &Chain, rules: Rules) -> Option<Chain> {
    let mut choices: Vec<Choice> = Vec::new();
    let mut states: BTreeMap<Cost, State> = BTreeMap::new();
    states.insert((0, 0), State { left: chain.deadline(), choice: None });
    for at in 0..chain.hops.len() {
        let mut next: BTreeMap<Cost, State> = BTreeMap::new();
        for (&(edits, lost), state) in &states {
            for (tries, per_try, left) in options(chain, at, state.left, rules) {
                let all = chain.hops[at].tries();
                let cost = (edits + u64::from(tries != all) + u64::from(per_try.is_some()), lost + (all - tries));
                if next.get(&cost).is_none_or(|known| known.left < left) {
                    choices.push(Choice { above: state.choice, tries, per_try });
                    next.insert(cost, State { left, choice: Some(choices.len() - 1) });
                }
            }
        }
        states = undominated(next);
    }
    let (_, cheapest) = states.first_key_value()?;
    let mut found = chain.clone();
    let mut choice = cheapest.choice;
    for hop in found.hops.iter_mut().rev() {
        let Choice { above, tries, per_try } = &choices[choice?];
        hop.retries = u32::try_from(tries - 1).unwrap_or(hop.retries);
        hop.per_try = per_try.unwrap_or(hop.per_try);
        choice = *above;
    }
    let mut shorter = found.clone();
    no_longer_than_needed(chain, &mut shorter, rules);
    Some(if rules.longest || !check(&shorter).fits() { found } else { shorter })
}

fn undominated(states: BTreeMap<Cost, State>) -> BTreeMap<Cost, State> {
    let mut kept: BTreeMap<Cost, State> = BTreeMap::new();
    for (cost, state) in states {
        // Costs ascend, so whoever dominates stands before.
        if !kept.iter().any(|(other, known)| other.1 <= cost.1 && known.left >= state.left) {
            kept.insert(cost, state);
        }
    }
    kept
}

/// Every way to go on at this hop: the tries, a new per-try timeout if any, and the time left for the callee to answer in.
fn options(chain: &Chain, at: usize, left: Bound, rules: Rules) -> Vec<(u64, Option<Bound>, Bound)> {
    let hop = &chain.hops[at];
    let bottom = at + 1 == chain.hops.len();
    let all = hop.tries();
    let mut counts: Vec<u64> = if rules.retries { (1..=all.min(MOST_TRIES)).collect() } else { Vec::new() };
    if counts.last() != Some(&all) {
        counts.push(all);
    }
    let mut found = Vec::new();
    for tries in counts {
        let Some(most) = longest_try(chain, at, left, tries, bottom) else { continue };
        let own = hop.own_limit();
        let fits_by_itself = own <= most;
        if !rules.longest && (fits_by_itself || !(bottom || rules.by_itself)) {
            found.push((tries, None, own.min(most)));
        }
        let set = match most {
            Bound::Finite(most) => Bound::Finite(floor_ms(most)),
            Bound::Unbounded => Bound::Unbounded,
        };
        if rules.longest && set == hop.per_try {
            found.push((tries, None, set));
        } else if rules.timeouts && set != Bound::ZERO && set != hop.per_try && (set > own || !fits_by_itself) {
            found.push((tries, Some(set), set));
        }
    }
    found
}

/// The longest that one try may take when so many have to end in what is left.
fn longest_try(chain: &Chain, at: usize, left: Bound, tries: u64, bottom: bool) -> Option<Bound> {
    let hop = &chain.hops[at];
    let made = if bottom && hop.on_timeout == OnTimeout::GiveUp { 1 } else { tries };
    let waits = waits(chain, at, made);
    let share = |room: Bound, tries: u64| match room {
        _ if tries == 0 => Some(Bound::Unbounded),
        Bound::Unbounded => Some(Bound::Unbounded),
        Bound::Finite(room) if room < waits => None,
        Bound::Finite(room) => Some(Bound::micros(less(room, waits).as_micros() / tries)),
    };
    let room = left.minus(chain.reserve_of(hop)).min(hop.total);
    let mut most = share(room, made)?;
    if let (Some(useful), Bound::Finite(room)) = (hop.min_useful, left.minus(chain.reserve_of(hop))) {
        if useful > room {
            return None;
        }
        most = most.min(share(less(room, useful).into(), made - 1)?);
    }
    (most > Bound::ZERO).then_some(most)
}

/// Raised timeouts come down again to what the calls beneath need.
fn no_longer_than_needed(before: &Chain, found: &mut Chain, rules: Rules) {
    // What the callee takes to answer, and what it has to be granted.
    let (mut below, mut granted): (Option<Bound>, Option<Bound>) = (None, None);
    for at in (0..found.hops.len()).rev() {
        let raised = found.hops[at].per_try > before.hops[at].per_try;
        if let (true, Some(Bound::Finite(needed))) = (raised, granted) {
            let least = Bound::Finite(ceil_ms(needed)).max(before.hops[at].per_try);
            found.hops[at].per_try = found.hops[at].per_try.min(least);
        }
        let hop: &Hop = &found.hops[at];
        let own = hop.own_limit();
        let one = if rules.by_itself { own } else { below.unwrap_or(Bound::Unbounded).min(own) };
        let all = one.times(hop.tries()).plus(waits(found, at, hop.tries()).into()).min(hop.total);
        let reserve: Millis = found.reserve_of(hop);
        let last = one.times(hop.tries() - 1).plus(waits(found, at, hop.tries()).into());
        let useful = last.plus(hop.min_useful.unwrap_or_default().into());
        below = Some(all.plus(reserve.into()));
        granted = Some(all.max(useful).plus(reserve.into()));
    }
}
