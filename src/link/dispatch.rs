//! Methods that are called by the name of their class or trait: `Tracked::run(&tracked, query)`, `T::build(builder, config)`.
//!
//! In: the function that a call names, and its arguments. Out: which of them is the object, and whose method is meant.

use super::FunctionKey;
use super::eval::Eval;
use super::value::{Bound, Value};

impl Eval<'_> {
    /// A method that is called by the name of its class takes the object as its first argument.
    pub fn receive(&self, key: FunctionKey, this: Option<Value>, mut args: Vec<Bound>) -> (Option<Value>, Vec<Bound>) {
        if self.takes_object_first(key, args.len()) {
            let object = args.remove(0);
            return (Some(self.bound(&object)), args);
        }
        (this, args)
    }

    /// Whether a call of a method with that many arguments gives it the object among them.
    pub fn takes_object_first(&self, key: FunctionKey, args: usize) -> bool {
        let Some(unit) = self.unit(key.0) else { return false };
        let function = unit.facts.function(key.1);
        args == function.params.len() + 1
            && !function.is_static
            && unit.owner(key.1).is_some()
            && self.program.files.modules(key.0).nest()
    }

    /// The method of its first argument that a call of a trait's method by the trait's name means.
    pub(super) fn own_of_object(&self, key: FunctionKey, args: &[Bound]) -> Option<Value> {
        let unit = self.unit(key.0)?;
        let function = unit.facts.function(key.1);
        let class = function.class.filter(|class| unit.facts.class(*class).is_abstract)?;
        if !self.takes_object_first(key, args.len()) {
            return None;
        }
        let object = self.bound(args.first()?);
        let is_other = |value: &Value| match value {
            Value::Instance(one) => (one.file, one.class) != (key.0, class),
            // A struct without fields is written as its name.
            Value::Class(file, of) => (*file, *of) != (key.0, class),
            _ => false,
        };
        if !object.options().iter().all(is_other) {
            return None;
        }
        let own = self.member(&object, function.name.as_deref()?, &None);
        let is_own = |own: &Value| matches!(own, Value::Function(file, function, ..) if (*file, *function) != key);
        own.options().iter().all(is_own).then_some(own)
    }
}
