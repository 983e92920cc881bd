//! What became of a call: what it was before, and which change did it.
//!
//! In: new findings, the sites of now and of then. Out: the findings' messages with what ended the call until now.

use std::collections::HashMap;

use crate::finding::{Finding, Identity, Site, Standing, Verdict};

/// Says at each new finding about a verdict what it was at a revision.
pub(super) fn say(findings: &mut [Finding], now: &[Site], then: &[Site], revision: &str) {
    let before: HashMap<&Identity, &Site> = then.iter().map(|site| (&site.identity, site)).collect();
    let sites: HashMap<&str, &Site> = now.iter().map(|site| (site.id.as_str(), site)).collect();
    for finding in findings.iter_mut().filter(|finding| finding.standing == Some(Standing::New) && finding.rule.is_verdict()) {
        let Some(site) = sites.get(finding.site.as_str()) else { continue };
        let was = match before.get(&site.identity) {
            Some(before) => was(before),
            None => format!("it was not there at {revision}"),
        };
        finding.message = format!("{}; {was}", finding.message);
    }
}

fn was(before: &Site) -> String {
    if before.suppressed.is_some() {
        return "a comment suppressed this until now".to_owned();
    }
    if before.verdict != Verdict::Covered {
        return format!("it was {} until now", before.verdict.word());
    }
    let by = before.by.map_or_else(String::new, |by| format!(" by {}", by.word()));
    let limit = before.limit.as_ref();
    let wait = limit.and_then(|limit| limit.wait).map_or_else(String::new, |wait| format!(" ({wait})"));
    let at = limit.and_then(|limit| limit.at.as_ref()).map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
    format!("it was covered{by}{at}{wait} until now")
}
