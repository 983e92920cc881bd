//! Fingerprints.
//!
//! In: findings, sorted by place, with the reasons of what suppresses them. Out: each with its ordinal and fingerprint. The ordinal counts
//! the findings of one rule about like calls in one definition, so that a fingerprint outlives moved lines; those that a comment suppresses
//! are counted behind the others, so that a comment changes no fingerprint of a finding beside it that stands.

use std::collections::BTreeMap;

use crate::finding::{Finding, Identity, Rule};

/// Gives every finding its ordinal and fingerprint.
pub fn number(findings: &mut [Finding]) {
    let mut seen: BTreeMap<(Rule, Identity), u32> = BTreeMap::new();
    for suppressed in [false, true] {
        for finding in findings.iter_mut().filter(|finding| finding.suppressed.is_some() == suppressed) {
            finding.identity.ordinal = 0;
            let ordinal = seen.entry((finding.rule, finding.identity.clone())).or_insert(0);
            *ordinal += 1;
            finding.identity.ordinal = *ordinal;
            finding.fingerprint = finding.identity.digest(Some(finding.rule));
        }
    }
}
