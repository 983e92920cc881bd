//! What encloses a call: a limit around its promise or future, a race against a timer, a helper of the scanned code that does either,
//! and what runs it again.
//!
//! In: a call and the calls around it. Out: [`Enclosure`]s, from the inside outward. It climbs through expressions, through the
//! variables that hold a promise, through callbacks, and from a function to its callers.

use super::Judge;
use super::repeats::tries_of;
use crate::facts::{Expr, ExprId, FunctionId};
use crate::finding::{By, Origin};
use crate::limit::{LimitKind, Millis};
use crate::link::value::LibValue;
use crate::link::{Env, Eval, Loc, Matched, Op, Unit, Value, called_as};
use crate::span::{FileId, Span};

/// Something around a call.
#[derive(Debug, Clone)]
pub(super) enum Enclosure {
    /// A limit.
    Limit {
        /// How long.
        wait: Option<Millis>,
        /// How that is known.
        origin: Origin,
        /// Of which kind.
        kind: LimitKind,
        /// A construct of a library, or a function of the scanned code.
        by: By,
        /// The enclosing call.
        at: Loc,
        /// What it encloses.
        span: (FileId, Span),
    },
    /// Switched off.
    Off {
        /// The enclosing call.
        at: Loc,
        /// Why.
        why: String,
    },
    /// What may limit it, and is not followed.
    Open {
        /// The call that is not followed.
        at: Loc,
        /// What it is; completes "it comes from …".
        what: String,
    },
    /// It is run again this often.
    Retries {
        /// Extra tries; `u32::MAX`: without end.
        extra: u32,
        /// The wait before the first of them.
        delay: Option<Millis>,
        /// Where that is written.
        at: Loc,
    },
}

const DEEPEST: u32 = 5;

/// Where the climb stands.
pub(super) struct Climb<'e> {
    /// What is found so far.
    pub(super) found: Vec<Enclosure>,
    /// Stop at the end of this function.
    within: Option<(FileId, FunctionId)>,
    pub(super) env: &'e Env,
    depth: u32,
}

