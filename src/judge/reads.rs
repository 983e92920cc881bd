//! What becomes of an answer whose body is read by a second call.
//!
//! In: a call whose library says `body = "later"`, and what [`super::followed`] finds of its answer. Out: whether the rest is read after a
//! place, outside of one, or out of a block.

use super::Judge;
use super::call::Call;
use super::followed::Walk;
use crate::facts::{Expr, ExprId, FunctionId};
use crate::link::{Loc, Unit};
use crate::span::{FileId, Span};

/// A place where the rest of an answer is, or may be, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    /// The file.
    pub file: FileId,
    /// Where.
    pub at: u32,
    /// The answer left its function here: whatever is read is read after everything in that function.
    pub left: Option<FunctionId>,
    /// What stands there: what reads, or what hands the answer on.
    pub by: ExprId,
    /// Where the answer left the function of the call, if it did.
    pub gone: Option<u32>,
}

impl Read {
    /// A read in the function of the call.
    pub(super) const fn at(by: Loc, at: u32) -> Self {
        Self { file: by.file, at, left: None, by: by.expr, gone: None }
    }
}

impl Judge<'_> {
    /// Where the body of an answer is read.
    pub(super) fn reads(&self, call: &Call) -> Vec<Read> {
        Walk::of(self, call)
    }

    /// Whether nothing is done with what a call gives but to look whether it is there.
    pub(super) fn is_dropped(&self, call: &Call) -> bool {
        let Some(unit) = self.eval.unit(call.at.file) else { return false };
        let used =
            call.bound.is_some_and(|(file, binding)| self.eval.unit(file).is_none_or(|unit| !unit.uses(binding).is_empty()));
        let mut given_on = false;
        let mut at = call.end_at.expr;
        while let Some(parent) = unit.facts.parent(at) {
            given_on |= match unit.facts.expr(parent) {
                Expr::Call { args, .. } => args.iter().any(|arg| matches!(unit.facts.expr(arg.value), Expr::Function(_))),
                _ => false,
            };
            at = parent;
        }
        let parts = unit.parts_of(at).next().is_some();
        !used && !given_on && !parts && self.reads(call).is_empty()
    }

    /// Whether the body is read after a position in the file of the call, as long as control does not leave before that: `until` is the
    /// end of the statement by which it does.
    pub(super) fn read_after(&self, call: &Call, position: u32, until: Option<u32>) -> bool {
        self.reads(call).iter().any(|read| {
            let elsewhere = read.left.is_some() || read.file != call.at.file;
            let at = if elsewhere { read.gone } else { Some(read.at) };
            (elsewhere || read.at > position) && until.is_none_or(|until| at.is_none_or(|at| at > position && at <= until))
        })
    }

    /// Whether the body is read by something that a function gives back out of a guarded block without waiting for it.
    pub(super) fn read_pending(&self, call: &Call, unit: &Unit, guarded: Span) -> bool {
        self.reads(call).iter().any(|read| {
            read.file == call.at.file && guarded.holds(unit.facts.span(read.by)) && leaves_pending(unit, read.by, guarded)
        })
    }

    /// Where the body is read outside of a span.
    pub(super) fn reads_outside(&self, call: &Call, file: FileId, span: Span) -> Vec<Read> {
        let lexically =
            call.at.file == file && self.eval.unit(file).is_some_and(|unit| span.holds(unit.facts.span(call.at.expr)));
        let beside = call.at.file == file
            && self.eval.unit(file).is_some_and(|unit| {
                let function = unit.facts.function_of(call.at.expr);
                function.is_some_and(|function| unit.facts.function(function).span.holds(span))
            });
        let within = |read: &Read| read.file == file && read.at >= span.start && read.at < span.end;
        let outside = |read: &Read| match (lexically, beside) {
            (true, _) => {
                !within(read)
                    || read.left.is_some_and(|function| {
                        self.eval.unit(file).is_none_or(|unit| !span.holds(unit.facts.function(function).span))
                    })
            }
            // The span encloses a variable of the same function that holds what is waited for.
            (false, true) => !within(read),
            // The span encloses a call of the function that holds the outbound call: what that function reads itself is inside.
            (false, false) => read.left.is_some() && !within(read),
        };
        let mut reads = self.reads(call);
        reads.retain(outside);
        reads
    }
}

/// Whether what an expression gives is handed out of a guarded block without being waited for there.
pub(super) fn leaves_pending(unit: &Unit, mut at: ExprId, guarded: Span) -> bool {
    loop {
        while let Some(parent) = unit.facts.parent(at) {
            if matches!(unit.facts.expr(parent), Expr::Await(_)) {
                return false;
            }
            at = parent;
        }
        let Some(function) = unit.returned_by(at) else { return false };
        if !guarded.holds(unit.facts.function(function).span) {
            return true;
        }
        match unit.literal(function).filter(|literal| *literal != at) {
            Some(literal) => at = literal,
            None => return false,
        }
    }
}
