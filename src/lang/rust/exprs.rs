//! Expressions: paths, literals, calls, members, operators, assignments.
//!
//! In: syn's expressions. Out: expressions of the facts, children before parents. Each kind has its own small function, for the
//! stack that a deep tree takes is their frames.

use syn::{BinOp, Expr as Tree, Lit, Member, UnOp};

use super::lower::{Lower, plain};
use super::tokens::{first_of, span_of};
use crate::facts::{Arg, Binary, CallForm, Either, Expr, ExprId, Field, Source, Step, Write};
use crate::span::Span;

impl Lower<'_> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, tree: &Tree) -> ExprId {
        match tree {
            Tree::Array(of) => self.list(&of.elems, of.bracket_token.span.join()),
            Tree::Tuple(of) => self.list(&of.elems, of.paren_token.span.join()),
            Tree::Repeat(of) => self.repeat(of),
            Tree::Assign(of) => self.assign(&of.left, &of.right),
            Tree::Async(of) => self.async_block(of),
            Tree::Await(of) => self.awaited(of),
            Tree::Binary(of) => self.binary(of),
            Tree::Block(of) => self.block_expr(of.label.as_ref(), &of.block),
            Tree::Unsafe(of) => self.block_expr(None, &of.block),
            Tree::Const(of) => self.block_expr(None, &of.block),
            Tree::TryBlock(of) => self.block_expr(None, &of.block),
            Tree::Break(of) => self.break_expr(of),
            Tree::Continue(of) => self.continue_expr(of),
            Tree::Return(of) => self.return_expr(of),
            Tree::Yield(of) => self.yield_expr(of),
            Tree::Call(of) => self.call(of),
            Tree::MethodCall(of) => self.method_call(of),
            Tree::Field(of) => self.member(of),
            Tree::Cast(of) => self.through(&of.expr, |_, inner| inner),
            Tree::Closure(of) => self.closure(of),
            Tree::ForLoop(of) => self.for_loop(of),
            Tree::Loop(of) => self.bare_loop(of),
            Tree::While(of) => self.while_loop(of),
            Tree::Group(of) => self.expr(&of.expr),
            Tree::Paren(of) => self.expr(&of.expr),
            Tree::If(of) => self.if_expr(of),
            Tree::Match(of) => self.match_expr(of),
            Tree::Let(of) => self.let_expr(of),
            Tree::Index(of) => self.index(of),
            Tree::Infer(of) => self.opaque("a placeholder", Vec::new(), self.marks.span(of.underscore_token.span)),
            Tree::Lit(of) => self.literal_value(&of.lit),
            Tree::Macro(of) => self.mac(&of.mac),
            Tree::Path(of) => self.path_expr(of),
            Tree::Range(of) => self.range(of),
            Tree::RawAddr(of) => self.prefix(of.and_token.span, &of.expr),
            Tree::Reference(of) => self.prefix(of.and_token.span, &of.expr),
            Tree::Struct(of) => self.struct_literal(of),
            Tree::Try(of) => {
                let tried =
                    self.through(&of.expr, |this, inner| Span { end: this.marks.span(of.question_token.span).end, ..inner });
                self.fails_here(tried)
            }
            Tree::Unary(of) => self.unary(of),
            Tree::Verbatim(tokens) => self.verbatim(tokens),
            _ => self.opaque("syntax that is not known", Vec::new(), Span::default()),
        }
    }

    pub(super) fn opaque(&mut self, reason: &'static str, parts: Vec<ExprId>, span: Span) -> ExprId {
        self.push(Expr::Opaque { reason, parts }, span)
    }

    fn verbatim(&mut self, tokens: &proc_macro2::TokenStream) -> ExprId {
        let span = span_of(&self.marks, tokens).unwrap_or_default();
        self.broken(span, "this syntax is not known");
        self.opaque("syntax that is not known", Vec::new(), span)
    }

    fn list<'t>(&mut self, items: impl IntoIterator<Item = &'t Tree>, mark: proc_macro2::Span) -> ExprId {
        let items: Vec<Arg> = items.into_iter().map(|item| Arg::plain(self.expr(item))).collect();
        let span = self.marks.span(mark);
        self.push(Expr::List(items), span)
    }

    fn repeat(&mut self, of: &syn::ExprRepeat) -> ExprId {
        let item = self.expr(&of.expr);
        self.expr(&of.len);
        let span = self.marks.span(of.bracket_token.span.join());
        self.push(Expr::List(vec![Arg::plain(item)]), span)
    }

    fn through(&mut self, of: &Tree, span: impl FnOnce(&Self, Span) -> Span) -> ExprId {
        let inner = self.expr(of);
        let span = span(self, self.facts.span(inner));
        self.push(Expr::Through(inner), span)
    }

    fn prefix(&mut self, mark: proc_macro2::Span, of: &Tree) -> ExprId {
        let inner = self.expr(of);
        let span = self.from(mark, inner);
        self.push(Expr::Through(inner), span)
    }

    fn awaited(&mut self, of: &syn::ExprAwait) -> ExprId {
        let inner = self.expr(&of.base);
        let span = self.until(inner, of.await_token.span);
        self.push(Expr::Await(inner), span)
    }

    fn unary(&mut self, of: &syn::ExprUnary) -> ExprId {
        match of.op {
            UnOp::Deref(star) => self.prefix(star.span, &of.expr),
            UnOp::Neg(minus) => {
                let inner = self.expr(&of.expr);
                let span = self.from(minus.span, inner);
                self.push(Expr::Negate(inner), span)
            }
            UnOp::Not(bang) => {
                let inner = self.expr(&of.expr);
                let span = self.from(bang.span, inner);
                self.opaque("a negation", vec![inner], span)
            }
            _ => self.expr(&of.expr),
        }
    }

    fn binary(&mut self, of: &syn::ExprBinary) -> ExprId {
        if let Some(op) = compound(&of.op) {
            let left = self.expr(&of.left);
            let right = self.expr(&of.right);
            let value = self.operation(op, left, right);
            return self.write_to(&of.left, left, value);
        }
        let left = self.expr(&of.left);
        let right = self.expr(&of.right);
        self.operation(of.op, left, right)
    }

    fn operation(&mut self, op: BinOp, left: ExprId, right: ExprId) -> ExprId {
        let span = self.across(left, right);
        let arithmetic = match op {
            BinOp::Add(_) => Binary::Add,
            BinOp::Sub(_) => Binary::Sub,
            BinOp::Mul(_) => Binary::Mul,
            BinOp::Div(_) => Binary::Div,
            BinOp::Rem(_) => Binary::Rem,
            BinOp::Shl(_) => {
                // a << b is a * 2 ** b.
                let at = self.facts.span(right);
                let two = self.push(Expr::Number(2.0), Span::new(at.start, at.start));
                let power = self.push(Expr::Binary { op: Binary::Pow, left: two, right }, at);
                return self.push(Expr::Binary { op: Binary::Mul, left, right: power }, span);
            }
            BinOp::And(_) => {
                return self.push(Expr::Either { kind: Either::And, test: None, options: vec![left, right] }, span);
            }
            BinOp::Or(_) => {
                return self.push(Expr::Either { kind: Either::Or, test: None, options: vec![left, right] }, span);
            }
            BinOp::BitXor(_) | BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::Shr(_) => {
                return self.opaque("an operation on bits", vec![left, right], span);
            }
            // What is compared with anything but a constant is rarely known.
            BinOp::Eq(_) | BinOp::Ne(_) if !is_constant(self.facts.expr(right)) => {
                return self.opaque("a comparison", vec![left, right], span);
            }
            BinOp::Eq(_) => return self.push(Expr::Equal { left, right, loose: false }, span),
            BinOp::Ne(_) => {
                let equal = self.push(Expr::Equal { left, right, loose: false }, span);
                return self.push(Expr::Not(equal), span);
            }
            _ => return self.opaque("a comparison", vec![left, right], span),
        };
        self.push(Expr::Binary { op: arithmetic, left, right }, span)
    }

    fn call(&mut self, of: &syn::ExprCall) -> ExprId {
        let callee = self.expr(&of.func);
        let args = of.args.iter().map(|arg| Arg::plain(self.expr(arg))).collect();
        let span = self.until(callee, of.paren_token.span.close());
        self.push(Expr::Call { callee, args, form: CallForm::Plain }, span)
    }

    fn method_call(&mut self, of: &syn::ExprMethodCall) -> ExprId {
        let receiver = self.expr(&of.receiver);
        let span = self.until(receiver, of.method.span());
        let callee = self.push(Expr::Member { of: receiver, name: plain(&of.method) }, span);
        let args = of.args.iter().map(|arg| Arg::plain(self.expr(arg))).collect();
        let span = self.until(receiver, of.paren_token.span.close());
        self.push(Expr::Call { callee, args, form: CallForm::Plain }, span)
    }

    fn member(&mut self, of: &syn::ExprField) -> ExprId {
        let base = self.expr(&of.base);
        let (name, mark) = match &of.member {
            Member::Named(name) => (plain(name), name.span()),
            Member::Unnamed(index) => (index.index.to_string().into(), index.span),
        };
        let span = self.until(base, mark);
        self.push(Expr::Member { of: base, name }, span)
    }

    fn index(&mut self, of: &syn::ExprIndex) -> ExprId {
        let base = self.expr(&of.expr);
        let key = self.expr(&of.index);
        let span = self.until(base, of.bracket_token.span.close());
        self.push(Expr::Index { of: base, key }, span)
    }

    fn range(&mut self, of: &syn::ExprRange) -> ExprId {
        let dots = match &of.limits {
            syn::RangeLimits::HalfOpen(dots) => self.marks.between(dots.spans[0], dots.spans[1]),
            syn::RangeLimits::Closed(dots) => self.marks.between(dots.spans[0], dots.spans[2]),
        };
        let start = of.start.as_ref().map(|start| self.expr(start));
        let end = of.end.as_ref().map(|end| self.expr(end));
        let first = start.map_or(dots.start, |start| self.facts.span(start).start);
        let last = end.map_or(dots.end, |end| self.facts.span(end).end);
        self.opaque("a range", start.into_iter().chain(end).collect(), Span::new(first, last.max(first)))
    }

    fn struct_literal(&mut self, of: &syn::ExprStruct) -> ExprId {
        let path = self.path(&of.path);
        let mut fields = Vec::new();
        for field in &of.fields {
            let name = match &field.member {
                Member::Named(name) => plain(name),
                Member::Unnamed(index) => index.index.to_string().into(),
            };
            fields.push(Field::Named(name, self.expr(&field.expr)));
        }
        if let Some(base) = &of.rest {
            let base = if is_default(base) { self.default_of(&of.path) } else { self.expr(base) };
            fields.push(Field::Spread(base));
        }
        let span = self.until(path, of.brace_token.span.close());
        self.push(Expr::Object { of: Some(path), fields }, span)
    }

    /// `..Default::default()` is the default of the struct that is written.
    fn default_of(&mut self, path: &syn::Path) -> ExprId {
        let of = self.path(path);
        let span = self.facts.span(of);
        let callee = self.push(Expr::Member { of, name: "default".into() }, span);
        self.push(Expr::Call { callee, args: Vec::new(), form: CallForm::Plain }, span)
    }

    fn path_expr(&mut self, of: &syn::ExprPath) -> ExprId {
        let Some(qself) = &of.qself else { return self.path(&of.path) };
        let mut at = match &*qself.ty {
            syn::Type::Path(ty) if ty.qself.is_none() => self.path(&ty.path),
            ty => {
                let span = super::tokens::type_span(&self.marks, ty);
                self.opaque("a type", Vec::new(), span)
            }
        };
        let start = self.marks.span(qself.lt_token.span).start;
        for segment in of.path.segments.iter().skip(qself.position) {
            let span = Span::new(start, self.marks.span(segment.ident.span()).end);
            at = self.push(Expr::Member { of: at, name: plain(&segment.ident) }, span);
        }
        at
    }

    /// A path as an expression.
    pub(super) fn path(&mut self, path: &syn::Path) -> ExprId {
        self.path_at(path, None)
    }

    /// A path as an expression; `at`: where it stands if its own tokens do not know.
    pub(super) fn path_at(&mut self, path: &syn::Path, at: Option<Span>) -> ExprId {
        let mut whole = None;
        let alone = path.segments.len() == 1;
        for segment in &path.segments {
            let mark = segment.ident.span();
            whole = Some(match whole {
                None => {
                    let span = at.unwrap_or_else(|| self.marks.span(mark));
                    match &*plain(&segment.ident) {
                        "self" if alone => self.push(Expr::This, span),
                        "None" if alone => self.push(Expr::Null, span),
                        name if alone => self.name(name.into(), span),
                        name => self.of_parameter(name, span).unwrap_or_else(|| self.path_head(name.into(), span)),
                    }
                }
                Some(of) => {
                    let span = at.unwrap_or_else(|| self.until(of, mark));
                    if let Some(own) = self.own_type(of, &segment.ident, span) {
                        whole = Some(own);
                        continue;
                    }
                    self.push(Expr::Member { of, name: plain(&segment.ident) }, span)
                }
            });
        }
        whole.unwrap_or_else(|| self.opaque("an empty path", Vec::new(), Span::default()))
    }

    /// A literal as an expression.
    pub(super) fn literal_value(&mut self, lit: &Lit) -> ExprId {
        let span = self.marks.span(lit.span());
        let value = match lit {
            Lit::Str(text) => Expr::Text(text.value().into()),
            Lit::Char(c) => Expr::Text(c.value().to_string().into()),
            Lit::ByteStr(bytes) => Expr::Text(String::from_utf8_lossy(&bytes.value()).into()),
            Lit::CStr(text) => Expr::Text(text.value().to_string_lossy().into()),
            Lit::Byte(byte) => Expr::Number(f64::from(byte.value())),
            Lit::Int(number) => number
                .base10_digits()
                .parse()
                .map_or(Expr::Opaque { reason: "a number out of range", parts: Vec::new() }, Expr::Number),
            Lit::Float(number) => number
                .base10_digits()
                .parse()
                .map_or(Expr::Opaque { reason: "a number out of range", parts: Vec::new() }, Expr::Number),
            Lit::Bool(value) => Expr::Bool(value.value),
            _ => Expr::Opaque { reason: "a literal that is not known", parts: Vec::new() },
        };
        self.push(value, span)
    }

    fn assign(&mut self, left: &Tree, right: &Tree) -> ExprId {
        let value = self.expr(right);
        match left {
            Tree::Infer(_) => value,
            Tree::Tuple(tuple) => {
                for (at, part) in tuple.elems.iter().enumerate() {
                    match part {
                        Tree::Path(path) => {
                            let source = Source::Part { of: value, path: vec![Step::Index(at as u32)], default: None };
                            self.source_of_path(&path.path, source);
                        }
                        part => {
                            self.expr(part);
                        }
                    }
                }
                self.nothing(self.facts.span(value))
            }
            left => {
                let target = self.expr(left);
                self.write_to(left, target, value)
            }
        }
    }

    fn source_of_path(&mut self, path: &syn::Path, source: Source) {
        if let Some(name) = path.get_ident().map(plain)
            && let Some(binding) = self.bound(&name)
        {
            self.add_source(binding, Some(source));
        }
    }

    /// Says that `value` is put where `tree` stands; `target` is `tree` lowered.
    fn write_to(&mut self, tree: &Tree, target: ExprId, value: ExprId) -> ExprId {
        let span = self.across(target, value);
        let mut path = Vec::new();
        let mut root = target;
        loop {
            root = match self.facts.expr(root) {
                Expr::Through(of) => *of,
                Expr::Member { of, name } if !is_path(tree) => {
                    path.push(Step::Name(name.clone()));
                    *of
                }
                // `*request.timeout_mut() = limit` puts it where the member is.
                Expr::Call { callee, args, .. } if args.is_empty() => match self.facts.expr(*callee) {
                    Expr::Member { of, name } if name.len() > 4 && name.ends_with("_mut") => {
                        path.push(Step::Name(name.trim_end_matches("_mut").into()));
                        *of
                    }
                    _ => break,
                },
                Expr::Index { of, key } => {
                    match self.facts.expr(*key) {
                        Expr::Number(at) if *at >= 0.0 => path.push(Step::Index(*at as u32)),
                        Expr::Text(name) => path.push(Step::Name(name.clone())),
                        _ => return self.nothing(span),
                    }
                    *of
                }
                _ => break,
            };
        }
        path.reverse();
        match self.facts.expr(root) {
            Expr::Name(name, _) if path.is_empty() => {
                let name = name.clone();
                if let Some(binding) = self.bound(&name) {
                    self.add_source(binding, Some(Source::Value(value)));
                }
            }
            _ => self.facts.writes.push(Write { root, path, value, span, scope: self.scope }),
        }
        self.nothing(span)
    }
}

