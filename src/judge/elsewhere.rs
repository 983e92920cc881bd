//! Files that run somewhere else than a library's default speaks of: in a browser, not under Node.
//!
//! In: a file and what tells such files. Out: whether it is one. It is asked only where a default would count.

use super::Judge;
use crate::facts::{Expr, Source};
use crate::link::Unit;
use crate::span::FileId;

impl Judge<'_> {
    /// Whether a file uses one of these names, which it takes from the outside, or says one of these texts as a statement of its own.
    pub(super) fn runs_elsewhere(&self, file: FileId, signs: &[String]) -> bool {
        let Some(unit) = self.eval.unit(file).filter(|_| !signs.is_empty()) else { return false };
        let mut found = false;
        for (at, expr) in unit.facts.exprs.iter().enumerate() {
            let parent = unit.facts.parents[at];
            let is_sign = |word: &str| signs.iter().any(|sign| sign == word);
            match expr {
                Expr::Name(name, scope) if is_sign(name) && comes_from_outside(unit, name, *scope) => {
                    // Who asks whether there is such a name runs in both places (`typeof window`).
                    if parent.is_some_and(|parent| matches!(unit.facts.expr(parent), Expr::Opaque { .. })) {
                        return false;
                    }
                    found = true;
                }
                Expr::Text(text) if parent.is_none() && is_sign(text) => found = true,
                _ => {}
            }
        }
        found
    }
}

/// Whether a name is the runtime's, or imported.
fn comes_from_outside(unit: &Unit, name: &str, scope: crate::facts::ScopeId) -> bool {
    unit.binding(name, scope).is_none_or(|binding| {
        unit.facts.bindings[binding.index()].sources.iter().all(|source| matches!(source, Source::Import(_)))
    })
}
