//! The configurations that an outbound call may be given: the pool of a query, the connection of a command.
//!
//! In: the arguments of a call. Out: the same, once for each configuration among them, so that the weakest counts. What one call alone is
//! made of, a request, stays as it is written.

use super::Judge;
use crate::catalog::Role;
use crate::catalog::schema::Level;
use crate::link::value::LibValue;
use crate::link::{Bound, Roles, Value};

/// How many configurations of one call are told apart.
const MOST: usize = 8;

impl Judge<'_> {
    /// The arguments of a call, once for each configuration that it may be given.
    pub(super) fn each_configuration(&self, roles: Roles) -> Vec<Roles> {
        let place = roles.0.iter().position(|(role, bound)| *role == Role::Config && !matches!(bound, Bound::Value(_)));
        let Some((place, bound)) = place.and_then(|place| Some((place, &roles.0.get(place)?.1))) else { return vec![roles] };
        let value = self.eval.bound(bound);
        let mut told: Vec<&Value> = Vec::new();
        for option in value.options() {
            match option {
                Value::Lib(lib) if self.is_shared(lib) => {
                    if !told.iter().any(|known| matches!(known, Value::Lib(known) if same_making(known, lib))) {
                        told.push(option);
                    }
                }
                _ => return vec![roles],
            }
        }
        if told.len() < 2 {
            return vec![roles];
        }
        let with = |option: &&Value| {
            let fixed = roles.0.iter().enumerate().map(|(at, (role, bound))| match at == place {
                true => (role.clone(), Bound::Value((*option).clone())),
                false => (role.clone(), bound.clone()),
            });
            Roles(fixed.collect())
        };
        told.iter().take(MOST).map(with).collect()
    }

    fn is_shared(&self, lib: &LibValue) -> bool {
        self.catalog().library(lib.library).object(lib.object).level == Level::Client
    }
}

/// Whether two objects are made by the same calls, as far as their places tell.
fn same_making(a: &LibValue, b: &LibValue) -> bool {
    let free = |lib: &LibValue| lib.layers.iter().all(|layer| layer.env.is_none());
    (a.library, a.object) == (b.library, b.object)
        && a.layers.iter().map(|layer| layer.at).eq(b.layers.iter().map(|layer| layer.at))
        && free(a)
        && free(b)
}
