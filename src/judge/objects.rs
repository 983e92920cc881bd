//! Objects of libraries that are given in options: the client that a queue works with, the agent of a request.
//!
//! In: what a key of the options may hold. Out: what those objects were made with, as if the call's own options said it. Of several objects
//! the weakest counts; where it is not known which object is given, nor is what it limits.

use super::call::Call;
use super::endless::Endless;
use super::limits::{Configured, Found, KeyState};
use super::placed::Placed;
use super::{Judge, Remark};
use crate::catalog::schema::{As, LimitTable};
use crate::catalog::{Keyed, LibraryId, Role};
use crate::limit::LimitKind;
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Bound, Loc, Lookup, Value};

impl Judge<'_> {
    /// Reads the objects that a key of the options holds.
    pub(super) fn read_objects(
        &self,
        call: &Call,
        limit: &Keyed<LimitTable>,
        placed: &Placed,
        options: &Value,
        lookups: Vec<Lookup>,
        out: &mut Configured,
    ) {
        let mut ones = Vec::new();
        for lookup in lookups {
            match lookup {
                Lookup::Found { value, .. } => {
                    for object in self.objects_in(&limit.table, options, &value) {
                        ones.push(self.read_object(call, &limit.table, &object, placed));
                    }
                    out.objects.push(limit.table.key.as_str().into());
                }
                Lookup::Missing => ones.push(Configured::default()),
                Lookup::Unknown(reason) => ones.push(Configured { unknown: vec![reason], ..Configured::default() }),
            }
        }
        self.add_weakest(limit.table.kind, placed.layer.at, ones, out);
    }

    /// The objects that a value is; what a function there gives, which is called with the options under the keys that the rule names.
    fn objects_in(&self, table: &LimitTable, options: &Value, value: &Value) -> Vec<Value> {
        let args = || {
            let given = table.given.iter().map(|key| match key.as_str() {
                "" => Value::Undefined,
                key => self.eval.member(options, key, &None),
            });
            given.map(Bound::Value).collect()
        };
        let objects = value.options().iter().flat_map(|option| match self.eval.result_with(option, args) {
            Some(given) => given.options().to_vec(),
            None => vec![option.clone()],
        });
        objects.collect()
    }

    /// What one object was made with.
    fn read_object(&self, call: &Call, table: &LimitTable, value: &Value, placed: &Placed) -> Configured {
        let mut out = Configured::default();
        match value {
            Value::Opaque(reason) => out.unknown.push(reason.clone()),
            Value::Lib(inner) => {
                self.read_made(call, inner, placed, &mut out);
                if inner.unmade.is_some() {
                    self.read_ambient(call, &[inner.object], inner.library, &mut out);
                }
                let reason = inner.unmade.clone().filter(|_| !out.ambient).or_else(|| self.only_named(inner));
                out.unknown.extend(reason);
            }
            Value::Instance(instance) => {
                let made = self.eval.as_extended(instance).into_iter().flat_map(|made| made.options().to_vec());
                let ones = made.map(|made| self.read_object(call, table, &made, placed)).collect();
                self.add_weakest(table.kind, placed.layer.at, ones, &mut out);
            }
            // Its keys are read as options are.
            _ => {}
        }
        out
    }

    /// Why nothing is known of a name of a package of which no rule speaks, as a type's may be.
    fn only_named(&self, inner: &LibValue) -> Option<std::rc::Rc<str>> {
        let library = self.catalog().library(inner.library);
        let is_named = inner.layers.is_empty() && !inner.path.is_empty() && !library.speaks_of(&inner.path);
        is_named.then(|| format!("`{}` of `{}`, of which nothing is known", inner.path.join("."), library.client).into())
    }

    fn read_made(&self, call: &Call, inner: &LibValue, placed: &Placed, out: &mut Configured) {
        let layers = self.placed(&inner.layers);
        for one in &layers {
            let library = self.catalog().library(one.layer.library);
            let version = self.eval.version(inner);
            let placed = Placed { by: placed.by, layer: one.layer.clone(), at: one.at, some_ways: placed.some_ways };
            if let Rule::Step(rule) = placed.layer.rule {
                self.read_step(library, rule, &placed, out);
            }
            for options in placed.layer.roles.all(&Role::Options) {
                let value = self.eval.bound(options);
                self.read_options(call, library, version.as_ref(), &placed, &value, out);
            }
        }
        out.endless = out.endless.take().or_else(|| self.endless_of(inner, &layers));
    }

    /// Adds what holds whichever of the objects is the one.
    pub(super) fn add_weakest(&self, kind: LimitKind, at: Loc, ones: Vec<Configured>, out: &mut Configured) {
        let mut keys: Vec<KeyState> = Vec::new();
        for state in ones.iter().flat_map(|one| &one.keys) {
            if !keys.iter().any(|known| known.key == state.key) {
                keys.push(state.clone());
            }
        }
        for state in keys {
            let found = ones.iter().map(|one| match one.keys.iter().find(|known| known.key == state.key) {
                Some(known) => (known.found.clone(), known.at, known.through),
                None => (Found::Sometimes, at, None),
            });
            let known = out.keys.len();
            self.note(
                out,
                &state.key,
                state.kind,
                state.when_read,
                found.collect(),
                state.by,
                state.needs_handler,
                state.overridable,
            );
            for added in &mut out.keys[known..] {
                (added.unless_read, added.alone, added.ends_tries) = (state.unless_read, state.alone, state.ends_tries);
            }
        }
        let remarks: Vec<Remark> = ones.iter().flat_map(|one| one.remarks.iter().cloned()).collect();
        out.remarks.extend(remarks.into_iter().filter(|remark| !out.remarks.contains(remark)).collect::<Vec<_>>());
        if kind.covers() {
            out.unknown.extend(ones.iter().flat_map(|one| one.unknown.iter().cloned()));
        }
        let endless: Option<Endless> = ones.into_iter().find_map(|one| one.endless);
        out.endless = out.endless.take().or(endless);
    }

    /// The object that the options of a call's client hold, with the call that made it: its limits are those of the call.
    pub(super) fn given_object(&self, call: &Call) -> Option<(LibraryId, Layer)> {
        let library = self.catalog().library(call.lib.library);
        let keys: Vec<_> =
            library.limits.iter().filter(|limit| limit.table.reads_as == As::Object && limit.table.kind.covers()).collect();
        if keys.is_empty() {
            return None;
        }
        let options = call.lib.layers.iter().rev().flat_map(|layer| {
            layer.roles.all(&Role::Options).map(|options| (self.eval.bound(options), layer.env.clone())).collect::<Vec<_>>()
        });
        let mut held = options.flat_map(|(options, env)| {
            let keyed = keys.iter().filter_map(|limit| Some((limit, limit.keys.first()?)));
            let found = keyed.flat_map(|(limit, key)| {
                let lookups = self.eval.lookup(&options, key, &env).into_iter();
                let values = lookups.filter_map(|lookup| match lookup {
                    Lookup::Found { value, .. } => Some(self.objects_in(&limit.table, &options, &value)),
                    _ => None,
                });
                values.flatten().collect::<Vec<_>>()
            });
            found.collect::<Vec<_>>()
        });
        held.find_map(|value| match value {
            Value::Lib(inner) => Some((inner.library, self.making(&inner)?.clone())),
            _ => None,
        })
    }
}
