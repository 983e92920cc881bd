//! The reports on layers, and the table of required timeouts.
//!
//! In: verdicts and numbers. Out: text or JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::super::json::{SCHEMA_VERSION, pretty};
use super::grid::{BAD, BOLD, Cell, GOOD, WARN, grid, paint, styled};
use crate::budget::words::trimmed;
use crate::budget::{LayerVerdict, LayersVerdict, required};
use crate::limit::Millis;

/// The report on layers, for people.
pub fn layers_text(verdict: &LayersVerdict) -> String {
    let mut out = String::new();
    let (top, bottom) = (name(verdict.layers.first()), name(verdict.layers.last()));
    let has = verdict.layers.first().map_or_else(String::new, |top| trimmed(top.layer.timeout));
    let mark = if verdict.fits() { paint("fits:", GOOD) } else { paint("does not fit:", BAD) };
    let asked = if verdict.attempts == 1 {
        "1 attempt is asked for".to_owned()
    } else {
        format!("{} attempts are asked for", verdict.attempts)
    };
    let _ = writeln!(
        out,
        "{mark} {top} needs {} for everything beneath it to run and has {has}; {asked} at {bottom}",
        trimmed(verdict.needs)
    );
    let _ = writeln!(out, "\n{}", paint("Each layer, outermost first", BOLD));
    let rows = verdict.layers.iter().map(row).collect();
    let head = ["layer", "timeout", "attempts", "backoff", "one attempt", "needs", "complete", ""];
    out.push_str(&grid(&head, rows, &[1, 2, 3, 4, 5, 6]));
    let _ = writeln!(out, "\n{}", paint("Assumed", BOLD));
    let _ = writeln!(
        out,
        "  - every attempt of every layer runs to its end: this is what the configuration wants, not what a caller sees"
    );
    let _ = writeln!(out, "  - one attempt costs all that is beneath it; the innermost costs its own timeout");
    let _ = writeln!(out, "  - an attempt that ends exactly at the limit counts as complete");
    out
}

fn name(layer: Option<&LayerVerdict>) -> &str {
    layer.map_or("", |l| l.layer.name.as_str())
}

fn row(one: &LayerVerdict) -> Vec<Cell> {
    let complete = format!("{}/{}", one.complete, one.layer.attempts);
    let words = match (one.starved, one.inverted) {
        (true, true) => styled("starved, inverted", BAD),
        (true, false) => styled("starved", BAD),
        (false, true) => styled("inverted: it can never fire", WARN),
        (false, false) => "".into(),
    };
    vec![
        one.layer.name.clone().into(),
        if one.layer.timeout.is_unbounded() { "none".into() } else { trimmed(one.layer.timeout).into() },
        one.layer.attempts.to_string().into(),
        trimmed(one.layer.backoff.into()).into(),
        trimmed(one.one_attempt).into(),
        trimmed(one.needs).into(),
        if one.complete < one.layer.attempts { styled(complete, BAD) } else { complete.into() },
        words,
    ]
}

/// The report on layers, as JSON.
pub fn layers_json(verdict: &LayersVerdict) -> String {
    let layers: Vec<Value> = verdict
        .layers
        .iter()
        .map(|one| {
            json!({
                "name": one.layer.name,
                "timeout_ms": one.layer.timeout,
                "attempts": one.layer.attempts,
                "backoff_ms": one.layer.backoff,
                "one_attempt_ms": one.one_attempt,
                "needs_ms": one.needs,
                "inverted": one.inverted,
                "starved": one.starved,
                "complete": one.complete,
            })
        })
        .collect();
    pretty(
        &json!({ "schema_version": SCHEMA_VERSION, "layers": layers, "needs_ms": verdict.needs, "attempts": verdict.attempts, "fits": verdict.fits() }),
    )
}

const ATTEMPTS: std::ops::RangeInclusive<u64> = 1..=4;
const LAYERS: std::ops::RangeInclusive<u32> = 1..=5;

/// The outermost timeout required for 1 to 4 attempts per layer and 1 to 5 layers, for people.
pub fn required_text(leaf: Millis, backoff: Millis) -> String {
    let mut out = format!(
        "The outermost timeout required when the innermost call takes {} and every layer waits {} before a retry\n\n",
        trimmed(leaf.into()),
        trimmed(backoff.into())
    );
    let rows = ATTEMPTS.map(|attempts| {
        let needs = LAYERS.map(|layers| Cell::from(trimmed(required(leaf, backoff, attempts, layers))));
        std::iter::once(Cell::from(format!("{attempts} {}", if attempts == 1 { "attempt" } else { "attempts" })))
            .chain(needs)
            .collect()
    });
    out.push_str(&grid(
        &["per layer", "1 layer", "2 layers", "3 layers", "4 layers", "5 layers"],
        rows.collect(),
        &[1, 2, 3, 4, 5],
    ));
    out
}

/// The same as JSON.
pub fn required_json(leaf: Millis, backoff: Millis) -> String {
    let cells = ATTEMPTS.flat_map(|attempts| LAYERS.map(move |layers| (attempts, layers)));
    let required: Vec<Value> = cells
        .map(|(attempts, layers)| json!({ "attempts": attempts, "layers": layers, "needs_ms": required(leaf, backoff, attempts, layers) }))
        .collect();
    pretty(&json!({ "schema_version": SCHEMA_VERSION, "leaf_ms": leaf, "backoff_ms": backoff, "required": required }))
}
