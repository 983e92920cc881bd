//! The report on chains for programs.
//!
//! In: answers. Out: one JSON document. Times are milliseconds, null when unbounded or absent; keys are only ever added.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::json::{SCHEMA_VERSION, pretty};
use super::{Answer, json_more};
use crate::budget::{Bound, Call, Load, Run, Verdict, fates};

/// A chain with more calls is written compactly, one call after the other: nobody reads it, and it should not be held twice.
const MOST_CALLS_TO_INDENT: usize = 1_000;

/// The report on these chains, as JSON.
pub fn json(answers: &[Answer]) -> String {
    if answers.iter().any(|answer| answer.verdict.calls.len() > MOST_CALLS_TO_INDENT) {
        return compact(answers);
    }
    let chains: Vec<Value> = answers.iter().map(|answer| chain(answer, true)).collect();
    pretty(&json!({ "schema_version": SCHEMA_VERSION, "chains": chains }))
}

fn compact(answers: &[Answer]) -> String {
    let mut text = format!("{{\"schema_version\":{SCHEMA_VERSION},\"chains\":[");
    for (at, answer) in answers.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { "," });
        let head = chain(answer, false).to_string();
        text.push_str(head.strip_suffix('}').unwrap_or(&head));
        text.push_str(",\"calls\":[");
        for (at, one) in answer.verdict.calls.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { "," });
            text.push_str(&call(&answer.verdict, one).to_string());
        }
        text.push_str("]}");
    }
    text + "]}\n"
}

/// A value's own JSON form.
pub(super) fn ms(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn load(load: Load) -> Value {
    json!({
        "calls": load.calls,
        "calls_if_cancelled": load.calls_if_cancelled,
        "most_at_once": load.most_at_once,
        "most_at_once_if_cancelled": load.most_at_once_if_cancelled,
        "last_work_ms": load.last_work,
        "last_work_if_cancelled_ms": load.last_work_if_cancelled,
    })
}

fn chain(answer: &Answer, with_calls: bool) -> Value {
    let verdict = &answer.verdict;
    let backoff = verdict.chain.backoff_of(&crate::budget::Hop::new("", "", Bound::Unbounded, 0));
    let mut value = json!({
        "name": verdict.chain.name,
        "deadline_ms": verdict.chain.deadline.map(ms),
        "backoff_ms": backoff.as_fixed(),
        "worst_ms": verdict.worst.high,
        "worst_if_kind_ms": verdict.worst.low,
        "exact": verdict.exact,
        "seen_ms": verdict.seen,
        "wanted_ms": verdict.wanted,
        "fast_failure_ms": verdict.fast_failure,
        "fits_deadline": verdict.fits_deadline,
        "fits": verdict.fits(),
        "fits_if_kind": verdict.fits() || verdict.fits_with_kind_dice(),
        "amplification": verdict.amplification,
        "load": answer.load.map(load),
        "otherwise": answer.otherwise.map(|other| json!({
            "propagate": if other.passes { "deadline" } else { "none" },
            "worst_ms": other.worst,
            "load": other.load.map(load),
        })),
        "findings": verdict.findings.iter().map(|finding| json!({
            "rule": finding.rule.name(),
            "call": finding.hop,
            "message": finding.message,
        })).collect::<Vec<_>>(),
    });
    if with_calls {
        value["calls"] = verdict.calls.iter().map(|one| call(verdict, one)).collect();
    }
    if let Some(solved) = &answer.solved {
        value["solve"] = json_more::solved(&verdict.chain, solved);
    }
    if let Some(leeway) = &answer.leeway {
        value["sensitivity"] = json_more::leeway(leeway);
    }
    if let Some((asked, run)) = &answer.simulated {
        value["simulation"] = json_more::simulated(*asked, run);
    }
    value
}

fn call(verdict: &Verdict, call: &Call) -> Value {
    let hop = &call.hop;
    let backoff = verdict.chain.backoff_of(hop);
    json!({
        "caller": hop.caller,
        "callee": hop.callee,
        "per_try_ms": hop.per_try,
        "retries": hop.retries,
        "tries": call.tries,
        "hang_tries": call.hang_tries,
        "total_ms": hop.total,
        "backoff": backoff.curve.to_string(),
        "jitter": backoff.jitter.to_string(),
        "reserve_ms": call.reserve,
        "min_useful_ms": hop.min_useful,
        "one_try_ms": call.one_try.high,
        "needs_ms": call.needs,
        "worst_ms": call.worst.high,
        "worst_if_kind_ms": call.worst.low,
        "allowed_ms": call.allowed,
        "fit": call.fit,
        "fit_if_kind": call.fit_if_kind,
        "broken": call.broken,
        "inverted": call.inverted,
        "slack_ms": call.slack,
        "max_per_try_ms": call.max_per_try,
        "wanted_ms": call.wanted,
        "tries_fate": fates(&verdict.chain, call).iter().map(fate).collect::<Vec<_>>(),
        "advice": call.advice,
    })
}

fn fate(run: &Run) -> Value {
    json!({ "first": run.first, "last": run.last, "fate": run.fate.name(), "start_ms": run.start, "end_ms": run.end })
}
