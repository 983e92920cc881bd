//! Assignments: to names, to members, to `exports`, to prototypes.
//!
//! In: an assignment's node. Out: a source noted for a name, a [`Write`], an export or an [`Extension`]; and the value, for
//! whoever uses the assignment as one.

use tree_sitter::Node;

use super::lower::{Lowerer, span};
use super::patterns::{Target, Whole};
use super::roles::Role;
use crate::facts::{ClassField, Either, Expr, ExprId, Extension, Field, Method, Source, Step, TypeRef, Write};

const COUNT: &str = "a running count";

impl<'t> Lowerer<'t> {
    pub(super) fn assignment(&mut self, node: Node<'t>) -> ExprId {
        let (left, right, _) = self.sides(node);
        let (Some(left), Some(right)) = (left, right) else {
            let mut parts = Vec::new();
            self.values_inside(node, &mut parts);
            return self.opaque("code that cannot be read", parts, node);
        };
        match self.role(left) {
            Role::Name => {
                let name = self.text(left);
                let value = self.value_named(right, name);
                if name != "exports" || !self.is_global("exports") {
                    self.assign(name, span(left), Source::Value(value));
                }
                value
            }
            Role::Member | Role::Index => self.member_assignment(left, right, node),
            _ => {
                let value = self.value(right);
                self.bind(left, &Whole::Value(value), &mut Vec::new(), None, &Target::Assign);
                value
            }
        }
    }

    /// Both sides of an assignment and its operator; what leaves the left side as it is, is taken off.
    fn sides(&mut self, node: Node<'t>) -> (Option<Node<'t>>, Option<Node<'t>>, &'t str) {
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let (left, right) = (kids.get(field.left), kids.get(field.right));
        let operator = kids.get(field.operator).map_or("=", |operator| self.text(operator));
        self.done(kids);
        (left.map(|left| self.bare(left)), right, operator)
    }

