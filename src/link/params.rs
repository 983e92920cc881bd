//! What parameters are bound to: in one call, by all calls of the tree, by the function that takes a callback.
//!
//! In: a function and the place of a parameter. Out: a [`Value`].

use std::rc::Rc;

use super::eval::Eval;
use super::filled::UNFILLED;
use super::index::Unit;
use super::value::{Bound, Env, Frame, Loc, Number, Value};
use crate::facts::FunctionId;
use crate::span::FileId;

impl Eval<'_> {
    /// What a parameter is bound to.
    pub(super) fn param(&self, file: FileId, unit: &Unit, function: FunctionId, index: u32, env: &Env) -> Value {
        match Self::frame_of(env, file, function) {
            Some(frame) if !is_open(frame) => self.param_in(unit, frame, index),
            _ => self.free_param(file, unit, function, index),
        }
    }

    /// What a parameter is bound to in one call.
    pub(super) fn param_in(&self, unit: &Unit, frame: &Rc<Frame>, index: u32) -> Value {
        let Some(param) = unit.facts.function(frame.function).params.get(index as usize) else { return Value::Undefined };
        if param.rest {
            return Value::List(frame.args.get(index as usize..).unwrap_or(&[]).into());
        }
        let named = param
            .name
            .as_deref()
            .and_then(|name| frame.args.iter().find(|arg| matches!(arg, Bound::Named(given, ..) if **given == *name)));
        let given = match named {
            Some(arg) => Some(self.bound(arg)),
            None => self.positional(&frame.args, index as usize),
        };
        let env = Some(frame.clone());
        let default = param.default.map(|expr| Loc { file: frame.file, expr });
        let value = match given {
            None | Some(Value::Undefined) => return default.map_or(Value::Undefined, |default| self.value(default, &env)),
            Some(value) => value,
        };
        let arg = match named.or_else(|| frame.args.get(index as usize)) {
            Some(Bound::Thunk(at, _) | Bound::Named(_, at, _)) => Some(*at),
            _ => None,
        };
        let value = match default {
            Some(default) if value.options().iter().any(|v| matches!(v, Value::Undefined)) => Value::any(
                value.options().iter().map(|v| if matches!(v, Value::Undefined) { self.value(default, &env) } else { v.clone() }),
            ),
            _ => value,
        };
        passed_through(self.or_typed(frame.file, param.ty.as_ref(), value), arg)
    }

    fn positional(&self, args: &[Bound], index: usize) -> Option<Value> {
        let spread = args.iter().position(|arg| matches!(arg, Bound::Spread(..)));
        match spread {
            Some(at) if at <= index => match args.get(at) {
                Some(Bound::Spread(of, env)) => match self.value(*of, env) {
                    Value::List(items) => items.get(index - at).map(|item| self.bound(item)),
                    other => Some(Value::opaque(other.reason().unwrap_or_else(|| "arguments that are spread".into()))),
                },
                _ => None,
            },
            _ => args.get(index).filter(|arg| !matches!(arg, Bound::Named(..))).map(|arg| self.bound(arg)),
        }
    }

    /// What a parameter is bound to by all calls that the tree makes.
    fn free_param(&self, file: FileId, unit: &Unit, function: FunctionId, index: u32) -> Value {
        let Some(param) = unit.facts.function(function).params.get(index as usize) else { return Value::Undefined };
        let key = (file, function);
        if self.is_first_look()
            && let Some(handed) = self.handed(file, unit, function, index)
        {
            return handed;
        }
        if self.is_first_look()
            && let Some(given) = self.given_to_callback(key, unit, index)
        {
            return given;
        }
        // A macro says nothing of what it takes: its uses do.
        let is_macro = || param.ty.is_none() && unit.literal(function).is_none() && self.program.files.modules(file).is_typed();
        let is_left = self.is_first_look() && !is_macro();
        let bound = || {
            let calls = self.calls_of(key);
            let bound =
                calls.iter().flatten().map(|frame| self.as_filled(self.param_in(unit, frame, index), param, frame, index));
            let bound: Vec<Value> = bound.collect();
            bound.into_iter().chain(self.handed(file, unit, function, index)).collect::<Vec<Value>>()
        };
        let is_client = || {
            let typed = param.ty.as_ref().and_then(|ty| self.typed(file, ty));
            matches!(typed, Some(Value::Lib(_)))
        };
        let follow = || self.among_callers(is_client, || self.once(&self.asking, key, bound)).flatten();
        let asked = if is_left { None } else { follow() };
        let Some((values, _)) = asked else {
            let typed = param.ty.as_ref().and_then(|ty| self.typed(file, ty));
            let typed = typed.or_else(|| self.injected(file, unit, function, index));
            return typed.unwrap_or_else(|| Value::opaque("a parameter that is not followed further"));
        };
        let typed = || param.ty.as_ref().and_then(|ty| self.typed(file, ty));
        if values.is_empty() {
            let default = param.default.map(|expr| self.value(Loc { file, expr }, &None));
            let injected = || self.injected(file, unit, function, index);
            return default.or_else(injected).unwrap_or_else(|| {
                let name =
                    param.name.as_deref().map_or_else(|| "a parameter".to_owned(), |name| format!("the parameter `{name}`"));
                let reason = Value::opaque(format!("{name}, {UNFILLED}"));
                typed().map(|typed| typed.known_by_type(reason.reason())).unwrap_or(reason)
            });
        }
        // A call that leaves it out leaves it undefined: the others say nothing for that one.
        let value = Value::any(values);
        if value.is_opaque() {
            typed().map(|typed| typed.known_by_type(value.reason())).unwrap_or(value)
        } else {
            self.or_typed(file, param.ty.as_ref(), value)
        }
    }

    /// What the function of the scanned code that takes a callback gives it.
    fn given_to_callback(&self, key: super::FunctionKey, unit: &Unit, index: u32) -> Option<Value> {
        let (given, _) = self.once(&self.asking, key, || {
            let calls = self.callback_calls(key);
            let given = calls.iter().flatten().map(|frame| self.param_in(unit, frame, index));
            given.filter(|value| !value.is_opaque()).collect::<Vec<Value>>()
        })?;
        (!given.is_empty()).then(|| Value::any(given))
    }
}

/// Whether a frame says only who `this` is.
pub(super) fn is_open(frame: &Frame) -> bool {
    frame.call.is_none() && frame.args.is_empty()
}

/// Notes the argument that a number was passed as.
pub(super) fn passed_through(value: Value, arg: Option<Loc>) -> Value {
    let note = |number: &Number| Number { through: number.through.or(arg), ..*number };
    value.map(|value| match value {
        Value::Number(number) => Value::Number(note(number)),
        Value::Duration(number) => Value::Duration(note(number)),
        Value::Instant(number) => Value::Instant(note(number)),
        Value::Signal(number) => Value::Signal(note(number)),
        other => other.clone(),
    })
}
