//! What a collection that is asked by a key was given: `cache.set(key, client)`, later `cache.get(key)`.
//!
//! In: a call that takes something out of a collection. Out: everything that the same variable or field of the file is given, since keys
//! are not told apart. It knows collections by how they are used, not by what they are.

use super::eval::Eval;
use super::index::Unit;
use super::value::{Env, Loc, Value};
use crate::facts::{BindingId, Expr, ExprId};

/// The method that takes out, the method that puts in, and which argument that puts in.
const TAKES: (&str, &str, usize) = ("get", "set", 1);

/// What holds a collection.
#[derive(PartialEq)]
enum Holder<'u> {
    Variable(BindingId),
    Field(&'u str),
}

impl Eval<'_> {
    /// What is taken out of a collection, where its type alone says what that is: what was put in.
    pub(super) fn or_kept(&self, taken: Value, at: Loc, unit: &Unit, env: &Env) -> Value {
        let by_type = |value: &Value| match value {
            Value::Lib(lib) => lib.layers.is_empty() && lib.unmade.is_some(),
            Value::Instance(instance) => instance.made.is_none(),
            _ => false,
        };
        if self.is_first_look() || !taken.options().iter().any(by_type) {
            return taken;
        }
        self.kept(at, unit, env).unwrap_or(taken)
    }

    /// What a call takes out of a collection; `None` where it is no such call, or what was put in is nothing that is followed.
    pub(super) fn kept(&self, at: Loc, unit: &Unit, env: &Env) -> Option<Value> {
        let (takes, puts, index) = TAKES;
        let holder = holder_of(unit, at.expr).filter(|_| unit.method_name(at.expr) == Some(takes))?;
        let same = unit.calls_named(puts).iter().filter(|call| holder_of(unit, **call).as_ref() == Some(&holder));
        let given = same.filter_map(|call| match unit.facts.expr(*call) {
            Expr::Call { args, .. } => args.get(index).map(|arg| self.value(Loc { file: at.file, expr: arg.value }, env)),
            _ => None,
        });
        let is_followed =
            |value: &Value| matches!(value, Value::Lib(_) | Value::Instance(_) | Value::Function(..) | Value::Object(_));
        let given: Vec<Value> = given.filter(|value| value.options().iter().all(is_followed)).collect();
        (!given.is_empty()).then(|| Value::any(given))
    }
}

/// The variable, or the field of `this`, that a method is called on.
fn holder_of(unit: &Unit, call: ExprId) -> Option<Holder<'_>> {
    let Expr::Call { callee, .. } = unit.facts.expr(call) else { return None };
    let Expr::Member { of, .. } = unit.facts.expr(*callee) else { return None };
    match unit.facts.expr(*of) {
        Expr::Name(name, scope) => unit.binding(name, *scope).map(Holder::Variable),
        Expr::Member { of, name } if matches!(unit.facts.expr(*of), Expr::This) => Some(Holder::Field(name)),
        _ => None,
    }
}
