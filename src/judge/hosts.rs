//! Objects of the scanned code that a library runs: a service inside layers of middleware.
//!
//! In: a method, with the class it is added to. Out: how long what the library builds around the object lets the method run. Which
//! libraries run what says `runs` of their `[[make]]` tables.

use super::Judge;
use super::scopes::Enclosure;
use crate::catalog::Role;
use crate::facts::{ClassId, Expr, ExprId, FunctionId};
use crate::finding::{By, Origin};
use crate::limit::LimitKind;
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Amount, Env, Loc, Op, Owner, Unit, Value, amount_of};
use crate::span::{FileId, Span};

/// How many methods of a builder are looked at in a row.
const LONGEST_CHAIN: u32 = 24;

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
                    places.push(self.longest_layer(&made, span).or_else(|| self.unfollowed(at)));
                }
            }
        }
        places
    }

    /// What a call builds that is given an instance of a class to run.
    fn running(&self, at: Loc, method: &str, class: (FileId, ClassId)) -> Option<LibValue> {
        let (lib, matched) = self.eval.op_at(at, &None)?;
        let Op::Make(rule) = matched.op else { return None };
        if self.catalog().library(lib.library).makes[rule].table.runs.as_deref() != Some(method) {
            return None;
        }
        let given = matched.roles.all(&Role::Config).any(|config| is_of(&self.eval.bound(config), class));
        match self.eval.value(at, &None).options().first() {
            Some(Value::Lib(made)) if given => Some((**made).clone()),
            _ => None,
        }
    }

    /// What limits a method where a call runs it inside of what a library has built around its object: `service.call(request)`.
    pub(super) fn run_through(&self, call: Loc, env: &Env, span: (FileId, Span)) -> Option<Enclosure> {
        let unit = self.eval.unit(call.file)?;
        let name = unit.method_name(call.expr)?;
        let common = self.catalog().common(self.program().files.family(call.file))?;
        let Expr::Call { callee, .. } = unit.facts.expr(call.expr) else { return None };
        let Expr::Member { of, .. } = unit.facts.expr(*callee).clone() else { return None };
        common.runs.get(name)?;
        let service = self.eval.value(Loc { file: call.file, expr: of }, env);
        let limits = service.options().iter().filter_map(|option| match option {
            Value::Lib(lib) => self.longest_layer(lib, span).or_else(|| self.unfollowed(lib.layers.last()?.at)),
            _ => None,
        });
        limits.min_by_key(super::scopes::longest)
    }

    /// The last method of the builder around a service that is neither of its library nor of the scanned code, if there is one: it may add a limit.
    fn unfollowed(&self, at: Loc) -> Option<Enclosure> {
        let unit = self.eval.unit(at.file)?;
        let here = |expr| Loc { file: at.file, expr };
        let (mut call, mut name) = (at.expr, "");
        for _ in 0..LONGEST_CHAIN {
            let Expr::Call { callee, .. } = unit.facts.expr(call) else { return None };
            let Expr::Member { of, name: method } = unit.facts.expr(*callee) else { return None };
            if call != at.expr {
                name = method;
                let builder = self.eval.value(here(*of), &None);
                let Some(Value::Lib(lib)) = builder.options().first() else { return None };
                let is_object = lib.path.is_empty() && lib.object != crate::catalog::MODULE;
                if is_object && self.eval.op_at(here(call), &None).is_none() && !self.eval.adds(lib, name, at.file) {
                    break;
                }
            }
            (call, name) = (written_call(unit, *of)?, "");
        }
        let what = format!("`{name}` of the builder around its service, which is not followed");
        (!name.is_empty()).then(|| Enclosure::Open { at: here(call), what })
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

fn is_of(value: &Value, class: (FileId, ClassId)) -> bool {
    value.options().iter().any(|value| match value {
        Value::Instance(one) => (one.file, one.class) == class,
        // A struct without fields is written as its name.
        Value::Class(file, of) => (*file, *of) == class,
        _ => false,
    })
}

/// The call that an expression is, also by the name that holds it.
fn written_call(unit: &Unit, expr: ExprId) -> Option<ExprId> {
    match unit.facts.expr(expr) {
        Expr::Call { .. } => Some(expr),
        Expr::Through(of) | Expr::Await(of) => written_call(unit, *of),
        Expr::Name(..) => unit.only_value(expr).filter(|value| *value != expr).and_then(|value| match unit.facts.expr(value) {
            Expr::Call { .. } => Some(value),
            _ => None,
        }),
        _ => None,
    }
}
