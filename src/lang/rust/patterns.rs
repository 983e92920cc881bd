//! Patterns: which names they bind, and to which part of the value.
//!
//! In: syn's patterns and where the value comes from. Out: bindings of the innermost scope. `Some`, `Ok`, `Err`, `&` and `ref` are
//! transparent. Whether a pattern matches is not followed.

use syn::{Member, Pat};

use super::lower::{Lower, plain};
use crate::facts::{Expr, ExprId, FunctionId, Source, Step, TypeRef};

/// Where a pattern's whole value comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// An expression.
    Value(ExprId),
    /// A parameter.
    Param(FunctionId, u32),
    /// An element of a collection.
    Element(ExprId),
    /// Nowhere yet: declared without a value.
    Nowhere,
}

/// Constructors that only wrap.
const WRAPPERS: [&str; 3] = ["Some", "Ok", "Ready"];

impl Lower<'_> {
    /// Binds the names of a pattern.
    pub(super) fn pattern(&mut self, pat: &Pat, origin: Origin, ty: Option<TypeRef>) {
        let origin = match origin {
            Origin::Element(of) if !is_simple(pat) => self.element(of),
            origin => origin,
        };
        self.bind_pattern(pat, origin, &mut Vec::new(), ty);
    }

    /// An element of a collection as a value that has parts.
    fn element(&mut self, of: ExprId) -> Origin {
        let span = self.facts.span(of);
        let name = format!("element:{}", span.start);
        self.bind(name.clone().into(), span, None, Some(Source::Element(of)));
        Origin::Value(self.push(Expr::Name(name.into(), self.scope), span))
    }

    fn bind_pattern(&mut self, pat: &Pat, origin: Origin, path: &mut Vec<Step>, ty: Option<TypeRef>) {
        match pat {
            Pat::Ident(ident) => {
                let name = plain(&ident.ident);
                let is_constant = ident.by_ref.is_none()
                    && ident.mutability.is_none()
                    && ident.subpat.is_none()
                    && name.starts_with(|c: char| c.is_ascii_uppercase());
                if !is_constant {
                    let span = self.marks.span(ident.ident.span());
                    self.bind(name, span, ty, source(origin, path));
                }
                if let Some((_, inner)) = &ident.subpat {
                    self.bind_pattern(inner, origin, path, None);
                }
            }
            Pat::Paren(of) => self.bind_pattern(&of.pat, origin, path, ty),
            Pat::Reference(of) => self.bind_pattern(&of.pat, origin, path, ty),
            Pat::Type(of) => {
                let ty = self.ty(&of.ty);
                self.bind_pattern(&of.pat, origin, path, ty);
            }
            Pat::Guard(of) => {
                self.bind_pattern(&of.pat, origin, path, ty);
                self.guard(&of.guard);
            }
            Pat::Or(of) => self.bind_cases(of, origin, path),
            Pat::Tuple(of) => self.bind_elements(of.elems.iter(), origin, path, &element_types(ty)),
            Pat::Slice(of) => self.bind_elements(of.elems.iter(), origin, path, &[]),
            Pat::TupleStruct(of) => {
                let wraps = of.path.segments.last().is_some_and(|last| WRAPPERS.iter().any(|word| last.ident == word));
                match of.elems.first() {
                    Some(inner) if wraps && of.elems.len() == 1 => self.bind_pattern(inner, origin, path, inner_type(ty)),
                    Some(inner) if of.elems.len() == 1 && of.path.is_ident("Err") => {
                        path.push(Step::Variant("Err".into()));
                        self.bind_pattern(inner, origin, path, None);
                        path.pop();
                    }
                    _ => {
                        let steps = path.len();
                        path.extend(variant(&of.path));
                        self.bind_elements(of.elems.iter(), origin, path, &inner_types(&of.path, ty));
                        path.truncate(steps);
                    }
                }
            }
            Pat::Struct(of) => {
                let steps = path.len();
                path.extend(variant(&of.path));
                for field in &of.fields {
                    let name = match &field.member {
                        Member::Named(name) => plain(name),
                        Member::Unnamed(index) => index.index.to_string().into(),
                    };
                    path.push(Step::Name(name));
                    self.bind_pattern(&field.pat, origin, path, None);
                    path.pop();
                }
                path.truncate(steps);
            }
            _ => {}
        }
    }

    fn bind_cases(&mut self, of: &syn::PatOr, origin: Origin, path: &mut Vec<Step>) {
        let outer = self.in_other_case;
        for case in &of.cases {
            self.bind_pattern(case, origin, path, None);
            self.in_other_case = true;
        }
        self.in_other_case = outer;
    }

    /// `types`: what is written for the elements, as far as it is.
    fn bind_elements<'p>(
        &mut self,
        pats: impl Iterator<Item = &'p Pat>,
        origin: Origin,
        path: &mut Vec<Step>,
        types: &[TypeRef],
    ) {
        let mut origin = origin;
        for (at, pat) in pats.enumerate() {
            if matches!(pat, Pat::Rest(_)) || matches!(pat, Pat::Ident(ident) if ident.subpat.is_some()) {
                origin = Origin::Nowhere;
            }
            path.push(Step::Index(at as u32));
            self.bind_pattern(pat, origin, path, types.get(at).cloned());
            path.pop();
        }
    }
}

