//! Limits that hold when nothing is set, and limits that cover together.
//!
//! In: what is configured. Out: the same, with what the library adds of its own.

use node_semver::Version;

use super::call::Call;
use super::limits::{Configured, Found};
use super::placed::Placed;
use super::{Candidate, Judge};
use crate::catalog::schema::{At, Level, LimitTable};
use crate::catalog::{Keyed, Library, ObjectId};
use crate::finding::{By, Origin};
use crate::limit::Millis;

impl Judge<'_> {
    /// Limits that are there when nothing is set.
    pub(super) fn add_defaults(
        &self,
        call: &Call,
        layers: &[Placed],
        library: &Library,
        version: Option<&Version>,
        out: &mut Configured,
    ) {
        let mut parts: Vec<ObjectId> = vec![call.end.object, call.lib.object];
        parts.extend(layers.iter().filter(|placed| placed.layer.library == call.lib.library).map(|placed| placed.layer.object));
        parts.extend(self.configs(call).iter().filter(|config| config.library == call.lib.library).map(|config| config.object));
        parts.sort_unstable();
        parts.dedup();
        let longest = self.policy.longest_default;
        let mut too_long = None;
        let mut covering = Vec::new();
        for default in &library.defaults {
            if !parts.iter().any(|part| default.concerns(library.object(*part), version)) {
                continue;
            }
            let table = &default.table;
            let has_object = |limit: &&Keyed<LimitTable>| out.objects.iter().any(|key| **key == *limit.table.key);
            let replaced = library.limits.iter().filter(has_object).any(|limit| limit.table.replaces.contains(&table.key));
            if replaced
                || self.send_rule(call).table.without.contains(&table.key)
                || out.keys.iter().any(|state| *state.key == *table.key)
            {
                continue;
            }
            if self.runs_elsewhere(call.at.file, &table.elsewhere) {
                continue;
            }
            let wait = Millis::from_millis(table.ms);
            let kind =
                if call.read_in_chain || !self.reads_later(call) { table.when_read.unwrap_or(table.kind) } else { table.kind };
            let kind = self.kind_for(call, &table.key, kind);
            if wait > longest {
                too_long = Some(too_long.map_or(wait, |known: Millis| known.max(wait)));
                continue;
            }
            let client = library.client_of(call.lib.object);
            let (wait, origin, why) = match self.may_be_set(call, library, &table.key, out.ambient) {
                true => {
                    (None, Origin::Dynamic, format!("{client} ends it of its own, after {wait} unless it was made otherwise"))
                }
                false => (Some(wait), Origin::Constant, format!("{client} ends it of its own")),
            };
            covering.push(Candidate {
                ends_tries: false,
                wait,
                kind,
                origin,
                overridable: true,
                at: None,
                by: By::Default,
                through: None,
                why,
            });
        }
        out.default_limit = too_long;
        out.candidates.extend(covering);
    }

    /// Whether a key may be set where the object of a call was made, in a place that is not known.
    fn may_be_set(&self, call: &Call, library: &Library, key: &str, ambient: bool) -> bool {
        let by_step = library.steps.iter().any(|step| {
            step.table.key.as_deref() == Some(key) && library.object(step.on).level == Level::Client && step.table.kind.is_some()
        });
        let settable =
            || by_step || library.limits.iter().any(|limit| limit.table.key == key && limit.table.at.contains(&At::Make));
        let given = || call.configs().any(|config| self.eval.bound(config).is_opaque());
        !ambient && !self.is_bare(call) && settable() && (!self.unmade(call).is_empty() || given())
    }

    /// Limits that cover only together.
    pub(super) fn add_together(&self, library: &Library, version: Option<&Version>, out: &mut Configured) {
        for rule in &library.together {
            if !rule.versions.hold(version) {
                continue;
            }
            let mut longest: Option<Millis> = Some(Millis::ZERO);
            let (mut by, mut at, mut all) = (By::Default, None, true);
            for key in &rule.table.keys {
                let set = out.keys.iter().find(|state| *state.key == **key);
                match set.map(|state| (&state.found, state)) {
                    Some((Found::Limit(wait, ..), state)) => {
                        longest = longest.zip(*wait).map(|(a, b)| a.max(b));
                        by = if by == By::Own { By::Own } else { state.by };
                        at = at.or(Some(state.at));
                    }
                    Some(_) => all = false,
                    None => {
                        let default =
                            library.defaults.iter().find(|default| *default.table.key == **key && default.versions.hold(version));
                        match default {
                            Some(default) if Millis::from_millis(default.table.ms) <= self.policy.longest_default => {
                                longest = longest.map(|known| known.max(Millis::from_millis(default.table.ms)));
                            }
                            _ => all = false,
                        }
                    }
                }
            }
            if !all || at.is_none() {
                continue;
            }
            out.candidates.push(Candidate {
                ends_tries: false,
                wait: longest,
                kind: rule.table.kind,
                origin: if longest.is_some() { Origin::Constant } else { Origin::Dynamic },
                overridable: false,
                at,
                by,
                through: None,
                why: format!("`{}` are set together", rule.table.keys.join("` and `")),
            });
        }
    }
}
