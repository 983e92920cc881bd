//! One outbound call: what it is made on, how its chain goes on, and what holds it.
//!
//! In: a call expression that follows a library's `[[send]]`. Out: a [`Call`]. Limits, scopes and reads are asked of it by others.

use std::rc::Rc;

use super::Judge;
use crate::catalog::schema::Body;
use crate::catalog::{LibraryId, ObjectId, Role, Send};
use crate::facts::{BindingId, Expr, ExprId};
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Env, Loc, Op, Roles, Unit, Value};
use crate::span::{FileId, Span};

/// An outbound call, as it stands in the code.
#[derive(Debug, Clone)]
pub(super) struct Call {
    /// The call that sends.
    pub at: Loc,
    /// What its names are bound to.
    pub env: Env,
    /// What it is made on, with the path to the function called.
    pub lib: Rc<LibValue>,
    /// The rule, by its place in `[[send]]`.
    pub send: usize,
    /// Its arguments.
    pub roles: Roles,
    /// What comes back, after the steps of the chain.
    pub end: LibValue,
    /// The last call of the chain.
    pub end_at: Loc,
    /// Whether the chain reads the body before it is awaited.
    pub read_in_chain: bool,
    /// The variable that holds what comes back.
    pub bound: Option<(FileId, BindingId)>,
}

