//! The event loop of the simulation.
//!
//! In: a chain and a scenario. Out: a [`Run`]. A service that was called is a `Handler`; it makes its tries one after the other, each
//! of which makes a handler one level down. No recursion: a thousand hops are a thousand entries.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{By, Ending, Limit, Luck, Run, Scenario, Try};
use crate::budget::backoff::{Backoff, Dice};
use crate::budget::hop::{Chain, Hop, OnTimeout, Propagate};
use crate::budget::time::Bound;
use crate::limit::Millis;

/// What happens at one moment, in the order of the variants' ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The bottom, or a service with its good answer, answers this try.
    Response(usize),
    /// The hop of this handler has used up its total, or the time passed on to it.
    Stop(usize, bool),
    /// This try runs into its timeout.
    Timeout(usize),
    /// A service answers this try with the error of a limit below.
    Error(usize),
    /// The top answers its caller.
    TopAnswers,
    /// The top's caller leaves.
    Deadline,
    /// The next try of this handler is due.
    Start(usize),
}

impl Event {
    fn rank(self) -> u8 {
        match self {
            Self::Response(_) => 0,
            Self::Stop(..) | Self::Timeout(_) => 1,
            Self::Error(_) | Self::TopAnswers => 2,
            Self::Deadline => 3,
            Self::Start(_) => 4,
        }
    }
}

/// A service at work on one call.
struct Handler {
    hop: usize,
    serves: Option<usize>,
    /// When its hop is over whatever happens.
    total_end: Bound,
    /// The moment by which its caller wants the answer, as far as it was told.
    known: Bound,
    /// The moment that `min_useful` is measured against.
    budget: Bound,
    tries: u64,
    current: Option<usize>,
    over: bool,
    outcome: By,
}

pub(super) struct Engine<'a> {
    hops: &'a [Hop],
    backoffs: Vec<Backoff>,
    reserves: Vec<Millis>,
    deadline: Bound,
    scenario: Scenario,
    now: Millis,
    events: BinaryHeap<Reverse<(Millis, u8, u64, Event)>>,
    count: u64,
    thrown: u64,
    handlers: Vec<Handler>,
    tries: Vec<Try>,
    /// The handler at the far end of each try.
    serving: Vec<Option<usize>>,
    left: Option<(Millis, By)>,
    top_over: Bound,
    orphaned: u64,
}

impl<'a> Engine<'a> {
    pub fn new(chain: &'a Chain, scenario: Scenario) -> Self {
        Self {
            hops: &chain.hops,
            backoffs: chain.hops.iter().map(|hop| chain.backoff_of(hop)).collect(),
            reserves: chain.hops.iter().map(|hop| chain.reserve_of(hop)).collect(),
            deadline: chain.deadline(),
            scenario,
            now: Millis::ZERO,
            events: BinaryHeap::new(),
            count: 0,
            thrown: 0,
            handlers: Vec::new(),
            tries: Vec::new(),
            serving: Vec::new(),
            left: None,
            top_over: Bound::Unbounded,
            orphaned: 0,
        }
    }

    pub fn run(mut self) -> Run {
        self.plan(self.deadline, Event::Deadline);
        if !self.hops.is_empty() {
            self.call(0, None, self.deadline, self.deadline);
        }
        let mut stopped_early = false;
        while let Some(Reverse((at, _, _, event))) = self.events.pop() {
            if self.tries.len() >= self.scenario.most_tries {
                stopped_early = true;
                break;
            }
            self.now = at;
            self.happen(event);
        }
        self.finish(stopped_early)
    }

    fn plan(&mut self, at: Bound, event: Event) {
        if let Bound::Finite(at) = at {
            self.count += 1;
            self.events.push(Reverse((at, event.rank(), self.count, event)));
        }
    }