fn is_path(tree: &Tree) -> bool {
    matches!(tree, Tree::Path(_))
}

/// The operator inside a compound assignment.
fn compound(op: &BinOp) -> Option<BinOp> {
    let span = first_of(op);
    Some(match op {
        BinOp::AddAssign(_) => BinOp::Add(syn::Token![+](span)),
        BinOp::SubAssign(_) => BinOp::Sub(syn::Token![-](span)),
        BinOp::MulAssign(_) => BinOp::Mul(syn::Token![*](span)),
        BinOp::DivAssign(_) => BinOp::Div(syn::Token![/](span)),
        BinOp::RemAssign(_) => BinOp::Rem(syn::Token![%](span)),
        BinOp::BitXorAssign(_) => BinOp::BitXor(syn::Token![^](span)),
        BinOp::BitAndAssign(_) => BinOp::BitAnd(syn::Token![&](span)),
        BinOp::BitOrAssign(_) => BinOp::BitOr(syn::Token![|](span)),
        BinOp::ShlAssign(_) => BinOp::Shl(syn::Token![<<]([span, span])),
        BinOp::ShrAssign(_) => BinOp::Shr(syn::Token![>>]([span, span])),
        _ => return None,
    })
}

/// Whether an expression is `Default::default()`.
fn is_default(expr: &Tree) -> bool {
    let Tree::Call(call) = expr else { return false };
    let Tree::Path(path) = &*call.func else { return false };
    let mut names = path.path.segments.iter().rev();
    names.next().is_some_and(|last| last.ident == "default") && names.next().is_some_and(|before| before.ident == "Default")
}

/// Whether an expression is a literal, or goes by a constant's name.
fn is_constant(expr: &Expr) -> bool {
    let is_upper =
        |name: &str| name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
    match expr {
        Expr::Number(_) | Expr::Bool(_) | Expr::Null => true,
        Expr::Name(name, _) | Expr::Member { name, .. } => is_upper(name),
        _ => false,
    }
}
