//! Destructuring: which part of a value each name of a pattern gets.
//!
//! In: a pattern's node and the value it takes apart. Out: sources of bindings, or writes where a pattern assigns to members.

use tree_sitter::Node;

use super::literals::Key;
use super::lower::{Lowerer, span};
use super::roles::Role;
use crate::facts::{Expr, ExprId, FunctionId, ScopeId, Source, Step, TypeRef};

/// What a pattern takes apart.
pub(super) enum Whole {
    /// The value of an expression.
    Value(ExprId),
    /// A parameter.
    Param { function: FunctionId, index: u32 },
    /// Each element of a collection.
    Element(ExprId),
    /// Something that cannot be followed.
    Opaque(&'static str),
}

/// What a pattern does with the names in it.
pub(super) enum Target {
    /// Declares them.
    Declare { scope: ScopeId, ty: Option<TypeRef> },
    /// Assigns to them.
    Assign,
}

impl Whole {
    fn source(&self, path: &[Step], default: Option<ExprId>) -> Source {
        match *self {
            Self::Value(of) if path.is_empty() && default.is_none() => Source::Value(of),
            Self::Value(of) => Source::Part { of, path: path.to_vec(), default },
            Self::Param { function, index } => Source::Param { function, index, path: path.to_vec(), default },
            Self::Element(of) if path.is_empty() => Source::Element(of),
            Self::Element(_) => Source::Opaque("a part of an element of a collection"),
            Self::Opaque(reason) => Source::Opaque(reason),
        }
    }
}

impl<'t> Lowerer<'t> {
    /// Gives each name of a pattern its part of the whole.
    pub(super) fn bind(
        &mut self,
        pattern: Node<'t>,
        whole: &Whole,
        path: &mut Vec<Step>,
        default: Option<ExprId>,
        target: &Target,
    ) {
        match self.role(pattern) {
            Role::Name | Role::PatternShort => self.bind_name(pattern, whole.source(path, default), target),
            Role::PatternObject | Role::PatternArray | Role::PatternDefault => {
                self.deeper(pattern, |l| match l.role(pattern) {
                    Role::PatternObject => l.bind_object(pattern, whole, path, target),
                    Role::PatternArray => l.bind_array(pattern, whole, path, target),
                    _ => l.bind_default(pattern, whole, path, target),
                });
            }
            Role::Through => {
                if let Some(inner) = self.first(pattern) {
                    self.deeper(pattern, |l| l.bind(inner, whole, path, default, target));
                }
            }
            Role::Member | Role::Index => {
                let value = self.part(whole, path, pattern);
                self.write_member(pattern, value, pattern);
            }
            _ => {}
        }
    }

    fn bind_name(&mut self, name: Node<'t>, source: Source, target: &Target) {
        match target {
            Target::Declare { scope, ty } => {
                let binding = self.declare(self.text(name), span(name), *scope);
                self.give(binding, source);
                if let Some(binding) = self.facts.bindings.get_mut(binding.index())
                    && binding.ty.is_none()
                {
                    binding.ty.clone_from(ty);
                }
            }
            Target::Assign => self.assign(self.text(name), span(name), source),
        }
    }

    fn bind_default(&mut self, pattern: Node<'t>, whole: &Whole, path: &mut Vec<Step>, target: &Target) {
        let kids = self.kids(pattern);
        let (left, right) = (kids.get(self.grammar.field.left), kids.get(self.grammar.field.right));
        self.done(kids);
        let Some(left) = left else { return };
        let default = right.map(|right| self.value_named(right, self.text(left)));
        let step = (self.role(left) == Role::PatternShort).then(|| Step::Name(self.text(left).into()));
        let depth = path.len();
        path.extend(step);
        self.bind(left, whole, path, default, target);
        path.truncate(depth);
    }

