//! What calls on a library's objects give: the object that a rule makes or changes, or what is known of the result.
//!
//! In: a library's value and a call on it. Out: a [`Value`].

use std::rc::Rc;

use super::eval::Eval;
use super::index::Unit;
use super::library::Op;
use super::value::{Bound, Env, Layer, LibValue, Loc, Rule, Value};
use crate::catalog::{AS_GIVEN, Role};
use crate::facts::Expr;

impl Eval<'_> {
    pub(super) fn lib_call(&self, lib: &Rc<LibValue>, new: bool, args: &[Bound], at: Loc, env: &Env) -> Value {
        let catalog = self.program.catalog;
        let Some(matched) = self.op(lib, new, args) else {
            if let Some(given) = self.added_method(lib, args, at, env) {
                return given;
            }
            if let Some((method, rest)) = self.as_method(lib, args) {
                return self.lib_call(&method, new, &rest, at, env);
            }
            if let Some(same) = self.unlisted(lib).filter(|_| !self.gives_no_client(lib, at)) {
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
            Op::Make(rule) => several(self.made_by(lib, rule, &matched.roles, at, env)),
            Op::Step(rule) => {
                let step = &library.steps[rule];
                let mut next = (**lib).clone();
                next.path.clear();
                next.layers.push(layer(Rule::Step(rule), lib.object));
                next.object = step.gives.unwrap_or(next.object);
                let Some(config) = matched.roles.get(&Role::Config) else { return Value::Lib(Rc::new(next)) };
                let built = step.table.through.as_deref().and_then(|by| self.made_through(&self.bound(config), by, at));
                several(self.take_over(vec![next], &built.map_or_else(|| config.clone(), Bound::Value)))
            }
            Op::Send(rule) => {
                let send = &library.sends[rule];
                let Some(object) = send.gives else {
                    return match self.make_beside(lib, new, args) {
                        Some((make, roles)) if self.stays_inside(&library.makes[make], &roles, env) => {
                            Value::opaque("it reaches nothing outside of the process")
                        }
                        Some((make, roles)) => {
                            let mut all = self.made_by(lib, make, &roles, at, env);
                            for made in all.iter_mut().filter(|made| made.library == lib.library) {
                                let sent = layer(Rule::Send(rule), made.object);
                                made.layers.insert(made.layers.len() - 1, sent);
                            }
                            several(all)
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
                Some(work) => self.result_of(&work).unwrap_or(work),
                None => Value::opaque("the result of an enclosing call"),
            },
        }
    }

    /// The object that a call makes: one for each configuration that it may be given.
    fn made_by(&self, lib: &LibValue, rule: usize, roles: &super::Roles, at: Loc, env: &Env) -> Vec<LibValue> {
        let catalog = self.program.catalog;
        let make = &catalog.library(lib.library).makes[rule];
        let mut made = lib.clone();
        let origins = std::mem::take(&mut made.homes);
        made.fields.clear();
        if make.table.keeps {
            made.origins.extend(origins);
        } else {
            made.layers.clear();
            made.origins.clear();
            made.unmade = None;
        }
        let all = roles.all(&Role::Config).fold(vec![made], |all, config| self.take_over(all, config));
        let as_made = |made: LibValue| {
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
        };
        all.into_iter().map(as_made).collect()
    }

    /// Whether what is waited for is no client: the result of a call that a rule for all others leaves out by its name.
    fn gives_no_client(&self, lib: &LibValue, at: Loc) -> bool {
        let library = self.program.catalog.library(lib.library);
        let left_out =
            |name: &str| library.sends.iter().any(|send| send.table.except.iter().any(|no| crate::catalog::name_fits(no, name)));
        let is_waited_for =
            |unit: &Unit| unit.facts.parent(at.expr).is_some_and(|of| matches!(unit.facts.expr(of), Expr::Await(_)));
        lib.path.last().is_some_and(|name| left_out(name)) && self.unit(at.file).is_some_and(is_waited_for)
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

    /// Takes over the configuration of another library object: each of those that it may be makes one of its own.
    fn take_over(&self, made: Vec<LibValue>, config: &Bound) -> Vec<LibValue> {
        let given = self.bound(config);
        let libs: Vec<&Rc<LibValue>> = given.options().iter().filter_map(as_lib).collect();
        if libs.is_empty() {
            return made;
        }
        // What nothing is known of may be anything.
        let unknown = given.options().iter().find_map(|option| option.reason().filter(|_| option.is_opaque()));
        let with = |made: &LibValue, other: &LibValue| {
            let mut made = made.clone();
            made.layers.extend(other.layers.iter().cloned());
            made.homes.extend(other.homes.iter().cloned());
            made.origins.extend(other.origins.iter().cloned());
            made.fields.extend(other.fields.iter().cloned());
            made.unmade = made.unmade.take().or_else(|| other.unmade.clone());
            made
        };
        let all = made.iter().flat_map(|made| libs.iter().map(|other| with(made, other)));
        let mut all: Vec<LibValue> = all.take(MOST_MADE).collect();
        if let Some(reason) = unknown {
            all.extend(made.into_iter().map(|made| LibValue { unmade: Some(reason.clone()), ..made }));
        }
        all
    }

    /// An object that code outside of the tree makes, recognised by what it is given or by its name.
    pub(super) fn foreign_make(&self, callee: Loc, new: bool, args: &[Bound], at: Loc, env: &Env) -> Option<Value> {
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
            let mut all = vec![lib.become_object(catalog, &make.gives)];
            if let Some(config) = roles.get(&Role::Config) {
                if !self.bound(config).options().iter().any(|value| matches!(value, Value::Lib(_))) {
                    continue;
                }
                all = self.take_over(all, config);
            }
            for made in &mut all {
                let (object, roles) = (made.object, roles.clone());
                made.layers.push(Layer { at, env: env.clone(), rule: Rule::Make(*rule), object, library: *id, roles });
            }
            return Some(several(all));
        }
        None
    }
}

/// How many objects one call may make, by what it may be given.
const MOST_MADE: usize = 24;

/// One of several objects.
fn several(made: Vec<LibValue>) -> Value {
    Value::any(made.into_iter().map(|made| Value::Lib(Rc::new(made))))
}

const fn as_lib(value: &Value) -> Option<&Rc<LibValue>> {
    match value {
        Value::Lib(lib) => Some(lib),
        _ => None,
    }
}
