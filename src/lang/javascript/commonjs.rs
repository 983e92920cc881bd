//! What a module gives to others without `export`: `module.exports`, `exports.x`, and what compilers make of exports.
//!
//! In: assignments and calls, already lowered. Out: exports. So that a file that reads its own exports can be followed,
//! `module.exports` and each `exports.x` are names of the module's scope: `module.exports`, `exports.x`.

use tree_sitter::Node;

use super::lower::{Lowerer, span};
use super::roles::Role;
use crate::facts::{Arg, Export, Exported, Expr, ExprId, Field, ImportName, MODULE, Source, Step};
use crate::span::Span;

impl<'t> Lowerer<'t> {
    /// The way from a module's exports to what a path writes, if the path begins there.
    pub(super) fn exports_path<'p>(&self, root: Node<'t>, path: &'p [Step]) -> Option<&'p [Step]> {
        if self.role(root) != Role::Name {
            return None;
        }
        match (self.text(root), path.split_first()) {
            ("exports", Some(_)) if self.is_global("exports") => Some(path),
            ("module", Some((Step::Name(first), rest))) if &**first == "exports" && self.is_global("module") => Some(rest),
            _ => None,
        }
    }

    /// The name that stands for `object.name`, if that is `module.exports` or a member of it.
    pub(super) fn own_export_name(&self, object: Node<'t>, name: &str) -> Option<String> {
        match self.role(object) {
            Role::Name => match self.text(object) {
                "module" if name == "exports" && self.is_global("module") => Some("module.exports".into()),
                "exports" if self.is_global("exports") => Some(format!("exports.{name}")),
                _ => None,
            },
            Role::Member if self.text(object) == "module.exports" && self.is_global("module") => Some(format!("exports.{name}")),
            _ => None,
        }
    }

    /// The expression for the module's own exports or one of them.
    pub(super) fn own_exports(&mut self, name: &str, node: Node<'t>) -> ExprId {
        self.own_exports.push((name.into(), span(node)));
        self.push(Expr::Name(name.into(), MODULE), node)
    }

    /// `module.exports = value` or `exports.name = value`.
    pub(super) fn assign_export(&mut self, name: Option<&Step>, value: ExprId, node: Node<'t>) {
        match name {
            None => {
                self.export_value("=", value, span(node));
                self.own_source("module.exports", value, span(node));
            }
            Some(Step::Name(name)) => {
                if !matches!(self.facts.expr(value), Expr::Undefined) {
                    self.export_value(name, value, span(node));
                    self.own_source(&format!("exports.{name}"), value, span(node));
                }
            }
            Some(Step::Index(_) | Step::Variant(_)) => {}
        }
    }

    fn export_value(&mut self, name: &str, value: ExprId, at: Span) {
        self.facts.exports.push(Export { name: name.into(), what: Exported::Value(value), span: at });
    }

    fn own_source(&mut self, name: &str, value: ExprId, at: Span) {
        let binding = match self.modules.get(name) {
            Some(known) => *known,
            None => {
                let made = self.add_binding(name, at, MODULE);
                self.modules.insert(name.into(), made);
                made
            }
        };
        self.give(binding, Source::Value(value));
    }

    /// Gives the members of `exports` that are read, and are set only with the whole, their part of it.
    pub(super) fn bind_own_exports(&mut self) {
        let whole = self.facts.exports.iter().rev().find(|export| &*export.name == "=").map(|export| export.what.clone());
        let Some(Exported::Value(of)) = whole else { return };
        for (name, at) in std::mem::take(&mut self.own_exports) {
            let Some(member) = name.strip_prefix("exports.") else { continue };
            if !self.modules.contains_key(&name) {
                let binding = self.add_binding(&name, at, MODULE);
                self.modules.insert(name.clone(), binding);
                self.give(binding, Source::Part { of, path: vec![Step::Name(member.into())], default: None });
            }
        }
    }

    /// Reads what a call does to the module's exports.
    pub(super) fn exporting_call(&mut self, call: ExprId) {
        let Expr::Call { callee, args, .. } = self.facts.expr(call) else { return };
        let name = match self.facts.expr(*callee) {
            Expr::Name(name, _) | Expr::Member { name, .. } => name,
            _ => return,
        };
        if !matches!(
            &**name,
            "__exportStar" | "__export" | "_export" | "_export_star" | "__reExport" | "defineProperty" | "assign"
        ) {
            return;
        }
        let (name, args, at) = (name.clone(), args.clone(), self.facts.span(call));
        match &*name {
            "__exportStar" | "__export" | "_export_star" | "__reExport" if self.export_star(&args, at) => {}
            "__export" | "_export" => self.export_getters(&args, at),
            "defineProperty" => self.define_export(&args, at),
            "assign" => self.assign_exports(&args, at),
            _ => {}
        }
    }

