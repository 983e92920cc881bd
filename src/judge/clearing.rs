//! When the timer of a call is set and cleared: is it still running while the body is read?
//!
//! In: a call and a timer that ends it. Out: [`Cleared`]. Where a clear stands in the text says when it runs: on the way to the body, on a
//! way out, finally, or when the answer begins.

use super::Judge;
use super::call::{Call, method_call};
use super::reads::leaves_pending;
use super::signals::Timer;
use crate::catalog::schema::Is;
use crate::facts::{BindingId, Expr, ExprId, JumpKind, Source};
use crate::link::{Loc, Op, Unit};
use crate::span::Span;

/// Methods that wait for nothing more of an answer.
const DROPPING: [&str; 2] = ["resume", "destroy"];

/// When a timer is cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cleared {
    /// Before the call is made.
    Before,
    /// After the headers and before the body is read.
    AtHeaders,
    /// When all is read, or never.
    After,
}

impl Judge<'_> {
    /// Whether a timer is set only after a call was waited for.
    pub(super) fn starts_late(&self, call: &Call, timer: &Timer) -> bool {
        let Some(unit) = self.eval.unit(call.at.file).filter(|_| timer.at.file == call.at.file) else { return false };
        unit.facts.function_of(timer.at.expr) == unit.facts.function_of(call.at.expr)
            && unit.facts.span(timer.at.expr).start > self.span(call).end
            && super::scopes::is_awaited(unit, call.at.expr)
            && !in_one_loop(unit, timer.at.expr, call.at.expr)
    }

    /// When a timer is cleared, seen from a call.
    pub(super) fn cleared(&self, call: &Call, timer: &Timer) -> Cleared {
        let Some(unit) = self.eval.unit(timer.at.file) else { return Cleared::After };
        let binding = self.holder(unit, timer.at);
        let Some(binding) = binding else { return Cleared::After };
        let sent = self.span(call);
        let mut cleared = Cleared::After;
        for used in unit.uses(binding) {
            let Some(parent) = unit.facts.parent(*used) else { continue };
            let at = Loc { file: timer.at.file, expr: parent };
            let is_clear = self.eval.op_at(at, &None).is_some_and(|(lib, matched)| {
                matches!(matched.op, Op::Value(rule) if self.catalog().library(lib.library).values[rule].is == Is::Clear)
            });
            if !is_clear {
                continue;
            }
            // Where it stands says when it runs only within one function, and the functions written inside it.
            if timer.at.file != call.at.file || outermost(unit, parent) != outermost(unit, call.at.expr) {
                if self.cleared_by_caller(call, timer, unit, parent) {
                    cleared = Cleared::AtHeaders;
                }
                continue;
            }
            let clear = unit.facts.span(parent);
            let same = unit.facts.function_of(parent) == unit.facts.function_of(call.at.expr);
            let timer_at = unit.facts.span(timer.at.expr);
            if same && clear.start < sent.start && clear.start > timer_at.start {
                return Cleared::Before;
            }
            if let Some(guarded) = guarded_before(unit, clear).filter(|guarded| guarded.holds(sent)) {
                // What is done finally is done before anybody waits for a promise that is given back.
                if leaves_pending(unit, call.at.expr, guarded) {
                    return Cleared::Before;
                }
                if self.reads_later(call) && self.read_pending(call, unit, guarded) {
                    cleared = Cleared::AtHeaders;
                }
            }
            if self.goes_on_with_answer(call, unit, parent) {
                cleared = Cleared::AtHeaders;
            }
            let until = leaves_at(unit, parent);
            if clear.start > sent.start
                && self.reads_later(call)
                && !in_failure(unit, clear)
                && self.read_after(call, clear.start, until)
            {
                cleared = Cleared::AtHeaders;
            }
        }
        cleared
    }

    /// Whether what a function handed out to clear its timer (`{ signal, clear }`) is called after the headers and before the body is read.
    fn cleared_by_caller(&self, call: &Call, timer: &Timer, unit: &Unit, clear: ExprId) -> bool {
        let (Some(set_by), Some(function)) = (timer.set_by, unit.facts.function_of(clear)) else { return false };
        let Some(here) = self.eval.unit(call.at.file).filter(|_| set_by.file == call.at.file && self.reads_later(call)) else {
            return false;
        };
        let of_timer =
            |at: &Loc| at.file == set_by.file && callee_holder(here, at.expr).is_some_and(|of| holds(here, of, set_by.expr));
        let callers = self.eval.callers((timer.at.file, function));
        callers.iter().map(|caller| caller.at).filter(of_timer).any(|at| {
            let place = here.facts.span(at.expr);
            place.start > self.span(call).start && !in_failure(here, place) && self.read_after(call, place.start, None)
        })
    }

    /// Whether an expression stands in a function that a call hands its answer to when that begins, and that goes on with its body.
    fn goes_on_with_answer(&self, call: &Call, unit: &Unit, at: ExprId) -> bool {
        let Some(function) = unit.facts.function_of(at) else { return false };
        let Some(taker) = unit.literal(function).and_then(|literal| unit.facts.parent(literal)) else { return false };
        let listens = || {
            let held = call.bound.filter(|(file, _)| *file == call.at.file);
            let on =
                held.into_iter().flat_map(|(_, binding)| unit.uses(binding)).any(|used| method_call(unit, *used) == Some(taker));
            let Expr::Call { args, .. } = unit.facts.expr(taker) else { return false };
            on && args.first().is_some_and(|arg| matches!(unit.facts.expr(arg.value), Expr::Text(text) if &**text == "response"))
        };
        if self.reads_later(call) || taker != call.at.expr && !listens() {
            return false;
        }
        let reads = |used: &ExprId| match unit.facts.parent(*used).map(|parent| (parent, unit.facts.expr(parent))) {
            Some((member, Expr::Member { of, name })) if of == used => {
                !DROPPING.contains(&&**name) && crate::link::called_as(unit, member).is_some()
            }
            Some((_, Expr::Call { callee, .. })) => callee != used,
            _ => false,
        };
        self.eval.param_bindings(unit, function, 0).iter().any(|answer| unit.uses(*answer).iter().any(reads))
    }
}

