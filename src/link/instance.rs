//! Members of classes and their instances: methods, fields, what constructors put into them, and inheritance.
//!
//! In: an instance and a name. Out: a [`Value`], with `this` and the constructor's parameters bound as far as it is known how the
//! instance was made; else to everything the tree constructs it with.

use std::rc::Rc;

use super::FunctionKey;
use super::eval::Eval;
use super::index::{NO_METHOD, Owner, Unit, step_names};
use super::value::{Bound, Env, Instance, LibValue, Loc, Made, Value};
use crate::facts::{ClassId, Expr, ExprId, FunctionId, ImportName, Method, Source, TypeRef};
use crate::span::FileId;

/// How long a chain of base classes is followed.
const LONGEST_LINE: usize = 16;

/// A class of the scanned code.
pub type ClassKey = (FileId, ClassId);

impl Eval<'_> {
    /// The class that a class extends, where it is in the tree.
    pub(super) fn base_class(&self, file: FileId, class: ClassId) -> Option<ClassKey> {
        let base = self.unit(file)?.facts.class(class).extends?;
        self.value(Loc { file, expr: base }, &None).options().iter().find_map(|value| match value {
            Value::Class(file, class) => Some((*file, *class)),
            _ => None,
        })
    }

    /// A class and those it extends, nearest first.
    pub(super) fn line(&self, file: FileId, class: ClassId) -> Vec<ClassKey> {
        let mut line = vec![(file, class)];
        while let Some(base) = line.last().and_then(|(file, class)| self.base_class(*file, *class)) {
            if line.contains(&base) || line.len() >= LONGEST_LINE {
                break;
            }
            line.push(base);
        }
        line
    }

    /// A method of a class itself, or added to it from outside.
    pub(super) fn method(&self, class: ClassKey, name: &str) -> Option<(FunctionKey, bool)> {
        let key = (class, Box::from(name));
        if let Some(known) = self.memory().methods.borrow().get(&key) {
            return *known;
        }
        let (found, whole) = self.alone(|_| self.find_method(class, name));
        if whole {
            self.memory().methods.borrow_mut().insert(key, found);
        }
        found
    }

    fn find_method(&self, (file, class): ClassKey, name: &str) -> Option<(FunctionKey, bool)> {
        let unit = self.unit(file)?;
        let find = |methods: &[Method]| methods.iter().find(|m| *m.name == *name).map(|m| (m.function, m.getter));
        if let Some((function, getter)) = find(&unit.facts.class(class).methods) {
            return Some(((file, function), getter));
        }
        let key = (file, class);
        self.extension_method(file, unit, key, name).or_else(|| {
            let word = unit.facts.class(class).name.as_deref()?;
            if !self.program.files.modules(file).nest() {
                return None;
            }
            let others = self.program.files.heirs(file, word).into_iter().filter(|other| *other != file);
            let units: Vec<_> = others.filter_map(|other| Some((other, self.unit(other)?))).collect();
            let added = units.iter().find_map(|(other, unit)| self.extension_method(*other, unit, key, name));
            let taken_over =
                || std::iter::once(&(file, unit)).chain(&units).find_map(|(at, unit)| self.taken_over(*at, unit, key, name));
            added.or_else(taken_over)
        })
    }

    fn extension_method(&self, file: FileId, unit: &Unit, of: ClassKey, name: &str) -> Option<(FunctionKey, bool)> {
        for extension in &unit.facts.extensions {
            let Some(method) = extension.methods.iter().find(|method| *method.name == *name) else { continue };
            if self.may_name(unit, &extension.of, of) && self.class_of_type(file, &extension.of) == Some(of) {
                return Some(((file, method.function), method.getter));
            }
        }
        None
    }

    /// Whether a type of a file may be a class, by its name: it has the same, or one of the file's own making.
    pub(super) fn may_name(&self, unit: &Unit, ty: &TypeRef, class: ClassKey) -> bool {
        let ty = ty.referred();
        let (Some(last), Some(home)) = (ty.path.last(), self.unit(class.0)) else { return false };
        let own_name = home.facts.class(class.1).name.as_deref() == Some(&**last);
        own_name
            || &**last == "Self"
            || ty.path.len() == 1
                && unit.binding(last, ty.scope).is_some_and(|binding| {
                    unit.facts.bindings[binding.index()].sources.iter().any(|source| match source {
                        Source::Alias(_) => true,
                        Source::Import(import) => {
                            !matches!(&unit.facts.imports[import.index()].name, ImportName::Name(name) if name == last)
                        }
                        _ => false,
                    })
                })
    }

    /// A declared field of instances whose class has a method of the same name, where the member is not called.
    pub(super) fn field_not_called(&self, unit: &Unit, at: ExprId, of: &Value, name: &str) -> Option<Value> {
        let Value::Instance(instance) = of else { return None };
        let class = (instance.file, instance.class);
        let declared = &self.unit(class.0)?.facts.class(class.1).fields;
        let field = declared.iter().any(|field| *field.name == *name && !field.is_static && field.value.is_none());
        if !field || super::called_as(unit, at).is_some() || self.method(class, name).is_none_or(|(_, getter)| getter) {
            return None;
        }
        Some(self.instance_field(instance, class, name, false))
    }

    /// A member of an instance, looked up from a class upward.
    pub(super) fn instance_member(&self, instance: &Rc<Instance>, from: ClassKey, name: &str) -> Value {
        self.instance_field(instance, from, name, true)
    }

    fn instance_field(&self, instance: &Rc<Instance>, from: ClassKey, name: &str, methods: bool) -> Value {
        let is_method = |class: &ClassKey| methods && self.method(*class, name).is_some();
        let is_field = !self.line(from.0, from.1).iter().any(is_method);
        if is_field && let Some(value) = self.trusted_field(from, name) {
            return self.in_field(value, from, name);
        }
        if let Some(Made::Changed(before, by, env)) = &instance.made
            && is_field
        {
            let written = self.written_by(*by, name, env);
            return match written {
                Some(value) => self.in_field(value, from, name),
                None => self.within_bounds(|| self.instance_field(before, from, name, methods)),
            };
        }
        let this = Value::Instance(instance.clone());
        let mut values = Vec::new();
        if is_field && let Some(value) = self.field_as_made(instance, from, name) {
            return self.in_field(value, from, name);
        }
        for class in self.line(from.0, from.1) {
            if let Some((method, getter)) = self.method(class, name).filter(|_| methods) {
                if let Some(implemented) = self.implemented(instance, method, name) {
                    return implemented;
                }
                let method_value = Value::Function(method.0, method.1, None, Some(Rc::new(this.clone())));
                return if getter { self.invoke(method, Vec::new(), Some(this), None, &None, &None) } else { method_value };
            }
            self.fields_of(instance, class, name, &mut values);
            if !values.is_empty() {
                break;
            }
        }
        let key = (from.0, from.1, Box::from(name));
        if values.is_empty() && instance.made.is_none() {
            // A field that is made of itself is what else is put into it.
            if self.once(&self.fields, key, || self.made_fields(from, name, &mut values)).is_none() {
                return Value::Undefined;
            }
        }
        if values.is_empty()
            && let Some(lent) = self.lent(instance, from, name)
        {
            return lent;
        }
        let value = Value::any(values).present();
        let value = self.or_field_type(from, name, value);
        self.in_field(value, from, name)
    }

    /// A field, as it is written where the instance is made.
    fn field_as_made(&self, instance: &Instance, from: ClassKey, name: &str) -> Option<Value> {
        let value = match instance.made.as_ref()? {
            Made::Call(at, env) => self.tuple_field(*at, env, from, name),
            Made::Literal(at, env) => self.literal_field(*at, env, name),
            Made::Changed(..) => None,
        };
        Some(self.or_declared(from, name, value?))
    }

    /// A field whose type says what it is.
    fn trusted_field(&self, (file, class): ClassKey, name: &str) -> Option<Value> {
        if !self.is_first_look() {
            return None;
        }
        let declared = self.unit(file)?.facts.class(class).fields.iter().find(|field| *field.name == *name)?;
        declared.ty.as_ref().and_then(|ty| self.trusted(file, ty))
    }

    /// The declared type of a field, where its value says nothing.
    fn or_field_type(&self, class: ClassKey, name: &str, value: Value) -> Value {
        let is_nothing = matches!(value, Value::Undefined | Value::Null | Value::Opaque(_));
        for (file, class) in self.line(class.0, class.1) {
            let Some(unit) = self.unit(file) else { continue };
            let field = unit.facts.class(class).fields.iter().find(|field| *field.name == *name);
            let ty = field.and_then(|field| field.ty.as_ref());
            if !is_nothing {
                let Some(ty) = ty else { continue };
                return self.or_typed(file, Some(ty), value);
            }
            if let Some(typed) = ty.and_then(|ty| self.typed(file, ty)) {
                return typed.known_by_type(value.reason());
            }
            if field.is_some() && matches!(value, Value::Undefined) {
                return Value::opaque(format!("the field `{name}`, which nothing here sets"));
            }
        }
        value
    }

    fn in_field(&self, value: Value, class: ClassKey, name: &str) -> Value {
        let held = |lib: &LibValue| {
            let mut lib = lib.clone();
            lib.fields.push((class.0, class.1, name.into()));
            Value::Lib(Rc::new(lib))
        };
        value.map(|value| match value {
            Value::Lib(lib) => match &*self.handed_over(lib, class) {
                [] => held(lib),
                handed => Value::any(handed.iter().map(|lib| held(lib))),
            },
            other => other.clone(),
        })
    }

    fn fields_of(&self, instance: &Rc<Instance>, (file, class): ClassKey, name: &str, values: &mut Vec<Value>) {
        let Some(unit) = self.unit(file) else { return };
        let declared = unit.facts.class(class);
        let constructor = declared.constructor();
        if let Some(constructor) = constructor
            && let Some(made) = self.made_below(instance, (file, class))
        {
            for made in made {
                let instance = Rc::new(Instance { file: instance.file, class: instance.class, made: Some(made) });
                self.fields_of(&instance, (file, class), name, values);
            }
            if !values.is_empty() || unit.facts.function(constructor).params.is_empty() {
                return;
            }
        }
        let frame = self.constructor_frame(instance, (file, class), constructor);
        if let Some(constructor) = constructor {
            for (at, param) in unit.facts.function(constructor).params.iter().enumerate() {
                if param.field && param.name.as_deref() == Some(name) {
                    values.push(self.param(file, unit, constructor, at as u32, &frame));
                }
            }
        }
        for field in declared.fields.iter().filter(|field| *field.name == *name && !field.is_static) {
            if let Some(value) = field.value {
                values.push(self.value(Loc { file, expr: value }, &frame));
            }
        }
        for write in unit.facts.writes.iter().filter(|write| super::changes::sets_field(unit, write, name)) {
            let Some((method, Owner::Class(owner))) = unit.method_around(write.scope) else { continue };
            if owner != class || instance.made.is_some() && self.is_called_in_chains((file, method)) {
                continue;
            }
            let env = if Some(method) == constructor { frame.clone() } else { self.open_frame((file, method), instance) };
            values.push(self.value(Loc { file, expr: write.value }, &env));
        }
    }

    /// How instances of a class are made that takes over the constructor of a class above it; `None` where that is not so.
    fn made_below(&self, instance: &Rc<Instance>, above: ClassKey) -> Option<Vec<Made>> {
        if instance.made.is_some() {
            return None;
        }
        let has_constructor = |(file, class): &ClassKey| {
            let unit = self.unit(*file);
            unit.is_some_and(|unit| unit.facts.class(*class).constructor().is_some())
        };
        let line = self.line(instance.file, instance.class);
        let depth = line.iter().position(|class| *class == above).filter(|depth| *depth > 0)?;
        if line[..depth].iter().any(has_constructor) {
            return None;
        }
        let made = self.constructions((instance.file, instance.class));
        Some(made.iter().map(|at| Made::Call(*at, None)).collect())
    }

    /// Only `this` is known.
    fn open_frame(&self, key: FunctionKey, instance: &Rc<Instance>) -> Env {
        self.frame(key, Vec::new(), Some(Value::Instance(instance.clone())), None, &None, &None)
    }

    /// What the parameters of a class's constructor are bound to, for an instance of it or of a class that extends it.
    pub(super) fn constructor_frame(&self, instance: &Rc<Instance>, class: ClassKey, constructor: Option<FunctionId>) -> Env {
        let this = Value::Instance(instance.clone());
        let key = (class.0, constructor.unwrap_or(NO_METHOD));
        let line = self.line(instance.file, instance.class);
        let Some(depth) = line.iter().position(|known| *known == class) else { return self.open_frame(key, instance) };
        if depth == 0 {
            return match &instance.made {
                Some(Made::Call(at, env)) => self.frame(key, self.args_of(*at, env), Some(this), Some(*at), env, &None),
                _ => self.open_frame(key, instance),
            };
        }
        let below = line[depth - 1];
        let Some(unit) = self.unit(below.0) else { return self.open_frame(key, instance) };
        let Some(above) = unit.facts.class(below.1).constructor() else {
            let frame = self.constructor_frame(instance, below, None)?;
            return self.frame(key, frame.args.clone(), Some(this), frame.call, &frame.caller, &None);
        };
        let env = self.constructor_frame(instance, below, Some(above));
        match calls_of_super(unit, above).next() {
            Some(call) => {
                let at = Loc { file: below.0, expr: call };
                self.frame(key, self.args_of(at, &env), Some(this), Some(at), &env, &None)
            }
            None => self.open_frame(key, instance),
        }
    }

    pub(super) fn literal_field(&self, at: Loc, env: &Env, name: &str) -> Option<Value> {
        use crate::facts::Field;
        let Expr::Object { fields, .. } = self.unit(at.file)?.facts.expr(at.expr) else { return None };
        // What is named counts over the rest, wherever it stands.
        let named = fields.iter().find_map(|field| match field {
            Field::Named(key, value) if **key == *name => Some(self.value(Loc { file: at.file, expr: *value }, env)),
            _ => None,
        });
        named.or_else(|| {
            fields.iter().find_map(|field| match field {
                Field::Spread(base) => Some(self.within_bounds(|| {
                    let base = self.value(Loc { file: at.file, expr: *base }, env);
                    self.member(&base, name, env)
                })),
                _ => None,
            })
        })
    }

    /// A field without a name of its own, in the call that makes the instance: `Pair(a, b).1`.
    pub(super) fn tuple_field(&self, at: Loc, env: &Env, (file, class): ClassKey, name: &str) -> Option<Value> {
        let index: usize = name.parse().ok()?;
        self.unit(file)?.facts.class(class).fields.iter().find(|field| *field.name == *name)?;
        let Expr::Call { args, .. } = self.unit(at.file)?.facts.expr(at.expr) else { return None };
        Some(self.value(Loc { file: at.file, expr: args.get(index)?.value }, env))
    }

    /// A member of a class itself: a static method or field, a constant, an associated function.
    pub(super) fn class_member(&self, class: ClassKey, name: &str) -> Value {
        for (file, id) in self.line(class.0, class.1) {
            if let Some((method, getter)) = self.method((file, id), name) {
                let this = Value::Class(class.0, class.1);
                return if getter {
                    self.invoke(method, Vec::new(), Some(this), None, &None, &None)
                } else {
                    Value::Function(method.0, method.1, None, Some(Rc::new(this)))
                };
            }
            let Some(unit) = self.unit(file) else { continue };
            let fields = unit.facts.class(id).fields.iter().filter(|field| *field.name == *name && field.is_static);
            let constants = unit.facts.extensions.iter().flat_map(|extension| {
                let fits = extension.constants.iter().any(|field| *field.name == *name);
                let of_class = fits && self.class_of_type(file, &extension.of) == Some((file, id));
                extension.constants.iter().filter(move |field| of_class && *field.name == *name)
            });
            let mut values: Vec<Value> = fields
                .chain(constants)
                .filter_map(|field| field.value)
                .map(|value| self.value(Loc { file, expr: value }, &None))
                .collect();
            values.extend(self.static_writes(file, unit, id, name));
            if !values.is_empty() {
                return self.in_field(super::names::hinted(Value::any(values).present(), name), (file, id), name);
            }
        }
        match self.extended_class(class) {
            Some(lib) => self.within_bounds(|| self.member(&lib, name, &None)),
            None => Value::opaque(format!("`{name}`, which its class does not declare")),
        }
    }

    /// What a function of a class gives that its declaration says nothing of, in a language where such functions can be derived: an
    /// instance (`Arguments::parse()`).
    pub(super) fn made_by_derived(&self, receiver: &Value, name: &str) -> Option<Value> {
        let Value::Class(file, class) = receiver else { return None };
        let declared = self.unit(*file)?.facts.class(*class);
        let is_known = declared.is_abstract
            || declared.fields.is_empty()
            || declared.fields.iter().any(|field| field.is_static)
            || self.method((*file, *class), name).is_some();
        if is_known || !self.program.files.modules(*file).nest() {
            return None;
        }
        Some(Value::Instance(Rc::new(Instance { file: *file, class: *class, made: None })))
    }

    /// What is written to a class from outside or from its static methods: `Api.timeout = 500`.
    fn static_writes(&self, file: FileId, unit: &Unit, class: ClassId, name: &str) -> Vec<Value> {
        let declared = unit.facts.class(class);
        let binding = declared.name.as_deref().and_then(|word| unit.binding(word, declared.scope));
        let by_name = binding.map_or(&[][..], |binding| unit.writes_to(binding)).iter().map(|at| &unit.facts.writes[*at]);
        let by_name = by_name.filter(|write| step_names(&write.path) == [Box::from(name)]);
        let in_static = |write: &&crate::facts::Write| {
            super::changes::sets_field(unit, write, name)
                && unit.method_around(write.scope).is_some_and(|(method, owner)| {
                    matches!(owner, Owner::Class(of) if of == class) && unit.facts.function(method).is_static
                })
        };
        let writes = by_name.chain(unit.facts.writes.iter().filter(in_static));
        writes.map(|write| self.value(Loc { file, expr: write.value }, &None)).collect()
    }

    /// Binds the arguments of a call.
    pub fn args_of(&self, at: Loc, env: &Env) -> Vec<Bound> {
        let Some(unit) = self.unit(at.file) else { return Vec::new() };
        match unit.facts.expr(at.expr) {
            Expr::Call { args, .. } => self.bind_args(at.file, args, env),
            _ => Vec::new(),
        }
    }

    /// The frame that says who `this` is in a method of an instance, and nothing of its parameters.
    pub fn frame_for_this(&self, method: FunctionKey, this: Value) -> Env {
        self.frame(method, Vec::new(), Some(this), None, &None, &None)
    }
}

/// The calls of the constructor above that a constructor makes.
pub(super) fn calls_of_super(unit: &Unit, constructor: FunctionId) -> impl Iterator<Item = ExprId> {
    unit.facts.calls.iter().copied().filter(move |call| {
        let Expr::Call { callee, .. } = unit.facts.expr(*call) else { return false };
        matches!(unit.facts.expr(*callee), Expr::Super) && unit.facts.function_of(*call) == Some(constructor)
    })
}
