//! Functions, arrow functions and methods, with their parameters.
//!
//! In: a function's node. Out: a [`Function`] with its scope, parameters and what it returns.

use tree_sitter::Node;

use super::lower::{Kids, Lowerer, span};
use super::patterns::{Target, Whole};
use super::roles::Role;
use crate::facts::{ClassField, ClassId, Expr, ExprId, Function, FunctionId, Param, Scope, ScopeId, Source};
use crate::span::Span;

/// What the place of a function says of it.
#[derive(Clone, Copy, Default)]
pub(super) struct Made<'t> {
    pub(super) name: Option<&'t str>,
    pub(super) class: Option<ClassId>,
    pub(super) is_static: bool,
}

/// What stands before the parameters of a method.
#[derive(Default)]
pub(super) struct MethodShape<'t> {
    pub(super) key: Option<Node<'t>>,
    pub(super) is_static: bool,
    pub(super) getter: bool,
    pub(super) setter: bool,
}

impl<'t> Lowerer<'t> {
    /// A function as a value.
    pub(super) fn function_value(&mut self, node: Node<'t>, hint: Option<&'t str>) -> ExprId {
        let function = self.function(node, Made { name: hint, ..Made::default() });
        self.function_literal(function, node)
    }

    /// The expression that makes a function.
    pub(super) fn function_literal(&mut self, function: FunctionId, node: Node<'t>) -> ExprId {
        let literal = self.push(Expr::Function(function), node);
        self.facts.functions[function.index()].literal = Some(literal);
        literal
    }

    /// A function declared by name.
    pub(super) fn function_declaration(&mut self, node: Node<'t>) {
        let name = node.child_by_field_id(self.grammar.field.name);
        let function = self.function(node, Made { name: name.map(|name| self.text(name)), ..Made::default() });
        if let Some(name) = name {
            self.declare_here(name, Source::Function(function));
        }
    }

    /// Reads what stands before the parameters of a method.
    pub(super) fn method_shape(&mut self, node: Node<'t>) -> MethodShape<'t> {
        let kids = self.kids(node);
        let mut shape = MethodShape::default();
        for kid in kids.fields() {
            if kid.field == self.grammar.field.name {
                shape.key = Some(kid.node);
                break;
            }
            if !kid.node.is_named() {
                match self.text(kid.node) {
                    "static" => shape.is_static = true,
                    "get" => shape.getter = true,
                    "set" => shape.setter = true,
                    text if text.starts_with("static") => (shape.is_static, shape.getter) = (true, true),
                    _ => {}
                }
            }
        }
        self.done(kids);
        shape
    }

    /// Lowers a function, its parameters and its body. What has no body only describes.
    pub(super) fn function(&mut self, node: Node<'t>, made: Made<'t>) -> FunctionId {
        let id = FunctionId(self.facts.functions.len() as u32);
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let before = self.standing();
        let scope = self.add_scope(Scope { parent: Some(self.scope), function: Some(id), class: None, module: None });
        let body = kids.get(field.body);
        let end = node.end_byte() as u32;
        self.facts.functions.push(Function {
            name: None,
            span: span(node),
            body: body.map_or(Span::new(end, end), span),
            scope,
            class: made.class,
            is_static: made.is_static,
            is_async: kids.iter().take_while(|kid| Some(*kid) != body).any(|kid| !kid.is_named() && self.text(kid) == "async"),
            is_block: false,
            params: Vec::new(),
            returns_type: None,
            returns: Vec::new(),
            literal: None,
            is_test: false,
            is_private: false,
        });
        (self.scope, self.var_scope, self.function) = (scope, scope, Some(id));
        let name = self.own_name(node, &kids, id, scope).or(made.name);
        let params = self.parameters(&kids, id);
        let returns_type = kids.get(field.return_type).and_then(|ty| self.type_ref(ty));
        self.done(kids);
        let function = &mut self.facts.functions[id.index()];
        function.name = name.map(Into::into);
        function.params = params;
        function.returns_type = returns_type;
        if let Some(body) = body {
            self.function_body(body, id);
            self.note_recursion(id);
        }
        self.leave(before);
        id
    }

    /// The name that a function value has for itself.
    fn own_name(&mut self, node: Node<'t>, kids: &Kids<'t>, id: FunctionId, scope: ScopeId) -> Option<&'t str> {
        if self.role(node) != Role::FunctionValue {
            return None;
        }
        let name = kids.get(self.grammar.field.name)?;
        let binding = self.declare(self.text(name), span(name), scope);
        self.give(binding, Source::Function(id));
        Some(self.text(name))
    }

