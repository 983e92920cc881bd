//! What `#[derive(Default)]` writes: an associated function `default` that gives a literal of the struct.
//!
//! In: syn's structs. Out: an [`Extension`] with that one function, as if it had been written out. Other derives are passed over: nothing is
//! known of what they write.

use syn::punctuated::Punctuated;
use syn::{Fields, ItemStruct, Meta, Path, Token, Type};

use super::lower::{Lower, plain};
use crate::facts::{CallForm, Expr, ExprId, Extension, Field, Method, TypeRef};
use crate::span::Span;

/// Types whose default is the number 0.
const NUMBERS: [&str; 14] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];

impl Lower<'_> {
    /// The default of a struct that derives one.
    pub(super) fn derived(&mut self, item: &ItemStruct) {
        let Fields::Named(fields) = &item.fields else { return };
        let derives = |attr: &syn::Attribute| {
            let of = |list: Punctuated<Path, Token![,]>| list.iter().any(|path| path.is_ident("Default"));
            matches!(&attr.meta, Meta::List(list) if list.path.is_ident("derive"))
                && attr.parse_args_with(Punctuated::parse_terminated).is_ok_and(of)
        };
        if !item.attrs.iter().any(derives) {
            return;
        }
        let span = self.marks.span(item.ident.span());
        let of = TypeRef { path: vec![plain(&item.ident)], scope: self.scope, args: Vec::new() };
        let via = TypeRef { path: vec!["Default".into()], scope: self.scope, args: Vec::new() };
        let function = self.written_function("default", span, |this| {
            let values = fields.named.iter().filter_map(|field| {
                let name = plain(field.ident.as_ref()?);
                Some(Field::Named(name, this.default_value(&field.ty, span)))
            });
            let values = values.collect();
            let named = this.name(plain(&item.ident), span);
            this.push(Expr::Object { of: Some(named), fields: values }, span)
        });
        let methods = vec![Method { name: "default".into(), function, getter: false }];
        self.facts.extensions.push(Extension { of, via: Some(via), lends: false, methods, constants: Vec::new() });
    }

    /// The default of a type.
    fn default_value(&mut self, ty: &Type, span: Span) -> ExprId {
        let Type::Path(path) = ty else { return self.opaque("the default of its type", Vec::new(), span) };
        let word = path.path.segments.last().map(|last| plain(&last.ident)).unwrap_or_default();
        match &*word {
            "Option" => self.push(Expr::Null, span),
            "bool" => self.push(Expr::Bool(false), span),
            "String" => self.push(Expr::Text("".into()), span),
            word if NUMBERS.contains(&word) => self.push(Expr::Number(0.0), span),
            _ => {
                let named = self.path_at(&path.path, Some(span));
                let callee = self.push(Expr::Member { of: named, name: "default".into() }, span);
                self.push(Expr::Call { callee, args: Vec::new(), form: CallForm::Plain }, span)
            }
        }
    }
}
