//! Computed values become text for people and machines.
//!
//! In: finished findings, verdicts and numbers. Out: strings. It prints nothing, decides nothing and reads no files.

pub mod budget;
