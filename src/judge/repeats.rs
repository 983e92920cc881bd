//! Loops that run a call again after a failure, and how often.
//!
//! In: a call and the function it stands in. Out: [`Enclosure::Retries`]. A loop over the elements of a collection is none, nor is one that a
//! failure of the call leaves.

use super::Judge;
use super::call::Call;
use super::scopes::Enclosure;
use crate::facts::{Expr, ExprId, FunctionId, Jump, JumpKind, Loop, Source, Try};
use crate::limit::Millis;
use crate::link::{Env, Loc, Unit, Value};
use crate::span::FileId;

impl Judge<'_> {
    /// Whether a call may be run again where it stands: it is in a loop, or in a function that is given away.
    pub(super) fn may_repeat(&self, at: Loc) -> bool {
        let Some(unit) = self.eval.unit(at.file) else { return false };
        let span = unit.facts.span(at.expr);
        let is_given = |function: FunctionId| unit.literal(function).is_some_and(|literal| unit.facts.parent(literal).is_some());
        unit.facts.loops.iter().any(|repeat| !repeat.over_items && repeat.span.holds(span))
            || unit.facts.function_of(at.expr).is_some_and(is_given)
    }

    /// Loops around the statement of an expression that run it again after a failure.
    pub(super) fn loops(
        &self,
        unit: &Unit,
        start: Loc,
        expr: ExprId,
        function: FunctionId,
        env: &Env,
        found: &mut Vec<Enclosure>,
    ) {
        let (file, span) = (start.file, unit.facts.span(expr));
        let body = unit.facts.function(function).span;
        for (at, repeat) in unit.facts.loops.iter().enumerate() {
            if !repeat.span.holds(span) || !body.holds(repeat.span) || repeat.over_items {
                continue;
            }
            let leaves = repeat.ends_early
                || unit.facts.jumps.iter().any(|jump| {
                    matches!(jump.kind, JumpKind::Return | JumpKind::Break)
                        && repeat.span.holds(jump.span)
                        && jump.span.end >= span.start
                });
            let guards = |guard: &&Try| guard.handler.is_some() && repeat.span.holds(guard.body) && guard.body.holds(span);
            let guard = unit.facts.tries.iter().rfind(guards);
            // A function that calls itself after a failure does so in its handler.
            let recurs = repeat.span == unit.facts.function(function).body;
            if !leaves || guard.is_none() && (recurs || !unit.facts.tries.is_empty() || fails_out(unit, start, repeat, function))
            {
                continue;
            }
            let (tries, key) = match repeat.count {
                Some(count) => {
                    // What it passes on to itself leads to itself: what others give it counts.
                    let (Some(start), Some(limit)) = (
                        count.start.map_or(Some(0), |start| self.counter(file, start, env, recurs)),
                        self.counter(file, count.limit, env, recurs),
                    ) else {
                        continue;
                    };
                    (limit.saturating_sub(start) + u32::from(count.inclusive), count.limit)
                }
                None if repeat.is_endless
                    && (guard.is_some_and(|guard| goes_on(unit, guard))
                        || repeat.run_again.iter().any(|again| again.holds(unit.facts.span(start.expr)))) =>
                {
                    (u32::MAX, expr)
                }
                None => continue,
            };
            let key = Loc { file, expr: key };
            if tries > 1 && !found.iter().any(|known| matches!(known, Enclosure::Retries { at, .. } if *at == key)) {
                let extra = if tries == u32::MAX { tries } else { tries - 1 };
                found.push(Enclosure::Retries { extra, delay: self.first_pause(unit, file, at, env), at: key });
            }
        }
    }

    /// Leaves out loops that run a call again for failures at hand alone: what times out is waited for later.
    pub(super) fn leave_at_hand(&self, call: &Call, enclosures: &mut Vec<Enclosure>) {
        if !self.send_rule(call).table.fails_at_hand {
            return;
        }
        let is_loop = |at: &Loc| {
            let counts = |repeat: &Loop| repeat.count.is_some_and(|count| count.limit == at.expr);
            *at == call.at || self.eval.unit(at.file).is_some_and(|unit| unit.facts.loops.iter().any(counts))
        };
        enclosures.retain(|enclosure| !matches!(enclosure, Enclosure::Retries { at, .. } if is_loop(at)));
    }

    /// The value of a loop's bound. With `recurs`, of what calls give it those that are known count, else its default.
    fn counter(&self, file: FileId, expr: ExprId, env: &Env, recurs: bool) -> Option<u32> {
        let value = self.eval.value(Loc { file, expr }, env);
        if !recurs {
            return self.whole(&value);
        }
        let known = |value: &&Value| matches!(value, Value::Number(number) if number.value.is_some());
        let default = || {
            let unit = self.eval.unit(file)?;
            let Expr::Name(name, scope) = unit.facts.expr(expr) else { return None };
            let sources = &unit.facts.bindings[unit.binding(name, *scope)?.index()].sources;
            let default = sources.iter().find_map(|source| match source {
                Source::Param { function, index, .. } => unit.facts.function(*function).params.get(*index as usize)?.default,
                _ => None,
            })?;
            self.whole(&self.eval.value(Loc { file, expr: default }, env))
        };
        self.whole(&Value::any(value.options().iter().filter(known).cloned())).or_else(default)
    }

    /// The wait that a retry loop makes between tries, where it can be read.
    fn first_pause(&self, unit: &Unit, file: FileId, repeat: usize, env: &Env) -> Option<Millis> {
        let span = unit.facts.loops[repeat].span;
        // A pause gives nothing: nothing is done with it but to wait for it.
        let is_pause = |call: &&ExprId| span.holds(unit.facts.span(**call)) && is_statement(unit, **call);
        let inside = unit.facts.calls.iter().filter(is_pause);
        let mut sleeps = inside.filter_map(|call| match self.eval.value(Loc { file, expr: *call }, env) {
            Value::Sleep(number) => number.value.and_then(Millis::from_millis_f64),
            _ => None,
        });
        sleeps.next()
    }

    /// A whole number.
    pub(super) fn whole(&self, value: &Value) -> Option<u32> {
        let most = value.options().iter().map(|value| match value {
            Value::Number(number) => number.value,
            _ => None,
        });
        let most = most.collect::<Option<Vec<f64>>>()?.into_iter().fold(0.0_f64, f64::max);
        if most.is_infinite() { Some(u32::MAX) } else { (most >= 0.0).then_some(most as u32) }
    }
}

