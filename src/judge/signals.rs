//! Signals, cancellers and timers: what aborts a call after a time.
//!
//! In: a signal's value, or the variable that holds a request. Out: the limit, or why there is none. The names of timers and
//! cancellers come from the catalog's `[[value]]` rules.

use std::rc::Rc;

use super::Judge;
use super::call::{Call, method_call};
use super::clearing::{Cleared, outermost};
use super::limits::Found;
use crate::catalog::Role;
use crate::catalog::schema::Is;
use crate::facts::{Expr, ExprId};
use crate::finding::Origin;
use crate::limit::{LimitKind, Millis, Unit as TimeUnit};
use crate::link::{Amount, Env, Eval, Loc, Op, Unit, Value, amount_of};
use crate::span::FileId;

/// A timer that was set.
#[derive(Debug, Clone)]
pub(super) struct Timer {
    /// The call that sets it.
    pub at: Loc,
    /// How long it runs.
    pub wait: Option<Millis>,
    /// How that is known.
    pub origin: Origin,
    /// The call of the function that sets it, where that is known.
    pub set_by: Option<Loc>,
    /// The argument that its time was passed as.
    pub through: Option<Loc>,
}

fn not_followed() -> Found {
    Found::Unknown(Rc::from("a signal that is not followed"))
}

