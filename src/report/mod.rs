//! Reports: one small file for each format.
//!
//! In: an [`Outcome`](crate::finding::Outcome). Out: text. Reports filter nothing and read no files but, for excerpts, the sources.

pub mod json;
pub mod text;