/// The variant that a path ends with: `Shape::Round`, behind the name of a type.
fn variant(path: &syn::Path) -> Option<Step> {
    let mut names = path.segments.iter().rev();
    let (name, of) = (plain(&names.next()?.ident), plain(&names.next()?.ident));
    of.starts_with(|first: char| first.is_ascii_uppercase()).then_some(Step::Variant(name))
}

/// The types of the elements of a tuple.
fn element_types(ty: Option<TypeRef>) -> Vec<TypeRef> {
    ty.map(without_references).filter(|ty| ty.path.len() == 1 && &*ty.path[0] == "()").map(|ty| ty.args).unwrap_or_default()
}

/// The type inside `Option`, `Result` and their like.
fn inner_type(ty: Option<TypeRef>) -> Option<TypeRef> {
    ty.map(without_references)?.args.into_iter().next()
}

/// What is inside a value that is taken apart by the name of its own type: `State(state): State<App>`.
fn inner_types(path: &syn::Path, ty: Option<TypeRef>) -> Vec<TypeRef> {
    let name = path.segments.last().map(|last| plain(&last.ident));
    let same = |ty: &TypeRef| ty.args.len() == 1 && ty.path.last() == name.as_ref();
    ty.map(without_references).filter(same).map(|ty| ty.args).unwrap_or_default()
}

fn without_references(mut ty: TypeRef) -> TypeRef {
    while ty.path.len() == 1 && &*ty.path[0] == "&" && ty.args.len() == 1 {
        ty = ty.args.remove(0);
    }
    ty
}

/// Whether a pattern binds one name to the whole value.
fn is_simple(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(ident) => ident.subpat.is_none(),
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Paren(of) => is_simple(&of.pat),
        Pat::Reference(of) => is_simple(&of.pat),
        Pat::Type(of) => is_simple(&of.pat),
        Pat::TupleStruct(of) => {
            let wraps = of.path.segments.last().is_some_and(|last| WRAPPERS.iter().any(|word| last.ident == word));
            wraps && of.elems.len() == 1 && of.elems.first().is_some_and(is_simple)
        }
        _ => false,
    }
}

fn source(origin: Origin, path: &[Step]) -> Option<Source> {
    match origin {
        Origin::Value(of) if path.is_empty() => Some(Source::Value(of)),
        Origin::Value(of) => Some(Source::Part { of, path: path.to_vec(), default: None }),
        Origin::Param(function, index) => Some(Source::Param { function, index, path: path.to_vec(), default: None }),
        Origin::Element(of) => Some(Source::Element(of)),
        Origin::Nowhere if path.is_empty() => None,
        Origin::Nowhere => Some(Source::Opaque("the rest of a list")),
    }
}

/// The names that a pattern binds.
pub(super) fn names(pat: &Pat, found: &mut dyn FnMut(Box<str>)) {
    match pat {
        Pat::Ident(ident) => {
            found(plain(&ident.ident));
            if let Some((_, inner)) = &ident.subpat {
                names(inner, found);
            }
        }
        Pat::Paren(of) => names(&of.pat, found),
        Pat::Reference(of) => names(&of.pat, found),
        Pat::Type(of) => names(&of.pat, found),
        Pat::Guard(of) => names(&of.pat, found),
        Pat::Or(of) => of.cases.iter().for_each(|pat| names(pat, found)),
        Pat::Tuple(of) => of.elems.iter().for_each(|pat| names(pat, found)),
        Pat::Slice(of) => of.elems.iter().for_each(|pat| names(pat, found)),
        Pat::TupleStruct(of) => of.elems.iter().for_each(|pat| names(pat, found)),
        Pat::Struct(of) => of.fields.iter().for_each(|field| names(&field.pat, found)),
        _ => {}
    }
}
