//! The reports of the budget checker: text, JSON, SVG, Mermaid, DOT, and a Gantt chart of a simulated request.
//!
//! In: an [`Answer`] per chain, or a verdict on layers. Out: a string. Styles are written into text as ANSI sequences; whoever prints strips them where no terminal
//! reads.

mod assumed;
mod draw;
mod grid;
mod json;
mod layers;
mod text;

use crate::budget::{Bound, Chain, Defaults, Load, Verdict, check, load};

pub use json::json;
pub use layers::{layers_json, layers_text, required_json, required_text};
pub use text::text;

/// Everything that was asked about one chain.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What the closed form says.
    pub verdict: Verdict,
    /// The work at the bottom, where it can be counted.
    pub load: Option<Load>,
}

impl Answer {
    /// Checks a chain, with these values where it says none itself.
    pub fn to(mut chain: Chain, defaults: &Defaults) -> Self {
        chain.or_else(defaults);
        let verdict = check(&chain);
        Self { load: load(&verdict), verdict }
    }

    /// Whether the chain ends inside its deadline and every try can finish.
    pub fn fits(&self) -> bool {
        self.verdict.fits()
    }
}

/// More rows than this are not printed for people; what is left out is counted.
const MOST_ROWS: usize = 200;

fn none_or_short(bound: Bound) -> String {
    if bound.is_unbounded() { "none".to_owned() } else { crate::budget::words::short(bound) }
}
