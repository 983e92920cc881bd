//! Follows an answer into functions of the scanned code and out of them, through methods, and into what keeps it.
//!
//! In: a [`Walk`] that stands at a call that takes the answer, or at the end of a function. Out: the same walk, further on. What a function
//! reads of an answer that it is given is read where it is called.

use super::followed::{Entered, Walk, taken_out, within};
use super::reads::Read;
use super::scopes::is_awaited;
use crate::facts::{BindingId, CallForm, Expr, ExprId, FunctionId, Source, Step};
use crate::link::{Env, Eval, Loc, Op, Owner, Unit, Value, called_as};
use crate::span::FileId;

impl Walk<'_, '_> {
    /// It is an argument of a call.
    pub(super) fn follow_argument(&mut self, unit: &Unit, call: Loc, arg: ExprId, held: &[Step], env: &Env, depth: u32) {
        let Expr::Call { callee, args, form } = unit.facts.expr(call.expr) else { return };
        if let Some(promise) = self.settled(unit, call.file, *callee, env) {
            return self.follow(promise, held, env, depth + 1);
        }
        if self.is_lazy(call, *callee, env) {
            return self.follow(call, &[], env, depth + 1);
        }
        if self.is_scope(call, env) || self.is_same(call, env) {
            return self.follow(call, held, env, depth + 1);
        }
        let Some(index) = args.iter().position(|known| known.value == arg) else { return };
        let called = self.callee(call.file, *callee, env);
        let mut known = false;
        for option in &called {
            known |= match option {
                Value::Function(file, function, outer, this) => {
                    let key = (*file, *function);
                    let (this, args) = self.judge.eval.receive(key, this.as_deref().cloned(), self.judge.eval.args_of(call, env));
                    // The object itself comes first where a method is called by the name of its class.
                    let by_class = self.judge.eval.takes_object_first(key, args.len() + 1) && this.is_some();
                    let frame = self.judge.eval.frame(key, args, this, Some(call), env, outer);
                    let given = match (by_class, index) {
                        (true, 0) => Given::This,
                        (true, _) => Given::Param(index as u32 - 1),
                        (false, _) => Given::Param(index as u32),
                    };
                    self.enter(key, given, call, held, (&frame, env), depth)
                }
                Value::Class(file, class) => self.construct((*file, *class), call, index, held, env, depth),
                _ => false,
            };
        }
        let name = unit.call_name(call.expr).unwrap_or_default();
        if known {
        } else if matches!(name, "Some" | "Ok" | "Err" | "Ready") && args.len() == 1 {
            self.follow(call, held, env, depth);
        } else if is_variant(name, &called) && self.judge.program().files.modules(call.file).is_typed() {
            self.follow(call, &within(Step::Index(index as u32), held), env, depth);
        } else if *form == CallForm::Macro {
            // A macro prints what it is given, or gives what it is made of.
            let joins = matches!(name, "join" | "try_join");
            let held = if joins { within(Step::Index(index as u32), held) } else { held.to_vec() };
            self.follow(call, &held, env, depth);
        } else {
            self.hand_on(unit, call, held, env, depth);
            // What is made of it may read it later.
            let is_typed = self.judge.program().files.modules(call.file).is_typed();
            let is_made = *form == CallForm::New || is_typed && of_a_type(unit, *callee) && !is_awaited(unit, call.expr);
            if is_made && self.may_go_on(None) {
                self.follow(call, held, env, depth);
            }
        }
    }

