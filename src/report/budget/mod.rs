//! The reports of the budget checker: text, JSON, SVG, Mermaid, DOT, and a Gantt chart of a simulated request.
//!
//! In: an [`Answer`] per chain, or a verdict on layers. Out: a string. Styles are written into text as ANSI sequences; whoever prints strips them where no terminal
//! reads.

mod answer;
mod assumed;
mod draw;
mod gantt;
mod graph;
mod grid;
mod json;
mod json_more;
mod layers;
mod more;
mod svg;
mod text;

use crate::budget::{Bound, Verdict};

pub use answer::{Answer, Otherwise, Simulate, Wanted};
pub use assumed::assumed;
pub use gantt::{gantt, gantt_svg};
pub(super) use graph::slashed;
pub use graph::{dot, mermaid};
pub use json::json;
pub use layers::{layers_json, layers_text, required_json, required_text};
pub use svg::{picture, svg};
pub use text::{scanned, text};

/// More rows than this are not printed for people; what is left out is counted.
const MOST_ROWS: usize = 200;

/// Whether a chain fits, as a sentence.
pub fn headline(verdict: &Verdict) -> String {
    anstream::adapter::strip_str(&text::headline(verdict)).to_string()
}

fn none_or_short(bound: Bound) -> String {
    if bound.is_unbounded() { "none".to_owned() } else { crate::budget::words::short(bound) }
}
