//! How long a chain can take while its bottom hangs, and which tries end within their caller's limit.
//!
//! In: a [`Chain`]. Out: a [`Verdict`] with one [`Call`] per hop. Closed form, exact, one pass up and one down. What it does not do: draw,
//! print, follow single requests (that is [`super::simulate`]), or change the chain (that is [`super::solve`]).
//!
//! With `own` the per-try timeout (or the total where shorter), `below` what the callee takes to answer, and `n` the tries of a hop:
//! `one = min(own, below)`, `worst = min(total, n·one + waits)`, and what the hop above sees is `worst + reserve`.

use super::advice;
use super::backoff::Dice;
use super::findings::{self, Finding};
use super::hop::{Chain, Hop, OnTimeout, Propagate};
use super::time::{Bound, Range, floor_ms, less};
use super::timeline::Timeline;
use crate::limit::Millis;

/// What is known about one hop while the bottom hangs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The hop as it was given.
    pub hop: Hop,
    /// What the caller keeps for after the hop.
    pub reserve: Millis,
    /// How long the callee takes to give an answer; unbounded at the bottom.
    pub below: Range,
    /// How long one try takes.
    pub one_try: Range,
    /// The first try and the retries.
    pub tries: u64,
    /// The tries that are made while the bottom hangs, at most: 1 where a timed-out try is not retried.
    pub hang_tries: u64,
    /// How long all tries together take.
    pub worst: Range,
    /// What all its tries need to have allowed, when neither a total nor a passed-on deadline ends them.
    pub needs: Bound,
    /// When the hop ends whatever happens, because its caller passed on how much time is left.
    pub told: Bound,
    /// What the caller's own caller grants: the per-try timeout (or total) of the hop above, or the deadline.
    pub granted: Bound,
    /// What is granted, without the reserve.
    pub allowed: Bound,
    /// How many tries end within what is allowed (and within the hop's own total), with the worst dice.
    pub fit: u64,
    /// The same with the kindest dice.
    pub fit_if_kind: u64,
    /// Whether some try that would be made cannot end in time.
    pub broken: bool,
    /// Whether that needs bad luck: with the kindest dice every try fits.
    pub broken_by_dice_only: bool,
    /// Whether its per-try timeout is at or above what is granted, so that it can never fire.
    pub inverted: bool,
    /// What is left of the allowed time after the worst case.
    pub slack: Option<Millis>,
    /// The longest per-try timeout with which every try fits, in whole milliseconds.
    pub max_per_try: Option<Millis>,
    /// What the configuration wants: the time for every configured try of every layer below to run.
    pub wanted: Bound,
    /// What to change, in plain words; best first.
    pub advice: Vec<String>,
}

impl Call {
    /// The time in which the tries of this hop have to end: what is allowed, or the hop's own total where that is shorter.
    pub fn room(&self) -> Bound {
        self.allowed.min(self.hop.total)
    }
}

/// What is known about a chain while its bottom hangs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The chain as it was checked.
    pub chain: Chain,
    /// How long the top's calls take: `worst[0]`.
    pub worst: Range,
    /// When the caller of the top has its answer or leaves.
    pub seen: Bound,
    /// What the configuration wants.
    pub wanted: Bound,
    /// How long the top's calls take when the bottom fails at once: the waits alone.
    pub fast_failure: Bound,
    /// Calls that reach the bottom when it fails fast: the product of everyone's tries.
    pub amplification: u64,
    /// Whether the numbers are exact; otherwise (`min_useful` meets a deadline passed on from above) they are upper bounds.
    pub exact: bool,
    /// Whether the top's calls end inside the deadline (less the top's reserve).
    pub fits_deadline: bool,
    /// One per hop, top first.
    pub calls: Vec<Call>,
    /// What is odd about the chain, by name.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// Whether the chain ends inside the deadline and every try that is made can end in time.
    pub fn fits(&self) -> bool {
        self.fits_deadline && self.calls.iter().all(|call| !call.broken)
    }

    /// Whether it does not fit, but would with the kindest dice.
    pub fn fits_with_kind_dice(&self) -> bool {
        let top = self.calls.first();
        !self.fits()
            && self.calls.iter().all(|call| !call.broken || call.broken_by_dice_only)
            && top.is_none_or(|top| self.worst.low <= top.allowed)
    }

    /// The first call, from the top, that does not fit.
    pub fn first_broken(&self) -> Option<usize> {
        self.calls.iter().position(|call| call.broken)
    }
}