    fn after(&self, time: Bound) -> Bound {
        Bound::Finite(self.now).plus(time)
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Response(id) => self.answered(id, By::Response, Ending::Response),
            Event::Error(id) => {
                let cause = self.serving[id].map_or(By::Nobody, |below| self.handlers[below].outcome);
                self.answered(id, cause, Ending::Error);
            }
            Event::Timeout(id) if self.tries[id].ending == Ending::Open => self.timed_out(id),
            Event::Timeout(_) => {}
            Event::Stop(handler, total) if !self.handlers[handler].over => {
                self.leave_current(handler, Ending::Stopped);
                let limit = if total { Limit::Total } else { Limit::Passed };
                self.conclude(handler, By::Limit { hop: self.handlers[handler].hop, limit });
            }
            Event::Stop(..) => {}
            Event::TopAnswers => {
                if self.left.is_none() {
                    self.left = Some((self.now, self.handlers[0].outcome));
                }
            }
            Event::Deadline => {
                if self.left.is_none() {
                    self.left = Some((self.now, By::Deadline));
                    if self.scenario.cancel {
                        self.cancel(0);
                    }
                }
            }
            Event::Start(handler) if !self.handlers[handler].over => self.start(handler),
            Event::Start(_) => {}
        }
    }

    /// A service begins to work on a call.
    fn call(&mut self, hop: usize, serves: Option<usize>, known: Bound, budget: Bound) {
        let handler = self.handlers.len();
        let total_end = self.after(self.hops[hop].total);
        let passes = self.hops[hop].propagate == Propagate::Deadline;
        let budget = if passes && !known.is_unbounded() { known } else { budget };
        self.handlers.push(Handler {
            hop,
            serves,
            total_end,
            known,
            budget,
            tries: 0,
            current: None,
            over: false,
            outcome: By::Nobody,
        });
        self.plan(total_end, Event::Stop(handler, true));
        if passes {
            self.plan(known.minus(self.reserves[hop]).max(Bound::Finite(self.now)), Event::Stop(handler, false));
        }
        self.plan(Bound::Finite(self.now), Event::Start(handler));
    }

    /// Whether a try that started at this moment would have enough time to be useful.
    fn useful(&self, handler: usize, at: Bound) -> bool {
        let Handler { hop, budget, .. } = self.handlers[handler];
        let needed = self.hops[hop].min_useful.map(|useful| at.plus(useful.into()).plus(self.reserves[hop].into()));
        needed.is_none_or(|needed| needed <= budget)
    }

    fn start(&mut self, handler: usize) {
        let Handler { hop, serves, total_end, known, .. } = self.handlers[handler];
        if !self.useful(handler, Bound::Finite(self.now)) {
            return self.conclude(handler, By::Limit { hop, limit: Limit::Budget });
        }
        let (id, limit) = (self.tries.len(), self.after(self.hops[hop].per_try));
        self.handlers[handler].tries += 1;
        self.handlers[handler].current = Some(id);
        let number = self.handlers[handler].tries;
        let start = Bound::Finite(self.now);
        self.tries.push(Try {
            hop,
            number,
            above: serves,
            start,
            end: Bound::Unbounded,
            ending: Ending::Open,
            for_nobody: false,
        });
        self.serving.push(None);
        self.plan(limit, Event::Timeout(id));
        if hop + 1 == self.hops.len() {
            return self.plan(self.after(self.scenario.bottom), Event::Response(id));
        }
        let mut passed = Bound::Unbounded;
        if self.hops[hop].propagate == Propagate::Deadline {
            passed = limit.min(total_end).min(known.minus(self.reserves[hop]));
        }
        self.serving[id] = Some(self.handlers.len());
        let granted = self.after(self.hops[hop].own_limit());
        self.call(hop + 1, Some(id), passed, granted);
    }

    /// The callee's answer arrives.
    fn answered(&mut self, id: usize, outcome: By, ending: Ending) {
        if self.tries[id].ending != Ending::Open {
            return;
        }
        self.end(id, ending);
        let Some(handler) = self.owner(id) else { return };
        if ending == Ending::Error {
            return self.retry_or(handler, outcome);
        }
        if self.tries[id].hop + 1 == self.hops.len() && self.orphan(id) {
            self.orphaned += 1;
        }
        self.conclude(handler, By::Response);
    }

    fn timed_out(&mut self, id: usize) {
        self.end(id, Ending::Timeout);
        if self.scenario.cancel
            && let Some(below) = self.serving[id]
        {
            self.cancel(below);
        }
        let Some(handler) = self.owner(id) else { return };
        let hop = self.tries[id].hop;
        let outcome = By::Limit { hop, limit: Limit::PerTry };
        if self.hops[hop].on_timeout == OnTimeout::GiveUp {
            self.conclude(handler, outcome)
        } else {
            self.retry_or(handler, outcome)
        }
    }

    fn retry_or(&mut self, handler: usize, outcome: By) {
        let Handler { hop, tries, .. } = self.handlers[handler];
        if tries >= self.hops[hop].tries() {
            return self.conclude(handler, outcome);
        }
        let wait = self.wait(hop, tries);
        let due = self.after(wait.into());
        if self.useful(handler, due) {
            self.plan(due, Event::Start(handler));
        } else {
            self.conclude(handler, By::Limit { hop, limit: Limit::Budget });
        }
    }

    fn wait(&mut self, hop: usize, retry: u64) -> Millis {
        let backoff = self.backoffs[hop];
        match self.scenario.luck {
            Luck::Always(dice) => backoff.wait(retry, dice),
            Luck::Seed(seed) => {
                let (low, high) = (backoff.wait(retry, Dice::Kind).as_micros(), backoff.wait(retry, Dice::Worst).as_micros());
                self.thrown += 1;
                Millis::from_micros(low + mix(seed ^ self.thrown) % (high - low).saturating_add(1))
            }
        }
    }

    /// The hop of this handler is over; the service answers after its own last work.
    fn conclude(&mut self, handler: usize, outcome: By) {
        let Handler { hop, serves, .. } = self.handlers[handler];
        self.handlers[handler].over = true;
        self.handlers[handler].outcome = outcome;
        let at = self.after(self.reserves[hop].into());
        match (serves, outcome) {
            (None, _) => {
                self.top_over = Bound::Finite(self.now);
                self.plan(at, Event::TopAnswers);
            }
            (Some(id), By::Response) => self.plan(at, Event::Response(id)),
            (Some(id), _) => self.plan(at, Event::Error(id)),
        }
    }

    fn end(&mut self, id: usize, ending: Ending) {
        self.tries[id].end = Bound::Finite(self.now);
        self.tries[id].ending = ending;
    }

    fn leave_current(&mut self, handler: usize, ending: Ending) {
        let Some(id) = self.handlers[handler].current.filter(|id| self.tries[*id].ending == Ending::Open) else { return };
        self.end(id, ending);
        if self.scenario.cancel
            && let Some(below) = self.serving[id]
        {
            self.cancel(below);
        }
    }

    /// A caller has left and says so: this handler and everything beneath it ends.
    fn cancel(&mut self, first: usize) {
        let mut next = Some(first);
        while let Some(handler) = next.take() {
            self.handlers[handler].over = true;
            if let Some(id) = self.handlers[handler].current.filter(|id| self.tries[*id].ending == Ending::Open) {
                self.end(id, Ending::Cancelled);
                next = self.serving[id];
            }
        }
    }

    /// The handler that made this try and still waits for its outcome.
    fn owner(&self, id: usize) -> Option<usize> {
        let handler = match self.tries[id].above {
            None => 0,
            Some(above) => self.serving[above]?,
        };
        (!self.handlers[handler].over).then_some(handler)
    }

    /// Whether somebody above this try has gone.
    fn orphan(&self, id: usize) -> bool {
        let mut above = self.tries[id].above;
        while let Some(id) = above {
            if self.tries[id].ending != Ending::Open {
                return true;
            }
            above = self.tries[id].above;
        }
        self.left.is_some()
    }

    fn finish(mut self, stopped_early: bool) -> Run {
        let (at, by) = self.left.map_or((Bound::Unbounded, By::Nobody), |(at, by)| (Bound::Finite(at), by));
        for id in 0..self.tries.len() {
            let above = self.tries[id].above.map_or((at, false), |above| (self.tries[above].end, self.tries[above].for_nobody));
            let Try { start, end, .. } = self.tries[id];
            self.tries[id].for_nobody = above.1 || start >= above.0.min(at) || end > above.0.min(at);
        }
        let bottom: Vec<&Try> = self.tries.iter().filter(|one| one.hop + 1 == self.hops.len()).collect();
        Run {
            at,
            by,
            top_over: self.top_over,
            bottom_calls: bottom.len() as u64,
            started_for_nobody: bottom.iter().filter(|one| one.start >= at).count() as u64,
            orphaned: self.orphaned,
            most_in_flight: most_at_once(&bottom),
            last_work: self.tries.iter().map(|one| one.end).max().unwrap_or(Bound::ZERO),
            stopped_early,
            tries: self.tries,
        }
    }
}

fn most_at_once(calls: &[&Try]) -> u64 {
    let mut changes: Vec<(Bound, i64)> =
        calls.iter().filter(|one| one.start < one.end).flat_map(|one| [(one.start, 1), (one.end, -1)]).collect();
    changes.sort_unstable();
    let mut now = 0_i64;
    changes
        .iter()
        .map(|(_, change)| {
            now += change;
            now
        })
        .max()
        .unwrap_or(0)
        .unsigned_abs()
}

/// A number from a number, well mixed.
const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
