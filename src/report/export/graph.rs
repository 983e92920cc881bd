//! The graph as DOT and as Mermaid: services as boxes, what they call outside as rounded ones.
//!
//! In: a [`View`]. Out: text for others to draw. Services without hops are left out.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::budget::slashed;
use super::View;
use crate::finding::graph::{Hop, Service, What};

/// What takes part: services with hops, each with its number.
fn drawn(view: View<'_>) -> Vec<&Service> {
    let named: BTreeSet<&str> = view.graph.hops.iter().flat_map(|hop| [hop.caller.as_str(), hop.callee.as_str()]).collect();
    view.graph.services.iter().filter(|service| named.contains(service.name.as_str())).collect()
}

/// `1s × 3`, `no timeout`.
fn label(hop: &Hop) -> String {
    let wait = hop.per_try.map_or_else(|| "no timeout".to_owned(), |wait| wait.to_string());
    match hop.retries {
        0 => wait,
        u32::MAX => format!("{wait} × ∞"),
        retries => format!("{wait} × {}", u64::from(retries) + 1),
    }
}

/// The graph for Graphviz.
pub(super) fn dot(view: View<'_>) -> String {
    let quote = |text: &str| format!("\"{}\"", slashed(text));
    let mut out =
        "digraph services {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n"
            .to_owned();
    for service in drawn(view) {
        let shape = match service.what {
            What::Service => "",
            What::Unknown => " [shape=diamond, style=dashed]",
            What::Host | What::Dependency(_) => " [style=rounded]",
        };
        let _ = writeln!(out, "  {}{shape};", quote(&service.name));
    }
    for hop in &view.graph.hops {
        let style = if hop.per_try.is_none() { ", style=dashed, color=\"#cf222e\"" } else { "" };
        let _ = writeln!(out, "  {} -> {} [label={}{style}];", quote(&hop.caller), quote(&hop.callee), quote(&label(hop)));
    }
    out.push_str("}\n");
    out
}

/// The graph as a flow chart.
pub(super) fn mermaid(view: View<'_>) -> String {
    let quote = |text: &str| {
        text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;").replace(char::is_control, " ")
    };
    let mut out = "flowchart LR\n".to_owned();
    let services = drawn(view);
    for (at, service) in services.iter().enumerate() {
        let name = quote(&service.name);
        let _ = match service.what {
            What::Service => writeln!(out, "  s{at}[\"{name}\"]"),
            What::Unknown => writeln!(out, "  s{at}{{\"{name}\"}}"),
            What::Host | What::Dependency(_) => writeln!(out, "  s{at}(\"{name}\")"),
        };
    }
    let number = |name: &str| services.iter().position(|service| service.name == name).unwrap_or_default();
    for hop in &view.graph.hops {
        let arrow = if hop.per_try.is_none() { "-.->" } else { "-->" };
        let _ = writeln!(out, "  s{} {arrow}|\"{}\"| s{}", number(&hop.caller), quote(&label(hop)), number(&hop.callee));
    }
    out
}
