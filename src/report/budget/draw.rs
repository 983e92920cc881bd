//! The chain drawn top to bottom in text.
//!
//! In: a verdict. Out: lines: each service with how long its own calls can take, each call with its limit and what fits. A call that does not fit has a thick
//! line, a call without a timeout a dashed one.

use std::fmt::Write as _;

use super::grid::{BAD, BOLD, DIM, GOOD, PLAIN, padded, paint, width};
use super::{MOST_ROWS, none_or_short};
use crate::budget::words::short;
use crate::budget::{Bound, Call, Range, Verdict};

pub(super) fn draw(verdict: &Verdict) -> String {
    let shown = &verdict.calls[..verdict.calls.len().min(MOST_ROWS)];
    let services = shown.iter().map(|call| width(&call.hop.caller)).chain([width(verdict.chain.bottom()), 12]).max().unwrap_or(0);
    let limits = shown.iter().map(|call| width(&limit_of(call))).max().unwrap_or(0);
    let mut out = String::new();
    if verdict.chain.deadline.is_some() {
        let _ = writeln!(out, "  {}  waits {}", paint(&padded("(its caller)", services), DIM), short(verdict.chain.deadline()));
    }
    let first = verdict.first_broken();
    for (at, call) in shown.iter().enumerate() {
        let _ = writeln!(out, "  {}  {}", paint(&padded(&call.hop.caller, services), BOLD), takes(call.worst));
        let style = if call.broken { BAD } else { PLAIN };
        let mark = if first == Some(at) { "   ◀ the first that does not fit" } else { "" };
        let line = format!("  {}  {}{mark}", padded(&limit_of(call), limits), fit_of(call));
        let _ = writeln!(out, "    {}", paint(format!("{}{line}", stroke(call)).trim_end(), style));
    }
    if let Some(left @ 1..) = verdict.calls.len().checked_sub(shown.len()) {
        let _ = writeln!(out, "    {}", paint(&format!("… {left} more calls"), DIM));
    }
    let _ = writeln!(out, "  {}  {}", paint(&padded(verdict.chain.bottom(), services), BOLD), paint("hangs", BAD));
    out
}

/// How long a service's calls can take, in words.
pub(super) fn takes(worst: Range) -> String {
    if worst.high.is_unbounded() {
        "its calls can take for ever".to_owned()
    } else {
        format!("its calls can take {}", span(worst))
    }
}

/// `1.00 s to 1.55 s`, or just the one.
pub(super) fn span(range: Range) -> String {
    if range.is_exact() { short(range.high) } else { format!("{} to {}", short(range.low), short(range.high)) }
}

fn stroke(call: &Call) -> &'static str {
    match (call.broken, call.hop.own_limit()) {
        (true, Bound::Unbounded) => "┇",
        (true, _) => "┃",
        (false, Bound::Unbounded) => "┆",
        (false, _) => "│",
    }
}

/// `500 ms × 3`, with the total where there is one.
pub(super) fn limit_of(call: &Call) -> String {
    let total = call.hop.total.finite().map(|total| format!(", {} in all", short(total.into()))).unwrap_or_default();
    let per_try = if call.hop.per_try.is_unbounded() { "no timeout".to_owned() } else { none_or_short(call.hop.per_try) };
    format!("{per_try} × {}{total}", call.tries)
}

fn fit_of(call: &Call) -> String {
    if call.broken { format!("{} of {} fit", call.fit, call.hang_tries) } else { paint("fits", GOOD) }
}
