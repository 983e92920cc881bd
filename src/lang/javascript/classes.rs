//! Classes, interfaces, type aliases and enums.
//!
//! In: the node of one of them. Out: a [`Class`] with its members, or a binding for an alias or an enum.

use tree_sitter::Node;

use super::functions::Made;
use super::literals::Key;
use super::lower::{Lowerer, span};
use super::roles::Role;
use crate::facts::{Binary, Class, ClassField, ClassId, Expr, ExprId, Field, Method, Scope, Source, TypeRef};

impl<'t> Lowerer<'t> {
    pub(super) fn class_declaration(&mut self, node: Node<'t>) {
        let name = node.child_by_field_id(self.grammar.field.name);
        let class = self.class(node, name.map(|name| self.text(name)));
        if let Some(name) = name {
            self.declare_here(name, Source::Class(class));
        }
    }

    /// A class as a value.
    pub(super) fn class_value(&mut self, node: Node<'t>, hint: Option<&'t str>) -> ExprId {
        let own = node.child_by_field_id(self.grammar.field.name);
        let class = self.class(node, own.map(|own| self.text(own)).or(hint));
        if let Some(own) = own {
            let scope = self.facts.class(class).scope;
            let binding = self.declare(self.text(own), span(own), scope);
            self.give(binding, Source::Class(class));
        }
        let literal = self.push(Expr::Class(class), node);
        self.facts.classes[class.index()].literal = Some(literal);
        literal
    }

    /// Adds a class without members yet.
    fn add_class(&mut self, node: Node<'t>, name: Option<&str>, is_abstract: bool) -> ClassId {
        let id = ClassId(self.facts.classes.len() as u32);
        let scope = self.add_scope(Scope { parent: Some(self.scope), function: self.function, class: Some(id), module: None });
        self.facts.classes.push(Class {
            name: name.map(Into::into),
            span: span(node),
            scope,
            extends: None,
            implements: Vec::new(),
            methods: Vec::new(),
            fields: Vec::new(),
            literal: None,
            decorators: Vec::new(),
            is_abstract,
        });
        id
    }

    fn class(&mut self, node: Node<'t>, name: Option<&str>) -> ClassId {
        let id = self.add_class(node, name, false);
        let kids = self.kids(node);
        let mut decorators = std::mem::take(&mut self.decorating);
        decorators.extend(self.decorators(&kids));
        self.facts.classes[id.index()].decorators = decorators;
        let around = std::mem::replace(&mut self.scope, self.facts.class(id).scope);
        self.type_parameters(&kids);
        self.scope = around;
        let body = kids.get(self.grammar.field.body);
        for kid in kids.named().filter(|kid| Some(*kid) != body) {
            if self.role(kid) == Role::Other {
                self.heritage(kid, id);
            }
        }
        self.done(kids);
        let before = self.standing();
        self.scope = self.facts.class(id).scope;
        if let Some(body) = body {
            self.members(body, id);
        }
        self.leave(before);
        let class = &mut self.facts.classes[id.index()];
        class.is_abstract = self.grammar.role(node) == Role::ClassAbstract
            && class.fields.is_empty()
            && class.methods.iter().all(|method| {
                self.facts.functions[method.function.index()].body.start == self.facts.functions[method.function.index()].span.end
            });
        id
    }

    /// `extends X`, `implements Y`.
    fn heritage(&mut self, node: Node<'t>, class: ClassId) {
        let kids = self.kids(node);
        for kid in kids.named() {
            let role = self.role(kid);
            if role.is_value() {
                let base = self.value(kid);
                let class = &mut self.facts.classes[class.index()];
                class.extends = class.extends.or(Some(base));
            } else if role.is_type() {
                if let Some(ty) = self.type_ref(kid) {
                    self.facts.classes[class.index()].implements.push(ty);
                }
            } else if role != Role::Ignored {
                self.deeper(kid, |l| l.heritage(kid, class));
            }
        }
        self.done(kids);
    }

    fn members(&mut self, body: Node<'t>, class: ClassId) {
        let kids = self.kids(body);
        for kid in kids.named() {
            match self.role(kid) {
                Role::Method | Role::SignatureMethod => self.method(kid, class),
                Role::Field | Role::SignatureField => self.field(kid, class),
                _ => self.statement(kid),
            }
        }
        self.done(kids);
    }

    fn method(&mut self, node: Node<'t>, class: ClassId) {
        let shape = self.method_shape(node);
        let key = shape.key.map(|key| self.key(key));
        if self.role(node) == Role::SignatureMethod && !self.describes(class, node) {
            return;
        }
        let name = shape.key.map(|key| self.text(key));
        let function = self.function(node, Made { name, class: Some(class), is_static: shape.is_static });
        if let (Some(Key::Named(name)), false) = (key, shape.setter) {
            self.facts.classes[class.index()].methods.push(Method { name, function, getter: shape.getter });
        }
    }

