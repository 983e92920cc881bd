//! Elements of lists, tuples and collections.
//!
//! In: a value and a key or place. Out: a [`Value`].

use super::eval::Eval;
use super::value::{Bound, Env, Loc, Number, Part, Value};

impl Eval<'_> {
    pub(super) fn element(&self, of: &Value, key: Loc, env: &Env) -> Value {
        match self.value(key, env) {
            Value::Text(name) => self.member(of, &name, env),
            Value::Number(Number { value: Some(index), .. }) => self.item(of, index as usize, env),
            _ => of.map(|of| match of {
                Value::Object(object) => Value::any(object.parts.iter().filter_map(|part| match part {
                    Part::Field(_, value, env) => Some(self.value(*value, env)),
                    _ => None,
                })),
                Value::List(items) => self.items(items),
                Value::Elements(each, _) => (**each).clone(),
                Value::Opaque(reason) => Value::Opaque(reason.clone()),
                _ => Value::opaque("a member that is chosen at run time"),
            }),
        }
    }

    /// The element of a list or tuple.
    pub(super) fn item(&self, of: &Value, index: usize, env: &Env) -> Value {
        of.map(|of| match of {
            Value::List(items) => items.get(index).map_or(Value::Undefined, |item| self.bound(item)),
            Value::Elements(each, _) => (**each).clone(),
            Value::Opaque(_) => of.clone(),
            // Where a call gives a tuple, each of its elements is the object.
            Value::Lib(lib) if lib.path.is_empty() && (!lib.layers.is_empty() || lib.unmade.is_some()) => of.clone(),
            other => self.member(other, &index.to_string(), env),
        })
    }

    /// Any element of a list.
    pub(super) fn items(&self, items: &[Bound]) -> Value {
        if items.is_empty() {
            Value::opaque("an element of an empty list")
        } else {
            Value::any(items.iter().map(|item| self.bound(item)))
        }
    }
}
