//! Functions that are put in place of a client's own method: `db.query = async (…args) => before(…args)`.
//!
//! In: an outbound call. Out: whether it stands in such a function. Then who calls the method makes the call: it is counted there.

use super::Judge;
use super::call::Call;
use crate::facts::{ExprId, FunctionId, Step};
use crate::link::{Loc, Unit, Value};

impl Judge<'_> {
    /// Whether a call stands in a function that is put in place of the method that it calls.
    pub(super) fn is_in_override(&self, call: &Call) -> bool {
        let (Some(unit), Some(method)) = (self.eval.unit(call.at.file), call.lib.path.last()) else { return false };
        let mut around = unit.facts.function_of(call.at.expr);
        while let Some(function) = around {
            if self.is_put_in_place(call, unit, function, method) {
                return true;
            }
            around = unit.around(function);
        }
        false
    }

    fn is_put_in_place(&self, call: &Call, unit: &Unit, function: FunctionId, method: &str) -> bool {
        let Some(literal) = unit.literal(function) else { return false };
        let span = unit.facts.span(literal);
        let is_named = |path: &[Step]| matches!(path.last(), Some(Step::Name(name)) if **name == *method);
        let mut writes = unit.facts.writes.iter().filter(|write| is_named(&write.path) && write.span.holds(span));
        writes.any(|write| self.is_value_of(unit, write.value, literal) && self.is_of_library(call, write.root))
    }

    /// Whether an expression is a value, as it is or under another type.
    fn is_value_of(&self, unit: &Unit, mut at: ExprId, value: ExprId) -> bool {
        loop {
            match unit.facts.expr(at) {
                _ if at == value => return true,
                crate::facts::Expr::Through(of) => at = *of,
                _ => return false,
            }
        }
    }

    fn is_of_library(&self, call: &Call, root: ExprId) -> bool {
        let value = self.eval.value(Loc { file: call.at.file, expr: root }, &None);
        value.options().iter().any(|option| matches!(option, Value::Lib(lib) if lib.library == call.lib.library))
    }
}