    /// Follows it into a function that is given it. False: the function cannot be looked into.
    fn enter(
        &mut self,
        key: (FileId, FunctionId),
        given: Given,
        call: Loc,
        held: &[Step],
        envs: (&Env, &Env),
        depth: u32,
    ) -> bool {
        let Some(unit) = self.judge.eval.unit(key.0) else { return false };
        let function = unit.facts.function(key.1);
        if function.body.start >= function.body.end || self.entered.iter().any(|entered| entered.key == key) {
            return false;
        }
        let Some(caller) = self.judge.eval.unit(call.file) else { return false };
        let ty = match given {
            Given::Param(index) => function.params.get(index as usize).and_then(|param| param.ty.as_ref()),
            Given::This => None,
        };
        if ty.is_some() && self.may_go_on(ty) && !self.may_go_on(None) {
            // A type says that there is more to read.
            self.read(caller, call);
            return true;
        }
        let before = self.reads.len();
        let makes = function.name.as_deref() == Some("constructor");
        self.entered.push(Entered { key, back: Vec::new(), makes });
        match given {
            Given::Param(index) => {
                for (binding, rest) in taken_params(unit, key.1, index, held) {
                    self.follow_uses(unit, key.0, binding, &rest, envs.0, depth);
                }
                if function.params.get(index as usize).is_some_and(|param| param.field)
                    && let Some(name) = function.params[index as usize].name.clone()
                    && let Some(entered) = self.entered.last_mut()
                {
                    entered.back.push(within(Step::Name(name), held));
                }
            }
            Given::This => {
                for this in objects_in(unit, key.1) {
                    self.follow(Loc { file: key.0, expr: this }, held, envs.0, depth + 1);
                }
            }
        }
        let back = self.entered.pop().map(|entered| entered.back).unwrap_or_default();
        for read in &mut self.reads[before..] {
            *read = Read::at(call, caller.facts.span(call.expr).end);
        }
        for held in back {
            self.follow(call, &held, envs.1, depth + 1);
        }
        true
    }

    /// It is given to a class of the scanned code, to make an instance.
    fn construct(
        &mut self,
        class: (FileId, crate::facts::ClassId),
        call: Loc,
        index: usize,
        held: &[Step],
        env: &Env,
        depth: u32,
    ) -> bool {
        let Some(unit) = self.judge.eval.unit(class.0) else { return false };
        if let Some(constructor) = unit.facts.class(class.1).constructor() {
            let args = self.judge.eval.args_of(call, env);
            let frame = self.judge.eval.frame((class.0, constructor), args, None, Some(call), env, &None);
            return self.enter((class.0, constructor), Given::Param(index as u32), call, held, (&frame, env), depth);
        }
        let by_place = unit.facts.class(class.1).fields.iter().any(|field| &*field.name == "0");
        if by_place {
            self.follow(call, &within(Step::Index(index as u32), held), env, depth);
        }
        by_place
    }

    /// A method of the answer, or of what holds it.
    pub(super) fn follow_method(&mut self, unit: &Unit, call: Loc, name: &str, held: &[Step], env: &Env, depth: u32) {
        let object = self.judge.catalog().library(self.call.end.library).object(self.call.end.object);
        if object.reads.iter().any(|read| **read == *name) {
            self.read(unit, call);
            if let Some(stream) = self.stream_around(unit, call, env) {
                self.follow(stream, &[], env, depth + 1);
            }
            return;
        }
        if held.is_empty() {
            if let Some(view) = object.views.iter().find(|view| *view.name == *name) {
                let path: Vec<Step> = view.place.into_iter().map(Step::Index).collect();
                return self.follow(call, &path, env, depth);
            }
            if self.gives_itself(call, name, env) {
                return self.follow(call, held, env, depth);
            }
        } else if self.enter_method(unit, call, held, env, depth) {
            return;
        }
        let Expr::Call { args, .. } = unit.facts.expr(call.expr) else { return };
        let callback = args.first().and_then(|arg| match unit.facts.expr(arg.value) {
            Expr::Function(function) => Some(*function),
            _ => None,
        });
        match (name, callback) {
            ("then" | "and_then" | "map" | "map_ok" | "is_ok_and" | "is_some_and", Some(function)) => {
                for (binding, rest) in taken_params(unit, function, 0, held) {
                    self.follow_uses(unit, call.file, binding, &rest, env, depth);
                }
            }
            ("then", None) => match args.first().and_then(|arg| self.settled(unit, call.file, arg.value, env)) {
                Some(promise) => self.follow(promise, held, env, depth + 1),
                None => self.read(unit, call),
            },
            ("catch" | "finally" | "error_for_status", _) => self.follow(call, held, env, depth),
            _ if self.judge.is_view(call.file, unit, call.expr) || !self.judge.extension_methods(call.file, name).is_empty() => {
                self.follow(call, held, env, depth);
            }
            _ => {}
        }
    }