impl Judge<'_> {
    /// What encloses an expression.
    pub(super) fn enclosures(&self, at: Loc, env: &Env) -> Vec<Enclosure> {
        let mut climb = Climb { found: Vec::new(), within: None, env, depth: 0 };
        self.climb(at, &mut climb);
        climb.found
    }

    fn climb(&self, at: Loc, climb: &mut Climb<'_>) {
        let Some(unit) = self.eval.unit(at.file) else { return };
        if let Some(root) = self.climb_statement(unit, at, climb) {
            self.leave_statement(unit, at, root, climb);
        }
    }

    /// Climbs to the end of the statement; `None` where what encloses it does not wait for it.
    fn climb_statement(&self, unit: &Unit, at: Loc, climb: &mut Climb<'_>) -> Option<ExprId> {
        let mut expr = at.expr;
        while let Some(parent) = unit.facts.parent(expr) {
            if !self.pass(unit, at.file, expr, parent, climb) {
                return None;
            }
            expr = parent;
        }
        Some(expr)
    }

    /// Looks at one parent. False: the climb ends here.
    fn pass(&self, unit: &Unit, file: FileId, expr: ExprId, parent: ExprId, climb: &mut Climb<'_>) -> bool {
        let here = Loc { file, expr: parent };
        let Expr::Call { callee, args, .. } = unit.facts.expr(parent) else { return true };
        if *callee == expr {
            self.pass_method(unit, here, *callee, climb);
            return true;
        }
        let Some(index) = args.iter().position(|arg| arg.value == expr) else { return true };
        if let Some((lib, matched)) = self.eval.op_at(here, climb.env) {
            match matched.op {
                Op::Scope(rule) => {
                    let scoping = &self.catalog().library(lib.library).scopes[rule];
                    self.pass_scope(unit, here, expr, &lib, scoping, &matched, climb);
                    if scoping.table.detaches && scoping.table.kind.is_none() {
                        self.leave_handle(unit, here, climb);
                        return false;
                    }
                    return true;
                }
                Op::Value(rule) => {
                    use crate::catalog::schema::Is;
                    if self.detaches(&lib, here, climb.env) {
                        self.leave_handle(unit, here, climb);
                        return false;
                    }
                    let is = self.catalog().library(lib.library).values[rule].is;
                    if is == Is::Promise {
                        climb.found.extend(self.settled_by_time(unit, here, &matched));
                    }
                    return is != Is::Timer;
                }
                _ => {}
            }
        }
        self.pass_helper(here, *callee, index, climb);
        true
    }

    /// Whether a call starts something that goes on when nobody waits for it.
    fn detaches(&self, lib: &LibValue, call: Loc, env: &Env) -> bool {
        let library = self.catalog().library(lib.library);
        let mut detaching = library.scopes.iter().filter(|scoping| {
            scoping.table.detaches && scoping.on.is_some_and(|on| crate::catalog::can(library, lib.object, on))
        });
        detaching.any(|scoping| self.eval.shapes(lib, &scoping.shapes, &lib.path, false, &self.eval.args_of(call, env)).is_some())
    }

    /// What is started goes on by itself: a limit around its handle ends the wait for it.
    fn leave_handle(&self, unit: &Unit, call: Loc, climb: &mut Climb<'_>) {
        let mut handle = Climb { found: Vec::new(), within: climb.within, env: climb.env, depth: climb.depth + 1 };
        if let Some(root) = self.climb_statement(unit, call, &mut handle)
            && let Some(binding) = unit.bound_to(root)
            && handle.depth < DEEPEST
        {
            for used in unit.uses(binding) {
                self.climb_statement(unit, Loc { file: call.file, expr: *used }, &mut handle);
            }
        }
        climb.found.extend(handle.found.into_iter().filter_map(|found| match found {
            Enclosure::Limit { wait, origin, kind, by, at, span } if kind.covers() => {
                Some(Enclosure::Limit { wait, origin, kind: LimitKind::Wait, by, at, span })
            }
            _ => None,
        }));
    }

    /// A method on the work itself: `future.timeout(limit)`, `promise.timeout(ms)`, `observable.pipe(timeout(ms))`.
    fn pass_method(&self, unit: &Unit, call: Loc, callee: ExprId, climb: &mut Climb<'_>) {
        let Expr::Member { of, name } = unit.facts.expr(callee) else { return };
        let path = [name.clone()];
        let args = self.eval.args_of(call, climb.env);
        let common = self.catalog().common(self.program().files.family(call.file));
        for (id, rule) in common.and_then(|common| common.scopes.get(name)).map_or(&[][..], Vec::as_slice) {
            let library = self.catalog().library(*id);
            let scoping = &library.scopes[*rule];
            if !self.imports(unit, call.file, library) {
                continue;
            }
            let package = library.packages.first().map_or("", |package| &**package);
            let lib = LibValue::module(*id, call.file, package);
            let Some(roles) = self.eval.shapes(&lib, &scoping.shapes, &path, false, &args) else { continue };
            self.pass_scope(unit, call, *of, &lib, scoping, &Matched { op: Op::Scope(*rule), roles }, climb);
        }
        if self.eval.op_at(call, climb.env).is_none() {
            self.pass_extension(call, name, climb);
        }
    }

    /// Whether a file imports a library.
    fn imports(&self, unit: &Unit, file: FileId, library: &crate::catalog::Library) -> bool {
        let modules = self.program().files.modules(file);
        let from = self.program().files.path(file);
        library.packages.is_empty()
            || unit.facts.imports.iter().any(|import| match modules.resolve(from, &import.module) {
                crate::facts::Resolved::Package { name, inner } => {
                    let family = self.program().files.family(file);
                    library.is_package(self.catalog().known_as(family, &name, &import.module, &inner))
                }
                _ => false,
            })
    }

    /// A function of the scanned code that is given the work: does it limit, or repeat, what it is given?
    fn pass_helper(&self, call: Loc, callee: ExprId, index: usize, climb: &mut Climb<'_>) {
        if climb.depth >= DEEPEST {
            return;
        }
        let callee = self.eval.value(Loc { file: call.file, expr: callee }, climb.env);
        for option in callee.options() {
            let Value::Function(file, helper, outer, this) = option else { continue };
            let Some(other) = self.eval.unit(*file).filter(|_| climb.within != Some((*file, *helper))) else { continue };
            let env = self.eval.frame(
                (*file, *helper),
                self.eval.args_of(call, climb.env),
                this.as_deref().cloned(),
                Some(call),
                climb.env,
                outer,
            );
            for param in self.eval.param_bindings(other, *helper, index as u32) {
                for used in other.uses(param) {
                    let start = called_as(other, *used).unwrap_or(*used);
                    self.climb_inside(other, Loc { file: *file, expr: start }, *helper, &env, call, climb);
                }
            }
        }
    }

    /// Climbs from where a function uses the work that it is given to its end.
    pub(super) fn climb_inside(&self, unit: &Unit, start: Loc, helper: FunctionId, env: &Env, call: Loc, climb: &mut Climb<'_>) {
        if climb.depth >= DEEPEST {
            return;
        }
        let mut inner = Climb { found: Vec::new(), within: Some((start.file, helper)), env, depth: climb.depth + 1 };
        self.climb(start, &mut inner);
        self.loops(unit, start, start.expr, helper, env, &mut inner.found);
        climb.found.extend(inner.found.into_iter().map(|found| self.seen_from_outside(found, call)));
    }

    /// What a helper does, as the call of it looks from outside.
    fn seen_from_outside(&self, found: Enclosure, call: Loc) -> Enclosure {
        match found {
            Enclosure::Limit { wait, origin, kind, at, .. } => {
                let span = self.eval.unit(call.file).map_or(Span::default(), |unit| unit.facts.span(call.expr));
                Enclosure::Limit { wait, origin, kind, by: By::Wrapper, at, span: (call.file, span) }
            }
            other => other,
        }
    }

    /// The statement ends: goes on where its variable is used, at the function around, or at its callers.
    fn leave_statement(&self, unit: &Unit, start: Loc, root: ExprId, climb: &mut Climb<'_>) {
        if climb.depth >= DEEPEST {
            return;
        }
        if let Some(binding) = unit.bound_to(root).filter(|_| !is_awaited(unit, start.expr)) {
            let first = unit.uses(binding).iter().find_map(|used| {
                let mut inner = Climb { found: Vec::new(), within: climb.within, env: climb.env, depth: climb.depth + 1 };
                self.climb_statement(unit, Loc { file: start.file, expr: *used }, &mut inner);
                let found = inner.found.into_iter().filter(|found| !matches!(found, Enclosure::Off { .. })).collect::<Vec<_>>();
                (!found.is_empty()).then_some(found)
            });
            climb.found.extend(first.unwrap_or_default());
        }
        let Some(function) = unit.facts.function_of(root).or_else(|| unit.returned_by(root)) else { return };
        self.loops(unit, start, root, function, climb.env, &mut climb.found);
        if climb.within == Some((start.file, function)) {
            return;
        }
        self.leave_function(unit, start.file, function, climb);
    }

    fn leave_function(&self, unit: &Unit, file: FileId, function: FunctionId, climb: &mut Climb<'_>) {
        if let Some(literal) = unit.literal(function)
            && unit.facts.parent(literal).is_some()
            && unit.bound_to(literal).is_none()
            && !unit.facts.parent(literal).is_some_and(|parent| matches!(unit.facts.expr(parent), Expr::Object { .. }))
        {
            self.climb(Loc { file, expr: literal }, climb);
            return;
        }
        if unit.facts.function(function).is_block
            && let Some(literal) = unit.literal(function)
        {
            self.climb(Loc { file, expr: literal }, climb);
            return;
        }
        if let Some(frame) = Eval::frame_of(climb.env, file, function)
            && let Some(call) = frame.call
        {
            let frame = frame.clone();
            let mut inner = Climb { found: Vec::new(), within: climb.within, env: &frame.caller, depth: climb.depth + 1 };
            inner.found.extend(self.run_through(call, &frame.caller, (file, unit.facts.function(function).span)));
            self.climb(call, &mut inner);
            climb.found.append(&mut inner.found);
            return;
        }
        self.leave_to_callers(file, function, climb);
    }

    /// Every caller must limit the function for its limit to count; the longest counts.
    fn leave_to_callers(&self, file: FileId, function: FunctionId, climb: &mut Climb<'_>) {
        if climb.depth + 2 >= DEEPEST {
            return;
        }
        let callers = self.eval.callers((file, function));
        if callers.is_empty() {
            let hosted: Option<Vec<Enclosure>> = self.hosted(file, function).into_iter().collect();
            climb.found.extend(hosted.and_then(|limits| limits.into_iter().max_by_key(longest)));
        }
        let span = self.eval.unit(file).map(|unit| unit.facts.function(function).span);
        let mut weakest: Option<Enclosure> = None;
        let mut retried: Vec<Enclosure> = Vec::new();
        let given = self.given_as_work(file, function);
        let ways = callers.iter().map(|caller| (caller.at, true)).chain(given.into_iter().map(|at| (at, false)));
        let mut is_limited = true;
        for (at, is_call) in ways {
            // Where one caller sets no limit, the others matter only if they may try again.
            if !is_limited && is_call && !self.may_repeat(at) {
                continue;
            }
            let mut inner = Climb { found: Vec::new(), within: climb.within, env: &None, depth: climb.depth + 2 };
            inner.found.extend(span.and_then(|span| self.run_through(at, &None, (file, span))));
            self.climb(at, &mut inner);
            let (limits, retries): (Vec<Enclosure>, Vec<Enclosure>) =
                inner.found.into_iter().partition(|found| matches!(found, Enclosure::Limit { .. }));
            let repeats: Vec<Enclosure> =
                retries.into_iter().filter(|found| matches!(found, Enclosure::Retries { .. })).collect();
            if (is_call || callers.is_empty()) && tries_of(&repeats) > tries_of(&retried) {
                retried = repeats;
            }
            if !is_limited {
                continue;
            }
            let covering = limits.into_iter().filter(|found| matches!(found, Enclosure::Limit { kind, .. } if kind.covers()));
            let strongest = match covering.min_by_key(longest) {
                Some(strongest) => strongest,
                None if is_call => {
                    (weakest, is_limited) = (None, false);
                    continue;
                }
                None => continue,
            };
            weakest = Some(match weakest {
                Some(known) if longest(&known) >= longest(&strongest) => known,
                _ => strongest,
            });
        }
        climb.found.extend(retried);
        climb.found.extend(weakest);
    }

    /// Where a function is given to something as its work, in its own file (`retry(policy, fetch_it)`, `fetch_it.retry(policy)`).
    fn given_as_work(&self, file: FileId, function: FunctionId) -> Vec<Loc> {
        let Some(unit) = self.eval.unit(file) else { return Vec::new() };
        let Some(binding) = self.eval.binding_of(unit, (file, function)) else { return Vec::new() };
        let given = |used: &&ExprId| {
            let Some(parent) = unit.facts.parent(**used) else { return false };
            match unit.facts.expr(parent) {
                Expr::Call { callee, .. } => callee != *used,
                Expr::Member { .. } => called_as(unit, parent).is_some(),
                _ => false,
            }
        };
        unit.uses(binding).iter().filter(given).map(|used| Loc { file, expr: *used }).collect()
    }
}

/// Whether a value is waited for in its own statement.
pub(super) fn is_awaited(unit: &Unit, expr: ExprId) -> bool {
    let mut at = expr;
    while let Some(parent) = unit.facts.parent(at) {
        if matches!(unit.facts.expr(parent), Expr::Await(_)) {
            return true;
        }
        at = parent;
    }
    false
}

/// How long an enclosure lasts.
pub(super) fn longest(enclosure: &Enclosure) -> u64 {
    match enclosure {
        Enclosure::Limit { wait, .. } => wait.map_or(u64::MAX, Millis::as_micros),
        _ => u64::MAX,
    }
}
