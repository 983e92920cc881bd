//! Values of which one or another counts: `a ?? b`, `a || b`, `c ? a : b`.
//!
//! In: the options. Out: the one that counts where that is known, else all that may.

use super::branches::same;
use super::eval::Eval;
use super::value::{Env, Loc, Number, Value};
use crate::facts::{ClassId, Either, Expr, ExprId};
use crate::finding::Origin;
use crate::span::FileId;

impl Eval<'_> {
    pub(super) fn either(&self, kind: Either, test: Option<Loc>, options: impl Iterator<Item = Loc>, env: &Env) -> Value {
        let mut options = options;
        match kind {
            Either::Choice => {
                let test_at = test;
                let test = test.map(|test| self.value(test, env));
                match test.as_ref().filter(|test| !self.is_enumerated(test)).and_then(truth) {
                    Some(true) => options.next().map_or(Value::Undefined, |first| self.value(first, env)),
                    Some(false) => options.nth(1).map_or(Value::Undefined, |second| self.value(second, env)),
                    None => {
                        let from_env = matches!(test, Some(Value::Env(_) | Value::Parts(_)));
                        let first = options.next().map_or(Value::Undefined, |first| self.value(first, env));
                        let dynamic =
                            matches!(&first, Value::Env(_) | Value::Number(Number { value: None, origin: Origin::Env, .. }));
                        match options.next() {
                            Some(other) if from_env && dynamic => self.or_else(&first, true, || self.value(other, env)),
                            other => {
                                let (not, no) = test_at.and_then(|test| self.told_apart(test, env)).unwrap_or_default();
                                let first = leave_out(first, not.as_ref());
                                let mut others = other.into_iter().chain(options).map(|option| self.value(option, env));
                                let second = others.next().map(|second| leave_out(second, no.as_ref()));
                                at_run_time(Value::any(std::iter::once(first).chain(second).chain(others)))
                            }
                        }
                    }
                }
            }
            Either::And => {
                let first = options.next().map_or(Value::Undefined, |first| self.value(first, env));
                let last = options.last().map_or(Value::Undefined, |last| self.value(last, env));
                match truth(&first) {
                    Some(true) => last,
                    Some(false) => first,
                    None => Value::any([Value::Undefined, last]),
                }
            }
            Either::Or | Either::Coalesce => {
                let mut value = options.next().map_or(Value::Undefined, |first| self.value(first, env));
                for option in options {
                    value = self.or_else(&value, kind == Either::Or, || self.value(option, env));
                }
                value
            }
        }
    }

    /// What a test leaves out of either side, where it compares: `x != MAX` leaves `MAX` out of what counts when it holds.
    fn told_apart(&self, test: Loc, env: &Env) -> Option<(Option<Value>, Option<Value>)> {
        let unit = self.unit(test.file)?;
        let compared = |at: ExprId| match unit.facts.expr(at) {
            Expr::Equal { right, .. } => Some(self.value(Loc { file: test.file, expr: *right }, env)),
            _ => None,
        };
        match unit.facts.expr(test.expr) {
            Expr::Not(of) => Some((compared(*of), None)),
            _ => Some((None, compared(test.expr))),
        }
    }

    /// Whether a value is one of several variants of a type: which of them, and so which arm of a `match` counts, is not known.
    pub(super) fn is_enumerated(&self, value: &Value) -> bool {
        value.options().iter().any(|option| {
            let (file, class) = match option {
                Value::Class(file, class) => (*file, *class),
                Value::Instance(instance) => (instance.file, instance.class),
                _ => return false,
            };
            let is_enum = |file: FileId, class: ClassId| {
                let unit = self.unit(file).filter(|_| self.program.files.modules(file).nest());
                unit.is_some_and(|unit| unit.facts.class(class).fields.iter().any(|field| field.is_static))
            };
            is_enum(file, class) || self.base_class(file, class).is_some_and(|(file, class)| is_enum(file, class))
        })
    }

    /// The value, or another where it is missing (or, with `falsy`, zero, empty or false).
    pub(super) fn or_else(&self, value: &Value, falsy: bool, other: impl Fn() -> Value) -> Value {
        value.map(|value| match value {
            Value::Undefined | Value::Null => other(),
            Value::Env(name) if self.of_texts => self.text_or(name, &other()),
            Value::Env(_) => match other() {
                Value::Text(text) if text.trim().is_empty() => value.clone(),
                fallback => self.env_with_fallback(fallback),
            },
            Value::Number(Number { value: None, origin: Origin::Env, .. })
            | Value::Duration(Number { value: None, origin: Origin::Env, .. }) => self.env_with_fallback(other()),
            Value::Lib(_) if self.is_unlisted(value) => other(),
            Value::Opaque(_) => {
                let other = other();
                let is_number = other.options().iter().all(|option| matches!(option, Value::Number(_) | Value::Duration(_)));
                if is_number { other } else { Value::any([value.clone(), other]) }
            }
            known if falsy && truth(known) == Some(false) => other(),
            known => known.clone(),
        })
    }

    /// Whether a value is a member of something global that no rule lists.
    pub(super) fn is_unlisted(&self, value: &Value) -> bool {
        matches!(value, Value::Lib(lib) if lib.is_unlisted(self.program.catalog))
    }

    fn env_with_fallback(&self, fallback: Value) -> Value {
        fallback.map(|fallback| match fallback {
            Value::Number(number) => Value::Number(Number { origin: Origin::Env, ..*number }),
            Value::Duration(number) => Value::Duration(Number { origin: Origin::Env, ..*number }),
            Value::Text(text) => match text.trim().parse::<f64>() {
                Ok(value) => Value::Number(Number { value: Some(value), origin: Origin::Env, through: None, hint: None }),
                Err(_) => fallback.clone(),
            },
            other => other.clone(),
        })
    }
}

