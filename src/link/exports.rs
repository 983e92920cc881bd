//! What a module, or a name that a file exports, stands for.
//!
//! In: a module as written, or a file and a name. Out: a [`Value`], followed through barrels and re-exports.

use std::rc::Rc;

use super::eval::Eval;
use super::index::Unit;
use super::names::hinted;
use super::value::{Loc, Value};
use crate::facts::{Exported, Expr, ExprId, ImportName, MODULE, Resolved, Source};
use crate::span::FileId;

/// How many re-exports are followed in a row.
const LONGEST_CHAIN: u32 = 24;

impl Eval<'_> {
    /// What a module, or a name of it, is in a file.
    pub(super) fn module(&self, file: FileId, module: &str, name: &ImportName, depth: u32) -> Value {
        if depth > LONGEST_CHAIN {
            self.cut_short();
            return Value::opaque("a chain of re-exports that leads to itself");
        }
        let modules = self.program.files.modules(file);
        match self.meaning(file, module) {
            Meaning::File(found) => self.imported(file, module, found, name, depth),
            Meaning::Outside => Value::opaque(format!("`{module}`, which is outside of the tree")),
            Meaning::Package(package, inner) => self.package(file, &package, &inner, name),
            Meaning::Missing => match module.rsplit_once("::").filter(|_| modules.nest()) {
                _ if let Some(found) = self.module_inside(file, module, name) => Value::Module(found),
                Some((before, last)) => {
                    let within = self.module(file, before, &ImportName::Name(last.into()), depth + 1);
                    self.taken(&within, name)
                }
                None if modules.nest() && *name == ImportName::Namespace => Value::Folder(file, module.into()),
                None => Value::opaque(format!("`{module}`, which is not in the tree")),
            },
        }
    }

    /// What a module path means in a file.
    pub(super) fn meaning(&self, file: FileId, module: &str) -> Meaning {
        let key = (file, Box::from(module));
        if let Some(known) = self.resolved.borrow().get(&key) {
            return known.clone();
        }
        let files = self.program.files;
        let meaning = match files.modules(file).resolve(files.path(file), module) {
            Resolved::File(path) => files.find(&path).map_or(Meaning::Outside, Meaning::File),
            Resolved::Package { name, inner } => {
                let name = self.program.catalog.known_as(files.family(file), &name, module.trim_start_matches("::"), &inner);
                Meaning::Package(name.into(), inner.into())
            }
            Resolved::Missing => Meaning::Missing,
        };
        self.resolved.borrow_mut().insert(key, meaning.clone());
        meaning
    }

    /// The file of a module inside one that has no file itself (`crate::a` where nobody wrote the crate's root).
    fn module_inside(&self, file: FileId, module: &str, name: &ImportName) -> Option<FileId> {
        let ImportName::Name(name) = name else { return None };
        let inner = self.program.files.modules(file).join(module, name)?;
        self.module_file(file, &inner)
    }

    /// A module inside one that has no file.
    pub(super) fn in_folder(&self, file: FileId, path: &str, name: &str) -> Value {
        let inner = self.program.files.modules(file).join(path, name);
        let found = inner.as_deref().and_then(|inner| self.module_file(file, inner));
        found.map_or_else(|| Value::opaque(format!("`{path}::{name}`, which is not in the tree")), Value::Module)
    }

    fn taken(&self, module: &Value, name: &ImportName) -> Value {
        match name {
            ImportName::Name(name) => self.member(module, name, &None),
            _ => module.clone(),
        }
    }

    fn imported(&self, from: FileId, module: &str, found: FileId, name: &ImportName, depth: u32) -> Value {
        match name {
            ImportName::Namespace | ImportName::Glob => Value::Module(found),
            ImportName::Whole => self.export(found, "=", depth + 1).unwrap_or(Value::Module(found)),
            ImportName::Name(name) => {
                if let Some(value) = self.export(found, name, depth + 1).or_else(|| self.seen_inside(from, found, name)) {
                    return value;
                }
                let deeper = self.program.files.modules(from).join(module, name);
                match deeper.map(|deeper| self.meaning(from, &deeper)) {
                    Some(Meaning::File(file)) => Value::Module(file),
                    Some(Meaning::Outside) => Value::opaque(format!("`{name}` of `{module}`, which is outside of the tree")),
                    _ => Value::opaque(format!("`{name}`, which `{module}` does not export")),
                }
            }
        }
    }

    /// What a file exports under a name, for who asks from outside.
    pub fn exported(&self, file: FileId, name: &str) -> Option<Value> {
        self.export(file, name, 0)
    }

    /// The file that a module is, if it is one of the tree.
    pub fn module_file(&self, from: FileId, module: &str) -> Option<FileId> {
        match self.meaning(from, module) {
            Meaning::File(file) => Some(file),
            _ => None,
        }
    }

    /// What a file exports under a name.
    pub(super) fn export(&self, file: FileId, name: &str, depth: u32) -> Option<Value> {
        let key = (file, Box::from(name));
        if let Some(known) = self.memory().exports.borrow().get(&key) {
            return known.clone();
        }
        let find = || self.once(&self.memory().exporting, key.clone(), || self.find_export(file, name, depth));
        let (found, whole) = self.alone(|_| find());
        let found = found?.0;
        if whole {
            self.memory().exports.borrow_mut().insert(key, found.clone());
        }
        found
    }

    fn find_export(&self, file: FileId, name: &str, depth: u32) -> Option<Value> {
        if depth > LONGEST_CHAIN {
            self.cut_short();
            return None;
        }
        if !self.enters(file) || !self.program.files.may_export(file, name) {
            return None;
        }
        let unit = self.unit(file)?;
        let mut found = Vec::new();
        for export in unit.facts.exports.iter().filter(|export| *export.name == *name) {
            found.push(match &export.what {
                Exported::Local(local) => match unit.binding_in(local, MODULE) {
                    Some(binding) => hinted(self.binding(file, unit, binding, &None), local),
                    None => continue,
                },
                Exported::Value(value) => self.value(Loc { file, expr: *value }, &None),
                Exported::From { module, name } => self.module(file, module, name, depth + 1),
                Exported::Star { .. } => continue,
            });
        }
        if !found.is_empty() {
            return Some(Value::any(found).present());
        }
        if name != "default" && name != "=" {
            for export in &unit.facts.exports {
                if let Exported::Star { module } = &export.what
                    && export.name.is_empty()
                {
                    let value = self.module(file, module, &ImportName::Name(name.into()), depth + 1);
                    if !value.is_opaque() {
                        return Some(value);
                    }
                }
            }
            return self.export_of_whole(file, unit, name, depth);
        }
        if name == "default" && !unit.facts.exports.is_empty() {
            return self.export(file, "=", depth + 1);
        }
        None
    }

    /// What a file whose module is one value exports beside it under a name (`module.exports = got; module.exports.plain = …`).
    pub(super) fn exported_beside(&self, file: FileId, unit: &Unit, of: ExprId, whole: &Value, name: &str) -> Option<Value> {
        let Expr::Name(variable, scope) = unit.facts.expr(of) else { return None };
        if matches!(whole, Value::Module(_) | Value::Opaque(_)) {
            return None;
        }
        let binding = unit.binding(variable, *scope)?;
        let import = match unit.facts.bindings[binding.index()].sources.as_slice() {
            [Source::Import(import)] => import,
            [Source::Value(of)] if matches!(unit.facts.expr(*of), Expr::Name(name, _) if name.starts_with("require:")) => {
                return self.exported_beside(file, unit, *of, whole, name);
            }
            _ => return None,
        };
        let import = &unit.facts.imports[import.index()];
        if !matches!(import.name, ImportName::Whole) {
            return None;
        }
        let home = self.module_file(file, &import.module)?;
        let is_named = self.unit(home)?.facts.exports.iter().any(|export| *export.name == *name);
        if is_named { self.exported(home, name) } else { None }
    }

    /// A name of a file whose module is one value (`module.exports = { … }`).
    fn export_of_whole(&self, file: FileId, unit: &Unit, name: &str, depth: u32) -> Option<Value> {
        if !unit.facts.exports.iter().any(|export| &*export.name == "=") {
            return None;
        }
        let whole = self.export(file, "=", depth + 1)?;
        let value = self.member(&whole, name, &None);
        (!matches!(value, Value::Undefined)).then_some(value)
    }
}

/// What a module path means.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// A file of the tree.
    File(FileId),
    /// A file that may not be followed.
    Outside,
    /// A package, and what follows its name.
    Package(Rc<str>, Rc<str>),
    /// Nothing that is known.
    Missing,
}
