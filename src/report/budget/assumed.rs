//! What the checker took for granted about a chain.
//!
//! In: a verdict. Out: sentences, only those that matter for this chain.

use crate::budget::words::short;
use crate::budget::{Bound, Dice, OnTimeout, Propagate, Verdict};
use crate::limit::Millis;

/// What was taken for granted about this chain, in sentences.
pub fn assumed(verdict: &Verdict) -> Vec<String> {
    let chain = &verdict.chain;
    let any = |holds: &dyn Fn(&crate::budget::Hop) -> bool| chain.hops.iter().any(holds);
    let mut lines = vec![format!("{} accepts every call and never answers", chain.bottom())];
    if verdict.calls.iter().any(|call| call.tries > 1) {
        lines.push(match chain.backoff {
            _ if chain.hops.iter().all(|hop| hop.backoff.is_some() || hop.retries == 0) => {
                "the waits before retries are those of the chain file".to_owned()
            }
            None => "no wait before a retry where none is given".to_owned(),
            Some(_) => match chain.backoff_of(&chain.hops[0]).as_fixed() {
                Some(wait) => format!("{} before each retry where a hop says nothing else", short(wait.into())),
                None => "the chain's backoff before each retry where a hop says nothing else".to_owned(),
            },
        });
        let in_step = |call: &crate::budget::Call| {
            let backoff = chain.backoff_of(&call.hop);
            call.tries > 1
                && backoff.sum(1, Dice::Worst) == backoff.sum(1, Dice::Kind)
                && backoff.as_fixed() != Some(Millis::ZERO)
        };
        if verdict.calls.iter().any(in_step) {
            lines.push(
                "nothing spreads the waits: clients that fail together come back together (`jitter=full` where dice spread them)"
                    .to_owned(),
            );
        }
        lines.push(if any(&|hop| hop.on_timeout != OnTimeout::Retry) {
            "a try that timed out is retried where `on_timeout` does not say `no`".to_owned()
        } else {
            "a try that timed out is retried (`on_timeout=no` where it is not)".to_owned()
        });
    }
    if chain.deadline() == Bound::Unbounded {
        lines.push("the caller of the top waits for as long as it takes".to_owned());
    }
    lines.push(if any(&|hop| hop.propagate == Propagate::Deadline) {
        "hops with `propagate=deadline` keep to their caller's remaining time; the others start their own clock".to_owned()
    } else {
        "every call starts its own clock and learns nothing of the time left above (`propagate=deadline` where it does)"
            .to_owned()
    });
    lines.push(
        "a try that ends exactly at its caller's limit counts as fitting, though its answer has no time to travel".to_owned(),
    );
    if !verdict.exact {
        lines.push("`min_useful` under a passed-on deadline: the times are upper bounds; a simulated request (`--bottom none`) has the exact ones".to_owned());
    }
    lines
}
