//! The facts of one file, made quick to ask.
//!
//! In: [`FileFacts`]. Out: [`Unit`]: names by scope, uses by binding, calls by name, writes by what they write to. Each table is
//! made when it is first asked for. It knows no other file.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::facts::{
    BindingId, ClassId, Exported, Expr, ExprId, FileFacts, FunctionId, ImportId, ImportName, MODULE, ScopeId, Source, Step,
};

/// Stands for the constructor of a class that declares none.
pub const NO_METHOD: FunctionId = FunctionId(u32::MAX);

/// Who a method belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A class of the file, by its own body.
    Class(ClassId),
    /// The type of an extension of the file.
    Extension(usize),
}

/// A file's facts with their indices.
#[derive(Debug)]
pub struct Unit {
    /// The facts.
    pub facts: FileFacts,
    names: FxHashMap<(ScopeId, Box<str>), BindingId>,
    uses: OnceLock<FxHashMap<BindingId, Vec<ExprId>>>,
    calls: OnceLock<FxHashMap<Box<str>, Vec<ExprId>>>,
    writes: OnceLock<FxHashMap<BindingId, Vec<usize>>>,
    owners: OnceLock<FxHashMap<FunctionId, Owner>>,
    sources: OnceLock<FxHashMap<ExprId, BindingId>>,
    literals: OnceLock<FxHashMap<FunctionId, ExprId>>,
    returned: OnceLock<FxHashMap<ExprId, FunctionId>>,
    typed_literals: OnceLock<FxHashMap<Box<str>, Vec<ExprId>>>,
    imported: OnceLock<Vec<BindingId>>,
    globs: OnceLock<FxHashMap<ScopeId, Vec<ImportId>>>,
}

impl Unit {
    /// Indexes a file.
    pub fn new(facts: FileFacts) -> Self {
        let mut names = FxHashMap::default();
        for (at, binding) in facts.bindings.iter().enumerate() {
            names.entry((binding.scope, binding.name.clone())).or_insert(BindingId(at as u32));
        }
        Self {
            facts,
            names,
            uses: OnceLock::new(),
            calls: OnceLock::new(),
            writes: OnceLock::new(),
            owners: OnceLock::new(),
            sources: OnceLock::new(),
            literals: OnceLock::new(),
            returned: OnceLock::new(),
            typed_literals: OnceLock::new(),
            imported: OnceLock::new(),
            globs: OnceLock::new(),
        }
    }

    /// What a name means, from a scope outward.
    pub fn binding(&self, name: &str, scope: ScopeId) -> Option<BindingId> {
        let mut at = Some(scope);
        let mut key = (scope, Box::from(name));
        while let Some(scope) = at {
            key.0 = scope;
            if let Some(binding) = self.names.get(&key) {
                return Some(*binding);
            }
            at = self.facts.scopes[scope.index()].parent;
        }
        None
    }

    /// A name of exactly this scope.
    pub fn binding_in(&self, name: &str, scope: ScopeId) -> Option<BindingId> {
        self.names.get(&(scope, Box::from(name))).copied()
    }

    /// Every expression that is this name, in source order.
    pub fn uses(&self, binding: BindingId) -> &[ExprId] {
        let uses = self.uses.get_or_init(|| {
            let mut uses: FxHashMap<BindingId, Vec<ExprId>> = FxHashMap::default();
            for (at, expr) in self.facts.exprs.iter().enumerate() {
                if let Expr::Name(name, scope) = expr
                    && let Some(binding) = self.binding(name, *scope)
                {
                    uses.entry(binding).or_default().push(ExprId(at as u32));
                }
            }
            uses.values_mut().for_each(|list| list.sort_by_key(|id| self.facts.span(*id).start));
            uses
        });
        uses.get(&binding).map_or(&[], Vec::as_slice)
    }

    /// Calls by the last name of what is called.
    pub fn calls_named(&self, name: &str) -> &[ExprId] {
        let calls = self.calls.get_or_init(|| {
            let mut calls: FxHashMap<Box<str>, Vec<ExprId>> = FxHashMap::default();
            for call in &self.facts.calls {
                if let Some(name) = self.call_name(*call) {
                    calls.entry(name.into()).or_default().push(*call);
                }
            }
            calls
        });
        calls.get(name).map_or(&[], Vec::as_slice)
    }

