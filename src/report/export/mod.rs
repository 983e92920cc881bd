//! Services, hops and chains as text: a chain file for the checker, JSON, CSV, DOT, Mermaid.
//!
//! In: [`View`]: a graph with the sites that it names, and its chains. Out: text, the same for the same input. It decides nothing.

mod chain;
mod csv;
mod graph;
mod json;
mod words;

use crate::budget::Chain;
use crate::finding::Site;
use crate::finding::graph::Graph;

pub use csv::sites;

/// What an export is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A chain file, with where each value was found.
    Chain,
    /// Everything, for programs.
    Json,
    /// One row for each hop.
    Csv,
    /// A graph for Graphviz.
    Dot,
    /// A flow chart for Markdown pages.
    Mermaid,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Chain, Self::Json, Self::Csv, Self::Dot, Self::Mermaid];

    /// The word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Dot => "dot",
            Self::Mermaid => "mermaid",
        }
    }
}

/// What is exported.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The sites that it names.
    pub sites: &'a [Site],
    /// The graph's chains as the checker takes them.
    pub chains: &'a [Chain],
}

/// An export as text.
pub fn export(view: View<'_>, format: Format) -> String {
    match format {
        Format::Chain => chain::text(view),
        Format::Json => json::text(view),
        Format::Csv => csv::hops(view),
        Format::Dot => graph::dot(view),
        Format::Mermaid => graph::mermaid(view),
    }
}
