//! `untimed` finds every outbound call in a repository that can wait for ever, and every retry that nobody is waiting for.
pub mod budget;
pub mod cli;
pub mod limit;
pub mod report;
