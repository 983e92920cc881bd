//! Follows an answer from where it comes back to where the rest of it is read: through names, through what it is put into and taken out of.
//!
//! In: a call whose library says `body = "later"`. Out: [`Read`]s: where the answer is read, or goes where it cannot be followed.
//! [`super::entered`] follows it into functions, out of them, and through methods. What it is put into (`Some(answer)`, `(status, answer)`,
//! `Reading { answer }`, `{ data: answer }`) reads nothing: it holds the answer under a path, by which it is found where it is taken out.

use rustc_hash::FxHashSet;

use super::Judge;
use super::call::{Call, is_callee};
use super::reads::Read;
use crate::facts::{BindingId, CallForm, Expr, ExprId, Field, FunctionId, Source, Step, TypeRef};
use crate::link::{Env, Loc, Op, Unit, Value};
use crate::span::FileId;

/// How many names, functions and callers an answer is followed through.
pub(super) const DEEPEST: u32 = 12;

/// A function that an answer was followed into.
#[derive(Debug)]
pub(super) struct Entered {
    pub(super) key: (FileId, FunctionId),
    /// Where what it gives holds the answer.
    pub(super) back: Vec<Vec<Step>>,
    /// It makes the object that it is called on: what it writes to it is what it gives.
    pub(super) makes: bool,
}

/// One answer on its way.
pub(super) struct Walk<'w, 'p> {
    pub(super) judge: &'w Judge<'p>,
    pub(super) call: &'w Call,
    pub(super) reads: Vec<Read>,
    /// Reads of what was kept in an object, wherever they stand.
    pub(super) kept: Vec<Read>,
    pub(super) entered: Vec<Entered>,
    seen: FxHashSet<(Loc, Vec<Step>, usize)>,
}

impl<'w, 'p> Walk<'w, 'p> {
    /// Where the answer of a call is read.
    pub(super) fn of(judge: &'w Judge<'p>, call: &'w Call) -> Vec<Read> {
        let (reads, kept, entered) = (Vec::new(), Vec::new(), Vec::new());
        let mut walk = Self { judge, call, reads, kept, entered, seen: FxHashSet::default() };
        walk.follow(call.end_at, &[], &call.env, 0);
        walk.reads.append(&mut walk.kept);
        walk.reads
    }

    /// Follows what holds the answer under a path from an expression outward.
    pub(super) fn follow(&mut self, at: Loc, held: &[Step], env: &Env, depth: u32) {
        let Some(unit) = self.judge.eval.unit(at.file) else { return };
        let here = |expr: ExprId| Loc { file: at.file, expr };
        if !self.seen.insert((at, held.to_vec(), self.entered.len())) {
            return;
        }
        if depth > DEEPEST {
            return self.reads.push(Read::at(at, unit.facts.span(at.expr).start));
        }
        let Some(parent) = unit.facts.parent(at.expr) else { return self.follow_root(unit, at, held, env, depth) };
        if matches!(unit.facts.expr(parent), Expr::Call { form: CallForm::Macro, .. }) && self.is_race(here(parent), env) {
            // A branch of a race binds what it waits for.
            let bound = unit.bound_to(at.expr);
            return bound.into_iter().for_each(|binding| self.follow_uses(unit, at.file, binding, held, env, depth));
        }
        match unit.facts.expr(parent) {
            Expr::Either { test: Some(test), .. } if *test == at.expr => {
                // `match answer { Ok(found) => … }`: goes on where its parts are used.
                self.follow_bound(unit, at, held, env, depth);
            }
            Expr::Await(_) | Expr::Through(_) | Expr::Sequence(_) | Expr::Either { .. } => {
                self.follow(here(parent), held, env, depth);
            }
            Expr::Member { of, name } if *of == at.expr => self.follow_member(unit, here(parent), name, held, env, depth),
            Expr::Index { of, .. } if *of == at.expr => {
                self.follow(here(parent), held.get(1..).unwrap_or_default(), env, depth);
            }
            Expr::List(items) => {
                let place = items.iter().position(|item| item.value == at.expr);
                self.follow_element(unit, here(parent), place, held, env, depth);
            }
            Expr::Object { fields, .. } => match fields.iter().find(|field| value_of(field) == at.expr) {
                Some(Field::Named(key, _)) => self.follow(here(parent), &within(Step::Name(key.clone()), held), env, depth),
                Some(Field::Spread(_)) if !held.is_empty() => self.follow(here(parent), held, env, depth),
                _ => self.hand_on(unit, here(parent), held, env, depth),
            },
            Expr::Call { callee, .. } if *callee != at.expr => {
                self.follow_argument(unit, here(parent), at.expr, held, env, depth)
            }
            // `match answer { Reply::Full(found) => … }` compares what it takes apart.
            Expr::Equal { .. } => {
                self.follow_bound(unit, at, held, env, depth);
            }
            Expr::Opaque { .. } | Expr::Not(_) => {}
            _ => self.hand_on(unit, here(parent), held, env, depth),
        }
    }

