//! The audit for people.
//!
//! In: an [`Outcome`]. Out: text.

use std::fmt::Write as _;

use crate::finding::Outcome;

/// One line for each site.
pub fn sites(outcome: &Outcome) -> String {
    let mut text = String::new();
    for site in &outcome.sites {
        let _ = writeln!(text, "{}:{}:{}: {site}", site.at.file, site.at.line, site.at.column);
    }
    text
}
