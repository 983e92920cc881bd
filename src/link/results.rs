//! Functions whose result is known: `Number(x)`, `Duration::from_secs(x)`, `Object.assign(a, b)`, `option.unwrap_or(x)`.
//!
//! In: the rule and its arguments. Out: a [`Value`].

use std::rc::Rc;

use super::call::is_path;
use super::eval::Eval;
use super::number::{duration_text, number};
use super::texts::is_text;
use super::value::{Bound, Env, Hint, LibValue, Loc, Number, Object, Part, Through, Value};
use crate::catalog::schema::Is;
use crate::catalog::{LibraryId, Role, ValueRule};
use crate::facts::Binary;
use crate::finding::Origin;
use crate::limit::Unit as TimeUnit;
use crate::span::FileId;

impl Eval<'_> {
    /// What a method gives that works on any value.
    pub(super) fn method_of_any(&self, receiver: &Value, name: &str, args: &[Bound], at: Loc) -> Option<Value> {
        let catalog = self.program.catalog;
        let rules = catalog.common(self.program.files.family(at.file))?.methods.get(name)?;
        let names_a_class = |value: &Value| is_path(value) && self.program.files.modules(at.file).nest();
        if receiver.options().iter().any(|value| names_a_class(value) || self.has_method(value, name, args)) {
            return None;
        }
        let path = [Box::from(name)];
        let is_collection = receiver.options().iter().any(Value::is_collection);
        rules.iter().find_map(|(id, rule)| {
            let dummy = LibValue::module(*id, at.file, "");
            let known = &catalog.library(*id).values[*rule];
            let begins = known.table.begins && receiver.options().iter().all(Value::is_opaque);
            if known.is.of_collections() && !is_collection && !begins {
                return None;
            }
            let roles = self.shapes(&dummy, &known.shapes, &path, false, args)?;
            Some(self.known_result((*id, *rule), &roles, Some(receiver), at, &None, name))
        })
    }

    /// The rules of methods by a name that work on any value.
    pub(super) fn rules_of_any(&self, file: FileId, name: &str) -> impl Iterator<Item = &ValueRule> {
        let catalog = self.program.catalog;
        let common = catalog.common(self.program.files.family(file));
        let rules = common.and_then(|common| common.methods.get(name)).map_or(&[][..], Vec::as_slice);
        rules.iter().map(|(id, rule)| &catalog.library(*id).values[*rule])
    }

    /// Whether a method of that name gives what it is called on: as it is, or what is in it.
    pub fn gives_itself(&self, file: FileId, name: &str) -> bool {
        self.rules_of_any(file, name).any(|rule| matches!(rule.is, Is::Same | Is::OrElse))
    }

    /// Whether a method of that name gives what its argument makes of what it is called on.
    pub(super) fn is_applied(&self, file: FileId, name: &str) -> bool {
        self.rules_of_any(file, name).any(|rule| rule.is == Is::Apply)
    }

    /// Whether a value has a method of its own.
    fn has_method(&self, value: &Value, name: &str, args: &[Bound]) -> bool {
        match value {
            Value::Lib(lib) => {
                let mut next = (**lib).clone();
                next.path.push(name.into());
                self.op(&next, false, args).is_some()
            }
            Value::Instance(instance) => {
                let class = (instance.file, instance.class);
                let lent = || self.lending(instance, class).is_some_and(|inner| self.has_method(&inner, name, args));
                self.line(class.0, class.1).into_iter().any(|class| self.method(class, name).is_some()) || lent()
            }
            Value::Class(file, class) => self.method((*file, *class), name).is_some(),
            Value::Module(_) | Value::Inner(..) | Value::Object(_) => {
                !matches!(self.member(value, name, &None), Value::Undefined | Value::Opaque(_))
            }
            _ => false,
        }
    }

    /// The result of a function that the catalog knows.
    pub(super) fn known_result(
        &self,
        (library, rule): (LibraryId, usize),
        roles: &super::Roles,
        receiver: Option<&Value>,
        at: Loc,
        env: &Env,
        name: &str,
    ) -> Value {
        let rule = &self.program.catalog.library(library).values[rule];
        let argument = || roles.get(&Role::Value).map(|bound| self.bound(bound));
        let value = || argument().or_else(|| receiver.cloned()).unwrap_or(Value::Undefined);
        if let Some(value) = rule.table.stands_for {
            let number = Number::constant(value);
            return if rule.is == Is::Duration { Value::Duration(number) } else { Value::Number(number) };
        }
        let limit = |role: &Role| roles.get(role).map_or(Number::dynamic(), |bound| self.length(&self.bound(bound), rule.unit));
        match rule.is {
            Is::Number => value().map(|value| if self.of_texts && is_text(value) { value.clone() } else { as_number(value) }),
            Is::Same => value(),
            Is::Instance => value().map(super::providers::instance_of),
            Is::Result => value().map(|value| self.run(value, receiver, at)),
            Is::Merge => {
                let parts = roles.all(&Role::Value).map(|bound| Part::Merge(self.bound(bound))).collect();
                Value::Object(Rc::new(Object { parts, at }))
            }
            Is::Defaults => {
                let mut parts: Vec<Part> = roles.all(&Role::Value).map(|bound| Part::Merge(self.bound(bound))).collect();
                parts.reverse();
                Value::Object(Rc::new(Object { parts, at }))
            }
            Is::Duration => {
                let whole = value().map(|value| Value::Duration(self.length(value, rule.unit)));
                let part = rule.table.part.zip(roles.all(&Role::Value).nth(1));
                part.map_or(whole.clone(), |(per, part)| {
                    let scale = Value::Number(Number::constant(per));
                    let part = self.arithmetic(Binary::Mul, &self.bound(part), &scale);
                    self.arithmetic(Binary::Add, &whole, &part.map(|part| Value::Duration(self.length(part, rule.unit))))
                })
            }
            Is::Apply => match (argument(), receiver) {
                (Some(function), Some(receiver)) => receiver.map(|receiver| {
                    let each = self.each_of(receiver, true);
                    let applied = function.map(|function| self.apply(function, each.as_ref().unwrap_or(receiver), at));
                    if each.is_some() {
                        Value::Elements(Rc::new(applied), Through { keyed: false, begun: true })
                    } else {
                        applied
                    }
                }),
                _ => Value::Undefined,
            },
            Is::Element | Is::Elements | Is::Numbered | Is::Values => {
                receiver.unwrap_or(&Value::Undefined).map(|collection| self.of_collection(rule.is, collection))
            }
            Is::OrElse => {
                let receiver = receiver.cloned().unwrap_or(Value::Undefined);
                let other = || argument().map_or(Value::Undefined, |other| other.map(|other| self.run(other, None, at)));
                self.or_else(&receiver, false, other)
            }
            Is::Now => Value::Instant(Number::constant(0.0)),
            Is::Time => argument().or_else(|| receiver.cloned()).unwrap_or(Value::Instant(Number::constant(0.0))),
            Is::Move => value(),
            Is::Env => {
                let variable = match argument() {
                    Some(Value::Text(text)) => Value::Env(text),
                    Some(_) => Value::Env("?".into()),
                    None => Value::Env(name.into()),
                };
                let fallback = roles.all(&Role::Value).nth(1).map(|bound| self.bound(bound));
                match fallback.filter(|value| !matches!(value, Value::Object(_))) {
                    Some(fallback) => self.or_else(&variable, false, || fallback.clone()),
                    None => variable,
                }
            }
            Is::Signal => Value::Signal(limit(&Role::Limit)),
            Is::SignalAny => match value() {
                Value::List(items) => Value::AnySignal(items.iter().map(|item| self.bound(item)).collect()),
                other => other,
            },
            Is::Canceller => Value::Canceller { made: at, env: env.clone(), is_signal: false },
            Is::Sleep if roles.get(&Role::Limit).is_none() => Value::Sleep(limit(&Role::Deadline)),
            Is::Sleep => Value::Sleep(limit(&Role::Limit)),
            Is::Timer => Value::Timer(at),
            Is::Clear => Value::Undefined,
            Is::Min => self.smallest(roles.all(&Role::Value), f64::min),
            Is::Max => self.smallest(roles.all(&Role::Value), f64::max),
            Is::Promise => {
                let timer = roles.get(&Role::Work).and_then(|work| self.settling_timer(work));
                timer.map_or_else(|| Value::opaque("a promise"), |(_, limit)| Value::Sleep(limit))
            }
            Is::Unfold => Value::opaque("a stream"),
            Is::Sum => self.arithmetic(Binary::Add, receiver.unwrap_or(&Value::Undefined), &value()),
            Is::Product => self.arithmetic(Binary::Mul, receiver.unwrap_or(&Value::Undefined), &value()),
        }
    }

    /// What a function gives when it is run; any other value is itself.
    pub fn run(&self, value: &Value, receiver: Option<&Value>, at: Loc) -> Value {
        match value {
            Value::Lib(lib) if !lib.path.is_empty() => self.lib_call(lib, false, &[], at, &None),
            Value::Function(file, function, outer, this) => {
                let args = receiver.map(|value| Bound::Value(value.clone())).into_iter().collect();
                self.invoke((*file, *function), args, this.as_deref().cloned(), None, &None, outer)
            }
            other => other.clone(),
        }
    }

    /// What a function of the scanned code gives whatever it is called with.
    pub fn result_of(&self, function: &Value) -> Option<Value> {
        match function {
            Value::Function(file, key, outer, this) => {
                Some(self.invoke((*file, *key), Vec::new(), this.as_deref().cloned(), None, &None, outer))
            }
            _ => None,
        }
    }

    /// What a function makes of one value.
    fn apply(&self, function: &Value, value: &Value, at: Loc) -> Value {
        match function {
            Value::Function(..) => self.run(function, Some(value), at),
            Value::Lib(lib) => self.lib_call(lib, false, &[Bound::Value(value.clone())], at, &None),
            _ => value.clone(),
        }
    }

    /// What a method of a collection gives.
    fn of_collection(&self, is: Is, collection: &Value) -> Value {
        let (each, keyed) = match collection {
            Value::List(items) => (Rc::new(self.items(items)), false),
            Value::Elements(each, through) => (each.clone(), through.keyed),
            other @ Value::Opaque(_) => (Rc::new(other.clone()), false),
            other => return other.clone(),
        };
        let keyed = match is {
            Is::Element => return (*each).clone(),
            Is::Numbered => true,
            Is::Values => false,
            _ => keyed,
        };
        Value::Elements(each, Through { keyed, begun: true })
    }

    fn smallest<'a>(&self, values: impl Iterator<Item = &'a Bound>, pick: fn(f64, f64) -> f64) -> Value {
        let numbers: Vec<Option<Number>> = values.map(|bound| number(&self.bound(bound))).collect();
        let known = numbers.iter().flatten().filter_map(|number| number.value).reduce(pick);
        let origin =
            numbers.iter().map(|number| number.map_or(Origin::Dynamic, |number| number.origin)).max().unwrap_or(Origin::Dynamic);
        let through = numbers.iter().flatten().find_map(|number| number.through);
        Value::Number(Number {
            value: known,
            origin: if known.is_some() { origin.min(Origin::Env) } else { origin },
            through,
            hint: None,
        })
    }

    /// A value as a length of time in milliseconds, where plain numbers count in `unit`.
    pub fn length(&self, value: &Value, unit: TimeUnit) -> Number {
        let per = unit.micros() as f64 / 1_000.0;
        let longest = value.options().iter().map(|value| match value {
            Value::Number(number) => {
                let hint = number.hint.filter(|hint| matches!((hint, unit), (Hint::Ms, TimeUnit::S) | (Hint::S, TimeUnit::Ms)));
                Number { value: number.value.map(|value| value * per), hint, ..*number }
            }
            Value::Duration(number) | Value::Instant(number) | Value::Sleep(number) | Value::Signal(number) => *number,
            Value::Text(text) => match text.trim().parse::<f64>() {
                Ok(number) => Number::constant(number * per),
                Err(_) => duration_text(text).map_or(Number::dynamic(), Number::constant),
            },
            Value::Env(_) => Number { origin: Origin::Env, ..Number::dynamic() },
            _ => Number::dynamic(),
        });
        longest
            .reduce(|a, b| if b.value.unwrap_or(f64::INFINITY) > a.value.unwrap_or(f64::INFINITY) { b } else { a })
            .unwrap_or(Number::dynamic())
    }
}

fn as_number(value: &Value) -> Value {
    match value {
        Value::Text(text) => match text.trim().parse::<f64>() {
            Ok(number) => Value::Number(Number::constant(number)),
            Err(_) => Value::Number(Number::dynamic()),
        },
        Value::Env(_) => Value::Number(Number { origin: Origin::Env, ..Number::dynamic() }),
        Value::Bool(value) => Value::Number(Number::constant(f64::from(u8::from(*value)))),
        Value::Opaque(_) => Value::Number(Number::dynamic()),
        other => other.clone(),
    }
}
