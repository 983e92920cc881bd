//! The audit as JSON lines: one object for each site, then for each finding, wrapper, unreadable file and package that is not known, then the summary; `type` says
//! which.
//!
//! In: an [`Outcome`]. Out: text. The objects are those of [`super::json`].

use serde_json::Value;

use super::json;
use crate::finding::Outcome;

/// The whole audit.
pub fn audit(outcome: &Outcome) -> String {
    let sites = outcome.sites.iter().map(|one| typed("site", json::site(one)));
    let findings = outcome.findings.iter().map(|one| typed("finding", json::finding(one)));
    let wrappers = outcome.wrappers.iter().map(|one| typed("wrapper", json::wrapper(one)));
    let unreadable = outcome.unreadable.iter().map(|one| typed("unreadable", json::unreadable(one)));
    let strangers = outcome.strangers.iter().map(|one| typed("not_known", json::stranger(one)));
    let rest = unreadable.chain(strangers).chain([typed("summary", json::summary(outcome))]);
    let mut text = String::new();
    for line in sites.chain(findings).chain(wrappers).chain(rest) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn typed(kind: &str, value: Value) -> String {
    let Value::Object(members) = value else { return String::new() };
    let mut typed = serde_json::Map::new();
    typed.insert("type".to_owned(), kind.into());
    typed.extend(members);
    Value::Object(typed).to_string()
}
