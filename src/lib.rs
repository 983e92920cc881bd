//! `untimed` finds every outbound call in a repository that can wait for ever, and every retry that nobody is waiting for.
pub mod budget;
pub mod catalog;
pub mod cli;
pub mod facts;
pub mod finding;
pub mod judge;
pub mod lang;
pub mod limit;
pub mod link;
pub mod report;
pub mod scan;
pub mod settings;
pub mod span;
pub mod walk;
