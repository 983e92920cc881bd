//! The parts of the JSON report that are there on request: ways out, leeway, a simulated request.
//!
//! In: what was computed. Out: JSON values.

use serde_json::{Value, json};

use super::Simulate;
use super::json::ms;
use crate::budget::simulate::{By, Limit, Run, Try};
use crate::budget::{Bound, Chain, Leeway, Solved, diff};

pub(super) fn solved(chain: &Chain, solved: &Solved) -> Value {
    let solutions: Vec<Value> = solved
        .solutions
        .iter()
        .map(|solution| {
            json!({
                "ways": solution.ways.iter().map(|way| way.title()).collect::<Vec<_>>(),
                "edits": solution.edits,
                "tries_lost": solution.tries_lost,
                "simulated_tries": solution.simulated,
                "chain": solution.chain.to_string(),
                "diff": diff(chain, &solution.chain),
                "calls": solution.chain.hops.iter().map(|hop| json!({
                    "caller": hop.caller, "callee": hop.callee, "per_try_ms": hop.per_try, "retries": hop.retries,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "fits_already": solved.fits_already,
        "solutions": solutions,
        "no_way_out": solved.closed.iter().map(|way| way.title()).collect::<Vec<_>>(),
        "impossible": solved.impossible.as_ref().map(|impossible| json!({
            "call": impossible.hop, "why": impossible.why, "smallest_deadline_ms": impossible.smallest_deadline,
        })),
        "deadline_as_is_ms": solved.deadline_as_is,
    })
}

pub(super) fn leeway(leeway: &[Leeway]) -> Value {
    leeway
        .iter()
        .enumerate()
        .map(|(at, leeway)| {
            json!({
                "call": at,
                "slack_ms": leeway.slack,
                "may_grow_ms": leeway.may_grow,
                "may_grow_freely": leeway.may_grow == Some(Bound::Unbounded),
                "loser": leeway.loser,
            })
        })
        .collect()
}

pub(super) fn simulated(asked: Simulate, run: &Run) -> Value {
    let of = |count: u64| count.saturating_mul(asked.requests);
    let (by, call, limit) = match run.by {
        By::Response => ("response", None, None),
        By::Deadline => ("deadline", None, None),
        By::Nobody => ("nobody", None, None),
        By::Limit { hop, limit } => (if hop == 0 { "outer-limit" } else { "inner-error" }, Some(hop), Some(limit_name(limit))),
    };
    json!({
        "bottom_ms": asked.bottom,
        "requests": asked.requests,
        "at_ms": run.at,
        "by": by,
        "by_call": call,
        "by_limit": limit,
        "bottom_calls": of(run.bottom_calls),
        "orphaned": of(run.orphaned),
        "started_for_nobody": of(run.started_for_nobody),
        "most_at_once_per_request": run.most_in_flight,
        "last_work_ms": run.last_work,
        "stopped_early": run.stopped_early,
        "tries": asked.trace.then(|| run.tries.iter().map(one_try).collect::<Vec<_>>()),
    })
}

fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::PerTry => "per-try",
        Limit::Total => "total",
        Limit::Passed => "passed-on deadline",
        Limit::Budget => "budget insufficient",
    }
}

fn one_try(one: &Try) -> Value {
    json!({
        "call": one.hop,
        "number": one.number,
        "above": one.above,
        "start_ms": ms(one.start),
        "end_ms": one.end,
        "ending": one.ending.name(),
        "for_nobody": one.for_nobody,
    })
}
