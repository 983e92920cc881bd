//! Values that are plausible in another unit only.
//!
//! In: an amount and the unit its interface counts in. Out: a sentence, or nothing. It changes no verdict.

use crate::limit::{Millis, Unit};
use crate::link::Amount;
use crate::link::value::Hint;

/// Shorter than this no remote call is meant to be given up.
const SHORTEST_PLAUSIBLE: Millis = Millis::from_millis(10);
/// Longer than this no caller is meant to wait.
const LONGEST_PLAUSIBLE: Millis = Millis::from_millis(45 * 60 * 1_000);

/// What is suspicious about a limit, if anything.
pub(super) fn suspicious(amount: &Amount, unit: Unit) -> Option<String> {
    let Amount::Finite { wait, hint, .. } = amount else { return None };
    let expected = match unit {
        Unit::Ms => "milliseconds",
        Unit::S => "seconds",
        Unit::Us => "microseconds",
        Unit::M => "minutes",
        Unit::H => "hours",
    };
    match (hint, unit) {
        (Some(Hint::S), Unit::Ms) => return Some(format!("{wait}: the name says seconds, but the value is taken as {expected}")),
        (Some(Hint::Ms), Unit::S) => {
            return Some(format!("{wait}: the name says milliseconds, but the value is taken as {expected}"));
        }
        (Some(Hint::S), _) if *wait < Millis::from_millis(1_000) => {
            return Some(format!("{wait}: the name says seconds, but the value is taken as {expected}"));
        }
        (Some(Hint::Ms), _) if *wait > LONGEST_PLAUSIBLE => {
            return Some(format!("{wait}: the name says milliseconds, but the value is taken as {expected}"));
        }
        _ => {}
    }
    if *wait < SHORTEST_PLAUSIBLE && unit == Unit::Ms && *wait > Millis::ZERO {
        return Some(format!("{wait} is shorter than a network round trip: it is plausible in seconds only"));
    }
    if *wait > LONGEST_PLAUSIBLE && unit == Unit::S {
        return Some(format!("{wait} is longer than any caller waits: it is plausible in milliseconds only"));
    }
    if *wait > Millis::from_millis(24 * 3_600 * 1_000) && unit == Unit::Ms {
        return Some(format!("{wait} is longer than any caller waits"));
    }
    None
}
