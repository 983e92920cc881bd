//! What `this` and `self` stand for.
//!
//! In: where it is written, and the calls around. Out: an instance, a class, or the object literal around.

use std::rc::Rc;

use super::eval::Eval;
use super::index::{Owner, Unit};
use super::value::{Env, Instance, Loc, Value};
use crate::facts::{Expr, ScopeId};
use crate::span::FileId;

impl Eval<'_> {
    /// What `this` is.
    pub(super) fn this(&self, file: FileId, unit: &Unit, scope: ScopeId, env: &Env) -> Value {
        let Some((method, owner)) = unit.method_around(scope) else { return self.object_around(file, unit, scope, env) };
        if let Some(this) = Self::frame_of(env, file, method).and_then(|frame| frame.this.clone()) {
            return this;
        }
        let class = match owner {
            Owner::Class(class) => Some((file, class)),
            Owner::Extension(at) => self.class_of_type(file, &unit.facts.extensions[at].of),
        };
        match class {
            Some((file, class)) if unit.facts.functions.get(method.index()).is_some_and(|method| method.is_static) => {
                Value::Class(file, class)
            }
            Some((file, class)) => Value::Instance(Rc::new(Instance { file, class, made: None })),
            None => match owner {
                Owner::Extension(at) => {
                    self.typed(file, &unit.facts.extensions[at].of).unwrap_or_else(|| Value::opaque("`self`"))
                }
                Owner::Class(_) => Value::opaque("`this`"),
            },
        }
    }

    fn object_around(&self, file: FileId, unit: &Unit, scope: ScopeId, env: &Env) -> Value {
        let mut at = unit.facts.scope_function(scope);
        while let Some(function) = at {
            let Some(literal) = unit.literal(function) else { break };
            if let Some(parent) = unit.facts.parent(literal)
                && matches!(unit.facts.expr(parent), Expr::Object { .. })
            {
                return self.value(Loc { file, expr: parent }, env);
            }
            at = unit.facts.function_of(literal);
        }
        Value::opaque("`this` outside of a class")
    }
}
