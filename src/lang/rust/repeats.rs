//! What a bare `loop` does after a failure: it asks again, a counted number of times or until it succeeds.
//!
//! In: syn's branches, as they are lowered. Out: the count of the innermost loop, and which of its expressions it runs again. What fails
//! is told by its patterns: `Err(_)`, `Ok(_)`; what it means for a call is the judge's question.

use syn::{Expr as Tree, Pat, Stmt};

use super::loops::{exit_count, repeat_count};
use super::lower::Lower;
use super::macros::leaves;
use crate::facts::{Expr, ExprId, Jump, JumpKind, Source};
use crate::span::Span;

/// How a branch ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It leaves the loop.
    Leaves,
    /// It begins the loop's next run.
    Continues,
    /// What follows it is run.
    GoesOn,
}

/// How a branch ends, by its last statement.
pub(super) fn end_of(tree: &Tree) -> End {
    match tree {
        Tree::Return(_) | Tree::Break(_) => End::Leaves,
        Tree::Continue(_) => End::Continues,
        Tree::Macro(of) if leaves(&of.mac) => End::Leaves,
        Tree::Block(of) if of.label.is_none() => end_of_block(&of.block),
        Tree::Unsafe(of) => end_of_block(&of.block),
        Tree::Paren(of) => end_of(&of.expr),
        Tree::Group(of) => end_of(&of.expr),
        _ => End::GoesOn,
    }
}

/// How a block ends, by its last statement.
pub(super) fn end_of_block(block: &syn::Block) -> End {
    match block.stmts.last() {
        Some(Stmt::Expr(last, _)) => end_of(last),
        Some(Stmt::Macro(of)) if leaves(&of.mac) => End::Leaves,
        _ => End::GoesOn,
    }
}

/// Whether a block ends with a failure: `return Err(_)`, `break Err(_)`, `bail!(…)`.
fn fails(block: &syn::Block) -> bool {
    let is_failure =
        |value: &Tree| matches!(value, Tree::Call(call) if matches!(&*call.func, Tree::Path(of) if last_is(&of.path, "Err")));
    match block.stmts.last() {
        Some(Stmt::Expr(Tree::Return(of), _)) => of.expr.as_deref().is_some_and(is_failure),
        Some(Stmt::Expr(Tree::Break(of), _)) => of.expr.as_deref().is_some_and(is_failure),
        Some(Stmt::Macro(of)) => last_is(&of.mac.path, "bail"),
        Some(Stmt::Expr(Tree::Macro(of), _)) => last_is(&of.mac.path, "bail"),
        _ => false,
    }
}

/// Whether a pattern fits a failure alone: `Err(_)`, `Ok(Err(_))`.
pub(super) fn is_failure(pat: &Pat) -> bool {
    match pat {
        Pat::Guard(of) => is_failure(&of.pat),
        Pat::Or(of) => of.cases.iter().all(is_failure),
        Pat::TupleStruct(of) => last_is(&of.path, "Err") || of.elems.iter().any(is_failure),
        _ => false,
    }
}

fn is_success(pat: &Pat) -> bool {
    match pat {
        Pat::Guard(of) => is_success(&of.pat),
        Pat::TupleStruct(of) => last_is(&of.path, "Ok") && !is_failure(pat),
        _ => false,
    }
}

