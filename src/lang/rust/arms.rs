//! A `match` that tells variants apart: one test for each arm.
//!
//! In: the arms with what each gives. Out: choices inside each other. Which variant a value is that holds something, how it was made says; of
//! those that hold nothing, no arm is chosen.

use syn::Expr as Tree;
use syn::Pat;

use super::lower::Lower;
use crate::facts::{Expr, ExprId};
use crate::span::Span;

impl Lower<'_> {
    /// What a match gives whose arms are variants; `None`: they are not, or what is matched is more than a name.
    pub(super) fn told_apart(
        &mut self,
        of: &syn::ExprMatch,
        test: ExprId,
        gives: &[(usize, ExprId)],
        span: Span,
    ) -> Option<ExprId> {
        let holding = of.arms.iter().any(|arm| matches!(variant(&arm.pat), Some((_, true))));
        let all = of.arms.iter().all(|arm| matches!(arm.pat, Pat::Wild(_)) || variant(&arm.pat).is_some());
        if !holding || !all || !is_name(&of.expr) {
            return None;
        }
        let (last, others) = gives.split_last()?;
        let mut given = last.1;
        for (arm, value) in others.iter().rev() {
            let test = match of.arms.get(*arm).and_then(|arm| variant(&arm.pat)) {
                Some((path, true)) => {
                    let left = if *arm == others[0].0 { test } else { self.expr(&of.expr) };
                    let path = Tree::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: path.clone() });
                    let right = self.expr(&path);
                    self.push(Expr::Equal { left, right, loose: false }, span)
                }
                _ => self.opaque("which variant it is", Vec::new(), span),
            };
            given = self.choice(Some(test), vec![*value, given], span);
        }
        Some(given)
    }
}

/// The variant that a pattern names, and whether it holds something.
fn variant(pat: &Pat) -> Option<(&syn::Path, bool)> {
    let (path, holds) = match pat {
        Pat::TupleStruct(of) => (&of.path, true),
        Pat::Struct(of) => (&of.path, true),
        Pat::Path(of) => (&of.path, false),
        _ => return None,
    };
    (path.segments.len() > 1).then_some((path, holds))
}

/// Whether an expression is a name, a field, or a reference to one.
fn is_name(expr: &Tree) -> bool {
    match expr {
        Tree::Path(_) => true,
        Tree::Field(of) => is_name(&of.base),
        Tree::Reference(of) => is_name(&of.expr),
        Tree::Paren(of) => is_name(&of.expr),
        _ => false,
    }
}
