//! Promises that a timer settles, around the calls that are made inside them.
//!
//! In: the call that makes a promise of a function. Out: the limit that the function's own timer puts on whoever waits for the promise.

use super::Judge;
use super::scopes::Enclosure;
use crate::catalog::Role;
use crate::finding::{By, Origin};
use crate::limit::{LimitKind, Millis};
use crate::link::{Loc, Matched, Unit};

impl Judge<'_> {
    /// The limit of a promise whose function settles it after a time.
    pub(super) fn settled_by_time(&self, unit: &Unit, promise: Loc, matched: &Matched) -> Option<Enclosure> {
        let (timer, limit) = self.eval.settling_timer(matched.roles.get(&Role::Work)?)?;
        let wait = limit.value.and_then(Millis::from_millis_f64);
        Some(Enclosure::Limit {
            wait,
            origin: if wait.is_some() { limit.origin } else { Origin::Dynamic },
            kind: LimitKind::Wait,
            by: By::Scope,
            at: timer,
            span: (promise.file, unit.facts.span(promise.expr)),
        })
    }
}
