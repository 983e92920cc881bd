//! What is passed over in a call, because a test there is known to go the other way: `if (timeout) { … }` where no timeout is given.
//!
//! In: a place in the code, and what the names around it are bound to. Out: whether it is passed over for sure. A test that is not
//! known, or that asks for the very name whose value depends on it, passes over nothing.

use std::cell::Cell;

use super::choice::truth;
use super::eval::Eval;
use super::index::Unit;
use super::value::{Env, Loc, Value};
use crate::facts::{BindingId, Either, Expr, ExprId, Source};
use crate::span::{FileId, Span};

/// What is said of a test that is not known.
const CONDITION: &str = "a condition";

impl Eval<'_> {
    /// Whether code is passed over in the calls around it.
    pub fn is_passed_over(&self, at: Loc, env: &Env) -> bool {
        self.unit(at.file).is_some_and(|unit| self.is_kept_out(unit, at, None, env) || self.is_not_chosen(unit, at, env))
    }

    /// The sources of a name without those that are passed over; counts these.
    pub(super) fn sources_taken<'s>(
        &'s self,
        (file, id): (FileId, BindingId),
        unit: &'s Unit,
        env: &'s Env,
        left_out: &'s Cell<usize>,
    ) -> impl Iterator<Item = &'s Source> {
        let binding = &unit.facts.bindings[id.index()];
        binding.sources.iter().filter(move |source| {
            let Source::Value(value) = source else { return true };
            let is_out = self.is_unwritten((file, id), unit, *value, env);
            left_out.set(left_out.get() + usize::from(is_out));
            !is_out
        })
    }

    /// Whether a value that is given to a name, or to a member of it, is passed over.
    pub(super) fn is_unwritten(&self, (file, id): (FileId, BindingId), unit: &Unit, value: ExprId, env: &Env) -> bool {
        let binding = &unit.facts.bindings[id.index()];
        // What stands in the scope of the name itself stands in no branch of it.
        unit.facts.expr_scopes[value.index()] != binding.scope
            && self.is_kept_out(unit, Loc { file, expr: value }, Some(binding.span), env)
    }

    /// Whether a statement around code runs the other branch, or one before it leaves. Of those that also hold `since` nothing is asked.
    fn is_kept_out(&self, unit: &Unit, at: Loc, since: Option<Span>, env: &Env) -> bool {
        let code = unit.facts.span(at.expr);
        unit.facts.branches.iter().any(|branch| {
            let keeps_out = match branch.keeps_out(code) {
                Some(outcome) if since.is_none_or(|since| branch.keeps_out(since).is_none()) => outcome,
                Some(_) => return false,
                None => {
                    let follows =
                        branch.leaves && branch.end() <= code.start && since.is_none_or(|since| since.end <= branch.yes.start);
                    if !follows || !is_within(unit, at.expr, branch.scope) {
                        return false;
                    }
                    true
                }
            };
            self.test_of(Loc { file: at.file, expr: branch.test }, env) == Some(keeps_out)
        })
    }

    /// Whether an expression around another one takes the other option.
    fn is_not_chosen(&self, unit: &Unit, at: Loc, env: &Env) -> bool {
        let mut inner = at.expr;
        while let Some(around) = unit.facts.parent(inner) {
            if let Expr::Either { kind, test, options } = unit.facts.expr(around)
                && let Some(nth) = options.iter().position(|option| *option == inner)
            {
                let asked = match kind {
                    Either::Choice => test.map(|test| (test, nth > 0)),
                    Either::And if nth > 0 => Some((options[0], false)),
                    Either::And | Either::Or | Either::Coalesce => None,
                };
                if asked.is_some_and(|(test, out)| self.test_of(Loc { file: at.file, expr: test }, env) == Some(out)) {
                    return true;
                }
            }
            inner = around;
        }
        false
    }

    /// How a test ends, if that is known without what depends on it.
    pub fn test_of(&self, test: Loc, env: &Env) -> Option<bool> {
        let mut outcome = None;
        let whole = self.uncut(|| {
            let value = self.value(test, env);
            outcome = truth(&value).filter(|_| !self.is_enumerated(&value));
        });
        outcome.filter(|_| whole)
    }
}

/// Whether an expression stands in a scope, or in one inside of it.
fn is_within(unit: &Unit, expr: ExprId, scope: crate::facts::ScopeId) -> bool {
    let mut at = Some(unit.facts.expr_scopes[expr.index()]);
    while let Some(around) = at {
        if around == scope {
            return true;
        }
        at = unit.facts.scopes[around.index()].parent;
    }
    false
}

/// `!value`.
pub(super) fn not(value: &Value) -> Value {
    truth(value).map_or_else(|| Value::opaque(CONDITION), |known| Value::Bool(!known))
}

/// `left === right`.
pub(super) fn equal(left: &Value, right: &Value, loose: bool) -> Value {
    let mut known = None;
    for left in left.options() {
        for right in right.options() {
            let same = same(left, right, loose);
            if same.is_none() || known.is_some_and(|known| Some(known) != same) {
                return Value::opaque(CONDITION);
            }
            known = same;
        }
    }
    known.map_or_else(|| Value::opaque(CONDITION), Value::Bool)
}

/// Whether two values are the same, if both are known well enough.
pub(super) fn same(left: &Value, right: &Value, loose: bool) -> Option<bool> {
    let is_missing = |value: &Value| matches!(value, Value::Null | Value::Undefined);
    match (left, right) {
        (Value::Null, Value::Null) | (Value::Undefined, Value::Undefined) => Some(true),
        (left, right) if is_missing(left) && is_missing(right) => Some(loose),
        (missing, other) | (other, missing) if is_missing(missing) => match other {
            Value::Bool(_) | Value::Text(_) => Some(false),
            other => truth(other).filter(|is_there| *is_there).map(|_| false),
        },
        (Value::Bool(left), Value::Bool(right)) => Some(left == right),
        (Value::Text(left), Value::Text(right)) => Some(left == right),
        (Value::Instance(one), Value::Class(file, class)) if (one.file, one.class) == (*file, *class) => Some(true),
        (Value::Number(left), Value::Number(right)) | (Value::Duration(left), Value::Duration(right)) => {
            Some(left.value? == right.value?)
        }
        _ if loose => None,
        (Value::Bool(_), other) | (other, Value::Bool(_)) => match other {
            Value::Text(_) | Value::Number(_) | Value::Object(_) | Value::List(_) | Value::Function(..) => Some(false),
            _ => None,
        },
        _ => None,
    }
}