/// Whether a value counts as true, if that is known.
pub fn truth(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Bool(value) => *value,
        Value::Null | Value::Undefined => false,
        Value::Number(number) => number.value? != 0.0,
        Value::Text(text) => !text.is_empty(),
        Value::Object(_)
        | Value::List(_)
        | Value::Function(..)
        | Value::Class(..)
        | Value::Instance(_)
        | Value::Lib(_)
        | Value::Signal(_)
        | Value::AnySignal(_)
        | Value::Canceller { .. } => true,
        Value::Any(options) => {
            let first = truth(options.first()?)?;
            return options.iter().all(|option| truth(option) == Some(first)).then_some(first);
        }
        _ => return None,
    })
}

/// Whether something of a value is known at run time alone.
fn is_open(value: &Value) -> bool {
    value.options().iter().any(|option| match option {
        Value::Opaque(_) | Value::Env(_) => true,
        Value::Number(number) | Value::Duration(number) => number.value.is_none(),
        _ => false,
    })
}

/// A value without what it is known not to be, where that is one of several that the program chooses from when it runs.
fn leave_out(value: Value, not: Option<&Value>) -> Value {
    let Some(not) = not.filter(|_| is_open(&value)) else { return value };
    let is_it = |option: &&Value| !matches!(same(option, not, false), Some(true));
    Value::any(value.options().iter().filter(is_it).cloned())
}

impl Eval<'_> {
    /// What calls of one method on several objects give, without "none" where one of them gives what is known when the program runs alone.
    pub(super) fn called_on_several(&self, value: Value, file: FileId) -> Value {
        let is_one = value.options().len() < 2 || !self.program.files.modules(file).nest();
        if is_one || !is_open(&value) { value } else { at_run_time(value.present()) }
    }
}

/// A choice whose "never" is one outcome beside others that the program finds when it runs: how long it is, is known then alone.
fn at_run_time(value: Value) -> Value {
    if !is_open(&value) {
        return value;
    }
    value.map(|option| match option {
        Value::Duration(number) if number.value == Some(f64::INFINITY) => Value::Duration(Number::dynamic()),
        other => other.clone(),
    })
}
