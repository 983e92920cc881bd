//! What the user declares about the code: limits that it does not show, and functions that are, or are not, wrappers.
//!
//! In: the [`Policy`] and what the judge has found. Out: the same with the declarations taken into account. Nothing is guessed from them:
//! a declaration holds where it says so and nowhere else.

use super::findings::Case;
use super::{Judge, Policy};
use crate::finding::{By, Evidence, Limit, Origin, Site, Verdict};
use crate::limit::Millis;
use crate::link::{FunctionKey, Loc};
use crate::settings::DeclaredLimit;

impl Policy {
    /// Lets the declared limit that ends a call first decide, where it ends the call before anything that the code shows does.
    pub(super) fn declare(&self, case: &mut Case, path: &std::path::Path) {
        let concerns = |limit: &&DeclaredLimit| {
            (limit.paths.is_empty() || limit.paths.fit(path))
                && self.accepted.contains(&limit.kind)
                && speaks_of(limit, &case.site)
        };
        let Some(declared) = self.limits.iter().filter(concerns).min_by_key(|limit| limit.wait) else { return };
        let site = &mut case.site;
        let own = site.limit.as_ref().filter(|_| site.verdict == Verdict::Covered);
        if own.is_some_and(|limit| limit.wait.unwrap_or(Millis::MAX) <= declared.wait) {
            return;
        }
        site.verdict = Verdict::Covered;
        site.by = Some(By::Declared);
        site.limit = Some(Limit {
            wait: Some(declared.wait),
            kind: declared.kind,
            origin: Origin::Constant,
            overridable: false,
            at: Some(declared.at.clone()),
            setting: None,
        });
        site.default_limit = None;
        let (wait, kind, reason) = (declared.wait, declared.kind, &declared.reason);
        let text = format!("declared: {reason} ({wait}, {kind}, by declared)");
        site.evidence.push(Evidence { at: declared.at.clone(), text });
        case.remedy = None;
        case.unknown = None;
    }
}

fn speaks_of(limit: &DeclaredLimit, site: &Site) -> bool {
    let host = site.target.host.as_deref();
    (limit.kinds.is_empty() || limit.kinds.contains(&site.kind))
        && (limit.clients.is_empty() || limit.clients.contains(&site.client))
        && (limit.hosts.is_empty() || limit.hosts.iter().any(|known| Some(known.as_str()) == host))
}

impl Judge<'_> {
    /// Whether the user says of a function that it is, or is not, a wrapper.
    pub(super) fn declared_wrapper(&self, key: FunctionKey) -> Option<bool> {
        if self.policy.wrappers.is_empty() {
            return None;
        }
        let (full, path) = (self.function_name(key), self.program().files.path(key.0));
        let name = full.rsplit('.').next().unwrap_or(&full);
        let fits = self.policy.wrappers.iter().rev().find(|declared| {
            (declared.function == full || declared.function == name) && (declared.paths.is_empty() || declared.paths.fit(path))
        });
        fits.map(|declared| declared.is_wrapper)
    }

    /// The function around a call that the user says is a wrapper.
    pub(super) fn forced_wrapper(&self, at: Loc) -> Option<FunctionKey> {
        if !self.policy.wrappers.iter().any(|declared| declared.is_wrapper) {
            return None;
        }
        let unit = self.eval.unit(at.file)?;
        let mut function = unit.facts.function_of(at.expr);
        while let Some(id) = function {
            if self.declared_wrapper((at.file, id)) == Some(true) {
                return Some((at.file, id));
            }
            function = unit.literal(id).and_then(|literal| unit.facts.function_of(literal));
        }
        None
    }

    /// The calls of a declared wrapper, outside of itself.
    pub(super) fn callers_of(&self, key: FunctionKey) -> Vec<Loc> {
        let Some(unit) = self.eval.unit(key.0) else { return Vec::new() };
        let body = unit.facts.function(key.1).span;
        let mut callers: Vec<Loc> = self.eval.callers(key).iter().map(|caller| caller.at).collect();
        callers.extend(self.eval.passed_as_value(key));
        callers.retain(|at| at.file != key.0 || !body.holds(unit.facts.span(at.expr)));
        callers
    }
}
