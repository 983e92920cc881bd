//! Branches: what runs only when a test holds, or only when it does not.
//!
//! In: nothing. Out: [`Branch`]. Choices inside an expression are [`super::Either`].

use super::{ExprId, ScopeId};
use crate::span::Span;

/// A statement that runs one thing or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// What is tested.
    pub test: ExprId,
    /// What runs when that holds.
    pub yes: Span,
    /// What runs when it does not.
    pub no: Option<Span>,
    /// Whether the function is left when it holds.
    pub leaves: bool,
    /// The scope that the statement stands in.
    pub scope: ScopeId,
}

impl Branch {
    /// The outcome of the test that keeps code from running which stands in one of the two.
    pub fn keeps_out(&self, code: Span) -> Option<bool> {
        if self.yes.holds(code) {
            Some(false)
        } else if self.no.is_some_and(|no| no.holds(code)) {
            Some(true)
        } else {
            None
        }
    }

    /// Where the statement ends.
    pub fn end(&self) -> u32 {
        self.no.map_or(self.yes.end, |no| no.end)
    }
}
