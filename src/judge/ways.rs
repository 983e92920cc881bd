//! Which steps of a builder are taken on some ways through the code only: `if flag { builder = builder.timeout(limit); }`.
//!
//! In: a step, and the calls that make and use what it configures. Out: whether the step may be left out. A test that is known, a limit
//! taken out of an `Option`, and the arms of a `match` leave nothing out here.

use super::Judge;
use super::call::Call;
use super::placed::Placed;
use crate::facts::{BindingId, Branch, Expr, ExprId};
use crate::link::value::Rule;
use crate::link::{Env, Loc, Unit};
use crate::span::{FileId, Span};

impl Judge<'_> {
    /// Marks the steps that may be left out. `at`: the call that they are read for.
    pub(super) fn mark_ways(&self, placed: &mut [Placed], at: Loc) {
        let is_step = |one: &Placed| matches!(one.layer.rule, Rule::Step(_));
        if !placed.iter().any(is_step) || !self.program().files.modules(at.file).is_typed() {
            return;
        }
        let uses: Vec<Loc> = placed.iter().filter(|one| !is_step(one)).map(|one| one.layer.at).chain([at]).collect();
        for one in placed.iter_mut().filter(|one| is_step(one)) {
            let unit = self.eval.unit(one.layer.at.file);
            let declared = unit.and_then(|unit| declared_at(unit, one.layer.at.expr));
            one.some_ways = declared.is_some_and(|declared| self.may_be_left_out(one.layer.at, declared, &one.layer.env, &uses));
        }
    }

    /// Whether a write to a member of the object in a variable may be left out before a call.
    pub(super) fn may_be_unwritten(&self, value: Loc, variable: (FileId, BindingId), env: &Env, call: &Call) -> bool {
        if variable.0 != value.file || !self.program().files.modules(value.file).is_typed() {
            return false;
        }
        let Some(unit) = self.eval.unit(value.file) else { return false };
        let declared = unit.facts.bindings[variable.1.index()].span;
        self.may_be_left_out(value, declared, env, &[call.at])
    }

    fn may_be_left_out(&self, step: Loc, declared: Span, env: &Env, uses: &[Loc]) -> bool {
        let Some(unit) = self.eval.unit(step.file) else { return false };
        let code = unit.facts.span(step.expr);
        let mut around = unit.facts.branches.iter().filter(|branch| branch.keeps_out(code).is_some());
        around.any(|branch| {
            let side = |span: Span| branch.keeps_out(span);
            side(declared).is_none()
                && !uses.iter().any(|at| at.file == step.file && side(unit.facts.span(at.expr)) == side(code))
                && !is_on_both_sides(unit, branch, step.expr)
                && self.eval.test_of(Loc { file: step.file, expr: branch.test }, env).is_none()
        })
    }
}

/// Where the variable is declared that a chain of calls begins with.
fn declared_at(unit: &Unit, chain: ExprId) -> Option<Span> {
    let mut at = chain;
    loop {
        at = match unit.facts.expr(at) {
            Expr::Call { callee, .. } => *callee,
            Expr::Member { of, .. } | Expr::Await(of) | Expr::Through(of) => *of,
            Expr::Name(name, scope) => {
                let binding = unit.binding(name, *scope)?;
                return Some(unit.facts.bindings[binding.index()].span);
            }
            _ => return None,
        };
    }
}

/// Whether the other side of a branch calls a method of the same name.
fn is_on_both_sides(unit: &Unit, branch: &Branch, step: ExprId) -> bool {
    let (Some(no), Some(name)) = (branch.no, unit.call_name(step)) else { return false };
    let other = if branch.yes.holds(unit.facts.span(step)) { no } else { branch.yes };
    unit.facts.calls.iter().any(|call| other.holds(unit.facts.span(*call)) && unit.call_name(*call) == Some(name))
}
