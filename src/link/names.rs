//! What a name, an import or an export stands for.
//!
//! In: a name and where it stands. Out: a [`Value`]. It follows bindings in their file, imports through the language's own
//! [`Modules`](crate::facts::Modules), and exports through barrels; a name that a file declares hides the library's.

use std::cell::Cell;
use std::rc::Rc;

use super::eval::Eval;
use super::index::{Unit, step_names};
use super::value::{Env, Hint, Home, LibValue, Loc, Number, Object, Part, Value};
use super::written::written_for;
use crate::facts::{BindingId, Expr, Import, ImportName, ScopeId, Source, Step};
use crate::span::FileId;

/// Names that a language declares itself, and whose results are known at run time alone.
const OF_THE_LANGUAGE: [&str; 4] = ["JSON", "Proxy", "Reflect", "Intl"];

impl Eval<'_> {
    /// What a name stands for, from a scope outward.
    pub(super) fn name(&self, file: FileId, unit: &Unit, name: &str, scope: ScopeId, env: &Env) -> Value {
        if self.begins_path(file, name) {
            return self.beginning(file, unit, name, scope);
        }
        if let Some(binding) = unit.binding(name, scope) {
            return hinted(self.binding(file, unit, binding, env), name);
        }
        if let Some(value) = self.name_by_glob(file, unit, name, scope) {
            return value;
        }
        if let Some(value) = self.global(file, name) {
            return value;
        }
        match name {
            "Infinity" => return Value::Number(Number::constant(f64::INFINITY)),
            "Self" => {
                return match self.this(file, unit, scope, env) {
                    Value::Instance(instance) => Value::Class(instance.file, instance.class),
                    other => other,
                };
            }
            _ => {}
        }
        let modules = self.program.files.modules(file);
        if modules.nest() {
            return self.module(file, name, &ImportName::Namespace, 0);
        }
        if OF_THE_LANGUAGE.contains(&name) {
            return Value::opaque(format!("what `{name}` makes at run time"));
        }
        Value::opaque(format!("`{name}`, which nothing here declares"))
    }

    /// Whether a name is a place that paths begin at, which nothing else goes by.
    fn begins_path(&self, file: FileId, name: &str) -> bool {
        matches!(name, "super" | "self" | "crate" | "$crate") && self.program.files.modules(file).nest()
    }

    /// The module that a path begins at.
    fn beginning(&self, file: FileId, unit: &Unit, name: &str, scope: ScopeId) -> Value {
        match module_of(unit, scope).filter(|_| self.names_module(file, name)) {
            Some(inner) => self.module_around(&Value::Inner(file, inner), name),
            None => self.module(file, name, &ImportName::Namespace, 0),
        }
    }

    /// Whether a name of a path stands for the module it is written in or the one around that.
    pub(super) fn names_module(&self, file: FileId, name: &str) -> bool {
        matches!(name, "super" | "self") && self.program.files.modules(file).nest()
    }

    /// The module that `self` or `super` is in a module.
    pub(super) fn module_around(&self, module: &Value, name: &str) -> Value {
        match module {
            _ if name == "self" => module.clone(),
            Value::Inner(file, scope) => {
                let Some(unit) = self.unit(*file) else { return Value::opaque("a file that could not be read") };
                let around = unit.facts.scopes[scope.index()].parent.and_then(|around| module_of(unit, around));
                around.map_or(Value::Module(*file), |around| Value::Inner(*file, around))
            }
            Value::Module(file) => self.module(*file, name, &ImportName::Namespace, 0),
            other => other.clone(),
        }
    }

    /// What a binding holds.
    pub fn binding(&self, file: FileId, unit: &Unit, id: BindingId, env: &Env) -> Value {
        let binding = &unit.facts.bindings[id.index()];
        let module_level = unit.facts.scope_function(binding.scope).is_none();
        let env = if module_level { &None } else { env };
        let left_out = Cell::new(0);
        let values = self.sources_taken((file, id), unit, env, &left_out).map(|source| self.source(file, unit, source, env));
        let mut value = self.by_name((file, id), env, values);
        if left_out.get() > 0 && left_out.get() == binding.sources.len() {
            return Value::Undefined;
        }
        // A parameter that calls leave out is undefined there; any other name is given its value before it is used.
        let is_param = matches!(binding.sources.as_slice(), [Source::Param { .. }]);
        // What is chosen once, in a language of types, is what it is.
        let is_chosen =
            || matches!(binding.sources.as_slice(), [Source::Value(_)]) && self.program.files.modules(file).is_typed();
        if !is_param && !is_chosen() {
            value = value.present();
        }
        let is_left_out = |value: &Value| matches!(value, Value::Null | Value::Undefined);
        let says_nothing = |value: &Value| value.is_opaque() || !is_param && is_left_out(value);
        if let Some(ty) = binding.ty.as_ref().filter(|ty| !super::written::is_plain(ty))
            && (binding.sources.is_empty() || value.options().iter().any(says_nothing) || is_left_out(&value))
            && let Some(typed) = self.typed(file, ty).filter(|typed| !is_param || !is_left_out(&value) || self.may_send(typed))
        {
            let known: Vec<Value> = value.options().iter().filter(|value| !says_nothing(value)).cloned().collect();
            let is_known = known.iter().any(|value| !matches!(value, Value::Null | Value::Undefined));
            value = if is_known { Value::any(known) } else { typed.known_by_type(value.reason()) };
        }
        value = self.or_typed(file, binding.ty.as_ref(), value);
        self.at_home(file, unit, id, value, env)
    }

    /// Whether a value may make outbound calls: where none was given, such a one is what the code is written for.
    fn may_send(&self, value: &Value) -> bool {
        value.options().iter().any(|option| match option {
            Value::Lib(lib) => lib.path.is_empty() && !self.program.catalog.library(lib.library).sends.is_empty(),
            Value::Instance(instance) => self.unit(instance.file).is_some_and(|unit| {
                let class = unit.facts.class(instance.class);
                !class.is_abstract || !class.methods.is_empty()
            }),
            _ => false,
        })
    }

    /// Notes that a value was held in a variable, and adds what was written to its members there.
    fn at_home(&self, file: FileId, unit: &Unit, id: BindingId, value: Value, env: &Env) -> Value {
        value.map(|value| match value {
            Value::Lib(lib) => {
                let mut lib = (**lib).clone();
                lib.homes.push(Home { file, binding: id, env: env.clone() });
                self.become_in_place(unit, id, &mut lib);
                Value::Lib(Rc::new(lib))
            }
            Value::Instant(time) => Value::Instant(self.moved(file, unit, id, *time, env)),
            Value::Instance(instance) => self.changed_in_place(file, unit, id, instance, env),
            Value::Object(object) if !unit.writes_to(id).is_empty() => {
                let mut parts = object.parts.clone();
                for write in unit.writes_to(id).iter().map(|at| &unit.facts.writes[*at]) {
                    if self.is_unwritten((file, id), unit, write.value, env) {
                        continue;
                    }
                    parts.push(Part::Write(step_names(&write.path), Loc { file, expr: write.value }, env.clone()));
                }
                Value::Object(Rc::new(Object { parts, at: object.at }))
            }
            other => other.clone(),
        })
    }

    /// What a step makes of the object in a variable (`socket.connect(peer)`).
    fn become_in_place(&self, unit: &Unit, id: BindingId, lib: &mut LibValue) {
        let library = self.program.catalog.library(lib.library);
        let steps: Vec<_> = library
            .steps
            .iter()
            .filter(|step| step.gives.is_some_and(|gives| gives != lib.object) && library.can(lib.object, step.on))
            .collect();
        if steps.is_empty() || !lib.path.is_empty() {
            return;
        }
        for used in unit.uses(id) {
            let Some(member) = unit.facts.parent(*used) else { continue };
            let Expr::Member { name, .. } = unit.facts.expr(member) else { continue };
            let made = steps.iter().find(|step| step.shapes.iter().any(|shape| shape.fits(std::slice::from_ref(name))));
            if let Some(gives) = made.and_then(|step| step.gives)
                && super::called_as(unit, member).is_some_and(|call| unit.bound_to(call).is_none())
            {
                lib.object = gives;
                return;
            }
        }
    }

    fn source(&self, file: FileId, unit: &Unit, source: &Source, env: &Env) -> Value {
        let here = |expr| Loc { file, expr };
        match source {
            Source::Value(value) => self.value(here(*value), env),
            Source::Part { of, path, default } => {
                let whole = self.value(here(*of), env);
                let part = self.part(&whole, path, default.map(here), env);
                self.or_typed_by(written_for(unit, *of), file, part, |whole| self.part(whole, path, None, env))
            }
            Source::Rest { of, without } => Value::Object(Rc::new(Object {
                parts: vec![Part::Without(self.value(here(*of), env), without.clone().into())],
                at: here(*of),
            })),
            Source::Param { function, index, path, default } => {
                let whole = self.param(file, unit, *function, *index, env);
                if path.is_empty() {
                    return whole;
                }
                let part = self.part(&whole, path, default.map(here), env);
                let param = unit.facts.function(*function).params.get(*index as usize);
                self.or_typed_by(param.and_then(|param| param.ty.as_ref()), file, part, |whole| self.part(whole, path, None, env))
            }
            Source::Element(of) => match self.value(here(*of), env) {
                Value::List(items) => self.items(&items),
                Value::Elements(each, through) => Value::gone_through(&each, through),
                Value::Opaque(reason) => Value::Opaque(reason),
                Value::Lib(lib) if self.may_be_several(&lib) => Value::Lib(lib),
                _ => Value::opaque("an element of a collection"),
            },
            Source::Import(import) => {
                let import: &Import = &unit.facts.imports[import.index()];
                self.module(file, &import.module, &import.name, 0)
            }
            Source::Function(function) => Value::Function(file, *function, env.clone(), None),
            Source::Class(class) => Value::Class(file, *class),
            Source::Module(scope) => Value::Inner(file, *scope),
            Source::Alias(ty) => self.type_as_value(file, ty),
            Source::Opaque(reason) => Value::opaque(*reason),
        }
    }

    /// A part of a value, or the default where it is missing.
    fn part(&self, whole: &Value, path: &[Step], default: Option<Loc>, env: &Env) -> Value {
        let part = path.iter().fold(whole.clone(), |value, step| match step {
            Step::Name(name) => hinted(self.member(&value, name, env), name),
            Step::Index(index) => self.item(&value, *index as usize, env),
            Step::Variant(name) => self.as_variant(&value, name),
        });
        match default {
            Some(default) => self.or_else(&part, false, || self.value(default, env)),
            None => part,
        }
    }
}

