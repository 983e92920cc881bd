//! Classes that are written as functions: `function Client() { this.http = … }`, `Client.prototype.get = function () { … }`.
//!
//! In: the facts of a whole file. Out: a [`Class`] for each function that its file treats as one, in the place of the function. Nothing
//! says that a function is a class but what is done with it: methods are put on its prototype, or it is written large and sets fields
//! of its own.

use super::lower::Lowerer;
use crate::facts::{BindingId, CallForm, Class, ClassId, Expr, ExprId, FunctionId, Method, Scope, Source};

impl<'t> Lowerer<'t> {
    /// Makes classes of functions that are used as such.
    pub(super) fn classes_of_functions(&mut self) {
        let named = self.facts.extensions.iter().filter_map(|extension| match extension.of.path.as_slice() {
            [name] if !extension.methods.is_empty() => self.look_up(name, extension.of.scope),
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
            if let Some(function) = self
                .function_in(binding)
                .filter(|function| self.gives_nothing(*function) && (is_named || self.sets_fields(*function)))
            {
                self.class_of_function(binding, function);
            }
        }
        self.inheritance();
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

    /// Whether a function gives nothing back but an object of its own.
    fn gives_nothing(&self, function: FunctionId) -> bool {
        self.facts
            .function(function)
            .returns
            .iter()
            .all(|value| matches!(self.facts.expr(*value), Expr::This | Expr::Undefined | Expr::Call { form: CallForm::New, .. }))
    }

    /// Whether a function writes to members of its own `this`.
    fn sets_fields(&self, function: FunctionId) -> bool {
        self.facts.writes.iter().any(|write| {
            matches!(self.facts.expr(write.root), Expr::This) && self.facts.scope_function(write.scope) == Some(function)
        })
    }

    /// Gives classes that are written as functions what they inherit from: `inherits(A, B)`, `A.prototype = Object.create(B.prototype)`.
    fn inheritance(&mut self) {
        let told = self.facts.calls.iter().filter_map(|call| self.inherits(*call));
        let heirs: Vec<(BindingId, ExprId)> =
            told.chain(self.heirs.iter().filter_map(|(heir, scope, base)| Some((self.look_up(heir, *scope)?, *base)))).collect();
        for (heir, base) in heirs {
            let [Source::Class(class)] = self.facts.bindings[heir.index()].sources.as_slice() else { continue };
            let class = *class;
            let constructor = self.facts.class(class).methods.first().map(|method| method.function);
            self.facts.classes[class.index()].extends = Some(base);
            if let (Some(constructor), Expr::Name(name, _)) = (constructor, self.facts.expr(base).clone()) {
                self.calls_of_base(constructor, &name);
            }
        }
    }

    /// The heir and the base of `inherits(A, B)`.
    fn inherits(&self, call: ExprId) -> Option<(BindingId, ExprId)> {
        let Expr::Call { callee, args, .. } = self.facts.expr(call) else { return None };
        let (Expr::Name(called, _) | Expr::Member { name: called, .. }) = self.facts.expr(*callee) else { return None };
        let [heir, base] = args.as_slice() else { return None };
        match self.facts.expr(heir.value) {
            Expr::Name(name, scope) if &**called == "inherits" => Some((self.look_up(name, *scope)?, base.value)),
            _ => None,
        }
    }

    /// Notes `A.prototype = Object.create(B.prototype)`.
    pub(super) fn note_heir(&mut self, heir: &'t str, value: ExprId) {
        let Expr::Call { callee, args, .. } = self.facts.expr(value) else { return };
        let creates = matches!(self.facts.expr(*callee), Expr::Member { name, .. } if &**name == "create");
        let base = args.first().and_then(|arg| match self.facts.expr(arg.value) {
            Expr::Member { of, name } if creates && &**name == "prototype" => Some(*of),
            _ => None,
        });
        self.heirs.extend(base.map(|base| (heir, self.scope, base)));
    }

    /// `Base.call(this, a)` in a constructor is what `super(a)` is in a class.
    fn calls_of_base(&mut self, constructor: FunctionId, base: &str) {
        for call in self.facts.calls.clone() {
            let Expr::Call { callee, args, .. } = self.facts.expr(call) else { continue };
            let (callee, args) = (*callee, args.clone());
            let Expr::Member { of, name } = self.facts.expr(callee) else { continue };
            let is_base = matches!(self.facts.expr(*of), Expr::Name(of, _) if **of == *base) && &**name == "call";
            let on_this = args.first().is_some_and(|arg| matches!(self.facts.expr(arg.value), Expr::This));
            if is_base && on_this && self.facts.function_of(call) == Some(constructor) {
                self.facts.exprs[callee.index()] = Expr::Super;
                if let Expr::Call { args, .. } = &mut self.facts.exprs[call.index()] {
                    args.remove(0);
                }
            }
        }
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
