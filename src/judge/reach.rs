//! Which files can hold outbound calls: those with a trigger word, and those that get hold of a client through another file.
//!
//! In: the files with a trigger word. Out: all files worth judging, in the order of their paths. A file that imports another one is
//! asked only if it holds a name under which that file hands a client on, and the name of a call that leaves the process.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::survey::{bare, in_chunks};
use super::{Judge, Policy};
use crate::catalog::LibraryId;
use crate::facts::{BindingId, Exported, Expr, FunctionId, MODULE, Source, Step};
use crate::link::value::Part;
use crate::link::{Env, Loc, Program, Unit, Value};
use crate::span::FileId;

/// How deep into object literals clients are looked for.
const DEEPEST: u32 = 3;
/// How many files are followed that a file hands on as a whole.
const MOST_BARRELS: usize = 32;

/// What a file hands on.
#[derive(Default)]
struct Held {
    /// The names under which others get hold of a client; `None`: any name.
    names: Option<FxHashSet<Box<str>>>,
    /// The clients' libraries.
    libraries: FxHashSet<LibraryId>,
}

/// A file that can hold outbound calls.
pub(super) struct Reached {
    /// The file.
    pub file: FileId,
    /// Whether calls of any name may be outbound there: a library that lists no names is at hand.
    pub wild: bool,
}

/// The files that can hold outbound calls.
pub(super) fn reach(program: &Program<'_>, policy: &Policy, first: &[FileId]) -> Vec<Reached> {
    let mut known: BTreeMap<FileId, bool> = first.iter().map(|file| (*file, names_wild(program, *file))).collect();
    let mut frontier: Vec<FileId> = first.to_vec();
    while !frontier.is_empty() {
        let takers_of = |judge: &Judge<'_>, file: &FileId| match judge.held(*file) {
            Some(held) => takers(program, *file, &held),
            None => Vec::new(),
        };
        let more = in_chunks(&frontier, || bare(program, policy), takers_of);
        frontier.clear();
        for (file, wild) in more.into_iter().flatten() {
            let before = known.get(&file).copied();
            if before.is_none() {
                frontier.push(file);
            }
            known.insert(file, wild || before.unwrap_or_else(|| names_wild(program, file)));
        }
    }
    let mut files: Vec<Reached> = known.into_iter().map(|(file, wild)| Reached { file, wild }).collect();
    files.sort_by_key(|reached| program.files.order(reached.file));
    files
}

/// Whether a file names a library whose outbound calls have any name, or is written in a language where a method may go by any name.
fn names_wild(program: &Program<'_>, file: FileId) -> bool {
    let common = program.catalog.common(program.files.family(file));
    let named = || common.is_some_and(|common| common.wild.iter().any(|word| program.files.holds_word(file, word)));
    !program.files.modules(file).is_typed() || named()
}

/// The files that import a file and may call a client that it hands on, or hand it on in their turn.
fn takers(program: &Program<'_>, home: FileId, held: &Held) -> Vec<(FileId, bool)> {
    let mut calls: FxHashSet<&str> = FxHashSet::default();
    let mut wild = false;
    for library in held.libraries.iter().map(|id| program.catalog.library(*id)) {
        match library.send_names() {
            Some(names) => calls.extend(names),
            None => wild = true,
        }
    }
    let holds = |file: FileId, word: &str| program.files.holds_word(file, word);
    let mut takers = program.files.importers(home);
    takers.retain(|file| {
        let named = || held.names.as_ref().is_none_or(|names| names.iter().any(|name| holds(*file, name)));
        program.files.passes_all(*file)
            || named() && (wild || program.files.passes_on(*file) || calls.iter().any(|name| holds(*file, name)))
    });
    takers.into_iter().map(|file| (file, wild)).collect()
}

impl Judge<'_> {
    /// What other files can get hold of through a file: by an export, a class's field, or a function's result. A first look.
    fn held(&self, file: FileId) -> Option<Held> {
        let unit = self.eval.unit(file)?;
        self.eval.begin();
        let mut held = Held { names: Some(FxHashSet::default()), libraries: FxHashSet::default() };
        self.eval.at_first_look(|| {
            self.hold_names(file, unit, &mut held);
            self.hold_results(file, unit, &mut held);
            self.hold_handed(file, unit, &mut held);
            self.hold_fields(file, unit, &mut held);
        });
        (!held.libraries.is_empty()).then_some(held)
    }

    /// Names of the module, and what it exports.
    fn hold_names(&self, file: FileId, unit: &Unit, held: &mut Held) {
        for (at, binding) in unit.facts.bindings.iter().enumerate().filter(|(_, binding)| binding.scope == MODULE) {
            let value = self.eval.binding(file, unit, BindingId(at as u32), &None);
            self.hold(&value, &binding.name, held);
        }
        let mut barrels = vec![file];
        let mut next = 0;
        while let Some(home) = barrels.get(next).copied().filter(|_| next < MOST_BARRELS) {
            next += 1;
            let Some(other) = self.eval.unit(home) else { continue };
            for export in &other.facts.exports {
                if let Exported::Star { module } = &export.what {
                    barrels.extend(self.eval.module_file(home, module).filter(|more| !barrels.contains(more)));
                } else if let Some(value) = self.eval.exported(home, &export.name) {
                    self.hold(&value, &export.name, held);
                }
            }
        }
    }

    /// What a function may give.
    fn results<'e>(&'e self, file: FileId, function: FunctionId, env: &'e Env) -> impl Iterator<Item = Value> + 'e {
        let returns = self.eval.unit(file).map_or(&[][..], |unit| &unit.facts.function(function).returns);
        returns.iter().map(move |returned| self.eval.value(Loc { file, expr: *returned }, env))
    }

    /// What functions give.
    fn hold_results(&self, file: FileId, unit: &Unit, held: &mut Held) {
        for (at, function) in unit.facts.functions.iter().enumerate() {
            let key = (file, FunctionId(at as u32));
            for returned in &function.returns {
                let value = self.eval.value(Loc { file, expr: *returned }, &None);
                let bound = self.eval.binding_of(unit, key).map(|binding| &unit.facts.bindings[binding.index()].name);
                self.hold(&value, bound.or(function.name.as_ref()).map_or("default", |name| name), held);
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
        if !self.add_libraries(value, 0, &mut held.libraries) {
            return;
        }
        if matches!(name, "default" | "=") {
            held.names = None;
        } else if let Some(names) = &mut held.names {
            names.insert(name.trim_start_matches('#').into());
        }
    }

    /// Adds the libraries whose objects a value is or holds.
    fn add_libraries(&self, value: &Value, depth: u32, libraries: &mut FxHashSet<LibraryId>) -> bool {
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
