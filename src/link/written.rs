//! Written types as the last word: a value that cannot be followed, where a type is written, is an object of that type.
//!
//! In: a value and the type written where it stands. Out: the value, or the object that the type names. What is known of a value counts
//! over its type; a type says nothing of limits.

use std::rc::Rc;

use super::eval::Eval;
use super::index::Unit;
use super::value::{Loc, Through, Value};
use crate::facts::{Expr, ExprId, Source, TypeRef};
use crate::span::FileId;

/// How much of a value is known, where a type is written for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing.
    Nothing,
    /// That it is missing.
    Missing,
    /// A number or a text, which an object is read from (`text.parse()`).
    Plain,
    /// An object of a library or a class, or a collection.
    Object,
    /// Something else.
    Other,
}

fn known(value: &Value) -> Known {
    match value {
        Value::Opaque(_) => Known::Nothing,
        Value::Null | Value::Undefined => Known::Missing,
        Value::Number(_) | Value::Text(_) | Value::Bool(_) | Value::Env(_) | Value::Parts(_) => Known::Plain,
        Value::Lib(_) | Value::Instance(_) => Known::Object,
        Value::Elements(each, _) if each.is_opaque() => Known::Nothing,
        collection if collection.is_collection() => Known::Object,
        _ => Known::Other,
    }
}

impl Eval<'_> {
    /// A value, with an object of its written type in place of what is not followed; the known ones of several decide.
    pub(super) fn or_typed(&self, file: FileId, ty: Option<&TypeRef>, value: Value) -> Value {
        self.or_typed_by(ty, file, value, Value::clone)
    }

    /// The same for a part of what a type is written for.
    pub(super) fn or_typed_by(
        &self,
        ty: Option<&TypeRef>,
        file: FileId,
        value: Value,
        part: impl FnOnce(&Value) -> Value,
    ) -> Value {
        let Some(ty) = ty.filter(|ty| !is_plain(ty)) else { return value };
        if let Some(map) = self.as_map(ty, file, &value) {
            return map;
        }
        let has = |what: Known| value.options().iter().any(|option| known(option) == what);
        if has(Known::Other) || !has(Known::Nothing) && (has(Known::Object) || !has(Known::Plain)) {
            return value;
        }
        let Some(typed) = self.typed(file, ty).map(|whole| part(&whole)).filter(|typed| self.is_object(typed)) else {
            return value;
        };
        if !has(Known::Object) {
            return typed.known_by_type(value.reason());
        }
        Value::any(value.options().iter().filter(|option| known(option) != Known::Nothing).cloned())
    }

    /// Pairs that are collected into a map, by the type that is written for it.
    fn as_map(&self, ty: &TypeRef, file: FileId, value: &Value) -> Option<Value> {
        let Value::Elements(each, _) = value else { return None };
        let Value::List(pair) = &**each else { return None };
        let [_, held] = &**pair else { return None };
        let is_map = matches!(self.typed(file, ty), Some(Value::Elements(_, through)) if through.keyed);
        is_map.then(|| Value::Elements(Rc::new(self.bound(held)), Through::BY_KEY))
    }

    /// A member of a variable: where nothing is known of it, what the variable's type says.
    pub(super) fn or_typed_member(&self, file: FileId, unit: &Unit, of: ExprId, name: &str, value: Value) -> Value {
        self.or_typed_by(written_for(unit, of), file, value, |whole| self.member(whole, name, &None))
    }

    /// The value of a field that is written where its instance is made.
    pub(super) fn or_declared(&self, class: super::instance::ClassKey, name: &str, value: Value) -> Value {
        let fields = self.unit(class.0).map(|unit| &unit.facts.class(class.1).fields);
        let field = fields.and_then(|fields| fields.iter().find(|field| *field.name == *name));
        self.or_typed(class.0, field.and_then(|field| field.ty.as_ref()), value)
    }

    /// Whether a type names one kind of object: a library's, a class with a body, or a collection of them.
    fn is_object(&self, typed: &Value) -> bool {
        match typed {
            Value::Lib(lib) => lib.path.is_empty() && lib.unmade.is_some(),
            Value::Instance(instance) => {
                self.unit(instance.file).is_some_and(|unit| !unit.facts.class(instance.class).is_abstract)
            }
            Value::List(items) => items.iter().any(|item| self.is_object(&self.bound(item))),
            Value::Elements(each, _) => self.is_object(each),
            _ => false,
        }
    }

    /// What a library or a collection hands to a function that is written as an argument of a call on it: the elements of
    /// `clients.iter().map(|client| …)`.
    pub(super) fn handed_by_value(&self, file: FileId, unit: &Unit, literal: ExprId, index: u32) -> Option<Value> {
        let call = unit.facts.parent(literal)?;
        let Expr::Call { callee, args, .. } = unit.facts.expr(call) else { return None };
        let Expr::Member { of, name } = unit.facts.expr(*callee) else { return None };
        if index > 0 || args.first().is_none_or(|arg| arg.value != literal) {
            return None;
        }
        let receiver = self.value(Loc { file, expr: *of }, &None);
        let is_applied = self.is_applied(file, name);
        let each = receiver.options().iter().filter_map(|option| self.each_of(option, is_applied));
        let each: Vec<Value> = each.collect();
        if !each.is_empty() {
            return Some(Value::any(each));
        }
        let applied = is_applied && receiver.options().iter().any(|option| known(option) == Known::Object);
        applied.then_some(receiver)
    }

    /// Whether what a library gave may be a list of such objects.
    pub(super) fn may_be_several(&self, lib: &super::value::LibValue) -> bool {
        lib.path.is_empty() && self.program.catalog.library(lib.library).object(lib.object).several
    }

    /// What going through a collection gives; `if_begun`: only where that has begun.
    pub(super) fn each_of(&self, collection: &Value, if_begun: bool) -> Option<Value> {
        match collection {
            Value::List(items) if !if_begun => Some(self.items(items)),
            Value::Elements(each, through) if through.begun || !if_begun => Some(Value::gone_through(each, *through)),
            Value::Lib(lib) if !if_begun && self.may_be_several(lib) => Some(collection.clone()),
            _ => None,
        }
    }
}

/// The type that is written for a variable or parameter.
pub(super) fn written_for(unit: &Unit, of: ExprId) -> Option<&TypeRef> {
    let Expr::Name(variable, scope) = unit.facts.expr(of) else { return None };
    let binding = &unit.facts.bindings[unit.binding(variable, *scope)?.index()];
    let of_parameter = || match binding.sources.as_slice() {
        [Source::Param { function, index, path, .. }] if path.is_empty() => {
            unit.facts.function(*function).params.get(*index as usize)?.ty.as_ref()
        }
        _ => None,
    };
    binding.ty.as_ref().or_else(of_parameter)
}

/// Whether a type is made of the language's own small ones, which name no object: `u64`, `Option<u64>`.
pub(super) fn is_plain(ty: &TypeRef) -> bool {
    if !ty.args.is_empty() {
        return ty.path.len() == 1 && &*ty.path[0] != "typeof" && ty.args.iter().all(is_plain);
    }
    let is_small = |name: &str| name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains(':');
    ty.path.len() == 1 && is_small(&ty.path[0])
}

/// Whether a type is left to who uses it: a type parameter, `impl Trait`, `dyn Trait`.
pub(super) fn may_be_any(ty: &TypeRef) -> bool {
    let ty = ty.referred();
    matches!(ty.path.as_slice(), [one] if &**one == "dyn")
}
