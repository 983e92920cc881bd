//! Limits in options: what the keys of an options object set, and the keys that do nothing.
//!
//! In: an options object and where it was given. Out: what is noted in [`Configured`].

use node_semver::Version;

use super::call::Call;
use super::limits::{Configured, Found, found_of, place_of, same_as_written};
use super::placed::Placed;
use super::{Judge, Remark, RemarkKind};
use crate::catalog::schema::{As, At, LimitTable, Zero};
use crate::catalog::{Keyed, Library, Role};
use crate::facts::Expr;
use crate::finding::Origin;
use crate::limit::{Millis, Unit};
use crate::link::{Amount, Loc, Lookup, Value, amount_of};

impl Judge<'_> {
    pub(super) fn read_options(
        &self,
        call: &Call,
        library: &Library,
        version: Option<&Version>,
        placed: &Placed,
        options: &Value,
        out: &mut Configured,
    ) {
        let object = library.object(placed.layer.object);
        let concerned = |limit: &&Keyed<LimitTable>| limit.table.at.contains(&placed.at) && limit.concerns(object, version);
        for limit in library.limits.iter().filter(concerned) {
            self.read_key(call, limit, placed, options, out);
        }
        self.read_ignored(library, version, placed, options, out);
    }

    /// Keys that look like limits and do nothing: known ones, and misspelled ones.
    fn read_ignored(&self, library: &Library, version: Option<&Version>, placed: &Placed, options: &Value, out: &mut Configured) {
        let object = library.object(placed.layer.object);
        let placed_here = |at: &[At]| at.contains(&placed.at);
        let works = |key: &[Box<str>]| {
            library.limits.iter().any(|limit| {
                placed_here(&limit.table.at) && limit.concerns(object, version) && limit.keys.iter().any(|k| k == key)
            })
        };
        for rule in library.ignored.iter().filter(|rule| placed_here(&rule.table.at) && rule.concerns(object, version)) {
            let (Some(key), Some(why)) = (rule.keys.first(), &rule.table.why) else { continue };
            if works(key) {
                continue;
            }
            // What a plain value there does not do, the keys of an object may: `timeout: { request }`.
            let has_parts =
                library.limits.iter().flat_map(|limit| &limit.keys).any(|k| k.len() > key.len() && k.starts_with(key));
            for lookup in self.eval.lookup(options, key, &placed.layer.env) {
                if let Lookup::Found { value, at, .. } = lookup
                    && !matches!(value, Value::Undefined)
                    && !(has_parts && matches!(value, Value::Object(_)))
                {
                    let text = format!("`{}` has no effect: {why}", rule.table.key);
                    out.remarks.push(Remark { kind: RemarkKind::NoEffect, at, text });
                }
            }
        }
        let known = |key: &str| {
            let first = |keys: &[Vec<Box<str>>]| keys.iter().any(|path| path.first().is_some_and(|first| **first == *key));
            library.limits.iter().any(|rule| first(&rule.keys))
                || library.ignored.iter().any(|rule| first(&rule.keys))
                || library.retries.iter().any(|rule| first(&rule.keys))
                || library.defaults.iter().any(|rule| first(&rule.keys))
        };
        if library.limits.is_empty() {
            return;
        }
        for (key, at) in self.eval.keys(options) {
            let key = key.split('.').next().unwrap_or_default();
            if key.to_ascii_lowercase().contains("timeout") && !known(key) {
                let meant = library
                    .limits
                    .iter()
                    .filter(|limit| placed_here(&limit.table.at))
                    .map(|limit| limit.table.key.as_str())
                    .next();
                let hint = meant.map_or_else(String::new, |meant| format!("; `{meant}` is"));
                let text = format!("`{key}` has no effect: it is no option of {}{hint}", library.client);
                out.remarks.push(Remark { kind: RemarkKind::NoEffect, at, text });
            }
        }
    }

    /// Limits in an object literal that is no options argument: the body's place, or one argument too many.
    pub(super) fn read_misplaced(&self, call: &Call, library: &Library, version: Option<&Version>, out: &mut Configured) {
        let object = library.object(call.lib.object);
        let looked_at =
            |at: Loc| call.roles.0.iter().any(|(role, bound)| !matches!(role, Role::Any) && place_of(bound) == Some(at));
        for arg in self.eval.args_of(call.at, &call.env) {
            let Some(at) = place_of(&arg).filter(|at| !looked_at(*at)) else { continue };
            let is_literal = |unit: &crate::link::Unit| matches!(unit.facts.expr(at.expr), Expr::Object { .. });
            if !self.eval.unit(at.file).is_some_and(is_literal) {
                continue;
            }
            let value = self.eval.bound(&arg);
            for limit in
                library.limits.iter().filter(|limit| limit.table.at.contains(&At::Send) && limit.concerns(object, version))
            {
                let Some(key) = limit.keys.first() else { continue };
                if out.keys.iter().any(|state| *state.key == *limit.table.key) {
                    continue;
                }
                for lookup in self.eval.lookup(&value, key, &call.env) {
                    let Lookup::Found { at, .. } = lookup else { continue };
                    let text = format!("`{}` has no effect: it stands in an argument that is not the options", limit.table.key);
                    out.remarks.push(Remark { kind: RemarkKind::NoEffect, at, text });
                }
            }
        }
    }

    /// A limit that is written to a member.
    pub(super) fn read_written(&self, call: &Call, limit: &Keyed<LimitTable>, placed: &Placed, value: Loc, out: &mut Configured) {
        let written = self.eval.value(value, &call.env);
        let mut found = self.read_value(call, &limit.table, &written, value, out);
        found.extend(placed.some_ways.then_some((Found::Sometimes, value, None)));
        let key = limit.table.key.rsplit('.').next().unwrap_or_default();
        self.note(out, key, limit.table.kind, limit.table.when_read, found, placed.by, limit.table.needs_handler, false);
    }

    fn read_key(&self, call: &Call, limit: &Keyed<LimitTable>, placed: &Placed, options: &Value, out: &mut Configured) {
        let Some(key) = limit.keys.first() else { return };
        let lookups = self.eval.lookup(options, key, &placed.layer.env);
        let table = &limit.table;
        if table.reads_as == As::Object {
            return self.read_objects(call, limit, placed, options, lookups, out);
        }
        if !table.void_if.is_empty() && self.any_key(options, &table.void_if, placed) {
            if lookups.iter().any(|lookup| matches!(lookup, Lookup::Found { .. })) {
                let text = format!("`{}` is ignored beside `{}`", table.key, table.void_if.join("`, `"));
                out.remarks.push(Remark { kind: RemarkKind::NoEffect, at: placed.layer.at, text });
            }
            return;
        }
        let mut found = Vec::new();
        let mut hidden = false;
        for lookup in lookups {
            match lookup {
                Lookup::Found { value, at, may_be_hidden } => {
                    hidden |= may_be_hidden.is_some();
                    let at = if at.file.0 == 0 && at.expr.0 == 0 { placed.layer.at } else { at };
                    found.extend(self.read_value(call, table, &value, at, out));
                }
                Lookup::Missing => found.push((Found::Sometimes, placed.layer.at, None)),
                Lookup::Unknown(reason) => found.push((Found::Unknown(reason), placed.layer.at, None)),
            }
        }
        if found.iter().all(|(found, ..)| matches!(found, Found::Sometimes)) {
            return;
        }
        if let Some(needed) = &table.needs
            && found.iter().any(|(found, ..)| matches!(found, Found::Limit(..)))
            && !self.is_set(options, needed, placed)
        {
            let at = found.first().map_or(placed.layer.at, |(_, at, _)| *at);
            let text = table.note.clone().unwrap_or_else(|| format!("`{}` does nothing without `{needed}`", table.key));
            out.remarks.push(Remark { kind: RemarkKind::NoEffect, at, text });
            return;
        }
        let known = out.keys.len();
        self.note(out, &table.key, table.kind, table.when_read, found, placed.by, table.needs_handler, hidden);
        out.keys[known..].iter_mut().for_each(|state| state.ends_tries = table.ends_tries || table.reads_as == As::Signal);
    }

    pub(super) fn read_value(
        &self,
        call: &Call,
        table: &LimitTable,
        value: &Value,
        at: Loc,
        out: &mut Configured,
    ) -> Vec<(Found, Loc, Option<Loc>)> {
        let mut found = Vec::new();
        for value in value.options() {
            match table.reads_as {
                As::Function => found.extend(self.limited_inside(value).map(|found| (found, at, None))),
                As::Duration if matches!(value, Value::Object(_) | Value::Lib(_) | Value::Function(..)) => {}
                As::Duration => {
                    let off = table.off.iter().any(|off| same_as_written(value, off));
                    let amount = if off { Amount::Off("that switches it off") } else { amount_of(value, table.unit) };
                    self.remark_unit(&amount, table.unit, at, out);
                    let (one, through) = found_of(amount, table.zero);
                    found.push((one, at, through));
                }
                As::Deadline => {
                    let (one, through) = match value {
                        Value::Number(number) if number.value.is_some_and(|v| v < 1e11) => {
                            (Found::Limit(Some(Millis::ZERO), Origin::Constant, None), None)
                        }
                        other => found_of(amount_of(other, Unit::Ms), Zero::Now),
                    };
                    found.push((one, at, through));
                }
                As::Signal => {
                    let (one, through) = self.signal(call, value);
                    found.push((one, at, through));
                }
                // What it holds is read where its key is.
                As::Object => {}
            }
        }
        found
    }

    fn any_key(&self, options: &Value, keys: &[String], placed: &Placed) -> bool {
        keys.iter().any(|key| {
            let path: Vec<Box<str>> = key.split('.').map(Into::into).collect();
            self.eval
                .lookup(options, &path, &placed.layer.env)
                .iter()
                .any(|lookup| matches!(lookup, Lookup::Found { value, .. } if !matches!(value, Value::Undefined | Value::Null)))
        })
    }

    fn is_set(&self, options: &Value, key: &str, placed: &Placed) -> bool {
        let path: Vec<Box<str>> = key.split('.').map(Into::into).collect();
        self.eval.lookup(options, &path, &placed.layer.env).iter().any(|lookup| match lookup {
            Lookup::Found { value, .. } => crate::link::truth(value) != Some(false),
            _ => false,
        })
    }
}
