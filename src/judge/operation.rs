//! What a call asks of the far side, so that two calls can be told to ask for the same.
//!
//! In: an outbound call. Out: its [`Operation`]. It says nothing of destinations and limits.

use super::Judge;
use super::call::Call;
use crate::catalog::schema::Level;
use crate::link::value::Rule;

/// The words of calls that take any request: which one is an argument of theirs.
const ANY: [&str; 5] = ["request", "send", "fetch", "execute", "call"];

/// What a call asks for, by the word for it: `get`, `put_object`; none where the client itself is called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Operation(Option<String>);

impl Operation {
    /// Whether a function around this call can do what the other one does.
    pub(super) fn can_do(&self, other: &Self) -> bool {
        self == other || self.0.as_deref().is_none_or(|word| ANY.contains(&word))
    }
}

impl Judge<'_> {
    /// What a call asks for: what makes its request says so, where that is a call of its own (`client.get(url).send()`).
    pub(super) fn operation(&self, call: &Call) -> Operation {
        let makes_request = |layer: &&crate::link::Layer| {
            let Rule::Make(rule) = layer.rule else { return false };
            let gives = self.catalog().object_of(layer.library, &self.catalog().library(layer.library).makes[rule].gives);
            gives.is_some_and(|(library, object)| self.catalog().library(library).object(object).level == Level::Request)
        };
        let at = call.lib.layers.iter().find(makes_request).map_or(call.at, |layer| layer.at);
        let word = self.eval.unit(at.file).and_then(|unit| unit.call_name(at.expr));
        Operation(word.filter(|_| at != call.at || !call.lib.path.is_empty()).map(str::to_owned))
    }
}