/// Whether a loop runs both, so that what stands behind also comes before.
fn in_one_loop(unit: &Unit, a: ExprId, b: ExprId) -> bool {
    let (a, b) = (unit.facts.span(a), unit.facts.span(b));
    unit.facts.loops.iter().any(|repeat| repeat.span.holds(a) && repeat.span.holds(b))
}

/// The variable that a call's callee is, or is a member of.
fn callee_holder(unit: &Unit, call: ExprId) -> Option<BindingId> {
    let Expr::Call { callee, .. } = unit.facts.expr(call) else { return None };
    let mut at = *callee;
    loop {
        match unit.facts.expr(at) {
            Expr::Member { of, .. } | Expr::Through(of) => at = *of,
            Expr::Name(name, scope) => return unit.binding(name, *scope),
            _ => return None,
        }
    }
}

/// Whether a variable holds the value of an expression, or a part of it.
fn holds(unit: &Unit, binding: BindingId, made: ExprId) -> bool {
    unit.facts.bindings[binding.index()].sources.iter().any(|source| match source {
        Source::Value(of) | Source::Part { of, .. } => unit.facts.span(*of).holds(unit.facts.span(made)),
        _ => false,
    })
}

/// The outermost function that an expression stands in.
pub(super) fn outermost(unit: &Unit, at: ExprId) -> Option<crate::facts::FunctionId> {
    let mut found = unit.facts.function_of(at);
    while let Some(around) = found.and_then(|function| unit.literal(function)).and_then(|literal| unit.facts.function_of(literal))
    {
        found = Some(around);
    }
    found
}

/// The block that is guarded by what is done finally at a position.
fn guarded_before(unit: &Unit, span: Span) -> Option<Span> {
    unit.facts.tries.iter().rev().find(|guard| guard.finally.is_some_and(|finally| finally.holds(span))).map(|guard| guard.body)
}

/// The end of the statement behind an expression, in its own block, that leaves the function.
fn leaves_at(unit: &Unit, at: ExprId) -> Option<u32> {
    let (span, scope) = (unit.facts.span(at), unit.facts.expr_scopes[at.index()]);
    let leaving = unit.facts.jumps.iter().find(|jump| {
        matches!(jump.kind, JumpKind::Return | JumpKind::Throw) && jump.scope == scope && jump.span.start >= span.end
    });
    leaving.map(|jump| jump.span.end)
}

/// Whether a position stands in a handler of failures: what is done there is done after the call has failed.
fn in_failure(unit: &Unit, span: crate::span::Span) -> bool {
    unit.facts.tries.iter().any(|guard| guard.handler.is_some_and(|handler| handler.holds(span)))
}
