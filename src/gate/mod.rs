//! The gate: what counts.
//!
//! In: findings of the judge, and what the user says about them: in comments, in the configuration, in a baseline. Out: the same findings
//! with their weight and standing. It judges no call and reads no source file.

mod allow;
mod baseline;
mod before;
mod compare;
mod floors;
mod number;
mod rule;
mod suppress;
mod weigh;

pub use baseline::{Baseline, BaselineError, NAME as BASELINE};
pub use compare::Scope;
pub use number::number;
pub use rule::{Question, Then, rule, say};
pub use suppress::{Comment, Suppressing, suppress};
pub use weigh::weigh;