    /// Follows what holds it into a method of its class that is called on it.
    fn enter_method(&mut self, unit: &Unit, call: Loc, held: &[Step], env: &Env, depth: u32) -> bool {
        let Expr::Call { callee, .. } = unit.facts.expr(call.expr) else { return false };
        let mut entered = false;
        for option in self.callee(call.file, *callee, env) {
            let Value::Function(file, function, outer, this) = option else { continue };
            let args = self.judge.eval.args_of(call, env);
            let frame = self.judge.eval.frame((file, function), args, this.as_deref().cloned(), Some(call), env, &outer);
            entered |= self.enter((file, function), Given::This, call, held, (&frame, env), depth);
        }
        entered
    }

    /// Whether a method gives the answer itself, or another view of it.
    fn gives_itself(&self, at: Loc, name: &str, env: &Env) -> bool {
        let catalog = self.judge.catalog();
        let called = self.call.end.with_member(catalog, name);
        let library = catalog.library(self.call.end.library);
        match self.judge.eval.op(&called, false, &self.judge.eval.args_of(at, env)).map(|matched| matched.op) {
            Some(Op::Make(rule)) => {
                let make = &library.makes[rule];
                make.table.keeps && library.object_id(&make.gives) == Some(self.call.end.object)
            }
            Some(Op::Step(_)) => true,
            _ => false,
        }
    }

    /// It is written to a member: goes on where that is read. False: it is not written.
    pub(super) fn follow_write(&mut self, unit: &Unit, at: Loc, held: &[Step], env: &Env, depth: u32) -> bool {
        let Some(write) = unit.facts.writes.iter().find(|write| write.value == at.expr) else { return false };
        let path: Vec<Step> = write.path.iter().chain(held).cloned().collect();
        match unit.facts.expr(write.root) {
            Expr::This => {
                if let Some(entered) = self.entered.last_mut().filter(|entered| entered.makes && entered.key.0 == at.file) {
                    entered.back.push(path);
                } else {
                    self.follow_kept(unit, at, write.scope, &path, depth);
                }
            }
            Expr::Name(name, scope) => {
                if let Some(binding) = unit.binding(name, *scope) {
                    self.follow_uses(unit, at.file, binding, &path, env, depth);
                }
            }
            _ => self.read(unit, at),
        }
        true
    }

    /// It is kept in a field of an object: read wherever a method of the same class in that file reads the field.
    fn follow_kept(&mut self, unit: &Unit, at: Loc, scope: crate::facts::ScopeId, path: &[Step], depth: u32) {
        let Some((writer, owner)) = unit.method_around(scope) else { return self.read(unit, at) };
        let is_of_class = |this: ExprId| {
            let around = unit.method_around(unit.facts.expr_scopes[this.index()]);
            around.is_some_and(|(_, other)| same_owner(unit, owner, other))
        };
        let all = (0..unit.facts.exprs.len() as u32).map(ExprId);
        let objects: Vec<ExprId> =
            all.filter(|expr| matches!(unit.facts.expr(*expr), Expr::This) && is_of_class(*expr)).collect();
        let outer = std::mem::take(&mut self.reads);
        let entered = std::mem::take(&mut self.entered);
        for this in objects {
            self.follow(Loc { file: at.file, expr: this }, path, &None, depth + 1);
        }
        self.entered = entered;
        let mut kept = std::mem::replace(&mut self.reads, outer);
        for read in &mut kept {
            let function = self.judge.eval.unit(read.file).and_then(|unit| unit.facts.function_of(read.by));
            if read.file != at.file || function != unit.facts.function_of(at.expr) {
                read.left = read.left.or(Some(writer));
                read.gone = read.gone.or(Some(unit.facts.span(at.expr).start));
            }
        }
        self.kept.append(&mut kept);
    }

