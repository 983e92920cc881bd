//! Calls of functions through the functions that are made of them: `withLimit(load, 500)` gives one that calls `next(…)`.
//!
//! In: a function. Out: the calls of the parameters that it is given as, where they stand in a function that is given back. What calls
//! its argument itself is no matter of this module: the climb from inside an argument outward says that. A client that a library makes of a
//! function calls it as it is called itself.

use super::FunctionKey;
use super::callers::{CallRef, called_as};
use super::eval::Eval;
use super::index::Unit;
use super::library::Op;
use super::value::{Bound, Loc, Value};
use crate::facts::{BindingId, Expr, ExprId};
use crate::span::FileId;

impl Eval<'_> {
    /// What a function of the scanned code gives for some arguments.
    pub fn result_with(&self, function: &Value, args: impl FnOnce() -> Vec<Bound>) -> Option<Value> {
        let Value::Function(file, key, outer, this) = function else { return None };
        Some(self.invoke((*file, *key), args(), this.as_deref().cloned(), None, &None, outer))
    }

    /// The calls of a function through what is made of it, in its own file and where a factory that gives it is called.
    pub(super) fn called_when_composed(
        &self,
        key: FunctionKey,
        unit: &Unit,
        binding: Option<BindingId>,
        calls: &mut Vec<CallRef>,
    ) {
        for used in binding.map_or(&[][..], |binding| unit.uses(binding)) {
            self.called_in_composition(key.0, unit, *used, calls);
        }
        let Some(factory) = unit.literal(key.1).and_then(|literal| unit.returned_by(literal)) else { return };
        for made in self.callers((key.0, factory)).iter() {
            let Some(other) = self.unit(made.at.file) else { continue };
            self.called_in_composition(made.at.file, other, made.at.expr, calls);
            for used in other.bound_to(made.at.expr).map_or(&[][..], |binding| other.uses(binding)) {
                self.called_in_composition(made.at.file, other, *used, calls);
            }
        }
    }

    /// Whether a call makes a client of its argument that sends when it is called itself: `retry(fetch)`.
    fn sends_by_itself(&self, at: Loc) -> bool {
        let Some((lib, matched)) = self.op_at(at, &None) else { return false };
        let Op::Make(rule) = matched.op else { return false };
        let library = self.program.catalog.library(lib.library);
        let made = library.object_id(&library.makes[rule].gives);
        made.is_some_and(|made| {
            library.sends.iter().any(|send| library.can(made, send.on) && send.shapes.iter().any(|shape| shape.fits(&[])))
        })
    }

    /// The calls of the parameter that an argument becomes, in the functions that its taker gives back.
    fn called_in_composition(&self, file: FileId, unit: &Unit, given: ExprId, calls: &mut Vec<CallRef>) {
        let Some(taker) = unit.facts.parent(given) else { return };
        let Expr::Call { callee, args, .. } = unit.facts.expr(taker) else { return };
        let Some(index) = args.iter().position(|arg| arg.value == given) else { return };
        if self.sends_by_itself(Loc { file, expr: taker }) {
            let held = unit.bound_to(taker).map_or(&[][..], |binding| unit.uses(binding));
            let called = held.iter().chain([&taker]).filter_map(|made| called_as(unit, *made));
            calls.extend(called.map(|call| CallRef { at: Loc { file, expr: call } }));
            return;
        }
        for option in self.value(Loc { file, expr: *callee }, &None).options() {
            let Value::Function(home, helper, ..) = option else { continue };
            let Some(other) = self.unit(*home) else { continue };
            for used in self.param_bindings(other, *helper, index as u32).iter().flat_map(|param| other.uses(*param)) {
                let Some(call) = called_as(other, *used) else { continue };
                let inside = other.facts.function_of(call).filter(|inside| inside != helper);
                let literal = inside.and_then(|inside| other.literal(inside));
                if literal.is_some_and(|literal| other.returned_by(literal) == Some(*helper)) {
                    calls.push(CallRef { at: Loc { file: *home, expr: call } });
                }
            }
        }
    }
}