/// Checks a chain: how long can it take, and which tries can never finish?
pub fn check(chain: &Chain) -> Verdict {
    let calls = measure(chain);
    let product = |sum: u64, call: &Call| sum.saturating_mul(call.tries);
    let top = calls.first();
    let worst = top.map_or(Range::exactly(Bound::ZERO), |top| top.worst);
    let fits_deadline = top.is_none_or(|top| worst.high <= top.allowed);
    let seen = top.map_or(Bound::ZERO, |top| worst.high.plus(top.reserve.into())).min(chain.deadline());
    let mut verdict = Verdict {
        worst,
        seen,
        wanted: top.map_or(Bound::ZERO, |top| top.wanted),
        fast_failure: fast_failure(chain),
        amplification: calls.iter().fold(1, product),
        exact: !mixed(chain),
        fits_deadline,
        calls,
        findings: Vec::new(),
        chain: chain.clone(),
    };
    verdict.findings = findings::of(&verdict);
    let first = verdict.first_broken();
    let advice: Vec<_> = (0..verdict.calls.len()).map(|at| advice::of(&verdict, at, first)).collect();
    for (call, advice) in verdict.calls.iter_mut().zip(advice) {
        call.advice = advice;
    }
    verdict
}

/// The numbers alone, without findings and advice.
pub(crate) fn measure(chain: &Chain) -> Vec<Call> {
    let mut below = Range::exactly(Bound::Unbounded);
    let mut wanted_below = None;
    let uncertain = mixed(chain);
    let mut calls: Vec<Call> = Vec::with_capacity(chain.hops.len());
    for ((at, hop), known) in chain.hops.iter().enumerate().zip(known(chain)).rev() {
        let granted = match at.checked_sub(1) {
            Some(above) => chain.hops[above].own_limit().min(known),
            None => chain.deadline(),
        };
        let mut call = measure_hop(chain, hop, granted, below, wanted_below);
        below = call.worst.map(|worst| worst.plus(call.reserve.into()));
        if uncertain {
            below.low = Bound::ZERO;
        }
        wanted_below = Some(call.wanted.plus(call.reserve.into()));
        if hop.propagate == Propagate::Deadline && !known.is_unbounded() {
            call.told = call.allowed;
            call.worst = call.worst.map(|worst| worst.min(call.told));
        }
        calls.push(call);
    }
    calls.reverse();
    calls
}

fn measure_hop(chain: &Chain, hop: &Hop, granted: Bound, below: Range, wanted_below: Option<Bound>) -> Call {
    let (own, tries, backoff, reserve) = (hop.own_limit(), hop.tries(), chain.backoff_of(hop), chain.reserve_of(hop));
    let allowed = granted.minus(reserve);
    let one_try = below.map(|below| below.min(own));
    let worst_line = Timeline { one: one_try.high, backoff, dice: Dice::Worst };
    let kind_line = Timeline { one: one_try.low, backoff, dice: Dice::Kind };
    // A try is timed out when the callee has not answered by the hop's own limit; an answer at that very moment is too late.
    let gives_up = hop.on_timeout == OnTimeout::GiveUp;
    let most = if gives_up && own <= below.low { 1 } else { tries };
    let fewest = if gives_up && own <= below.high { 1 } else { tries };
    let worst = Range {
        low: kindest(hop, allowed, &kind_line, &worst_line, fewest),
        high: longest(hop, allowed, &kind_line, &worst_line, most),
    };
    let room = allowed.min(hop.total);
    let gate = Gate::of(hop, allowed);
    let fit = worst_line.ended_by(room, most).min(gate.begun(&worst_line, most));
    let fit_if_kind = kind_line.ended_by(room, fewest).min(gate.begun(&kind_line, fewest));
    let wanted = wanted_below.unwrap_or(hop.per_try).times(tries).plus(backoff.sum(tries - 1, Dice::Worst).into());
    Call {
        reserve,
        below,
        one_try,
        tries,
        hang_tries: most,
        worst,
        needs: worst_line.end(most).max(worst_line.start(most).plus(hop.min_useful.unwrap_or_default().into())),
        told: Bound::Unbounded,
        granted,
        allowed,
        fit,
        fit_if_kind,
        broken: fit < most,
        broken_by_dice_only: fit < most && fit_if_kind >= fewest,
        inverted: hop.per_try >= granted && !hop.per_try.is_unbounded(),
        slack: allowed.finite().zip(worst.high.finite()).filter(|(allowed, worst)| worst <= allowed).map(|(a, w)| less(a, w)),
        max_per_try: longest_per_try(hop, allowed, backoff.sum(most - 1, Dice::Worst), most),
        wanted,
        advice: Vec::new(),
        hop: hop.clone(),
    }
}

