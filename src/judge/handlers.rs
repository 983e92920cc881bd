//! Limits that only raise an event: does a handler end the request?
//!
//! In: a call whose limit `needs_handler`. Out: the limit as it is, as `wait` where the handler only lets the caller go on, or
//! without effect where nothing listens, or what listens ends nothing.

use super::Judge;
use super::call::{Call, method_call};
use super::limits::{Configured, Found};
use super::{Remark, RemarkKind};
use crate::catalog::Role;
use crate::facts::{Expr, Source};
use crate::limit::LimitKind;
use crate::link::value::{Home, LibValue};
use crate::link::{Loc, Op, Unit, Value};

/// What a handler does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// Nothing that ends the wait.
    Nothing,
    /// The caller goes on.
    Wait,
    /// The request ends.
    Request,
}

impl Judge<'_> {
    /// Settles every limit that needs a handler.
    pub(super) fn check_handlers(&self, call: &Call, out: &mut Configured) {
        if !out.keys.iter().any(|state| state.needs_handler && matches!(state.found, Found::Limit(..))) {
            return;
        }
        let listening = self.listening(call);
        for state in &mut out.keys {
            let Found::Limit(wait, origin, _) = &state.found else { continue };
            if !state.needs_handler {
                continue;
            }
            match listening.map(|(ending, _)| ending) {
                Some(Ending::Request) => {}
                Some(Ending::Wait) => state.found = Found::Limit(*wait, *origin, Some(LimitKind::Wait)),
                heard => {
                    let why = match heard {
                        Some(_) => "its handler does not end the request",
                        None => "no handler ends the request when it fires",
                    };
                    let text = format!("`{}` has no effect: {why}", state.key);
                    out.remarks.push(Remark { kind: RemarkKind::NoEffect, at: state.at, text: text.clone() });
                    state.found = Found::Off(text);
                }
            }
        }
    }

    /// The strongest handler of a call.
    fn listening(&self, call: &Call) -> Option<(Ending, Loc)> {
        let mut best: Option<(Ending, Loc)> = None;
        let mut note = |found: Option<(Ending, Loc)>| {
            if let Some((ending, at)) = found
                && best.is_none_or(|(known, _)| ending > known)
            {
                best = Some((ending, at));
            }
        };
        let unit = self.eval.unit(call.at.file)?;
        let mut at = call.at.expr;
        while let Some(next) = method_call(unit, at) {
            note(self.handler_at(call, Loc { file: call.at.file, expr: next }));
            at = next;
        }
        let homes = call.lib.homes.iter().map(Home::place).filter(|_| !call.lib.layers.is_empty());
        for (file, binding) in self.holders_and_shared(call).into_iter().chain(homes) {
            let Some(unit) = self.eval.unit(file) else { continue };
            for used in unit.uses(binding) {
                let mut at = *used;
                while let Some(next) = method_call(unit, at) {
                    note(self.handler_at(call, Loc { file, expr: next }));
                    at = next;
                }
            }
        }
        best
    }

    fn handler_at(&self, call: &Call, at: Loc) -> Option<(Ending, Loc)> {
        let unit = self.eval.unit(at.file)?;
        let name = unit.call_name(at.expr)?;
        let args = self.eval.args_of(at, &call.env);
        let receiver = self.receiver_object(call, at);
        let on = LibValue { path: vec![name.into()], object: receiver, ..call.end.clone() };
        let library = self.catalog().library(call.end.library);
        let rule = library.handlers.iter().filter(|handler| library.can(receiver, handler.on));
        let roles = rule.filter_map(|handler| self.eval.shapes(&on, &handler.shapes, &on.path, false, &args)).next();
        let roles = match roles {
            Some(roles) => roles,
            None => match self.eval.op(&on, false, &args)? {
                matched if matches!(matched.op, Op::Step(_) | Op::Handler(_)) => matched.roles,
                _ => return None,
            },
        };
        let handler = roles.get(&Role::Handler)?;
        let mut ends = library.object(call.end.object).ends.clone();
        ends.extend(library.object(receiver).ends.iter().cloned());
        let ends = ends.as_slice();
        let place = super::limits::place_of(handler)?;
        if let Expr::Member { name, .. } = self.eval.unit(place.file)?.facts.expr(place.expr)
            && ends.iter().any(|end| **end == **name)
        {
            return Some((Ending::Request, place));
        }
        let ending = match self.eval.bound(handler) {
            Value::Function(file, function, ..) => {
                let unit = self.eval.unit(file)?;
                self.ending_of(unit, function, ends)
            }
            _ => Ending::Nothing,
        };
        Some((ending, place))
    }

    /// The object that a handler is registered on: what came back, or what shares its configuration.
    fn receiver_object(&self, call: &Call, at: Loc) -> crate::catalog::ObjectId {
        let own = || {
            let unit = self.eval.unit(at.file)?;
            let Expr::Call { callee, .. } = unit.facts.expr(at.expr) else { return None };
            let Expr::Member { of, .. } = unit.facts.expr(*callee) else { return None };
            match self.eval.value(Loc { file: at.file, expr: *of }, &call.env) {
                Value::Lib(lib) if lib.library == call.end.library => Some(lib.object),
                _ => None,
            }
        };
        own().unwrap_or(call.end.object)
    }

    /// What a handler does to the request.
    fn ending_of(&self, unit: &Unit, function: crate::facts::FunctionId, ends: &[Box<str>]) -> Ending {
        let span = unit.facts.function(function).span;
        let mut ending = Ending::Nothing;
        for call in unit.facts.calls.iter().filter(|call| span.holds(unit.facts.span(**call))) {
            let Expr::Call { callee, .. } = unit.facts.expr(*call) else { continue };
            match unit.facts.expr(*callee) {
                Expr::Member { name, .. } if ends.iter().any(|end| end.rsplit('.').next() == Some(&**name)) => {
                    return Ending::Request;
                }
                Expr::Name(name, scope) => {
                    let settles = unit.binding(name, *scope).is_some_and(|binding| {
                        unit.facts.bindings[binding.index()].sources.iter().any(|source| {
                            matches!(source, Source::Param { function: owner, .. } if *owner != function && !span.holds(unit.facts.function(*owner).span))
                        })
                    });
                    if settles {
                        ending = ending.max(Ending::Wait);
                    }
                }
                _ => {}
            }
        }
        if ending == Ending::Nothing
            && unit.facts.jumps.iter().any(|jump| jump.kind == crate::facts::JumpKind::Throw && span.holds(jump.span))
        {
            return Ending::Nothing;
        }
        ending
    }
}
