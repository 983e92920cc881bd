//! Variants of a type, each a class that extends it; and what stands in for a member that a class does not have: a trait's own methods,
//! and what a value lends its members from.
//!
//! In: a value and a name. Out: a [`Value`]. It follows no patterns: which variant a value is, only how it was made says.

use std::rc::Rc;

use super::FunctionKey;
use super::eval::Eval;
use super::index::Unit;
use super::instance::ClassKey;
use super::value::{Instance, Value};
use crate::facts::Expr;
use crate::span::FileId;

impl Eval<'_> {
    /// A value as a variant of its type: itself where it was made as that one, nothing where it was made as another one.
    pub(super) fn as_variant(&self, value: &Value, name: &str) -> Value {
        value.map(|value| {
            let Value::Instance(instance) = value else { return value.clone() };
            let Some(variant) = self.variant((instance.file, instance.class), name) else { return value.clone() };
            if variant == (instance.file, instance.class) {
                return value.clone();
            }
            if self.base_class(instance.file, instance.class) == self.base_class(variant.0, variant.1) {
                return Value::Undefined;
            }
            Value::Instance(Rc::new(Instance { file: variant.0, class: variant.1, made: None }))
        })
    }

    /// The class of a variant, by its name.
    fn variant(&self, class: ClassKey, name: &str) -> Option<ClassKey> {
        self.line(class.0, class.1).into_iter().find_map(|(file, class)| {
            let unit = self.unit(file)?;
            let field = unit.facts.class(class).fields.iter().find(|field| field.is_static && *field.name == *name)?;
            match unit.facts.expr(field.value?) {
                Expr::Class(variant) => Some((file, *variant)),
                _ => None,
            }
        })
    }

    /// The methods of the classes that implement a trait or interface, where its own has no body.
    pub(super) fn implemented(&self, instance: &Rc<Instance>, method: FunctionKey, name: &str) -> Option<Value> {
        let unit = self.unit(method.0)?;
        let function = unit.facts.function(method.1);
        if !function.body.is_empty() || !unit.facts.class(function.class?).is_abstract {
            return None;
        }
        let classes = self.implementations_of(instance.file, instance.class);
        let methods = classes.iter().filter_map(|(file, class)| {
            let (found, _) = self.method((*file, *class), name).filter(|(found, _)| *found != method)?;
            let this = Value::Instance(Rc::new(Instance { file: *file, class: *class, made: None }));
            Some(Value::Function(found.0, found.1, None, Some(Rc::new(this))))
        });
        let methods: Vec<Value> = methods.collect();
        (!methods.is_empty()).then(|| Value::any(methods))
    }

    /// A member of what a class lends its members from (`Deref`).
    pub(super) fn lent(&self, instance: &Rc<Instance>, class: ClassKey, name: &str) -> Option<Value> {
        let inner = self.lending(instance, class)?;
        Some(self.within_bounds(|| self.member(&inner, name, &None)))
    }

    /// What an instance lends its members from.
    pub(super) fn lending(&self, instance: &Rc<Instance>, class: ClassKey) -> Option<Value> {
        let Some(lender) = self.lender(class) else { return self.as_extended(instance) };
        let this = Value::Instance(instance.clone());
        Some(self.within_bounds(|| self.invoke(lender, Vec::new(), Some(this), None, &None, &None)))
    }

    fn lender(&self, (file, class): ClassKey) -> Option<FunctionKey> {
        let unit = self.unit(file)?;
        let lending = unit.facts.extensions.iter().filter(|extension| extension.lends);
        let mut of_class = lending.filter(|extension| self.class_of_type(file, &extension.of) == Some((file, class)));
        of_class.next()?.methods.first().map(|method| (file, method.function))
    }

    /// The method with a body that a class takes over from a trait that a file implements for it.
    pub(super) fn taken_over(&self, file: FileId, unit: &Unit, class: ClassKey, name: &str) -> Option<(FunctionKey, bool)> {
        let extensions = unit.facts.extensions.iter().filter(|extension| extension.via.is_some());
        let of_class = extensions.filter(|extension| {
            self.may_name(unit, &extension.of, class) && self.class_of_type(file, &extension.of) == Some(class)
        });
        of_class.filter_map(|extension| self.class_of_type(file, extension.via.as_ref()?)).find_map(|(file, class)| {
            let unit = self.unit(file)?;
            let method = unit.facts.class(class).methods.iter().find(|method| *method.name == *name)?;
            let has_body = !unit.facts.function(method.function).body.is_empty();
            has_body.then_some(((file, method.function), method.getter))
        })
    }
}
