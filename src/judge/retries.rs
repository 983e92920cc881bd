//! How often a call is tried again.
//!
//! In: a call's configuration and what encloses it. Out: extra tries after a try that timed out, and the wait before the first of
//! them. A library that does not retry what timed out has none.

use super::Judge;
use super::call::Call;
use super::placed::Placed;
use super::scopes::Enclosure;
use crate::catalog::schema::{Counts, RetryTable};
use crate::catalog::{Keyed, Role};
use crate::limit::Millis;
use crate::link::value::Rule;
use crate::link::{Amount, Env, Lookup, Value, amount_of};

impl Judge<'_> {
    /// The extra tries of a call, and the wait before the first.
    /// With `ended`, a limit ends the library's own tries together: only what runs the whole call again counts.
    pub(super) fn retries(&self, call: &Call, layers: &[Placed], enclosures: &[Enclosure], ended: bool) -> (u32, Option<Millis>) {
        let own = if ended { (0, None) } else { self.library_retries(call, layers) };
        let (mut tries, mut delay) = match own {
            (u32::MAX, delay) => (u64::MAX, delay),
            (extra, delay) => (u64::from(extra) + 1, delay),
        };
        for enclosure in enclosures {
            if let Enclosure::Retries { extra, delay: pause, .. } = enclosure {
                tries = if *extra == u32::MAX { u64::MAX } else { tries.saturating_mul(u64::from(*extra) + 1) };
                delay = delay.or(*pause);
            }
        }
        let extra = tries.saturating_sub(1);
        (u32::try_from(extra).unwrap_or(u32::MAX), delay.filter(|_| extra > 0))
    }

    fn library_retries(&self, call: &Call, layers: &[Placed]) -> (u32, Option<Millis>) {
        let library = self.catalog().library(call.lib.library);
        let version = self.eval.version(&call.lib);
        let objects = [library.object(call.lib.object), library.object(call.end.object)];
        let method = call.lib.path.last().map_or("", |name| &**name);
        let mut best = (0, None);
        for rule in &library.retries {
            let table = &rule.table;
            let concerns = objects.iter().any(|object| rule.concerns(object, version.as_ref()));
            let only_scope = table.at == [crate::catalog::schema::At::Scope];
            if !concerns
                || only_scope
                || !table.on_timeout
                || !table.methods.is_empty() && !table.methods.iter().any(|m| m == method)
            {
                continue;
            }
            best = (table.default, table.delay_ms.map(Millis::from_millis));
            for placed in layers.iter().filter(|placed| placed.layer.library == call.lib.library) {
                if let Some(found) = self.retries_in(rule, placed) {
                    best = (found.0, found.1.or(best.1));
                    break;
                }
            }
            break;
        }
        for placed in layers {
            let is_own = placed.layer.library == call.lib.library;
            let other = self.catalog().library(placed.layer.library);
            let object = other.object(placed.layer.object);
            let concerns = |rule: &&Keyed<RetryTable>| {
                let own = is_own && objects.iter().any(|object| rule.concerns(object, version.as_ref()));
                // What it says of some calls is nothing that the objects made of it do.
                let of_some = is_own && !rule.table.methods.is_empty();
                !own && !of_some && rule.table.on_timeout && rule.concerns(object, None) && rule.table.at.contains(&placed.at)
            };
            for rule in other.retries.iter().filter(concerns) {
                let set = self.retries_in(rule, placed);
                best = set.unwrap_or((rule.table.default, rule.table.delay_ms.map(Millis::from_millis)));
            }
        }
        for placed in layers {
            if matches!(placed.layer.rule, Rule::Send(_)) {
                continue;
            }
            if let Some(extra) = self.counted(&placed.layer.roles) {
                best.0 = extra;
                break;
            }
        }
        best
    }

    fn retries_in(&self, rule: &Keyed<RetryTable>, placed: &Placed) -> Option<(u32, Option<Millis>)> {
        if !rule.table.at.contains(&placed.at) {
            return None;
        }
        let options = placed.layer.roles.all(&Role::Options).map(|bound| self.eval.bound(bound));
        options.filter_map(|options| self.set_numbers(rule, &options, &placed.layer.env)).next()
    }

    fn set_numbers(&self, rule: &Keyed<RetryTable>, options: &Value, env: &Env) -> Option<(u32, Option<Millis>)> {
        let computed = self.computed_wait(rule, options, env);
        match computed {
            Some(Millis::ZERO) => return Some((0, None)),
            // It alone says whether to go on, and it always does.
            Some(wait) => return Some((u32::MAX, Some(wait))),
            None => {}
        }
        let delay = self.first_delay(rule, options, env);
        for key in &rule.keys {
            for lookup in self.eval.lookup(options, key, env) {
                let Lookup::Found { value, .. } = lookup else { continue };
                if matches!(value, Value::Object(_)) {
                    continue;
                }
                let number = match &value {
                    _ if rule.table.endless.iter().any(|said| super::limits::same_as_written(&value, said)) => Some(u32::MAX),
                    Value::Bool(false) | Value::Null => Some(0),
                    Value::Bool(true) => Some(rule.table.default),
                    other => self.whole(other),
                };
                if let Some(number) = number {
                    let extra = if rule.table.counts == Counts::Tries { number.saturating_sub(1) } else { number };
                    return Some((extra, delay));
                }
            }
        }
        None
    }

    /// The numbers that options set, else the defaults.
    pub(super) fn retry_numbers(&self, rule: &Keyed<RetryTable>, options: Option<&Value>, env: &Env) -> (u32, Option<Millis>) {
        let default = (rule.table.default, rule.table.delay_ms.map(Millis::from_millis));
        let Some(options) = options else { return default };
        let set = self.set_numbers(rule, options, env);
        let delay = self.first_delay(rule, options, env);
        (set.map_or(default.0, |(extra, _)| extra), delay.or(default.1))
    }

    /// The wait that a function in the options always gives; zero means that nothing is tried again.
    fn computed_wait(&self, rule: &Keyed<RetryTable>, options: &Value, env: &Env) -> Option<Millis> {
        let path: Vec<Box<str>> = rule.table.computed.as_deref()?.split('.').map(Into::into).collect();
        self.eval.lookup(options, &path, env).into_iter().find_map(|lookup| match lookup {
            Lookup::Found { value, .. } => match amount_of(&self.eval.result_of(&value)?, rule.table.unit) {
                Amount::Finite { wait, .. } => Some(wait),
                Amount::Zero => Some(Millis::ZERO),
                _ => None,
            },
            _ => None,
        })
    }

    fn first_delay(&self, rule: &Keyed<RetryTable>, options: &Value, env: &Env) -> Option<Millis> {
        for key in &rule.table.delay_keys {
            let path: Vec<Box<str>> = key.split('.').map(Into::into).collect();
            for lookup in self.eval.lookup(options, &path, env) {
                if let Lookup::Found { value, .. } = lookup
                    && let Amount::Finite { wait, .. } = amount_of(&value, rule.table.unit)
                {
                    return Some(wait);
                }
            }
        }
        None
    }
}
