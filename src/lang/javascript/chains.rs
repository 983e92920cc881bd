//! Chains of members and calls, and the operators before them.
//!
//! In: a member or a subscript, or the callee of a call. Out: an [`ExprId`]. The TypeScript grammar reads `await a.b<T>(c).d` as
//! `(await a.b)<T>(c).d`, and so with every operator before a call with type arguments: here the operator is taken out of the
//! chain and put around it.

use tree_sitter::Node;

use super::lower::{Lowerer, span};
use super::roles::Role;
use crate::facts::{Expr, ExprId};
use crate::span::Span;

/// An operator on its way out of a chain.
pub(super) struct Floating<'t> {
    node: Node<'t>,
    /// Where the chain begins without it.
    chain: u32,
    /// The left side, of an operator between two values.
    left: Option<ExprId>,
}

impl<'t> Lowerer<'t> {
    pub(super) fn member(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let object = kids.get(self.grammar.field.object);
        let property = kids.get(self.grammar.field.property);
        self.done(kids);
        let name = property.map_or("", |property| self.text(property));
        let Some(object) = object else {
            return self.opaque("code that cannot be read", Vec::new(), node);
        };
        if let Some(export) = self.own_export_name(object, name) {
            return self.own_exports(&export, node);
        }
        if self.text(object) == "import" {
            return self.push(Expr::Name(self.text(node).into(), self.scope), node);
        }
        let of = self.head(object);
        self.push_link(Expr::Member { of, name: name.into() }, node)
    }

    pub(super) fn subscript(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let (object, index) = (kids.get(self.grammar.field.object), kids.get(self.grammar.field.index));
        self.done(kids);
        let (Some(object), Some(index)) = (object, index) else {
            return self.opaque("code that cannot be read", Vec::new(), node);
        };
        let of = self.head(object);
        if self.role(index) == Role::Text {
            let name = self.string_text(index);
            return self.push_link(Expr::Member { of, name }, node);
        }
        let key = self.value(index);
        self.push_link(Expr::Index { of, key }, node)
    }

    /// What a chain begins with.
    pub(super) fn head(&mut self, node: Node<'t>) -> ExprId {
        self.chained = true;
        let head = self.value(node);
        self.chained = false;
        head
    }

    /// Adds a link of a chain; without the operators before it that do not belong to it.
    pub(super) fn push_link(&mut self, expr: Expr, node: Node<'t>) -> ExprId {
        let mut at = span(node);
        if let Some(floating) = self.floating.last()
            && self.floating.iter().any(|floating| floating.node.start_byte() == node.start_byte())
        {
            at = Span::new(floating.chain, at.end);
        }
        self.facts.push(expr, at, self.scope)
    }

    /// The callee of a call, with the operators before it on their way out.
    pub(super) fn chained_callee(&mut self, mut node: Node<'t>) -> ExprId {
        let field = &self.grammar.field;
        loop {
            let kids = self.kids(node);
            let (left, inner) = match self.role(node) {
                Role::Await => (None, kids.named().next()),
                Role::Unary => (None, kids.get(field.argument)),
                Role::Binary => (kids.get(field.left), kids.get(field.right)),
                _ => (None, None),
            };
            self.done(kids);
            let Some(inner) = inner else { return self.head(node) };
            let left = left.map(|left| self.value(left));
            self.floating.push(Floating { node, chain: inner.start_byte() as u32, left });
            node = inner;
        }
    }

    /// Puts the operators that came out of a chain around it.
    pub(super) fn land(&mut self, mut value: ExprId, until: usize) -> ExprId {
        while self.floating.len() > until {
            let Some(Floating { node, left, .. }) = self.floating.pop() else { break };
            let end = self.facts.span(value).end;
            value = match left {
                Some(left) => {
                    let operator = node.child_by_field_id(self.grammar.field.operator);
                    self.operation(operator.map_or("", |operator| self.text(operator)), left, value, node)
                }
                None if self.role(node) == Role::Await => self.awaited(value, node),
                None => {
                    let operator = node.child_by_field_id(self.grammar.field.operator);
                    self.prefixed(operator.map_or("", |operator| self.text(operator)), value, node)
                }
            };
            if let Some(last) = self.facts.spans.get_mut(value.index()) {
                last.end = last.end.max(end);
            }
        }
        value
    }
}
