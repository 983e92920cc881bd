//! Imports and exports as the language has words for them.
//!
//! In: `import` and `export` statements. Out: imports with their bindings, and exports.

use tree_sitter::Node;

use super::lower::{Kids, Lowerer, span};
use super::roles::Role;
use crate::facts::{Export, Exported, Expr, ImportName, MODULE, Source};

impl<'t> Lowerer<'t> {
    pub(super) fn import_statement(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        let source = kids.get(self.grammar.field.source);
        let type_only = self.says_type(&kids);
        let clause = kids.named().find(|kid| Some(*kid) != source);
        self.done(kids);
        let clause_source = clause.and_then(|clause| clause.child_by_field_id(self.grammar.field.source));
        let Some(module) = source.or(clause_source).map(|source| self.string_text(source)) else { return };
        let Some(clause) = clause else {
            self.import(module, ImportName::Namespace, node, type_only);
            return;
        };
        let kids = self.kids(clause);
        for kid in kids.named() {
            if clause_source.is_some() {
                if self.role(kid) == Role::Name {
                    self.bind_import(kid, &module, ImportName::Whole, type_only);
                }
                continue;
            }
            match self.role(kid) {
                Role::Name => self.bind_import(kid, &module, ImportName::Name("default".into()), type_only),
                _ => self.import_names(kid, &module, type_only),
            }
        }
        self.done(kids);
    }

    /// `* as ns` or `{ a, b as c }`.
    fn import_names(&mut self, node: Node<'t>, module: &str, type_only: bool) {
        let kids = self.kids(node);
        for kid in kids.named() {
            if self.role(kid) == Role::Name {
                self.bind_import(kid, module, ImportName::Namespace, type_only);
                continue;
            }
            let parts = self.kids(kid);
            let field = &self.grammar.field;
            let (name, alias) = (parts.get(field.name), parts.get(field.alias));
            let type_only = type_only || self.says_type(&parts);
            self.done(parts);
            if let Some(name) = name {
                let taken = self.module_name(name);
                self.bind_import(alias.unwrap_or(name), module, ImportName::Name(taken), type_only);
            }
        }
        self.done(kids);
    }

    fn bind_import(&mut self, local: Node<'t>, module: &str, name: ImportName, type_only: bool) {
        let import = self.import(module.into(), name, local, type_only);
        self.declare_here(local, Source::Import(import));
    }

    fn says_type(&self, kids: &Kids<'t>) -> bool {
        kids.iter().any(|kid| !kid.is_named() && matches!(self.text(kid), "type" | "typeof"))
    }

    /// A name as modules give it: an identifier or a string.
    fn module_name(&self, node: Node<'t>) -> Box<str> {
        if self.role(node) == Role::Text { self.string_text(node) } else { self.text(node).into() }
    }

    /// `import x = A.B.C`.
    pub(super) fn import_alias(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        let mut named = kids.named();
        let (local, path) = (named.next(), named.next());
        drop(named);
        self.done(kids);
        let (Some(local), Some(path)) = (local, path) else { return };
        let mut parts = self.text(path).split('.').map(str::trim);
        let mut value = self.push(Expr::Name(parts.next().unwrap_or("").into(), self.scope), path);
        for name in parts {
            value = self.push(Expr::Member { of: value, name: name.into() }, path);
        }
        self.declare_here(local, Source::Value(value));
    }

    pub(super) fn export_statement(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        self.decorating = self.decorators(&kids);
        let field = &self.grammar.field;
        let (declaration, value, source) = (kids.get(field.declaration), kids.get(field.value), kids.get(field.source));
        let module = source.map(|source| self.string_text(source));
        let word = |text: &str| kids.iter().any(|kid| !kid.is_named() && self.text(kid) == text);
        let (is_default, star, equals) = (word("default"), word("*"), word("="));
        let rest: Vec<Node<'t>> = kids.named().filter(|kid| Some(*kid) != source).collect();
        drop(kids);
        if let Some(declaration) = declaration {
            self.export_declaration(declaration, is_default, node);
        } else if let Some(value) = value {
            let name = if is_default { "default" } else { "=" };
            let value = self.value(value);
            self.export(name, Exported::Value(value), node);
        } else if equals {
            if let Some(value) = rest.first() {
                let value = self.value(*value);
                self.export("=", Exported::Value(value), node);
            }
        } else if let (true, Some(module)) = (star, &module) {
            self.export("", Exported::Star { module: module.clone() }, node);
        } else {
            for part in rest {
                self.export_part(part, module.as_deref(), node);
            }
        }
    }

