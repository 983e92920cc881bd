//! Objects of the scanned code that a library runs: a service inside layers of middleware.
//!
//! In: a method, with the class it is added to. Out: how long what the library builds around the object lets the method run. Which
//! libraries run what says `runs` of their `[[make]]` tables.

use super::Judge;
use super::scopes::Enclosure;
use crate::catalog::Role;
use crate::facts::FunctionId;
use crate::finding::{By, Origin};
use crate::limit::LimitKind;
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Amount, Loc, Op, Owner, Value, amount_of};
use crate::span::{FileId, Span};

impl Judge<'_> {
    /// What limits a method wherever a library runs its object: one entry for each place, `None` where nothing limits it there.
    pub(super) fn hosted(&self, file: FileId, function: FunctionId) -> Vec<Option<Enclosure>> {
        let Some(unit) = self.eval.unit(file) else { return Vec::new() };
        let Some(Owner::Extension(at)) = unit.owner(function) else { return Vec::new() };
        let extension = &unit.facts.extensions[at];
        let name = unit.facts.function(function).name.as_deref().unwrap_or_default();
        let common = self.catalog().common(self.program().files.family(file));
        let Some(calls) = common.and_then(|common| common.runs.get(name)).filter(|_| extension.via.is_some()) else {
            return Vec::new();
        };
        let Some(class) = self.eval.class_named(file, &extension.of) else { return Vec::new() };
        let Some(word) = extension.of.path.last() else { return Vec::new() };
        let span = (file, unit.facts.function(function).span);
        let mut places = Vec::new();
        for other in self.program().files.candidates(class.0, &[word], true) {
            let Some(unit) = self.eval.unit(other) else { continue };
            for call in calls.iter().flat_map(|call| unit.calls_named(call)) {
                let at = Loc { file: other, expr: *call };
                if let Some(made) = self.running(at, name, class) {
                    places.push(self.longest_layer(&made, span));
                }
            }
        }
        places
    }

    /// What a call builds that is given an instance of a class to run.
    fn running(&self, at: Loc, method: &str, class: (FileId, crate::facts::ClassId)) -> Option<LibValue> {
        let (lib, matched) = self.eval.op_at(at, &None)?;
        let Op::Make(rule) = matched.op else { return None };
        if self.catalog().library(lib.library).makes[rule].table.runs.as_deref() != Some(method) {
            return None;
        }
        let is_it = |value: &Value| matches!(value, Value::Instance(one) if (one.file, one.class) == class);
        let given = matched.roles.all(&Role::Config).any(|config| self.eval.bound(config).options().iter().any(is_it));
        match self.eval.value(at, &None).options().first() {
            Some(Value::Lib(made)) if given => Some((**made).clone()),
            _ => None,
        }
    }

    /// The limit of the layers around a service that ends it first.
    fn longest_layer(&self, made: &LibValue, span: (FileId, Span)) -> Option<Enclosure> {
        let limits = made.layers.iter().filter_map(|layer| self.layer_limit(layer, span));
        limits.min_by_key(super::scopes::longest)
    }

    fn layer_limit(&self, layer: &Layer, span: (FileId, Span)) -> Option<Enclosure> {
        let library = self.catalog().library(layer.library);
        let unit = match layer.rule {
            Rule::Step(rule) => library.steps[rule].table.kind.map(|_| library.steps[rule].table.unit),
            Rule::Make(rule) => library.makes[rule].table.limit.map(|_| library.makes[rule].table.unit),
            Rule::Send(_) => None,
        }?;
        let value = self.eval.bound(layer.roles.get(&Role::Limit)?);
        let (wait, origin) = match amount_of(value.options().first()?, unit) {
            Amount::Finite { wait, origin, .. } => (Some(wait), origin),
            Amount::Dynamic | Amount::Unknown(_) => (None, Origin::Dynamic),
            _ => return None,
        };
        Some(Enclosure::Limit { wait, origin, kind: LimitKind::Total, by: By::Scope, at: layer.at, span })
    }
}
