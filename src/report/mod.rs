//! Reports: finished findings, verdicts and numbers become text for people and machines. One small file for each format.
//!
//! In: an [`Outcome`](crate::finding::Outcome), or answers of the budget checker. Out: text. Reports decide and filter nothing, print
//! nothing, and read no files but, for excerpts, the sources.

pub mod budget;
pub mod json;
pub mod text;
