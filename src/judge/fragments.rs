//! Calls that send only when somebody waits for their result: where is one no more than a fragment of another call?
//!
//! In: a call whose library says `lazy`. Out: whether it is given to another call of the library, or put into something that is. What is
//! awaited, chained on, given back or handed to other code is sent.

use super::Judge;
use super::call::{Call, is_callee};
use crate::facts::{Expr, ExprId};
use crate::link::{Loc, Unit, Value};

/// Methods that wait for a result.
const WAITING: [&str; 3] = ["then", "catch", "finally"];

impl Judge<'_> {
    /// Whether a call is but a fragment of another one.
    pub(super) fn is_fragment(&self, call: &Call) -> bool {
        let Some(unit) = self.eval.unit(call.at.file).filter(|_| self.send_rule(call).table.lazy) else { return false };
        self.is_part(call, unit, call.end_at.expr, 0)
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
        self.eval.value(Loc { file: call.at.file, expr: *callee }, &call.env).options().iter().any(|option| match option {
            Value::Lib(lib) => lib.library == call.lib.library,
            Value::Opaque(_) => is_method,
            _ => false,
        })
    }
}
