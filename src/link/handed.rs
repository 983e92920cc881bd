//! What a library, or a promise, hands to a function that is written as an argument of its call.
//!
//! In: the function and the place of a parameter. Out: a [`Value`].

use super::eval::Eval;
use super::index::Unit;
use super::library::Op;
use super::value::{LibValue, Loc, Rule, Value};
use crate::catalog::Role;
use crate::catalog::schema::Is;
use crate::facts::{Expr, ExprId};
use crate::span::FileId;

impl Eval<'_> {
    /// What a library, or a promise, hands to a function that is written as an argument of its call.
    pub(super) fn handed(&self, file: FileId, unit: &Unit, function: crate::facts::FunctionId, index: u32) -> Option<Value> {
        let literal = unit.literal(function)?;
        self.handed_by_library(file, unit, literal, index).or_else(|| self.handed_by_value(file, unit, literal, index))
    }

    fn handed_by_library(&self, file: FileId, unit: &Unit, literal: ExprId, index: u32) -> Option<Value> {
        let at = Loc { file, expr: unit.facts.parent(literal)? };
        if let Some(context) = self.handed_context(at, literal, index) {
            return Some(context);
        }
        if let Some(waited) = self.waited_for(at, unit, literal).filter(|_| index == 0) {
            return Some(waited);
        }
        let (lib, matched) = self.op_at(at, &None)?;
        let rule = match matched.op {
            Op::Make(rule) => rule,
            Op::Send(_) => self.make_beside(&lib, false, &self.args_of(at, &None))?.0,
            Op::Value(rule) if self.program.catalog.library(lib.library).values[rule].is == Is::Unfold => {
                let seed = matched.roles.get(&Role::Value).filter(|_| index == 0)?;
                return Some(self.bound(seed));
            }
            Op::Scope(rule) => return self.handed_signal(&lib, rule).filter(|_| index == 0),
            _ => return None,
        };
        let make = &self.program.catalog.library(lib.library).makes[rule];
        (make.table.hands == Some(index)).then(|| self.value(at, &None))
    }

    /// The client or module that a promise gives to its handler: `import('x').then((x) => …)`.
    fn waited_for(&self, at: Loc, unit: &Unit, handler: ExprId) -> Option<Value> {
        let Expr::Call { callee, args, .. } = unit.facts.expr(at.expr) else { return None };
        let Expr::Member { of, name } = unit.facts.expr(*callee) else { return None };
        if &**name != "then" || args.first().is_none_or(|first| first.value != handler) {
            return None;
        }
        let value = self.value(Loc { file: at.file, expr: *of }, &None);
        let is_known = |value: &Value| matches!(value, Value::Lib(_) | Value::Module(_) | Value::Instance(_) | Value::Object(_));
        value.options().iter().any(is_known).then_some(value)
    }

    /// The signal that an enclosing call hands to its work: it aborts after the limit that the policy was made with.
    fn handed_signal(&self, lib: &LibValue, scope: usize) -> Option<Value> {
        let library = self.program.catalog.library(lib.library);
        library.scopes[scope].table.signal.as_ref()?;
        lib.layers.iter().rev().find_map(|layer| {
            let Rule::Make(make) = layer.rule else { return None };
            let unit = self.program.catalog.library(layer.library).makes[make].table.unit;
            layer.roles.get(&Role::Limit).map(|limit| Value::Signal(self.length(&self.bound(limit), unit)))
        })
    }
}
