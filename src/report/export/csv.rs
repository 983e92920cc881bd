//! Rows for spreadsheets: one for each hop, or one for each site.
//!
//! In: a [`View`]. Out: CSV with a header row. What a spreadsheet would take for a formula is tamed where all tables are written.

use super::super::csv::table;
use super::View;
use super::words::{place, what};
use crate::finding::graph::{Crossing, Hop};
use crate::finding::{Origin, Site};
use crate::limit::Millis;

/// One row for each hop.
pub(super) fn hops(view: View<'_>) -> String {
    let row = |hop: &Hop| {
        let site = |call: &Crossing| &view.sites[call.site];
        let first = hop.calls.first().map(site);
        let others: Vec<String> =
            hop.calls.iter().skip(1).map(site).map(|site| format!("{} {}", place(site), what(site))).collect();
        [
            hop.caller.clone(),
            hop.callee.clone(),
            ms(hop.per_try),
            retries(hop.retries),
            ms(hop.backoff),
            hop.calls.len().to_string(),
            first.map(place).unwrap_or_default(),
            first.map(what).unwrap_or_default(),
            hop.calls.first().map(|call| call.how.clone()).unwrap_or_default(),
            others.join("; "),
        ]
    };
    let head = ["caller", "callee", "per_try_ms", "retries", "backoff_ms", "sites", "at", "what", "how", "others"];
    table(head, view.graph.hops.iter().map(row))
}

/// One row for each site.
pub fn sites(view: View<'_>) -> String {
    let head = [
        "file",
        "line",
        "column",
        "service",
        "function",
        "kind",
        "client",
        "call",
        "wrapper",
        "target",
        "callee",
        "verdict",
        "by",
        "limit_ms",
        "limit_kind",
        "limit_value",
        "limit_at",
        "default_limit_ms",
        "retries",
        "backoff_ms",
        "suppressed",
        "id",
    ];
    let row = |(site, (callers, callees)): (&Site, (String, String))| {
        let limit = site.limit.as_ref();
        [
            site.at.file.to_string(),
            site.at.line.to_string(),
            site.at.column.to_string(),
            callers,
            site.function.clone().unwrap_or_default(),
            site.kind.word().to_owned(),
            site.client.clone(),
            site.call.clone(),
            site.wrapper.clone().unwrap_or_default(),
            site.target.text.clone(),
            callees,
            site.verdict.word().to_owned(),
            site.by.map(|by| by.word().to_owned()).unwrap_or_default(),
            ms(limit.and_then(|limit| limit.wait)),
            limit.map(|limit| limit.kind.to_string()).unwrap_or_default(),
            limit.map(|limit| value(limit.origin).to_owned()).unwrap_or_default(),
            limit.and_then(|limit| limit.at.as_ref()).map(|at| format!("{}:{}", at.file, at.line)).unwrap_or_default(),
            ms(site.default_limit),
            retries(site.retries),
            ms(site.backoff),
            site.suppressed.clone().unwrap_or_default(),
            site.id.clone(),
        ]
    };
    table(head, view.sites.iter().zip(ends(view)).map(row))
}

/// The callers and callees of each site.
fn ends(view: View<'_>) -> Vec<(String, String)> {
    let mut ends: Vec<(Vec<&str>, Vec<&str>)> = vec![(Vec::new(), Vec::new()); view.sites.len()];
    for hop in &view.graph.hops {
        for call in &hop.calls {
            let (callers, callees) = &mut ends[call.site];
            for (names, name) in [(callers, &hop.caller), (callees, &hop.callee)] {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
    }
    ends.into_iter().map(|(callers, callees)| (callers.join("; "), callees.join("; "))).collect()
}

fn value(origin: Origin) -> &'static str {
    match origin {
        Origin::Constant => "constant",
        Origin::Env => "env",
        Origin::Dynamic => "dynamic",
    }
}

fn ms(time: Option<Millis>) -> String {
    time.map(|time| time.as_millis_f64().to_string()).unwrap_or_default()
}

fn retries(count: u32) -> String {
    if count == u32::MAX { "forever".to_owned() } else { count.to_string() }
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn cells_are_quoted_and_tame() {
        for (text, written) in
            [("a", "a"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("=1+1", "'=1+1"), ("@scope/x", "'@scope/x")]
        {
            assert_eq!(table(["head"], [[text.to_owned()]].into_iter()), format!("head\n{written}\n"));
        }
    }
}
