//! Blocks and statements: what a block ends with, `let`, and what leaves (`return`, `break`, `continue`).
//!
//! In: syn's blocks. Out: bindings, jumps, returned values; and each block's tail. Items of a block are lowered before its
//! statements, for they are visible in all of it.

use syn::{Block, Expr as Tree, Label, Local, Stmt};

use super::lower::{Breakable, Lower, Tail};
use super::macros::leaves;
use super::patterns::{Origin, names};
use crate::facts::{Either, Expr, ExprId, Jump, JumpKind, Source};
use crate::span::Span;

impl Lower<'_> {
    /// A block in a scope of its own.
    pub(super) fn block(&mut self, block: &Block) -> Tail {
        let scope = self.add_scope();
        self.within(scope, |this| this.statements(&block.stmts))
    }

    /// The statements of a block whose scope is already open. `let` may open further ones; the caller comes back from them.
    pub(super) fn statements(&mut self, stmts: &[Stmt]) -> Tail {
        for stmt in stmts {
            if let Stmt::Item(item) = stmt {
                self.item(item);
            }
        }
        let mut tail = Tail::Nothing;
        for (at, stmt) in stmts.iter().enumerate() {
            let is_last = at + 1 == stmts.len();
            match stmt {
                Stmt::Item(_) => {}
                Stmt::Local(local) => self.local(local),
                Stmt::Expr(expr, semi) => {
                    let end = self.tail(expr);
                    if is_last {
                        tail = if semi.is_some() && end != Tail::Leaves { Tail::Nothing } else { end };
                    }
                }
                Stmt::Macro(of) => {
                    let value = self.mac(&of.mac);
                    if leaves(&of.mac) {
                        tail = if is_last { Tail::Leaves } else { tail };
                    } else if is_last && of.semi_token.is_none() {
                        tail = Tail::Value(value);
                    }
                }
            }
        }
        tail
    }

    /// Lowers an expression and says what it ends with.
    pub(super) fn tail(&mut self, expr: &Tree) -> Tail {
        match expr {
            Tree::Return(_) | Tree::Break(_) | Tree::Continue(_) => {
                self.expr(expr);
                Tail::Leaves
            }
            Tree::Macro(of) if leaves(&of.mac) => {
                self.mac(&of.mac);
                Tail::Leaves
            }
            Tree::Block(of) if of.label.is_none() => self.block(&of.block),
            Tree::Unsafe(of) => self.block(&of.block),
            Tree::Paren(of) => self.tail(&of.expr),
            Tree::Group(of) => self.tail(&of.expr),
            expr => {
                let value = self.expr(expr);
                match self.facts.expr(value) {
                    Expr::Sequence(parts) if parts.is_empty() => Tail::Nothing,
                    _ => Tail::Value(value),
                }
            }
        }
    }

    /// A block used as a value.
    pub(super) fn block_expr(&mut self, label: Option<&Label>, block: &Block) -> ExprId {
        let span = self.marks.span(block.brace_token.span.join());
        let Some(label) = label else {
            return match self.block(block) {
                Tail::Value(value) => value,
                Tail::Nothing | Tail::Leaves => self.nothing(span),
            };
        };
        let label = Some(label.name.ident.to_string().into());
        self.frame().loops.push(Breakable { label, breaks: Vec::new(), number: None, is_bare: false });
        let tail = self.block(block).value();
        let breaks = self.frame().loops.pop().map(|block| block.breaks).unwrap_or_default();
        let options: Vec<ExprId> = breaks.into_iter().chain(tail).collect();
        self.choice(None, options, span)
    }

    /// One of several values.
    pub(super) fn choice(&mut self, test: Option<ExprId>, options: Vec<ExprId>, span: Span) -> ExprId {
        self.push(Expr::Either { kind: Either::Choice, test, options }, span)
    }

    fn local(&mut self, local: &Local) {
        let value = local.init.as_ref().map(|init| self.expr(&init.expr));
        if let Some((_, otherwise)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            self.expr(otherwise);
        }
        self.open_scope_for(&local.pat);
        self.pattern(&local.pat, value.map_or(Origin::Nowhere, Origin::Value), None);
    }

    /// A pattern that hides names seen before binds its own in a new scope, which lasts as long as the innermost one.
    fn open_scope_for(&mut self, pat: &syn::Pat) {
        let mut hides = false;
        names(pat, &mut |name| {
            hides |= self.used.contains(&name) || self.bound_here(&name).is_some();
        });
        if hides {
            self.scope = self.add_scope();
        }
    }

    /// `let pat = value` in a condition: the value; the names are bound in the innermost scope.
    pub(super) fn let_expr(&mut self, of: &syn::ExprLet) -> ExprId {
        let value = self.expr(&of.expr);
        self.open_scope_for(&of.pat);
        self.pattern(&of.pat, Origin::Value(value), None);
        value
    }

    /// A match guard or the condition inside a pattern.
    pub(super) fn guard(&mut self, guard: &Tree) -> ExprId {
        let outer = std::mem::replace(&mut self.in_other_case, false);
        let value = self.expr(guard);
        self.in_other_case = outer;
        value
    }

    /// `return x`.
    pub(super) fn return_expr(&mut self, of: &syn::ExprReturn) -> ExprId {
        let value = of.expr.as_ref().map(|value| self.tail(value));
        let span = self.jump(JumpKind::Return, of.return_token.span, value);
        let value = value.and_then(Tail::value);
        self.frame().returns.extend(value);
        self.nothing(span)
    }

    /// `break`, `break 'label x`.
    pub(super) fn break_expr(&mut self, of: &syn::ExprBreak) -> ExprId {
        let value = of.expr.as_ref().map(|value| self.tail(value));
        let span = self.jump(JumpKind::Break, of.break_token.span, value);
        if let Some(value) = value.and_then(Tail::value) {
            let label = of.label.as_ref().map(|label| label.ident.to_string());
            let mut around = self.frame().loops.iter_mut().rev();
            let target = match label {
                Some(label) => around.find(|inner| inner.label.as_deref() == Some(&*label)),
                None => around.find(|inner| inner.number.is_some()),
            };
            if let Some(target) = target {
                target.breaks.push(value);
            }
        }
        self.nothing(span)
    }

    /// `continue`.
    pub(super) fn continue_expr(&mut self, of: &syn::ExprContinue) -> ExprId {
        let span = self.jump(JumpKind::Continue, of.continue_token.span, None);
        self.nothing(span)
    }

    /// `yield x`.
    pub(super) fn yield_expr(&mut self, of: &syn::ExprYield) -> ExprId {
        let value = of.expr.as_ref().map(|value| self.expr(value));
        let word = self.marks.span(of.yield_token.span);
        let span = value.map_or(word, |value| Span::new(word.start, self.facts.span(value).end.max(word.end)));
        self.opaque("a generator", value.into_iter().collect(), span)
    }

    fn jump(&mut self, kind: JumpKind, word: proc_macro2::Span, value: Option<Tail>) -> Span {
        let mut span = self.marks.span(word);
        if let Some(Tail::Value(value)) = value {
            span.end = self.facts.span(value).end.max(span.end);
        }
        self.facts.jumps.push(Jump { kind, span, scope: self.scope });
        span
    }

    /// The first value of the local variable that an expression names.
    pub(super) fn first_value(&self, expr: ExprId) -> Option<ExprId> {
        let mut at = expr;
        while let Expr::Through(of) = self.facts.expr(at) {
            at = *of;
        }
        let Expr::Name(name, _) = self.facts.expr(at) else { return None };
        let binding = self.facts.bindings.get(self.bound(name)?.index())?;
        self.facts.scope_function(binding.scope)?;
        match binding.sources.first()? {
            Source::Value(value) => Some(*value),
            _ => None,
        }
    }
}
