//! Streams: what reads an answer inside of one reads it when the stream is read.
//!
//! In: a call that takes an answer, or one that reads it. Out: the call that gives the stream, which goes on in the place of the answer. Which
//! calls give streams say `lazy` of the libraries.

use super::followed::Walk;
use crate::facts::{Expr, ExprId};
use crate::link::{Env, Loc, Unit, Value};

impl Walk<'_, '_> {
    /// Whether a call gives a stream of what it is given.
    pub(super) fn is_lazy(&self, call: Loc, callee: ExprId, env: &Env) -> bool {
        let is_it = |value: &Value| match value {
            Value::Lib(lib) => self.judge.catalog().library(lib.library).lazy.contains(&lib.path),
            _ => false,
        };
        self.callee(call.file, callee, env).iter().any(is_it)
    }

    /// The stream in whose body an expression stands, inside of the function that made the call.
    pub(super) fn stream_around(&self, unit: &Unit, at: Loc, env: &Env) -> Option<Loc> {
        let own = (self.call.at.file == at.file).then_some(self.call.at.expr);
        let home = own.and_then(|own| unit.facts.function_of(own)).map(|home| unit.facts.function(home).span);
        let inner = unit.facts.span(at.expr);
        let around = unit.facts.calls.iter().filter_map(|call| match unit.facts.expr(*call) {
            Expr::Call { callee, .. } => Some((*call, *callee)),
            _ => None,
        });
        let around = around.filter(|(call, callee)| {
            let span = unit.facts.span(*call);
            *call != at.expr
                && span.holds(inner)
                && !unit.facts.span(*callee).holds(inner)
                && home.is_none_or(|home| home.holds(span))
        });
        let mut around = around.map(|(call, callee)| (Loc { file: at.file, expr: call }, callee));
        around.find(|(call, callee)| self.is_lazy(*call, *callee, env)).map(|(call, _)| call)
    }
}
