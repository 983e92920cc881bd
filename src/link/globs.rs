//! Names that everything of a module brings: `use super::*`.
//!
//! In: a name that no scope declares, and where it stands. Out: what it is by the globs around it. A glob counts in the scope that it is written in;
//! one that is not given on counts for the modules inside of its own too.

use std::rc::Rc;

use super::eval::Eval;
use super::index::Unit;
use super::value::{LibValue, Value};
use crate::facts::{ImportName, MODULE, ScopeId};
use crate::span::FileId;

impl Eval<'_> {
    /// What a name that no scope declares is by the globs around it, the innermost first.
    pub(super) fn name_by_glob(&self, file: FileId, unit: &Unit, name: &str, scope: ScopeId) -> Option<Value> {
        let mut at = Some(scope);
        while let Some(around) = at {
            if !unit.globs(around).is_empty()
                && let Some(found) = self.name_in(file, unit, name, around)
            {
                return Some(found);
            }
            at = unit.facts.scopes[around.index()].parent;
        }
        None
    }

    /// What a name is by the globs of one scope.
    fn name_in(&self, file: FileId, unit: &Unit, name: &str, scope: ScopeId) -> Option<Value> {
        // No name holds a space.
        let key = if scope == MODULE { (file, Box::from(name)) } else { (file, format!("{} {name}", scope.0).into()) };
        if let Some(known) = self.memory().by_glob.borrow().get(&key) {
            return known.clone();
        }
        let find = || {
            unit.globs(scope).iter().find_map(|import| {
                let import = &unit.facts.imports[import.index()];
                let value = self.module(file, &import.module, &ImportName::Name(name.into()), 1);
                self.taken_by_glob(&value, name)
            })
        };
        let (found, whole) = self.alone(|_| self.once(&self.memory().globbing, key.clone(), find));
        let found = found?.0;
        if whole {
            self.memory().by_glob.borrow_mut().insert(key, found.clone());
        }
        found
    }

    /// What a name of another file is for those that see what it takes for itself.
    pub(super) fn seen_inside(&self, from: FileId, home: FileId, name: &str) -> Option<Value> {
        let files = self.program.files;
        let sees = || files.modules(from).sees_private(files.path(from), files.path(home));
        let unit = self.unit(home).filter(|unit| from != home && !unit.globs(MODULE).is_empty() && sees())?;
        self.name_in(home, unit, name, MODULE)
    }

    /// What a name of a file is by what the file takes for itself, where a path leads through it.
    pub(super) fn named_inside(&self, home: FileId, name: &str) -> Option<Value> {
        let unit = self.unit(home).filter(|unit| !unit.globs(MODULE).is_empty() && self.program.files.modules(home).nest())?;
        self.name_in(home, unit, name, MODULE)
    }

    /// A name of a module that is written inside of a file.
    pub(super) fn named_in_place(&self, file: FileId, scope: ScopeId, name: &str) -> Value {
        let found = self.unit(file).and_then(|unit| match unit.binding_in(name, scope) {
            Some(binding) => Some(self.binding(file, unit, binding, &None)),
            None if unit.globs(scope).is_empty() => None,
            None => self.name_in(file, unit, name, scope),
        });
        found.unwrap_or_else(|| Value::opaque(format!("`{name}`, which its module does not declare")))
    }

    /// What everything of a module holds under a name. A package's modules hold what its rules speak of, there or at the top of the
    /// package (`prelude`).
    fn taken_by_glob(&self, value: &Value, name: &str) -> Option<Value> {
        let known = value.options().iter().filter_map(|option| match option {
            Value::Opaque(_) => None,
            Value::Lib(lib) if lib.object == crate::catalog::MODULE && lib.layers.is_empty() && !lib.path.is_empty() => {
                let library = self.program.catalog.library(lib.library);
                if library.speaks_of(&lib.path) {
                    return Some(option.clone());
                }
                library.speaks_of(&[name.into()]).then(|| {
                    let top = LibValue::module(lib.library, lib.file, &lib.package);
                    Value::Lib(Rc::new(top.with_member(self.program.catalog, name)))
                })
            }
            other => Some(other.clone()),
        });
        let known: Vec<Value> = known.collect();
        (!known.is_empty()).then(|| Value::any(known))
    }
}
