//! Ways to make a chain fit.
//!
//! In: a chain that does not fit. Out: [`Solved`]: a short list of changed chains, each checked again by the closed form and by the simulation, or why
//! nothing can fit and the smallest deadline that would. Changed are per-try timeouts (also raised) and retries (only lowered); totals, waits and reserves stay.
//!
//! The search is exact for the checker's own rule, as long as no hop above the bottom has `on_timeout=no` and none has `min_useful`; those are counted as if every
//! try were made and had to be useful, which is safe and may change more than needed.

mod diff;
mod search;

use super::backoff::Dice;
use super::check::{check, measure};
use super::hop::Chain;
use super::simulate::{Scenario, simulate};
use super::time::{Bound, ceil_ms, less};
use crate::limit::Millis;

pub use diff::diff;
use search::{Rules, search};

/// What a way out holds on to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// As few changed numbers as possible; among those, as few lost tries as possible.
    FewestEdits,
    /// No try is given up: only timeouts change, as few as possible.
    KeepEveryTry,
    /// No timeout changes: only retries go.
    KeepEveryTimeout,
    /// Every timeout fits its caller by itself, so that it holds whichever service hangs.
    WhereverItHangs,
    /// No try is given up, and every timeout is as long as it can be.
    Generous,
}

impl Way {
    /// What it is called in reports.
    pub const fn title(self) -> &'static str {
        match self {
            Self::FewestEdits => "fewest changes",
            Self::KeepEveryTry => "keep every try",
            Self::KeepEveryTimeout => "keep every timeout",
            Self::WhereverItHangs => "hold wherever it hangs",
            Self::Generous => "the longest timeouts with every try",
        }
    }

    const ALL: [Self; 5] = [Self::FewestEdits, Self::KeepEveryTry, Self::KeepEveryTimeout, Self::WhereverItHangs, Self::Generous];

    fn rules(self) -> Rules {
        let free = Rules { timeouts: true, retries: true, by_itself: false, longest: false };
        match self {
            Self::FewestEdits => free,
            Self::KeepEveryTry => Rules { retries: false, ..free },
            Self::KeepEveryTimeout => Rules { timeouts: false, ..free },
            Self::WhereverItHangs => Rules { by_itself: true, ..free },
            Self::Generous => Rules { retries: false, by_itself: true, longest: true, ..free },
        }
    }
}

/// One changed chain that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// What it holds on to; several where they lead to the same chain.
    pub ways: Vec<Way>,
    /// The chain.
    pub chain: Chain,
    /// How many numbers differ from the input.
    pub edits: u64,
    /// How many tries were given up, over all hops.
    pub tries_lost: u64,
    /// The tries that the simulation followed to confirm it; none where there are too many.
    pub simulated: Option<usize>,
}

/// Why nothing fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impossible {
    /// The hop, from 0, at which nothing is left.
    pub hop: usize,
    /// Why, as a sentence.
    pub why: String,
    /// The smallest deadline with which something fits; none where no deadline helps.
    pub smallest_deadline: Option<Millis>,
}

/// The ways out of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solved {
    /// Whether there is nothing to do.
    pub fits_already: bool,
    /// The ways out, best first.
    pub solutions: Vec<Solution>,
    /// Ways that lead nowhere.
    pub closed: Vec<Way>,
    /// Why there is no way at all.
    pub impossible: Option<Impossible>,
    /// The deadline with which the chain would fit as it is; none where no deadline helps.
    pub deadline_as_is: Option<Bound>,
}

/// More hops are not solved.
pub const MOST_HOPS_TO_SOLVE: usize = 64;

