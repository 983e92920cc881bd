//! Calls that send only when somebody waits for their result: where is one no more than a fragment of another call?
//!
//! In: a call. Out: whether it is but a part of another one. Of an object whose library says `sent`, what is an argument of the library's own
//! calls; of a call whose library says `lazy`, also what is put into something, unless it is awaited, chained on, given back or handed to
//! other code.

use super::Judge;
use super::call::{Call, is_callee};
use crate::catalog::LibraryId;
use crate::catalog::schema::Sent;
use crate::facts::{Expr, ExprId};
use crate::link::{Loc, Unit, Value};

/// Methods that wait for a result.
const WAITING: [&str; 3] = ["then", "catch", "finally"];

impl Judge<'_> {
    /// Whether a call is but a fragment of another one.
    pub(super) fn is_fragment(&self, unit: &Unit, call: &Call) -> bool {
        let by_object = match self.catalog().library(call.end.library).object(call.end.object).sent {
            Sent::Always => false,
            Sent::Never => true,
            Sent::Alone => self.is_argument(call, unit),
        };
        by_object || self.send_rule(call).table.lazy && self.is_part(call, unit, call.end_at.expr, 0)
    }

    /// Whether what a call gives is an argument of a call of its library, also inside a list.
    fn is_argument(&self, call: &Call, unit: &Unit) -> bool {
        let mut at = call.end_at.expr;
        while let Some(parent) = unit.facts.parent(at) {
            match unit.facts.expr(parent) {
                Expr::Through(_) | Expr::List(_) => at = parent,
                Expr::Call { callee, .. } if *callee != at => {
                    return self.called(call, *callee).options().iter().any(|taker| is_of(taker, call.end.library));
                }
                _ => return false,
            }
        }
        false
    }

    fn is_part(&self, call: &Call, unit: &Unit, mut at: ExprId, depth: u32) -> bool {
        while let Some(parent) = unit.facts.parent(at) {
            match unit.facts.expr(parent) {
                Expr::Await(_) => return false,
                Expr::Member { name, .. } if WAITING.contains(&&**name) => return false,
                Expr::Object { .. } | Expr::Join(_) | Expr::Binary { .. } => return true,
                Expr::Call { .. } if !is_callee(unit, parent, at) => return self.is_given(call, unit, parent),
                _ => at = parent,
            }
        }
        let Some(binding) = unit.bound_to(at).filter(|_| depth < 3) else { return false };
        let uses = unit.uses(binding);
        !uses.is_empty() && uses.iter().all(|used| self.is_part(call, unit, *used, depth + 1))
    }

    /// Whether another call takes it as a fragment: one of the same library, or a method of something that is not known.
    fn is_given(&self, call: &Call, unit: &Unit, to: ExprId) -> bool {
        let Expr::Call { callee, .. } = unit.facts.expr(to) else { return false };
        let is_method = matches!(unit.facts.expr(*callee), Expr::Member { .. });
        let is_unknown = |taker: &Value| is_method && matches!(taker, Value::Opaque(_));
        self.called(call, *callee).options().iter().any(|taker| is_of(taker, call.lib.library) || is_unknown(taker))
    }

    /// What is called with a call's result as an argument.
    fn called(&self, call: &Call, callee: ExprId) -> Value {
        self.eval.value(Loc { file: call.at.file, expr: callee }, &call.env)
    }
}

/// Whether a value is of a library.
fn is_of(value: &Value, library: LibraryId) -> bool {
    matches!(value, Value::Lib(lib) if lib.library == library)
}
