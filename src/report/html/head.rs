//! The first thing on the page: how many calls are covered, as a figure and as a bar.
//!
//! In: an [`Outcome`]. Out: markup.

use maud::{Markup, html};

use super::super::figures::figures;
use super::super::{counted, text, thousands};
use crate::finding::{Outcome, Verdict};

/// The figure, the bar and the counts.
pub(super) fn head(outcome: &Outcome) -> Markup {
    let figures = figures(outcome.sites.iter());
    let counts = [
        (Verdict::Covered, figures.covered),
        (Verdict::Partial, figures.partial),
        (Verdict::Unknown, figures.unknown),
        (Verdict::Uncovered, figures.uncovered),
    ];
    let files = counted(outcome.counts.scanned as usize, "file", "files");
    let left = text::left_out(&outcome.counts);
    html! {
        header {
            h1 { "untimed" }
            @if figures.call_sites == 0 {
                p.figure { "No outbound call" }
                p.quiet { "in " (files) }
            } @else {
                p.figure { (format!("{:.1}", figures.coverage * 100.0)) " %" }
                p.quiet {
                    "of " (counted(figures.call_sites, "outbound call", "outbound calls")) " in " (files)
                    " end by themselves when the callee hangs"
                    @if !left.is_empty() { "; left out: " (left.join(", ")) }
                }
                div.bar role="img" aria-label=(spoken(&counts)) {
                    @for (verdict, count) in counts {
                        @if count > 0 { span class=(verdict.word()) style=(format!("flex-grow:{count}")) {} }
                    }
                }
                ul.legend {
                    @for (verdict, count) in counts {
                        li { span class={ "dot " (verdict.word()) } {} strong { (thousands(count)) } " " (verdict.word()) }
                    }
                }
            }
        }
    }
}

fn spoken(counts: &[(Verdict, usize)]) -> String {
    counts.iter().map(|(verdict, count)| format!("{count} {}", verdict.word())).collect::<Vec<_>>().join(", ")
}