    /// Literals that name their class, by the last word of that name.
    pub fn literals_named(&self, name: &str) -> &[ExprId] {
        let literals = self.typed_literals.get_or_init(|| {
            let mut literals: FxHashMap<Box<str>, Vec<ExprId>> = FxHashMap::default();
            for (at, expr) in self.facts.exprs.iter().enumerate() {
                let Expr::Object { of: Some(of), .. } = expr else { continue };
                let last = match self.facts.expr(*of) {
                    Expr::Name(name, _) | Expr::Member { name, .. } => name,
                    _ => continue,
                };
                literals.entry(last.clone()).or_default().push(ExprId(at as u32));
            }
            literals
        });
        literals.get(name).map_or(&[], Vec::as_slice)
    }

    /// Names that come from other files: imported ones, what is no more than an import, and parts that the module takes of what it requires.
    pub fn imported(&self) -> &[BindingId] {
        self.imported.get_or_init(|| {
            let bindings = self.facts.bindings.iter().enumerate();
            let imported = bindings.filter(|(_, binding)| {
                binding.sources.iter().any(|source| match source {
                    Source::Import(_) => true,
                    Source::Part { .. } => self.facts.scope_function(binding.scope).is_none(),
                    Source::Value(value) => self.taken_of_import(*value).is_some(),
                    _ => false,
                })
            });
            imported.map(|(at, _)| BindingId(at as u32)).collect()
        })
    }

    /// What a value takes of a module that the file imports, where it is no more than that: `require('./x')`, `require('./x').load`.
    pub fn taken_of_import(&self, value: ExprId) -> Option<ImportName> {
        match self.facts.expr(value) {
            Expr::Name(name, scope) => {
                let binding = &self.facts.bindings[self.binding(name, *scope)?.index()];
                binding.sources.iter().find_map(|source| match source {
                    Source::Import(import) => Some(self.facts.imports[import.index()].name.clone()),
                    _ => None,
                })
            }
            Expr::Member { of, name } => self.taken_of_import(*of).map(|_| ImportName::Name(name.clone())),
            Expr::Await(of) | Expr::Through(of) => self.taken_of_import(*of),
            _ => None,
        }
    }

    /// Imports that take everything into a scope: into this one, and into no other.
    pub fn globs(&self, scope: ScopeId) -> &[ImportId] {
        let globs = self.globs.get_or_init(|| {
            let mut globs: FxHashMap<ScopeId, Vec<ImportId>> = FxHashMap::default();
            for (at, import) in self.facts.imports.iter().enumerate().filter(|(_, import)| import.name == ImportName::Glob) {
                globs.entry(import.scope).or_default().push(ImportId(at as u32));
            }
            globs
        });
        globs.get(&scope).map_or(&[], Vec::as_slice)
    }

