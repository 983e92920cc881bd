//! `if` and `match`: choices among the tails of their branches.
//!
//! In: syn's expressions. Out: [`Either::Choice`](crate::facts::Either::Choice) with what is tested. A long chain of `else if` is walked in a loop and becomes one choice.

use syn::Expr as Tree;
use syn::spanned::Spanned;

use super::lower::Lower;
use super::patterns::Origin;
use crate::facts::{Branch, Expr, ExprId};
use crate::span::Span;

impl Lower<'_> {
    /// `if a { … } else if let … { … } else { … }`.
    pub(super) fn if_expr(&mut self, of: &syn::ExprIf) -> ExprId {
        let start = self.marks.span(of.if_token.span).start;
        let outer = self.scope;
        let mut end = start;
        let mut tests = Vec::new();
        let mut options = Vec::new();
        let mut next = Some(of);
        while let Some(branch) = next.take() {
            // The names of `if let` are visible in the branch alone.
            let scope = self.add_scope();
            let test = self.within(scope, |this| {
                let test = this.expr(&branch.cond);
                this.note_branch(branch, test);
                let tail = this.block(&branch.then_branch);
                this.branched(branch, test);
                options.extend(tail.value());
                test
            });
            tests.push(test);
            end = self.marks.span(branch.then_branch.brace_token.span.close()).end;
            match branch.else_branch.as_ref().map(|(_, last)| &**last) {
                Some(Tree::If(more)) => next = Some(more),
                Some(last) => {
                    let tail = self.tail(last);
                    options.extend(tail.value());
                    if let Tree::Block(block) = last {
                        end = self.marks.span(block.block.brace_token.span.close()).end;
                    }
                }
                None => {}
            }
        }
        self.scope = outer;
        let span = Span::new(start, end.max(start));
        let test = match tests.as_slice() {
            [test] => *test,
            _ => self.push(Expr::Sequence(tests), span),
        };
        self.choice(Some(test), options, span)
    }

    /// What runs on one outcome of a test alone. What a pattern takes apart is not said to be one.
    fn note_branch(&mut self, of: &syn::ExprIf, test: ExprId) {
        if matches!(&*of.cond, Tree::Let(_)) {
            return;
        }
        let yes = self.marks.span(of.then_branch.brace_token.span.join());
        let no = of.else_branch.as_ref().map(|(_, last)| self.marks.span(last.span()));
        self.facts.branches.push(Branch { test, yes, no, leaves: false, scope: self.scope });
    }

    /// `match x { … }`.
    pub(super) fn match_expr(&mut self, of: &syn::ExprMatch) -> ExprId {
        let test = self.expr(&of.expr);
        let mut options = Vec::new();
        for (at, arm) in of.arms.iter().enumerate() {
            let tail = self.scoped(|this| {
                this.pattern(&arm.pat, Origin::Value(test), None);
                this.guarded(arm);
                this.tail(&arm.body)
            });
            options.extend(tail.value().map(|value| (at, value)));
        }
        self.answered(of, test);
        let span = self.marks.between(of.match_token.span, of.brace_token.span.close());
        if let Some(given) = self.told_apart(of, test, &options, span) {
            return given;
        }
        self.choice(Some(test), options.into_iter().map(|(_, value)| value).collect(), span)
    }
}
