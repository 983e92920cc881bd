//! What an enclosing call of a library does with the work that it is given: ends it, races it, or tries it again.
//!
//! In: the call and its rule. Out: what is found on the climb.

use super::Judge;
use super::limits::place_of;
use super::scopes::{Climb, Enclosure, longest};
use crate::catalog::schema::{LimitTable, RetryTable};
use crate::catalog::{Keyed, Role, Scoping};
use crate::facts::{Expr, ExprId};
use crate::finding::{By, Origin};
use crate::limit::{LimitKind, Millis, Unit as TimeUnit};
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Amount, Bound, Env, Loc, Matched, Unit, Value, amount_of};
use crate::span::{FileId, Span};

impl Judge<'_> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn pass_scope(
        &self,
        unit: &Unit,
        call: Loc,
        work: ExprId,
        lib: &LibValue,
        scoping: &Scoping,
        matched: &Matched,
        climb: &mut Climb<'_>,
    ) {
        // What a branch of a race does with its answer comes after the race.
        let enclosed = if scoping.table.race { work } else { call.expr };
        let span = (call.file, unit.facts.span(enclosed));
        if scoping.table.retries {
            self.pass_retries(call, lib, matched, climb);
        }
        let Some(kind) = scoping.table.kind else { return };
        let kind = if scoping.table.detaches { LimitKind::Wait } else { kind };
        let limit = |value: &Value, unit: TimeUnit| match amount_of(value, unit) {
            Amount::Finite { wait, origin, .. } => {
                Enclosure::Limit { wait: Some(wait), origin, kind, by: By::Scope, at: call, span }
            }
            Amount::Dynamic | Amount::Unknown(_) => {
                Enclosure::Limit { wait: None, origin: Origin::Dynamic, kind, by: By::Scope, at: call, span }
            }
            Amount::Zero => Enclosure::Off { at: call, why: "its limit is 0".to_owned() },
            Amount::Off(why) => Enclosure::Off { at: call, why: format!("its limit is switched off: {why}") },
            Amount::Missing => Enclosure::Off { at: call, why: "it is given no limit".to_owned() },
        };
        if scoping.table.race {
            if let Some(sleep) = self.racing_sleep(unit, call, work, climb.env) {
                climb.found.push(limit(&sleep, TimeUnit::Ms));
            }
            return;
        }
        if let Some(given) = matched.roles.get(&Role::Limit) {
            let value = self.eval.bound(given);
            climb.found.extend(value.options().iter().map(|value| limit(value, scoping.table.unit)).max_by_key(longest));
            return;
        }
        if let Some(given) = matched.roles.get(&Role::Deadline) {
            climb.found.push(limit(&self.eval.bound(given), TimeUnit::Ms));
            return;
        }
        self.scope_options(call, lib, matched, kind, span, climb);
    }

    /// The limit in the options of an enclosing call, else its default.
    fn scope_options(
        &self,
        call: Loc,
        lib: &LibValue,
        matched: &Matched,
        kind: LimitKind,
        span: (FileId, Span),
        climb: &mut Climb<'_>,
    ) {
        use crate::catalog::schema::At;
        let library = self.catalog().library(lib.library);
        let version = self.eval.version(lib);
        let object = library.object(lib.object);
        let options = matched.roles.get(&Role::Options).map(|options| self.eval.bound(options));
        let enclosure = |value: &Value, rule: &Keyed<LimitTable>| {
            let limit = |wait, origin| Enclosure::Limit { wait, origin, kind: rule.table.kind, by: By::Scope, at: call, span };
            match amount_of(value.options().first().unwrap_or(&Value::Undefined), rule.table.unit) {
                Amount::Finite { wait, origin, .. } => Some(limit(Some(wait), origin)),
                Amount::Missing => None,
                Amount::Zero => Some(Enclosure::Off { at: call, why: format!("its `{}` is 0", rule.table.key) }),
                Amount::Off(why) => {
                    Some(Enclosure::Off { at: call, why: format!("its `{}` is switched off: {why}", rule.table.key) })
                }
                _ => Some(limit(None, Origin::Dynamic)),
            }
        };
        let found = |options: &Value, rule: &Keyed<LimitTable>, env: &Env| {
            let lookups = rule.keys.first().map_or_else(Vec::new, |key| self.eval.lookup(options, key, env));
            lookups.into_iter().find_map(|lookup| match lookup {
                crate::link::Lookup::Found { value, .. } => enclosure(&value, rule),
                _ => None,
            })
        };
        for rule in
            library.limits.iter().filter(|rule| rule.table.at.contains(&At::Scope) && rule.concerns(object, version.as_ref()))
        {
            if let Some(enclosure) = options.as_ref().and_then(|options| found(options, rule, climb.env)) {
                climb.found.push(enclosure);
                return;
            }
        }
        let before = climb.found.len();
        for layer in self.scope_layers(lib, matched) {
            let library = self.catalog().library(layer.library);
            let object = library.object(layer.object);
            let made = |rule: &&Keyed<LimitTable>| rule.table.at.contains(&At::Make) && rule.concerns(object, version.as_ref());
            for rule in library.limits.iter().filter(made) {
                let given = layer.roles.get(&Role::Limit).filter(|_| rule.table.key == "limit");
                let said = match given {
                    Some(given) => enclosure(&self.eval.bound(given), rule),
                    None => {
                        layer.roles.all(&Role::Options).find_map(|options| found(&self.eval.bound(options), rule, &layer.env))
                    }
                };
                climb.found.extend(said);
            }
        }
        if climb.found.len() > before {
            return;
        }
        let default = library.defaults.iter().find(|default| default.concerns(object, version.as_ref()));
        if let Some(default) = default {
            let wait = Millis::from_millis(default.table.ms);
            if wait <= self.policy.longest_default {
                climb.found.push(Enclosure::Limit {
                    wait: Some(wait),
                    origin: Origin::Constant,
                    kind,
                    by: By::Scope,
                    at: call,
                    span,
                });
            }
        }
    }

    fn pass_retries(&self, call: Loc, lib: &LibValue, matched: &Matched, climb: &mut Climb<'_>) {
        use crate::catalog::schema::At;
        let library = self.catalog().library(lib.library);
        let version = self.eval.version(lib);
        let object = library.object(lib.object);
        let placed = |rule: &&Keyed<RetryTable>| rule.table.at.contains(&At::Scope) && rule.concerns(object, version.as_ref());
        let policies = self.policies(lib, matched);
        let counted =
            self.counted(&matched.roles).or_else(|| policies.iter().find_map(|policy| self.counted_by(policy, library)));
        let paused = policies.iter().find_map(|policy| self.paused_by(policy, library));
        let of_policy = |rule: &&Keyed<RetryTable>| {
            rule.table.at.contains(&At::Scope)
                && policies.iter().any(|policy| rule.concerns(library.object(policy.object), version.as_ref()))
        };
        if let Some(rule) = library.retries.iter().find(placed).or_else(|| library.retries.iter().find(of_policy)) {
            let options = matched.roles.get(&Role::Options).map(|options| self.eval.bound(options));
            let (extra, delay) = self.retry_numbers(rule, options.as_ref(), climb.env);
            climb.found.push(Enclosure::Retries { extra: counted.unwrap_or(extra), delay: paused.or(delay), at: call });
            return;
        }
        if let Some(extra) = counted {
            climb.found.push(Enclosure::Retries { extra, delay: paused, at: call });
            return;
        }
        for layer in self.scope_layers(lib, matched) {
            let library = self.catalog().library(layer.library);
            let object = library.object(layer.object);
            let made = |rule: &&Keyed<RetryTable>| rule.table.at.contains(&At::Make) && rule.concerns(object, version.as_ref());
            let Some(rule) = library.retries.iter().find(made) else { continue };
            let options = layer.roles.get(&Role::Options).map(|options| self.eval.bound(options));
            let (extra, delay) = self.retry_numbers(rule, options.as_ref(), &layer.env);
            let direct = layer.roles.get(&Role::Retries).and_then(|bound| self.whole(&self.eval.bound(bound)));
            let extra = direct.unwrap_or(extra);
            if extra > 0 {
                climb.found.push(Enclosure::Retries { extra, delay, at: call });
            }
        }
    }

    /// How the object was made that an enclosing call is made on, and those that are given to it.
    fn scope_layers(&self, lib: &LibValue, matched: &Matched) -> Vec<Layer> {
        let mut layers = lib.layers.clone();
        layers.extend(self.config_layers(&matched.roles));
        layers.retain(|layer| matches!(layer.rule, Rule::Make(_)));
        layers
    }

    /// The objects that say how often work is tried again: what the scope is called on, and what it is given.
    fn policies(&self, lib: &LibValue, matched: &Matched) -> Vec<LibValue> {
        let given = matched.roles.all(&Role::Config).map(|config| self.eval.bound(config));
        let given = given.filter_map(|value| match value.options().first()? {
            Value::Lib(policy) if policy.library == lib.library => Some((**policy).clone()),
            Value::Object(object) => self.eval.literal_of(object).filter(|policy| policy.library == lib.library),
            _ => None,
        });
        given.chain([lib.clone()]).collect()
    }

    /// The extra tries that a policy was made with.
    fn counted_by(&self, policy: &LibValue, library: &crate::catalog::Library) -> Option<u32> {
        policy.layers.iter().rev().find_map(|layer| match layer.rule {
            Rule::Step(step) if library.steps[step].table.off => Some(u32::MAX),
            _ => self.counted(&layer.roles),
        })
    }

    /// The wait before the first retry that a policy was made with.
    fn paused_by(&self, policy: &LibValue, library: &crate::catalog::Library) -> Option<Millis> {
        policy.layers.iter().rev().find_map(|layer| {
            let unit = match layer.rule {
                Rule::Step(step) => library.steps[step].table.unit,
                _ => TimeUnit::Ms,
            };
            match amount_of(&self.eval.bound(layer.roles.get(&Role::Delay)?), unit) {
                Amount::Finite { wait, .. } => Some(wait),
                _ => None,
            }
        })
    }

    /// The extra tries that arguments say.
    pub(super) fn counted(&self, roles: &crate::link::Roles) -> Option<u32> {
        let retries = roles.get(&Role::Retries).map(|bound| (bound, 0));
        let (bound, less) = retries.or_else(|| roles.get(&Role::Tries).map(|bound| (bound, 1)))?;
        Some(self.whole(&self.eval.bound(bound))?.saturating_sub(less))
    }

    /// A timer among what a call races its work against.
    fn racing_sleep(&self, unit: &Unit, call: Loc, work: ExprId, env: &Env) -> Option<Value> {
        let Expr::Call { args, .. } = unit.facts.expr(call.expr) else { return None };
        let inside = unit.facts.span(work);
        let mut elements: Vec<Bound> = Vec::new();
        for arg in args {
            match self.eval.value(Loc { file: call.file, expr: arg.value }, env) {
                Value::List(items) => elements.extend(items.iter().cloned()),
                _ => elements.push(Bound::Thunk(Loc { file: call.file, expr: arg.value }, env.clone())),
            }
        }
        let sleeps = elements
            .iter()
            .filter(|element| place_of(element).is_none_or(|at| at.file != call.file || unit.facts.span(at.expr) != inside));
        sleeps.flat_map(|element| self.eval.bound(element).options().to_vec()).find(|value| matches!(value, Value::Sleep(_)))
    }
}
