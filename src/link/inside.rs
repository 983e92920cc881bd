//! What stays inside the process: a database in memory or in a file of this machine.
//!
//! In: a call that makes an object. Out: whether its options, or the destination it names, say so. What else it is configured with is no
//! matter of this module.

use super::Roles;
use super::eval::Eval;
use super::object::Lookup;
use super::value::{Bound, Env, LibValue, Loc, Value};
use crate::catalog::{Inside, Make, Role};
use crate::facts::{CallForm, Expr};

impl Eval<'_> {
    /// Whether what a call makes stays inside the process, by what its options say.
    pub(super) fn stays_inside(&self, make: &Make, roles: &Roles, env: &Env) -> bool {
        make.inside.iter().any(|inside| {
            if inside.key.iter().all(|part| part.is_empty()) {
                return self.goes_inside(inside, roles);
            }
            roles.all(&Role::Options).any(|options| {
                let lookups = self.lookup(&self.bound(options), &inside.key, env);
                !lookups.is_empty() && lookups.iter().all(|lookup| found(inside, lookup))
            })
        })
    }

    /// Whether every destination that a call names, or the configuration it is given, is inside the process.
    fn goes_inside(&self, inside: &Inside, roles: &Roles) -> bool {
        let given = roles.all(&Role::Config).map(|config| self.bound(config));
        let named = given.flat_map(|config| config.options().iter().flat_map(targets_of).collect::<Vec<_>>());
        let mut targets = roles.all(&Role::Target).cloned().chain(named).map(|target| self.bound(&target)).peekable();
        targets.peek().is_some() && targets.all(|target| target.options().iter().all(|option| says_so(inside, option)))
    }

    /// Whether a call that sends, on a library's value, makes what stays inside the process.
    pub fn sends_inside(&self, lib: &LibValue, at: Loc, env: &Env) -> bool {
        let Some(unit) = self.unit(at.file) else { return false };
        let Expr::Call { form, .. } = unit.facts.expr(at.expr) else { return false };
        let made = self.make_beside(lib, *form == CallForm::New, &self.args_of(at, env));
        let makes = &self.program.catalog.library(lib.library).makes;
        made.is_some_and(|(make, roles)| self.stays_inside(&makes[make], &roles, env))
    }
}

/// The destinations that a configuration was made with.
fn targets_of(config: &Value) -> Vec<Bound> {
    match config {
        Value::Lib(lib) => lib.layers.iter().flat_map(|layer| layer.roles.all(&Role::Target)).cloned().collect(),
        _ => Vec::new(),
    }
}

fn says_so(inside: &Inside, value: &Value) -> bool {
    match value {
        Value::Text(text) => inside.values.iter().any(|known| crate::catalog::name_fits(known, text)),
        Value::Bool(value) => inside.values.contains(&value.to_string()),
        Value::Lib(lib) => inside.object == Some(lib.object),
        _ => false,
    }
}

fn found(inside: &Inside, lookup: &Lookup) -> bool {
    match lookup {
        Lookup::Found { value, .. } => value.options().iter().all(|value| says_so(inside, value)),
        Lookup::Missing | Lookup::Unknown(_) => false,
    }
}
