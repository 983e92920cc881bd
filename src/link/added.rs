//! Methods that the scanned code adds to a library's objects, and methods of its own objects that a library calls.
//!
//! In: a library's object and a name, or an instance that a library is given. Out: what the method gives. A method counts where the file
//! declares it, or imports something of the file that does, also through files that hand it on.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::FunctionKey;
use super::eval::Eval;
use super::value::{Bound, Env, LibValue, Loc, Rule, Value};
use crate::catalog::Role;
use crate::facts::{Exported, ImportName};
use crate::span::FileId;

/// How many files are looked through at most that hand something on.
const MOST_HANDING: usize = 2_000;

impl Eval<'_> {
    /// What a method gives that the scanned code adds to objects of a library (`impl BuilderExt for ServiceBuilder { … }`).
    pub(super) fn added_method(&self, lib: &Rc<LibValue>, args: &[Bound], at: Loc, env: &Env) -> Option<Value> {
        let [name] = lib.path.as_slice() else { return None };
        let key = self.adding(lib, name, at.file)?;
        let mut object = (**lib).clone();
        object.path.clear();
        self.within(|| self.invoke(key, args.to_vec(), Some(Value::Lib(Rc::new(object))), Some(at), env, &None))
    }

    /// The files where a method may be declared that a file calls on anything: itself, and those that hold the name and that it imports
    /// something of, directly or through files that hand it on.
    pub fn declaring(&self, from: FileId, name: &str) -> Rc<[FileId]> {
        let key = (from, Box::from(name));
        if let Some(known) = self.declaring.borrow().get(&key) {
            return known.clone();
        }
        let mut files = vec![from];
        if let Some(unit) = self.unit(from) {
            let taken = unit.facts.imports.iter().map(|import| (from, &*import.module, taken_by(&import.name)));
            self.add_declaring(name, taken.collect(), &mut files);
        }
        let found: Rc<[FileId]> = files.into();
        self.declaring.borrow_mut().insert(key, found.clone());
        found
    }

    /// Adds the files that hold a name of those that something is taken of: by which file, of which module, and what.
    fn add_declaring<'e>(&'e self, name: &str, mut queue: VecDeque<(FileId, &'e str, Option<&'e str>)>, files: &mut Vec<FileId>) {
        let tree = self.program.files;
        let mut seen = FxHashSet::default();
        while let Some((from, module, taken)) = queue.pop_front() {
            let Some(home) = self.module_file(from, module).filter(|home| *home != from) else { continue };
            if seen.len() >= MOST_HANDING || !seen.insert((home, taken)) {
                continue;
            }
            if tree.holds_word(home, name) && !files.contains(&home) {
                files.push(home);
            }
            // Whoever takes everything takes what goes by no name too (`pub use a::Ext as _`).
            let Some(unit) = self.unit(home).filter(|_| tree.passes_on(home)) else { continue };
            match taken {
                None => queue.extend(unit.facts.imports.iter().map(|import| (home, &*import.module, taken_by(&import.name)))),
                Some(name) => queue.extend(unit.facts.exports.iter().filter_map(|export| match &export.what {
                    Exported::From { module, name: of } if *export.name == *name => Some((home, &**module, taken_by(of))),
                    Exported::Star { module } => Some((home, &**module, Some(name))),
                    _ => None,
                })),
            }
        }
    }

    /// Whether the scanned code adds a method of that name to a library's object.
    pub fn adds(&self, lib: &LibValue, name: &str, from: FileId) -> bool {
        self.adding(lib, name, from).is_some()
    }

    fn adding(&self, lib: &LibValue, name: &str, from: FileId) -> Option<FunctionKey> {
        if !self.program.files.modules(from).nest() {
            return None;
        }
        let is_it = |value: &Value| matches!(value, Value::Lib(of) if of.library == lib.library && of.object == lib.object);
        self.declaring(from, name).iter().find_map(|file| {
            let file = *file;
            let extensions = self.unit(file)?.facts.extensions.iter().filter(|extension| extension.via.is_some());
            let mut found = extensions.filter_map(|extension| {
                let method = extension.methods.iter().find(|method| *method.name == *name)?;
                let of = self.typed(file, &extension.of)?;
                of.options().iter().any(is_it).then_some((file, method.function))
            });
            found.next()
        })
    }

    /// The method of the scanned code's object that a call of what a library has built around it runs: `service.call(request)`.
    pub(super) fn run_inside(&self, lib: &LibValue, name: &str) -> Option<Value> {
        let catalog = self.program.catalog;
        let runs = catalog.common(self.program.files.family(lib.file)).is_some_and(|common| common.runs.contains_key(name));
        if !runs || !lib.path.is_empty() {
            return None;
        }
        let built = lib.layers.iter().rev().find(|layer| match layer.rule {
            Rule::Make(make) => catalog.library(layer.library).makes[make].table.runs.as_deref() == Some(name),
            _ => false,
        })?;
        let inside = built.roles.all(&Role::Config).map(|config| self.bound(config)).find(|inside| match inside {
            Value::Instance(_) | Value::Class(..) => true,
            Value::Lib(inner) => inner.layers.len() < lib.layers.len(),
            _ => false,
        })?;
        match self.member(&inside, name, &None) {
            method @ Value::Function(..) => Some(method),
            _ => None,
        }
    }

    /// What a library makes of an instance by calling a method of it (`layer.layer(service)`).
    pub(super) fn made_through(&self, config: &Value, method: &str, at: Loc) -> Option<Value> {
        let instance = config.options().iter().find_map(|option| match option {
            Value::Instance(instance) => Some(instance.clone()),
            _ => None,
        })?;
        let (key, _) = self.method((instance.file, instance.class), method)?;
        let given = vec![Bound::Value(Value::opaque("what the library hands over"))];
        self.within(|| self.invoke(key, given, Some(Value::Instance(instance)), Some(at), &None, &None))
    }
}

/// The name that is taken of a module; `None` where it is everything.
fn taken_by(name: &ImportName) -> Option<&str> {
    match name {
        ImportName::Name(name) => Some(name),
        ImportName::Glob | ImportName::Namespace | ImportName::Whole => None,
    }
}
