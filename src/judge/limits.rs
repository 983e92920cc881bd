//! The limits that a library's own configuration puts on a call: options, builder steps, instances, process-wide settings, defaults.
//!
//! In: a call and the configuration of what it is made on, nearest first. Out: [`Candidate`]s, and what was written without effect.
//! A key that is set nearer hides the same key further out; a key that is switched off takes its default away. It does not decide
//! between candidates.

use std::rc::Rc;

use node_semver::Version;

use super::call::Call;
use super::endless::Endless;
use super::{Candidate, Judge, Remark, RemarkKind};
use crate::catalog::schema::{As, At, Level, LimitTable, Zero};
use crate::catalog::{Keyed, Library, Role};
use crate::finding::{By, Origin};
use crate::limit::{LimitKind, Millis, Unit};
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Amount, Bound, Env, Loc, Value, amount_of};

/// What is known of one key.
#[derive(Debug, Clone)]
pub(super) struct KeyState {
    pub key: Box<str>,
    pub kind: LimitKind,
    pub when_read: Option<LimitKind>,
    /// `when_read` counts also where nothing reads the rest of the answer.
    pub unless_read: bool,
    /// It ends something by itself, not only together with others.
    pub alone: bool,
    /// It ends all tries together.
    pub ends_tries: bool,
    pub found: Found,
    pub at: Loc,
    pub by: By,
    pub through: Option<Loc>,
    pub needs_handler: bool,
    pub overridable: bool,
}

/// What one key says.
#[derive(Debug, Clone)]
pub(super) enum Found {
    /// A limit, perhaps of unknown length, perhaps of another kind than the key's.
    Limit(Option<Millis>, Origin, Option<LimitKind>),
    /// Switched off, or without effect: why.
    Off(String),
    /// There is one only on some ways through the code.
    Sometimes,
    /// It is not known whether there is one.
    Unknown(Rc<str>),
}

/// Everything that configuration says about one call.
#[derive(Debug, Default)]
pub(super) struct Configured {
    pub candidates: Vec<Candidate>,
    pub keys: Vec<KeyState>,
    pub remarks: Vec<Remark>,
    pub unknown: Vec<Rc<str>>,
    pub default_limit: Option<Millis>,
    /// A setting for objects that nobody makes was found.
    pub ambient: bool,
    /// The keys that hold an object of a library.
    pub objects: Vec<Box<str>>,
    /// It is tried again without end.
    pub endless: Option<Endless>,
}

