//! Settings that count for the whole process, or for an object from outside of the call that made it.
//!
//! In: the files that hold outbound calls. Out: the [`Setting`]s in them, and [`Globals`], what those say: writes such as `axios.defaults.timeout = 500`, and calls such as
//! `setGlobalDispatcher(agent)` or `HttpModule.register({ timeout })`. Which of them hold for a call is decided here too.

use super::call::Call;
use super::limits::Configured;
use super::placed::Placed;
use super::{Judge, Remark, RemarkKind};
use crate::catalog::schema::{At, Level};
use crate::catalog::{AS_GIVEN, Library, LibraryId, MODULE, ObjectId, Role};
use crate::facts::{BindingId, CallForm, Expr, Write};
use crate::finding::By;
use crate::link::index_names;
use crate::link::value::{Home, Layer, LibValue, Rule};
use crate::link::{Loc, Op, Value};
use crate::span::FileId;
use node_semver::Version;

/// A place that sets something beyond its own call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Setting {
    /// A write, by its file and its place among the file's writes.
    Write(FileId, usize),
    /// A call.
    Make(Loc),
}

/// Settings found in the program.
#[derive(Debug, Default)]
pub(super) struct Globals {
    /// Writes to members of library objects.
    pub writes: Vec<Written>,
    /// Calls that configure the process, or every object of a kind.
    pub makes: Vec<Made>,
}

/// A write to a member of a library's object.
#[derive(Debug)]
pub(super) struct Written {
    pub library: LibraryId,
    pub object: ObjectId,
    pub path: Vec<Box<str>>,
    pub value: Loc,
    pub homes: Vec<Home>,
    pub fields: Vec<Box<str>>,
}

impl Globals {
    /// Whether nothing is set.
    const fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.makes.is_empty()
    }
}

impl Written {
    /// Whether it was written through a variable.
    fn is_in_variable(&self, variable: (FileId, BindingId)) -> bool {
        self.homes.iter().any(|home| home.place() == variable)
    }

    /// Whether it was written through a variable that holds the object.
    fn is_in(&self, lib: &LibValue) -> bool {
        lib.homes.iter().any(|home| self.is_in_variable(home.place()))
    }
}

/// A call that configures more than its own result.
#[derive(Debug)]
pub(super) struct Made {
    pub layer: Layer,
    /// The call itself.
    pub call: Loc,
    pub gives: (LibraryId, ObjectId),
    pub ambient: bool,
    /// The call that hands an object on as it is; of two such objects it is not known which one is meant.
    pub handed: Option<Loc>,
}

