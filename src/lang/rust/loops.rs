//! Loops, and how often they run where that can be seen.
//!
//! In: syn's loops. Out: [`Loop`]s. A count is seen in `for _ in a..b`, in `while n < b` and `while n > 0`, and in a `loop` that is
//! left when a counter reaches its bound.

use syn::{BinOp, Expr as Tree};

use super::lower::{Breakable, Lower};
use super::patterns::Origin;
use super::repeats::is_failure;
use crate::facts::{Either, Expr, ExprId, Loop, LoopCount};
use crate::span::Span;

impl Lower<'_> {
    /// `for pat in xs { … }`.
    pub(super) fn for_loop(&mut self, of: &syn::ExprForLoop) -> ExprId {
        let span = self.marks.between(of.for_token.span, of.body.brace_token.span.close());
        let number = self.begin_loop(span, of.label.as_ref(), false);
        let items = self.expr(&of.expr);
        let counting = counting_range(&of.expr);
        if let Some(entry) = self.facts.loops.get_mut(number) {
            entry.over_items = counting.is_none();
        }
        if let Some(range) = counting {
            let count = self.range_count(items, matches!(range.limits, syn::RangeLimits::Closed(_)), range.start.is_some());
            if let Some(entry) = self.facts.loops.get_mut(number) {
                entry.count = count;
            }
        }
        self.scoped(|this| {
            this.pattern(&of.pat, Origin::Element(items), None);
            this.block(&of.body);
        });
        self.end_loop();
        self.nothing(span)
    }

    /// The count of a lowered range, which may stand under calls such as `.rev()`.
    fn range_count(&self, mut at: ExprId, inclusive: bool, has_start: bool) -> Option<LoopCount> {
        loop {
            at = match self.facts.expr(at) {
                Expr::Call { callee, .. } => *callee,
                Expr::Member { of, .. } | Expr::Through(of) => *of,
                Expr::Opaque { parts, .. } => {
                    return match (parts.as_slice(), has_start) {
                        ([start, limit], _) => Some(LoopCount { start: Some(*start), limit: *limit, inclusive }),
                        ([limit], false) => Some(LoopCount { start: None, limit: *limit, inclusive }),
                        _ => None,
                    };
                }
                _ => return None,
            };
        }
    }

    /// `while cond { … }`, `while let … { … }`.
    pub(super) fn while_loop(&mut self, of: &syn::ExprWhile) -> ExprId {
        let span = self.marks.between(of.while_token.span, of.body.brace_token.span.close());
        let number = self.begin_loop(span, of.label.as_ref(), false);
        self.scoped(|this| {
            let test = this.expr(&of.cond);
            let count = while_count(this, &of.cond, test);
            let fails = matches!(&*of.cond, Tree::Let(pattern) if is_failure(&pattern.pat));
            let span = this.facts.span(test);
            if let Some(entry) = this.facts.loops.get_mut(number) {
                entry.count = count;
                if fails {
                    (entry.is_endless, entry.ends_early) = (true, true);
                    entry.run_again.push(span);
                }
            }
            this.block(&of.body);
        });
        self.end_loop();
        self.nothing(span)
    }

    /// `loop { … }`: its value is what `break` leaves it with.
    pub(super) fn bare_loop(&mut self, of: &syn::ExprLoop) -> ExprId {
        let span = self.marks.between(of.loop_token.span, of.body.brace_token.span.close());
        self.begin_loop(span, of.label.as_ref(), true);
        self.block(&of.body);
        let breaks = self.end_loop();
        if breaks.is_empty() { self.nothing(span) } else { self.choice(None, breaks, span) }
    }

    fn begin_loop(&mut self, span: Span, label: Option<&syn::Label>, is_bare: bool) -> usize {
        let number = self.facts.loops.len();
        self.facts.loops.push(Loop { is_endless: is_bare, ..Loop::at(span) });
        let label = label.map(|label| label.name.ident.to_string().into());
        self.frame().loops.push(Breakable { label, breaks: Vec::new(), number: Some(number), is_bare });
        number
    }

    fn end_loop(&mut self) -> Vec<ExprId> {
        self.frame().loops.pop().map(|inner| inner.breaks).unwrap_or_default()
    }
}