/// A layer with who it belongs to.
pub(super) struct Placed {
    pub layer: Layer,
    pub by: By,
    pub at: At,
    /// Whether it is taken on some ways through the code only.
    pub some_ways: bool,
}

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

    /// Reads everything that configures a call.
    pub(super) fn configured(&self, call: &Call) -> Configured {
        let library = self.catalog().library(call.lib.library);
        let version = self.eval.version(&call.lib);
        let mut out = Configured::default();
        let layers = self.all_layers(call);
        // What is written to an instance later counts over what it was made with.
        let own = layers.iter().take_while(|placed| placed.by == By::Own).count();
        for placed in &layers[..own] {
            self.read_placed(call, placed, &mut out);
        }
        self.read_writes(call, library, version.as_ref(), false, &mut out);
        for placed in &layers[own..] {
            self.read_placed(call, placed, &mut out);
        }
        self.read_writes(call, library, version.as_ref(), true, &mut out);
        self.read_globals(call, library, &mut out);
        let set = |out: &Configured, limit: &Keyed<LimitTable>| {
            out.keys.iter().map(|state| &state.key).chain(&out.objects).any(|key| **key == *limit.table.key)
        };
        let replaced: Vec<&String> =
            library.limits.iter().filter(|limit| set(&out, limit)).flat_map(|limit| &limit.table.replaces).collect();
        out.keys.retain(|state| !replaced.iter().any(|key| ***key == *state.key));
        let without = &self.send_rule(call).table.without;
        out.keys.retain(|state| !without.iter().any(|key| **key == *state.key));
        self.check_handlers(call, &mut out);
        self.read_misplaced(call, library, version.as_ref(), &mut out);
        self.add_defaults(call, &layers, library, version.as_ref(), &mut out);
        for state in &out.keys {
            if let Found::Limit(wait, origin, kind) = &state.found
                && state.alone
            {
                let kind = kind.unwrap_or(state.kind);
                let at_once = call.read_in_chain || !self.reads_later(call) || state.unless_read && self.reads(call).is_empty();
                let kind = if at_once { state.when_read.unwrap_or(kind) } else { kind };
                let kind = self.kind_for(call, &state.key, kind);
                out.candidates.push(Candidate {
                    ends_tries: state.ends_tries
                        || library.limits.iter().any(|limit| limit.table.key == *state.key && limit.table.reads_as == As::Signal),
                    wait: *wait,
                    kind,
                    origin: *origin,
                    overridable: state.overridable,
                    at: Some(state.at),
                    by: state.by,
                    through: state.through,
                    why: format!("`{}` is set here", state.key),
                });
            }
        }
        self.add_together(library, version.as_ref(), &mut out);
        out
    }

    /// What a key ends of a call: all of it where the call's rule says so.
    pub(super) fn kind_for(&self, call: &Call, key: &str, kind: LimitKind) -> LimitKind {
        let ends_all = self.send_rule(call).table.whole.iter().any(|whole| whole == key);
        if ends_all { LimitKind::Total } else { kind }
    }

    /// The layers of a call: what its chain says, what happens to the variables that hold it, and what its client was made with.
    pub(super) fn all_layers(&self, call: &Call) -> Vec<Placed> {
        let mut layers = call.end.layers.clone();
        for lib in [&call.end, &call.lib] {
            for layer in self.later_steps(lib) {
                if !layers.iter().any(|known| known.at == layer.at) {
                    layers.push(layer);
                }
            }
        }
        for (file, binding) in self.holders_and_shared(call) {
            for layer in self.steps_on(file, binding, &call.env) {
                if !layers.iter().any(|known| known.at == layer.at) {
                    layers.push(layer);
                }
            }
        }
        for config in self.configs(call) {
            layers.extend(config.layers.iter().cloned());
            layers.extend(self.later_steps(&config));
        }
        let mut placed = self.placed(&layers);
        for earlier in placed.iter_mut().filter(|one| matches!(one.layer.rule, Rule::Send(_)) && one.layer.at != call.at) {
            // The call that made the connection: its limits are the connection's.
            if self.catalog().library(earlier.layer.library).object(earlier.layer.object).level == Level::Client {
                earlier.by = By::Client;
            }
        }
        placed.sort_by_key(|placed| placed.by != By::Own);
        self.mark_ways(&mut placed, call.at);
        placed
    }

    /// The objects whose configuration a call takes over.
    pub(super) fn configs(&self, call: &Call) -> Vec<Rc<LibValue>> {
        let values = call.configs().map(|config| self.eval.bound(config));
        let objects = values.filter_map(|value| match value.options().first() {
            Some(Value::Lib(config)) => Some(config.clone()),
            Some(given) => self.eval.stand_in(given, call.lib.library),
            None => None,
        });
        objects.collect()
    }

    pub(super) fn read_placed(&self, call: &Call, placed: &Placed, out: &mut Configured) {
        // What one layer costs takes nothing away from the next.
        self.eval.go_on();
        let layer = &placed.layer;
        // What was asked before takes nothing from what is asked here.
        self.eval.go_on();
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
            let (kind, name, unit) = match (layer.rule, &role) {
                (_, Role::Signal) => (Some(LimitKind::Total), None, Unit::Ms),
                (Rule::Make(rule), Role::Limit) => {
                    let table = &library.makes[rule].table;
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
            self.note(out, name.as_deref().unwrap_or(key), kind, None, found, placed.by, false, false);
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
        }
    }

    /// Whether an argument is a name for what is inside of another value that can be none: `if let Some(d) = config.timeout`.
    fn is_taken_out_of_nothing(&self, given: Loc, env: &Env) -> bool {
        let Some(unit) = self.eval.unit(given.file) else { return false };
        let Some(of) = unit.only_value(given.expr) else { return false };
        let of = self.eval.value(Loc { file: given.file, expr: of }, env);
        of.options().iter().any(|value| matches!(value, Value::Null))
    }

    /// Adds what one layer says of a key, unless a nearer one has said it: the weakest of the possible values counts.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn note(
        &self,
        out: &mut Configured,
        key: &str,
        kind: LimitKind,
        when_read: Option<LimitKind>,
        found: Vec<(Found, Loc, Option<Loc>)>,
        by: By,
        needs_handler: bool,
        overridable: bool,
    ) {
        let sometimes = found.iter().any(|(found, ..)| matches!(found, Found::Sometimes));
        let known = |found: &Found| !matches!(found, Found::Sometimes | Found::Unknown(_));
        if let Some(Found::Unknown(reason)) =
            found.iter().map(|(found, ..)| found).find(|found| matches!(found, Found::Unknown(_)))
            && kind.covers()
            && !out.unknown.contains(reason)
            && !out.keys.iter().any(|state| *state.key == *key)
        {
            out.unknown.push(reason.clone());
        }
        if !found.iter().any(|(found, ..)| known(found)) || out.keys.iter().any(|state| *state.key == *key) {
            return;
        }
        let weakest = found.iter().filter(|(found, ..)| known(found)).max_by_key(|(found, ..)| weakness(found));
        let Some((one, at, through)) = weakest.cloned() else { return };
        if let Found::Off(why) = &one {
            let text = format!("`{key}` has no effect: {why}");
            let kind = if why.starts_with("it is") || why.starts_with("that") { RemarkKind::Off } else { RemarkKind::NoEffect };
            out.remarks.push(Remark { kind, at, text });
        }
        if sometimes {
            if matches!(one, Found::Limit(..)) {
                let text = format!("`{key}` is set on some ways through the code only");
                out.remarks.push(Remark { kind: RemarkKind::Evidence, at, text });
            }
            return;
        }
        out.keys.push(KeyState {
            key: key.into(),
            kind,
            when_read,
            unless_read: false,
            alone: true,
            ends_tries: false,
            found: one,
            at,
            by,
            through,
            needs_handler,
            overridable,
        });
    }

    pub(super) fn remark_unit(&self, amount: &Amount, unit: Unit, at: Loc, out: &mut Configured) {
        if let Some(text) = super::units::suspicious(amount, unit) {
            out.remarks.push(Remark { kind: RemarkKind::Unit, at, text });
        }
    }
}

