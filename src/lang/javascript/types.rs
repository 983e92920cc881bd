//! Written types, as far as they can name a client.
//!
//! In: the node of a type. Out: a [`TypeRef`], or nothing where it cannot matter. Paths that TypeScript has no name for:
//! `|` (union), `dyn` (intersection), `[]` (array), `()` (tuple), `=>` (function, its argument is what it returns),
//! `typeof` (its argument is the path of the value), `null`, `undefined`.

use tree_sitter::Node;

use super::lower::{Kids, Lowerer};
use super::roles::Role;
use crate::facts::{Source, TypeRef};

impl<'t> Lowerer<'t> {
    /// Lowers a type.
    pub(super) fn type_ref(&mut self, node: Node<'t>) -> Option<TypeRef> {
        self.deeper(node, |l| l.type_of(node)).flatten()
    }

    /// Declares the types that a function or class leaves to who uses it: each is at least what bounds it (`<T extends Repository>`).
    pub(super) fn type_parameters(&mut self, kids: &Kids<'t>) {
        let Some(list) = kids.get(self.grammar.field.type_parameters) else { return };
        let list = self.kids(list);
        for kid in list.named() {
            let parts = self.kids(kid);
            let (name, bound) = (parts.get(self.grammar.field.name), parts.get(self.grammar.field.constraint));
            self.done(parts);
            let bound = bound.and_then(|bound| self.first(bound)).and_then(|bound| self.type_ref(bound));
            if let (Some(name), Some(bound)) = (name, bound) {
                self.declare_here(name, Source::Alias(bound));
            }
        }
        self.done(list);
    }

    fn type_of(&mut self, node: Node<'t>) -> Option<TypeRef> {
        match self.role(node) {
            Role::TypeName => Some(self.path_of(self.text(node))),
            Role::TypeInner => {
                let inner = self.first(node)?;
                self.type_ref(inner)
            }
            Role::TypeGeneric => self.generic(node),
            Role::TypeList => self.made_of("[]", node),
            Role::TypeTuple => self.made_of("()", node),
            Role::TypeUnion => self.flat("|", Role::TypeUnion, node),
            Role::TypeBoth => self.flat("dyn", Role::TypeBoth, node),
            Role::TypeObject if node.named_child_count() > 0 => Some(self.type_in_place(node)),
            Role::TypeFunction => {
                let result = node.child_by_field_id(self.grammar.field.return_type)?;
                let result = self.type_ref(result)?;
                Some(self.named("=>", vec![result]))
            }
            Role::TypeQuery => {
                let value = self.first(node).filter(|value| matches!(self.role(*value), Role::Name | Role::Member))?;
                let of = self.path_of(self.text(value));
                Some(self.named("typeof", vec![of]))
            }
            Role::TypeLiteral => match self.text(node) {
                word @ ("null" | "undefined") => Some(self.path_of(word)),
                _ => None,
            },
            _ => None,
        }
    }

    fn named(&self, name: &str, args: Vec<TypeRef>) -> TypeRef {
        TypeRef { path: vec![name.into()], scope: self.scope, args }
    }

    fn path_of(&self, text: &str) -> TypeRef {
        TypeRef { path: text.split('.').map(|part| part.trim().into()).collect(), scope: self.scope, args: Vec::new() }
    }

    fn generic(&mut self, node: Node<'t>) -> Option<TypeRef> {
        let kids = self.kids(node);
        let (name, arguments) = (kids.get(self.grammar.field.name), kids.get(self.grammar.field.type_arguments));
        self.done(kids);
        let mut ty = self.path_of(self.text(name?));
        if let Some(arguments) = arguments {
            let unknown = self.named("unknown", Vec::new());
            let kids = self.kids(arguments);
            ty.args = kids.named().map(|kid| self.type_ref(kid).unwrap_or_else(|| unknown.clone())).collect();
            self.done(kids);
        }
        Some(ty)
    }

    fn made_of(&mut self, name: &str, node: Node<'t>) -> Option<TypeRef> {
        let kids = self.kids(node);
        let args = kids.named().filter_map(|kid| self.type_ref(kid)).collect();
        self.done(kids);
        Some(self.named(name, args))
    }

    /// A type whose parts lean to the left: `A | B | C`.
    fn flat(&mut self, name: &str, role: Role, node: Node<'t>) -> Option<TypeRef> {
        let mut args = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.take() {
            let kids = self.kids(node);
            let mut parts: Vec<Node<'t>> = kids.named().collect();
            self.done(kids);
            if parts.first().is_some_and(|first| self.role(*first) == role) {
                at = Some(parts.remove(0));
            }
            args.extend(parts.into_iter().rev().filter_map(|part| self.type_ref(part)));
        }
        args.reverse();
        match args.len() {
            0 => None,
            1 => args.pop(),
            _ => Some(self.named(name, args)),
        }
    }
}