    /// What takes it, or is made of it, cannot be followed: read there. It goes on in its place where a type must say that there is more to
    /// read.
    pub(super) fn hand_on(&mut self, unit: &Unit, at: Loc, held: &[Step], env: &Env, depth: u32) {
        match self.may_go_on(None) {
            true => self.read(unit, at),
            false => self.follow(at, held, env, depth),
        }
    }

    /// It is read here.
    pub(super) fn read(&mut self, unit: &Unit, at: Loc) {
        self.reads.push(Read::at(at, unit.facts.span(at.expr).end));
    }

    /// Whether there may be more to read of an answer that goes where it cannot be followed, as a value of a type if that is known:
    /// where the library says which types do, no other does.
    pub(super) fn may_go_on(&self, ty: Option<&TypeRef>) -> bool {
        let library = self.judge.catalog().library(self.call.end.library);
        let unread = &library.object(self.call.end.object).unread;
        unread.is_empty() || ty.is_some_and(|ty| names_one(ty, unread))
    }

    /// Goes on at each use of a name.
    pub(super) fn follow_uses(&mut self, unit: &Unit, file: FileId, binding: BindingId, held: &[Step], env: &Env, depth: u32) {
        for used in unit.uses(binding) {
            self.follow(Loc { file, expr: *used }, held, env, depth + 1);
        }
    }

    /// A member of what holds it, or of the answer itself.
    fn follow_member(&mut self, unit: &Unit, member: Loc, name: &str, held: &[Step], env: &Env, depth: u32) {
        let call = unit.facts.parent(member.expr).filter(|next| is_callee(unit, *next, member.expr));
        if let Some(call) = call.filter(|_| held.first().is_none_or(|step| !is_named(step, name))) {
            return self.follow_method(unit, Loc { file: member.file, expr: call }, name, held, env, depth);
        }
        match held.split_first() {
            Some((step, rest)) if is_named(step, name) => self.follow(member, rest, env, depth),
            Some(_) => {}
            None if name == "body" || name == "data" && !self.says_what_reads() => self.read(unit, member),
            None => {}
        }
    }

    /// It is an element of a list or tuple.
    fn follow_element(&mut self, unit: &Unit, list: Loc, place: Option<usize>, held: &[Step], env: &Env, depth: u32) {
        let Some(place) = place else { return self.hand_on(unit, list, held, env, depth) };
        let inside = within(Step::Index(place as u32), held);
        let outer = unit.facts.parent(list.expr).map(|outer| Loc { file: list.file, expr: outer });
        // What is waited for together comes back in its place; of what is raced, one does.
        match outer.filter(|outer| self.is_scope(*outer, env)) {
            Some(outer) => self.follow(outer, held, env, depth + 1),
            None => self.follow(list, &inside, env, depth),
        }
    }

    /// The statement ends: goes on where its name is used, where its parts are, or at the callers of the function.
    fn follow_root(&mut self, unit: &Unit, at: Loc, held: &[Step], env: &Env, depth: u32) {
        if self.follow_bound(unit, at, held, env, depth) || self.follow_write(unit, at, held, env, depth) {
            return;
        }
        if let Some(function) = unit.returned_by(at.expr) {
            self.follow_return(unit, at, function, held, env, depth);
        }
    }

    /// Goes on at the uses of the names that hold an expression's value, or the part of it that is, or holds, the answer. False: there are
    /// none.
    fn follow_bound(&mut self, unit: &Unit, at: Loc, held: &[Step], env: &Env, depth: u32) -> bool {
        let sources = unit.facts.bindings.iter().enumerate().flat_map(|(binding, of)| {
            let taken = of.sources.iter().filter_map(|source| Taken::of(source, at.expr, held));
            taken.map(move |taken| (BindingId(binding as u32), taken))
        });
        let all: Vec<(BindingId, Taken)> = sources.collect();
        let parts = all.iter().filter(|(_, taken)| matches!(taken, Taken::Inside)).count();
        for (binding, taken) in &all {
            match taken {
                Taken::Holds(rest) => self.follow_uses(unit, at.file, *binding, rest, env, depth),
                // A part of the answer itself.
                Taken::Inside if parts == 1 || matches!(&*unit.facts.bindings[binding.index()].name, "body" | "data") => {
                    self.read(unit, at);
                }
                Taken::Inside | Taken::Other => {}
            }
        }
        !all.is_empty()
    }

    /// Whether the library lists what reads the rest of its answers.
    fn says_what_reads(&self) -> bool {
        !self.judge.catalog().library(self.call.end.library).object(self.call.end.object).reads.is_empty()
    }

    fn is_race(&self, at: Loc, env: &Env) -> bool {
        self.judge.eval.op_at(at, env).is_some_and(|(lib, matched)| match matched.op {
            Op::Scope(rule) => self.judge.catalog().library(lib.library).scopes[rule].table.race,
            _ => false,
        })
    }