    fn bind_object(&mut self, pattern: Node<'t>, whole: &Whole, path: &mut Vec<Step>, target: &Target) {
        let kids = self.kids(pattern);
        let mut taken: Vec<Box<str>> = Vec::new();
        for kid in kids.named() {
            match self.role(kid) {
                Role::PatternShort => {
                    taken.push(self.text(kid).into());
                    path.push(Step::Name(self.text(kid).into()));
                    self.bind(kid, whole, path, None, target);
                    path.pop();
                }
                Role::PatternDefault => {
                    if let Some(left) = kid.child_by_field_id(self.grammar.field.left) {
                        taken.push(self.text(left).into());
                    }
                    self.bind(kid, whole, path, None, target);
                }
                Role::PatternPair => self.bind_pair(kid, whole, path, target, &mut taken),
                Role::PatternRest => self.bind_rest(kid, whole, path, target, &taken),
                _ => {}
            }
        }
        self.done(kids);
    }

    fn bind_pair(&mut self, pair: Node<'t>, whole: &Whole, path: &mut Vec<Step>, target: &Target, taken: &mut Vec<Box<str>>) {
        let kids = self.kids(pair);
        let (key, value) = (kids.get(self.grammar.field.key), kids.get(self.grammar.field.value));
        self.done(kids);
        let (Some(key), Some(value)) = (key, value) else { return };
        match self.key(key) {
            Key::Named(name) => {
                taken.push(name.clone());
                path.push(Step::Name(name));
                self.bind(value, whole, path, None, target);
                path.pop();
            }
            Key::Computed(_) => {
                self.bind(value, &Whole::Opaque("a member whose name is computed"), &mut Vec::new(), None, target);
            }
        }
    }

    fn bind_rest(&mut self, rest: Node<'t>, whole: &Whole, path: &[Step], target: &Target, taken: &[Box<str>]) {
        let Some(name) = self.first(rest) else { return };
        let of = self.part(whole, path, rest);
        let source = Source::Rest { of, without: taken.to_vec() };
        if matches!(self.role(name), Role::Name | Role::PatternShort) {
            self.bind_name(name, source, target);
        }
    }

    fn bind_array(&mut self, pattern: Node<'t>, whole: &Whole, path: &mut Vec<Step>, target: &Target) {
        let kids = self.kids(pattern);
        let mut index = 0;
        for kid in kids.iter() {
            if !kid.is_named() {
                index += u32::from(self.text(kid) == ",");
                continue;
            }
            if self.role(kid) == Role::PatternRest {
                if let Some(name) = self.first(kid) {
                    self.bind(name, &Whole::Opaque("the rest of a list"), &mut Vec::new(), None, target);
                }
                continue;
            }
            path.push(Step::Index(index));
            self.bind(kid, whole, path, None, target);
            path.pop();
        }
        self.done(kids);
    }

    /// An expression for a part of what a pattern takes apart.
    fn part(&mut self, whole: &Whole, path: &[Step], node: Node<'t>) -> ExprId {
        let mut at = match *whole {
            Whole::Value(of) => of,
            Whole::Param { function, index } => self.parameter_name(function, index, node),
            Whole::Element(_) => return self.opaque("an element of a collection", Vec::new(), node),
            Whole::Opaque(reason) => return self.opaque(reason, Vec::new(), node),
        };
        for step in path {
            at = match step {
                Step::Name(name) => self.push(Expr::Member { of: at, name: name.clone() }, node),
                Step::Index(index) => {
                    let key = self.push(Expr::Number(f64::from(*index)), node);
                    self.push(Expr::Index { of: at, key }, node)
                }
                Step::Variant(_) => at,
            };
        }
        at
    }

    /// A name for a parameter that has none because it is taken apart: `param:0`.
    fn parameter_name(&mut self, function: FunctionId, index: u32, node: Node<'t>) -> ExprId {
        let name = format!("param:{index}");
        let binding = self.add_binding(&name, span(node), self.scope);
        self.give(binding, Source::Param { function, index, path: Vec::new(), default: None });
        self.push(Expr::Name(name.into(), self.scope), node)
    }
}
