//! What methods write to the instance that they are called on: builders of the scanned code.
//!
//! In: an instance, and a method that gives it back (`builder.timeout(limit).build()`) or is called on the variable that holds it
//! (`builder.timeout(limit);`). Out: the instance as it is after that, whose fields are looked up there first. In which order a variable's
//! calls run, and whether all of them do, is not followed.

use std::rc::Rc;

use super::FunctionKey;
use super::eval::Eval;
use super::index::{Owner, Unit};
use super::instance::ClassKey;
use super::value::{Env, Instance, Loc, Made, Value};
use crate::facts::{BindingId, CallForm, Expr, ExprId, Step, Write};
use crate::span::FileId;

/// How many changes of one instance are followed.
const MOST_CHANGES: usize = 24;

impl Eval<'_> {
    /// What a method gives, where that is the instance it was called on.
    pub(super) fn changed(&self, key: FunctionKey, this: Option<&Value>, env: &Env, given: Value) -> Value {
        let Some(Value::Instance(before)) = this else { return given };
        if self.is_first_look() || !self.writes_to_this(key) {
            return given;
        }
        given.map(|value| match value {
            Value::Instance(after) if Rc::ptr_eq(after, before) => after_call(before, key, env),
            other => other.clone(),
        })
    }

    /// An instance in a variable, with what the methods write to it that are called on the variable.
    pub(super) fn changed_in_place(&self, file: FileId, unit: &Unit, id: BindingId, instance: &Rc<Instance>, env: &Env) -> Value {
        let mut now = Value::Instance(instance.clone());
        if self.is_first_look() || !matches!(instance.made, Some(Made::Literal(..) | Made::Changed(..))) {
            return now;
        }
        for used in unit.uses(id).iter().take(MOST_CHANGES) {
            let Some((call, name)) = lone_call(unit, *used) else { continue };
            let Some((method, false)) = self.method((instance.file, instance.class), name) else { continue };
            if !self.writes_to_this(method) {
                continue;
            }
            let Value::Instance(before) = &now else { return now };
            let at = Loc { file, expr: call };
            let frame = self.frame(method, self.args_of(at, env), Some(now.clone()), Some(at), env, &None);
            now = after_call(before, method, &frame);
        }
        now
    }

    /// What the method that changed an instance wrote to a field.
    pub(super) fn written_by(&self, key: FunctionKey, name: &str, env: &Env) -> Option<Value> {
        let unit = self.unit(key.0)?;
        let to_field = |write: &&Write| sets_field(unit, write, name);
        let written: Vec<Value> =
            writes_of(unit, key).filter(to_field).map(|write| self.value(Loc { file: key.0, expr: write.value }, env)).collect();
        (!written.is_empty()).then(|| Value::any(written).present())
    }

    /// What the methods that a file adds to a class write to a field, whoever calls them.
    pub(super) fn extension_writes(&self, file: FileId, unit: &Unit, class: ClassKey, name: &str, values: &mut Vec<Value>) {
        for write in unit.facts.writes.iter().filter(|write| sets_field(unit, write, name)) {
            let Some((_, Owner::Extension(at))) = unit.method_around(write.scope) else { continue };
            if self.class_of_type(file, &unit.facts.extensions[at].of) == Some(class) {
                values.push(self.value(Loc { file, expr: write.value }, &None));
            }
        }
    }

    /// Whether a method gives its object back and is called in chains that make one alone: it says nothing of other objects.
    pub(super) fn is_called_in_chains(&self, method: FunctionKey) -> bool {
        let Some(unit) = self.unit(method.0) else { return false };
        let returns = unit.facts.functions.get(method.1.index()).map_or(&[][..], |method| &method.returns);
        if returns.is_empty() || !returns.iter().all(|value| matches!(unit.facts.expr(*value), Expr::This)) {
            return false;
        }
        let callers = self.callers(method);
        let in_chain = |at: Loc| self.unit(at.file).is_some_and(|unit| begins_with_new(unit, at.expr));
        !callers.is_empty() && callers.iter().all(|caller| in_chain(caller.at))
    }

    fn writes_to_this(&self, key: FunctionKey) -> bool {
        self.unit(key.0).is_some_and(|unit| writes_of(unit, key).next().is_some())
    }
}

fn after_call(before: &Rc<Instance>, key: FunctionKey, env: &Env) -> Value {
    let made = Some(Made::Changed(before.clone(), key, env.clone()));
    Value::Instance(Rc::new(Instance { file: before.file, class: before.class, made }))
}

/// What a method writes to members of the instance it is called on.
fn writes_of(unit: &Unit, key: FunctionKey) -> impl Iterator<Item = &Write> {
    unit.facts.writes.iter().filter(move |write| {
        matches!(unit.facts.expr(write.root), Expr::This)
            && unit.method_around(write.scope).is_some_and(|(method, _)| method == key.1)
    })
}

/// Whether a write sets a field of `this`.
pub(super) fn sets_field(unit: &Unit, write: &Write, name: &str) -> bool {
    matches!(write.path.as_slice(), [Step::Name(field)] if **field == *name) && matches!(unit.facts.expr(write.root), Expr::This)
}

/// Whether a chain of calls begins with the making of an object.
fn begins_with_new(unit: &Unit, mut call: ExprId) -> bool {
    loop {
        let Expr::Call { callee, form, .. } = unit.facts.expr(call) else { return false };
        match unit.facts.expr(*callee) {
            _ if *form == CallForm::New => return true,
            Expr::Member { of, .. } => call = *of,
            _ => return false,
        }
    }
}

/// The call of a method on a variable whose result nobody takes.
fn lone_call(unit: &Unit, used: ExprId) -> Option<(ExprId, &str)> {
    let member = unit.facts.parent(used)?;
    let Expr::Member { of, name } = unit.facts.expr(member) else { return None };
    let call = super::called_as(unit, member).filter(|_| *of == used)?;
    let alone = unit.facts.parent(call).is_none() && unit.bound_to(call).is_none() && unit.returned_by(call).is_none();
    alone.then_some((call, name))
}