    fn export(&mut self, name: &str, what: Exported, node: Node<'t>) {
        self.facts.exports.push(Export { name: name.into(), what, span: span(node) });
    }

    /// `{ a, b as c }` or `* as ns`.
    fn export_part(&mut self, part: Node<'t>, module: Option<&str>, node: Node<'t>) {
        if let (Some(module), true) = (module, self.text(part).ends_with(" default") && self.text(part).starts_with('*')) {
            self.export_from("default", module, ImportName::Namespace, span(node));
            return;
        }
        let kids = self.kids(part);
        for kid in kids.named() {
            let specifier = self.kids(kid);
            let (name, alias) = (specifier.get(self.grammar.field.name), specifier.get(self.grammar.field.alias));
            self.done(specifier);
            let Some(name) = name else {
                if let (Some(module), Role::Name | Role::Text) = (module, self.role(kid)) {
                    self.export_from(&self.module_name(kid), module, ImportName::Namespace, span(node));
                }
                continue;
            };
            let given = self.module_name(alias.unwrap_or(name));
            let taken = self.module_name(name);
            match module {
                Some(module) => self.export_from(&given, module, ImportName::Name(taken), span(kid)),
                None => self.export(&given, Exported::Local(taken), kid),
            }
        }
        self.done(kids);
    }

    /// `export const a = …`, `export default class A {}`: what is declared here, in this scope, is given.
    fn export_declaration(&mut self, declaration: Node<'t>, is_default: bool, node: Node<'t>) {
        let names = self.declared_names(declaration);
        self.statement(declaration);
        for name in names {
            if let Some(namespace) = &mut self.namespace {
                namespace.push(name);
            } else if self.scope == MODULE {
                let given = if is_default { "default" } else { name };
                self.export(given, Exported::Local(name.into()), node);
            }
        }
    }

    /// The names that a declaration declares.
    fn declared_names(&mut self, declaration: Node<'t>) -> Vec<&'t str> {
        let role = self.role(declaration);
        if matches!(role, Role::Ignored) {
            return Vec::new();
        }
        let mut names = Vec::new();
        if !matches!(role, Role::Binding | Role::BindingVar) {
            let name = declaration.child_by_field_id(self.grammar.field.name).or_else(|| self.first(declaration));
            names.extend(name.map(|name| self.text(name)));
            return names;
        }
        let kids = self.kids(declaration);
        for kid in kids.named() {
            if let Some(name) = kid.child_by_field_id(self.grammar.field.name) {
                self.names_in(name, &mut names);
            }
        }
        self.done(kids);
        names
    }

    /// The names in a pattern.
    fn names_in(&mut self, pattern: Node<'t>, names: &mut Vec<&'t str>) {
        match self.role(pattern) {
            Role::Name | Role::PatternShort => names.push(self.text(pattern)),
            Role::PatternDefault => {
                if let Some(left) = pattern.child_by_field_id(self.grammar.field.left) {
                    self.deeper(left, |l| l.names_in(left, names));
                }
            }
            Role::PatternPair => {
                if let Some(value) = pattern.child_by_field_id(self.grammar.field.value) {
                    self.deeper(value, |l| l.names_in(value, names));
                }
            }
            Role::PatternObject | Role::PatternArray | Role::PatternRest => {
                let kids = self.kids(pattern);
                for kid in kids.named() {
                    self.deeper(kid, |l| l.names_in(kid, names));
                }
                self.done(kids);
            }
            _ => {}
        }
    }
}
