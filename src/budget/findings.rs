//! What is odd about a checked chain, by name.
//!
//! In: a [`Verdict`]. Out: [`Finding`]s, each with its rule, the hop it is about and a sentence. It does not say what to change: that is the advice of each call.

use super::check::{Call, Verdict};
use super::hop::OnTimeout;
use super::time::Bound;
use super::words::{compared, short};

/// The names of what can be odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A timeout at or above the caller's: it can never fire.
    Inverted,
    /// The tries of a hop need more than its caller grants.
    Starved,
    /// Nothing but the caller's patience ends a try.
    Unbounded,
    /// Everything fits, and nothing is left for the answer to travel.
    ZeroSlack,
    /// More than one layer retries: the tries multiply.
    RetriesInLayers,
    /// A per-try timeout at or above its own total: no retry ever starts.
    PerTryAtTotal,
    /// A try would not have enough time left to be useful, and is not started.
    BudgetInsufficient,
    /// Whether a timed-out try is retried is not known.
    RetryOnTimeoutUnknown,
    /// A service calls into a service above it.
    Loop,
}

impl Rule {
    /// The name used in every report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inverted => "inverted",
            Self::Starved => "starved",
            Self::Unbounded => "unbounded",
            Self::ZeroSlack => "zero-slack",
            Self::RetriesInLayers => "retries-in-layers",
            Self::PerTryAtTotal => "per-try-at-total",
            Self::BudgetInsufficient => "budget-insufficient",
            Self::RetryOnTimeoutUnknown => "retry-on-timeout-unknown",
            Self::Loop => "loop",
        }
    }
}

/// One odd thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its name.
    pub rule: Rule,
    /// The hop it is about; none when it is about the chain.
    pub hop: Option<usize>,
    /// The sentence.
    pub message: String,
}

pub(crate) fn of(verdict: &Verdict) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, call) in verdict.calls.iter().enumerate() {
        let mut say = |rule, message| found.push(Finding { rule, hop: Some(at), message });
        of_call(call, |limit| limit_above(verdict, at, limit), &mut say);
    }
    found.extend(retries_in_layers(verdict));
    found.extend(loops(verdict));
    found
}

/// The limit that holds this hop, in words.
fn limit_above(verdict: &Verdict, at: usize, limit: &str) -> String {
    match at.checked_sub(1) {
        Some(above) => format!("the {limit} of {}", verdict.calls[above].hop.label()),
        None => format!("the deadline of {limit}"),
    }
}

fn of_call(call: &Call, above: impl Fn(&str) -> String, say: &mut impl FnMut(Rule, String)) {
    let (hop, label) = (&call.hop, call.hop.label());
    if call.inverted {
        let (own, granted) = compared(hop.per_try, call.granted);
        say(
            Rule::Inverted,
            format!("the per-try timeout of {label}, {own}, is at or above {}: it can never fire", above(&granted)),
        );
    }
    if call.broken {
        let (needs, allowed) = compared(call.needs, call.room());
        say(
            Rule::Starved,
            format!("{label} needs {needs} for its tries and has {allowed}: {} of {} fit", call.fit, call.hang_tries),
        );
    }
    if hop.own_limit().is_unbounded() {
        let ends = if call.one_try.high.is_unbounded() { "nothing ends a try" } else { "only the calls below end a try" };
        say(Rule::Unbounded, format!("{label} has no timeout: {ends}"));
    }
    if call.slack.is_some_and(|slack| Bound::Finite(slack) == Bound::ZERO) && !call.broken {
        say(
            Rule::ZeroSlack,
            format!(
                "the tries of {label} end exactly with {}: no time is left for the answer to travel",
                above(&short(call.granted))
            ),
        );
    }
    if hop.per_try >= hop.total && !hop.total.is_unbounded() && hop.retries > 0 {
        let message = format!(
            "the per-try timeout of {label} is at or above its own total of {}: no retry of a hanging try ever starts",
            short(hop.total)
        );
        say(Rule::PerTryAtTotal, message);
    }
    if let Some(useful) = hop.min_useful.filter(|_| call.fit < call.hang_tries) {
        let (useful, reserve) = (short(useful.into()), short(call.reserve.into()));
        let message = format!(
            "{label} starts no try with less than {useful} (and {reserve} reserved) left: budget insufficient, which is no timeout"
        );
        say(Rule::BudgetInsufficient, message);
    }
    if hop.on_timeout == OnTimeout::Unknown && hop.retries > 0 {
        say(
            Rule::RetryOnTimeoutUnknown,
            format!("whether {label} retries a try that timed out is not known: computed as if it did"),
        );
    }
}

fn retries_in_layers(verdict: &Verdict) -> Option<Finding> {
    let retrying: Vec<u64> = verdict.calls.iter().map(|call| call.tries).filter(|tries| *tries > 1).collect();
    (retrying.len() > 1).then(|| {
        let factors: Vec<String> = retrying.iter().take(12).map(u64::to_string).collect();
        let more = if retrying.len() > 12 { " × …" } else { "" };
        let message = format!(
            "{} layers retry: {}{more} = {} tries at {} for one request when it fails fast; retry in one layer only",
            retrying.len(),
            factors.join(" × "),
            verdict.amplification,
            verdict.chain.bottom()
        );
        Finding { rule: Rule::RetriesInLayers, hop: None, message }
    })
}

fn loops(verdict: &Verdict) -> Option<Finding> {
    let mut above = std::collections::BTreeSet::new();
    for (at, call) in verdict.calls.iter().enumerate() {
        above.insert(&*call.hop.caller);
        if above.contains(&*call.hop.callee) {
            let message = format!(
                "{} calls back into {}, which waits for it: computed as written, one turn",
                call.hop.caller, call.hop.callee
            );
            return Some(Finding { rule: Rule::Loop, hop: Some(at), message });
        }
    }
    None
}