/// Finds ways to make the chain fit. None for chains with more than [`MOST_HOPS_TO_SOLVE`] hops.
pub fn solve(chain: &Chain) -> Option<Solved> {
    if chain.hops.len() > MOST_HOPS_TO_SOLVE {
        return None;
    }
    let mut solved = Solved {
        fits_already: check(chain).fits(),
        solutions: Vec::new(),
        closed: Vec::new(),
        impossible: None,
        deadline_as_is: as_is(chain),
    };
    if solved.fits_already {
        return Some(solved);
    }
    for way in Way::ALL {
        match search(chain, way.rules()).filter(|found| check(found).fits()) {
            None => solved.closed.push(way),
            Some(found) => match solved.solutions.iter_mut().find(|other| other.chain == found) {
                Some(same) => same.ways.push(way),
                None => solved.solutions.push(Solution { ways: vec![way], ..solution(chain, found) }),
            },
        }
    }
    if solved.solutions.is_empty() {
        solved.impossible = Some(impossible(chain));
    }
    Some(solved)
}

fn solution(before: &Chain, after: Chain) -> Solution {
    let pairs = || before.hops.iter().zip(&after.hops);
    let edits = pairs().map(|(old, new)| u64::from(old.per_try != new.per_try) + u64::from(old.retries != new.retries)).sum();
    let tries_lost = pairs().map(|(old, new)| u64::from(old.retries.saturating_sub(new.retries))).sum();
    let run = simulate(&after, &Scenario::HANG);
    let holds = !run.stopped_early && run.at <= after.deadline() && run.tries.iter().all(|one| !one.for_nobody);
    Solution { ways: Vec::new(), edits, tries_lost, simulated: holds.then_some(run.tries.len()), chain: after }
}

/// The deadline with which the chain fits as it is.
fn as_is(chain: &Chain) -> Option<Bound> {
    let free = chain.clone().with_deadline(Bound::Unbounded);
    let calls = measure(&free);
    let top = calls.first()?;
    let needed = top.worst.high.plus(top.reserve.into());
    check(&free.with_deadline(needed)).fits().then_some(needed)
}

fn impossible(chain: &Chain) -> Impossible {
    let needs = least(chain);
    let smallest_deadline = needs.as_ref().ok().and_then(|needs| {
        let least = needs.first().copied()?.plus(chain.reserve_of(chain.hops.first()?));
        let whole = ceil_ms(least);
        let more = (0..=chain.hops.len() as u64).map(|ms| whole.plus(Millis::from_millis(ms)));
        let feasible =
            |deadline: &Millis| search(&chain.clone().with_deadline((*deadline).into()), Way::FewestEdits.rules()).is_some();
        std::iter::once(least).chain(more).find(feasible)
    });
    let (hop, why) = match needs {
        Err(hop) => (hop, "its total is shorter than the least that the calls beneath it need".to_owned()),
        Ok(_) => culprit(chain),
    };
    Impossible { hop, why: format!("{}: {why}", chain.hops[hop].label()), smallest_deadline }
}

/// The least that each hop can take with one try everywhere; or the hop whose own total forbids even that.
fn least(chain: &Chain) -> Result<Vec<Millis>, usize> {
    let mut below = Millis::from_millis(1);
    let mut needs = Vec::new();
    for (at, hop) in chain.hops.iter().enumerate().rev() {
        let need = below.max(hop.min_useful.unwrap_or_default());
        if Bound::Finite(need) > hop.total {
            return Err(at);
        }
        below = need.plus(chain.reserve_of(hop));
        needs.push(need);
    }
    needs.reverse();
    Ok(needs)
}

/// Where the deadline runs out when every hop is given all that the ones above leave.
fn culprit(chain: &Chain) -> (usize, String) {
    let mut left = chain.deadline().finite().unwrap_or(Millis::MAX);
    for (at, hop) in chain.hops.iter().enumerate() {
        let reserve = chain.reserve_of(hop);
        let rest = less(left, reserve);
        let useful = hop.min_useful.unwrap_or_default().max(Millis::from_millis(1));
        if rest < useful {
            return (at, format!("{left} are left, {reserve} of them reserved, and a useful try takes {useful}"));
        }
        left = rest;
    }
    (chain.hops.len().saturating_sub(1), "the waits and limits that may not change leave nothing".to_owned())
}

/// The waits of a hop with so many tries, as long as the dice can make them.
pub(super) fn waits(chain: &Chain, at: usize, tries: u64) -> Millis {
    chain.backoff_of(&chain.hops[at]).sum(tries - 1, Dice::Worst)
}
