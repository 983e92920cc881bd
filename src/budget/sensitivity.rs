//! How much a timeout may grow before somebody loses a try.
//!
//! In: a chain. Out: one [`Leeway`] per hop, exact to the microsecond, found by halving with the closed form as the judge. It changes nothing.

use super::check::{Call, measure};
use super::hop::Chain;
use super::time::{Bound, less};
use crate::limit::Millis;

/// How much room one hop has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leeway {
    /// What is left of the allowed time after the hop's worst case; none where it does not fit or nothing is limited.
    pub slack: Option<Millis>,
    /// How much longer its per-try timeout may become; unbounded when that changes nothing for anybody, none when there is no timeout.
    pub may_grow: Option<Bound>,
    /// The hop that would lose a try first.
    pub loser: Option<usize>,
}

/// More hops are not measured: each takes many checks of the whole chain.
pub const MOST_HOPS_TO_MEASURE: usize = 300;

/// How much room each hop has. None for chains with more than [`MOST_HOPS_TO_MEASURE`] hops.
pub fn sensitivity(chain: &Chain) -> Option<Vec<Leeway>> {
    if chain.hops.len() > MOST_HOPS_TO_MEASURE {
        return None;
    }
    let now = measure(chain);
    Some(
        (0..chain.hops.len())
            .map(|at| {
                let (may_grow, loser) = growth(chain, &now, at);
                Leeway { slack: now[at].slack, may_grow, loser }
            })
            .collect(),
    )
}

fn growth(chain: &Chain, now: &[Call], at: usize) -> (Option<Bound>, Option<usize>) {
    let Bound::Finite(from) = chain.hops[at].per_try else { return (None, None) };
    let mut grown = chain.clone();
    let mut loser = |per_try: Bound| {
        grown.hops[at].per_try = per_try;
        measure(&grown).iter().zip(now).position(|(new, old)| new.fit < old.fit)
    };
    if loser(Bound::Unbounded).is_none() {
        return (Some(Bound::Unbounded), None);
    }
    // Holds at `low`, breaks at `high`.
    let (mut low, mut high) = (from.as_micros(), u64::MAX);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if loser(Bound::micros(middle)).is_some() {
            high = middle;
        } else {
            low = middle;
        }
    }
    let first = loser(Bound::micros(high));
    (Some(Bound::Finite(less(Millis::from_micros(low), from))), first.or(Some(at)))
}
