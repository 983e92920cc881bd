//! The chain file: what the checker reads, with where each value was found.
//!
//! In: a [`View`]. Out: text that [`crate::budget::parse`] reads back to the same chains. Comments say which site decides a hop and which
//! other ones there are, what could not be resolved, and where a circle was cut.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::View;
use super::words::{alike, place, what};
use crate::finding::graph::{Hop, UNKNOWN};
use crate::report::{clean, counted};

/// The chain file.
pub(super) fn text(view: View<'_>) -> String {
    let graph = view.graph;
    let mut out = String::new();
    let services = graph.services.iter().filter(|service| service.what == crate::finding::graph::What::Service).count();
    let _ = writeln!(
        out,
        "# {}, {}, {}",
        counted(services, "service", "services"),
        counted(graph.hops.len(), "hop", "hops"),
        counted(graph.chains.len(), "chain", "chains")
    );
    if graph.hops.is_empty() {
        out.push_str("# no service calls another one\n");
    }
    if graph.capped {
        let shown: BTreeSet<usize> = graph.chains.iter().flatten().copied().collect();
        let _ = writeln!(
            out,
            "# there are more chains; these show {} of {} hops, and `--from NAME` or `--most COUNT` shows others",
            shown.len(),
            graph.hops.len()
        );
    }
    for circle in &graph.circles {
        let names = circle.iter().chain(circle.first()).map(|name| clean(name)).collect::<Vec<_>>();
        let _ = writeln!(out, "# circle, cut where it closes: {}", names.join(" -> "));
    }
    for note in &graph.notes {
        let at = if note.at.is_empty() { String::new() } else { format!("{}: ", clean(&note.at)) };
        let _ = writeln!(out, "# note: {at}{}", clean(&note.text));
    }
    let mut told = BTreeSet::new();
    for (places, chain) in graph.chains.iter().zip(view.chains) {
        let lines = chain.to_string();
        let (head, rest) = lines.split_once('\n').unwrap_or((&lines, ""));
        let _ = writeln!(out, "\n{head}");
        let width = rest.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        for (place, line) in places.iter().zip(rest.lines()) {
            hop(&mut out, &graph.hops[*place], view, line, width, told.insert(*place));
        }
    }
    out
}

/// One hop, with its sites where they are told for the first time.
fn hop(out: &mut String, hop: &Hop, view: View<'_>, line: &str, width: usize, is_first: bool) {
    let groups = alike(hop, view.sites);
    for (nth, (site, how, more)) in groups.iter().enumerate() {
        let mut comment = format!("{} {}", place(site), what(site));
        if *more > 0 {
            let _ = write!(comment, " (and {more} more like it)");
        }
        if hop.callee == UNKNOWN {
            let _ = write!(comment, "; ?: {}", clean(how));
        }
        if nth == 0 {
            let _ = writeln!(out, "{line}{}  # {comment}", " ".repeat(width - line.chars().count()));
        } else {
            let _ = writeln!(out, "#   also {comment}");
        }
        if !is_first {
            break;
        }
    }
}