impl Judge<'_> {
    /// The places of a file that set something.
    pub(super) fn settings(&self, file: FileId) -> Vec<Setting> {
        let Some(unit) = self.eval.unit(file) else { return Vec::new() };
        let is_own = |write: &Write| matches!(unit.facts.expr(write.root), Expr::This) && write.path.len() < 2;
        let writes = unit.facts.writes.iter().enumerate().filter(|(_, write)| !is_own(write));
        let common = self.catalog().common(self.program().files.family(file));
        let calls = unit.facts.calls.iter().copied().filter(|call| {
            // A class that is its whole module goes by any name.
            let is_made = matches!(unit.facts.expr(*call), Expr::Call { form: CallForm::New, .. });
            let sets = |name: &str| is_made || common.is_some_and(|common| common.settings.contains(name));
            unit.call_name(*call).is_none_or(sets) && !unit.is_test(unit.facts.expr_scopes[call.index()])
        });
        let calls = calls.map(|expr| Loc { file, expr }).filter(|at| self.may_set(*at)).map(Setting::Make);
        let settings = writes.map(|(at, _)| Setting::Write(file, at)).chain(calls);
        settings.filter(|setting| !self.collect_globals(&[*setting]).is_empty()).collect()
    }

    /// Whether a call may set something. Where types say what is called, they say it at a first look.
    fn may_set(&self, at: Loc) -> bool {
        if !self.program().files.modules(at.file).is_typed() {
            return true;
        }
        self.eval.begin();
        self.eval.at_first_look(|| self.eval.op_at(at, &None)).is_some_and(|(lib, _)| self.sets_for_others(&lib))
    }

    /// Whether a library has calls that set something beyond what they give.
    fn sets_for_others(&self, lib: &LibValue) -> bool {
        self.catalog().library(lib.library).makes.iter().any(|make| make.table.global || make.table.ambient)
    }

    /// What settings say.
    pub(super) fn collect_globals(&self, settings: &[Setting]) -> Globals {
        let mut globals = Globals::default();
        for setting in settings {
            match setting {
                Setting::Write(file, at) => {
                    if let Some(write) = self.eval.unit(*file).and_then(|unit| unit.facts.writes.get(*at)) {
                        self.collect_write(*file, write, &mut globals);
                    }
                }
                Setting::Make(at) => self.collect_make(*at, &mut globals),
            }
        }
        globals
    }

    fn collect_write(&self, file: FileId, write: &Write, globals: &mut Globals) {
        self.eval.begin();
        let mut value = self.eval.at_first_look(|| self.eval.value(Loc { file, expr: write.root }, &None));
        let names = index_names(&write.path);
        let mut path = names.as_slice();
        let mut fields = Vec::new();
        if let (Value::Instance(_), Some((first, rest))) = (&value, path.split_first()) {
            // Where types say what a field is, they say it at a first look.
            let field = || self.eval.member(&value, first, &None);
            let is_typed = self.program().files.modules(file).is_typed();
            value = if is_typed { self.eval.at_first_look(field) } else { field() };
            fields.push(first.clone());
            path = rest;
        }
        for option in value.options() {
            let Value::Lib(lib) = option else { continue };
            let mut lib = (**lib).clone();
            let mut full = lib.path.clone();
            full.extend(path.iter().cloned());
            lib.path.clear();
            globals.writes.push(Written {
                library: lib.library,
                object: lib.object,
                path: full,
                value: Loc { file, expr: write.value },
                homes: lib.homes.clone(),
                fields: fields.clone(),
            });
        }
    }

    fn collect_make(&self, at: Loc, globals: &mut Globals) {
        self.eval.begin();
        let Some((lib, matched)) = self.eval.op_at(at, &None) else { return };
        let Op::Make(_) = matched.op else { return };
        if !self.sets_for_others(&lib) {
            return;
        }
        let library = self.catalog().library(lib.library);
        for (rule, roles) in self.eval.makes_at(&lib, at) {
            let make = &library.makes[rule];
            if !make.table.global && !make.table.ambient {
                continue;
            }
            if make.table.gives == AS_GIVEN {
                self.collect_handed(at, &roles, globals);
                continue;
            }
            let Some(gives) = self.catalog().object_of(lib.library, &make.table.gives) else { continue };
            let mut layers = self.config_layers(&roles);
            let object = if gives.0 == lib.library { gives.1 } else { MODULE };
            layers.push(Layer { at, env: None, rule: Rule::Make(rule), object, library: lib.library, roles });
            globals.makes.extend(layers.into_iter().map(|layer| Made {
                layer,
                call: at,
                gives,
                ambient: make.table.ambient,
                handed: None,
            }));
        }
    }

    /// Objects that a call hands to whoever asks for one of their type.
    fn collect_handed(&self, at: Loc, roles: &crate::link::Roles, globals: &mut Globals) {
        for config in roles.all(&Role::Config) {
            for option in self.eval.bound(config).options() {
                let Value::Lib(given) = option else { continue };
                if given.unmade.is_some() || !given.path.is_empty() {
                    continue;
                }
                let gives = (given.library, given.object);
                let layers = given.layers.iter().cloned();
                globals.makes.extend(layers.map(|layer| Made { layer, call: at, gives, ambient: true, handed: Some(at) }));
            }
        }
    }

    /// What is written to members of the object that a call is made on, or of the one that is the whole process's.
    pub(super) fn read_writes(
        &self,
        call: &Call,
        library: &Library,
        version: Option<&Version>,
        global: bool,
        out: &mut Configured,
    ) {
        let written = |limit: &&crate::catalog::Keyed<_>| {
            let table: &crate::catalog::schema::LimitTable = &limit.table;
            table.at.contains(&At::Write) && table.global == global
        };
        for limit in library.limits.iter().filter(written) {
            let Some(key) = limit.keys.first() else { continue };
            for written in
                self.globals.writes.iter().filter(|written| written.library == call.lib.library && written.path == *key)
            {
                let object = library.object(written.object);
                let of_all = |other: &&crate::catalog::Keyed<crate::catalog::schema::LimitTable>| {
                    other.table.global && other.table.key == limit.table.key && other.concerns(object, version)
                };
                if !limit.concerns(object, version) || !global && library.limits.iter().any(|other| of_all(&other)) {
                    continue;
                }
                let Some(by) = self.write_holds(call, written, limit.table.global, out) else { continue };
                let Some(layer) = call.end.layers.last() else { continue };
                let home = written.homes.first().map(|home| home.place());
                let some_ways = home.is_some_and(|home| self.may_be_unwritten(written.value, home, &call.env, call));
                let placed = Placed { layer: layer.clone(), by, at: At::Write, some_ways };
                self.read_written(call, limit, &placed, written.value, out);
            }
        }
    }

    /// Whose limit a write is, if it counts for a call at all.
    fn write_holds(&self, call: &Call, written: &Written, global: bool, out: &mut Configured) -> Option<By> {
        let holds = |bound| written.is_in_variable(bound);
        let own_object = written.is_in(&call.lib)
            || call.bound.is_some_and(holds)
            || self.is_configured_from(call, written)
            || written.fields.iter().any(|field| call.lib.fields.iter().any(|(_, _, known)| known == field));
        if !global {
            let level = self.catalog().library(written.library).object(written.object).level;
            let request = level == Level::Request || call.bound.is_some_and(holds);
            return own_object.then_some(if request { By::Own } else { By::Client });
        }
        let made = call.lib.layers.iter().find(|layer| matches!(layer.rule, Rule::Make(_)));
        let Some(made) = made else { return Some(By::Global) };
        if written.value.file == made.at.file
            && let Some(unit) = self.eval.unit(made.at.file)
            && unit.facts.span(written.value.expr).start < unit.facts.span(made.at.expr).start
        {
            return Some(By::Global);
        }
        let text = "the defaults set here do not reach an instance that was made before".to_owned();
        out.remarks.push(Remark { kind: RemarkKind::Evidence, at: written.value, text });
        None
    }

    /// The call that configures the object of a call, which nobody makes, where there is one.
    pub(super) fn ambient_for(&self, call: &Call) -> Option<&Layer> {
        let library = self.catalog().library(call.lib.library);
        let mut makes = self.globals.makes.iter().filter(|made| made.ambient && made.gives.0 == call.lib.library);
        let found = makes.find(|made| library.can(call.lib.object, made.gives.1))?;
        call.lib.unmade.as_ref().map(|_| &found.layer)
    }

    /// Whether a write is to a configuration that the object of a call was made of.
    fn is_configured_from(&self, call: &Call, written: &Written) -> bool {
        let is_it = |value: &Value| matches!(value, Value::Lib(given) if given.object == written.object && written.is_in(given));
        let made_by = |lib: &crate::link::LibValue| -> Vec<crate::link::Bound> {
            let makes = lib.layers.iter().filter(|layer| !matches!(layer.rule, Rule::Send(_)));
            makes.flat_map(|layer| layer.roles.all(&Role::Config)).cloned().collect()
        };
        let is_given = |config: &crate::link::Bound| self.eval.bound(config).options().iter().any(is_it);
        made_by(&call.lib).iter().chain(call.configs()).any(is_given)
            // What is handed to the call may be made of it in its turn.
            || self.configs(call).iter().any(|config| made_by(config).iter().any(is_given))
    }

    /// The objects that a call is made on or with, of which it is not known how they were made.
    pub(super) fn unmade(&self, call: &Call) -> Vec<ObjectId> {
        let given = self.configs(call).into_iter().filter(|config| config.library == call.lib.library);
        let all = given.chain([call.lib.clone()]);
        // What it is now, and what it was when something was made of it.
        let objects = |lib: std::rc::Rc<crate::link::LibValue>| {
            let library = self.catalog().library(lib.library);
            let made_of = lib.layers.iter().filter_map(|layer| match layer.rule {
                Rule::Make(rule) if layer.library == lib.library => Some(library.makes[rule].on),
                _ => None,
            });
            made_of.chain([lib.object]).filter(|object| *object != MODULE).collect::<Vec<_>>()
        };
        all.filter(|lib| lib.unmade.is_some()).flat_map(objects).collect()
    }

    /// Whether no limit can have been set where the object of a call was made.
    pub(super) fn is_bare(&self, call: &Call) -> bool {
        let library = self.catalog().library(call.lib.library);
        self.unmade(call).first().is_some_and(|object| library.object(*object).bare)
    }

    /// Whether another object of the same kind is handed on elsewhere.
    pub(super) fn is_ambiguous(&self, made: &Made) -> bool {
        let other = |one: &&Made| one.gives == made.gives && one.handed.is_some() && one.handed != made.handed;
        made.handed.is_some() && self.globals.makes.iter().any(|one| other(&one))
    }

    /// Calls that configure the process, or objects that nobody makes.
    pub(super) fn read_globals(&self, call: &Call, library: &Library, out: &mut Configured) {
        for made in self.globals.makes.iter().filter(|made| !made.ambient && made.gives.0 == call.lib.library) {
            // Objects that were made otherwise keep to themselves; what is made of one that belongs here does too.
            let anew = |rule: Rule| matches!(rule, Rule::Make(make) if !library.makes[make].table.keeps);
            let mut made_by = call.lib.layers.iter().filter(|layer| layer.library != made.gives.0 || anew(layer.rule));
            let mut made_by = made_by.by_ref().filter(|layer| matches!(layer.rule, Rule::Make(_)));
            if !made_by.all(|layer| layer.library == made.gives.0 && library.can(layer.object, made.gives.1)) {
                continue;
            }
            for placed in self.placed(std::slice::from_ref(&made.layer)) {
                self.read_placed(call, &Placed { by: By::Global, ..placed }, out);
            }
        }
        if !out.objects.is_empty() {
            // The object that is given says all.
            out.ambient = true;
        } else {
            self.read_ambient(call, &self.unmade(call), call.lib.library, out);
        }
    }
}
