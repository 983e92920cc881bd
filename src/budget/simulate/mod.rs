//! One request through a chain, event by event.
//!
//! In: a [`Chain`] and a [`Scenario`]: what the bottom does, whether leaving cancels, how the dice fall. Out: a [`Run`]: who answered and when,
//! every try with its beginning and end, and the work that was done for nobody. It is the second way to every number of the closed form, and
//! the only one to a bottom that answers late. It draws nothing.
//!
//! What happens at the same moment happens in this order: answers arrive, limits fire, errors arrive, the deadline passes, tries
//! start. So an answer at the very moment of the limit counts, a try does not start at the moment when its caller leaves, and an error that
//! arrives with the timeout is a timeout.

mod engine;

use super::backoff::Dice;
use super::hop::Chain;
use super::time::Bound;

/// How the dice fall in every wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Luck {
    /// Always the same end.
    Always(Dice),
    /// Anything between, decided by this seed.
    Seed(u64),
}

/// What is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scenario {
    /// After which time the bottom answers; unbounded when it hangs.
    pub bottom: Bound,
    /// Whether a caller that leaves ends the work of its callee, and of everything beneath.
    pub cancel: bool,
    /// The waits.
    pub luck: Luck,
    /// After so many tries the simulation stops, and says so.
    pub most_tries: usize,
}

impl Scenario {
    /// The bottom hangs, nobody cancels, the dice are bad.
    pub const HANG: Self = Self { bottom: Bound::Unbounded, cancel: false, luck: Luck::Always(Dice::Worst), most_tries: 20_000 };
}

/// Who gave the top's caller its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// The bottom: the request succeeded.
    Response,
    /// A limit of this hop fired; where it is not the top's, its error travelled up.
    Limit {
        /// The hop, from 0.
        hop: usize,
        /// Which of its limits.
        limit: Limit,
    },
    /// Nobody did in time: the caller left at the deadline.
    Deadline,
    /// Nobody did, and the caller still waits.
    Nobody,
}

/// Which limit of a hop ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The per-try timeout of its last try.
    PerTry,
    /// Its total.
    Total,
    /// The deadline that was passed on to it.
    Passed,
    /// A try that would not have had enough time was not started.
    Budget,
}

/// How a try ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// With the answer of the bottom.
    Response,
    /// With an error from the callee.
    Error,
    /// With its own timeout.
    Timeout,
    /// With the total, or the passed-on deadline, of its hop.
    Stopped,
    /// With its caller, who left and cancelled it.
    Cancelled,
    /// It has not ended.
    Open,
}

impl Ending {
    /// The name used in every report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Stopped => "stopped",
            Self::Cancelled => "cancelled",
            Self::Open => "never ends",
        }
    }
}

/// One try of one hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Try {
    /// The hop, from 0.
    pub hop: usize,
    /// Which try of its hop it is, from 1.
    pub number: u64,
    /// The try of the hop above that it serves.
    pub above: Option<usize>,
    /// When it started.
    pub start: Bound,
    /// When it ended.
    pub end: Bound,
    /// How it ended.
    pub ending: Ending,
    /// Whether it started, or went on, after the top's caller had left or a caller above it had.
    pub for_nobody: bool,
}

/// What happened to one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// When the top's caller had its answer, or left.
    pub at: Bound,
    /// Who gave the answer.
    pub by: By,
    /// When the calls of the top were over, whether or not anybody still waited for them.
    pub top_over: Bound,
    /// Calls that reached the bottom.
    pub bottom_calls: u64,
    /// Calls that reached the bottom after the top's caller had gone.
    pub started_for_nobody: u64,
    /// Answers of the bottom that came back into a chain whose top had gone.
    pub orphaned: u64,
    /// Most calls at the bottom at once.
    pub most_in_flight: u64,
    /// When the last try of any hop ended.
    pub last_work: Bound,
    /// Whether the simulation was stopped before it was over.
    pub stopped_early: bool,
    /// Every try, in the order of their beginnings.
    pub tries: Vec<Try>,
}

/// Follows one request through the chain.
pub fn simulate(chain: &Chain, scenario: &Scenario) -> Run {
    engine::Engine::new(chain, *scenario).run()
}
