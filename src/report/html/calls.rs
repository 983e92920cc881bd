//! Every call with its evidence, and the findings that belong to no call.
//!
//! In: an [`Outcome`] and its [`Sources`]. Out: markup: one row for each call, the worst first, which opens to what led to its verdict.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::super::{Sources, clean};
use super::{place, prose, split};
use crate::finding::{Evidence, Finding, Limit, Origin, Outcome, Region, Site, Verdict};

/// More characters of a source line than this are cut.
const WIDEST_LINE: usize = 200;

/// The section; nothing where there is neither a call nor a finding.
pub(super) fn section(outcome: &Outcome, sources: &Sources) -> Markup {
    let mut about: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &outcome.findings {
        about.entry(&finding.site).or_default().push(finding);
    }
    let known: BTreeSet<&str> = outcome.sites.iter().map(|site| site.id.as_str()).collect();
    let others: Vec<&Finding> = outcome.findings.iter().filter(|finding| !known.contains(finding.site.as_str())).collect();
    let mut sites: Vec<(usize, &Site)> = outcome.sites.iter().enumerate().collect();
    sites.sort_by_key(|(at, site)| (site.verdict, *at));
    html! {
        @if !sites.is_empty() {
            section {
                h2 { "Calls" }
                (tools(&outcome.sites))
                div.columns aria-hidden="true" {
                    @for (key, word) in [("verdict", "verdict"), ("place", "where"), ("call", "call"), ("target", "goes to"), ("ms", "ends")] {
                        button type="button" data-sort=(key) tabindex="-1" { (word) }
                    }
                }
                ol.sites id="sites" {
                    @for (at, site) in sites {
                        (row(at, site, about.get(site.id.as_str()).map_or(&[], Vec::as_slice), sources))
                    }
                }
            }
        }
        @if !others.is_empty() {
            section {
                h2 { "Other findings" }
                @for finding in others { (shown(finding, true)) }
            }
        }
    }
}

/// What the script works with; hidden where there is none.
fn tools(sites: &[Site]) -> Markup {
    let kinds: BTreeSet<&str> = sites.iter().map(|site| site.kind.word()).collect();
    let clients: BTreeSet<&str> = sites.iter().map(|site| site.client.as_str()).collect();
    html! {
        form.tools id="tools" hidden {
            input type="search" id="find" placeholder="Filter by file, call, target, message …" aria-label="Filter";
            fieldset {
                legend.hidden { "Verdicts" }
                @for verdict in [Verdict::Uncovered, Verdict::Unknown, Verdict::Partial, Verdict::Covered] {
                    label class={ "chip " (verdict.word()) } { input type="checkbox" name="verdict" value=(verdict.word()) checked; (verdict.word()) }
                }
            }
            (choice("kind", "every kind", &kinds))
            (choice("client", "every client", &clients))
            label.sort {
                "sorted by "
                select id="sort" aria-label="Sorted by" {
                    @for (key, word) in [("verdict", "verdict"), ("place", "place"), ("call", "call"), ("target", "target"), ("ms", "limit")] {
                        option value=(key) { (word) }
                    }
                }
            }
            button type="button" id="open" { "Open all" }
            output id="count" aria-live="polite" {}
        }
    }
}

fn choice(name: &str, any: &str, words: &BTreeSet<&str>) -> Markup {
    html! {
        select id=(name) aria-label=(any) {
            option value="" { (any) }
            @for word in words { option value=(word) { (clean(word)) } }
        }
    }
}

fn row(at: usize, site: &Site, findings: &[&Finding], sources: &Sources) -> Markup {
    let verdict = site.verdict.word();
    let (folder, name) = split(&site.at.file);
    let ms = site.limit.as_ref().and_then(|limit| limit.wait).map(|wait| wait.as_micros());
    html! {
        li id={ "site-" (site.id) } class=(verdict) data-verdict=(verdict) data-rank=(site.verdict as u8) data-kind=(site.kind.word())
            data-client=(site.client) data-place=(at) data-call={ (site.client) " " (site.call) } data-target=(clean(&site.target.text)) data-ms=[ms] {
            details {
                summary {
                    span class={ "badge " (verdict) } { (verdict) }
                    code.place { span.folder { (folder) } span.name { (name) ":" (site.at.line) } }
                    span.what { code { (clean(&site.call)) } " " span.quiet { (clean(&site.client)) } }
                    span.target { (clean(&site.target.text)) }
                    span.ends { (ends(site)) }
                }
                div.body {
                    @for finding in findings { (shown(finding, false)) }
                    h3 { "Why" }
                    ol.evidence { @for one in &site.evidence { (evidence(one, sources)) } }
                    (details(site))
                }
            }
        }
    }
}

/// What ends the call, in few words.
fn ends(site: &Site) -> String {
    match (&site.limit, site.default_limit) {
        (Some(found), _) => limit(found),
        (None, Some(wait)) => format!("after {wait} by default"),
        (None, None) if site.verdict == Verdict::Unknown => "not known".to_owned(),
        (None, None) => "never".to_owned(),
    }
}

/// A limit in few words: `800ms idle`.
pub(super) fn limit(limit: &Limit) -> String {
    let wait = limit.wait.map_or_else(|| "set at run time".to_owned(), |wait| wait.to_string());
    let origin = if limit.origin == Origin::Env { " (environment)" } else { "" };
    format!("{wait} {}{origin}", limit.kind)
}

fn shown(finding: &Finding, with_place: bool) -> Markup {
    let level = finding.severity.word();
    html! {
        div class={ "finding " (level) } data-fingerprint=(finding.fingerprint) {
            p {
                @if with_place { (place(&finding.at)) " " }
                strong.rule { (finding.rule.id()) } " " (prose(&finding.message))
                @if let Some(standing) = finding.standing { " " span.mark { (standing.word()) } }
            }
            @if !finding.fix.is_empty() { p.fix { (prose(&finding.fix)) } }
            @if let Some(reason) = &finding.suppressed { p.quiet { "Suppressed: " (clean(reason)) } }
        }
    }
}

fn evidence(evidence: &Evidence, sources: &Sources) -> Markup {
    html! {
        li {
            (place(&evidence.at)) " " (prose(&evidence.text))
            @if let Some(line) = line(&evidence.at, sources) { pre { code { (line) } } }
        }
    }
}

/// The source line of a place, without its indentation.
fn line(at: &Region, sources: &Sources) -> Option<String> {
    let lines = sources.lines(&at.file, at.line, at.line)?;
    let line = clean(lines.first()?.trim()).into_owned();
    let cut: String = line.chars().take(WIDEST_LINE).collect();
    Some(if cut.len() < line.len() { cut + "…" } else { cut })
}

/// What else is known of the call.
fn details(site: &Site) -> Markup {
    let retries = match site.retries {
        0 => None,
        u32::MAX => Some("without end".to_owned()),
        retries => Some(retries.to_string()),
    };
    let facts = [
        ("kind", Some(site.kind.word().to_owned())),
        ("in function", site.function.clone()),
        ("through wrapper", site.wrapper.clone()),
        ("goes to", Some(site.target.text.clone()).filter(|text| !text.is_empty())),
        ("service", site.target.service.clone()),
        ("covered by", site.by.map(|by| by.word().to_owned())),
        ("retries", retries),
        ("wait before the first retry", site.backoff.map(|wait| wait.to_string())),
        ("suppressed", site.suppressed.clone()),
    ];
    html! {
        dl {
            @for (name, value) in facts {
                @if let Some(value) = value { div { dt { (name) } dd { (clean(&value)) } } }
            }
        }
    }
}
