//! The gate: what counts.
//!
//! In: findings of the judge, and what the user says about them. Out: the same findings with their weight. It judges no call and reads no
//! source file.

mod weigh;

pub use weigh::weigh;
