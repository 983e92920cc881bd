//! Who calls a function of the scanned code.
//!
//! In: a function. Out: the calls of it in counted files, in a stable order. It asks only files that can name the function, and
//! what their calls call is evaluated without any call around them, so that the answer is the same for every question.

use std::rc::Rc;
use std::sync::Arc;

use super::eval::Eval;
use super::index::{Owner, Unit};
use super::value::{Env, Loc, Value};
use super::{FunctionKey, Program};
use crate::facts::{BindingId, ClassId, Expr, ExprId, ImportName, Source, Step};
use crate::span::FileId;

/// At most this many calls are looked at for what they bind a parameter to.
const MOST_CALLERS: usize = 48;

/// What is called.
pub(super) type Subject = FunctionKey;

/// A call of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallRef {
    /// The call.
    pub at: Loc,
}

impl Program<'_> {
    fn known_callers(&self, subject: Subject) -> Option<Arc<[CallRef]>> {
        self.callers.lock().ok()?.get(&subject).cloned()
    }

    fn remember_callers(&self, subject: Subject, calls: &Arc<[CallRef]>) {
        if let Ok(mut callers) = self.callers.lock() {
            callers.insert(subject, calls.clone());
        }
    }
}

impl Eval<'_> {
    /// The calls of a function, as frames that bind its parameters.
    pub fn calls_of(&self, key: FunctionKey) -> Vec<Env> {
        let mut frames: Vec<Env> = Vec::new();
        for call in self.callers(key).iter().take(MOST_CALLERS) {
            let args = self.args_of(call.at, &None);
            frames.push(self.frame(key, args, None, Some(call.at), &None, &None));
        }
        frames.extend(self.callback_calls(key));
        frames
    }

    /// The calls of a function.
    pub fn callers(&self, key: FunctionKey) -> Arc<[CallRef]> {
        if let Some(known) = self.program.known_callers(key) {
            return known;
        }
        // Where types say what a value is, they also say whose method is called: a first look finds all calls, whoever asks.
        let typed = self.program.files.modules(key.0).is_typed();
        let find = || {
            let mut calls = Vec::new();
            self.find_callers(key, &mut calls);
            calls
        };
        let ask = || if typed { self.at_first_look(find) } else { find() };
        let (found, whole) = self.alone(|_| self.once(&self.calling, key, ask));
        let mut calls = found.map(|(calls, _)| calls).unwrap_or_default();
        calls.sort_by_cached_key(|call: &CallRef| {
            let start = self.unit(call.at.file).map_or(0, |unit| unit.facts.span(call.at.expr).start);
            (self.program.files.order(call.at.file), start, call.at.expr)
        });
        calls.dedup();
        let calls: Arc<[CallRef]> = calls.into();
        if whole {
            self.program.remember_callers(key, &calls);
        }
        calls
    }

    fn find_callers(&self, key: FunctionKey, calls: &mut Vec<CallRef>) {
        let Some(unit) = self.unit(key.0) else { return };
        if let Some(Owner::Class(class)) = unit.owner(key.1)
            && unit.facts.class(class).methods.iter().any(|method| method.function == key.1 && &*method.name == "constructor")
        {
            return self.find_constructions((key.0, class), calls);
        }
        let function = unit.facts.function(key.1);
        let literal = unit.literal(key.1);
        let binding = self.binding_of(unit, key);
        let name = match binding {
            Some(binding) => Some(unit.facts.bindings[binding.index()].name.clone()),
            None => function.name.clone(),
        };
        if let Some(binding) = binding {
            self.called_uses(key.0, unit, binding, calls);
        }
        let members = self.member_names(unit, binding, literal);
        let names: Vec<Box<str>> = name.into_iter().chain(members.iter().cloned()).collect();
        // What is exported by default goes by any name elsewhere.
        let is_default = names.iter().any(|name| matches!(&**name, "default" | "="));
        let words: Vec<&str> = if is_default { Vec::new() } else { names.iter().map(|name| &**name).collect() };
        let module_level = binding.is_none_or(|binding| {
            let around = unit.facts.scope_function(unit.facts.bindings[binding.index()].scope);
            // The own name of a function expression says nothing of where it is kept.
            around.is_none() || around == Some(key.1) || super::closures::is_given_away(unit, key.1)
        });
        let far = unit.owner(key.1).is_some() || binding.is_none() || !members.is_empty();
        // What has no name is called where it is made.
        let is_named = module_level && !names.is_empty();
        let files = if is_named { self.program.files.candidates(key.0, &words, far) } else { vec![key.0] };
        for file in files {
            let Some(other) = self.unit(file) else { continue };
            for name in &names {
                self.called_by_name(file, other, name, key, calls);
            }
            if file != key.0 {
                self.called_by_import(file, other, &names, key, calls);
            }
        }
        if let Some(literal) = literal {
            self.called_when_returned(key, unit, literal, calls);
        }
        self.called_when_composed(key, unit, binding, calls);
    }

    /// Other names under which a function can be reached: keys of object literals, `{ orders: load }`, and of what the file exports.
    fn member_names(&self, unit: &Unit, binding: Option<BindingId>, literal: Option<ExprId>) -> Vec<Box<str>> {
        let used = binding.map_or(&[][..], |binding| unit.uses(binding));
        let own = binding.map(|binding| &unit.facts.bindings[binding.index()].name);
        let renamed = unit.facts.exports.iter().filter(|export| match &export.what {
            crate::facts::Exported::Local(local) => Some(local) == own && *local != export.name,
            _ => false,
        });
        let mut names: Vec<Box<str>> = renamed.map(|export| export.name.clone()).collect();
        for value in used.iter().copied().chain(literal) {
            let exported = unit.facts.exports.iter().filter(|export| export.what == crate::facts::Exported::Value(value));
            names.extend(exported.map(|export| export.name.clone()));
            let Some(Expr::Object { fields, .. }) = unit.facts.parent(value).map(|parent| unit.facts.expr(parent)) else {
                continue;
            };
            names.extend(fields.iter().filter_map(|field| match field {
                crate::facts::Field::Named(key, of) if *of == value => Some(key.clone()),
                _ => None,
            }));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Calls of functions that nobody in the tree declares and that are given a function by name: `urls.map(load)`.
    pub fn passed_as_value(&self, key: FunctionKey) -> Vec<Loc> {
        let Some(unit) = self.unit(key.0) else { return Vec::new() };
        let Some(binding) = self.binding_of(unit, key) else { return Vec::new() };
        let name = unit.facts.bindings[binding.index()].name.clone();
        let mut found = Vec::new();
        for file in self.program.files.candidates(key.0, &[&*name], false) {
            let Some(other) = self.unit(file) else { continue };
            for at in 0..other.facts.bindings.len() {
                let id = BindingId(at as u32);
                let own = file == key.0 && id == binding;
                let imported = || {
                    other.facts.bindings[at]
                        .sources
                        .iter()
                        .any(|source| matches!(source, Source::Import(_) | Source::Part { .. }))
                };
                if !own && (file == key.0 || other.uses(id).is_empty() || !imported()) {
                    continue;
                }
                if !own && !self.functions_imported(file, other, id).contains(&key) {
                    continue;
                }
                for used in other.uses(id) {
                    let Some(call) = other.facts.parent(*used) else { continue };
                    let at = Loc { file, expr: call };
                    if other.is_test(other.facts.expr_scopes[call.index()]) || !self.passes_value(at, key) {
                        continue;
                    }
                    found.push(at);
                }
            }
        }
        found.dedup();
        found
    }

    /// Whether a call gives a function, by name, as its first argument to a method that nobody in the tree declares.
    pub fn passes_value(&self, at: Loc, key: FunctionKey) -> bool {
        let Some(unit) = self.unit(at.file) else { return false };
        let Expr::Call { callee, args, .. } = unit.facts.expr(at.expr) else { return false };
        let Some(first) = args.first().filter(|arg| matches!(unit.facts.expr(arg.value), Expr::Name(..))) else { return false };
        matches!(unit.facts.expr(*callee), Expr::Member { .. })
            && self.is_function_value(&self.value(Loc { file: at.file, expr: first.value }, &None), key)
            && self.value(Loc { file: at.file, expr: *callee }, &None).is_opaque()
    }

    /// The name that a function is declared or bound under.
    pub fn binding_of(&self, unit: &Unit, key: FunctionKey) -> Option<BindingId> {
        let literal = unit.literal(key.1);
        if let Some(bound) = literal.and_then(|literal| unit.bound_to(literal)) {
            return Some(bound);
        }
        let name = unit.facts.function(key.1).name.as_deref()?;
        let is_it =
            |binding: &crate::facts::Binding| *binding.name == *name && binding.sources.contains(&Source::Function(key.1));
        unit.facts.bindings.iter().position(is_it).map(|at| BindingId(at as u32))
    }

    /// Uses of a name as what is called.
    fn called_uses(&self, file: FileId, unit: &Unit, binding: BindingId, calls: &mut Vec<CallRef>) {
        for used in unit.uses(binding) {
            if let Some(call) = called_as(unit, *used) {
                push(unit, file, call, calls);
            }
        }
    }

    fn called_by_name(&self, file: FileId, unit: &Unit, name: &str, key: FunctionKey, calls: &mut Vec<CallRef>) {
        if unit.calls_named(name).is_empty() {
            return;
        }
        for call in self.calls_by_name(file, unit, name).get(&key).map_or(&[][..], Vec::as_slice) {
            push(unit, file, *call, calls);
        }
    }

    /// The calls of a file that call something by a name, by the function that it is.
    fn calls_by_name(&self, file: FileId, unit: &Unit, name: &str) -> Rc<super::memory::Called> {
        let asked = (file, Box::from(name));
        if let Some(known) = self.memory().called.borrow().get(&asked) {
            return known.clone();
        }
        let (called, whole) = self.alone(|_| {
            let mut called = super::memory::Called::default();
            for call in unit.calls_named(name) {
                let Expr::Call { callee, .. } = unit.facts.expr(*call) else { continue };
                for option in self.value(Loc { file, expr: *callee }, &None).options() {
                    if let Value::Function(file, function, ..) = option {
                        called.entry((*file, *function)).or_default().push(*call);
                    }
                }
            }
            called
        });
        let called = Rc::new(called);
        if whole {
            self.memory().called.borrow_mut().insert(asked, called.clone());
        }
        called
    }

    fn called_by_import(&self, file: FileId, unit: &Unit, names: &[Box<str>], key: FunctionKey, calls: &mut Vec<CallRef>) {
        for id in unit.imported().iter().copied().filter(|id| is_imported_as(unit, *id, names)) {
            if !unit.uses(id).is_empty() && self.functions_imported(file, unit, id).contains(&key) {
                self.called_uses(file, unit, id, calls);
            }
        }
    }

    /// The functions that an imported name may be.
    fn functions_imported(&self, file: FileId, unit: &Unit, id: BindingId) -> Rc<[FunctionKey]> {
        if let Some(known) = self.memory().imports.borrow().get(&(file, id)) {
            return known.clone();
        }
        let (found, whole): (Rc<[FunctionKey]>, bool) = self.alone(|_| {
            let value = self.binding(file, unit, id, &None);
            let functions = value.options().iter().filter_map(|option| match option {
                Value::Function(file, function, ..) => Some((*file, *function)),
                _ => None,
            });
            functions.collect()
        });
        if whole {
            self.memory().imports.borrow_mut().insert((file, id), found.clone());
        }
        found
    }

    /// Calls of what a factory returned.
    fn called_when_returned(&self, key: FunctionKey, unit: &Unit, literal: ExprId, calls: &mut Vec<CallRef>) {
        let Some(factory) = unit.returned_by(literal) else { return };
        for made in self.callers((key.0, factory)).iter() {
            let Some(other) = self.unit(made.at.file) else { continue };
            if let Some(binding) = other.bound_to(made.at.expr) {
                self.called_uses(made.at.file, other, binding, calls);
                let name = other.facts.bindings[binding.index()].name.clone();
                for file in self.program.files.candidates(made.at.file, &[&*name], false) {
                    if file != made.at.file
                        && let Some(third) = self.unit(file)
                    {
                        self.called_by_import(file, third, std::slice::from_ref(&name), key, calls);
                    }
                }
            }
            if let Some(call) = called_as(other, made.at.expr) {
                push(other, made.at.file, call, calls);
            }
        }
    }

    fn find_constructions(&self, class: (FileId, ClassId), calls: &mut Vec<CallRef>) {
        let Some(home) = self.unit(class.0) else { return };
        let word: Vec<&str> = home.facts.class(class.1).name.as_deref().into_iter().collect();
        let is_default = home.facts.exports.iter().any(|export| matches!(&*export.name, "default" | "="));
        let files = self.program.files.candidates(class.0, if is_default { &[] } else { &word[..] }, false);
        let mut below = Vec::new();
        for file in files {
            let Some(unit) = self.unit(file) else { continue };
            below.extend(self.inheriting(file, unit, class));
            for call in &unit.facts.calls {
                let Expr::Call { callee, form, .. } = unit.facts.expr(*call) else { continue };
                match unit.facts.expr(*callee) {
                    Expr::Super => {
                        let below = unit.class_around(unit.facts.expr_scopes[call.index()]);
                        if below.and_then(|below| self.base_class(file, below)) == Some(class) {
                            push(unit, file, *call, calls);
                        }
                    }
                    Expr::Name(..) | Expr::Member { .. } if *form == crate::facts::CallForm::New => {
                        let value = self.value(Loc { file, expr: *callee }, &None);
                        if value.options().iter().any(|v| matches!(v, Value::Class(f, c) if (*f, *c) == class)) {
                            push(unit, file, *call, calls);
                        }
                    }
                    _ => {}
                }
            }
        }
        // Who makes a class without a constructor of its own calls the one above.
        for class in below {
            self.once(&self.asking_constructions, class, || self.find_constructions(class, calls));
        }
    }

    /// The calls that make instances of a class without a constructor of its own.
    pub(super) fn constructions(&self, class: (FileId, ClassId)) -> Rc<[Loc]> {
        if let Some(known) = self.memory().constructions.borrow().get(&class) {
            return known.clone();
        }
        let (mut calls, whole) = self.alone(|_| {
            let mut calls = Vec::new();
            self.find_constructions(class, &mut calls);
            calls
        });
        calls.sort();
        let made: Rc<[Loc]> = calls.into_iter().map(|call| call.at).collect();
        if whole {
            self.memory().constructions.borrow_mut().insert(class, made.clone());
        }
        made
    }

    /// The classes of a file that extend a class and take over its constructor.
    fn inheriting(&self, file: FileId, unit: &Unit, class: (FileId, ClassId)) -> Vec<(FileId, ClassId)> {
        let classes = unit
            .facts
            .classes
            .iter()
            .enumerate()
            .filter(|(_, declared)| declared.extends.is_some() && declared.constructor().is_none());
        let ids = classes.map(|(at, _)| ClassId(at as u32)).filter(|id| self.base_class(file, *id) == Some(class));
        ids.map(|id| (file, id)).collect()
    }

    /// Calls of a function that is written as an argument: by the function of the scanned code that takes it.
    pub fn callback_calls(&self, key: FunctionKey) -> Vec<Env> {
        self.callback_uses(key)
            .into_iter()
            .map(|(at, env)| {
                let args = self.args_of(at, &env);
                self.frame(key, args, None, Some(at), &env, &None)
            })
            .collect()
    }

    /// Where a function that is written as an argument is called, with what is bound there.
    pub fn callback_uses(&self, key: FunctionKey) -> Vec<(Loc, Env)> {
        let Some(unit) = self.unit(key.0) else { return Vec::new() };
        let Some(literal) = unit.literal(key.1) else { return Vec::new() };
        let Some(call) = unit.facts.parent(literal) else { return Vec::new() };
        let Expr::Call { callee, args, .. } = unit.facts.expr(call) else { return Vec::new() };
        let Some(index) = args.iter().position(|arg| arg.value == literal) else { return Vec::new() };
        let at = Loc { file: key.0, expr: call };
        let mut uses = Vec::new();
        let callee = self.value(Loc { file: key.0, expr: *callee }, &None);
        for option in callee.options() {
            let Value::Function(file, helper, outer, this) = option else { continue };
            let Some(other) = self.unit(*file) else { continue };
            let env = self.frame((*file, *helper), self.args_of(at, &None), this.as_deref().cloned(), Some(at), &None, outer);
            for param in self.param_bindings(other, *helper, index as u32) {
                for used in other.uses(param) {
                    if let Some(call) = called_as(other, *used) {
                        uses.push((Loc { file: *file, expr: call }, env.clone()));
                    }
                }
            }
        }
        uses
    }

    /// The names that a parameter has in its function.
    pub fn param_bindings(&self, unit: &Unit, function: crate::facts::FunctionId, index: u32) -> Vec<BindingId> {
        let is_it = |source: &Source| matches!(source, Source::Param { function: f, index: i, path, .. } if *f == function && *i == index && path.is_empty());
        let bindings = unit.facts.bindings.iter().enumerate();
        bindings.filter(|(_, binding)| binding.sources.iter().any(is_it)).map(|(at, _)| BindingId(at as u32)).collect()
    }

    fn is_function_value(&self, value: &Value, key: FunctionKey) -> bool {
        value.options().iter().any(|option| matches!(option, Value::Function(file, function, ..) if (*file, *function) == key))
    }
}

/// The call whose callee an expression is.
pub fn called_as(unit: &Unit, used: ExprId) -> Option<ExprId> {
    let parent = unit.facts.parent(used)?;
    match unit.facts.expr(parent) {
        Expr::Call { callee, .. } if *callee == used => Some(parent),
        Expr::Await(_) | Expr::Through(_) => called_as(unit, parent),
        Expr::Either { options, .. } if options.contains(&used) => called_as(unit, parent),
        _ => None,
    }
}

fn push(unit: &Unit, file: FileId, call: ExprId, calls: &mut Vec<CallRef>) {
    if !unit.is_test(unit.facts.expr_scopes[call.index()]) {
        calls.push(CallRef { at: Loc { file, expr: call } });
    }
}

/// Whether an imported name takes one of these names, or what goes by any name.
fn is_imported_as(unit: &Unit, id: BindingId, names: &[Box<str>]) -> bool {
    let takes = |taken: &ImportName| match taken {
        ImportName::Name(name) => &**name == "default" || names.contains(name),
        ImportName::Whole => true,
        ImportName::Namespace | ImportName::Glob => false,
    };
    unit.facts.bindings[id.index()].sources.iter().any(|source| match source {
        Source::Import(import) => takes(&unit.facts.imports[import.index()].name),
        Source::Value(value) => unit.taken_of_import(*value).as_ref().is_some_and(takes),
        Source::Part { path, .. } => match path.last() {
            Some(Step::Name(name)) => names.contains(name),
            _ => true,
        },
        _ => false,
    })
}
