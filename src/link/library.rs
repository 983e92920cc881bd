//! Values of client libraries: which object a member or a call gives, and which rule of the library a call follows.
//!
//! In: a [`LibValue`] and a call on it. Out: the rule, and which argument plays which role. It says what a call *is*; whether it
//! is limited is the judge's question.

use std::rc::Rc;

use node_semver::{Range, Version};

use super::eval::Eval;
use super::value::{Bound, LibValue, Value};
use crate::catalog::{ArgShape, Catalog, Library, LibraryId, MODULE, ObjectId, Role, Shape, Table, Versions, can, path_fits};
use crate::facts::{Expr, ImportName};
use crate::span::FileId;

/// Which arguments of a call play which roles.
#[derive(Debug, Clone, Default)]
pub struct Roles(pub Rc<[(Role, Bound)]>);

impl Roles {
    /// The argument of a role.
    pub fn get(&self, role: &Role) -> Option<&Bound> {
        self.0.iter().find(|(known, _)| known == role).map(|(_, bound)| bound)
    }

    /// The arguments of a role.
    pub fn all<'a>(&'a self, role: &'a Role) -> impl Iterator<Item = &'a Bound> {
        self.0.iter().filter(move |(known, _)| known == role).map(|(_, bound)| bound)
    }
}

/// What a call on a library's object is, by the rule's place in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `[[value]]`.
    Value(usize),
    /// `[[make]]`.
    Make(usize),
    /// `[[step]]`.
    Step(usize),
    /// `[[scope]]`.
    Scope(usize),
    /// `[[send]]`.
    Send(usize),
    /// `[[handler]]` alone.
    Handler(usize),
}

/// A rule that a call follows.
#[derive(Debug, Clone)]
pub struct Matched {
    /// The rule.
    pub op: Op,
    /// Its arguments.
    pub roles: Roles,
}

impl LibValue {
    /// The package itself.
    pub fn module(library: LibraryId, file: FileId, package: &str) -> Self {
        Self {
            library,
            object: MODULE,
            path: Vec::new(),
            layers: Vec::new(),
            homes: Vec::new(),
            origins: Vec::new(),
            fields: Vec::new(),
            file,
            package: package.into(),
            unmade: None,
            class: None,
        }
    }

    /// A member of it: an object of its own, or a longer path.
    #[must_use]
    pub fn with_member(&self, catalog: &Catalog, name: &str) -> Self {
        let library = catalog.library(self.library);
        let mut next = self.clone();
        next.path.push(name.into());
        if let Some(whole) = self.whole_path(library, name) {
            next.object = MODULE;
            next.path = whole;
        }
        let member =
            library.members.iter().find(|member| can(library, self.object, member.on) && path_fits(&member.path, &next.path));
        if let Some(member) = member {
            return next.become_object(catalog, &member.gives);
        }
        if can(library, self.object, MODULE) {
            if let Some(object) = library.objects.iter().position(|object| object.exports.contains(&next.path)) {
                next.object = ObjectId(object as u32);
                next.path.clear();
            } else if next.path.len() == 1 && name == "default" {
                next.path.clear();
            }
        }
        next
    }

    /// Whether it is a member that no rule lists, of something that is there without being made: `globalThis.database`.
    pub fn is_unlisted(&self, catalog: &Catalog) -> bool {
        let is_member = self.object != MODULE && !self.path.is_empty() && self.layers.is_empty() && self.unmade.is_none();
        is_member && !catalog.library(self.library).lists(self.object, &self.path)
    }

    /// A member of an exported object by its whole path from the module: `blocking.Client.new`.
    #[must_use]
    pub fn from_module(&self, library: &Library) -> Option<Self> {
        if self.object == MODULE || self.path.is_empty() || !self.layers.is_empty() {
            return None;
        }
        let exports = &library.object(self.object).exports;
        let exported = exports.iter().find(|path| !matches!(path.first().map(|name| &**name), Some("*" | "default") | None))?;
        let mut whole = self.clone();
        whole.object = MODULE;
        whole.path = exported.iter().chain(&self.path).cloned().collect();
        Some(whole)
    }

    /// The path from the package to a member of one of its modules, where the library names it so: `blocking.Client` of `blocking`.
    fn whole_path(&self, library: &Library, name: &str) -> Option<Vec<Box<str>>> {
        if self.object == MODULE || !self.layers.is_empty() || !self.path.is_empty() {
            return None;
        }
        let object = library.object(self.object);
        object.exports.iter().filter(|path| &*path[0] != "*" && &*path[0] != "default").find_map(|path| {
            let mut whole = path.clone();
            whole.push(name.into());
            let named = |known: &Vec<Box<str>>| known.starts_with(&whole);
            library.objects.iter().any(|object| object.types.iter().chain(&object.exports).any(named)).then_some(whole)
        })
    }