impl Judge<'_> {
    /// What a signal says as a limit of a call, and the argument that its time was passed as; a function is run for it, once a call
    /// (`signal: () => AbortSignal.timeout(900)`).
    pub(super) fn signal(&self, call: &Call, value: &Value) -> (Found, Option<Loc>) {
        let found = match value {
            Value::Signal(number) => {
                let found = match amount_of(&Value::Duration(*number), TimeUnit::Ms) {
                    Amount::Finite { wait, origin, .. } => Found::Limit(Some(wait), origin, None),
                    Amount::Zero => Found::Limit(Some(Millis::ZERO), Origin::Constant, None),
                    Amount::Off(why) => Found::Off(why.to_owned()),
                    _ => Found::Limit(None, Origin::Dynamic, None),
                };
                return (found, number.through);
            }
            Value::AnySignal(members) => return self.any_signal(call, members),
            Value::Canceller { made, env, .. } => {
                return self.aborted(call, *made, if env.is_some() { env } else { &call.env });
            }
            Value::Undefined | Value::Null => Found::Sometimes,
            Value::Any(options) => {
                let found: Vec<(Found, Option<Loc>)> = options.iter().map(|value| self.signal(call, value)).collect();
                let off = found.iter().find(|(found, _)| matches!(found, Found::Off(_)));
                return off
                    .or_else(|| found.iter().find(|(found, _)| matches!(found, Found::Unknown(_))))
                    .or_else(|| found.iter().find(|(found, _)| matches!(found, Found::Sometimes)))
                    .or(found.first())
                    .cloned()
                    .unwrap_or((Found::Sometimes, None));
            }
            Value::Opaque(reason) => Found::Unknown(reason.clone()),
            Value::Function(..) => match self.eval.run(value, None, call.at) {
                Value::Function(..) => not_followed(),
                made => return self.signal(call, &made),
            },
            _ => not_followed(),
        };
        (found, None)
    }

    fn any_signal(&self, call: &Call, members: &[Value]) -> (Found, Option<Loc>) {
        let found: Vec<(Found, Option<Loc>)> = members.iter().map(|member| self.signal(call, member)).collect();
        let shortest = found.iter().filter(|(found, _)| matches!(found, Found::Limit(..))).min_by_key(|(found, _)| match found {
            Found::Limit(Some(wait), ..) => wait.as_micros(),
            _ => u64::MAX,
        });
        if let Some(shortest) = shortest {
            return shortest.clone();
        }
        match found.into_iter().find(|(found, _)| matches!(found, Found::Unknown(_))) {
            Some(unknown) => unknown,
            None => (Found::Off("none of its signals is aborted by time".to_owned()), None),
        }
    }

    /// The limit that timers give a canceller.
    fn aborted(&self, call: &Call, made: Loc, env: &Env) -> (Found, Option<Loc>) {
        let never = || (Found::Off("nothing aborts its signal by time".to_owned()), None);
        let (Some(unit), Some(rule)) = (self.eval.unit(made.file), self.eval.canceller_rule(made)) else { return never() };
        let Some(abort) = rule.table.abort.clone() else { return never() };
        let uses = self.holders_of(unit, made);
        let mut best: Option<Timer> = None;
        for used in uses {
            let Some(member) = unit.facts.parent(used) else { continue };
            if !matches!(unit.facts.expr(member), Expr::Member { name, .. } if **name == *abort) {
                continue;
            }
            if let Some(timer) = self.timer_around(made.file, unit, member, env, 0)
                && best.as_ref().is_none_or(|known| timer.wait.unwrap_or(Millis::MAX) < known.wait.unwrap_or(Millis::MAX))
            {
                best = Some(timer);
            }
        }
        let Some(timer) = best else { return never() };
        if self.starts_late(call, &timer) {
            return (Found::Off("its timer starts only after the answer has begun".to_owned()), None);
        }
        let found = match self.cleared(call, &timer) {
            Cleared::Before => Found::Off("its timer is cleared before the wait begins".to_owned()),
            Cleared::AtHeaders => Found::Limit(timer.wait, timer.origin, Some(LimitKind::Headers)),
            Cleared::After => Found::Limit(timer.wait, timer.origin, None),
        };
        (found, timer.through)
    }

    /// Every expression that is the value made by an expression: uses of its variable, or of the field it is put into.
    fn holders_of(&self, unit: &Unit, made: Loc) -> Vec<ExprId> {
        if let Some(binding) = self.holder(unit, made) {
            return unit.uses(binding).to_vec();
        }
        let written = unit.facts.writes.iter().find(|write| write.value == made.expr);
        let written = written.and_then(|write| match write.path.first() {
            Some(crate::facts::Step::Name(field)) => Some(field),
            _ => None,
        });
        let declared = || {
            let mut fields = unit.facts.classes.iter().flat_map(|class| &class.fields);
            fields.find(|field| field.value == Some(made.expr)).map(|field| &field.name)
        };
        let Some(field) = written.or_else(declared) else { return Vec::new() };
        let is_field = |expr: &Expr| matches!(expr, Expr::Member { of, name } if name == field && matches!(unit.facts.expr(*of), Expr::This));
        unit.facts.exprs.iter().enumerate().filter(|(_, expr)| is_field(expr)).map(|(at, _)| ExprId(at as u32)).collect()
    }

    /// The timer whose handler an expression stands in, or is.
    pub(super) fn timer_around(&self, file: FileId, unit: &Unit, expr: ExprId, env: &Env, depth: u32) -> Option<Timer> {
        if depth > 3 {
            return None;
        }
        let mut at = expr;
        while let Some(parent) = unit.facts.parent(at) {
            if matches!(unit.facts.expr(parent), Expr::Call { .. })
                && let Some(timer) = self.timer_at(Loc { file, expr: parent }, at, env)
            {
                return Some(timer);
            }
            at = parent;
        }
        if let Some(binding) = unit.bound_to(at)
            && !matches!(unit.facts.expr(at), Expr::Function(_))
            && at != expr
        {
            return unit.uses(binding).iter().find_map(|used| self.timer_around(file, unit, *used, env, depth + 1));
        }
        let function = unit.facts.function_of(expr)?;
        if let Some(literal) = unit.literal(function) {
            if let Some(parent) = unit.facts.parent(literal)
                && let Some(timer) = self.timer_at(Loc { file, expr: parent }, literal, env)
            {
                return Some(timer);
            }
            if unit.facts.parent(literal).is_some() && unit.bound_to(literal).is_none() {
                return None;
            }
        }
        let binding = self.eval.binding_of(unit, (file, function))?;
        let timers = unit.uses(binding).iter().filter_map(|used| {
            let parent = unit.facts.parent(*used)?;
            self.timer_at(Loc { file, expr: parent }, *used, env)
        });
        timers.min_by_key(|timer| timer.wait.unwrap_or(Millis::MAX))
    }

    /// The timer that a call sets, if `handler` is its handler.
    fn timer_at(&self, at: Loc, handler: ExprId, env: &Env) -> Option<Timer> {
        let (lib, matched) = self.eval.op_at(at, env)?;
        let Op::Value(rule) = matched.op else { return None };
        let rule = &self.catalog().library(lib.library).values[rule];
        if rule.is != Is::Timer {
            return None;
        }
        let given = super::call::role_place(&matched.roles, &Role::Handler)?;
        let unit = self.eval.unit(at.file)?;
        if !unit.facts.span(given.expr).holds(unit.facts.span(handler)) || self.eval.is_passed_over(at, env) {
            return None;
        }
        let number = matched.roles.get(&Role::Limit).map(|limit| self.eval.length(&self.eval.bound(limit), rule.unit));
        Some(Timer {
            at,
            wait: number.and_then(|number| number.value).and_then(Millis::from_millis_f64),
            origin: number
                .map_or(Origin::Constant, |number| if number.value.is_none() { Origin::Dynamic } else { number.origin }),
            through: number.and_then(|number| number.through),
            set_by: outermost(unit, at.expr).and_then(|function| Eval::frame_of(env, at.file, function)?.call),
        })
    }

    /// The timers whose handlers end the request that a variable holds.
    pub(super) fn ending_timers(&self, call: &Call) -> Vec<Timer> {
        let Some((file, binding)) = call.bound else { return Vec::new() };
        let Some(unit) = self.eval.unit(file) else { return Vec::new() };
        let ends = &self.catalog().library(call.end.library).object(call.end.object).ends;
        if ends.is_empty() {
            return Vec::new();
        }
        let ending = unit.uses(binding).iter().filter(|used| self.ends_here(unit, **used, ends));
        ending.filter_map(|used| self.timer_around(file, unit, *used, &call.env, 0)).collect()
    }

    fn ends_here(&self, unit: &Unit, used: ExprId, ends: &[Box<str>]) -> bool {
        let mut path = String::new();
        let mut at = used;
        while let Some(parent) = unit.facts.parent(at) {
            let Expr::Member { name, .. } = unit.facts.expr(parent) else { break };
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
            at = parent;
        }
        ends.iter().any(|end| **end == *path) && (method_call(unit, used).is_some() || unit.facts.parent(at).is_some())
    }
}
