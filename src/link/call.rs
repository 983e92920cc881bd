//! What members and calls give: methods and functions of the scanned code, objects of libraries, and functions whose result is
//! known (`Number(x)`, `Duration::from_secs(x)`, `Object.assign(a, b)`).
//!
//! In: a receiver and a name, or a call. Out: a [`Value`]. Bodies of functions are not run: a call gives what the function may
//! return, with its parameters bound.

use std::rc::Rc;

use super::FunctionKey;
use super::eval::Eval;
use super::index::Unit;
use super::library::{Matched, Op};
use super::number::{duration_text, number};
use super::texts::is_text;
use super::value::{Bound, Env, Hint, Instance, Layer, LibValue, Loc, Made, Number, Object, Part, Rule, Through, Value};
use crate::catalog::schema::Is;
use crate::catalog::{AS_GIVEN, LibraryId, Role, ValueRule, path_fits};
use crate::facts::{Arg, Binary, CallForm, Expr, ExprId};
use crate::finding::Origin;
use crate::limit::Unit as TimeUnit;
use crate::span::FileId;

impl Eval<'_> {
    /// Binds arguments; those that are spread are listed where their elements are known.
    pub(super) fn bind_args(&self, file: FileId, args: &[Arg], env: &Env) -> Vec<Bound> {
        let mut bound = Vec::with_capacity(args.len());
        for arg in args {
            let at = Loc { file, expr: arg.value };
            if arg.spread {
                match self.value(at, env) {
                    Value::List(items) => bound.extend(items.iter().cloned()),
                    _ => bound.push(Bound::Spread(at, env.clone())),
                }
            } else if let Some(name) = &arg.name {
                bound.push(Bound::Named(name.clone(), at, env.clone()));
            } else {
                bound.push(Bound::Thunk(at, env.clone()));
            }
        }
        bound
    }

    /// A member of a value.
    pub fn member(&self, of: &Value, name: &str, env: &Env) -> Value {
        if let Some(modules) = without(of, is_module, |value| matches!(value, Value::Function(..))) {
            return self.member_of_each(&modules, name, env);
        }
        known_member(of, self.member_of_each(of, name, env))
    }

    fn member_of_each(&self, of: &Value, name: &str, env: &Env) -> Value {
        of.map(|of| match of {
            Value::Object(_) => {
                let found = self.lookup(of, &[name.into()], env);
                Value::any(found.into_iter().map(|lookup| match lookup {
                    super::Lookup::Found { value, at, .. } => {
                        super::names::passed_through(super::names::hinted(value, name), self.written_in_argument(at))
                    }
                    super::Lookup::Missing => Value::Undefined,
                    super::Lookup::Unknown(reason) => Value::Opaque(reason),
                }))
            }
            Value::Instance(instance) => {
                super::names::hinted(self.instance_member(instance, (instance.file, instance.class), name), name)
            }
            Value::Super(base) => {
                let whole = Rc::new(Instance { file: base.file, class: base.class, made: base.made.clone() });
                self.within_bounds(|| self.instance_member(&whole, (base.file, base.class), name))
            }
            Value::Class(file, class) => self.within_bounds(|| self.class_member((*file, *class), name)),
            Value::Module(file) if !self.names_module(*file, name) => {
                self.export(*file, name, 0).unwrap_or_else(|| self.submodule(*file, name))
            }
            Value::Module(file) | Value::Inner(file, _) if self.names_module(*file, name) => self.module_around(of, name),
            Value::Inner(file, scope) => match self.unit(*file).and_then(|unit| Some((unit, unit.binding_in(name, *scope)?))) {
                Some((unit, binding)) => self.binding(*file, unit, binding, &None),
                None => Value::opaque(format!("`{name}`, which its module does not declare")),
            },
            Value::Folder(file, path) => self.in_folder(*file, path, name),
            Value::Lib(lib) => self.lib_member(lib, name),
            Value::Canceller { made, env, is_signal: false } => self.canceller_member(*made, env, name),
            Value::List(items) if name == "length" && !items.iter().any(|item| matches!(item, Bound::Spread(..))) => {
                Value::Number(Number::constant(items.len() as f64))
            }
            Value::Undefined | Value::Null => Value::Undefined,
            Value::List(_) | Value::Elements(..) if name.parse::<usize>().is_ok() => {
                self.item(of, name.parse().unwrap_or_default(), env)
            }
            Value::Opaque(reason) => Value::Opaque(reason.clone()),
            Value::Signal(_) | Value::AnySignal(_) | Value::Sleep(_) | Value::Function(..) if matches!(name, "signal") => {
                of.clone()
            }
            _ => Value::opaque(format!("the member `{name}` of a value that is not followed")),
        })
    }

    /// A field's value, where the object literal around it is itself an argument of a call.
    fn written_in_argument(&self, at: Loc) -> Option<Loc> {
        let unit = self.unit(at.file)?;
        let object = unit.facts.exprs.get(at.expr.index()).and_then(|_| unit.facts.parent(at.expr))?;
        let call = unit.facts.parent(object)?;
        let is_it = matches!(unit.facts.expr(object), Expr::Object { .. })
            && matches!(unit.facts.expr(call), Expr::Call { args, .. } if args.iter().any(|arg| arg.value == object));
        is_it.then_some(at)
    }

    fn submodule(&self, file: FileId, name: &str) -> Value {
        use crate::facts::{ImportName, Resolved};
        let modules = self.program.files.modules(file);
        let own = modules.join("self", name).map(|module| (modules.resolve(self.program.files.path(file), &module), module));
        match own {
            Some((Resolved::File(_), module)) => self.module(file, &module, &ImportName::Namespace, 1),
            _ => Value::opaque(format!("`{name}`, which its file does not export")),
        }
    }

    fn lib_member(&self, lib: &Rc<LibValue>, name: &str) -> Value {
        let catalog = self.program.catalog;
        if let Some(own) = self.own_method(lib, name) {
            return own;
        }
        let next = lib.with_member(catalog, name);
        let library = catalog.library(lib.library);
        for (at, rule) in library.values.iter().enumerate() {
            let on = rule.on.is_some_and(|on| crate::catalog::can(library, next.object, on));
            if on && rule.members.iter().any(|path| path_fits(path, &next.path)) {
                let nowhere = Loc { file: lib.file, expr: ExprId(0) };
                return self.known_result((lib.library, at), &super::Roles::default(), None, nowhere, &None, name);
            }
        }
        Value::Lib(Rc::new(next))
    }

    /// The rule that made a canceller.
    pub fn canceller_rule(&self, made: Loc) -> Option<&ValueRule> {
        let (lib, matched) = self.op_at(made, &None)?;
        match matched.op {
            Op::Value(at) => self.program.catalog.library(lib.library).values.get(at),
            _ => None,
        }
    }

    fn canceller_member(&self, made: Loc, env: &Env, name: &str) -> Value {
        let Some(rule) = self.canceller_rule(made) else { return Value::opaque("something that aborts") };
        if rule.table.signal.as_deref() == Some(name) {
            return Value::Canceller { made, env: env.clone(), is_signal: true };
        }
        Value::opaque(format!("the member `{name}` of something that aborts"))
    }

    /// The library's value that a call is made on, and the rule it follows.
    pub fn op_at(&self, at: Loc, env: &Env) -> Option<(Rc<LibValue>, Matched)> {
        let unit = self.unit(at.file)?;
        let Expr::Call { callee, args, form } = unit.facts.expr(at.expr) else { return None };
        let callee = self.value(Loc { file: at.file, expr: *callee }, env);
        let args = self.bind_args(at.file, args, env);
        callee.options().iter().find_map(|option| match option {
            Value::Lib(lib) => Some((lib.clone(), self.op(lib, *form == CallForm::New, &args)?)),
            _ => None,
        })
    }

    /// What a call gives.
    pub(super) fn call(&self, at: Loc, env: &Env) -> Value {
        let Some(unit) = self.unit(at.file) else { return Value::opaque("a file that could not be read") };
        let Expr::Call { callee, args, form } = unit.facts.expr(at.expr) else { return Value::Undefined };
        let callee_at = Loc { file: at.file, expr: *callee };
        let args = self.bind_args(at.file, args, env);
        if let Expr::Member { of, name } = unit.facts.expr(*callee) {
            let receiver = self.value(Loc { file: at.file, expr: *of }, env);
            if let Some(made) = self.made_by_derived(&receiver, name) {
                return made;
            }
            if let Some(value) = self.method_of_any(&receiver, name, &args, at) {
                return self.or_kept(value, at, unit, env);
            }
            let is_sleep = receiver.options().iter().all(|option| matches!(option, Value::Sleep(_)));
            if is_sleep && matches!(&**name, "then" | "catch" | "finally") {
                return receiver;
            }
        }
        if let Expr::Name(name, _) = unit.facts.expr(*callee)
            && matches!(&**name, "Some" | "Ok" | "Err")
            && args.len() == 1
        {
            return self.bound(&args[0]);
        }
        let callee_value = self.value(callee_at, env);
        let callee_value =
            without(&callee_value, |value| matches!(value, Value::Function(..)), is_module).unwrap_or(callee_value);
        let callee_value = self.known_views(callee_value, *form == CallForm::New, &args);
        if self.is_generated(at.file, &callee_value)
            && let Some(made) = self.foreign_make(callee_at, *form == CallForm::New, &args, at, env)
        {
            return made;
        }
        if callee_value.is_opaque()
            && let Some(kept) = self.kept(at, unit, env)
        {
            return kept;
        }
        callee_value.map(|option| match option {
            Value::Function(file, function, outer, this) => {
                let key = (*file, *function);
                let (this, args) = self.receive(key, this.as_deref().cloned(), args.clone());
                self.invoke(key, args, this, Some(at), env, outer)
            }
            Value::Class(file, class) => {
                Value::Instance(Rc::new(Instance { file: *file, class: *class, made: Some(Made::Call(at, env.clone())) }))
            }
            Value::Lib(lib) => self.lib_call(lib, *form == CallForm::New, &args, at, env),
            Value::Opaque(reason) => {
                let foreign = self.foreign_make(callee_at, *form == CallForm::New, &args, at, env);
                foreign.unwrap_or_else(|| Value::Opaque(reason.clone()))
            }
            Value::Undefined | Value::Null => {
                let name = unit.call_name(at.expr).unwrap_or("a function");
                Value::opaque(format!("the result of `{name}`, which nothing here gives a value"))
            }
            _ => Value::opaque("the result of a call that is not followed"),
        })
    }

    /// Whether what is called stands in another, generated file.
    fn is_generated(&self, from: FileId, callee: &Value) -> bool {
        callee.options().iter().all(|option| match option {
            Value::Function(file, ..) | Value::Class(file, _) => *file != from && self.program.files.is_generated(*file),
            _ => false,
        })
    }

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

    /// Of several library files that describe one package those that know the call.
    fn known_views(&self, callee: Value, new: bool, args: &[Bound]) -> Value {
        let Value::Any(options) = &callee else { return callee };
        let libs = options.iter().filter(|option| matches!(option, Value::Lib(_))).count();
        if libs < 2 {
            return callee;
        }
        let knows = |option: &Value| match option {
            Value::Lib(lib) => self.op(lib, new, args).is_some(),
            _ => true,
        };
        if options.iter().any(|option| matches!(option, Value::Lib(_)) && knows(option)) {
            return Value::any(options.iter().filter(|option| knows(option)).cloned());
        }
        callee
    }

    /// What a call of a function of the scanned code may return.
    pub(super) fn invoke(
        &self,
        key: FunctionKey,
        args: Vec<Bound>,
        this: Option<Value>,
        call: Option<Loc>,
        caller: &Env,
        outer: &Env,
    ) -> Value {
        let Some(unit) = self.unit(key.0) else { return Value::opaque("a file that could not be read") };
        let function = unit.facts.function(key.1);
        if let Some(value) = function.returns_type.as_ref().and_then(|ty| self.trusted(key.0, ty)) {
            return value;
        }
        let before = this.clone();
        let env = self.frame(key, args, this, call, caller, outer);
        let value = Value::any(function.returns.iter().map(|value| self.value(Loc { file: key.0, expr: *value }, &env)));
        let typed = || function.returns_type.as_ref().and_then(|ty| self.typed(key.0, ty));
        if function.returns.is_empty() {
            return self.awaited_sleep(key, unit, &env).or_else(typed).unwrap_or(Value::Undefined);
        }
        let value = value.present();
        if !matches!(value, Value::Opaque(_) | Value::Null | Value::Undefined) {
            let value = self.changed(key, before.as_ref(), &env, value);
            return self.or_typed(key.0, function.returns_type.as_ref(), value);
        }
        typed().map(|typed| typed.known_by_type(value.reason())).unwrap_or(value)
    }

    /// The sleep that a function without a result waits for before it ends (`async function limit(ms) { await sleep(ms); throw … }`).
    fn awaited_sleep(&self, key: FunctionKey, unit: &Unit, env: &Env) -> Option<Value> {
        let function = unit.facts.function(key.1);
        if !function.is_async {
            return None;
        }
        let inside = unit.facts.calls.iter().filter(|call| unit.facts.function_of(**call) == Some(key.1)).take(6);
        inside.map(|call| self.value(Loc { file: key.0, expr: *call }, env)).find(|value| matches!(value, Value::Sleep(_)))
    }

    pub(super) fn lib_call(&self, lib: &Rc<LibValue>, new: bool, args: &[Bound], at: Loc, env: &Env) -> Value {
        let catalog = self.program.catalog;
        let Some(matched) = self.op(lib, new, args) else {
            if let Some(given) = self.added_method(lib, args, at, env) {
                return given;
            }
            if let Some((method, rest)) = self.as_method(lib, args) {
                return self.lib_call(&method, new, &rest, at, env);
            }
            if let Some(same) = self.unlisted(lib) {
                return same;
            }
            return Value::opaque(format!(
                "a function of `{}` that the catalog does not know",
                catalog.library(lib.library).client
            ));
        };
        let library = catalog.library(lib.library);
        let layer =
            |rule: Rule, object| Layer { at, env: env.clone(), rule, object, library: lib.library, roles: matched.roles.clone() };
        match matched.op {
            Op::Value(rule) => self.known_result((lib.library, rule), &matched.roles, None, at, env, ""),
            Op::Make(rule) if *library.makes[rule].gives == *AS_GIVEN => {
                matched.roles.get(&Role::Config).map_or(Value::Undefined, |given| self.bound(given))
            }
            Op::Make(rule) if self.stays_inside(&library.makes[rule], &matched.roles, env) => {
                Value::opaque("it reaches nothing outside of the process")
            }
            Op::Make(rule) => Value::Lib(Rc::new(self.made_by(lib, rule, &matched.roles, at, env))),
            Op::Step(rule) => {
                let step = &library.steps[rule];
                let mut next = (**lib).clone();
                next.path.clear();
                next.layers.push(layer(Rule::Step(rule), lib.object));
                next.object = step.gives.unwrap_or(next.object);
                if let Some(config) = matched.roles.get(&Role::Config) {
                    let built = step.table.through.as_deref().and_then(|by| self.made_through(&self.bound(config), by, at));
                    self.take_over(&mut next, &built.map_or_else(|| config.clone(), Bound::Value));
                }
                Value::Lib(Rc::new(next))
            }
            Op::Send(rule) => {
                let send = &library.sends[rule];
                let Some(object) = send.gives else {
                    return match self.make_beside(lib, new, args) {
                        Some((make, roles)) if self.stays_inside(&library.makes[make], &roles, env) => {
                            Value::opaque("it reaches nothing outside of the process")
                        }
                        Some((make, roles)) => {
                            let mut made = self.made_by(lib, make, &roles, at, env);
                            if made.library == lib.library {
                                let sent = layer(Rule::Send(rule), made.object);
                                made.layers.insert(made.layers.len() - 1, sent);
                            }
                            Value::Lib(Rc::new(made))
                        }
                        None => Value::opaque("the answer of an outbound call"),
                    };
                };
                let mut next = (**lib).clone();
                next.path.clear();
                next.layers.push(layer(Rule::Send(rule), object));
                next.homes.clear();
                next.object = object;
                Value::Lib(Rc::new(next))
            }
            Op::Handler(_) => {
                let mut same = (**lib).clone();
                same.path.clear();
                Value::Lib(Rc::new(same))
            }
            Op::Scope(_) => match matched.roles.get(&Role::Work).map(|work| self.bound(work)) {
                Some(Value::Function(file, function, outer, this)) => {
                    self.invoke((file, function), Vec::new(), this.as_deref().cloned(), None, &None, &outer)
                }
                Some(value) => value,
                None => Value::opaque("the result of an enclosing call"),
            },
        }
    }

    /// The object that a call makes.
    fn made_by(&self, lib: &LibValue, rule: usize, roles: &super::Roles, at: Loc, env: &Env) -> LibValue {
        let catalog = self.program.catalog;
        let make = &catalog.library(lib.library).makes[rule];
        let mut made = lib.clone();
        if !make.table.keeps {
            made.layers.clear();
        }
        let origins = std::mem::take(&mut made.homes);
        made.fields.clear();
        if make.table.keeps {
            made.origins.extend(origins);
        } else {
            made.origins.clear();
        }
        made.unmade = if make.table.keeps { made.unmade } else { None };
        for config in roles.all(&Role::Config) {
            self.take_over(&mut made, config);
        }
        let mut made = made.become_object(catalog, &make.gives);
        let object = if made.library == lib.library { made.object } else { crate::catalog::MODULE };
        made.layers.push(Layer {
            at,
            env: env.clone(),
            rule: Rule::Make(rule),
            object,
            library: lib.library,
            roles: roles.clone(),
        });
        made
    }

    /// A call that no rule lists, on something that is configured by calls: it gives the object back.
    fn unlisted(&self, lib: &Rc<LibValue>) -> Option<Value> {
        let library = self.program.catalog.library(lib.library);
        if lib.path.len() != 1 || !library.is_configured_by_calls(lib.object) {
            return None;
        }
        let mut same = (**lib).clone();
        same.path.clear();
        Some(Value::Lib(Rc::new(same)))
    }

    /// Takes over the configuration of another library object.
    fn take_over(&self, made: &mut LibValue, config: &Bound) {
        if let Value::Lib(other) = self.bound(config).options().first().cloned().unwrap_or(Value::Undefined) {
            made.layers.extend(other.layers.iter().cloned());
            made.homes.extend(other.homes.iter().cloned());
            made.origins.extend(other.origins.iter().cloned());
            made.fields.extend(other.fields.iter().cloned());
            made.unmade = made.unmade.take().or_else(|| other.unmade.clone());
        }
    }

    /// An object that code outside of the tree makes, recognised by what it is given or by its name.
    fn foreign_make(&self, callee: Loc, new: bool, args: &[Bound], at: Loc, env: &Env) -> Option<Value> {
        let unit = self.unit(callee.file)?;
        let mut path = Vec::new();
        let mut expr = callee.expr;
        loop {
            match unit.facts.expr(expr) {
                Expr::Member { of, name } => {
                    path.insert(0, name.clone());
                    expr = *of;
                }
                Expr::Name(name, _) => {
                    path.insert(0, name.clone());
                    break;
                }
                _ => break,
            }
        }
        let catalog = self.program.catalog;
        for (id, rule) in &catalog.common(self.program.files.family(at.file))?.makes {
            let library = catalog.library(*id);
            let make = &library.makes[*rule];
            let from =
                (0..path.len()).find(|from| make.shapes.iter().any(|shape| shape.new == new && shape.fits(&path[*from..])));
            let Some(from) = from else { continue };
            let package = library.packages.first().map_or("", |package| &**package);
            let lib = LibValue::module(*id, at.file, package);
            let Some(roles) = self.shapes(&lib, &make.shapes, &path[from..], new, args) else { continue };
            let mut made = lib.become_object(catalog, &make.gives);
            if let Some(config) = roles.get(&Role::Config) {
                if !self.bound(config).options().iter().any(|value| matches!(value, Value::Lib(_))) {
                    continue;
                }
                self.take_over(&mut made, config);
            }
            let object = made.object;
            made.layers.push(Layer { at, env: env.clone(), rule: Rule::Make(*rule), object, library: *id, roles });
            return Some(Value::Lib(Rc::new(made)));
        }
        None
    }

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

    /// What a method gives that works on any value.
    fn method_of_any(&self, receiver: &Value, name: &str, args: &[Bound], at: Loc) -> Option<Value> {
        let catalog = self.program.catalog;
        let rules = catalog.common(self.program.files.family(at.file))?.methods.get(name)?;
        let names_a_class = |value: &Value| is_path(value) && self.program.files.modules(at.file).nest();
        if receiver.options().iter().any(|value| names_a_class(value) || self.has_method(value, name, args)) {
            return None;
        }
        let path = [Box::from(name)];
        let is_collection = receiver.options().iter().any(Value::is_collection);
        rules.iter().find_map(|(id, rule)| {
            let dummy = LibValue::module(*id, at.file, "");
            let known = &catalog.library(*id).values[*rule];
            let begins = known.table.begins && receiver.options().iter().all(Value::is_opaque);
            if known.is.of_collections() && !is_collection && !begins {
                return None;
            }
            let roles = self.shapes(&dummy, &known.shapes, &path, false, args)?;
            Some(self.known_result((*id, *rule), &roles, Some(receiver), at, &None, name))
        })
    }

    /// The rules of methods by a name that work on any value.
    pub(super) fn rules_of_any(&self, file: FileId, name: &str) -> impl Iterator<Item = &ValueRule> {
        let catalog = self.program.catalog;
        let common = catalog.common(self.program.files.family(file));
        let rules = common.and_then(|common| common.methods.get(name)).map_or(&[][..], Vec::as_slice);
        rules.iter().map(|(id, rule)| &catalog.library(*id).values[*rule])
    }

    /// Whether a method of that name gives what it is called on: as it is, or what is in it.
    pub fn gives_itself(&self, file: FileId, name: &str) -> bool {
        self.rules_of_any(file, name).any(|rule| matches!(rule.is, Is::Same | Is::OrElse))
    }

    /// Whether a method of that name gives what its argument makes of what it is called on.
    pub(super) fn is_applied(&self, file: FileId, name: &str) -> bool {
        self.rules_of_any(file, name).any(|rule| rule.is == Is::Apply)
    }

    /// Whether a value has a method of its own.
    fn has_method(&self, value: &Value, name: &str, args: &[Bound]) -> bool {
        match value {
            Value::Lib(lib) => {
                let mut next = (**lib).clone();
                next.path.push(name.into());
                self.op(&next, false, args).is_some()
            }
            Value::Instance(instance) => {
                let class = (instance.file, instance.class);
                let lent = || self.lending(instance, class).is_some_and(|inner| self.has_method(&inner, name, args));
                self.line(class.0, class.1).into_iter().any(|class| self.method(class, name).is_some()) || lent()
            }
            Value::Class(file, class) => self.method((*file, *class), name).is_some(),
            Value::Module(_) | Value::Inner(..) | Value::Object(_) => {
                !matches!(self.member(value, name, &None), Value::Undefined | Value::Opaque(_))
            }
            _ => false,
        }
    }

    /// The result of a function that the catalog knows.
    fn known_result(
        &self,
        (library, rule): (LibraryId, usize),
        roles: &super::Roles,
        receiver: Option<&Value>,
        at: Loc,
        env: &Env,
        name: &str,
    ) -> Value {
        let rule = &self.program.catalog.library(library).values[rule];
        let argument = || roles.get(&Role::Value).map(|bound| self.bound(bound));
        let value = || argument().or_else(|| receiver.cloned()).unwrap_or(Value::Undefined);
        if let Some(value) = rule.table.stands_for {
            let number = Number::constant(value);
            return if rule.is == Is::Duration { Value::Duration(number) } else { Value::Number(number) };
        }
        let limit = |role: &Role| roles.get(role).map_or(Number::dynamic(), |bound| self.length(&self.bound(bound), rule.unit));
        match rule.is {
            Is::Number => value().map(|value| if self.of_texts && is_text(value) { value.clone() } else { as_number(value) }),
            Is::Same => value(),
            Is::Result => value().map(|value| self.run(value, receiver, at)),
            Is::Merge => {
                let parts = roles.all(&Role::Value).map(|bound| Part::Merge(self.bound(bound))).collect();
                Value::Object(Rc::new(Object { parts, at }))
            }
            Is::Defaults => {
                let mut parts: Vec<Part> = roles.all(&Role::Value).map(|bound| Part::Merge(self.bound(bound))).collect();
                parts.reverse();
                Value::Object(Rc::new(Object { parts, at }))
            }
            Is::Duration => {
                let whole = value().map(|value| Value::Duration(self.length(value, rule.unit)));
                let part = rule.table.part.zip(roles.all(&Role::Value).nth(1));
                part.map_or(whole.clone(), |(per, part)| {
                    let scale = Value::Number(Number::constant(per));
                    let part = self.arithmetic(Binary::Mul, &self.bound(part), &scale);
                    self.arithmetic(Binary::Add, &whole, &part.map(|part| Value::Duration(self.length(part, rule.unit))))
                })
            }
            Is::Apply => match (argument(), receiver) {
                (Some(function), Some(receiver)) => receiver.map(|receiver| {
                    let each = self.each_of(receiver, true);
                    let applied = function.map(|function| self.apply(function, each.as_ref().unwrap_or(receiver), at));
                    if each.is_some() {
                        Value::Elements(Rc::new(applied), Through { keyed: false, begun: true })
                    } else {
                        applied
                    }
                }),
                _ => Value::Undefined,
            },
            Is::Element | Is::Elements | Is::Numbered | Is::Values => {
                receiver.unwrap_or(&Value::Undefined).map(|collection| self.of_collection(rule.is, collection))
            }
            Is::OrElse => {
                let receiver = receiver.cloned().unwrap_or(Value::Undefined);
                let other = || argument().map_or(Value::Undefined, |other| other.map(|other| self.run(other, None, at)));
                self.or_else(&receiver, false, other)
            }
            Is::Now => Value::Instant(Number::constant(0.0)),
            Is::Time => argument().or_else(|| receiver.cloned()).unwrap_or(Value::Instant(Number::constant(0.0))),
            Is::Move => value(),
            Is::Env => {
                let variable = match argument() {
                    Some(Value::Text(text)) => Value::Env(text),
                    Some(_) => Value::Env("?".into()),
                    None => Value::Env(name.into()),
                };
                let fallback = roles.all(&Role::Value).nth(1).map(|bound| self.bound(bound));
                match fallback.filter(|value| !matches!(value, Value::Object(_))) {
                    Some(fallback) => self.or_else(&variable, false, || fallback.clone()),
                    None => variable,
                }
            }
            Is::Signal => Value::Signal(limit(&Role::Limit)),
            Is::SignalAny => match value() {
                Value::List(items) => Value::AnySignal(items.iter().map(|item| self.bound(item)).collect()),
                other => other,
            },
            Is::Canceller => Value::Canceller { made: at, env: env.clone(), is_signal: false },
            Is::Sleep if roles.get(&Role::Limit).is_none() => Value::Sleep(limit(&Role::Deadline)),
            Is::Sleep => Value::Sleep(limit(&Role::Limit)),
            Is::Timer => Value::Timer(at),
            Is::Clear => Value::Undefined,
            Is::Min => self.smallest(roles.all(&Role::Value), f64::min),
            Is::Max => self.smallest(roles.all(&Role::Value), f64::max),
            Is::Promise => {
                let timer = roles.get(&Role::Work).and_then(|work| self.settling_timer(work));
                timer.map_or_else(|| Value::opaque("a promise"), |(_, limit)| Value::Sleep(limit))
            }
            Is::Sum => self.arithmetic(Binary::Add, receiver.unwrap_or(&Value::Undefined), &value()),
            Is::Product => self.arithmetic(Binary::Mul, receiver.unwrap_or(&Value::Undefined), &value()),
        }
    }

    /// What a function gives when it is run; any other value is itself.
    pub fn run(&self, value: &Value, receiver: Option<&Value>, at: Loc) -> Value {
        match value {
            Value::Lib(lib) if !lib.path.is_empty() => self.lib_call(lib, false, &[], at, &None),
            Value::Function(file, function, outer, this) => {
                let args = receiver.map(|value| Bound::Value(value.clone())).into_iter().collect();
                self.invoke((*file, *function), args, this.as_deref().cloned(), None, &None, outer)
            }
            other => other.clone(),
        }
    }

    /// What a function of the scanned code gives whatever it is called with.
    pub fn result_of(&self, function: &Value) -> Option<Value> {
        match function {
            Value::Function(file, key, outer, this) => {
                Some(self.invoke((*file, *key), Vec::new(), this.as_deref().cloned(), None, &None, outer))
            }
            _ => None,
        }
    }

    /// What a function makes of one value.
    fn apply(&self, function: &Value, value: &Value, at: Loc) -> Value {
        match function {
            Value::Function(..) => self.run(function, Some(value), at),
            Value::Lib(lib) => self.lib_call(lib, false, &[Bound::Value(value.clone())], at, &None),
            _ => value.clone(),
        }
    }

    /// What a method of a collection gives.
    fn of_collection(&self, is: Is, collection: &Value) -> Value {
        let (each, keyed) = match collection {
            Value::List(items) => (Rc::new(self.items(items)), false),
            Value::Elements(each, through) => (each.clone(), through.keyed),
            other @ Value::Opaque(_) => (Rc::new(other.clone()), false),
            other => return other.clone(),
        };
        let keyed = match is {
            Is::Element => return (*each).clone(),
            Is::Numbered => true,
            Is::Values => false,
            _ => keyed,
        };
        Value::Elements(each, Through { keyed, begun: true })
    }

    fn smallest<'a>(&self, values: impl Iterator<Item = &'a Bound>, pick: fn(f64, f64) -> f64) -> Value {
        let numbers: Vec<Option<Number>> = values.map(|bound| number(&self.bound(bound))).collect();
        let known = numbers.iter().flatten().filter_map(|number| number.value).reduce(pick);
        let origin =
            numbers.iter().map(|number| number.map_or(Origin::Dynamic, |number| number.origin)).max().unwrap_or(Origin::Dynamic);
        let through = numbers.iter().flatten().find_map(|number| number.through);
        Value::Number(Number {
            value: known,
            origin: if known.is_some() { origin.min(Origin::Env) } else { origin },
            through,
            hint: None,
        })
    }

    /// A value as a length of time in milliseconds, where plain numbers count in `unit`.
    pub fn length(&self, value: &Value, unit: TimeUnit) -> Number {
        let per = unit.micros() as f64 / 1_000.0;
        let longest = value.options().iter().map(|value| match value {
            Value::Number(number) => {
                let hint = number.hint.filter(|hint| matches!((hint, unit), (Hint::Ms, TimeUnit::S) | (Hint::S, TimeUnit::Ms)));
                Number { value: number.value.map(|value| value * per), hint, ..*number }
            }
            Value::Duration(number) | Value::Instant(number) | Value::Sleep(number) | Value::Signal(number) => *number,
            Value::Text(text) => match text.trim().parse::<f64>() {
                Ok(number) => Number::constant(number * per),
                Err(_) => duration_text(text).map_or(Number::dynamic(), Number::constant),
            },
            Value::Env(_) => Number { origin: Origin::Env, ..Number::dynamic() },
            _ => Number::dynamic(),
        });
        longest
            .reduce(|a, b| if b.value.unwrap_or(f64::INFINITY) > a.value.unwrap_or(f64::INFINITY) { b } else { a })
            .unwrap_or(Number::dynamic())
    }
}

