//! Functions that make the outbound calls in a library's place: `new Client(url, { fetch: (…) => … })`.
//!
//! In: such a function. Out: the limit of the calls inside it; the weakest of them counts.

use super::Judge;
use super::limits::Found;
use crate::facts::FunctionId;
use crate::finding::Verdict;
use crate::link::{Env, Loc, Unit, Value};
use crate::span::FileId;

impl Judge<'_> {
    /// The limit that all outbound calls inside a function have.
    pub(super) fn limited_inside(&self, value: &Value) -> Option<Found> {
        let Value::Function(file, function, outer, this) = value else { return None };
        let unit = self.eval.unit(*file)?;
        let env = self.eval.frame((*file, *function), Vec::new(), this.as_deref().cloned(), None, &None, outer);
        let judged = self.calls_inside(*file, unit, *function, &env);
        let weakest = Self::weakest(judged)?;
        let limit = weakest.limit.filter(|_| weakest.verdict == Verdict::Covered)?;
        Some(Found::Limit(limit.wait, limit.origin, Some(limit.kind)))
    }

    fn calls_inside(&self, file: FileId, unit: &Unit, function: FunctionId, env: &Env) -> Vec<super::verdict::Judgement> {
        let body = unit.facts.function(function).span;
        let inside = unit.facts.calls.iter().filter(|call| body.holds(unit.facts.span(**call)));
        let sends = inside.flat_map(|call| self.sends_at(Loc { file, expr: *call }, env));
        sends.map(|send| self.judgement(&send)).collect()
    }
}
