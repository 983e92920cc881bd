//! Classes that are written as functions: `function Client() { this.http = … }`, `Client.prototype.get = function () { … }`.
//!
//! In: the facts of a whole file. Out: a [`Class`] for each function that its file treats as one, in the place of the function. Nothing
//! says that a function is a class but what is done with it: methods are put on its prototype, or it is written large and sets fields
//! of its own.

use super::lower::Lowerer;
use crate::facts::{BindingId, Class, ClassId, Expr, FunctionId, Method, Scope, Source};

impl Lowerer<'_> {
    /// Makes classes of functions that are used as such.
    pub(super) fn classes_of_functions(&mut self) {
        let named = self.facts.extensions.iter().filter_map(|extension| match extension.of.path.as_slice() {
            [name] => self.look_up(name, extension.of.scope),
            _ => None,
        });
        let large = self
            .facts
            .bindings
            .iter()
            .enumerate()
            .filter(|(_, binding)| binding.name.starts_with(|first: char| first.is_ascii_uppercase()));
        let mut bindings: Vec<(BindingId, bool)> = named.map(|binding| (binding, true)).collect();
        bindings.extend(large.map(|(at, _)| (BindingId(at as u32), false)));
        for (binding, is_named) in bindings {
            if let Some(function) = self.function_in(binding).filter(|function| is_named || self.sets_fields(*function)) {
                self.class_of_function(binding, function);
            }
        }
    }

    /// The function that a name always means.
    fn function_in(&self, binding: BindingId) -> Option<FunctionId> {
        let sources = &self.facts.bindings[binding.index()].sources;
        match sources.as_slice() {
            [Source::Function(function)] => Some(*function),
            [Source::Value(value)] => match self.facts.expr(*value) {
                Expr::Function(function) => Some(*function),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a function writes to members of its own `this`.
    fn sets_fields(&self, function: FunctionId) -> bool {
        self.facts.writes.iter().any(|write| {
            matches!(self.facts.expr(write.root), Expr::This) && self.facts.scope_function(write.scope) == Some(function)
        })
    }

    fn class_of_function(&mut self, binding: BindingId, function: FunctionId) {
        let id = ClassId(self.facts.classes.len() as u32);
        let (name, scope) = {
            let binding = &self.facts.bindings[binding.index()];
            (binding.name.clone(), binding.scope)
        };
        let around = self.facts.scope_function(scope);
        let scope = self.add_scope(Scope { parent: Some(scope), function: around, class: Some(id), module: None });
        self.facts.classes.push(Class {
            decorators: Vec::new(),
            name: Some(name),
            span: self.facts.function(function).span,
            scope,
            extends: None,
            implements: Vec::new(),
            methods: vec![Method { name: "constructor".into(), function, getter: false }],
            fields: Vec::new(),
            literal: None,
            is_abstract: false,
        });
        self.facts.bindings[binding.index()].sources = vec![Source::Class(id)];
    }
}