    /// The last name of what a call calls.
    pub fn call_name(&self, call: ExprId) -> Option<&str> {
        let Expr::Call { callee, .. } = self.facts.expr(call) else { return None };
        match self.facts.expr(*callee) {
            Expr::Name(name, _) => Some(name),
            Expr::Member { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The one value that a name is given.
    pub fn only_value(&self, name: ExprId) -> Option<ExprId> {
        let Expr::Name(text, scope) = self.facts.expr(name) else { return None };
        match self.facts.bindings[self.binding(text, *scope)?.index()].sources.as_slice() {
            [Source::Value(value)] => Some(*value),
            _ => None,
        }
    }

    /// The function around a function.
    pub fn around(&self, function: FunctionId) -> Option<FunctionId> {
        let literal = self.literal(function).and_then(|literal| self.facts.function_of(literal));
        let scope = self.facts.function(function).scope;
        literal.or_else(|| self.facts.scopes[scope.index()].parent.and_then(|parent| self.facts.scope_function(parent)))
    }

    /// The name of the member that a call calls.
    pub fn method_name(&self, call: ExprId) -> Option<&str> {
        let Expr::Call { callee, .. } = self.facts.expr(call) else { return None };
        match self.facts.expr(*callee) {
            Expr::Member { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Writes to members of a binding's value (indices of [`FileFacts::writes`]), in source order.
    pub fn writes_to(&self, binding: BindingId) -> &[usize] {
        let writes = self.writes.get_or_init(|| {
            let mut writes: FxHashMap<BindingId, Vec<usize>> = FxHashMap::default();
            for (at, write) in self.facts.writes.iter().enumerate() {
                if let Expr::Name(name, scope) = self.facts.expr(write.root)
                    && let Some(binding) = self.binding(name, *scope)
                {
                    writes.entry(binding).or_default().push(at);
                }
            }
            writes
        });
        writes.get(&binding).map_or(&[], Vec::as_slice)
    }

    /// Writes to members of what a name is that no scope declares.
    pub fn writes_to_undeclared(&self, name: &str) -> impl Iterator<Item = &crate::facts::Write> {
        self.facts.writes.iter().filter(move |write| match self.facts.expr(write.root) {
            Expr::Name(root, scope) => **root == *name && self.binding(root, *scope).is_none(),
            _ => false,
        })
    }

    /// Who a function is a method of.
    pub fn owner(&self, function: FunctionId) -> Option<Owner> {
        let owners = self.owners.get_or_init(|| {
            let mut owners = FxHashMap::default();
            for (at, class) in self.facts.classes.iter().enumerate() {
                for method in &class.methods {
                    owners.insert(method.function, Owner::Class(ClassId(at as u32)));
                }
            }
            for (at, extension) in self.facts.extensions.iter().enumerate() {
                for method in &extension.methods {
                    owners.insert(method.function, Owner::Extension(at));
                }
            }
            owners
        });
        owners.get(&function).copied()
    }

    /// The method around a scope whose `this` counts there: arrow functions and blocks have none of their own. For the values of fields that is
    /// the constructor, or [`NO_METHOD`].
    pub fn method_around(&self, scope: ScopeId) -> Option<(FunctionId, Owner)> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.facts.scopes[id.index()];
            if let Some(function) = scope.function
                && let Some(owner) = self.owner(function)
            {
                return Some((function, owner));
            }
            if let Some(class) = scope.class {
                return Some((self.facts.class(class).constructor().unwrap_or(NO_METHOD), Owner::Class(class)));
            }
            at = scope.parent;
        }
        None
    }

    /// The class whose body a scope stands in.
    pub fn class_around(&self, scope: ScopeId) -> Option<ClassId> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.facts.scopes[id.index()];
            if scope.class.is_some() {
                return scope.class;
            }
            at = scope.parent;
        }
        None
    }

    /// The variable that an expression is assigned to.
    pub fn bound_to(&self, expr: ExprId) -> Option<BindingId> {
        let sources = self.sources.get_or_init(|| {
            let mut sources = FxHashMap::default();
            for (at, binding) in self.facts.bindings.iter().enumerate() {
                for source in &binding.sources {
                    if let Source::Value(value) = source {
                        sources.entry(*value).or_insert(BindingId(at as u32));
                    }
                }
            }
            sources
        });
        sources.get(&expr).copied()
    }

    /// The variables that take parts of an expression's value.
    pub fn parts_of(&self, expr: ExprId) -> impl Iterator<Item = BindingId> {
        self.facts.bindings.iter().enumerate().filter_map(move |(at, binding)| {
            let takes = binding.sources.iter().any(|source| match source {
                Source::Part { of, .. } | Source::Rest { of, .. } | Source::Element(of) => *of == expr,
                _ => false,
            });
            takes.then_some(BindingId(at as u32))
        })
    }

    /// The expression that creates a function.
    pub fn literal(&self, function: FunctionId) -> Option<ExprId> {
        self.facts.function(function).literal.or_else(|| {
            let literals = self.literals.get_or_init(|| {
                let mut literals = FxHashMap::default();
                for (at, expr) in self.facts.exprs.iter().enumerate() {
                    if let Expr::Function(function) = expr {
                        literals.insert(*function, ExprId(at as u32));
                    }
                }
                literals
            });
            literals.get(&function).copied()
        })
    }

    /// The function whose return value an expression is.
    pub fn returned_by(&self, expr: ExprId) -> Option<FunctionId> {
        let returned = self.returned.get_or_init(|| {
            let mut returned = FxHashMap::default();
            for (at, function) in self.facts.functions.iter().enumerate() {
                for value in &function.returns {
                    returned.insert(*value, FunctionId(at as u32));
                }
            }
            returned
        });
        returned.get(&expr).copied()
    }

    /// Whether a function, or one around it, belongs to test code.
    pub fn is_test(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.facts.scopes[id.index()];
            if scope.function.is_some_and(|function| self.facts.function(function).is_test) {
                return true;
            }
            at = scope.parent;
        }
        false
    }

    /// The binding of the module's scope that an export gives, if it gives one.
    pub fn exported_binding(&self, name: &str) -> Option<BindingId> {
        self.facts.exports.iter().find(|export| *export.name == *name).and_then(|export| match &export.what {
            Exported::Local(local) => self.binding_in(local, MODULE),
            _ => None,
        })
    }
}

/// A path of steps as names; indices become their digits.
pub fn step_names(path: &[Step]) -> Vec<Box<str>> {
    path.iter()
        .map(|step| match step {
            Step::Name(name) | Step::Variant(name) => name.clone(),
            Step::Index(index) => index.to_string().into(),
        })
        .collect()
}