/// How often enclosures together run again what is in them.
pub(super) fn tries_of(enclosures: &[Enclosure]) -> u64 {
    let tries = enclosures.iter().map(|enclosure| match enclosure {
        Enclosure::Retries { extra, .. } => u64::from(*extra) + 1,
        _ => 1,
    });
    tries.fold(1, u64::saturating_mul)
}

/// Whether a failure of a call leaves the loop around it: `client.get(url).send().await?`.
fn fails_out(unit: &Unit, call: Loc, repeat: &Loop, function: FunctionId) -> bool {
    let span = unit.facts.span(call.expr);
    unit.facts.jumps.iter().any(|jump| {
        jump.kind == JumpKind::Fail
            && repeat.span.holds(jump.span)
            && jump.span.holds(span)
            && unit.facts.scope_function(jump.scope).map(|inner| whole_function(unit, inner))
                == Some(whole_function(unit, function))
    })
}

/// The function that a plain block is a part of; any other function is itself.
fn whole_function(unit: &Unit, function: FunctionId) -> FunctionId {
    let of = unit.facts.function(function);
    match unit.around(function) {
        Some(around) if of.is_block && !of.is_async => whole_function(unit, around),
        _ => function,
    }
}

/// Whether the handler of a failure goes on after it.
fn goes_on(unit: &Unit, guard: &Try) -> bool {
    let leaves = |jump: &Jump| jump.kind != JumpKind::Continue && guard.handler.is_some_and(|handler| handler.holds(jump.span));
    !unit.facts.jumps.iter().any(leaves)
}

/// Whether an expression is a statement of its own, or waited for in one; or a branch of a race.
fn is_statement(unit: &Unit, expr: ExprId) -> bool {
    let mut at = expr;
    while let Some(parent) = unit.facts.parent(at) {
        match unit.facts.expr(parent) {
            Expr::Await(_) | Expr::Through(_) => at = parent,
            Expr::Call { callee, .. } => return *callee != at && at == expr,
            _ => return false,
        }
    }
    unit.bound_to(at).is_none()
}
