//! Which files can hold outbound calls: those with a trigger word, and those that get hold of a client through another file.
//!
//! In: the files with a trigger word. Out: all files worth judging, in the order of their paths. A file that imports another one is
//! asked only if it holds a name under which that file hands a client on, and the name of a call that leaves the process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::survey::{bare, share_out};
use super::{Judge, Policy};
use crate::catalog::LibraryId;
use crate::facts::{BindingId, Exported, Expr, FunctionId, ImportName, MODULE, Source, Step};
use crate::link::value::Part;
use crate::link::{Env, Loc, Owner, Program, Unit, Value};
use crate::span::FileId;

/// How deep into object literals clients are looked for.
const DEEPEST: u32 = 3;

/// What a file hands on.
#[derive(Clone, Default)]
struct Held {
    /// The names under which others get hold of a client.
    names: BTreeSet<Box<str>>,
    /// The names under which only modules inside of it do.
    inner: BTreeSet<Box<str>>,
    /// Whether it goes by any name: it is what the module is when it is imported.
    by_any: bool,
    /// The clients' libraries.
    libraries: BTreeSet<LibraryId>,
}

/// What is to be asked about a file.
enum Question {
    /// What it holds of its own.
    Own,
    /// What comes of the names that it takes from other files and hands on.
    Passed(Held),
}

/// A file that gets hold of clients through another one.
struct Taker {
    file: FileId,
    wild: bool,
    /// Whether it holds the name of an outbound call; else it may only hand on what it makes of the clients.
    calls: bool,
    passed: Held,
}

/// What is worth looking at.
pub(super) struct Reach {
    /// The files that can hold outbound calls, in the order of their paths.
    pub files: Vec<Reached>,
    /// Those, and the files that only hand on what they make of clients.
    pub entered: Arc<FxHashSet<FileId>>,
}

/// A file that can hold outbound calls.
pub(super) struct Reached {
    /// The file.
    pub file: FileId,
    /// Whether calls of any name may be outbound there: a library that lists no names is at hand.
    pub wild: bool,
}

/// The files that can hold outbound calls. A first look enters none but those that hold clients as far as is known; what a file holds is
/// asked again when a file turns out to hold something that it takes.
pub(super) fn reach(program: &Program<'_>, policy: &Policy, first: &[FileId]) -> Reach {
    let mut known: BTreeMap<FileId, bool> = first.iter().map(|file| (*file, names_wild(program, *file))).collect();
    let mut loose: BTreeSet<FileId> = BTreeSet::new();
    let mut told: FxHashMap<FileId, Held> = FxHashMap::default();
    let mut passed: FxHashMap<FileId, Held> = FxHashMap::default();
    let mut questions: Vec<(FileId, Question)> = first.iter().map(|file| (*file, Question::Own)).collect();
    let mut entered: Arc<FxHashSet<FileId>> = Arc::default();
    while !questions.is_empty() {
        entered = Arc::new(known.keys().copied().chain(loose.iter().copied()).collect());
        let judge = || entering(program, policy, &entered);
        let answers = share_out(&questions, judge, |judge, (file, question)| match question {
            Question::Own => {
                let held = judge.held(*file).filter(|held| told.get(file).is_none_or(|told| !told.holds(held)))?;
                Some((judge.takers(*file, &held), Some(held)))
            }
            Question::Passed(held) => Some((judge.takers(*file, held), None)),
        });
        let is_own = |(file, question): &(FileId, Question)| matches!(question, Question::Own).then_some(*file);
        let asked: FxHashSet<FileId> = questions.iter().filter_map(is_own).collect();
        let mut own: BTreeSet<FileId> = BTreeSet::new();
        let mut more: BTreeMap<FileId, Held> = BTreeMap::new();
        for ((file, _), answer) in questions.iter().zip(answers) {
            let Some((takers, held)) = answer else { continue };
            if let Some(held) = held {
                told.entry(*file).or_default().take_in(&held);
            }
            for taker in takers {
                if taker.calls {
                    let before = known.get(&taker.file).copied();
                    known.insert(taker.file, taker.wild || before.unwrap_or_else(|| names_wild(program, taker.file)));
                } else {
                    loose.insert(taker.file);
                    // Where types say what is handed on, whoever calls it names the type's file too.
                    if program.files.modules(taker.file).is_typed() {
                        continue;
                    }
                }
                if !asked.contains(&taker.file) {
                    own.insert(taker.file);
                }
                if passed.entry(taker.file).or_default().take_in(&taker.passed) {
                    more.entry(taker.file).or_default().take_in(&taker.passed);
                }
            }
        }
        questions = own.into_iter().map(|file| (file, Question::Own)).collect();
        questions.extend(more.into_iter().map(|(file, held)| (file, Question::Passed(held))));
    }
    let mut files: Vec<Reached> = known.into_iter().map(|(file, wild)| Reached { file, wild }).collect();
    files.sort_by_key(|reached| program.files.order(reached.file));
    Reach { files, entered }
}

