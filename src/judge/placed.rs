//! What the calls that configured a client set: with their options, their arguments, or as steps.
//!
//! In: a configuring call, and where on the way to the call in question it stands. Out: what is noted in [`Configured`].

use node_semver::Version;

use super::call::Call;
use super::limits::{Configured, Found, found_of, place_of};
use super::{Judge, Remark, RemarkKind};
use crate::catalog::schema::{At, Level, LimitTable, Zero};
use crate::catalog::{Keyed, Library, Role};
use crate::finding::By;
use crate::limit::{LimitKind, Unit};
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Env, Loc, Value, amount_of};

impl Judge<'_> {
    /// The layers of a library's value, nearest first.
    pub(super) fn placed(&self, layers: &[Layer]) -> Vec<Placed> {
        let for_one_call = self.given_to_one_call(layers);
        let mut placed: Vec<Placed> = layers
            .iter()
            .map(|layer| {
                let library = self.catalog().library(layer.library);
                let own = matches!(layer.rule, Rule::Send(_))
                    || library.object(layer.object).level == Level::Request
                    || for_one_call.contains(&layer.at);
                let at = match layer.rule {
                    Rule::Make(_) => At::Make,
                    Rule::Step(_) => At::Step,
                    Rule::Send(_) => At::Send,
                };
                Placed { layer: layer.clone(), by: if own { By::Own } else { By::Client }, at, some_ways: false }
            })
            .collect();
        placed.reverse();
        placed
    }

    /// The steps of configurations that are given to one call (`request.config_override(config)`).
    fn given_to_one_call(&self, layers: &[Layer]) -> Vec<Loc> {
        let takes = layers.iter().filter(|layer| {
            matches!(layer.rule, Rule::Step(_))
                && self.catalog().library(layer.library).object(layer.object).level == Level::Request
        });
        let given = takes.flat_map(|layer| layer.roles.all(&Role::Config)).map(|config| self.eval.bound(config));
        given
            .flat_map(|value| match value.options().first() {
                Some(Value::Lib(given)) => given.layers.iter().map(|layer| layer.at).collect(),
                _ => Vec::new(),
            })
            .collect()
    }

    /// The layers of the objects of libraries that are given as configurations.
    pub(super) fn config_layers(&self, roles: &crate::link::Roles) -> Vec<Layer> {
        let mut layers = Vec::new();
        for config in roles.all(&Role::Config) {
            for option in self.eval.bound(config).options() {
                if let Value::Lib(given) = option {
                    layers.extend(given.layers.iter().cloned());
                }
            }
        }
        layers
    }

    pub(super) fn read_placed(&self, call: &Call, placed: &Placed, out: &mut Configured) {
        // What one layer costs takes nothing away from the next.
        self.eval.go_on();
        let layer = &placed.layer;
        let library = self.catalog().library(layer.library);
        let version = self.version_of(call, layer);
        if let Rule::Step(rule) = layer.rule {
            self.read_step(library, rule, placed, out);
        }
        let given = layer.roles.all(&Role::Options).map(|options| self.eval.bound(options));
        for value in given.chain(layer.roles.all(&Role::Hook).map(|hook| self.eval.hooked(hook))) {
            self.read_options(call, library, version.as_ref(), placed, &value, out);
        }
        self.read_arguments(call, library, version.as_ref(), placed, out);
        self.read_query(library, version.as_ref(), placed, out);
    }

    /// Limits in the query of a destination.
    fn read_query(&self, library: &Library, version: Option<&Version>, placed: &Placed, out: &mut Configured) {
        let object = library.object(placed.layer.object);
        let concerned = |limit: &&Keyed<LimitTable>| limit.table.at.contains(&placed.at) && limit.concerns(object, version);
        let Some(target) = placed.layer.roles.get(&Role::Target) else { return };
        for limit in library.limits.iter().filter(concerned) {
            let Some(value) = limit.table.query.as_deref().and_then(|name| self.in_query(target, name)) else { continue };
            let at = place_of(target).unwrap_or(placed.layer.at);
            let (found, through) = found_of(amount_of(&Value::Text(value.into()), limit.table.unit), limit.table.zero);
            self.note(
                out,
                &limit.table.key,
                limit.table.kind,
                limit.table.when_read,
                vec![(found, at, through)],
                placed.by,
                false,
                false,
            );
        }
    }

    /// The version of the library that a layer belongs to.
    fn version_of(&self, call: &Call, layer: &Layer) -> Option<Version> {
        if layer.library == call.lib.library {
            return self.eval.version(&call.lib);
        }
        let package = self.catalog().library(layer.library).packages.first()?;
        self.eval.version(&LibValue::module(layer.library, call.lib.file, package))
    }

    /// Arguments that are limits themselves: as a key of their role's name, or of the kind that the rule says.
    fn read_arguments(&self, call: &Call, library: &Library, version: Option<&Version>, placed: &Placed, out: &mut Configured) {
        let layer = &placed.layer;
        let object = library.object(layer.object);
        for (role, key) in [(Role::Limit, "limit"), (Role::Signal, "signal"), (Role::Deadline, "deadline")] {
            let Some(given) = layer.roles.get(&role) else { continue };
            let at = place_of(given).unwrap_or(layer.at);
            let value = self.eval.bound(given);
            let keyed = library
                .limits
                .iter()
                .find(|limit| limit.table.key == key && limit.table.at.contains(&placed.at) && limit.concerns(object, version));
            if let Some(limit) = keyed {
                let found = self.read_value(call, &limit.table, &value, at, out);
                self.note(out, key, limit.table.kind, limit.table.when_read, found, placed.by, limit.table.needs_handler, false);
                continue;
            }
            let mut when_read = None;
            let (kind, name, unit) = match (layer.rule, &role) {
                (_, Role::Signal) => (Some(LimitKind::Total), None, Unit::Ms),
                (Rule::Make(rule), Role::Limit) => {
                    let table = &library.makes[rule].table;
                    when_read = table.when_read;
                    (table.limit, table.key.clone(), table.unit)
                }
                (Rule::Send(rule), Role::Limit) => {
                    let table = &library.sends[rule].table;
                    (table.limit, table.key.clone(), table.unit)
                }
                _ => (None, None, Unit::Ms),
            };
            let Some(kind) = kind else { continue };
            let found = value.options().iter().map(|value| match role {
                Role::Signal => {
                    let (found, through) = self.signal(call, value);
                    (found, at, through)
                }
                _ => {
                    let (found, through) = found_of(amount_of(value, unit), Zero::Off);
                    (found, at, through)
                }
            });
            let found = found.collect();
            let known = out.keys.len();
            self.note(out, name.as_deref().unwrap_or(key), kind, when_read, found, placed.by, false, false);
            out.keys[known..].iter_mut().for_each(|state| state.unless_read = when_read.is_some());
        }
    }

    pub(super) fn read_step(&self, library: &Library, rule: usize, placed: &Placed, out: &mut Configured) {
        let step = &library.steps[rule];
        let name = step.table.key.clone().or_else(|| last_name(step)).unwrap_or_default();
        let at = placed.layer.at;
        if let Some(why) = &step.table.ignored {
            out.remarks.push(Remark { kind: RemarkKind::NoEffect, at, text: why.clone() });
            return;
        }
        if step.table.off {
            if !out.keys.iter().any(|state| *state.key == *name) {
                let found = Found::Off("it is switched off here".to_owned());
                self.note(
                    out,
                    &name,
                    step.table.kind.unwrap_or(LimitKind::Total),
                    None,
                    vec![(found, at, None)],
                    placed.by,
                    false,
                    false,
                );
            }
            return;
        }
        let Some(limit) = placed.layer.roles.get(&Role::Limit) else { return };
        let kind = match (step.table.kind, &step.table.key) {
            (Some(kind), _) => kind,
            (None, Some(_)) => LimitKind::Pool,
            (None, None) => return,
        };
        let value = self.eval.bound(limit);
        if value.options().iter().all(|value| matches!(value, Value::Object(_))) {
            return;
        }
        let may_be_left_out =
            placed.some_ways || place_of(limit).is_some_and(|given| self.is_taken_out_of_nothing(given, &placed.layer.env));
        let some = |value: &&Value| !may_be_left_out || !matches!(value, Value::Null);
        let is_some = value.options().iter().any(|value| some(&value));
        let found = value.options().iter().filter(|value| !is_some || some(value)).map(|value| {
            let amount = amount_of(value, step.table.unit);
            self.remark_unit(&amount, step.table.unit, at, out);
            let (found, through) = found_of(amount, step.table.zero);
            (found, at, through)
        });
        let found = found.chain(may_be_left_out.then_some((Found::Sometimes, at, None))).collect();
        let known = out.keys.len();
        self.note(out, &name, kind, step.table.when_read, found, placed.by, step.table.needs_handler, false);
        for state in &mut out.keys[known..] {
            state.unless_read = true;
            state.alone = step.table.kind.is_some();
            state.ends_tries = step.table.ends_tries;
        }
    }

    /// Whether an argument is a name for what is inside of another value that can be none: `if let Some(d) = config.timeout`.
    fn is_taken_out_of_nothing(&self, given: Loc, env: &Env) -> bool {
        let Some(unit) = self.eval.unit(given.file) else { return false };
        let Some(of) = unit.only_value(given.expr) else { return false };
        let of = self.eval.value(Loc { file: given.file, expr: of }, env);
        of.options().iter().any(|value| matches!(value, Value::Null))
    }
}

pub(super) fn last_name(step: &crate::catalog::Step) -> Option<String> {
    step.shapes.first()?.path.last().map(ToString::to_string)
}

/// A layer with who it belongs to.
pub(super) struct Placed {
    pub layer: Layer,
    pub by: By,
    pub at: At,
    /// Whether it is taken on some ways through the code only.
    pub some_ways: bool,
}