    /// Whether an argument is the module's own exports.
    fn is_exports(&self, arg: Option<&Arg>) -> bool {
        arg.is_some_and(|arg| matches!(self.facts.expr(arg.value), Expr::Name(name, MODULE) if &**name == "module.exports"))
    }

    /// The module that an expression stands for.
    fn module_of(&self, value: ExprId) -> Option<Box<str>> {
        match self.facts.expr(value) {
            Expr::Name(name, MODULE) if name.starts_with("require:") => name.strip_prefix("require:").map(Into::into),
            Expr::Name(name, scope) => {
                let binding = self.look_up(name, *scope)?;
                match self.facts.bindings.get(binding.index())?.sources.first()? {
                    Source::Value(value) if matches!(self.facts.expr(*value), Expr::Name(name, MODULE) if name.starts_with("require:")) => {
                        self.module_of(*value)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `__exportStar(require('x'), exports)`, `__export(require('x'))`, `__reExport(own, require('x'))`.
    fn export_star(&mut self, args: &[Arg], at: Span) -> bool {
        let Some(module) = args.iter().find_map(|arg| self.module_of(arg.value)) else { return false };
        self.facts.exports.push(Export { name: "".into(), what: Exported::Star { module }, span: at });
        true
    }

    /// `__export(own, { a: () => a })`.
    fn export_getters(&mut self, args: &[Arg], at: Span) {
        let Some(Expr::Object { fields, .. }) = args.last().map(|arg| self.facts.expr(arg.value)) else { return };
        for field in fields.clone() {
            if let Field::Named(name, getter) = field
                && let Some(value) = self.returned(getter)
            {
                self.export_value(&name, value, at);
            }
        }
    }

    /// `Object.defineProperty(exports, 'a', { get: function () { return x.a } })`.
    fn define_export(&mut self, args: &[Arg], at: Span) {
        let [target, key, shape] = args else { return };
        if !self.is_exports(Some(target)) {
            return;
        }
        let Expr::Object { fields, .. } = self.facts.expr(shape.value) else { return };
        let value = fields.iter().find_map(|field| match field {
            Field::Named(name, value) if &**name == "get" => self.returned(*value).or(Some(*value)),
            Field::Named(name, value) if &**name == "value" => Some(*value),
            _ => None,
        });
        let Some(value) = value else { return };
        match (self.facts.expr(key.value), self.facts.expr(value)) {
            (Expr::Text(name), _) if &**name != "__esModule" => {
                let name = name.clone();
                self.export_value(&name, value, at);
            }
            (Expr::Name(..), Expr::Index { of, .. }) => {
                if let Some(module) = self.module_of(*of) {
                    self.facts.exports.push(Export { name: "".into(), what: Exported::Star { module }, span: at });
                }
            }
            _ => {}
        }
    }

    /// `Object.assign(module.exports, { … }, require('x'))`.
    fn assign_exports(&mut self, args: &[Arg], at: Span) {
        if !self.is_exports(args.first()) {
            return;
        }
        for arg in args.iter().skip(1) {
            if let Some(module) = self.module_of(arg.value) {
                self.facts.exports.push(Export { name: "".into(), what: Exported::Star { module }, span: at });
            } else if let Expr::Object { fields, .. } = self.facts.expr(arg.value) {
                for field in fields.clone() {
                    match field {
                        Field::Named(name, value) => self.export_value(&name, value, at),
                        Field::Spread(value) => {
                            if let Some(module) = self.module_of(value) {
                                self.facts.exports.push(Export { name: "".into(), what: Exported::Star { module }, span: at });
                            }
                        }
                        Field::Computed(..) => {}
                    }
                }
            }
        }
    }

    /// What a function written in place returns.
    fn returned(&self, value: ExprId) -> Option<ExprId> {
        match self.facts.expr(value) {
            Expr::Function(function) => self.facts.function(*function).returns.first().copied(),
            _ => None,
        }
    }

    /// A re-export of one name of another module.
    pub(super) fn export_from(&mut self, name: &str, module: &str, taken: ImportName, at: Span) {
        let what = Exported::From { module: module.into(), name: taken };
        self.facts.exports.push(Export { name: name.into(), what, span: at });
    }
}