/// A judge whose first looks enter these files.
pub(super) fn entering<'p>(program: &'p Program<'p>, policy: &'p Policy, files: &Arc<FxHashSet<FileId>>) -> Judge<'p> {
    let judge = bare(program, policy);
    Judge { eval: judge.eval.entering(files.clone()), ..judge }
}

impl Held {
    /// Adds a name; `inside`: only modules inside of the file get hold of it.
    fn add(&mut self, name: &str, inside: bool) {
        match name {
            "default" | "=" => self.by_any = true,
            _ if inside => drop(self.inner.insert(name.into())),
            _ => drop(self.names.insert(name.trim_start_matches('#').into())),
        }
    }

    /// Whether a name is among those it is had by.
    fn goes_by(&self, name: &str) -> bool {
        self.by_any || self.names.contains(name) || self.inner.contains(name)
    }

    /// Whether it holds all that another one does.
    fn holds(&self, other: &Self) -> bool {
        let holds = |own: &BTreeSet<Box<str>>, other: &BTreeSet<Box<str>>| other.is_subset(own);
        holds(&self.names, &other.names)
            && holds(&self.inner, &other.inner)
            && (self.by_any || !other.by_any)
            && other.libraries.is_subset(&self.libraries)
    }

    /// Adds what another one holds; whether something of it is new.
    fn take_in(&mut self, other: &Self) -> bool {
        let is_new = !self.holds(other);
        self.names.extend(other.names.iter().cloned());
        self.inner.extend(other.inner.iter().cloned());
        self.by_any |= other.by_any;
        self.libraries.extend(&other.libraries);
        is_new
    }
}

/// The name of the type that a function belongs to.
fn owner_name(unit: &Unit, function: FunctionId) -> Option<&str> {
    match unit.owner(function)? {
        Owner::Class(class) => unit.facts.class(class).name.as_deref(),
        Owner::Extension(at) => unit.facts.extensions[at].of.path.last().map(|name| &**name),
    }
}

/// Whether a file names a library whose outbound calls have any name, or is written in a language where a method may go by any name.
fn names_wild(program: &Program<'_>, file: FileId) -> bool {
    let common = program.catalog.common(program.files.family(file));
    let named = || common.is_some_and(|common| common.wild.iter().any(|word| program.files.holds_word(file, word)));
    !program.files.modules(file).is_typed() || named()
}

