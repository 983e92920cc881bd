//! Types that ask for the type of a value: `typeof pool`, `ReturnType<typeof connect>`, `InstanceType<typeof Client>`.
//!
//! In: a [`TypeRef`]. Out: the value that it asks for, or an object of its type.

use std::rc::Rc;

use super::eval::Eval;
use super::types::unmade;
use super::value::{Instance, LibValue, Value};
use crate::catalog::ObjectId;
use crate::catalog::can;
use crate::facts::{BindingId, Exported, ImportName, MODULE, Source, TypeRef};
use crate::span::FileId;

/// Names of types that say what a function gives.
const RETURNED: [&str; 2] = ["ReturnType", "inferAsyncReturnType"];

/// How many files an alias is handed on through.
const LONGEST_WAY: u32 = 4;

/// Whether a path in a library names a type that says what a function gives.
pub(super) fn says_returned(path: &[Box<str>]) -> bool {
    path.last().is_some_and(|last| RETURNED.contains(&&**last))
}

impl Eval<'_> {
    /// The value that `typeof` asks for.
    pub(super) fn queried(&self, file: FileId, ty: &TypeRef) -> Option<Value> {
        let [of] = ty.args.as_slice() else { return None };
        if !matches!(&*ty.path, [word] if &**word == "typeof") {
            return None;
        }
        let unit = self.unit(file)?;
        let (first, rest) = of.path.split_first()?;
        let value = self.binding(file, unit, unit.binding(first, of.scope)?, &None);
        Some(rest.iter().fold(value, |value, name| self.member(&value, name, &None)))
    }

    /// An object of the type that a function gives, or a class makes; `None` where the type asks for no such thing.
    pub(super) fn of_queried(&self, file: FileId, ty: &TypeRef) -> Option<Option<Value>> {
        let ([word], [of]) = (&*ty.path, ty.args.as_slice()) else { return None };
        let made = RETURNED.contains(&&**word);
        if !made && &**word != "InstanceType" {
            return None;
        }
        let value = self.queried(file, of)?;
        let objects = value.options().iter().filter_map(|option| match option {
            Value::Function(..) if made => self.result_of(option).filter(|result| !result.is_opaque()),
            Value::Class(file, class) if !made => {
                Some(Value::Instance(Rc::new(Instance { file: *file, class: *class, made: None })))
            }
            Value::Lib(lib) => self.made_by_call_of(lib, !made),
            _ => None,
        });
        let objects: Vec<Value> = objects.collect();
        Some((!objects.is_empty()).then(|| Value::any(objects)))
    }

    /// An object of the type that a name stands for, where that asks for the type of a value.
    pub(super) fn of_alias(&self, file: FileId, ty: &TypeRef) -> Option<Value> {
        let [name] = ty.path.as_slice() else { return None };
        let (home, alias) = self.aliased(file, self.unit(file)?.binding(name, ty.scope)?, 0)?;
        self.within(|| match self.of_queried(home, alias) {
            Some(known) => known,
            None => self.typed(home, alias),
        })
        .flatten()
    }

    /// The type that a name of a file stands for, and where it is written.
    fn aliased(&self, file: FileId, name: BindingId, depth: u32) -> Option<(FileId, &TypeRef)> {
        let unit = self.unit(file)?;
        unit.facts.bindings[name.index()].sources.iter().find_map(|source| match source {
            Source::Alias(ty) => Some((file, ty)),
            Source::Import(import) => {
                let import = &unit.facts.imports[import.index()];
                let ImportName::Name(name) = &import.name else { return None };
                self.aliased_in(self.module_file(file, &import.module)?, name, depth)
            }
            _ => None,
        })
    }

    fn aliased_in(&self, file: FileId, name: &str, depth: u32) -> Option<(FileId, &TypeRef)> {
        let unit = self.unit(file).filter(|_| depth < LONGEST_WAY)?;
        unit.facts.exports.iter().find_map(|export| match &export.what {
            Exported::Local(local) if *export.name == *name => self.aliased(file, unit.binding_in(local, MODULE)?, depth + 1),
            Exported::From { module, name: ImportName::Name(of) } if *export.name == *name => {
                self.aliased_in(self.module_file(file, module)?, of, depth + 1)
            }
            Exported::Star { module } => self.aliased_in(self.module_file(file, module)?, name, depth + 1),
            _ => None,
        })
    }

    /// An object as a library's function, or class, makes it: of how, no more is known than of what makes it.
    fn made_by_call_of(&self, lib: &LibValue, new: bool) -> Option<Value> {
        let library = self.program.catalog.library(lib.library);
        let make = library.makes.iter().find(|make| {
            can(library, lib.object, make.on) && make.shapes.iter().any(|shape| shape.new == new && shape.fits(&lib.path))
        })?;
        if make.table.keeps && !lib.layers.is_empty() {
            return Some(Value::Lib(Rc::new(lib.clone().become_object(self.program.catalog, &make.gives))));
        }
        let name = lib.path.last().map_or(&*library.client, |name| &**name);
        let mut made = LibValue::module(lib.library, lib.file, &lib.package).become_object(self.program.catalog, &make.gives);
        if made.object == ObjectId(0) {
            return None;
        }
        made.unmade = Some(unmade(name));
        Some(Value::Lib(Rc::new(made)))
    }
}
