//! What becomes of an answer whose body is read by a second call.
//!
//! In: a call whose library says `body = "later"`. Out: where the answer is read, returned or handed on, in source order. An answer
//! that escapes where it cannot be followed counts as read there.

use super::Judge;
use super::call::{Call, is_callee};
use crate::facts::{BindingId, CallForm, Expr, ExprId, FunctionId, Source, Step, TypeRef};
use crate::link::{Env, Eval, Loc, Op, Unit, Value};
use crate::span::{FileId, Span};

/// A place where the rest of an answer is, or may be, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    /// The file.
    pub file: FileId,
    /// Where.
    pub at: u32,
    /// The answer left its function here: whatever is read is read after everything in that function.
    pub left: Option<FunctionId>,
    /// What stands there: what reads, or what hands the answer on.
    pub by: ExprId,
    /// Where the answer left the function of the call, if it did.
    pub gone: Option<u32>,
}

const DEEPEST: u32 = 6;

impl Read {
    /// A read in the function of the call.
    const fn at(by: Loc, at: u32) -> Self {
        Self { file: by.file, at, left: None, by: by.expr, gone: None }
    }
}

impl Judge<'_> {
    /// Where the body of an answer is read.
    pub(super) fn reads(&self, call: &Call) -> Vec<Read> {
        let mut reads = Vec::new();
        self.follow(call, call.end_at, &call.env, &mut reads, 0);
        reads
    }

    /// Whether the body is read after a position in the file of the call, as long as control does not leave before that: `until` is the
    /// end of the statement by which it does.
    pub(super) fn read_after(&self, call: &Call, position: u32, until: Option<u32>) -> bool {
        self.reads(call).iter().any(|read| {
            let elsewhere = read.left.is_some() || read.file != call.at.file;
            let at = if elsewhere { read.gone } else { Some(read.at) };
            (elsewhere || read.at > position) && until.is_none_or(|until| at.is_none_or(|at| at > position && at <= until))
        })
    }

    /// Whether the body is read by something that a function gives back out of a guarded block without waiting for it.
    pub(super) fn read_pending(&self, call: &Call, unit: &Unit, guarded: Span) -> bool {
        self.reads(call).iter().any(|read| {
            read.file == call.at.file && guarded.holds(unit.facts.span(read.by)) && leaves_pending(unit, read.by, guarded)
        })
    }

    /// Where the body is read outside of a span.
    pub(super) fn reads_outside(&self, call: &Call, file: FileId, span: Span) -> Vec<Read> {
        let lexically =
            call.at.file == file && self.eval.unit(file).is_some_and(|unit| span.holds(unit.facts.span(call.at.expr)));
        let beside = call.at.file == file
            && self.eval.unit(file).is_some_and(|unit| {
                let function = unit.facts.function_of(call.at.expr);
                function.is_some_and(|function| unit.facts.function(function).span.holds(span))
            });
        let within = |read: &Read| read.file == file && read.at >= span.start && read.at < span.end;
        let outside = |read: &Read| match (lexically, beside) {
            (true, _) => {
                !within(read)
                    || read.left.is_some_and(|function| {
                        self.eval.unit(file).is_none_or(|unit| !span.holds(unit.facts.function(function).span))
                    })
            }
            // The span encloses a variable of the same function that holds what is waited for.
            (false, true) => !within(read),
            // The span encloses a call of the function that holds the outbound call: what that function reads itself is inside.
            (false, false) => read.left.is_some() && !within(read),
        };
        let mut reads = self.reads(call);
        reads.retain(outside);
        reads
    }

    /// Follows a value from an expression outward.
    fn follow(&self, call: &Call, at: Loc, env: &Env, reads: &mut Vec<Read>, depth: u32) {
        let Some(unit) = self.eval.unit(at.file) else { return };
        let here = |expr: ExprId| Loc { file: at.file, expr };
        if depth > DEEPEST {
            reads.push(Read::at(at, unit.facts.span(at.expr).start));
            return;
        }
        let Some(parent) = unit.facts.parent(at.expr) else {
            return self.follow_root(call, unit, at, env, reads, depth);
        };
        if matches!(unit.facts.expr(parent), Expr::Call { form: CallForm::Macro, .. }) && self.is_race(here(parent), env) {
            // A branch of a race binds what it waits for.
            for used in unit.bound_to(at.expr).map_or(&[][..], |binding| unit.uses(binding)) {
                self.follow(call, here(*used), env, reads, depth + 1);
            }
            return;
        }
        let read = |reads: &mut Vec<Read>| reads.push(Read::at(here(parent), unit.facts.span(parent).end));
        // What holds it, or is made of it, goes on in its place where a type must say that there is more to read.
        let handed_on = |reads: &mut Vec<Read>| match self.may_go_on(call, None) {
            true => read(reads),
            false => self.follow(call, here(parent), env, reads, depth),
        };
        match unit.facts.expr(parent) {
            Expr::Either { test: Some(test), .. } if *test == at.expr => {
                // `match answer { Ok(found) => … }`: goes on where its parts are used.
                for binding in held_by(unit, at.expr) {
                    for used in unit.uses(binding) {
                        self.follow(call, here(*used), env, reads, depth + 1);
                    }
                }
            }
            Expr::Await(_) | Expr::Through(_) | Expr::Sequence(_) | Expr::Either { .. } => {
                self.follow(call, here(parent), env, reads, depth)
            }
            Expr::Member { of, name } if *of == at.expr => {
                match unit.facts.parent(parent).filter(|next| is_callee(unit, *next, parent)) {
                    Some(next) => self.follow_method(call, unit, here(next), name, env, reads, depth),
                    None if &**name == "body" || &**name == "data" && !self.says_what_reads(call) => read(reads),
                    None => {}
                }
            }
            Expr::List(items)
                if self.taken_apart(unit, parent, items.iter().position(|item| item.value == at.expr)).is_some() =>
            {
                let place = items.iter().position(|item| item.value == at.expr);
                for binding in self.taken_apart(unit, parent, place).unwrap_or_default() {
                    for used in unit.uses(binding) {
                        self.follow(call, here(*used), env, reads, depth + 1);
                    }
                }
            }
            Expr::List(_) => match unit.facts.parent(parent) {
                Some(outer) if self.is_scope(here(outer), env) => self.follow(call, here(outer), env, reads, depth + 1),
                _ => handed_on(reads),
            },
            Expr::Call { callee, .. } if *callee != at.expr => {
                if let Some(promise) = self.settled(unit, at.file, *callee, env) {
                    self.follow(call, promise, env, reads, depth + 1)
                } else if self.is_scope(here(parent), env) {
                    self.follow(call, here(parent), env, reads, depth + 1)
                } else if !self.follow_argument(call, here(parent), at.expr, env, reads, depth) {
                    handed_on(reads)
                }
            }
            Expr::Opaque { .. } | Expr::Not(_) | Expr::Equal { .. } => {}
            _ => handed_on(reads),
        }
    }

    /// Whether there may be more to read of an answer that goes where it cannot be followed, as a value of a type if that is known:
    /// where the library says which types do, no other does.
    fn may_go_on(&self, call: &Call, ty: Option<&TypeRef>) -> bool {
        let unread = &self.catalog().library(call.end.library).object(call.end.object).unread;
        unread.is_empty() || ty.is_some_and(|ty| names_one(ty, unread))
    }

    /// The answer is an argument of a function of the scanned code, where only some types of answers go on. False: it cannot be followed.
    fn follow_argument(&self, call: &Call, at: Loc, arg: ExprId, env: &Env, reads: &mut Vec<Read>, depth: u32) -> bool {
        if self.may_go_on(call, None) {
            return false;
        }
        let Some(unit) = self.eval.unit(at.file) else { return false };
        let Expr::Call { callee, args, .. } = unit.facts.expr(at.expr) else { return false };
        let Some(index) = args.iter().position(|known| known.value == arg) else { return false };
        let Value::Function(file, function, ..) = self.eval.value(Loc { file: at.file, expr: *callee }, env) else {
            return false;
        };
        let Some(other) = self.eval.unit(file) else { return false };
        let ty = other.facts.function(function).params.get(index).and_then(|param| param.ty.as_ref());
        if ty.is_some() && self.may_go_on(call, ty) {
            reads.push(Read::at(at, unit.facts.span(at.expr).end));
            return true;
        }
        for param in self.eval.param_bindings(other, function, index as u32) {
            for used in other.uses(param) {
                self.follow(call, Loc { file, expr: *used }, &None, reads, depth + 1);
            }
        }
        true
    }

    /// The variables that take one element of a list or tuple that is taken apart where it stands.
    fn taken_apart(&self, unit: &Unit, list: ExprId, place: Option<usize>) -> Option<Vec<BindingId>> {
        let place = place? as u32;
        let parts: Vec<BindingId> = unit.parts_of(list).collect();
        let takes = |binding: &BindingId| {
            unit.facts.bindings[binding.index()].sources.iter().any(|source| match source {
                Source::Part { of, path, .. } => *of == list && path.first() == Some(&Step::Index(place)),
                _ => false,
            })
        };
        (!parts.is_empty()).then(|| parts.into_iter().filter(takes).collect())
    }

    /// Whether the library lists what reads the rest of its answers.
    fn says_what_reads(&self, call: &Call) -> bool {
        !self.catalog().library(call.end.library).object(call.end.object).reads.is_empty()
    }

    fn is_race(&self, at: Loc, env: &Env) -> bool {
        self.eval.op_at(at, env).is_some_and(|(lib, matched)| match matched.op {
            Op::Scope(rule) => self.catalog().library(lib.library).scopes[rule].table.race,
            _ => false,
        })
    }

    fn is_scope(&self, at: Loc, env: &Env) -> bool {
        self.eval.op_at(at, env).is_some_and(|(lib, matched)| match matched.op {
            Op::Scope(_) => true,
            Op::Value(rule) => self.catalog().library(lib.library).values[rule].is == crate::catalog::schema::Is::Same,
            _ => false,
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn follow_method(&self, call: &Call, unit: &Unit, at: Loc, name: &str, env: &Env, reads: &mut Vec<Read>, depth: u32) {
        let object = self.catalog().library(call.end.library).object(call.end.object);
        if object.reads.iter().any(|read| **read == *name) {
            reads.push(Read::at(at, unit.facts.span(at.expr).end));
            return;
        }
        if self.gives_itself(call, at, name, env) {
            return self.follow(call, at, env, reads, depth);
        }
        let Expr::Call { args, .. } = unit.facts.expr(at.expr) else { return };
        let callback = args.first().and_then(|arg| match unit.facts.expr(arg.value) {
            Expr::Function(function) => Some(*function),
            _ => None,
        });
        match (name, callback) {
            ("then" | "and_then" | "map" | "map_ok" | "is_ok_and" | "is_some_and", Some(function)) => {
                for param in self.eval.param_bindings(unit, function, 0) {
                    for used in unit.uses(param) {
                        self.follow(call, Loc { file: at.file, expr: *used }, env, reads, depth + 1);
                    }
                }
            }
            ("then", None) => match args.first().and_then(|arg| self.settled(unit, at.file, arg.value, env)) {
                Some(promise) => self.follow(call, promise, env, reads, depth + 1),
                None => reads.push(Read::at(at, unit.facts.span(at.expr).end)),
            },
            ("catch" | "finally" | "error_for_status", _) => self.follow(call, at, env, reads, depth),
            _ if self.is_view(at.file, unit, at.expr) || !self.extension_methods(at.file, name).is_empty() => {
                self.follow(call, at, env, reads, depth)
            }
            _ => {}
        }
    }

    /// The promise that an expression settles, where it is one of the callbacks that the promise's own function is given.
    fn settled(&self, unit: &Unit, file: FileId, callback: ExprId, env: &Env) -> Option<Loc> {
        let Expr::Name(name, scope) = unit.facts.expr(callback) else { return None };
        let binding = unit.binding(name, *scope)?;
        let executor = unit.facts.bindings[binding.index()].sources.iter().find_map(|source| match source {
            Source::Param { function, path, .. } if path.is_empty() => Some(*function),
            _ => None,
        })?;
        let promise = Loc { file, expr: unit.facts.parent(unit.literal(executor)?)? };
        let (lib, matched) = self.eval.op_at(promise, env)?;
        let Op::Value(rule) = matched.op else { return None };
        let is_promise = self.catalog().library(lib.library).values[rule].is == crate::catalog::schema::Is::Promise;
        is_promise.then_some(promise)
    }

    /// Whether a method gives the answer itself, or another view of it.
    fn gives_itself(&self, call: &Call, at: Loc, name: &str, env: &Env) -> bool {
        let called = call.end.with_member(self.catalog(), name);
        let library = self.catalog().library(call.end.library);
        match self.eval.op(&called, false, &self.eval.args_of(at, env)).map(|matched| matched.op) {
            Some(Op::Make(rule)) => {
                let make = &library.makes[rule];
                make.table.keeps && library.object_id(&make.gives) == Some(call.end.object)
            }
            Some(Op::Step(_)) => true,
            _ => false,
        }
    }

    fn follow_root(&self, call: &Call, unit: &Unit, at: Loc, env: &Env, reads: &mut Vec<Read>, depth: u32) {
        if let Some(binding) = unit.bound_to(at.expr) {
            for used in unit.uses(binding) {
                self.follow(call, Loc { file: at.file, expr: *used }, env, reads, depth + 1);
            }
            return;
        }
        let parts: Vec<_> = unit.parts_of(at.expr).collect();
        if !parts.is_empty() {
            let takes_body =
                parts.iter().any(|part| matches!(&*unit.facts.bindings[part.index()].name, "body" | "data")) || parts.len() == 1;
            if takes_body {
                reads.push(Read::at(at, unit.facts.span(at.expr).end));
            }
            return;
        }
        let Some(function) = unit.returned_by(at.expr) else { return };
        self.follow_return(call, unit, at, function, env, reads, depth);
    }

    /// The answer is what a function returns: goes on where it is called.
    #[allow(clippy::too_many_arguments)]
    fn follow_return(
        &self,
        call: &Call,
        unit: &Unit,
        at: Loc,
        function: FunctionId,
        env: &Env,
        reads: &mut Vec<Read>,
        depth: u32,
    ) {
        let left = |reads: &mut Vec<Read>| {
            if self.may_go_on(call, unit.facts.function(function).returns_type.as_ref()) {
                reads.push(Read { left: Some(function), ..Read::at(at, unit.facts.span(at.expr).start) });
            }
        };
        let before = reads.len();
        if let Some(frame) = Eval::frame_of(env, at.file, function)
            && let Some(outer) = frame.call
        {
            self.follow(call, outer, &frame.caller, reads, depth + 1);
        } else if let Some(parent) = unit.literal(function).and_then(|literal| unit.facts.parent(literal)) {
            self.follow(call, Loc { file: at.file, expr: parent }, env, reads, depth + 1);
        } else if let Some(literal) = unit.literal(function).filter(|_| unit.facts.function(function).is_block) {
            self.follow(call, Loc { file: at.file, expr: literal }, env, reads, depth + 1);
        } else {
            let callers = self.eval.callers((at.file, function));
            if callers.is_empty() {
                left(reads);
            }
            for caller in callers.iter() {
                self.follow(call, caller.at, &None, reads, depth + 1);
            }
        }
        for read in &mut reads[before..] {
            read.left = read.left.or(Some(function));
            read.gone = Some(unit.facts.span(at.expr).start);
        }
    }
}

/// Whether a type, or a type inside it, has one of these names.
fn names_one(ty: &TypeRef, names: &[Box<str>]) -> bool {
    ty.path.last().is_some_and(|last| names.contains(last)) || ty.args.iter().any(|inner| names_one(inner, names))
}

/// The variables that hold an expression's value, or parts of it.
fn held_by(unit: &Unit, expr: ExprId) -> Vec<BindingId> {
    let holds = |source: &Source| match source {
        Source::Value(value) => *value == expr,
        Source::Part { of, .. } => *of == expr,
        _ => false,
    };
    let bindings = unit.facts.bindings.iter().enumerate();
    bindings.filter(|(_, binding)| binding.sources.iter().any(holds)).map(|(at, _)| BindingId(at as u32)).collect()
}

/// Whether what an expression gives is handed out of a guarded block without being waited for there.
pub(super) fn leaves_pending(unit: &Unit, mut at: ExprId, guarded: Span) -> bool {
    loop {
        while let Some(parent) = unit.facts.parent(at) {
            if matches!(unit.facts.expr(parent), Expr::Await(_)) {
                return false;
            }
            at = parent;
        }
        let Some(function) = unit.returned_by(at) else { return false };
        if !guarded.holds(unit.facts.function(function).span) {
            return true;
        }
        match unit.literal(function).filter(|literal| *literal != at) {
            Some(literal) => at = literal,
            None => return false,
        }
    }
}
