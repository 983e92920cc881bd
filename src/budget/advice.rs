//! What to change at one hop, in plain words.
//!
//! In: a [`Verdict`] and a hop. Out: sentences, best first, naming the source place where one is known. Fixes go from the top down, because
//! what is set above decides what is allowed below; the last sentence says so where it matters.

use super::check::{Call, Verdict};
use super::time::Bound;
use super::words::{exact, in_ms, retries, short};

pub(crate) fn of(verdict: &Verdict, at: usize, first_broken: Option<usize>) -> Vec<String> {
    let call = &verdict.calls[at];
    let mut advice = Vec::new();
    if call.broken {
        advice.extend(shorter_try(call));
        advice.extend(fewer_tries(call));
        advice.extend(more_room(verdict, at));
        if first_broken.is_some_and(|first| first < at) {
            advice.push("first mend the calls above: what is set there decides what is allowed here".to_owned());
        }
    } else if call.hop.own_limit().is_unbounded() {
        advice.extend(shorter_try(call).or_else(|| Some(set_to(call, "any time that its caller waits for"))));
    } else if call.inverted {
        advice.push(set_to(call, &format!("less than {}", in_bound(call.granted))));
    }
    advice
}

/// The longest per-try timeout that fits.
fn shorter_try(call: &Call) -> Option<String> {
    match call.max_per_try {
        Some(most) => Some(set_to(call, &format!("{} or less", in_ms(most)))),
        None if call.room().is_unbounded() => None,
        None => {
            let reason = if call.hop.min_useful.is_some_and(|useful| Bound::Finite(useful) > call.allowed) {
                "a useful try is longer than what is allowed".to_owned()
            } else if call.allowed == Bound::ZERO {
                "nothing is left for it".to_owned()
            } else {
                format!("the waits between {} tries leave nothing of {}", call.hang_tries, short(call.room()))
            };
            Some(format!("no per-try timeout fits: {reason}"))
        }
    }
}

fn set_to(call: &Call, value: &str) -> String {
    match (&call.hop.per_try_at, call.hop.per_try) {
        (Some(place), _) => format!("set {} at {} to {value}", place.setting, place.at),
        (None, Bound::Unbounded) => format!("set a per-try timeout of {value}: there is none"),
        (None, now) => format!("set the per-try timeout to {value} (now {})", in_bound(now)),
    }
}

fn in_bound(bound: Bound) -> String {
    bound.finite().map_or_else(|| "none".to_owned(), in_ms)
}

fn fewer_tries(call: &Call) -> Option<String> {
    (1..call.hang_tries).contains(&call.fit).then(|| {
        let (now, fit) = (call.hop.retries, retries(call.fit - 1));
        match &call.hop.retries_at {
            Some(place) => format!("set {} at {} to {} instead of {}", place.setting, place.at, call.fit - 1, call.hop.retries),
            None => format!("make {fit} instead of {now}"),
        }
    })
}

fn more_room(verdict: &Verdict, at: usize) -> Option<String> {
    let call = &verdict.calls[at];
    let needs = call.needs;
    if needs.is_unbounded() {
        return None;
    }
    let room = needs.plus(call.reserve.into());
    if needs > call.hop.total || call.hop.total < call.allowed {
        return Some(format!(
            "give all tries together more than the total of {}: they need {}",
            short(call.hop.total),
            exact(needs)
        ));
    }
    Some(match at.checked_sub(1).map(|above| &verdict.calls[above].hop) {
        Some(above) if above.own_limit() > call.granted => {
            format!("have more time passed on from above: it needs {} and is told of {}", exact(room), short(call.granted))
        }
        None => format!("wait {} at the top instead of {}", exact(room), short(verdict.chain.deadline())),
        Some(above) => match &above.per_try_at {
            Some(place) => format!("set {} at {} to {} or more", place.setting, place.at, in_bound(room)),
            None => format!("give {} {} for a try instead of {}", above.label(), exact(room), short(above.own_limit())),
        },
    })
}
