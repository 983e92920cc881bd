//! What is said of a site beside a hop.
//!
//! In: sites. Out: short texts: how long it waits and why, how often it tries.

use crate::finding::graph::Hop;
use crate::finding::{Limit, Origin, Site, Verdict};
use crate::limit::LimitKind;
use crate::report::clean;

/// `axios, 3s by client, idle-only`, `fetch, nothing ends it`.
pub(super) fn what(site: &Site) -> String {
    let mut text = format!("{}, {}", clean(&site.client), wait(site));
    match site.retries {
        0 => {}
        1 => text.push_str(", 1 retry"),
        u32::MAX => text.push_str(", retries for ever"),
        more => text.push_str(&format!(", {more} retries")),
    }
    if let Some(backoff) = site.backoff.filter(|_| site.retries > 0) {
        text.push_str(&format!(" after {backoff}"));
    }
    text
}

fn wait(site: &Site) -> String {
    let by = site.by.map(|by| format!(" by {}", by.word())).unwrap_or_default();
    match (site.verdict, &site.limit) {
        (Verdict::Covered, Some(limit)) => format!("{}{by}{}", length(limit), kind(limit.kind)),
        (Verdict::Covered, None) => format!("covered{by}"),
        (Verdict::Partial, Some(limit)) => format!("partial: only {} {}{by}", limit.kind, length(limit)),
        (Verdict::Partial, None) => "partial".to_owned(),
        (Verdict::Unknown, _) => "its limit could not be followed".to_owned(),
        (Verdict::Uncovered, _) => match site.default_limit {
            Some(wait) => format!("nothing ends it before {wait}"),
            None => "nothing ends it".to_owned(),
        },
    }
}

fn length(limit: &Limit) -> String {
    match (limit.wait, limit.origin) {
        (None, _) => "dynamic (known at run time alone)".to_owned(),
        (Some(wait), Origin::Env) => format!("{wait} unless the environment says otherwise"),
        (Some(wait), _) => wait.to_string(),
    }
}

/// What a limit leaves open.
fn kind(kind: LimitKind) -> String {
    match kind {
        LimitKind::Total => String::new(),
        LimitKind::Idle => ", idle-only".to_owned(),
        other => format!(", {other}"),
    }
}

/// `orders/src/stock.rs:16`.
pub(super) fn place(site: &Site) -> String {
    format!("{}:{}", clean(&site.at.file), site.name_line)
}

/// The sites of a hop that are alike, in the order of the first of each: the first one, and how many more there are.
pub(super) fn alike<'a>(hop: &'a Hop, sites: &'a [Site]) -> Vec<(&'a Site, &'a str, usize)> {
    let mut groups: Vec<(String, &Site, &str, usize)> = Vec::new();
    for call in &hop.calls {
        let site = &sites[call.site];
        let is_open = hop.callee == crate::finding::graph::UNKNOWN;
        let key = format!("{}{}", what(site), if is_open { call.how.as_str() } else { "" });
        match groups.iter_mut().find(|(known, ..)| *known == key) {
            Some((.., more)) => *more += 1,
            None => groups.push((key, site, &call.how, 0)),
        }
    }
    groups.into_iter().map(|(_, site, how, more)| (site, how, more)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{By, Identity, Region, SiteKind, Target};
    use crate::limit::Millis;

    fn site(verdict: Verdict, limit: Option<(Option<u64>, LimitKind, Origin)>, retries: u32) -> Site {
        let limit = limit.map(|(wait, kind, origin)| Limit {
            wait: wait.map(Millis::from_millis),
            kind,
            origin,
            overridable: false,
            at: None,
            setting: None,
        });
        Site {
            id: String::new(),
            at: Region::default(),
            name_line: 1,
            language: "javascript",
            kind: SiteKind::Http,
            client: "got".to_owned(),
            call: "get".to_owned(),
            function: None,
            target: Target::default(),
            verdict,
            by: limit.as_ref().map(|_| By::Own),
            limit,
            default_limit: (verdict == Verdict::Uncovered).then(|| Millis::from_millis(300_000)),
            retries,
            backoff: (retries == 2).then(|| Millis::from_millis(50)),
            wrapper: None,
            evidence: Vec::new(),
            identity: Identity::default(),
            suppressed: None,
            caller_service: None,
        }
    }

    #[test]
    fn what_a_site_waits_for_is_said() {
        use LimitKind::{Connect, Idle, Total};
        use Origin::{Constant, Dynamic, Env};
        for (site, said) in [
            (site(Verdict::Covered, Some((Some(3_000), Total, Constant)), 0), "got, 3s by own"),
            (site(Verdict::Covered, Some((Some(3_000), Idle, Constant)), 1), "got, 3s by own, idle-only, 1 retry"),
            (
                site(Verdict::Covered, Some((None, Total, Dynamic)), 2),
                "got, dynamic (known at run time alone) by own, 2 retries after 50ms",
            ),
            (site(Verdict::Covered, Some((Some(500), Total, Env)), 0), "got, 500ms unless the environment says otherwise by own"),
            (site(Verdict::Partial, Some((Some(1_000), Connect, Constant)), 0), "got, partial: only connect 1s by own"),
            (site(Verdict::Uncovered, None, u32::MAX), "got, nothing ends it before 5m, retries for ever"),
            (site(Verdict::Unknown, None, 0), "got, its limit could not be followed"),
        ] {
            assert_eq!(what(&site), said);
        }
    }
}