impl Judge<'_> {
    /// The outbound calls that a call expression may be.
    pub(super) fn sends_at(&self, at: Loc, env: &Env) -> Vec<Call> {
        let Some(unit) = self.eval.unit(at.file) else { return Vec::new() };
        let Expr::Call { callee, form, .. } = unit.facts.expr(at.expr) else { return Vec::new() };
        let by_name = matches!(unit.facts.expr(*callee), Expr::Name(..));
        let callee = self.eval.value(Loc { file: at.file, expr: *callee }, env);
        // A function of the scanned code is what its body does.
        if by_name && callee.options().iter().all(|value| matches!(value, Value::Function(..))) {
            return Vec::new();
        }
        if !callee.options().iter().any(|value| matches!(value, Value::Lib(_))) {
            return self.foreign_sends(unit, at, env);
        }
        let args = self.eval.args_of(at, env);
        let mut calls: Vec<Call> = Vec::new();
        for option in callee.options() {
            let Value::Lib(lib) = option else { continue };
            let new = *form == crate::facts::CallForm::New;
            let by_class = || {
                let (method, rest) = self.eval.as_method(lib, &args)?;
                let matched = self.eval.op(&method, new, &rest)?;
                Some((method, matched))
            };
            let known = self.eval.op(lib, new, &args).map(|matched| (lib.clone(), matched));
            let Some((lib, matched)) = known.or_else(by_class) else { continue };
            let Op::Send(send) = matched.op else { continue };
            if self.eval.sends_inside(&lib, at, env) {
                continue;
            }
            let each = self.each_configuration(matched.roles).into_iter();
            let each = each.map(|roles| self.call(unit, at, env, &lib, send, roles));
            calls.extend(each.filter(|call| !self.is_fragment(unit, call)));
        }
        calls
    }

    /// A method on values of the scanned code that sends through one of its arguments (`users.load(&mut connection)`).
    fn foreign_sends(&self, unit: &Unit, at: Loc, env: &Env) -> Vec<Call> {
        let Some(name) = unit.call_name(at.expr) else { return Vec::new() };
        let common = self.catalog().common(self.program().files.family(at.file));
        let rules = common.and_then(|common| common.sends.get(name)).map_or(&[][..], Vec::as_slice);
        let path = [Box::from(name)];
        let sent = rules.iter().find_map(|(id, rule)| {
            let library = self.catalog().library(*id);
            let send = &library.sends[*rule];
            let args = self.eval.args_of(at, env);
            let package = library.packages.first().map_or("", |package| &**package);
            let lib = LibValue::module(*id, at.file, package);
            let roles = self.eval.shapes(&lib, &send.shapes, &path, false, &args)?;
            // It may be any of several that it sends through: each is a call of its own.
            let of_library = |value: &Value| match value {
                Value::Lib(given) if given.library == lib.library => Some(given.clone()),
                _ => None,
            };
            let given = roles.0.iter().map(|(_, bound)| self.eval.bound(bound));
            let mut through =
                given.map(|value| value.options().iter().filter_map(of_library).collect::<Vec<_>>()).find(|all| !all.is_empty());
            let through = through.take().unwrap_or_else(|| vec![Rc::new(lib)]);
            Some(through.iter().map(|lib| self.call(unit, at, env, lib, *rule, roles.clone())).collect())
        });
        sent.unwrap_or_default()
    }

    fn call(&self, unit: &Unit, at: Loc, env: &Env, lib: &Rc<LibValue>, send: usize, roles: Roles) -> Call {
        let rule = &self.catalog().library(lib.library).sends[send];
        let object = rule.gives.or_else(|| self.made_beside(unit, at, env, lib)).unwrap_or(lib.object);
        let mut end = (**lib).clone();
        end.path.clear();
        end.object = object;
        end.homes.clear();
        end.layers.push(Layer {
            at,
            env: env.clone(),
            rule: Rule::Send(send),
            object: lib.object,
            library: lib.library,
            roles: roles.clone(),
        });
        let mut call =
            Call { at, env: env.clone(), lib: lib.clone(), send, roles, end, end_at: at, read_in_chain: false, bound: None };
        if rule.gives.is_some() {
            self.follow_chain(unit, &mut call);
        }
        call.bound = self.holder(unit, call.end_at).map(|binding| (at.file, binding));
        call
    }

    /// The object of the same library that an outbound call makes.
    fn made_beside(&self, unit: &Unit, at: Loc, env: &Env, lib: &LibValue) -> Option<ObjectId> {
        let Expr::Call { form, .. } = unit.facts.expr(at.expr) else { return None };
        let new = *form == crate::facts::CallForm::New;
        let (make, _) = self.eval.make_beside(lib, new, &self.eval.args_of(at, env))?;
        let library = self.catalog().library(lib.library);
        library.object_id(&library.makes[make].gives)
    }

    /// Goes along the chain behind the call: steps that configure it, and a read of its body.
    fn follow_chain(&self, unit: &Unit, call: &mut Call) {
        let mut at = call.at.expr;
        let mut awaited = false;
        while let Some(parent) = unit.facts.parent(at) {
            match unit.facts.expr(parent) {
                Expr::Await(_) => {
                    awaited = true;
                    at = parent;
                }
                Expr::Through(_) => at = parent,
                Expr::Member { of, name } if *of == at => {
                    let Some(next) = unit.facts.parent(parent).filter(|next| is_callee(unit, *next, parent)) else { return };
                    let library = self.catalog().library(call.end.library);
                    if library.object(call.end.object).reads.contains(name) {
                        call.read_in_chain |= !awaited;
                        return;
                    }
                    let here = Loc { file: call.at.file, expr: next };
                    let args = self.eval.args_of(here, &call.env);
                    let called = call.end.with_member(self.catalog(), name);
                    match self.eval.op(&called, false, &args) {
                        Some(matched) => match matched.op {
                            Op::Step(rule) => {
                                let step = &library.steps[rule];
                                let object = call.end.object;
                                call.end.layers.push(Layer {
                                    at: here,
                                    env: call.env.clone(),
                                    rule: Rule::Step(rule),
                                    object,
                                    library: call.end.library,
                                    roles: matched.roles,
                                });
                                call.end.object = step.gives.unwrap_or(object);
                            }
                            Op::Handler(_) => {}
                            _ => return,
                        },
                        None if self.is_view(call.at.file, unit, next) || library.object(call.end.object).shows_rest(name) => {
                            at = next;
                            continue;
                        }
                        None if library.is_configured_by_calls(call.end.object)
                            && library.object(call.end.object).reads.is_empty() => {}
                        None => return,
                    }
                    at = next;
                    call.end_at = here;
                }
                _ => return,
            }
        }
    }

    /// The variable that a value ends up in, through `await`.
    pub(super) fn holder(&self, unit: &Unit, at: Loc) -> Option<BindingId> {
        let mut expr = at.expr;
        loop {
            if let Some(binding) = unit.bound_to(expr) {
                return Some(binding);
            }
            let parent = unit.facts.parent(expr)?;
            match unit.facts.expr(parent) {
                Expr::Await(_) | Expr::Through(_) | Expr::Sequence(_) | Expr::Either { .. } => expr = parent,
                _ => return None,
            }
        }
    }

    /// Configuration that is written in calls on the variables and fields that hold a value.
    pub(super) fn later_steps(&self, lib: &LibValue) -> Vec<Layer> {
        let mut layers = Vec::new();
        for home in lib.origins.iter().chain(&lib.homes) {
            layers.extend(self.steps_on(home.file, home.binding, &home.env));
        }
        for (file, _, name) in &lib.fields {
            let Some(unit) = self.eval.unit(*file) else { continue };
            for (at, expr) in unit.facts.exprs.iter().enumerate() {
                let Expr::Member { of, name: field } = expr else { continue };
                if field == name && matches!(unit.facts.expr(*of), Expr::This) {
                    self.step_from(*file, unit, ExprId(at as u32), &None, &mut layers);
                }
            }
        }
        layers
    }

    /// Steps called on a variable.
    pub(super) fn steps_on(&self, file: FileId, binding: BindingId, env: &Env) -> Vec<Layer> {
        let mut layers = Vec::new();
        if let Some(unit) = self.eval.unit(file) {
            for used in unit.uses(binding) {
                self.step_from(file, unit, *used, env, &mut layers);
            }
        }
        layers
    }

    /// The variables that hold what comes back, and what shares its configuration (the socket of a request).
    pub(super) fn holders_and_shared(&self, call: &Call) -> Vec<(FileId, BindingId)> {
        // Where nothing of the call itself comes back, what is done with the result comes after it.
        let own = call.bound.filter(|_| self.send_rule(call).gives.is_some());
        let mut holders: Vec<(FileId, BindingId)> = own.into_iter().collect();
        let mut next = 0;
        while let Some((file, binding)) = holders.get(next).copied() {
            next += 1;
            let Some(unit) = self.eval.unit(file) else { continue };
            for used in unit.uses(binding) {
                let Some(method) = method_call(unit, *used) else { continue };
                let at = Loc { file, expr: method };
                let Some((lib, matched)) = self.eval.op_at(at, &call.env) else { continue };
                let Op::Make(rule) = matched.op else { continue };
                let make = &self.catalog().library(lib.library).makes[rule];
                if !make.table.shares {
                    continue;
                }
                let handed = matched.roles.get(&Role::Handler).map(|handler| self.eval.bound(handler));
                if let (Some(Value::Function(other, function, ..)), Some(index)) = (handed, make.table.hands)
                    && let Some(other_unit) = self.eval.unit(other)
                {
                    holders.extend(
                        self.eval.param_bindings(other_unit, function, index).into_iter().map(|binding| (other, binding)),
                    );
                }
                if let Some(binding) = self.holder(unit, at) {
                    holders.push((file, binding));
                }
            }
            if next > 8 {
                break;
            }
        }
        holders
    }

    fn step_from(&self, file: FileId, unit: &Unit, object: ExprId, env: &Env, layers: &mut Vec<Layer>) {
        let subject_of = || {
            let parent = unit.facts.parent(object)?;
            let (_, matched) = self.eval.op_at(Loc { file, expr: parent }, env)?;
            let is_it = role_place(&matched.roles, &Role::Subject).is_some_and(|at| at.expr == object);
            is_it.then_some(parent)
        };
        let mut next = member_call(unit, object).or_else(subject_of);
        while let Some(call) = next {
            let at = Loc { file, expr: call };
            match self.eval.op_at(at, env) {
                Some((lib, matched)) => {
                    let Op::Step(rule) = matched.op else { return };
                    let given: Vec<Value> = matched.roles.all(&Role::Config).map(|config| self.eval.bound(config)).collect();
                    layers.push(Layer {
                        at,
                        env: env.clone(),
                        rule: Rule::Step(rule),
                        object: lib.object,
                        library: lib.library,
                        roles: matched.roles,
                    });
                    layers.extend(given.iter().filter_map(configuration).flatten().cloned());
                }
                None if self.is_view(file, unit, call) => return,
                None => {}
            }
            next = method_call(unit, call);
        }
    }

    /// Whether a call gives another view or a copy of a value.
    pub(super) fn is_view(&self, file: FileId, unit: &Unit, call: ExprId) -> bool {
        let common = self.catalog().common(self.program().files.family(file));
        let name = unit.call_name(call);
        let is_view = |(library, rule): &(LibraryId, usize)| !self.catalog().library(*library).values[*rule].is.of_collections();
        common.zip(name).is_none_or(|(common, name)| common.methods.get(name).is_some_and(|rules| rules.iter().any(is_view)))
    }

    /// The call that made a client and could say its limits: the nearest one that takes options, else the nearest.
    pub(super) fn making<'l>(&self, lib: &'l LibValue) -> Option<&'l Layer> {
        let made = || lib.layers.iter().rev().filter(|layer| matches!(layer.rule, Rule::Make(_)));
        let takes = |layer: &&Layer| match layer.rule {
            Rule::Make(rule) => self.catalog().library(layer.library).makes[rule].takes_options(),
            _ => false,
        };
        made().find(takes).or_else(|| made().next())
    }

    /// The rule of a call.
    pub(super) fn send_rule(&self, call: &Call) -> &Send {
        &self.catalog().library(call.lib.library).sends[call.send]
    }

    /// Whether the body is read by another call.
    pub(super) fn reads_later(&self, call: &Call) -> bool {
        self.send_rule(call).body == Body::Later
    }

    /// The whole site: from where its chain begins to the end of its terminal call.
    pub(super) fn span(&self, call: &Call) -> Span {
        let Some(unit) = self.eval.unit(call.at.file) else { return Span::default() };
        unit.facts.span(call.end_at.expr)
    }
}