    /// Whether a call encloses what it is given, and gives what that gives.
    pub(super) fn is_scope(&self, at: Loc, env: &Env) -> bool {
        self.judge.eval.op_at(at, env).is_some_and(|(_, matched)| matches!(matched.op, Op::Scope(_)))
    }

    /// Whether a call gives what it is given.
    pub(super) fn is_same(&self, at: Loc, env: &Env) -> bool {
        self.judge.eval.op_at(at, env).is_some_and(|(lib, matched)| match matched.op {
            Op::Value(rule) => self.judge.catalog().library(lib.library).values[rule].is == crate::catalog::schema::Is::Same,
            _ => false,
        })
    }

    /// The promise that an expression settles, where it is one of the callbacks that the promise's own function is given.
    pub(super) fn settled(&self, unit: &Unit, file: FileId, callback: ExprId, env: &Env) -> Option<Loc> {
        let Expr::Name(name, scope) = unit.facts.expr(callback) else { return None };
        let binding = unit.binding(name, *scope)?;
        let executor = unit.facts.bindings[binding.index()].sources.iter().find_map(|source| match source {
            Source::Param { function, path, .. } if path.is_empty() => Some(*function),
            _ => None,
        })?;
        let promise = Loc { file, expr: unit.facts.parent(unit.literal(executor)?)? };
        let (lib, matched) = self.judge.eval.op_at(promise, env)?;
        let Op::Value(rule) = matched.op else { return None };
        let is_promise = self.judge.catalog().library(lib.library).values[rule].is == crate::catalog::schema::Is::Promise;
        is_promise.then_some(promise)
    }

    /// What a call of the scanned code, or of a class of it, calls.
    pub(super) fn callee(&self, file: FileId, callee: ExprId, env: &Env) -> Vec<Value> {
        self.judge.eval.value(Loc { file, expr: callee }, env).options().to_vec()
    }
}

/// What a name takes of a value.
enum Taken {
    /// The answer, or what holds it under a path.
    Holds(Vec<Step>),
    /// A part of the answer.
    Inside,
    /// Something else.
    Other,
}

impl Taken {
    /// What a source takes of the value of an expression that holds the answer under a path; `None`: nothing.
    fn of(source: &Source, expr: ExprId, held: &[Step]) -> Option<Self> {
        match source {
            Source::Value(value) if *value == expr => Some(Self::Holds(held.to_vec())),
            // What went wrong is no answer.
            Source::Part { of, path, .. } if *of == expr && path.iter().any(Step::is_failure) => Some(Self::Other),
            Source::Part { of, path, .. } if *of == expr => Some(match taken_out(path, held) {
                Some(rest) => Self::Holds(rest.to_vec()),
                // An answer has no variants and no elements: what a library gives has put it into something.
                None if held.is_empty() && !path.iter().any(|step| matches!(step, Step::Name(_))) => Self::Holds(Vec::new()),
                None if held.is_empty() => Self::Inside,
                None => Self::Other,
            }),
            Source::Rest { of, without } if *of == expr => Some(match held.first() {
                Some(step) if without.iter().any(|name| is_named(step, name)) => Self::Other,
                Some(_) => Self::Holds(held.to_vec()),
                None => Self::Inside,
            }),
            // An element of what holds several of them.
            Source::Element(of) if *of == expr => Some(Self::Holds(held.get(1..).unwrap_or_default().to_vec())),
            _ => None,
        }
    }
}

/// What is left of a path to the answer behind a way into what holds it; `None`: the way leads elsewhere, or into the answer.
pub(super) fn taken_out<'h>(way: &[Step], mut held: &'h [Step]) -> Option<&'h [Step]> {
    for step in way {
        held = match (step, held.split_first()) {
            (Step::Variant(_), Some((Step::Variant(_), rest))) => rest,
            (Step::Variant(_), _) => held,
            (Step::Name(name), Some((first, rest))) if is_named(first, name) => rest,
            (Step::Index(index), Some((first, rest))) if is_named(first, &index.to_string()) => rest,
            _ => return None,
        };
    }
    Some(held)
}

/// A path into what holds the answer, from outside.
pub(super) fn within(step: Step, held: &[Step]) -> Vec<Step> {
    std::iter::once(step).chain(held.iter().cloned()).collect()
}

/// Whether a step is a member by this name; elements go by their numbers.
fn is_named(step: &Step, name: &str) -> bool {
    match step {
        Step::Name(known) => **known == *name,
        Step::Index(index) => name.parse() == Ok(*index),
        Step::Variant(_) => false,
    }
}

/// The value of a field of an object literal.
const fn value_of(field: &Field) -> ExprId {
    match field {
        Field::Named(_, value) | Field::Computed(_, value) | Field::Spread(value) => *value,
    }
}

/// Whether a type, or a type inside it, has one of these names.
fn names_one(ty: &TypeRef, names: &[Box<str>]) -> bool {
    ty.path.last().is_some_and(|last| names.contains(last)) || ty.args.iter().any(|inner| names_one(inner, names))
}
