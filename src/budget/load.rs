//! How much work one request makes at the bottom while the bottom hangs, with and without cancellation.
//!
//! In: a checked chain. Out: [`Load`]. Closed form: the calls of one hop fall into few groups that find the same time left, so a thousand hops with three
//! tries each are counted, not walked. Only the number of calls at once is taken from the simulation, where that is small enough.

use std::collections::BTreeMap;

use super::backoff::Dice;
use super::check::{Gate, Verdict, mixed};
use super::hop::Propagate;
use super::simulate::{Scenario, simulate};
use super::time::Bound;
use super::timeline::Timeline;

/// Work at the bottom for one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Calls that reach the bottom when a caller that leaves tells nobody.
    pub calls: u64,
    /// Calls that reach the bottom when leaving cancels everything beneath.
    pub calls_if_cancelled: u64,
    /// Most calls at the bottom at once without cancellation; none when there are too many tries to follow.
    pub most_at_once: Option<u64>,
    /// The same with cancellation.
    pub most_at_once_if_cancelled: Option<u64>,
    /// When the last work ends without cancellation.
    pub last_work: Bound,
    /// The same with cancellation.
    pub last_work_if_cancelled: Bound,
}

/// Chains with more hops are not counted: nobody has them, and each hop may add a group.
const MOST_HOPS: usize = 2_000;
/// More tries than this are not followed one by one.
const MOST_TRIES: u64 = 20_000;

/// The work of one request. None for absurdly long chains, and where `min_useful` meets a passed-on deadline below the top:
/// that depends on every single try, and the simulation tells it.
pub fn load(verdict: &Verdict) -> Option<Load> {
    let chain = &verdict.chain;
    if chain.hops.len() > MOST_HOPS || mixed(chain) {
        return None;
    }
    let free = count(verdict, false);
    let cancelled = count(verdict, true);
    let at_once = |counted: &Counted, cancel| {
        (counted.tries <= MOST_TRIES)
            .then(|| simulate(chain, &Scenario { cancel, ..Scenario::HANG }))
            .filter(|run| !run.stopped_early)
            .map(|run| run.most_in_flight)
    };
    Some(Load {
        calls: free.calls,
        calls_if_cancelled: cancelled.calls,
        most_at_once: at_once(&free, false),
        most_at_once_if_cancelled: at_once(&cancelled, true),
        last_work: free.last,
        last_work_if_cancelled: cancelled.last,
    })
}

struct Counted {
    calls: u64,
    tries: u64,
    last: Bound,
}

/// How long a handler lives (when leaving cancels) and what it was told, both counted from its beginning.
type Left = (Bound, Bound);

fn count(verdict: &Verdict, cancel: bool) -> Counted {
    let chain = &verdict.chain;
    // For each group of equal handlers: how many there are, and when the last of them begins.
    let mut groups: BTreeMap<Left, (u64, Bound)> = BTreeMap::new();
    let leaves = if cancel { chain.deadline() } else { Bound::Unbounded };
    groups.insert((leaves, chain.deadline()), (1, Bound::ZERO));
    let mut counted = Counted { calls: 1, tries: 0, last: Bound::ZERO };
    for (at, call) in verdict.calls.iter().enumerate() {
        let hop = &call.hop;
        let line = Timeline { one: call.one_try.high, backoff: chain.backoff_of(hop), dice: Dice::Worst };
        let passes = hop.propagate == Propagate::Deadline;
        let allowed = if at == 0 { chain.deadline().minus(call.reserve) } else { call.allowed };
        let begun = Gate::of(hop, allowed).begun(&line, call.hang_tries);
        let mut next: BTreeMap<Left, (u64, Bound)> = BTreeMap::new();
        counted.calls = 0;
        for (&(lives, known), &(handlers, latest)) in &groups {
            let told = if passes { known.minus(call.reserve) } else { Bound::Unbounded };
            let stop = hop.total.min(lives).min(told);
            let tries = line.begun_before(stop, begun);
            let whole = line.ended_by(stop, tries).min(tries);
            counted.calls = counted.calls.saturating_add(handlers.saturating_mul(tries));
            if tries > 0 {
                counted.last = counted.last.max(latest.plus(line.end(tries).min(stop)));
            }
            let mut add = |count: u64, last_try: u64, left: Left| {
                let entry = next.entry(left).or_insert((0, Bound::ZERO));
                entry.0 = entry.0.saturating_add(handlers.saturating_mul(count));
                entry.1 = entry.1.max(latest.plus(line.start(last_try)));
            };
            let own = hop.own_limit();
            let fresh = (if cancel { own } else { Bound::Unbounded }, if passes { own } else { Bound::Unbounded });
            if whole > 0 {
                add(whole, whole, fresh);
            }
            if tries > whole {
                let begins = line.start(tries).finite().unwrap_or_default();
                let rest = |applies: bool, stop: Bound| if applies { stop.minus(begins).min(own) } else { Bound::Unbounded };
                add(1, tries, (rest(cancel, stop), rest(passes, told.min(hop.total))));
            }
        }
        counted.tries = counted.tries.saturating_add(counted.calls);
        groups = next;
    }
    counted
}
