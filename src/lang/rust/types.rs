//! Written types, as far as they can name a client.
//!
//! In: syn's types. Out: [`TypeRef`]s. Lifetimes, lengths and qualifiers are dropped; a type parameter becomes the traits
//! that it is bounded by and its default.

use syn::{GenericArgument, GenericParam, Generics, PathArguments, ReturnType, Type, TypeParamBound, WherePredicate};

use super::lower::{Lower, plain};
use crate::facts::{Expr, ExprId, MODULE, ScopeId, Source, TypeRef};
use crate::span::Span;

/// Traits of the language, which say nothing of what a type is for.
const PLAIN: [&str; 20] = [
    "Send",
    "Sync",
    "Sized",
    "Unpin",
    "Clone",
    "Copy",
    "Debug",
    "Display",
    "Default",
    "Eq",
    "PartialEq",
    "Hash",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "AsRef",
    "Iterator",
    "IntoIterator",
    "ToString",
];

impl Lower<'_> {
    /// A type; `None` for `_`.
    pub(super) fn ty(&self, ty: &Type) -> Option<TypeRef> {
        Some(match ty {
            Type::Infer(_) => return None,
            Type::Path(path) => {
                let mut named = self.type_path(&path.path);
                if let Some(qself) = &path.qself {
                    named.args.splice(0..0, self.ty(&qself.ty));
                }
                named
            }
            Type::Reference(of) => self.wrap("&", [&*of.elem]),
            Type::Ptr(of) => self.wrap("&", [&*of.elem]),
            Type::Slice(of) => self.wrap("[]", [&*of.elem]),
            Type::Array(of) => self.wrap("[]", [&*of.elem]),
            Type::Tuple(of) => self.wrap("()", &of.elems),
            Type::Group(of) => return self.ty(&of.elem),
            Type::Paren(of) => return self.ty(&of.elem),
            Type::ImplTrait(of) => self.bounded(self.bounds(&of.bounds)),
            Type::TraitObject(of) => self.bounded(self.bounds(&of.bounds)),
            Type::FnPtr(of) => {
                let output = self.output(&of.output);
                let mut function = self.wrap("fn", of.inputs.iter().map(|input| &input.ty));
                function.args.extend(output);
                function
            }
            Type::Never(_) => self.wrap("!", []),
            _ => self.wrap("?", []),
        })
    }

    /// A type as an argument of another: `_` keeps its place.
    fn argument(&self, ty: &Type) -> TypeRef {
        self.ty(ty).unwrap_or_else(|| self.wrap("_", []))
    }

    fn wrap<'t>(&self, path: &str, args: impl IntoIterator<Item = &'t Type>) -> TypeRef {
        TypeRef { path: vec![path.into()], scope: self.scope, args: args.into_iter().map(|arg| self.argument(arg)).collect() }
    }

    fn bounded(&self, bounds: Vec<TypeRef>) -> TypeRef {
        TypeRef { path: vec!["dyn".into()], scope: self.scope, args: bounds }
    }

    /// The declared return type.
    pub(super) fn output(&self, output: &ReturnType) -> Option<TypeRef> {
        match output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => self.ty(ty),
        }
    }

    /// A path that names a type or a trait.
    pub(super) fn type_path(&self, path: &syn::Path) -> TypeRef {
        if let Some(name) = path.get_ident().map(plain)
            && let Some((_, bounds)) = self.generics.iter().rev().find(|(param, _)| *param == name)
        {
            return self.bounded(bounds.clone());
        }
        // A type that belongs to a type parameter is no path of a package.
        let first = path.segments.first().filter(|_| path.segments.len() > 1).map(|first| plain(&first.ident));
        if first.is_some_and(|first| self.generics.iter().any(|(param, _)| *param == first)) {
            return self.wrap("?", []);
        }
        let args = match path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(args)) => args.args.iter().filter_map(|arg| self.generic_argument(arg)).collect(),
            Some(PathArguments::Parenthesized(args)) => {
                let inputs = args.inputs.iter().map(|input| self.argument(&input.ty));
                inputs.chain(self.output(&args.output)).collect()
            }
            Some(PathArguments::None) | None => Vec::new(),
        };
        let path: Vec<Box<str>> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let scope = path.first().map_or(self.scope, |first| self.scope_of_path(first));
        TypeRef { path, scope, args }
    }

    fn generic_argument(&self, arg: &GenericArgument) -> Option<TypeRef> {
        match arg {
            GenericArgument::Type(ty) => Some(self.argument(ty)),
            GenericArgument::AssocType(assoc) => Some(self.argument(&assoc.ty)),
            _ => None,
        }
    }

    /// The traits among bounds.
    pub(super) fn bounds<'t>(&self, bounds: impl IntoIterator<Item = &'t TypeParamBound>) -> Vec<TypeRef> {
        let traits = bounds.into_iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) if bound.maybe.is_none() => Some(self.type_path(&bound.path)),
            _ => None,
        });
        traits.collect()
    }

    /// The trait that stands for a type parameter at the head of a path (`S::connect(…)`), where one says what its functions are.
    pub(super) fn of_parameter(&mut self, name: &str, span: Span) -> Option<ExprId> {
        let (_, bounds) = self.generics.iter().rev().find(|(param, _)| **param == *name)?;
        let speaks = |bound: &&TypeRef| bound.path.last().is_some_and(|last| !PLAIN.contains(&&**last));
        let mut speaking = bounds.iter().filter(speaks);
        let (Some(bound), None) = (speaking.next().cloned(), speaking.next()) else {
            return Some(self.push(Expr::Opaque { reason: "a type parameter", parts: Vec::new() }, span));
        };
        let mut path = bound.path.into_iter();
        let head = self.push(Expr::Name(path.next()?, bound.scope), span);
        Some(path.fold(head, |of, name| self.push(Expr::Member { of, name }, span)))
    }

    /// The type that an `impl` block says before (`type Client = …;`), where it is named by `Self::Client`.
    pub(super) fn own_type(&mut self, of: ExprId, name: &proc_macro2::Ident, span: Span) -> Option<ExprId> {
        if !matches!(self.facts.expr(of), Expr::Name(of, _) if &**of == "Self") {
            return None;
        }
        let name = plain(name);
        let alias = self.facts.bindings.iter().rev().find(|binding| {
            binding.name == name
                && binding.scope != MODULE
                && binding.sources.iter().any(|source| matches!(source, Source::Alias(_)))
        });
        let scope = alias.map(|alias| alias.scope).filter(|scope| self.is_around(*scope))?;
        Some(self.push(Expr::Name(name, scope), span))
    }

    /// Whether a scope is one of those around.
    fn is_around(&self, scope: ScopeId) -> bool {
        let parent = |at: &ScopeId| self.facts.scopes.get(at.index()).and_then(|scope| scope.parent);
        std::iter::successors(Some(self.scope), parent).any(|at| at == scope)
    }

    /// Puts type parameters in force. Give the returned mark to [`Self::forget_generics`].
    pub(super) fn generics(&mut self, generics: &Generics) -> usize {
        let mark = self.generics.len();
        let params = || {
            generics.params.iter().filter_map(|param| match param {
                GenericParam::Type(param) => Some(param),
                _ => None,
            })
        };
        // Bounds may name parameters that are declared after them: once without knowing the others, then with them.
        for round in 0..2 {
            let known: Vec<_> = params()
                .map(|param| {
                    let mut bounds = self.bounds(&param.bounds);
                    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
                        if let WherePredicate::Type(predicate) = predicate
                            && let Type::Path(path) = &predicate.bounded_ty
                            && path.path.is_ident(&param.ident)
                        {
                            bounds.extend(self.bounds(&predicate.bounds));
                        }
                    }
                    bounds.extend(param.default.as_ref().and_then(|(_, ty)| self.ty(ty)));
                    (plain(&param.ident), bounds)
                })
                .collect();
            if round == 0 {
                self.generics.extend(known);
            } else {
                self.generics.truncate(mark);
                self.generics.extend(known);
            }
        }
        mark
    }

    /// Ends what [`Self::generics`] began.
    pub(super) fn forget_generics(&mut self, mark: usize) {
        self.generics.truncate(mark);
    }
}