/// The range that a `for` counts over, seen through parentheses and `.rev()`.
fn counting_range(tree: &Tree) -> Option<&syn::ExprRange> {
    match tree {
        Tree::Range(range) => range.end.is_some().then_some(range),
        Tree::Paren(of) => counting_range(&of.expr),
        Tree::Group(of) => counting_range(&of.expr),
        Tree::MethodCall(call) if call.args.is_empty() && (call.method == "rev" || call.method == "into_iter") => {
            counting_range(&call.receiver)
        }
        _ => None,
    }
}

/// How often a loop runs that goes on while a condition holds.
fn while_count(this: &Lower<'_>, cond: &Tree, test: ExprId) -> Option<LoopCount> {
    let (lower, upper, inclusive) = comparison(this, cond, test, While)?;
    let upward = this.first_value(lower).map(|start| LoopCount { start: Some(start), limit: upper, inclusive });
    upward.or_else(|| this.first_value(upper).map(|limit| LoopCount { start: Some(lower), limit, inclusive }))
}

/// How often a `loop` runs that is left once a condition holds: `if n >= MAX { return … }`.
pub(super) fn exit_count(this: &Lower<'_>, cond: &Tree, test: ExprId) -> Option<LoopCount> {
    // `limit <= counter`: the smaller side is the bound.
    let (limit, counter, inclusive) = comparison(this, cond, test, Until)?;
    let start = this.first_value(counter)?;
    let inclusive = !inclusive || !this.is_counted_before(counter, this.facts.span(test).start);
    is_number(this, start).then_some(LoopCount { start: Some(start), limit, inclusive })
}

/// How often a `loop` runs that goes on after a failure while a condition holds: `if n < MAX { continue }`.
pub(super) fn repeat_count(this: &Lower<'_>, cond: &Tree, test: ExprId) -> Option<LoopCount> {
    let (lower, upper, inclusive) = comparison(this, cond, test, While)?;
    let place = this.facts.span(test).start;
    let number = |counter: ExprId| this.first_value(counter).filter(|start| is_number(this, *start));
    let runs = |counter, start, limit| {
        let inclusive = inclusive || !this.is_counted_before(counter, place);
        LoopCount { start: Some(start), limit, inclusive }
    };
    let upward = number(lower).map(|start| runs(lower, start, upper));
    upward.or_else(|| number(upper).map(|limit| runs(upper, lower, limit)))
}

fn is_number(this: &Lower<'_>, value: ExprId) -> bool {
    matches!(this.facts.expr(value), Expr::Number(_))
}

/// Whether a condition keeps a loop going or ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    While,
    Until,
}
use Purpose::{Until, While};

/// A comparison with its smaller side first, and whether the sides may be equal.
fn comparison(this: &Lower<'_>, cond: &Tree, test: ExprId, purpose: Purpose) -> Option<(ExprId, ExprId, bool)> {
    match cond {
        Tree::Paren(of) => comparison(this, &of.expr, test, purpose),
        Tree::Binary(of) => match (&of.op, this.facts.expr(test)) {
            (BinOp::And(_), Expr::Either { kind: Either::And, options, .. })
            | (BinOp::Or(_), Expr::Either { kind: Either::Or, options, .. }) => {
                let [left, right] = options.as_slice() else { return None };
                comparison(this, &of.left, *left, purpose).or_else(|| comparison(this, &of.right, *right, purpose))
            }
            (op, Expr::Opaque { parts, .. }) => {
                let [left, right] = parts.as_slice() else { return None };
                match op {
                    BinOp::Lt(_) => Some((*left, *right, false)),
                    BinOp::Le(_) => Some((*left, *right, true)),
                    BinOp::Gt(_) => Some((*right, *left, false)),
                    BinOp::Ge(_) => Some((*right, *left, true)),
                    BinOp::Ne(_) if purpose == While => Some((*left, *right, false)),
                    BinOp::Eq(_) if purpose == Until => Some((*right, *left, true)),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}
