//! The limits that a library's own configuration puts on a call: options, builder steps, instances, process-wide settings, defaults.
//!
//! In: a call and the configuration of what it is made on, nearest first. Out: [`Candidate`]s, and what was written without effect.
//! A key that is set nearer hides the same key further out; a key that is switched off takes its default away. It does not decide
//! between candidates.

use std::rc::Rc;

use super::call::Call;
use super::endless::Endless;
use super::placed::Placed;
use super::{Candidate, Judge, Remark, RemarkKind};
use crate::catalog::Keyed;
use crate::catalog::schema::{As, Level, LimitTable, Zero};
use crate::finding::{By, Origin};
use crate::limit::{LimitKind, Millis, Unit};
use crate::link::value::{LibValue, Rule};
use crate::link::{Amount, Bound, Loc, Value};

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

impl Judge<'_> {
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
