//! Calls that configure every object of a kind that nobody makes: `HttpModule.register({ timeout })`, `new Sequelize(…)` for its models.
//!
//! In: a call on such an object. Out: what the program's configuring calls say of it. Where several could be meant, the weakest counts;
//! where an object belongs to one container alone, and that one is not found, nothing is known of it.

use super::Judge;
use super::call::Call;
use super::globals::Made;
use super::limits::{Configured, Found};
use super::placed::Placed;
use crate::catalog::{LibraryId, ObjectId};
use crate::finding::By;
use crate::limit::LimitKind;
use crate::link::Loc;

impl Judge<'_> {
    /// Reads what configures objects that nobody makes.
    pub(super) fn read_ambient(&self, call: &Call, objects: &[ObjectId], of: LibraryId, out: &mut Configured) {
        let library = self.catalog().library(of);
        let holds = |made: &&Made| {
            made.ambient
                && made.gives.0 == of
                && !self.is_ambiguous(made)
                && objects.iter().any(|object| library.can(*object, made.gives.1))
        };
        let mut ones: Vec<(Loc, Configured)> = Vec::new();
        for made in self.globals.makes.iter().filter(holds) {
            if library.containers.iter().any(|container| container.gives == made.gives.1) {
                self.read_confined(call, made, out);
                continue;
            }
            let place = made.handed.unwrap_or(made.call);
            if !ones.iter().any(|(at, _)| *at == place) {
                ones.push((place, Configured::default()));
            }
            let Some((_, one)) = ones.iter_mut().find(|(at, _)| *at == place) else { continue };
            for placed in self.placed(std::slice::from_ref(&made.layer)) {
                self.read_placed(call, &Placed { by: By::Client, ..placed }, one);
            }
        }
        if !ones.is_empty() {
            let at = ones[0].0;
            out.ambient = true;
            self.add_weakest(LimitKind::Total, at, ones.into_iter().map(|(_, one)| one).collect(), out);
        }
    }

    /// A call that configures the object of one container: whether it is that of a call whose container is not found is not known. Where it
    /// sets no limit, that makes no difference.
    fn read_confined(&self, call: &Call, made: &Made, out: &mut Configured) {
        let mut here = Configured::default();
        for placed in self.placed(std::slice::from_ref(&made.layer)) {
            self.read_placed(call, &placed, &mut here);
        }
        let limits = here.keys.iter().filter(|state| matches!(state.found, Found::Limit(..)) && state.kind.covers());
        let open = limits.filter(|state| !out.keys.iter().any(|known| known.key == state.key)).count();
        if open == 0 {
            out.ambient |= here.unknown.is_empty();
        } else if let Some(reason) = &call.lib.unmade {
            out.unknown.push(reason.clone());
        }
    }
}
