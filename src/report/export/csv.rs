//! Rows for spreadsheets: one for each hop, or one for each site.
//!
//! In: a [`View`]. Out: CSV as RFC 4180 says it, with a header row and plain line ends. A cell that a spreadsheet would take for a formula
//! begins with an apostrophe.

use super::View;
use super::words::{place, what};
use crate::finding::Origin;
use crate::limit::Millis;

/// One row for each hop.
pub(super) fn hops(view: View<'_>) -> String {
    let mut rows =
        vec![row(["caller", "callee", "per_try_ms", "retries", "backoff_ms", "sites", "at", "what", "how", "others"]
            .map(str::to_owned))];
    for hop in &view.graph.hops {
        let site = |call: &crate::finding::graph::Crossing| &view.sites[call.site];
        let first = hop.calls.first().map(site);
        let others: Vec<String> =
            hop.calls.iter().skip(1).map(site).map(|site| format!("{} {}", place(site), what(site))).collect();
        rows.push(row([
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
        ]));
    }
    rows.concat()
}

/// One row for each site.
pub fn sites(view: View<'_>) -> String {
    let ends = ends(view);
    let mut rows = vec![row([
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
    ]
    .map(str::to_owned))];
    for (site, (callers, callees)) in view.sites.iter().zip(ends) {
        let limit = site.limit.as_ref();
        rows.push(row([
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
        ]));
    }
    rows.concat()
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

fn row<const N: usize>(cells: [String; N]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    cells.join(",") + "\n"
}

fn cell(text: &str) -> String {
    let safe = if text.starts_with(['=', '+', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if safe.contains([',', '"', '\n', '\r']) { format!("\"{}\"", safe.replace('"', "\"\"")) } else { safe }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_and_tame() {
        for (text, written) in
            [("a", "a"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("=1+1", "'=1+1"), ("@scope/x", "'@scope/x")]
        {
            assert_eq!(cell(text), written);
        }
    }
}
