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
use super::value::{Bound, Env, Instance, LibValue, Loc, Made, Number, Value};
use crate::catalog::{ValueRule, path_fits};
use crate::facts::{Arg, CallForm, Expr, ExprId};
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
                        super::params::passed_through(super::names::hinted(value, name), self.written_in_argument(at))
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
                let found = self.export(*file, name, 0).or_else(|| self.named_inside(*file, name));
                found.unwrap_or_else(|| self.submodule(*file, name))
            }
            Value::Module(file) | Value::Inner(file, _) if self.names_module(*file, name) => self.module_around(of, name),
            Value::Inner(file, scope) => self.named_in_place(*file, *scope, name),
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
        if let Some(own) = self.own_method(lib, name).or_else(|| self.run_inside(lib, name)) {
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
        let given = callee_value.map(|option| match option {
            Value::Function(file, function, outer, this) => {
                let key = (*file, *function);
                if let Some(own) = self.own_of_object(key, &args) {
                    return own.map(|own| match own {
                        Value::Function(file, function, outer, this) => {
                            self.invoke((*file, *function), args[1..].to_vec(), this.as_deref().cloned(), Some(at), env, outer)
                        }
                        other => other.clone(),
                    });
                }
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
        });
        self.called_on_several(given, at.file)
    }

    /// Whether what is called stands in another, generated file.
    fn is_generated(&self, from: FileId, callee: &Value) -> bool {
        callee.options().iter().all(|option| match option {
            Value::Function(file, ..) | Value::Class(file, _) => *file != from && self.program.files.is_generated(*file),
            _ => false,
        })
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
pub(super) fn is_path(value: &Value) -> bool {
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