    /// A node without the parentheses and assertions around it.
    pub(super) fn bare(&mut self, mut node: Node<'t>) -> Node<'t> {
        while self.role(node) == Role::Through {
            let kids = self.kids(node);
            let inner = kids.named().find(|kid| self.role(*kid).is_value());
            self.done(kids);
            match inner {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }

    fn member_assignment(&mut self, left: Node<'t>, right: Node<'t>, node: Node<'t>) -> ExprId {
        let (root, path) = self.target(left);
        if let Some(last) = left.child_by_field_id(self.grammar.field.property) {
            self.hint = Some(self.text(last));
        }
        if let Some(rest) = self.exports_path(root, &path) {
            if rest.len() <= 1 {
                let value = self.value(right);
                self.assign_export(rest.first(), value, node);
                return value;
            }
        } else if let Some(at) = path.iter().position(|step| matches!(step, Step::Name(name) if &**name == "prototype"))
            && self.role(root) == Role::Name
            && path.len() <= at + 2
        {
            let value = self.value(right);
            self.extend(root, &path, at, value, node);
            return value;
        }
        let hint = self.hint.take();
        let (root, path) = self.lower_target(root, path);
        self.hint = hint;
        let value = self.value(right);
        self.write(root, path, value, node);
        value
    }

    /// Notes the write of a value to a member.
    pub(super) fn write_member(&mut self, target: Node<'t>, value: ExprId, node: Node<'t>) {
        let (root, path) = self.target(target);
        let (root, path) = self.lower_target(root, path);
        self.write(root, path, value, node);
    }

    fn write(&mut self, root: ExprId, path: Vec<Step>, value: ExprId, node: Node<'t>) {
        self.facts.writes.push(Write { root, path, value, span: span(node), scope: self.scope });
    }

    /// The innermost object of a member, and the way from it.
    fn target(&mut self, node: Node<'t>) -> (Node<'t>, Vec<Step>) {
        let mut path = Vec::new();
        let mut at = node;
        loop {
            at = self.bare(at);
            let role = self.role(at);
            if role != Role::Member && role != Role::Index {
                break;
            }
            let field = &self.grammar.field;
            let kids = self.kids(at);
            let (object, property, index) = (kids.get(field.object), kids.get(field.property), kids.get(field.index));
            self.done(kids);
            let step = match (property, index) {
                (Some(property), _) => Step::Name(self.text(property).into()),
                (None, Some(index)) if self.role(index) == Role::Text => Step::Name(self.string_text(index)),
                (None, Some(index)) if self.role(index) == Role::Number => match self.text(index).parse() {
                    Ok(index) => Step::Index(index),
                    Err(_) => break,
                },
                _ => break,
            };
            let Some(object) = object else { break };
            path.push(step);
            at = object;
        }
        path.reverse();
        (at, path)
    }

    /// Lowers the innermost object. A member of `exports` is one object with its own name.
    fn lower_target(&mut self, root: Node<'t>, path: Vec<Step>) -> (ExprId, Vec<Step>) {
        if let Some(rest) = self.exports_path(root, &path)
            && let Some((Step::Name(first), rest)) = rest.split_first()
        {
            return (self.own_exports(&format!("exports.{first}"), root), rest.to_vec());
        }
        (self.value(root), path)
    }

    pub(super) fn augmented(&mut self, node: Node<'t>) -> ExprId {
        let (left, right, operator) = self.sides(node);
        let (Some(left), Some(right)) = (left, right) else {
            return self.opaque("code that cannot be read", Vec::new(), node);
        };
        let kind = match operator {
            "||=" => Some(Either::Or),
            "??=" => Some(Either::Coalesce),
            "&&=" => Some(Either::And),
            _ => None,
        };
        let before = self.value(left);
        let value = match self.role(left) {
            Role::Name => self.value_named(right, self.text(left)),
            _ => self.value(right),
        };
        let whole = match kind {
            Some(kind) => self.either(kind, before, value, node),
            None => self.opaque(COUNT, vec![before, value], node),
        };
        let given = if kind.is_some() { value } else { whole };
        match self.role(left) {
            Role::Name if kind.is_some() => self.assign(self.text(left), span(left), Source::Value(value)),
            Role::Name => self.count(left),
            Role::Member | Role::Index => self.write_member(left, given, node),
            _ => {}
        }
        whole
    }

    pub(super) fn update(&mut self, node: Node<'t>) -> ExprId {
        let Some(argument) = node.child_by_field_id(self.grammar.field.argument) else {
            return self.opaque(COUNT, Vec::new(), node);
        };
        let argument = self.bare(argument);
        let before = self.value(argument);
        let whole = self.opaque(COUNT, vec![before], node);
        match self.role(argument) {
            Role::Name => self.count(argument),
            Role::Member | Role::Index => self.write_member(argument, whole, node),
            _ => {}
        }
        whole
    }

    fn count(&mut self, name: Node<'t>) {
        if !self.counting {
            self.assign(self.text(name), span(name), Source::Opaque(COUNT));
        }
    }

    /// `A.prototype.b = …`, `A.prototype = { … }`; `at` is where the path says `prototype`.
    fn extend(&mut self, root: Node<'t>, path: &[Step], at: usize, value: ExprId, node: Node<'t>) {
        if at == 0 && path.len() == 1 {
            self.note_heir(self.text(root), value);
        }
        let mut names = vec![self.text(root).into()];
        names.extend(path.iter().take(at).filter_map(|step| match step {
            Step::Name(name) => Some(name.clone()),
            Step::Index(_) | Step::Variant(_) => None,
        }));
        let of = TypeRef { path: names, scope: self.scope, args: Vec::new() };
        let mut extension = Extension { of, via: None, lends: false, methods: Vec::new(), constants: Vec::new() };
        let fields = match (path.get(at + 1), self.facts.expr(value)) {
            (Some(Step::Name(name)), _) => vec![Field::Named(name.clone(), value)],
            (None, Expr::Object { fields, .. }) => fields.clone(),
            _ => Vec::new(),
        };
        for field in fields {
            let Field::Named(name, value) = field else { continue };
            match self.facts.expr(value) {
                Expr::Function(function) => extension.methods.push(Method { name, function: *function, getter: false }),
                _ => {
                    let span = span(node);
                    extension.constants.push(ClassField { name, span, is_static: false, value: Some(value), ty: None });
                }
            }
        }
        self.facts.extensions.push(extension);
    }
}