/// The innermost module written inside a file that a scope lies in.
fn module_of(unit: &Unit, scope: ScopeId) -> Option<ScopeId> {
    let mut at = Some(scope);
    while let Some(id) = at {
        let scope = &unit.facts.scopes[id.index()];
        if scope.module.is_some() {
            return Some(id);
        }
        at = scope.parent;
    }
    None
}

/// Notes what a name says about the unit of a number.
pub(super) fn hinted(value: Value, name: &str) -> Value {
    let Some(hint) = hint_of(name) else { return value };
    value.map(|value| match value {
        Value::Number(number) => Value::Number(Number { hint: Some(hint), ..*number }),
        other => other.clone(),
    })
}

/// What a name says about the unit of its value.
pub fn hint_of(name: &str) -> Option<Hint> {
    let lower = name.to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    let camel = |ending: &str| name.ends_with(ending);
    if ends(&["_ms", "millis", "milliseconds", "_msec"]) || camel("Ms") || camel("MS") || lower == "ms" {
        Some(Hint::Ms)
    } else if ends(&["_s", "_sec", "_secs", "seconds", "_seconds"])
        || camel("Secs")
        || camel("Sec")
        || camel("SEC")
        || lower == "secs"
    {
        Some(Hint::S)
    } else {
        None
    }
}
