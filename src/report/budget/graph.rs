//! Chains as Mermaid and as DOT.
//!
//! In: answers. Out: a flow chart for others to draw: the same words and the same signs as the SVG.

use std::fmt::Write as _;

use super::Answer;
use super::draw::{limit_of, takes};
use crate::budget::{Call, Verdict};

/// More calls than this are not drawn; what is left out is counted.
const MOST_CALLS: usize = 500;

/// The services with their second lines, top first.
fn services(verdict: &Verdict) -> Vec<(String, String)> {
    let mut services: Vec<_> =
        verdict.calls.iter().take(MOST_CALLS).map(|call| (call.hop.caller.to_string(), takes(call.worst))).collect();
    match verdict.calls.len().checked_sub(MOST_CALLS) {
        Some(left @ 1..) => services.push((format!("… {left} more calls"), format!("{} hangs", verdict.chain.bottom()))),
        _ => services.push((verdict.chain.bottom().to_owned(), "hangs".to_owned())),
    }
    services
}

fn fit(call: &Call) -> String {
    if call.broken { format!("{} of {} fit", call.fit, call.hang_tries) } else { "fits".to_owned() }
}

/// The chains as one Mermaid flow chart.
pub fn mermaid(answers: &[Answer]) -> String {
    let mut out = "flowchart TD\n".to_owned();
    let mut styles = String::new();
    let mut link = 0_usize;
    for (number, answer) in answers.iter().enumerate() {
        let verdict = &answer.verdict;
        let node = |at: usize| format!("c{number}s{at}");
        if let Some(name) = &verdict.chain.name {
            let _ = writeln!(out, "  subgraph c{number}[\"{}\"]", quote(name));
        }
        let services = services(verdict);
        for (at, (name, line)) in services.iter().enumerate() {
            let _ = writeln!(out, "    {}[\"{}<br/>{}\"]", node(at), quote(name), quote(line));
        }
        let _ = writeln!(styles, "  style {} fill:#ffebe9,stroke:#cf222e", node(services.len() - 1));
        let first = verdict.first_broken();
        for (at, call) in verdict.calls.iter().take(MOST_CALLS).enumerate() {
            let dashed = call.hop.own_limit().is_unbounded();
            let arrow = match (call.broken, dashed) {
                (true, false) => "==>",
                (_, true) => "-.->",
                (false, false) => "-->",
            };
            let mark = if first == Some(at) { "<br/>the first that does not fit" } else { "" };
            let _ = writeln!(
                out,
                "    {} {arrow}|\"{}<br/>{}{mark}\"| {}",
                node(at),
                quote(&limit_of(call)),
                fit(call),
                node(at + 1)
            );
            if call.broken {
                let wide = if first == Some(at) { 6 } else { 4 };
                let _ = writeln!(styles, "  linkStyle {link} stroke:#cf222e,stroke-width:{wide}px,color:#cf222e");
            }
            link += 1;
        }
        if verdict.chain.name.is_some() {
            out.push_str("  end\n");
        }
    }
    out + &styles
}

/// Text inside a Mermaid label: nothing in it is markup.
fn quote(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '<' | '>' | '&' | '#' | ';' | '`' | '|' | '\\' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The chains as one DOT graph.
pub fn dot(answers: &[Answer]) -> String {
    let mut out = "digraph budget {\n  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=11];\n".to_owned();
    for (number, answer) in answers.iter().enumerate() {
        let verdict = &answer.verdict;
        let node = |at: usize| format!("c{number}s{at}");
        if let Some(name) = &verdict.chain.name {
            let _ = writeln!(out, "  subgraph cluster_{number} {{\n    label=\"{}\";", slashed(name));
        }
        let services = services(verdict);
        for (at, (name, line)) in services.iter().enumerate() {
            let hangs = if at + 1 == services.len() {
                ", color=\"#cf222e\", style=\"rounded,filled\", fillcolor=\"#ffebe9\""
            } else {
                ""
            };
            let _ = writeln!(out, "    {} [label=\"{}\\n{}\"{hangs}];", node(at), slashed(name), slashed(line));
        }
        let first = verdict.first_broken();
        for (at, call) in verdict.calls.iter().take(MOST_CALLS).enumerate() {
            let mark = if first == Some(at) { "\\n  the first that does not fit" } else { "" };
            let mut looks = format!("label=\"  {}\\n  {}{mark}\"", slashed(&limit_of(call)), fit(call));
            if call.broken {
                let wide = if first == Some(at) { 5 } else { 3 };
                let _ = write!(looks, ", color=\"#cf222e\", fontcolor=\"#cf222e\", penwidth={wide}");
            }
            if call.hop.own_limit().is_unbounded() {
                looks.push_str(", style=dashed");
            }
            let _ = writeln!(out, "    {} -> {} [{looks}];", node(at), node(at + 1));
        }
        if verdict.chain.name.is_some() {
            out.push_str("  }\n");
        }
    }
    out + "}\n"
}

/// Text inside a DOT string.
pub(in crate::report) fn slashed(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(|c: char| c.is_control(), " ")
}