    /// The answer is what a function returns: goes on where it is called.
    pub(super) fn follow_return(&mut self, unit: &Unit, at: Loc, function: FunctionId, held: &[Step], env: &Env, depth: u32) {
        let key = (at.file, function);
        if let Some(entered) = self.entered.last_mut().filter(|entered| entered.key == key) {
            return entered.back.push(held.to_vec());
        }
        let before = self.reads.len();
        if let Some(frame) = Eval::frame_of(env, at.file, function)
            && let Some(outer) = frame.call
        {
            self.follow(outer, held, &frame.caller, depth + 1);
        } else if let Some(gives) = where_run(unit, function) {
            self.follow(Loc { file: at.file, expr: gives }, held, env, depth + 1);
        } else {
            let callers = self.judge.eval.callers(key);
            if callers.is_empty() && self.may_go_on(unit.facts.function(function).returns_type.as_ref()) {
                self.reads.push(Read { left: Some(function), ..Read::at(at, unit.facts.span(at.expr).start) });
            }
            for caller in callers.iter() {
                self.follow(caller.at, held, &None, depth + 1);
            }
        }
        for read in &mut self.reads[before..] {
            read.left = read.left.or(Some(function));
            read.gone = Some(unit.facts.span(at.expr).start);
        }
    }
}

/// What a function is given that holds the answer.
#[derive(Clone, Copy)]
enum Given {
    /// One of its arguments.
    Param(u32),
    /// The object it is called on.
    This,
}

/// The names that hold the answer, or what holds it, of one that is given as an argument.
fn taken_params(unit: &Unit, function: FunctionId, index: u32, held: &[Step]) -> Vec<(BindingId, Vec<Step>)> {
    let taken = |source: &Source| match source {
        Source::Param { function: of, index: place, path, .. } if *of == function && *place == index => {
            taken_out(path, held).map(<[Step]>::to_vec)
        }
        _ => None,
    };
    let bindings = unit.facts.bindings.iter().enumerate();
    bindings.filter_map(|(at, binding)| Some((BindingId(at as u32), binding.sources.iter().find_map(taken)?))).collect()
}

/// Where a method names the object that it is called on.
fn objects_in(unit: &Unit, function: FunctionId) -> Vec<ExprId> {
    let body = unit.facts.function(function).span;
    let is_it = |at: &ExprId| {
        matches!(unit.facts.expr(*at), Expr::This)
            && body.holds(unit.facts.span(*at))
            && unit.method_around(unit.facts.expr_scopes[at.index()]).is_some_and(|(method, _)| method == function)
    };
    (0..unit.facts.exprs.len() as u32).map(ExprId).filter(is_it).collect()
}

/// What gives what a function returns, where it is written: a block itself, the call of a function on the spot, the call that is given it.
fn where_run(unit: &Unit, function: FunctionId) -> Option<ExprId> {
    let literal = unit.literal(function)?;
    if unit.facts.function(function).is_block {
        return Some(literal);
    }
    let takes = |call: &ExprId| matches!(unit.facts.expr(*call), Expr::Call { .. });
    called_as(unit, literal).or_else(|| unit.facts.parent(literal).filter(takes))
}

/// Whether what is called is a function of a type (`StreamReader::new`).
fn of_a_type(unit: &Unit, callee: ExprId) -> bool {
    let Expr::Member { of, .. } = unit.facts.expr(callee) else { return false };
    matches!(unit.facts.expr(*of), Expr::Name(name, _) | Expr::Member { name, .. } if name.starts_with(char::is_uppercase))
}

/// Whether methods belong to one class of a file.
fn same_owner(unit: &Unit, a: Owner, b: Owner) -> bool {
    match (a, b) {
        (Owner::Class(a), Owner::Class(b)) => a == b,
        (Owner::Extension(a), Owner::Extension(b)) => unit.facts.extensions[a].of.path == unit.facts.extensions[b].of.path,
        _ => false,
    }
}

/// Whether a call of that name puts its arguments into a variant, or a tuple, of a type that is not known: Rust names nothing else so.
fn is_variant(name: &str, called: &[Value]) -> bool {
    name.starts_with(char::is_uppercase) && called.iter().all(|value| !matches!(value, Value::Lib(_)))
}
