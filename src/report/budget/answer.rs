//! Everything that is asked about one chain, computed once.
//!
//! In: a chain and what is wanted about it. Out: an [`Answer`] that every format prints. It draws nothing.

use crate::budget::simulate::{Run, Scenario, simulate};
use crate::budget::{Bound, Chain, Defaults, Leeway, Load, Propagate, Solved, Verdict, check, load, sensitivity, solve};

/// What is wanted beyond the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wanted {
    /// Ways to make the chain fit.
    pub solve: bool,
    /// How much each timeout may grow.
    pub sensitivity: bool,
    /// A simulated request.
    pub simulate: Option<Simulate>,
}

/// Which request is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simulate {
    /// After which time the bottom answers; unbounded when it hangs.
    pub bottom: Bound,
    /// How many such requests there are; they do not get into each other's way.
    pub requests: u64,
    /// Whether every try is shown.
    pub trace: bool,
}

/// Everything that was asked about one chain.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What the closed form says.
    pub verdict: Verdict,
    /// The work at the bottom, where it can be counted.
    pub load: Option<Load>,
    /// The same chain with the remaining time passed on at every call; or at none, where the chain passes it on somewhere. None without a deadline.
    pub otherwise: Option<Otherwise>,
    /// The ways out, where they were asked for.
    pub solved: Option<Solved>,
    /// How much each timeout may grow, where it was asked for.
    pub leeway: Option<Vec<Leeway>>,
    /// The simulated request, where it was asked for.
    pub simulated: Option<(Simulate, Run)>,
}

/// The chain under the other rule of passing time on.
#[derive(Debug, Clone, Copy)]
pub struct Otherwise {
    /// Whether time is passed on there.
    pub passes: bool,
    /// How long the top's calls take there.
    pub worst: Bound,
    /// The work at the bottom there.
    pub load: Option<Load>,
}

impl Answer {
    /// Checks a chain, with these values where it says none itself. None where something was asked that chains of this length do not allow:
    /// then what it was.
    ///
    /// # Errors
    /// What was asked in vain, as a sentence.
    pub fn to(mut chain: Chain, defaults: &Defaults, wanted: &Wanted) -> Result<Self, String> {
        chain.or_else(defaults);
        let verdict = check(&chain);
        let too_long =
            |option: &str, most: usize| format!("{option}: the chain has {} calls; expected {most} at most", chain.hops.len());
        let solved = wanted.solve.then(|| solve(&chain).ok_or_else(|| too_long("--solve", crate::budget::MOST_HOPS_TO_SOLVE)));
        let leeway = wanted
            .sensitivity
            .then(|| sensitivity(&chain).ok_or_else(|| too_long("--sensitivity", crate::budget::MOST_HOPS_TO_MEASURE)));
        let simulated =
            wanted.simulate.map(|asked| (asked, simulate(&chain, &Scenario { bottom: asked.bottom, ..Scenario::HANG })));
        Ok(Self {
            load: load(&verdict),
            otherwise: otherwise(&chain),
            solved: solved.transpose()?,
            leeway: leeway.transpose()?,
            simulated,
            verdict,
        })
    }

    /// Whether the chain ends inside its deadline and every try can finish.
    pub fn fits(&self) -> bool {
        self.verdict.fits()
    }
}

/// Longer chains are not checked a second time.
const MOST_HOPS_TO_COMPARE: usize = 2_000;

fn otherwise(chain: &Chain) -> Option<Otherwise> {
    let passes = !chain.hops.iter().any(|hop| hop.propagate == Propagate::Deadline);
    if (chain.deadline().is_unbounded() && passes) || chain.hops.len() > MOST_HOPS_TO_COMPARE {
        return None;
    }
    let mut other = chain.clone();
    for hop in &mut other.hops {
        hop.propagate = if passes { Propagate::Deadline } else { Propagate::Nothing };
    }
    let verdict = check(&other);
    Some(Otherwise { passes, worst: verdict.worst.high, load: load(&verdict) })
}
