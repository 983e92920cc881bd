//! Functions, methods, closures and `async` blocks.
//!
//! In: syn's signatures and bodies. Out: [`Function`]s with their parameters and the values they return.

use syn::{FnArg, ItemFn, Pat, Signature, Visibility};

use super::attrs::is_test;
use super::lower::{Frame, Lower, plain};
use super::patterns::Origin;
use crate::facts::{ClassId, Expr, ExprId, Function, FunctionId, Param, Scope, Source, TypeRef};
use crate::span::Span;

/// The body of a function.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    /// Declared without one.
    None,
    /// A block.
    Block(&'a syn::Block),
    /// A closure's expression.
    Expr(&'a syn::Expr),
}

/// What a function is known by before its body is lowered.
struct Outline {
    name: Option<Box<str>>,
    span: Span,
    body: Span,
    class: Option<ClassId>,
    is_static: bool,
    is_async: bool,
    is_block: bool,
}

impl Lower<'_> {
    /// `fn name(…) { … }` of a module or block.
    pub(super) fn function_item(&mut self, item: &ItemFn) {
        let name = plain(&item.sig.ident);
        let at = self.marks.span(item.sig.ident.span());
        let function = self.method(&item.attrs, Some(&item.vis), &item.sig, Body::Block(&item.block), None);
        self.bind(name.clone(), at, None, Some(Source::Function(function)));
        self.export(name, at);
    }

    /// A function with a signature. `class`: the trait whose method it is.
    pub(super) fn method(
        &mut self,
        attrs: &[syn::Attribute],
        vis: Option<&Visibility>,
        sig: &Signature,
        body: Body<'_>,
        class: Option<ClassId>,
    ) -> FunctionId {
        let outer_test = self.test;
        self.test |= is_test(attrs);
        let last = match body {
            Body::Block(block) => block.brace_token.span.close(),
            Body::None | Body::Expr(_) => sig.paren_token.span.close(),
        };
        let body_span = match body {
            Body::Block(block) => self.marks.between(block.brace_token.span.open(), last),
            Body::None | Body::Expr(_) => {
                let end = self.marks.span(last).end;
                Span::new(end, end)
            }
        };
        let id = self.outline(Outline {
            name: Some(plain(&sig.ident)),
            span: self.marks.between(first_token(vis, sig), last),
            body: body_span,
            class,
            is_static: !matches!(sig.inputs.first(), Some(FnArg::Receiver(_))),
            is_async: sig.asyncness.is_some(),
            is_block: false,
        });
        let used = std::mem::take(&mut self.used);
        let generics = self.generics(&sig.generics);
        self.within_function(id, |this| {
            let output = this.output(&sig.output);
            if let Some(function) = this.facts.functions.get_mut(id.index()) {
                function.returns_type = output;
                function.is_private = matches!(vis, Some(Visibility::Inherited));
            }
            let typed = sig.inputs.iter().filter_map(|input| match input {
                FnArg::Typed(typed) => Some((&*typed.pat, this.ty(&typed.ty))),
                FnArg::Receiver(_) => None,
            });
            let typed: Vec<_> = typed.collect();
            this.params(id, typed);
            this.body(body);
        });
        self.forget_generics(generics);
        self.used = used;
        self.test = outer_test;
        id
    }

    /// An associated function without parameters that gives one value.
    pub(super) fn written_function(&mut self, name: &str, at: Span, value: impl FnOnce(&mut Self) -> ExprId) -> FunctionId {
        let name = Some(name.into());
        let id =
            self.outline(Outline { name, span: at, body: at, class: None, is_static: true, is_async: false, is_block: false });
        self.within_function(id, |this| {
            let value = value(this);
            this.frame().returns.push(value);
        });
        id
    }

    /// Reserves a function and its scope.
    fn outline(&mut self, outline: Outline) -> FunctionId {
        let Outline { name, span, body, class, is_static, is_async, is_block } = outline;
        let id = self.add_function(Function {
            name,
            span,
            body,
            scope: self.scope,
            class,
            is_static,
            is_async,
            is_block,
            params: Vec::new(),
            returns_type: None,
            returns: Vec::new(),
            literal: None,
            is_test: self.test,
            is_private: false,
        });
        let scope = self.add_scope_of(Scope { parent: Some(self.scope), function: Some(id), class: None, module: None });
        if let Some(function) = self.facts.functions.get_mut(id.index()) {
            function.scope = scope;
        }
        id
    }

    /// Lowers the inside of a function and keeps what it returns.
    fn within_function(&mut self, id: FunctionId, inner: impl FnOnce(&mut Self)) {
        self.frames.push(Frame::default());
        let scope = self.facts.function(id).scope;
        self.within(scope, inner);
        let returns = self.frames.pop().map(|frame| frame.returns).unwrap_or_default();
        if let Some(function) = self.facts.functions.get_mut(id.index()) {
            function.returns = returns;
        }
    }

    fn params(&mut self, id: FunctionId, typed: Vec<(&Pat, Option<TypeRef>)>) {
        for (at, (pat, ty)) in typed.into_iter().enumerate() {
            let name = match pat {
                Pat::Ident(ident) if ident.subpat.is_none() => Some(plain(&ident.ident)),
                _ => None,
            };
            if let Some(function) = self.facts.functions.get_mut(id.index()) {
                function.params.push(Param { name, default: None, ty: ty.clone(), rest: false, field: false });
            }
            self.pattern(pat, Origin::Param(id, at as u32), ty);
        }
    }

    fn body(&mut self, body: Body<'_>) {
        let tail = match body {
            Body::None => None,
            Body::Block(block) => self.statements(&block.stmts).value(),
            Body::Expr(expr) => self.tail(expr).value(),
        };
        self.frame().returns.extend(tail);
    }

    /// `|x| body`, `async move |x| body`.
    pub(super) fn closure(&mut self, closure: &syn::ExprClosure) -> ExprId {
        let first = match (&closure.constness, &closure.asyncness, &closure.capture) {
            (Some(token), ..) => token.span,
            (_, Some(token), _) => token.span,
            (_, _, Some(token)) => token.span,
            _ => closure.inputs_begin.span,
        };
        let bars = self.marks.between(first, closure.inputs_end.span);
        let id = self.outline(Outline {
            name: None,
            span: bars,
            body: bars,
            class: None,
            is_static: true,
            is_async: closure.asyncness.is_some(),
            is_block: false,
        });
        let mut end = bars.end;
        self.within_function(id, |this| {
            let output = this.output(&closure.output);
            if let Some(function) = this.facts.functions.get_mut(id.index()) {
                function.returns_type = output;
            }
            let typed = closure.inputs.iter().map(|pat| match pat {
                Pat::Type(typed) => (&*typed.pat, this.ty(&typed.ty)),
                pat => (pat, None),
            });
            let typed: Vec<_> = typed.collect();
            this.params(id, typed);
            if let syn::Expr::Block(block) = &*closure.body
                && block.label.is_none()
            {
                end = this.marks.span(block.block.brace_token.span.close()).end;
                this.body(Body::Block(&block.block));
            } else {
                this.body(Body::Expr(&closure.body));
                end = this.facts.spans.last().map_or(end, |span| span.end.max(end));
            }
        });
        self.literal(id, Span::new(bars.start, end), Span::new(bars.end, end))
    }

    /// `async { … }`, `async move { … }`.
    pub(super) fn async_block(&mut self, of: &syn::ExprAsync) -> ExprId {
        let span = self.marks.between(of.async_token.span, of.block.brace_token.span.close());
        let body = self.marks.span(of.block.brace_token.span.join());
        let outline = Outline { name: None, span, body, class: None, is_static: true, is_async: true, is_block: true };
        let id = self.outline(outline);
        self.within_function(id, |this| this.body(Body::Block(&of.block)));
        self.literal(id, span, body)
    }

    /// An arm of `macro_rules!` whose body is an expression or statements: a function of what the arm takes. What leaves the body leaves the
    /// function around its use, so that the last value alone is what it gives.
    pub(super) fn macro_function(
        &mut self,
        name: &proc_macro2::Ident,
        names: &[proc_macro2::Ident],
        span: Span,
        body: &[syn::Stmt],
    ) {
        let at = self.marks.span(name.span());
        let name = plain(name);
        let outline = Outline {
            name: Some(name.clone()),
            span,
            body: span,
            class: None,
            is_static: true,
            is_async: false,
            is_block: false,
        };
        let id = self.outline(outline);
        let used = std::mem::take(&mut self.used);
        let mut last = None;
        self.within_function(id, |this| {
            for (index, param) in names.iter().enumerate() {
                let at = this.marks.span(param.span());
                let param = plain(param);
                if let Some(function) = this.facts.functions.get_mut(id.index()) {
                    function.params.push(Param { name: Some(param.clone()), default: None, ty: None, rest: false, field: false });
                }
                let source = Source::Param { function: id, index: index as u32, path: Vec::new(), default: None };
                this.bind(param, at, None, Some(source));
            }
            last = this.statements(body).value();
        });
        self.used = used;
        if let Some(function) = self.facts.functions.get_mut(id.index()) {
            function.returns = last.into_iter().collect();
        }
        self.bind(name.clone(), at, None, Some(Source::Function(id)));
        self.export(name, at);
    }

    fn literal(&mut self, id: FunctionId, span: Span, body: Span) -> ExprId {
        let literal = self.push(Expr::Function(id), span);
        if let Some(function) = self.facts.functions.get_mut(id.index()) {
            function.literal = Some(literal);
            function.span = span;
            function.body = body;
        }
        literal
    }
}

/// The token that a function's definition begins with.
fn first_token(vis: Option<&Visibility>, sig: &Signature) -> proc_macro2::Span {
    match vis {
        Some(Visibility::Public(token)) => return token.span,
        Some(Visibility::Restricted(vis)) => return vis.pub_token.span,
        _ => {}
    }
    match (&sig.constness, &sig.asyncness, &sig.safety, &sig.abi) {
        (Some(token), ..) => token.span,
        (_, Some(token), ..) => token.span,
        (_, _, syn::Safety::Unsafe(token), _) => token.span,
        (.., Some(abi)) => abi.extern_token.span,
        _ => sig.fn_token.span,
    }
}
