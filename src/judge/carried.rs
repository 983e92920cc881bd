//! Destinations that an object carries: a request that was made for a URL and is sent elsewhere.
//!
//! In: a call that sends such an object, or an expression that gives one. Out: the parameter that the destination comes from, which makes
//! its function a wrapper. A request that a function makes and hands back is sent by who asked for it.

use super::Judge;
use super::call::Call;
use super::limits::place_of;
use super::target::{Forwarded, Piece, forwards};
use crate::catalog::Role;
use crate::catalog::schema::Level;
use crate::facts::{Expr, Source};
use crate::link::value::{Layer, LibValue};
use crate::link::{Env, Eval, Loc, Value};

/// How far an object is followed back to the name it comes from.
const DEEPEST: u32 = 16;

impl Judge<'_> {
    /// The parameter of the function around a call that is the request it sends.
    pub(super) fn carried(&self, call: &Call) -> Option<Forwarded> {
        let unit = self.eval.unit(call.at.file)?;
        let Expr::Call { callee, .. } = unit.facts.expr(call.at.expr) else { return None };
        let receiver = match unit.facts.expr(*callee) {
            Expr::Member { of, .. } => Some(Loc { file: call.at.file, expr: *of }),
            _ => None,
        };
        call.configs().filter_map(place_of).chain(receiver).find_map(|at| self.request_parameter(at, &call.env, 0))
    }

    /// The parameter that the request was made for that a call sends.
    pub(super) fn made_for(&self, call: &Call) -> Option<Forwarded> {
        call.configs().filter_map(place_of).find_map(|request| self.carried_by(call.at, request, &call.env))
    }

    /// The parameter that the destination of a request comes from, wherever the request is made.
    pub(super) fn carried_by(&self, call: Loc, request: Loc, env: &Env) -> Option<Forwarded> {
        self.request_parameter(request, env, 0).or_else(|| {
            let value = self.eval.value(request, env);
            let made = value.options().iter().filter_map(|option| self.request(option));
            made.filter_map(|lib| self.named_by(lib.layers.iter().rev()))
                .find_map(|(target, env)| forwards(&self.pieces_outward(call, target, &env)))
        })
    }

    /// The destination that a request was made for, with what its names are bound to there.
    pub(super) fn named_by<'l>(&self, mut layers: impl Iterator<Item = &'l Layer>) -> Option<(Loc, Env)> {
        layers.find_map(|layer| {
            let level = self.catalog().library(layer.library).object(layer.object).level;
            let target = layer.roles.get(&Role::Target).and_then(place_of)?;
            (level == Level::Request).then(|| (target, layer.env.clone()))
        })
    }

    /// A destination taken apart, with parameters of the calls around it replaced by what they are given.
    pub(super) fn pieces_outward(&self, call: Loc, at: Loc, env: &Env) -> Vec<Piece> {
        let given = |param: &Forwarded| {
            let frame = Eval::frame_of(env, param.file, param.function).filter(|frame| frame.call.is_some())?;
            Some((frame.args.get(param.index as usize).and_then(place_of), frame.caller.clone()))
        };
        let pieces = self.own_pieces(call, at, &None).into_iter();
        let outward = pieces.flat_map(|piece| match &piece {
            Piece::Param(param) => match given(param) {
                Some((Some(arg), caller)) if param.member.is_none() => self.pieces_outward(call, arg, &caller),
                Some(_) => vec![Piece::Other(format!("{{{}}}", param.name))],
                None => vec![piece],
            },
            _ => vec![piece],
        });
        outward.collect()
    }

    /// The parameter that a request is, through steps that configure it and variables that hold it.
    fn request_parameter(&self, at: Loc, env: &Env, depth: u32) -> Option<Forwarded> {
        let unit = self.eval.unit(at.file)?;
        let here = |expr| Loc { file: at.file, expr };
        if depth > DEEPEST {
            return None;
        }
        match unit.facts.expr(at.expr) {
            Expr::Await(of) | Expr::Through(of) => self.request_parameter(here(*of), env, depth + 1),
            Expr::Call { callee, .. } => match unit.facts.expr(*callee) {
                Expr::Member { of, .. } => self.request_parameter(here(*of), env, depth + 1),
                _ => None,
            },
            Expr::Name(name, scope) => {
                let binding = unit.binding(name, *scope)?;
                match unit.facts.bindings[binding.index()].sources.first()? {
                    Source::Param { function, index, path, .. } if path.is_empty() => {
                        let is_request = || self.eval.value(at, env).options().iter().any(|value| self.request(value).is_some());
                        let free = Eval::frame_of(env, at.file, *function).is_none_or(|frame| frame.call.is_none());
                        (free && is_request()).then(|| Forwarded {
                            file: at.file,
                            function: *function,
                            index: *index,
                            name: name.clone(),
                            member: None,
                        })
                    }
                    Source::Value(value) => self.request_parameter(here(*value), env, depth + 1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A value that is a request: it is sent as a whole, and nothing is read from it.
    fn request<'v>(&self, value: &'v Value) -> Option<&'v LibValue> {
        let Value::Lib(lib) = value else { return None };
        let object = self.catalog().library(lib.library).object(lib.object);
        (lib.path.is_empty() && object.level == Level::Request && object.reads.is_empty()).then_some(lib)
    }
}
