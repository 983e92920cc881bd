//! Promises that are made by a function of two callbacks: does a timer settle them?
//!
//! In: the function that such a promise is made with. Out: the timer that it sets for itself, and how long that runs. A timer that is set
//! only when something else has happened is none.

use super::eval::Eval;
use super::index::Unit;
use super::library::Op;
use super::value::{Bound, Loc, Number, Value};
use crate::catalog::Role;
use crate::catalog::schema::Is;
use crate::facts::{Expr, ExprId, Function};

impl Eval<'_> {
    /// The timer that settles a promise, with how long it runs.
    pub fn settling_timer(&self, work: &Bound) -> Option<(Loc, Number)> {
        let Value::Function(file, function, outer, _) = self.bound(work) else { return None };
        let unit = self.unit(file)?;
        let body = unit.facts.function(function);
        let (call, caller) = match work {
            Bound::Thunk(_, env) => (None, env.clone()),
            _ => (None, None),
        };
        let args = vec![Bound::Value(Value::opaque("a promise")); 2];
        let env = self.frame((file, function), args, None, call, &caller, &outer);
        let own = unit.facts.calls.iter().copied().filter(|call| unit.facts.function_of(*call) == Some(function));
        own.filter_map(|call| {
            let at = Loc { file, expr: call };
            let (lib, matched) = self.op_at(at, &env)?;
            let Op::Value(rule) = matched.op else { return None };
            let rule = &self.program.catalog.library(lib.library).values[rule];
            let Some(Bound::Thunk(handler, _)) = matched.roles.get(&Role::Handler).filter(|_| rule.is == Is::Timer) else {
                return None;
            };
            let limit = || matched.roles.get(&Role::Limit).map(|bound| self.length(&self.bound(bound), rule.unit));
            settles(unit, body, handler.expr).then(|| (at, limit().unwrap_or(Number::dynamic())))
        })
        .next()
    }
}

/// Whether a handler settles the promise of a function: it is one of its callbacks, or calls one.
fn settles(unit: &Unit, body: &Function, handler: ExprId) -> bool {
    let is_callback = |at: ExprId| match unit.facts.expr(at) {
        Expr::Name(name, _) => body.params.iter().any(|param| param.name.as_deref() == Some(&**name)),
        _ => false,
    };
    let Expr::Function(handler) = unit.facts.expr(handler) else { return is_callback(handler) };
    let span = unit.facts.function(*handler).span;
    unit.facts.calls.iter().any(|call| match unit.facts.expr(*call) {
        Expr::Call { callee, .. } => span.holds(unit.facts.span(*call)) && is_callback(*callee),
        _ => false,
    })
}
