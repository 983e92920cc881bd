//! The audit, or answers of the budget checker, as one page that needs no network.
//!
//! In: an [`Outcome`], its [`Sources`], and chains where they are known. Out: one HTML file with its style and its script inside. Without the
//! script everything is there too; the script sorts, filters and opens. What comes from the scanned code is shown as text.

mod calls;
mod chains;
mod head;

use std::borrow::Cow;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::budget::Answer;
use super::{MOST_REMEDIES, Sources, clean, counted};
use crate::finding::{Outcome, Region, Remedy, Stranger, Unreadable, Wrapper};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing is loaded: neither by the page, nor by what might slip into it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The whole audit.
pub(super) fn audit(outcome: &Outcome, sources: &Sources, chains: &[Answer]) -> String {
    page(
        "untimed audit",
        &html! {
            (head::head(outcome))
            (remedies(&outcome.remedies))
            (chains::section(chains))
            (calls::section(outcome, sources))
            (wrappers(&outcome.wrappers))
            (unreadable(&outcome.unreadable))
            (strangers(&outcome.strangers))
        },
    )
}

/// Chains alone.
pub fn budget(answers: &[Answer]) -> String {
    page("untimed budget", &chains::alone(answers))
}

fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (body) }
                footer { "untimed " (env!("CARGO_PKG_VERSION")) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

fn remedies(remedies: &[Remedy]) -> Markup {
    let large: Vec<&Remedy> = remedies.iter().filter(|remedy| remedy.covers_many()).collect();
    html! {
        @if !large.is_empty() {
            section {
                h2 { "Where one change covers most" }
                ol.remedies { @for remedy in large.iter().take(MOST_REMEDIES) { (one_remedy(remedy)) } }
                @if large.len() > MOST_REMEDIES {
                    details.more {
                        summary { "… and " (counted(large.len() - MOST_REMEDIES, "more place", "more places")) }
                        ol.remedies { @for remedy in large.iter().skip(MOST_REMEDIES) { (one_remedy(remedy)) } }
                    }
                }
            }
        }
    }
}

fn one_remedy(remedy: &Remedy) -> Markup {
    html! {
        li {
            span.count { (remedy.sites.len()) }
            span { (prose(&remedy.text)) " at " (place(&remedy.at)) }
        }
    }
}

fn wrappers(wrappers: &[Wrapper]) -> Markup {
    html! {
        @if !wrappers.is_empty() {
            section {
                h2 { "Wrappers" }
                p.quiet { "Functions that forward their caller's destination into an outbound call. Their calls are counted, the call inside is not." }
                div.scroll {
                    table {
                        thead { tr { th { "wrapper" } th { "defined at" } th.number { "calls" } th { "limit inside" } } }
                        tbody {
                            @for wrapper in wrappers {
                                tr {
                                    td { code { (clean(&wrapper.name)) } }
                                    td { (place(&wrapper.at)) }
                                    td.number { (wrapper.sites) }
                                    td { (wrapper.limit.as_ref().map_or_else(|| "none".to_owned(), calls::limit)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn strangers(strangers: &[Stranger]) -> Markup {
    html! {
        @if !strangers.is_empty() {
            section {
                h2 { (counted(strangers.len(), "package", "packages")) " not known" }
                p { "What goes out through them is not counted." }
                ul.plain {
                    @for one in strangers {
                        li { code { (clean(&one.package)) } " " (counted(one.files as usize, "file", "files")) ", first " (clean(&one.file)) }
                    }
                }
            }
        }
    }
}

fn unreadable(unreadable: &[Unreadable]) -> Markup {
    html! {
        @if !unreadable.is_empty() {
            section {
                h2 { (counted(unreadable.len(), "file", "files")) " not read, or in part" }
                ul.plain {
                    @for one in unreadable { li { code { (clean(&one.file)) } " " (prose(&one.reason)) } }
                }
            }
        }
    }
}

/// `file:line`, the folder quieter than the name.
fn place(at: &Region) -> Markup {
    let (folder, name) = split(&at.file);
    html! { code.place { span.folder { (folder) } (name) ":" (at.line) } }
}

/// A path as its folder, with the `/`, and its name.
fn split(file: &str) -> (Cow<'_, str>, Cow<'_, str>) {
    let cut = file.rfind('/').map_or(0, |at| at + 1);
    (clean(&file[..cut]), clean(&file[cut..]))
}

/// A sentence in which `` `code` `` stands for code.
fn prose(text: &str) -> Markup {
    let text = clean(text);
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
