//! Methods that the scanned code adds to a library's objects, and methods of its own objects that a library calls.
//!
//! In: a library's object and a name, or an instance that a library is given. Out: what the method gives. A method counts where the file
//! declares it, or imports something of the file that does.

use std::rc::Rc;

use super::FunctionKey;
use super::eval::Eval;
use super::value::{Bound, Env, LibValue, Loc, Value};
use crate::span::FileId;

impl Eval<'_> {
    /// What a method gives that the scanned code adds to objects of a library (`impl BuilderExt for ServiceBuilder { … }`).
    pub(super) fn added_method(&self, lib: &Rc<LibValue>, args: &[Bound], at: Loc, env: &Env) -> Option<Value> {
        let [name] = lib.path.as_slice() else { return None };
        let key = self.adding(lib, name, at.file)?;
        let mut object = (**lib).clone();
        object.path.clear();
        self.within(|| self.invoke(key, args.to_vec(), Some(Value::Lib(Rc::new(object))), Some(at), env, &None))
    }

    /// The files where a method may be declared that a file calls on anything: itself, and those that it imports something of and that hold
    /// the name.
    pub fn declaring(&self, from: FileId, name: &str) -> Rc<[FileId]> {
        let key = (from, Box::from(name));
        if let Some(known) = self.declaring.borrow().get(&key) {
            return known.clone();
        }
        let found: Rc<[FileId]> = self.find_declaring(from, name).into();
        self.declaring.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_declaring(&self, from: FileId, name: &str) -> Vec<FileId> {
        let imports = self.unit(from).map_or(&[][..], |unit| &unit.facts.imports);
        let holds = |file: &FileId| self.program.files.holds_word(*file, name);
        let mut files = vec![from];
        for file in imports.iter().filter_map(|import| self.module_file(from, &import.module)).filter(holds) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
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
