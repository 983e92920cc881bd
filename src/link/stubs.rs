//! Objects of types that code outside of the tree declares for a client library: generated clients such as `ledger_client::LedgerClient<T>`.
//!
//! In: a written type. Out: the library's object that it is, of which nobody says how it was made. A path with the library's own kind of
//! module in it says so whatever the type is around; a name alone does where it is around an object of the library.

use std::rc::Rc;

use super::eval::Eval;
use super::types::{type_binding, unmade};
use super::value::{LibValue, Value};
use crate::catalog::{Segment, path_fits};
use crate::facts::{ImportName, Source, TypeRef};
use crate::span::FileId;

impl Eval<'_> {
    /// The object that a type stands for, by its path or by its name and what it is around.
    pub(super) fn generated(&self, file: FileId, ty: &TypeRef, depth: u32) -> Option<Value> {
        if ty.args.is_empty() {
            return None;
        }
        let catalog = self.program.catalog;
        let mut path = None;
        catalog.common(self.program.files.family(file))?.makes.iter().find_map(|(id, rule)| {
            let make = &catalog.library(*id).makes[*rule];
            let types = || make.shapes.iter().filter_map(|shape| shape.path.split_last()).map(|(_, of)| of);
            if !types().any(|of| of.len() > 1 && path_fits(of, &ty.path)) {
                return None;
            }
            let path = path.get_or_insert_with(|| self.whole_path(file, ty));
            let (from, package) = if types().any(|of| names_module(of) && path_fits(of, path)) {
                (file, catalog.library(*id).packages.first()?.as_ref().into())
            } else {
                let inner = ty.args.iter().find_map(|arg| self.typed_within(file, arg, depth + 1))?;
                match inner.options().first()? {
                    Value::Lib(around) if around.library == *id => (around.file, around.package.clone()),
                    _ => return None,
                }
            };
            let mut made = LibValue::module(*id, from, &package).become_object(catalog, &make.gives);
            made.unmade = Some(unmade(ty.path.last().map_or("", |name| &**name)));
            Some(Value::Lib(Rc::new(made)))
        })
    }

    /// The path of a type with the module that its first name is imported from.
    fn whole_path(&self, file: FileId, ty: &TypeRef) -> Vec<Box<str>> {
        let imported = || {
            let unit = self.unit(file)?;
            let binding = type_binding(unit, ty.path.first()?, ty.scope)?;
            let import = unit.facts.bindings[binding.index()].sources.iter().find_map(|source| match source {
                Source::Import(import) => Some(&unit.facts.imports[import.index()]),
                _ => None,
            })?;
            let mut path: Vec<Box<str>> = import.module.split("::").map(Box::from).collect();
            if let ImportName::Name(name) = &import.name {
                path.push(name.clone());
            }
            Some(path)
        };
        let Some(mut path) = imported() else { return ty.path.clone() };
        path.extend(ty.path.iter().skip(1).cloned());
        path
    }
}

/// Whether a pattern of a type's path names the module that the type stands in, in part.
fn names_module(of: &[Segment]) -> bool {
    of.len() > 2 && of.iter().rev().nth(1).is_some_and(|module| !matches!(module, Segment::Any))
}