    fn function_body(&mut self, body: Node<'t>, id: FunctionId) {
        if self.role(body) == Role::Block {
            self.statements(body);
            return;
        }
        let value = self.value(body);
        self.facts.functions[id.index()].returns.push(value);
    }

    fn parameters(&mut self, kids: &Kids<'t>, function: FunctionId) -> Vec<Param> {
        let field = &self.grammar.field;
        let mut params = Vec::new();
        if let Some(only) = kids.get(field.parameter) {
            self.parameter(only, function, &mut params);
        }
        if let Some(list) = kids.get(field.parameters) {
            let list = self.kids(list);
            for kid in list.named() {
                self.parameter(kid, function, &mut params);
            }
            self.done(list);
        }
        params
    }

    fn parameter(&mut self, node: Node<'t>, function: FunctionId, params: &mut Vec<Param>) {
        let mut param = Param { name: None, default: None, ty: None, rest: false, field: false };
        let mut pattern = node;
        let mut default = None;
        if self.role(node) == Role::Parameter {
            let kids = self.kids(node);
            let field = &self.grammar.field;
            default = kids.get(field.value);
            param.ty = kids.get(field.ty).and_then(|ty| self.type_ref(ty));
            param.field = kids.iter().any(|kid| self.is_property_mark(kid));
            let inner = kids.get(field.pattern).or_else(|| kids.get(field.name));
            let decorators = self.decorators(&kids);
            let index = params.len() as u32;
            self.facts.decorated.extend(decorators.into_iter().map(|decorator| (function, index, decorator)));
            self.done(kids);
            match inner {
                Some(inner) if self.role(inner) == Role::This => return,
                Some(inner) => pattern = inner,
                None => return,
            }
        }
        match self.role(pattern) {
            Role::PatternDefault => {
                let kids = self.kids(pattern);
                let (left, right) = (kids.get(self.grammar.field.left), kids.get(self.grammar.field.right));
                self.done(kids);
                let Some(left) = left else { return };
                (pattern, default) = (left, right);
            }
            Role::PatternRest => {
                param.rest = true;
                let Some(inner) = self.first(pattern) else { return };
                pattern = inner;
            }
            _ => {}
        }
        if self.role(pattern) == Role::Name {
            param.name = Some(self.text(pattern).into());
        }
        param.default = default.map(|default| match &param.name {
            Some(_) => self.value_named(default, self.text(pattern)),
            None => self.value(default),
        });
        let index = params.len() as u32;
        let target = Target::Declare { scope: self.scope, ty: param.name.as_ref().and(param.ty.clone()) };
        let whole = Whole::Param { function, index };
        let own_default = param.name.as_ref().and(param.default);
        self.bind(pattern, &whole, &mut Vec::new(), own_default, &target);
        if param.field {
            self.parameter_field(pattern, &param, function);
        }
        params.push(param);
    }

    /// `private`, `readonly` and their like make a parameter a field.
    fn is_property_mark(&self, node: Node<'t>) -> bool {
        self.role(node) == Role::Ignored || !node.is_named() && self.text(node) == "readonly"
    }

    fn parameter_field(&mut self, name: Node<'t>, param: &Param, function: FunctionId) {
        let Some(class) = self.facts.function(function).class else { return };
        let field = ClassField {
            name: param.name.clone().unwrap_or_default(),
            span: span(name),
            is_static: false,
            value: None,
            ty: param.ty.clone(),
        };
        self.facts.classes[class.index()].fields.push(field);
    }

    /// Lowers the expressions of decorators.
    pub(super) fn decorators(&mut self, kids: &Kids<'t>) -> Vec<ExprId> {
        let mut values = Vec::new();
        for kid in kids.named() {
            if self.role(kid) == Role::Decorator {
                self.values_inside(kid, &mut values);
            }
        }
        values
    }
}