impl Judge<'_> {
    /// The files that import a file and may call a client that it hands on, or hand it on in their turn.
    fn takers(&self, home: FileId, held: &Held) -> Vec<Taker> {
        let (files, catalog) = (self.program().files, self.program().catalog);
        let mut calls: FxHashSet<&str> = FxHashSet::default();
        let mut wild = false;
        for library in held.libraries.iter().map(|id| catalog.library(*id)) {
            match library.send_names() {
                Some(names) => calls.extend(names),
                None => wild = true,
            }
        }
        let holds = |file: FileId, word: &str| files.holds_word(file, word);
        let mut takers = files.importers(home);
        let is_inside = |file: FileId| files.modules(home).sees_private(files.path(file), files.path(home));
        takers.retain(|file| {
            let names = |names: &BTreeSet<Box<str>>| names.iter().any(|name| holds(*file, name));
            files.passes_all(*file) || held.by_any || names(&held.names) || names(&held.inner) && is_inside(*file)
        });
        let taker = |file: FileId| {
            let calls = wild || files.passes_on(file) || calls.iter().any(|name| holds(file, name));
            let passed = if calls || !files.modules(file).is_typed() { self.passed(file, home, held) } else { Held::default() };
            Taker { file, wild, calls, passed }
        };
        takers.into_iter().map(taker).collect()
    }

    /// The names under which a file hands on what it takes from another one.
    fn passed(&self, file: FileId, home: FileId, held: &Held) -> Held {
        let files = self.program().files;
        // Where modules hold modules, those inside one get hold of what it imports.
        let nests = files.modules(file).nest();
        let mut passed = Held::default();
        let unit = if nests || files.passes_on(file) { self.eval.unit(file) } else { None };
        let Some(unit) = unit else { return passed };
        let comes_from = |module: &str| self.eval.module_file(file, module) == Some(home);
        let import_of = |local: &str| {
            let binding = unit.binding_in(local, MODULE)?;
            unit.facts.bindings[binding.index()].sources.iter().find_map(|source| match source {
                Source::Import(import) => Some(&unit.facts.imports[import.index()]),
                _ => None,
            })
        };
        let taken = |name: &ImportName| !matches!(name, ImportName::Name(name) if !held.goes_by(name));
        for export in &unit.facts.exports {
            let source = match &export.what {
                Exported::From { module, name } => Some((module, name)),
                Exported::Local(local) => import_of(local).map(|import| (&import.module, &import.name)),
                Exported::Star { module } if comes_from(module) => {
                    passed.names.extend(held.names.iter().cloned());
                    None
                }
                Exported::Star { .. } | Exported::Value(_) => None,
            };
            if source.is_some_and(|(module, name)| taken(name) && comes_from(module)) {
                passed.add(&export.name, self.takes_for_itself(file));
            }
        }
        let imports = unit.facts.bindings.iter().filter(|binding| nests && binding.scope == MODULE);
        for name in imports.map(|binding| &binding.name) {
            if import_of(name).is_some_and(|import| taken(&import.name) && comes_from(&import.module)) {
                passed.add(name, self.takes_for_itself(file));
            }
        }
        if passed.by_any || !passed.names.is_empty() || !passed.inner.is_empty() {
            passed.libraries = held.libraries.clone();
        }
        passed
    }

    /// Whether only modules inside of a file get hold of what it imports.
    fn takes_for_itself(&self, file: FileId) -> bool {
        let files = self.program().files;
        files.modules(file).nest() && !files.passes_on(file)
    }

    /// What other files can get hold of through a file: by an export, a class's field, or a function's result. A first look.
    fn held(&self, file: FileId) -> Option<Held> {
        let unit = self.eval.unit(file)?;
        self.eval.begin();
        let mut held = Held::default();
        self.eval.at_first_look(|| {
            self.hold_names(file, unit, &mut held);
            self.hold_results(file, unit, &mut held);
            self.hold_handed(file, unit, &mut held);
            self.hold_fields(file, unit, &mut held);
        });
        (!held.libraries.is_empty()).then_some(held)
    }

    /// Names of the module, and what it exports. What it takes from other files it has when those are asked: see [`Judge::passed`].
    fn hold_names(&self, file: FileId, unit: &Unit, held: &mut Held) {
        let is_taken = |source: &Source| match source {
            Source::Import(import) => self.eval.module_file(file, &unit.facts.imports[import.index()].module).is_some(),
            _ => false,
        };
        for (at, binding) in unit.facts.bindings.iter().enumerate() {
            if binding.scope == MODULE && !binding.sources.iter().any(is_taken) {
                let value = self.eval.binding(file, unit, BindingId(at as u32), &None);
                let is_import = binding.sources.iter().all(|source| matches!(source, Source::Import(_)));
                self.hold_as(&value, &binding.name, is_import && self.takes_for_itself(file), held);
            }
        }
        for export in &unit.facts.exports {
            let is_own = match &export.what {
                Exported::Local(local) => unit
                    .binding_in(local, MODULE)
                    .is_some_and(|binding| !unit.facts.bindings[binding.index()].sources.iter().any(is_taken)),
                Exported::Value(_) => true,
                Exported::From { module, .. } => self.eval.module_file(file, module).is_none(),
                Exported::Star { .. } => false,
            };
            if is_own && let Some(value) = self.eval.exported(file, &export.name) {
                let is_import = matches!(export.what, Exported::From { .. });
                self.hold_as(&value, &export.name, is_import && self.takes_for_itself(file), held);
            }
        }
    }

    /// What a function may give.
    fn results<'e>(&'e self, file: FileId, function: FunctionId, env: &'e Env) -> impl Iterator<Item = Value> + 'e {
        let returns = self.eval.unit(file).map_or(&[][..], |unit| &unit.facts.function(function).returns);
        returns.iter().map(move |returned| self.eval.value(Loc { file, expr: *returned }, env))
    }

    /// What functions give: what their types say, where types say it.
    fn hold_results(&self, file: FileId, unit: &Unit, held: &mut Held) {
        let is_typed = self.program().files.modules(file).is_typed();
        for (at, function) in unit.facts.functions.iter().enumerate() {
            if function.is_test || is_typed && function.returns_type.is_none() && function.literal.is_none() {
                continue;
            }
            let key = (file, FunctionId(at as u32));
            let bound = self.eval.binding_of(unit, key).map(|binding| &*unit.facts.bindings[binding.index()].name);
            // What is called by the name of its type is had by that name.
            let of_type = || owner_name(unit, key.1).filter(|_| is_typed && function.is_static);
            let name = of_type().or(bound).or(function.name.as_deref()).unwrap_or("default");
            // Whoever hands on a type hands on what its methods give.
            let names = || owner_name(unit, key.1).filter(|of| is_typed && *of != name).into_iter().chain([name]);
            if let Some(value) = function.returns_type.as_ref().and_then(|ty| self.eval.trusted(file, ty)) {
                names().for_each(|name| self.hold(&value, name, held));
                continue;
            }
            for returned in &function.returns {
                let value = self.eval.value(Loc { file, expr: *returned }, &None);
                names().for_each(|name| self.hold(&value, name, held));
            }
        }
    }

    /// What functions hand to the functions that they are given (`withTransaction(async (client) => …)`).
    fn hold_handed(&self, file: FileId, unit: &Unit, held: &mut Held) {
        for call in &unit.facts.calls {
            let Expr::Call { callee, args, .. } = unit.facts.expr(*call) else { continue };
            let Expr::Name(name, scope) = unit.facts.expr(*callee) else { continue };
            let Some(binding) = unit.binding(name, *scope).filter(|_| !args.is_empty()) else { continue };
            let taker = unit.facts.bindings[binding.index()].sources.iter().find_map(|source| match source {
                Source::Param { function, .. } => Some(*function),
                _ => None,
            });
            let Some(taker) = taker else { continue };
            let bound = self.eval.binding_of(unit, (file, taker)).map(|binding| &unit.facts.bindings[binding.index()].name);
            let name = bound.or(unit.facts.function(taker).name.as_ref()).map_or("default", |name| name);
            for arg in args {
                self.hold(&self.eval.value(Loc { file, expr: arg.value }, &None), name, held);
            }
        }
    }

    /// Fields of classes: those with a type, and those that are written to.
    fn hold_fields(&self, file: FileId, unit: &Unit, held: &mut Held) {
        for field in unit.facts.classes.iter().flat_map(|class| &class.fields) {
            if let Some(value) = field.ty.as_ref().and_then(|ty| self.eval.typed(file, ty)) {
                self.hold(&value, &field.name, held);
            }
        }
        for write in unit.facts.writes.iter().filter(|write| matches!(unit.facts.expr(write.root), Expr::This)) {
            if let Some(Step::Name(name)) = write.path.first() {
                self.hold(&self.eval.value(Loc { file, expr: write.value }, &None), name, held);
            }
        }
    }

    /// Notes that a value can be had under a name, if a client is in it.
    fn hold(&self, value: &Value, name: &str, held: &mut Held) {
        self.hold_as(value, name, false, held);
    }

    fn hold_as(&self, value: &Value, name: &str, inside: bool, held: &mut Held) {
        if self.add_libraries(value, 0, &mut held.libraries) {
            held.add(name, inside);
        }
    }

    /// Adds the libraries whose objects a value is or holds.
    fn add_libraries(&self, value: &Value, depth: u32, libraries: &mut BTreeSet<LibraryId>) -> bool {
        let mut found = false;
        for option in value.options() {
            found |= match option {
                Value::Lib(lib) => {
                    let is_object = !lib.layers.is_empty() || lib.object != crate::catalog::MODULE || lib.unmade.is_some();
                    is_object && {
                        libraries.insert(lib.library);
                        true
                    }
                }
                Value::Object(object) if depth < DEEPEST => object.parts.iter().fold(false, |found, part| match part {
                    Part::Field(_, at, env) | Part::Spread(at, env) => {
                        self.add_libraries(&self.eval.value(*at, env), depth + 1, libraries) || found
                    }
                    _ => found,
                }),
                Value::Module(file) if depth > 0 && depth < DEEPEST => {
                    let exports = self.eval.unit(*file).map_or(&[][..], |unit| &unit.facts.exports);
                    exports.iter().fold(false, |found, export| {
                        let value = self.eval.exported(*file, &export.name);
                        value.is_some_and(|value| self.add_libraries(&value, depth + 1, libraries)) || found
                    })
                }
                Value::Function(file, function, env, _) if depth < DEEPEST => {
                    self.results(*file, *function, env).any(|value| self.add_libraries(&value, depth + 1, libraries))
                }
                _ => false,
            };
        }
        found
    }
}