/// The expression of an argument.
pub(super) fn place_of(bound: &Bound) -> Option<Loc> {
    match bound {
        Bound::Thunk(at, _) | Bound::Named(_, at, _) | Bound::Spread(at, _) => Some(*at),
        Bound::Value(_) => None,
    }
}

pub(super) fn last_name(step: &crate::catalog::Step) -> Option<String> {
    step.shapes.first()?.path.last().map(ToString::to_string)
}

/// What an amount says as a limit.
pub(super) fn found_of(amount: Amount, zero: Zero) -> (Found, Option<Loc>) {
    match amount {
        Amount::Finite { wait, origin, through, .. } => (Found::Limit(Some(wait), origin, None), through),
        Amount::Dynamic => (Found::Limit(None, Origin::Dynamic, None), None),
        Amount::Zero if zero == Zero::Now => (Found::Limit(Some(Millis::ZERO), Origin::Constant, None), None),
        Amount::Zero => (Found::Off("it is 0".to_owned()), None),
        Amount::Off(why) => (Found::Off(why.to_owned()), None),
        Amount::Missing => (Found::Sometimes, None),
        Amount::Unknown(reason) => (Found::Unknown(reason), None),
    }
}

/// How weak a limit is: the weakest of several decides.
pub(super) fn weakness(found: &Found) -> (u8, u64) {
    match found {
        Found::Off(_) => (3, 0),
        Found::Limit(None, ..) => (1, 0),
        Found::Limit(Some(wait), ..) => (0, wait.as_micros()),
        Found::Sometimes | Found::Unknown(_) => (2, 0),
    }
}

pub(super) fn same_as_written(value: &Value, written: &toml::Value) -> bool {
    match (value, written) {
        (Value::Bool(a), toml::Value::Boolean(b)) => a == b,
        (Value::Number(a), toml::Value::Integer(b)) => a.value == Some(*b as f64),
        (Value::Number(a), toml::Value::Float(b)) => a.value == Some(*b),
        (Value::Text(a), toml::Value::String(b)) => **a == **b,
        (Value::Undefined, toml::Value::String(b)) => b == "undefined",
        (Value::Null, toml::Value::String(b)) => matches!(b.as_str(), "null" | "None"),
        (Value::Number(a), toml::Value::String(b)) if b == "Infinity" => a.value == Some(f64::INFINITY),
        _ => false,
    }
}