fn last_is(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

impl Lower<'_> {
    /// A `match` in a loop: what it tests is run again where success leaves the loop and a failure does not.
    pub(super) fn answered(&mut self, of: &syn::ExprMatch, test: ExprId) {
        let mut ends = of.arms.iter().map(|arm| (&arm.pat, end_of(&arm.body)));
        let succeeds = ends.clone().any(|(pat, end)| is_success(pat) && end == End::Leaves);
        let repeats = ends.any(|(pat, end)| !is_success(pat) && end != End::Leaves);
        if succeeds && repeats {
            self.run_again(self.computed(test));
        }
    }

    /// An arm with a guard that counts: `Err(_) if n < MAX => continue`.
    pub(super) fn guarded(&mut self, arm: &syn::Arm) {
        let Pat::Guard(of) = &arm.pat else { return };
        // The guard is the last of the pattern that is lowered.
        let Some(test) = self.facts.exprs.len().checked_sub(1).map(|last| ExprId(last as u32)) else { return };
        if is_failure(&of.pat) {
            let end = if end_of(&arm.body) == End::Leaves { End::Leaves } else { End::Continues };
            self.counts(&of.guard, test, end);
        }
    }

    /// An `if` in a loop, when its branches are lowered.
    pub(super) fn branched(&mut self, of: &syn::ExprIf, test: ExprId) {
        let then = end_of_block(&of.then_branch);
        let otherwise = of.else_branch.as_ref().map_or(End::GoesOn, |(_, last)| end_of(last));
        if let Tree::Let(pattern) = &*of.cond {
            let succeeds = is_success(&pattern.pat) && then == End::Leaves && otherwise != End::Leaves;
            let fails = is_failure(&pattern.pat) && then != End::Leaves && otherwise == End::Leaves;
            if succeeds || fails {
                self.run_again(self.computed(test));
            }
            return;
        }
        if then == End::Leaves && fails(&of.then_branch) {
            self.gives_up();
        }
        match (then, otherwise) {
            (End::GoesOn, End::Leaves) => self.counts(&of.cond, test, End::Continues),
            (then, _) => self.counts(&of.cond, test, then),
        }
    }

    /// A condition that leaves the innermost loop or goes on with it: a bare `loop` that counts that way gets its bound.
    fn counts(&mut self, cond: &Tree, test: ExprId, end: End) {
        let Some(number) = self.bare_loop_around() else { return };
        let count = match end {
            End::Leaves => exit_count(self, cond, test),
            End::Continues => repeat_count(self, cond, test),
            End::GoesOn => None,
        };
        if let Some(known) = self.facts.loops.get_mut(number)
            && known.count.is_none()
        {
            known.count = count;
        }
    }

    /// Notes that a failure of an expression leaves the loop around it.
    pub(super) fn fails_here(&mut self, tried: ExprId) -> ExprId {
        if !self.frame().loops.is_empty() {
            let (span, scope) = (self.facts.span(tried), self.scope);
            self.facts.jumps.push(Jump { kind: JumpKind::Fail, span, scope });
        }
        tried
    }

    /// Notes that the innermost bare loop ends with a failure some time.
    fn gives_up(&mut self) {
        if let Some(number) = self.bare_loop_around()
            && let Some(known) = self.facts.loops.get_mut(number)
        {
            known.is_endless = false;
        }
    }

    /// Where what is tested is computed: itself, or what its variable was given in the loop.
    fn computed(&self, test: ExprId) -> Span {
        let around = self.facts.loops.last().map(|around| around.span);
        let given = self.first_value(test).map(|value| self.facts.span(value));
        let span = self.facts.span(test);
        given.filter(|given| around.is_some_and(|around| around.start < given.start && given.end <= span.start)).unwrap_or(span)
    }

    fn run_again(&mut self, span: Span) {
        if let Some(number) = self.bare_loop_around()
            && let Some(known) = self.facts.loops.get_mut(number)
        {
            known.run_again.push(span);
        }
    }

    /// The innermost loop, if only its body ends it.
    fn bare_loop_around(&mut self) -> Option<usize> {
        self.frame().loops.last().filter(|inner| inner.is_bare).and_then(|inner| inner.number)
    }

    /// Whether a counter is changed in the innermost loop before a place.
    pub(super) fn is_counted_before(&self, counter: ExprId, place: u32) -> bool {
        let mut at = counter;
        while let Expr::Through(of) = self.facts.expr(at) {
            at = *of;
        }
        let Expr::Name(name, _) = self.facts.expr(at) else { return true };
        let Some(around) = self.facts.loops.iter().rfind(|around| around.span.start <= place && place < around.span.end) else {
            return true;
        };
        let sources = self.bound(name).and_then(|binding| self.facts.bindings.get(binding.index())).map(|of| &of.sources);
        sources.into_iter().flatten().any(|source| match source {
            Source::Value(value) => (around.span.start..place).contains(&self.facts.span(*value).start),
            _ => false,
        })
    }
}