impl Call {
    /// The arguments whose configuration the call takes over.
    pub(super) fn configs(&self) -> impl Iterator<Item = &crate::link::Bound> {
        self.roles.all(&Role::Config)
    }
}

/// What configured an object that is given away, where it is one of a library.
fn configuration(given: &Value) -> Option<&[Layer]> {
    match given.options().first()? {
        Value::Lib(lib) => Some(&lib.layers),
        _ => None,
    }
}

/// The call of a method on an expression: `object.name(…)`.
pub(super) fn method_call(unit: &Unit, object: ExprId) -> Option<ExprId> {
    let member = unit.facts.parent(object)?;
    match unit.facts.expr(member) {
        Expr::Member { of, .. } if *of == object => unit.facts.parent(member).filter(|call| is_callee(unit, *call, member)),
        Expr::Await(_) | Expr::Through(_) => method_call(unit, member),
        _ => None,
    }
}

/// The call of a method of an expression or of one of its members: `object.name(…)`, `object.part.name(…)`.
fn member_call(unit: &Unit, object: ExprId) -> Option<ExprId> {
    method_call(unit, object).or_else(|| {
        let member = unit.facts.parent(object)?;
        let is_member = matches!(unit.facts.expr(member), Expr::Member { of, .. } if *of == object);
        member_call(unit, member).filter(|_| is_member)
    })
}

/// Whether an expression is what a call calls.
pub(super) fn is_callee(unit: &Unit, call: ExprId, callee: ExprId) -> bool {
    matches!(unit.facts.expr(call), Expr::Call { callee: known, .. } if *known == callee)
}

/// The argument that gives a role, as an expression.
pub(super) fn role_place(roles: &Roles, role: &Role) -> Option<Loc> {
    roles.get(role).and_then(super::limits::place_of)
}
