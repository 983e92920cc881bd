//! Where one change covers most.
//!
//! In: the outcome's remedies. Out: text; nothing where no change covers more than one call.

use std::fmt::Write as _;

use anstyle::Style;

use super::super::{Detail, MOST_REMEDIES, clean, counted};
use crate::finding::Outcome;

const STRONG: Style = Style::new().bold();

/// The section.
pub(super) fn remedies(outcome: &Outcome, detail: Detail) -> String {
    let large: Vec<_> = outcome.remedies.iter().filter(|remedy| remedy.covers_many()).collect();
    if large.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{STRONG}Where one change covers most{STRONG:#}\n");
    let shown = detail.most(MOST_REMEDIES);
    for remedy in large.iter().take(shown) {
        let sites = remedy.sites.len();
        let (file, what) = (clean(&remedy.at.file), clean(&remedy.text));
        let _ =
            writeln!(text, "  {what} at {STRONG}{file}:{}{STRONG:#}: covers {}", remedy.at.line, counted(sites, "call", "calls"));
    }
    let more = large.len().saturating_sub(shown);
    if more > 0 {
        let _ = writeln!(text, "  … and {} (--all names them)", counted(more, "more place", "more places"));
    }
    text
}