/// A name may stand for a module and a function at once: without the one where the other is meant.
fn without(value: &Value, meant: fn(&Value) -> bool, other: fn(&Value) -> bool) -> Option<Value> {
    let options = value.options();
    let both = options.iter().any(meant) && options.iter().any(other);
    both.then(|| Value::any(options.iter().filter(|option| !other(option)).cloned()))
}

fn is_module(value: &Value) -> bool {
    matches!(value, Value::Module(_) | Value::Inner(..) | Value::Folder(..))
}

/// Whether a value is a path into a package, and not an object of it.
fn is_path(value: &Value) -> bool {
    matches!(value, Value::Lib(lib) if lib.object == crate::catalog::MODULE && lib.layers.is_empty() && !lib.path.is_empty())
}

/// Of several library files that describe one package those that know the member as a value.
fn known_member(of: &Value, member: Value) -> Value {
    let (Value::Any(views), Value::Any(options)) = (of, &member) else { return member };
    if !views.iter().all(is_path) || options.iter().all(is_path) {
        return member;
    }
    Value::any(options.iter().filter(|option| !is_path(option)).cloned())
}

fn as_number(value: &Value) -> Value {
    match value {
        Value::Text(text) => match text.trim().parse::<f64>() {
            Ok(number) => Value::Number(Number::constant(number)),
            Err(_) => Value::Number(Number::dynamic()),
        },
        Value::Env(_) => Value::Number(Number { origin: Origin::Env, ..Number::dynamic() }),
        Value::Bool(value) => Value::Number(Number::constant(f64::from(u8::from(*value)))),
        Value::Opaque(_) => Value::Number(Number::dynamic()),
        other => other.clone(),
    }
}
