//! What becomes of every try of one hop while the bottom hangs.
//!
//! In: a [`Call`] of a checked chain. Out: runs of tries that share a [`Fate`], counted from the beginning of the hop, with the worst dice. A thousand tries with one
//! fate are one run. It follows the first time the hop is entered; later ones may find less time, which the simulation shows.

use super::backoff::{Backoff, Dice};
use super::check::{Call, Gate};
use super::hop::{Chain, OnTimeout};
use super::time::Bound;
use super::timeline::Timeline;

/// What becomes of a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It ends, by its own limit or by an answer, while there is still time.
    Completes,
    /// It ends in the time that the caller wanted to keep for itself.
    Late,
    /// It is under way when the time is over.
    Cut {
        /// By the hop's own total; otherwise by the caller, who has left.
        by_total: bool,
    },
    /// It would start after the caller has left: it runs for nobody, or, where leaving cancels the work, never starts.
    ForNobody,
    /// The total, or the time that was passed on, is used up; or the try before it never ends.
    NeverStarts,
    /// A timed-out try is not retried.
    NeverTriggers,
    /// Not started: budget insufficient.
    NotStarted,
}

impl Fate {
    /// The name used in every report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Completes => "completes",
            Self::Late => "late",
            Self::Cut { .. } => "cut",
            Self::ForNobody => "for-nobody",
            Self::NeverStarts => "never-starts",
            Self::NeverTriggers => "never-triggers",
            Self::NotStarted => "not-started",
        }
    }
}

/// Tries in a row that share a fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The number of the first, from 1.
    pub first: u64,
    /// The number of the last.
    pub last: u64,
    /// What becomes of them.
    pub fate: Fate,
    /// When the first starts, or would.
    pub start: Bound,
    /// When the last ends, or is cut.
    pub end: Bound,
}

/// The fate of every try of this call.
pub fn fates(chain: &Chain, call: &Call) -> Vec<Run> {
    let line = Timeline { one: call.one_try.high, backoff: chain.backoff_of(&call.hop), dice: Dice::Worst };
    let gate = Gate::of(&call.hop, call.allowed);
    let room = call.room();
    let over = call.hop.total.min(call.told);
    let begun = gate.begun(&line, call.hang_tries).min(line.begun_before(over, call.hang_tries));
    let complete = if line.one.is_unbounded() && room.is_unbounded() { 0 } else { line.ended_by(room, begun) };
    let gone = call.granted.min(over);
    let late = if line.one.is_unbounded() { complete } else { line.ended_by(gone, begun).max(complete) };
    let reached = line.begun_before(gone, begun).max(late);
    let by_total = !call.hop.total.is_unbounded() && call.hop.total <= call.allowed;
    let mut runs = Runs { line, runs: Vec::new(), next: 1 };
    runs.upto(complete, Fate::Completes, Bound::Unbounded);
    runs.upto(late, Fate::Late, Bound::Unbounded);
    runs.upto(reached, Fate::Cut { by_total }, gone);
    runs.upto(begun, Fate::ForNobody, over);
    if line.begun_before(over, call.hang_tries) > begun {
        runs.upto(call.hang_tries, Fate::NotStarted, Bound::ZERO);
    }
    runs.upto(call.hang_tries, Fate::NeverStarts, Bound::ZERO);
    if call.hop.on_timeout == OnTimeout::GiveUp {
        runs.upto(call.tries, Fate::NeverTriggers, Bound::ZERO);
    }
    runs.runs
}

struct Runs {
    line: Timeline,
    runs: Vec<Run>,
    next: u64,
}

impl Runs {
    fn upto(&mut self, last: u64, fate: Fate, stop: Bound) {
        if last >= self.next {
            let (start, end) = (self.line.start(self.next), self.line.end(last).min(stop));
            self.runs.push(Run { first: self.next, last, fate, start, end });
            self.next = last + 1;
        }
    }
}

/// When this try of the call starts, with these waits.
pub fn start_of(call: &Call, backoff: Backoff, number: u64, dice: Dice) -> Bound {
    let one = if dice == Dice::Worst { call.one_try.high } else { call.one_try.low };
    Timeline { one, backoff, dice }.start(number.max(1))
}