    /// Whether a signature stands for a method of its own: in an interface, or abstract; not an overload.
    fn describes(&self, class: ClassId, node: Node<'t>) -> bool {
        self.facts.class(class).is_abstract || node.kind() == "abstract_method_signature"
    }

    fn field(&mut self, node: Node<'t>, class: ClassId) {
        let shape = self.kids(node);
        let field = &self.grammar.field;
        let (name, value) = (shape.get(field.name).or_else(|| shape.get(field.property)), shape.get(field.value));
        let ty = shape.get(field.ty);
        let is_static = shape.iter().any(|kid| !kid.is_named() && self.text(kid) == "static");
        self.decorators(&shape);
        self.done(shape);
        let Some(name) = name else { return };
        let key = self.key(name);
        let ty = ty.and_then(|ty| self.type_ref(ty));
        let value = value.map(|value| self.value_named(value, self.text(name)));
        if let Key::Named(key) = key {
            let field = ClassField { name: key, span: span(name), is_static, value, ty };
            self.facts.classes[class.index()].fields.push(field);
        }
    }

    pub(super) fn interface(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let (name, body) = (kids.get(field.name), kids.get(field.body));
        let Some(name) = name else { return };
        let class = self.described(node, Some(self.text(name)), body);
        for kid in kids.named() {
            if Some(kid) != body && self.role(kid) == Role::Other {
                self.heritage(kid, class);
            }
        }
        self.done(kids);
        self.declare_here(name, Source::Class(class));
    }

    /// A class that only describes.
    pub(super) fn described(&mut self, node: Node<'t>, name: Option<&str>, body: Option<Node<'t>>) -> ClassId {
        let class = self.add_class(node, name, true);
        let before = self.standing();
        self.scope = self.facts.class(class).scope;
        if let Some(body) = body {
            self.members(body, class);
        }
        self.leave(before);
        class
    }

    /// `type X = …`.
    pub(super) fn alias(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        let (name, value) = (kids.get(self.grammar.field.name), kids.get(self.grammar.field.value));
        self.done(kids);
        let (Some(name), Some(value)) = (name, value) else { return };
        let source = if self.role(value) == Role::TypeObject {
            Source::Class(self.described(node, Some(self.text(name)), Some(value)))
        } else if let Some(ty) = self.type_ref(value) {
            Source::Alias(ty)
        } else {
            return;
        };
        self.declare_here(name, source);
    }

    /// An enum is an object; its members are names for those that follow.
    pub(super) fn enumeration(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        let (name, body) = (kids.get(self.grammar.field.name), kids.get(self.grammar.field.body));
        self.done(kids);
        let (Some(name), Some(body)) = (name, body) else { return };
        let before = self.enter();
        let kids = self.kids(body);
        let mut fields: Vec<Field> = Vec::new();
        let mut last = None;
        for kid in kids.named() {
            let parts = self.kids(kid);
            let (key, value) = (parts.get(self.grammar.field.name).unwrap_or(kid), parts.get(self.grammar.field.value));
            self.done(parts);
            let Key::Named(member) = self.key(key) else { continue };
            let value = match value {
                Some(value) => self.value(value),
                None => self.next_member(last, kid),
            };
            last = Some(member.clone());
            let binding = self.declare(self.text(key), span(key), self.scope);
            self.give(binding, Source::Value(value));
            fields.push(Field::Named(member, value));
        }
        self.done(kids);
        self.leave(before);
        let object = self.push(Expr::Object { of: None, fields }, node);
        self.declare_here(name, Source::Value(object));
    }

    /// The value of an enum's member that says none: one more than the member before.
    fn next_member(&mut self, last: Option<Box<str>>, node: Node<'t>) -> ExprId {
        let Some(last) = last else { return self.push(Expr::Number(0.0), node) };
        let left = self.push(Expr::Name(last, self.scope), node);
        let right = self.push(Expr::Number(1.0), node);
        self.push(Expr::Binary { op: Binary::Add, left, right }, node)
    }

    /// A type written in place, under a name of its own.
    pub(super) fn type_in_place(&mut self, node: Node<'t>) -> TypeRef {
        let name = format!("type:{}", node.start_byte());
        let class = self.described(node, None, Some(node));
        let binding = self.add_binding(&name, span(node), self.scope);
        self.give(binding, Source::Class(class));
        TypeRef { path: vec![name.into()], scope: self.scope, args: Vec::new() }
    }
}