    /// The module as one value, where the library says what it is.
    #[must_use]
    pub fn whole(mut self, catalog: &Catalog) -> Self {
        let star = catalog
            .library(self.library)
            .objects
            .iter()
            .position(|object| object.exports.iter().any(|path| path.len() == 1 && &*path[0] == "*"));
        if let Some(object) = star.filter(|_| self.path.is_empty()) {
            self.object = ObjectId(object as u32);
        }
        self
    }

    /// Another object, with the same configuration.
    #[must_use]
    pub fn become_object(mut self, catalog: &Catalog, gives: &str) -> Self {
        self.path.clear();
        if gives.contains(':') {
            if let Some((library, object)) = catalog.foreign(catalog.library(self.library), gives) {
                let package = catalog.library(library).packages.first().map(|package| Rc::from(&**package));
                self.library = library;
                self.object = object;
                self.package = package.unwrap_or(self.package);
            }
        } else if let Some(object) = catalog.library(self.library).object_id(gives) {
            self.object = object;
        }
        self
    }
}

impl<'p> Eval<'p> {
    /// What a name without a declaration is.
    pub(super) fn global(&self, file: FileId, name: &str) -> Option<Value> {
        let family = self.program.files.family(file);
        let (library, object) = self.program.catalog.global(family, name)?;
        let package = self.program.catalog.library(library).packages.first().map_or(name, |package| &**package);
        let mut value = LibValue::module(library, file, package);
        value.object = object;
        Some(Value::Lib(Rc::new(value)))
    }

    /// What a package, or a name of it, is.
    pub(super) fn package(&self, file: FileId, package: &str, inner: &str, name: &ImportName) -> Value {
        let catalog = self.program.catalog;
        let family = self.program.files.family(file);
        let libraries = catalog.package(family, package, inner);
        if libraries.is_empty() {
            return Value::opaque(format!("the package `{package}`, which the catalog does not know"));
        }
        let nests = self.program.files.modules(file).nest();
        Value::any(libraries.into_iter().map(|library| {
            let mut value = LibValue::module(library, file, package);
            if nests && !inner.is_empty() {
                for part in inner.split("::") {
                    value = value.with_member(catalog, part);
                }
            }
            Value::Lib(Rc::new(match name {
                ImportName::Name(name) => value.with_member(catalog, name),
                ImportName::Namespace | ImportName::Whole | ImportName::Glob => value.whole(catalog),
            }))
        }))
    }

    /// The version of a library's package that counts where a value was imported.
    pub fn version(&self, lib: &LibValue) -> Option<Version> {
        let key = (lib.file, lib.package.clone());
        if let Some(known) = self.versions.borrow().get(&key) {
            return known.clone();
        }
        let files = self.program.files;
        let text = files.modules(lib.file).version(files.path(lib.file), &lib.package);
        let found = text.and_then(|text| Version::parse(&text).ok().or_else(|| Range::parse(&text).ok()?.min_version()));
        self.versions.borrow_mut().insert(key, found.clone());
        found
    }

    /// The rule that a call on a library's value follows: rules that name the function come before those with a wildcard, and rules that
    /// ask for an object or a text come before the looser ones beside them.
    pub fn op(&self, lib: &LibValue, new: bool, args: &[Bound]) -> Option<Matched> {
        let library = self.program.catalog.library(lib.library);
        self.op_on(library, lib, new, args).or_else(|| self.op_on(library, &lib.from_module(library)?, new, args))
    }

    fn op_on(&self, library: &Library, lib: &LibValue, new: bool, args: &[Bound]) -> Option<Matched> {
        let holds = |versions: &Versions| versions.is_any() || versions.hold(self.version(lib).as_ref());
        let is_plain = |name: &str, except: &[String]| except.iter().any(|no| crate::catalog::name_fits(no, name));
        library.rules(lib.object).of(lib.path.last().map(|name| &**name)).iter().find_map(|tried| {
            let at = tried.rule;
            let (op, shapes) = match tried.table {
                Table::Values => (Op::Value(at), &library.values[at].shapes),
                Table::Sends => (Op::Send(at), &library.sends[at].shapes),
                Table::Makes => (Op::Make(at), &library.makes[at].shapes),
                Table::Steps => (Op::Step(at), &library.steps[at].shapes),
                Table::Scopes => (Op::Scope(at), &library.scopes[at].shapes),
                Table::Handlers => (Op::Handler(at), &library.handlers[at].shapes),
            };
            let shape = &shapes[tried.shape];
            if shape.new != new || !shape.fits(&lib.path) {
                return None;
            }
            let holds = match op {
                Op::Send(at) => {
                    let send = &library.sends[at];
                    !lib.path.iter().any(|name| is_plain(name, &send.table.except)) && holds(&send.versions)
                }
                Op::Make(at) => holds(&library.makes[at].versions),
                Op::Step(at) => holds(&library.steps[at].versions),
                Op::Scope(at) => holds(&library.scopes[at].versions),
                Op::Value(_) | Op::Handler(_) => true,
            };
            let roles = if holds { self.roles(lib, &shape.args, args) } else { None };
            Some(Matched { op, roles: roles? })
        })
    }

