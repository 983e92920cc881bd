//! Contexts that a library hands to handlers: `t.procedure.query(({ ctx }) => ctx.db.users())`, where the builder was told what `ctx` is.
//!
//! In: a function that is written as an argument of a library's call. Out: what its parameter holds: an object with the context, which is
//! of the type that the chain before says, and what the middlewares of the chain add to it. What libraries do so, the catalog's
//! `[[context]]` says.

use std::rc::Rc;

use super::FunctionKey;
use super::eval::Eval;
use super::index::Unit;
use super::value::{LibValue, Loc, Object, Part, Value};
use crate::catalog::{Context, Role};
use crate::facts::{Expr, ExprId, TypeRef};
use crate::span::FileId;

/// How many middlewares are made of one another.
const DEEPEST: u32 = 4;

impl Eval<'_> {
    /// What a parameter of a handler holds that is written as an argument of a call.
    pub(super) fn handed_context(&self, at: Loc, handler: ExprId, index: u32) -> Option<Value> {
        let Expr::Call { callee, args, .. } = self.unit(at.file)?.facts.expr(at.expr) else { return None };
        if !args.iter().any(|arg| arg.value == handler) {
            return None;
        }
        let callee = self.value(Loc { file: at.file, expr: *callee }, &None);
        callee.options().iter().find_map(|option| {
            let Value::Lib(lib) = option else { return None };
            let library = self.program.catalog.library(lib.library);
            let handed = library.contexts.iter().find(|context| {
                context.table.param == index
                    && crate::catalog::can(library, lib.object, context.on)
                    && context.shapes.iter().any(|shape| shape.fits(&lib.path))
            })?;
            let context = Part::Held(handed.table.key.as_str().into(), self.context(lib, handed, at));
            Some(Value::Object(Rc::new(Object { parts: vec![context], at })))
        })
    }

    /// The context of a chain: what its type says, and what its middlewares add.
    fn context(&self, chain: &LibValue, rule: &Context, at: Loc) -> Value {
        let said = chain.layers.iter().rev().find_map(|layer| {
            let unit = self.unit(layer.at.file)?;
            let is_it = unit.call_name(layer.at.expr) == Some(&*rule.table.typed_by);
            self.context_of_type(layer.at.file, type_argument(unit, layer.at.expr).filter(|_| is_it)?)
        });
        let reason = || Value::opaque(format!("the context of {}, whose type is not followed", self.client_of(chain)));
        let mut parts = vec![Part::Merge(said.unwrap_or_else(reason))];
        self.added_to_context(chain, rule, 0, &mut parts);
        Value::Object(Rc::new(Object { parts, at }))
    }

    fn client_of(&self, chain: &LibValue) -> &str {
        &self.program.catalog.library(chain.library).client
    }

    /// A context, by its type or by the function that makes it (`typeof createContext`).
    fn context_of_type(&self, file: FileId, ty: &TypeRef) -> Option<Value> {
        match self.queried(file, ty) {
            Some(made @ Value::Function(..)) => self.result_of(&made),
            Some(value) => Some(value),
            None => self.typed(file, ty),
        }
    }

    /// What the middlewares of a chain hand on.
    fn added_to_context(&self, chain: &LibValue, rule: &Context, depth: u32, parts: &mut Vec<Part>) {
        for handler in chain.layers.iter().flat_map(|layer| layer.roles.all(&Role::Handler)) {
            for option in self.bound(handler).options() {
                match option {
                    Value::Function(file, function, ..) => self.added_by((*file, *function), rule, parts),
                    Value::Lib(made) if made.library == chain.library && depth < DEEPEST => {
                        self.added_to_context(made, rule, depth + 1, parts);
                    }
                    _ => {}
                }
            }
        }
    }

    /// What one middleware hands on: `next({ ctx: { db } })`.
    fn added_by(&self, (file, function): FunctionKey, rule: &Context, parts: &mut Vec<Part>) {
        let Some(unit) = self.unit(file) else { return };
        let body = unit.facts.function(function).body;
        for call in unit.calls_named(&rule.table.adds).iter().filter(|call| body.holds(unit.facts.span(**call))) {
            let Expr::Call { args, .. } = unit.facts.expr(*call) else { continue };
            let given = args.first().and_then(|first| named_field(unit, first.value, &rule.table.key));
            // What is handed on as it came adds nothing.
            if let Some(given) = given.filter(|given| matches!(unit.facts.expr(*given), Expr::Object { .. })) {
                parts.push(Part::Spread(Loc { file, expr: given }, None));
            }
        }
    }
}

/// The type argument of a call.
fn type_argument(unit: &Unit, call: ExprId) -> Option<&TypeRef> {
    let arguments = &unit.facts.type_arguments;
    let at = arguments.binary_search_by_key(&call, |(of, _)| *of).ok()?;
    Some(&arguments[at].1)
}

/// The value of a key that is written in an object literal.
fn named_field(unit: &Unit, object: ExprId, key: &str) -> Option<ExprId> {
    let Expr::Object { fields, .. } = unit.facts.expr(object) else { return None };
    fields.iter().find_map(|field| match field {
        crate::facts::Field::Named(name, value) if **name == *key => Some(*value),
        _ => None,
    })
}
