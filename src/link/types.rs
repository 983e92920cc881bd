//! What a written type says about a value: a client library's object, or a class of the scanned code.
//!
//! In: a [`TypeRef`]. Out: a [`Value`] of which only the type is known. Containers around a type are looked through; a trait or
//! interface counts where exactly one class of the tree implements it.

use std::rc::Rc;

use super::eval::Eval;
use super::index::Unit;
use super::instance::ClassKey;
use super::value::{Bound, Instance, Reason, Through, Value};
use crate::facts::{BindingId, ClassId, Expr, ImportName, ScopeId, Source, TypeRef};
use crate::span::FileId;

/// How deep type arguments and aliases are looked into.
const DEEPEST: u32 = 8;

impl Eval<'_> {
    /// A value of a type.
    pub fn typed(&self, file: FileId, ty: &TypeRef) -> Option<Value> {
        self.within(|| self.typed_within(file, ty, 0)).flatten()
    }

    pub(super) fn typed_within(&self, file: FileId, ty: &TypeRef, depth: u32) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(several) = self.several(file, ty, depth) {
            return several;
        }
        if let Some(of_value) = self.of_queried(file, ty) {
            return of_value;
        }
        match self.type_path(file, ty, depth) {
            // What is generated in the tree is what stands for it.
            Some(Value::Class(home, _))
                if home != file
                    && self.program.files.is_generated(home)
                    && let Some(made) = self.generated(file, ty, depth) =>
            {
                Some(made)
            }
            Some(Value::Class(file, class)) => self.described_client(file, class, depth).or_else(|| {
                let (file, class) = self.implementation(file, class)?;
                Some(Value::Instance(Rc::new(Instance { file, class, made: None })))
            }),
            // A library's type that is no object of its own is a container.
            Some(Value::Lib(lib)) if !lib.path.is_empty() && !ty.args.is_empty() => {
                let inner = ty.args.iter().find_map(|arg| self.typed_within(file, arg, depth + 1));
                Some(inner.unwrap_or(Value::Lib(lib)))
            }
            Some(Value::Lib(lib)) if !lib.path.is_empty() && super::queried::says_returned(&lib.path) => self.of_alias(file, ty),
            Some(value @ (Value::Lib(_) | Value::Instance(_))) => Some(value),
            // A tuple or collection that goes by another name.
            Some(value @ (Value::List(_) | Value::Elements(..))) => Some(value),
            // What an alias asks for; the name of a plain object is no type.
            Some(Value::Object(_)) => self.of_alias(file, ty),
            _ if let Some(made) = self.generated(file, ty, depth) => Some(made),
            _ => ty.args.iter().find_map(|arg| self.typed_within(file, arg, depth + 1)),
        }
    }

    /// A tuple or a collection of objects, by its type; `None` where it is neither.
    fn several(&self, file: FileId, ty: &TypeRef, depth: u32) -> Option<Option<Value>> {
        if ty.path.len() == 1 && &*ty.path[0] == "()" && ty.args.len() > 1 {
            let parts: Vec<Option<Value>> = ty.args.iter().map(|arg| self.typed_within(file, arg, depth + 1)).collect();
            let is_known = parts.iter().any(Option::is_some);
            let part = |part: Option<Value>| part.unwrap_or_else(|| Value::opaque("a value of a type that is not followed"));
            return Some(is_known.then(|| Value::List(parts.into_iter().map(part).map(Bound::Value).collect())));
        }
        let (at, through) = match (&**ty.path.last()?, ty.args.len()) {
            ("[]" | "Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "IndexSet" | "Array" | "ReadonlyArray" | "Set", 1) => {
                (0, Through::HELD)
            }
            (
                "HashMap" | "BTreeMap" | "IndexMap" | "DashMap" | "FxHashMap" | "AHashMap" | "Map" | "ReadonlyMap" | "WeakMap",
                2..,
            ) => (1, Through::BY_KEY),
            _ => return None,
        };
        if matches!(self.type_path(file, ty, depth), Some(Value::Class(..))) {
            return None;
        }
        let each = self.typed_within(file, &ty.args[at], depth + 1);
        Some(each.map(|each| Value::Elements(Rc::new(each), through)))
    }

    /// The client that an interface describes a kind of: `interface Users extends Model<User> {}`.
    fn described_client(&self, file: FileId, class: ClassId, depth: u32) -> Option<Value> {
        let described = self.unit(file)?.facts.class(class);
        if !described.is_abstract {
            return None;
        }
        let client = described.implements.iter().find_map(|ty| self.typed_within(file, ty, depth + 1));
        client.filter(|client| matches!(client, Value::Lib(_)))
    }

    /// At a first look, in a language whose types say what a value is: the value of a type, or nothing that is followed. `None` where the
    /// type leaves it open.
    pub fn trusted(&self, file: FileId, ty: &TypeRef) -> Option<Value> {
        if !self.is_first_look() || !is_closed(ty) || !self.program.files.modules(file).is_typed() {
            return None;
        }
        match self.typed(file, ty) {
            Some(Value::Lib(lib)) if !lib.path.is_empty() => None,
            // A generated client over a channel is not the channel.
            Some(Value::Lib(_)) if self.is_around(file, ty) => None,
            Some(value) => Some(value),
            None => Some(Value::opaque("a value of a type that is not followed")),
        }
    }

    /// Whether a type is, or holds, an imported type with arguments of which nothing is known.
    fn is_around(&self, file: FileId, ty: &TypeRef) -> bool {
        let is_imported = || {
            let unit = self.unit(file)?;
            let binding = type_binding(unit, ty.path.first()?, ty.scope)?;
            Some(unit.facts.bindings[binding.index()].sources.iter().any(|source| matches!(source, Source::Import(_))))
        };
        let here = !ty.args.is_empty()
            && is_imported() == Some(true)
            && self.type_path(file, ty, 0).is_none_or(|value| value.is_opaque());
        here || ty.args.iter().any(|arg| self.is_around(file, arg))
    }

    /// The class that a type names.
    pub(super) fn class_of_type(&self, file: FileId, ty: &TypeRef) -> Option<ClassKey> {
        match self.within(|| self.type_path(file, ty.referred(), 0)).flatten()? {
            Value::Class(file, class) => Some((file, class)),
            _ => None,
        }
    }

    /// The class that a type written in a file names.
    pub fn class_named(&self, file: FileId, ty: &TypeRef) -> Option<ClassKey> {
        self.class_of_type(file, ty)
    }

    /// A type alias, as what its name stands for in an expression.
    pub(super) fn type_as_value(&self, file: FileId, ty: &TypeRef) -> Value {
        match self.path_of(file, ty, 0) {
            Some(value) => value,
            None => self.typed(file, ty).unwrap_or_else(|| Value::opaque("a type")),
        }
    }

    fn type_path(&self, file: FileId, ty: &TypeRef, depth: u32) -> Option<Value> {
        self.path_of(file, ty, depth).map(|named| known_type(self.as_type(named)))
    }

    /// What the path of a type names: for a library's type, the path in the library.
    fn path_of(&self, file: FileId, ty: &TypeRef, depth: u32) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let unit = self.unit(file)?;
        let (first, rest) = ty.path.split_first()?;
        if matches!(&**first, "&" | "()" | "|" | "dyn" | "[]" | "Promise" | "Option" | "Result" | "Box" | "Arc" | "Rc" | "Vec")
            && rest.is_empty()
        {
            return None;
        }
        let mut value = match type_binding(unit, first, ty.scope) {
            Some(binding) => {
                // A function of the same name is another thing.
                let sources = &unit.facts.bindings[binding.index()].sources;
                let named = sources.iter().filter_map(|source| self.type_source(file, unit, source, rest, depth));
                named.into_iter().find(|value| !matches!(value, Value::Function(..)))?
            }
            None if &**first == "Self" => match self.this(file, unit, ty.scope, &None) {
                Value::Instance(instance) => Value::Class(instance.file, instance.class),
                other => other,
            },
            None => match self.global(file, first) {
                Some(value) => value,
                None => self.glob_or_module(file, unit, first, ty.scope)?,
            },
        };
        for name in rest {
            value = match value {
                Value::Lib(lib) => Value::Lib(Rc::new(lib.with_member(self.program.catalog, name))),
                other => self.member(&other, name, &None),
            };
        }
        Some(value)
    }

    fn glob_or_module(&self, file: FileId, unit: &Unit, name: &str, scope: ScopeId) -> Option<Value> {
        if let Some(value) = self.name_by_glob(file, unit, name, scope) {
            return Some(value);
        }
        let modules = self.program.files.modules(file);
        if !modules.nest() {
            return None;
        }
        match self.meaning(file, name) {
            super::exports::Meaning::Missing => None,
            _ => Some(self.module(file, name, &ImportName::Namespace, 1)),
        }
    }

    fn type_source(&self, file: FileId, unit: &Unit, source: &Source, rest: &[Box<str>], depth: u32) -> Option<Value> {
        match source {
            Source::Class(class) => Some(Value::Class(file, *class)),
            Source::Alias(ty) if rest.is_empty() => {
                let holds =
                    |named: &Value| !ty.args.is_empty() && self.as_type(named.clone()).options().iter().all(super::call::is_path);
                // What is in a container goes by the alias of the container.
                let named = self.path_of(file, ty, depth + 1);
                let inner = if named.as_ref().is_none_or(holds) { self.typed_within(file, ty, depth + 1) } else { None };
                inner.or(named)
            }
            Source::Import(import) => {
                let import = &unit.facts.imports[import.index()];
                Some(self.module(file, &import.module, &import.name, 1))
            }
            Source::Value(value) => Some(self.value(super::Loc { file, expr: *value }, &None)),
            Source::Module(scope) => Some(Value::Inner(file, *scope)),
            _ => None,
        }
    }

    /// A library's path as the object that a type of that name is.
    pub(super) fn as_type(&self, value: Value) -> Value {
        value.map(|value| match value {
            Value::Lib(lib) => {
                let library = self.program.catalog.library(lib.library);
                let whole = lib.from_module(library).map(|whole| whole.path);
                let named = |path: &Vec<Box<str>>| library.objects.iter().position(|object| object.types.contains(path));
                // A class that is called to make an object is the type of that object.
                let made = || {
                    let makes = |make: &&crate::catalog::Make| {
                        make.on == lib.object && make.shapes.iter().any(|shape| shape.new && shape.fits(&lib.path))
                    };
                    let make = library.makes.iter().find(makes)?;
                    library.object_id(&make.gives).map(|object| object.0 as usize)
                };
                let typed = whole.as_ref().and_then(named).or_else(|| named(&lib.path));
                let typed = typed.filter(|_| lib.object != crate::catalog::MODULE || !lib.path.is_empty());
                let Some(object) = typed.or_else(made) else {
                    // A class of the package that is exported as the object that its instances are.
                    let named = lib.path.is_empty() && lib.object != crate::catalog::MODULE && lib.layers.is_empty();
                    if !named {
                        return value.clone();
                    }
                    let mut lib = (**lib).clone();
                    let object = library.object(lib.object);
                    let named = object.exports.iter().chain(&object.types).next();
                    let name = named.map_or_else(|| library.client.to_string(), |path| path.join("."));
                    lib.unmade = Some(unmade(&name));
                    return Value::Lib(Rc::new(lib));
                };
                let mut lib = (**lib).clone();
                let exported = library.object(lib.object).exports.iter().find(|path| !matches!(&*path[0], "*" | "default"));
                let name = if lib.path.is_empty() {
                    exported.map_or_else(|| library.client.to_string(), |path| path.join("."))
                } else {
                    lib.path.join(".")
                };
                lib.unmade = Some(unmade(&name));
                lib.object = crate::catalog::ObjectId(object as u32);
                lib.path.clear();
                let stands_for = library.object(lib.object).stands_for.as_deref();
                Value::Lib(Rc::new(match stands_for {
                    Some(of) => lib.become_object(self.program.catalog, of),
                    None => lib,
                }))
            }
            other => other.clone(),
        })
    }

    /// The class that stands for a class: the only one that implements or extends it where it is abstract, else itself.
    fn implementation(&self, file: FileId, class: ClassId) -> Option<ClassKey> {
        if let Some(known) = self.memory().implementations.borrow().get(&(file, class)) {
            return Some(*known);
        }
        let find = || match self.implementations_of(file, class).as_slice() {
            [one] => *one,
            _ => (file, class),
        };
        // A trait may be implemented for an alias of itself (`type Stream = Box<dyn Read>`): it does not stand for itself meanwhile.
        let (found, whole) = self.alone(|_| self.once(&self.implementing, (file, class), find));
        let (found, _) = found?;
        if whole {
            self.memory().implementations.borrow_mut().insert((file, class), found);
        }
        Some(found)
    }

    /// The classes that implement or extend an abstract one.
    pub(super) fn implementations_of(&self, file: FileId, class: ClassId) -> Vec<ClassKey> {
        let Some(declared) = self.unit(file).map(|unit| unit.facts.class(class)).filter(|declared| declared.is_abstract) else {
            return Vec::new();
        };
        let Some(word) = declared.name.as_deref() else { return Vec::new() };
        let mut found = Vec::new();
        for other in self.program.files.heirs(file, word) {
            let Some(unit) = self.unit(other) else { continue };
            for (at, candidate) in unit.facts.classes.iter().enumerate() {
                let id = ClassId(at as u32);
                let named = candidate.implements.iter().any(|ty| ty.path.last().is_some_and(|last| **last == *word));
                let extends = !named && (other, id) != (file, class) && self.base_class(other, id) == Some((file, class));
                if (named || extends) && !candidate.is_abstract {
                    found.push((other, id));
                }
            }
            for extension in &unit.facts.extensions {
                let via = extension.via.as_ref().is_some_and(|via| via.path.last().is_some_and(|last| **last == *word));
                if via && !extension.methods.iter().any(|m| unit.facts.function(m.function).is_test) {
                    found.extend(self.class_of_type(other, &extension.of));
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

impl Eval<'_> {
    /// The library's object that a struct literal is, by the type that it names.
    pub fn literal_of(&self, object: &super::value::Object) -> Option<super::LibValue> {
        let Expr::Object { of: Some(of), .. } = self.unit(object.at.file)?.facts.expr(object.at.expr) else { return None };
        let named = self.value(super::Loc { file: object.at.file, expr: *of }, &None);
        match self.as_type(named).options().first()? {
            Value::Lib(lib) if lib.path.is_empty() => Some((**lib).clone()),
            _ => None,
        }
    }
}

/// Why nothing is known of an object of which only the type is.
pub(super) fn unmade(name: &str) -> Reason {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} `{name}` of which nothing but its type is known").into()
}

/// Of several library files that describe one package those that know the type as an object.
fn known_type(value: Value) -> Value {
    let is_object =
        |value: &Value| matches!(value, Value::Lib(lib) if lib.path.is_empty() && lib.object != crate::catalog::MODULE);
    match &value {
        Value::Any(options) if options.iter().all(|option| matches!(option, Value::Lib(_))) && options.iter().any(is_object) => {
            Value::any(options.iter().filter(|option| is_object(option)).cloned())
        }
        _ => value,
    }
}

/// Whether a type names one type, with nothing left to the caller or to inference.
fn is_closed(ty: &TypeRef) -> bool {
    let open = match ty.path.as_slice() {
        [one] => matches!(&**one, "dyn" | "fn" | "_" | "?"),
        [first, ..] => matches!(&**first, "Self" | "self" | "super" | "crate"),
        [] => true,
    };
    !open && ty.args.iter().all(is_closed)
}

/// The binding of a type's first name: types name no variables.
pub(super) fn type_binding(unit: &Unit, name: &str, scope: ScopeId) -> Option<BindingId> {
    let mut found = unit.binding(name, scope)?;
    loop {
        let binding = &unit.facts.bindings[found.index()];
        let is_variable = !binding.sources.is_empty()
            && binding.sources.iter().all(|source| {
                matches!(source, Source::Param { .. } | Source::Part { .. } | Source::Rest { .. } | Source::Element(_))
            });
        if !is_variable {
            return Some(found);
        }
        found = unit.binding(name, unit.facts.scopes[binding.scope.index()].parent?)?;
    }
}