    /// A method that is called by the name of its object's class takes the object as its first argument: the method, and the others.
    pub fn as_method(&self, lib: &LibValue, args: &[Bound]) -> Option<(Rc<LibValue>, Vec<Bound>)> {
        let (object, rest) = args.split_first()?;
        let (name, class) = lib.path.split_last().filter(|_| lib.layers.is_empty())?;
        if !self.program.files.modules(lib.file).nest() {
            return None;
        }
        let class = LibValue { path: class.to_vec(), ..lib.clone() };
        let Value::Lib(class) = self.as_type(Value::Lib(Rc::new(class))) else { return None };
        let object = self.bound(object).options().iter().find_map(|option| match option {
            Value::Lib(given) if given.library == class.library && given.object == class.object && given.path.is_empty() => {
                Some(given.with_member(self.program.catalog, name))
            }
            _ => None,
        })?;
        Some((Rc::new(object), rest.to_vec()))
    }

    /// The `[[make]]` that a call follows besides its `[[send]]`: what it gives.
    pub fn make_beside(&self, lib: &LibValue, new: bool, args: &[Bound]) -> Option<(usize, Roles)> {
        let library = self.program.catalog.library(lib.library);
        let makes = library.rules(lib.object).of(lib.path.last().map(|name| &**name)).iter();
        makes.filter(|tried| tried.table == Table::Makes).find_map(|tried| {
            let rule = &library.makes[tried.rule];
            let shape = &rule.shapes[tried.shape];
            let fits = !rule.table.foreign && shape.new == new && shape.fits(&lib.path);
            let holds = fits && (rule.versions.is_any() || rule.versions.hold(self.version(lib).as_ref()));
            Some((tried.rule, if holds { self.roles(lib, &shape.args, args)? } else { return None }))
        })
    }

    /// All makes that a call on a library's value fits, by their place in the table.
    pub fn makes_at(&self, lib: &LibValue, at: super::Loc) -> Vec<(usize, Roles)> {
        let Some(unit) = self.unit(at.file) else { return Vec::new() };
        let Expr::Call { form, .. } = unit.facts.expr(at.expr) else { return Vec::new() };
        let new = *form == crate::facts::CallForm::New;
        let args = self.args_of(at, &None);
        let library = self.program.catalog.library(lib.library);
        let makes = library.makes.iter().enumerate().filter(|(_, make)| can(library, lib.object, make.on) && !make.table.foreign);
        let held = makes.filter(|(_, make)| make.versions.is_any() || make.versions.hold(self.version(lib).as_ref()));
        held.filter_map(|(rule, make)| Some((rule, self.shapes(lib, &make.shapes, &lib.path, new, &args)?))).collect()
    }

    /// The roles of the first shape that a call fits.
    pub fn shapes(&self, lib: &LibValue, shapes: &[Shape], path: &[Box<str>], new: bool, args: &[Bound]) -> Option<Roles> {
        shapes.iter().find_map(|shape| {
            if shape.new != new || !shape.fits(path) {
                return None;
            }
            self.roles(lib, &shape.args, args)
        })
    }

    /// Which argument plays which role; `None` where one does not fit.
    pub fn roles(&self, lib: &LibValue, shapes: &[ArgShape], args: &[Bound]) -> Option<Roles> {
        let mut roles = Vec::with_capacity(shapes.len());
        let mut next = 0;
        for shape in shapes {
            if shape.last {
                let rest = args.get(next..).unwrap_or(&[]);
                if let Some(last) = rest.iter().rev().find(|arg| !self.is_function(arg)).filter(|last| self.may_be_options(last))
                {
                    roles.push((shape.roles.first().cloned().unwrap_or(Role::Any), last.clone()));
                }
                next = args.len();
                continue;
            }
            let Some(arg) = args.get(next) else {
                if shape.optional {
                    continue;
                }
                return None;
            };
            match self.role(lib, shape, arg) {
                Some(role) => roles.push((role, arg.clone())),
                None => return None,
            }
            if !matches!(arg, Bound::Spread(..)) {
                next += 1;
            }
        }
        Some(Roles(roles.into()))
    }