/// Which tries `min_useful` lets begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// All of them.
    Open,
    /// Those that begin at this moment or before.
    Until(Bound),
    /// None: not even the first has enough time to be useful.
    Shut,
}

impl Gate {
    pub fn of(hop: &Hop, allowed: Bound) -> Self {
        match (hop.min_useful, allowed) {
            (None, _) | (_, Bound::Unbounded) => Self::Open,
            (Some(useful), Bound::Finite(time)) if useful <= time => Self::Until(Bound::Finite(less(time, useful))),
            _ => Self::Shut,
        }
    }

    /// How many of `tries` begin.
    pub fn begun(self, line: &Timeline, tries: u64) -> u64 {
        match self {
            Self::Open => tries,
            Self::Until(stop) => line.begun_by(stop, tries),
            Self::Shut => 0,
        }
    }
}

/// Whether a try may be refused because of time that was passed on: then no two tries need be alike, and what is computed here is an upper bound.
pub(crate) fn mixed(chain: &Chain) -> bool {
    chain.hops.windows(2).any(|pair| {
        let passes = pair.iter().all(|hop| hop.propagate == Propagate::Deadline);
        passes && pair[1].min_useful.is_some()
    })
}

/// How long the hop takes at most. Where tries are refused, a longer wait can mean one try fewer: the last try that may still begin counts,
/// as late as it may.
fn longest(hop: &Hop, allowed: Bound, kind: &Timeline, worst: &Timeline, tries: u64) -> Bound {
    let end = match Gate::of(hop, allowed) {
        Gate::Open => worst.end(tries),
        Gate::Until(stop) => worst.start(kind.begun_by(stop, tries).max(1)).min(stop).plus(worst.one),
        Gate::Shut => Bound::ZERO,
    };
    end.min(hop.total)
}

fn kindest(hop: &Hop, allowed: Bound, kind: &Timeline, worst: &Timeline, tries: u64) -> Bound {
    kind.end(Gate::of(hop, allowed).begun(worst, tries)).min(hop.total)
}

fn longest_per_try(hop: &Hop, allowed: Bound, waits: Millis, tries: u64) -> Option<Millis> {
    let fair = |room: Bound, tries: u64| match (room, tries) {
        (_, 0) | (Bound::Unbounded, _) => Bound::Unbounded,
        (Bound::Finite(room), tries) => Bound::micros(less(room, waits).as_micros() / tries),
    };
    let whole = fair(allowed.min(hop.total), tries);
    let most = match Gate::of(hop, allowed) {
        Gate::Open => whole,
        Gate::Until(stop) => whole.min(fair(stop, tries - 1)),
        Gate::Shut => return None,
    };
    most.finite().map(floor_ms).filter(|most| *most > Millis::ZERO)
}

/// How much time each hop was told is left when its service begins: unbounded where nobody tells it, or where it does not listen.
fn known(chain: &Chain) -> Vec<Bound> {
    let mut left = chain.deadline();
    let listen = |hop: &Hop| {
        let known = if hop.propagate == Propagate::Deadline { left } else { Bound::Unbounded };
        left = match hop.propagate {
            Propagate::Deadline => left.minus(chain.reserve_of(hop)).min(hop.own_limit()),
            Propagate::Nothing => Bound::Unbounded,
        };
        known
    };
    chain.hops.iter().map(listen).collect()
}

/// How long the top takes when every call fails at once, so that only the waits pass.
fn fast_failure(chain: &Chain) -> Bound {
    chain.hops.iter().rev().fold(Bound::ZERO, |below, hop| {
        let one = below.min(hop.own_limit());
        let line = Timeline { one, backoff: chain.backoff_of(hop), dice: Dice::Worst };
        line.end(hop.tries()).min(hop.total).plus(chain.reserve_of(hop).into())
    })
}
