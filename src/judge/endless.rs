//! Libraries that try again without end: then the limit of a single try ends nothing.
//!
//! In: what a call's client was made with. Out: where it says so, and the limits that are left. What ends all tries together
//! (`ends_tries`, a signal, an enclosing construct) still counts.

use super::call::Call;
use super::limits::Configured;
use super::placed::Placed;
use super::{Judge, Remark, RemarkKind};
use crate::catalog::Role;
use crate::finding::By;
use crate::link::value::LibValue;
use crate::link::{Loc, Lookup};

/// Where tries without end are asked for, and by which key.
#[derive(Debug, Clone)]
pub(super) struct Endless {
    at: Loc,
    key: Box<str>,
}

impl Judge<'_> {
    /// Takes away the limits that end a single try, where the library tries again without end.
    pub(super) fn leave_open(&self, call: &Call, layers: &[Placed], out: &mut Configured) {
        let Some(endless) = out.endless.take().or_else(|| self.endless_of(&call.lib, layers)) else { return };
        let ends = |by: By| matches!(by, By::Own | By::Client | By::Global | By::Default);
        out.candidates.retain(|candidate| candidate.ends_tries || !ends(candidate.by));
        out.unknown.retain(|_| out.candidates.iter().any(|candidate| candidate.kind.covers()));
        let text = format!("with `{}` so, what ends a single try ends nothing: it is tried again without end", endless.key);
        out.remarks.push(Remark { kind: RemarkKind::Evidence, at: endless.at, text });
    }

    /// Where a client asks for tries without end.
    pub(super) fn endless_of(&self, lib: &LibValue, layers: &[Placed]) -> Option<Endless> {
        let library = self.catalog().library(lib.library);
        let object = library.object(lib.object);
        let rules = library.retries.iter().filter(|rule| !rule.table.endless.is_empty());
        let mut concerned = rules.filter(|rule| rule.concerns(object, self.eval.version(lib).as_ref()));
        concerned.find_map(|rule| {
            let here = layers.iter().filter(|placed| placed.layer.library == lib.library && rule.table.at.contains(&placed.at));
            let options = here.flat_map(|placed| placed.layer.roles.all(&Role::Options).map(move |given| (placed, given)));
            options.flat_map(|(placed, given)| rule.keys.iter().map(move |key| (placed, given, key))).find_map(
                |(placed, given, key)| {
                    let found = self.eval.lookup(&self.eval.bound(given), key, &placed.layer.env).into_iter();
                    found
                        .filter_map(|lookup| match lookup {
                            Lookup::Found { value, at, .. } => Some((value, at)),
                            _ => None,
                        })
                        .find(|(value, _)| {
                            value
                                .options()
                                .iter()
                                .any(|one| rule.table.endless.iter().any(|said| super::limits::same_as_written(one, said)))
                        })
                        .map(|(_, at)| Endless { at, key: key.join(".").into() })
                },
            )
        })
    }
}