    fn role(&self, lib: &LibValue, shape: &ArgShape, arg: &Bound) -> Option<Role> {
        let strict = shape.roles.iter().any(|role| matches!(role, Role::Text(_) | Role::Object(_)));
        if shape.roles.len() == 1 && !strict {
            let called_back = shape.roles.first() == Some(&Role::Options) && self.looks_like_handler(arg);
            return if called_back { Some(Role::Any) } else { shape.roles.first().cloned() };
        }
        let value = self.bound(arg);
        for role in &shape.roles {
            let fits = match role {
                Role::Text(text) => value.options().iter().any(|v| matches!(v, Value::Text(known) if **known == **text)),
                Role::Object(name) => value.options().iter().any(|v| match v {
                    Value::Lib(arg) if arg.library == lib.library => {
                        let library = self.program.catalog.library(lib.library);
                        arg.path.is_empty() && library.object_id(name).is_some_and(|on| library.can(arg.object, on))
                    }
                    _ => false,
                }),
                Role::Options => {
                    value.options().iter().any(|v| matches!(v, Value::Object(_)))
                        || value.is_opaque() && self.looks_like_options(arg)
                }
                Role::Work | Role::Handler => self.is_function(arg),
                Role::Config => self.configures(&value, shape.roles.contains(&Role::Target)),
                Role::Target if shape.roles.contains(&Role::Config) && self.configures(&value, true) => false,
                _ => {
                    let is_options = value.options().iter().all(|v| matches!(v, Value::Object(_)));
                    !(is_options || value.is_opaque() && self.looks_like_options(arg))
                }
            };
            if fits {
                return Some(role.clone());
            }
        }
        if strict { None } else { shape.roles.last().cloned() }
    }

    /// Whether a value may be what a call takes its configuration of: an object of a library, and not something out of an answer. Where a
    /// destination may stand as well, a member of an object (`request.url`) is one.
    fn configures(&self, value: &Value, or_target: bool) -> bool {
        value.options().iter().any(|option| match option {
            Value::Lib(lib) => {
                let object = self.program.catalog.library(lib.library).object(lib.object);
                (object.reads.is_empty() || lib.layers.is_empty()) && (lib.path.is_empty() || !or_target)
            }
            _ => false,
        })
    }

    /// Whether the last argument of a call may be its options: an object, or something unknown that is not called otherwise.
    fn may_be_options(&self, arg: &Bound) -> bool {
        self.bound(arg).options().iter().any(|value| match value {
            Value::Opaque(_) => self.looks_like_options(arg) || !self.is_named(arg),
            Value::Text(_) | Value::Number(_) | Value::Bool(_) | Value::List(_) | Value::Lib(_) | Value::Env(_) => false,
            _ => true,
        })
    }

    /// Whether an argument is a name or a member, which says by its name what it is.
    fn is_named(&self, arg: &Bound) -> bool {
        let (Bound::Thunk(at, _) | Bound::Named(_, at, _) | Bound::Spread(at, _)) = arg else { return false };
        self.unit(at.file).is_some_and(|unit| matches!(unit.facts.expr(at.expr), Expr::Name(..) | Expr::Member { .. }))
    }

    /// Whether an argument that is not known is called as options are.
    fn looks_like_options(&self, arg: &Bound) -> bool {
        let (Bound::Thunk(at, _) | Bound::Named(_, at, _) | Bound::Spread(at, _)) = arg else { return false };
        let Some(unit) = self.unit(at.file) else { return false };
        let name = match unit.facts.expr(at.expr) {
            Expr::Name(name, _) => name,
            Expr::Member { name, .. } => name,
            Expr::Object { .. } => return true,
            _ => return false,
        };
        let lower = name.to_ascii_lowercase();
        ["opt", "opts", "options", "conf", "config", "configuration", "param", "params", "init", "settings", "request", "req"]
            .iter()
            .any(|word| lower.ends_with(word))
    }

    /// Whether an argument that is not known is named as functions are that are called later.
    fn looks_like_handler(&self, arg: &Bound) -> bool {
        let Bound::Thunk(at, _) = arg else { return false };
        let Some(unit) = self.unit(at.file) else { return false };
        match unit.facts.expr(at.expr) {
            Expr::Name(name, _) => {
                HANDLER_NAMES.contains(&&**name)
                    && !self.bound(arg).options().iter().any(|value| matches!(value, Value::Object(_)))
            }
            Expr::Function(_) => true,
            _ => false,
        }
    }

    /// Whether an argument is a function.
    pub fn is_function(&self, arg: &Bound) -> bool {
        if let Bound::Thunk(at, _) = arg
            && let Some(unit) = self.unit(at.file)
            && let Expr::Function(function) = unit.facts.expr(at.expr)
        {
            return !unit.facts.function(*function).is_block;
        }
        self.looks_like_handler(arg) || self.bound(arg).options().iter().any(|value| matches!(value, Value::Function(..)))
    }
}

/// What parameters are called that take a function to call when all is done.
const HANDLER_NAMES: [&str; 8] = ["done", "cb", "callback", "next", "resolve", "reject", "handler", "listener"];
