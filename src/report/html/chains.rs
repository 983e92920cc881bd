//! Chains of timeouts and retries, drawn, with what does not fit in red.
//!
//! In: answers of the budget checker. Out: markup; nothing where there are no chains.

use maud::{Markup, PreEscaped, html};

use super::super::budget::{Answer, assumed, headline, picture};
use super::super::{clean, counted};

/// The chains as a part of an audit's page.
pub(super) fn section(answers: &[Answer]) -> Markup {
    html! {
        @if !answers.is_empty() {
            section {
                h2 { "Chains" }
                (chains(answers))
            }
        }
    }
}

/// The chains as a page of their own.
pub(super) fn alone(answers: &[Answer]) -> Markup {
    let broken = answers.iter().filter(|answer| !answer.fits()).count();
    html! {
        header {
            h1 { "untimed" }
            p.figure { (if broken == 0 { "It fits" } else { "It does not fit" }) }
            p.quiet {
                (counted(answers.len(), "chain", "chains")) " of timeouts and retries"
                @if broken > 0 && answers.len() > 1 { ", of which " (broken) (if broken == 1 { " does" } else { " do" }) " not fit" }
            }
        }
        section { (chains(answers)) }
    }
}

fn chains(answers: &[Answer]) -> Markup {
    html! {
        div.chains { @for (at, answer) in answers.iter().enumerate() { (chain(at, answer)) } }
    }
}

fn chain(at: usize, answer: &Answer) -> Markup {
    let verdict = &answer.verdict;
    let advised: Vec<_> = verdict.calls.iter().filter(|call| !call.advice.is_empty()).collect();
    html! {
        figure.chain {
            figcaption class=(if answer.fits() { "fits" } else { "broken" }) { (clean(&headline(verdict))) }
            div.drawn {
                (PreEscaped(picture(answer, at)))
                div.told {
                    @if !advised.is_empty() {
                        details open[!answer.fits()] {
                            summary { (if answer.fits() { "What could be better" } else { "Ways out, from the top down" }) }
                            dl.advice {
                                @for call in advised {
                                    dt { (clean(&call.hop.label())) }
                                    @for line in &call.advice { dd { (clean(line)) } }
                                }
                            }
                        }
                    }
                    details {
                        summary { "What was assumed" }
                        ul { @for line in assumed(verdict) { li { (clean(&line)) } } }
                    }
                }
            }
        }
    }
}
