//! Items: constants, types, traits, `impl` blocks, modules.
//!
//! In: syn's items. Out: bindings, exports, classes, extensions.

use syn::{Fields, ImplItem, Item, ItemEnum, ItemImpl, ItemMod, ItemStruct, ItemTrait, TraitItem};

use super::attrs::{FieldDefault, field_default, is_test};
use super::functions::Body;
use super::lower::{Lower, plain};
use super::tokens::span_of;
use crate::facts::{Arg, CallForm, Class, ClassField, ClassId, Expr, ExprId, Extension, Method, Scope, Source};
use crate::span::Span;

impl Lower<'_> {
    /// An item of a module or block.
    pub(super) fn item(&mut self, item: &Item) {
        let outer = self.test;
        self.test |= attributes(item).is_some_and(is_test);
        match item {
            Item::Const(item) => self.constant(&item.ident, &item.ty, &item.expr),
            Item::Static(item) => self.constant(&item.ident, &item.ty, &item.expr),
            Item::Enum(item) => self.enumeration(item),
            Item::ExternCrate(item) => self.extern_crate(item),
            Item::Fn(item) => self.function_item(item),
            Item::ForeignMod(_) => {}
            Item::Impl(item) => self.implementation(item),
            Item::Macro(item) => self.item_macro(item),
            Item::Mod(item) => self.module(item),
            Item::Struct(item) => self.structure(item),
            Item::Trait(item) => self.trait_item(item),
            Item::TraitAlias(_) => {}
            Item::Type(item) => {
                let mark = self.generics(&item.generics);
                let ty = self.ty(&item.ty);
                self.forget_generics(mark);
                let span = self.marks.span(item.ident.span());
                self.bind(plain(&item.ident), span, None, ty.map(Source::Alias));
                self.export(plain(&item.ident), span);
            }
            Item::Union(item) => {
                let span = self.marks.between(item.union_token.span, item.fields.brace_token.span.close());
                self.class_item(&item.ident, &item.generics, span, |this| this.named_fields(&item.fields));
            }
            Item::Use(item) => self.use_item(item),
            Item::Verbatim(tokens) => {
                if let Some(span) = span_of(&self.marks, tokens) {
                    self.broken(span, "this syntax is not known");
                }
            }
            _ => {}
        }
        self.test = outer;
    }

    fn constant(&mut self, ident: &proc_macro2::Ident, ty: &syn::Type, value: &syn::Expr) {
        let span = self.marks.span(ident.span());
        let value = self.expr(value);
        let ty = self.ty(ty);
        if ident != "_" {
            self.bind(plain(ident), span, ty, Some(Source::Value(value)));
            self.export(plain(ident), span);
        }
    }

    fn module(&mut self, item: &ItemMod) {
        let Some((_, items)) = &item.content else { return self.module_file(item) };
        let name = plain(&item.ident);
        let span = self.marks.span(item.ident.span());
        let scope =
            self.add_scope_of(Scope { parent: Some(self.scope), function: None, class: None, module: Some(name.clone()) });
        self.bind(name.clone(), span, None, Some(Source::Module(scope)));
        self.export(name, span);
        self.within(scope, |this| {
            this.test |= is_test(&item.attrs);
            items.iter().for_each(|item| this.item(item));
        });
    }

    /// Declares a class: reserves it, binds and exports its name, and fills in its fields.
    fn class_item(
        &mut self,
        ident: &proc_macro2::Ident,
        generics: &syn::Generics,
        span: Span,
        fields: impl FnOnce(&mut Self) -> Vec<ClassField>,
    ) -> ClassId {
        let name = plain(ident);
        let at = self.marks.span(ident.span());
        let class = self.add_class(Class {
            name: Some(name.clone()),
            span,
            scope: self.scope,
            extends: None,
            implements: Vec::new(),
            methods: Vec::new(),
            fields: Vec::new(),
            literal: None,
            decorators: Vec::new(),
            is_abstract: false,
        });
        let function = self.facts.scope_function(self.scope);
        let scope = self.add_scope_of(Scope { parent: Some(self.scope), function, class: Some(class), module: None });
        self.bind(name.clone(), at, None, Some(Source::Class(class)));
        self.export(name, at);
        let mark = self.generics(generics);
        let fields = self.within(scope, fields);
        self.forget_generics(mark);
        if let Some(class) = self.facts.classes.get_mut(class.index()) {
            class.scope = scope;
            class.fields = fields;
        }
        class
    }

    fn structure(&mut self, item: &ItemStruct) {
        let last = match (&item.fields, &item.semi_token) {
            (_, Some(semi)) => semi.span,
            (Fields::Named(fields), None) => fields.brace_token.span.close(),
            _ => item.ident.span(),
        };
        let span = self.marks.between(item.struct_token.span, last);
        self.class_item(&item.ident, &item.generics, span, |this| this.fields(&item.fields));
        self.derived(item);
    }

    fn fields(&mut self, fields: &Fields) -> Vec<ClassField> {
        match fields {
            Fields::Named(fields) => self.named_fields(fields),
            Fields::Unnamed(fields) => {
                let numbered = fields.unnamed.iter().enumerate();
                numbered.map(|(at, field)| self.field(field, at.to_string().into())).collect()
            }
            Fields::Unit => Vec::new(),
        }
    }

    fn named_fields(&mut self, fields: &syn::FieldsNamed) -> Vec<ClassField> {
        fields.named.iter().map(|field| self.field(field, field.ident.as_ref().map(plain).unwrap_or_default())).collect()
    }

    fn field(&mut self, field: &syn::Field, name: Box<str>) -> ClassField {
        let value = match (&field.default, field_default(&field.attrs)) {
            (Some((_, value)), _) => Some(self.expr(value)),
            (None, Some(default)) => Some(self.attribute_default(default)),
            (None, None) => None,
        };
        let ty = self.ty(&field.ty);
        let span = match &field.ident {
            Some(ident) => self.marks.span(ident.span()),
            None => super::tokens::type_span(&self.marks, &field.ty),
        };
        ClassField { name, span, is_static: false, value, ty }
    }

    fn attribute_default(&mut self, default: FieldDefault) -> ExprId {
        match default {
            FieldDefault::Function(path, written) => {
                let span = self.marks.span(written.span());
                let callee = self.path_at(&path, Some(span));
                self.push(Expr::Call { callee, args: Vec::<Arg>::new(), form: CallForm::Plain }, span)
            }
            FieldDefault::Text(text) => {
                let span = self.marks.span(text.span());
                self.push(Expr::Text(text.value().into()), span)
            }
            FieldDefault::Value(value) => self.expr(&value),
        }
    }

    fn enumeration(&mut self, item: &ItemEnum) {
        let span = self.marks.between(item.enum_token.span, item.brace_token.span.close());
        self.class_item(&item.ident, &item.generics, span, |this| {
            let mut all = Vec::new();
            for variant in &item.variants {
                let span = this.marks.span(variant.ident.span());
                let value = match &variant.fields {
                    Fields::Unit => variant.discriminant.as_ref().map(|(_, value)| this.expr(value)),
                    fields => Some(this.variant(plain(&item.ident), plain(&variant.ident), fields, span)),
                };
                all.push(ClassField { name: plain(&variant.ident), span, is_static: true, value, ty: None });
            }
            all
        });
    }

    /// A variant that holds something: a class of its own that extends its type.
    fn variant(&mut self, of: Box<str>, name: Box<str>, fields: &Fields, span: Span) -> ExprId {
        let extends = self.name(of, span);
        let fields = self.fields(fields);
        let class = self.add_class(Class {
            name: Some(name),
            span,
            scope: self.scope,
            extends: Some(extends),
            implements: Vec::new(),
            methods: Vec::new(),
            fields,
            literal: None,
            is_abstract: false,
            decorators: Vec::new(),
        });
        let literal = self.push(Expr::Class(class), span);
        if let Some(class) = self.facts.classes.get_mut(class.index()) {
            class.literal = Some(literal);
        }
        literal
    }

    fn trait_item(&mut self, item: &ItemTrait) {
        let span = self.marks.between(item.trait_token.span, item.brace_token.span.close());
        let class = self.class_item(&item.ident, &item.generics, span, |_| Vec::new());
        let scope = self.facts.class(class).scope;
        let mark = self.generics(&item.generics);
        let (methods, fields, implements) = self.within(scope, |this| {
            let mut methods = Vec::new();
            let mut fields = Vec::new();
            for inner in &item.items {
                match inner {
                    TraitItem::Fn(method) => {
                        let body = method.default.as_ref().map_or(Body::None, Body::Block);
                        let function = this.method(&method.attrs, None, &method.sig, body, Some(class));
                        methods.push(Method { name: plain(&method.sig.ident), function, getter: false });
                    }
                    TraitItem::Const(constant) => {
                        let default = constant.default.as_ref().map(|(_, value)| value);
                        fields.push(this.associated(&constant.ident, &constant.ty, default));
                    }
                    TraitItem::Macro(inner) => {
                        this.mac(&inner.mac);
                    }
                    _ => {}
                }
            }
            (methods, fields, this.bounds(&item.supertraits))
        });
        self.forget_generics(mark);
        if let Some(class) = self.facts.classes.get_mut(class.index()) {
            class.methods = methods;
            class.fields = fields;
            class.implements = implements;
            class.is_abstract = true;
        }
    }

    fn associated(&mut self, ident: &proc_macro2::Ident, ty: &syn::Type, value: Option<&syn::Expr>) -> ClassField {
        let value = value.map(|value| self.expr(value));
        let ty = self.ty(ty);
        ClassField { name: plain(ident), span: self.marks.span(ident.span()), is_static: true, value, ty }
    }

    /// A part of an `impl` block, with what macros make there.
    fn impl_item(&mut self, inner: &ImplItem, of_trait: bool, methods: &mut Vec<Method>, constants: &mut Vec<ClassField>) {
        match inner {
            ImplItem::Fn(method) => {
                // What a trait declares is called by whoever sees the trait.
                let vis = (!of_trait).then_some(&method.vis);
                let function = self.method(&method.attrs, vis, &method.sig, Body::Block(&method.block), None);
                methods.push(Method { name: plain(&method.sig.ident), function, getter: false });
            }
            ImplItem::Const(constant) => {
                constants.push(self.associated(&constant.ident, &constant.ty, Some(&constant.expr)));
            }
            ImplItem::Type(alias) => {
                let ty = self.ty(&alias.ty);
                let span = self.marks.span(alias.ident.span());
                self.bind(plain(&alias.ident), span, None, ty.map(Source::Alias));
            }
            ImplItem::Macro(inner) => match self.made_methods(&inner.mac) {
                Some(made) => {
                    self.deeper(|this| made.iter().for_each(|inner| this.impl_item(inner, of_trait, methods, constants)));
                }
                None => {
                    self.mac(&inner.mac);
                }
            },
            _ => {}
        }
    }

    fn implementation(&mut self, item: &ItemImpl) {
        let mark = self.generics(&item.generics);
        let of = self.ty(&item.self_ty);
        let via = item.trait_.as_ref().map(|(path, _)| self.type_path(path));
        let function = self.facts.scope_function(self.scope);
        let scope = self.add_scope_of(Scope { parent: Some(self.scope), function, class: None, module: None });
        let mut methods = Vec::new();
        let mut constants = Vec::new();
        self.within(scope, |this| {
            for inner in &item.items {
                this.impl_item(inner, item.trait_.is_some(), &mut methods, &mut constants);
            }
        });
        self.forget_generics(mark);
        if let Some(of) = of {
            let lends = via.as_ref().and_then(|via| via.path.last()).is_some_and(|name| &**name == "Deref");
            self.facts.extensions.push(Extension { of, via, lends, methods, constants });
        }
    }
}

/// The attributes of an item.
fn attributes(item: &Item) -> Option<&[syn::Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}
