//! From a library file as written to rules that can be asked.
//!
//! In: [`schema::LibraryFile`]. Out: [`Library`], with shapes and version ranges read and every object name resolved. It refuses
//! what cannot mean anything and says the line; it does not look at other libraries.

use std::sync::Arc;

use node_semver::{Range, Version};

use super::CatalogError;
use super::context::Context;
use super::rules::{Rules, RulesOf};
use super::schema::{
    At, Body, ContainerTable, DefaultTable, IgnoredTable, InsideTable, Is, Level, LibraryFile, LimitTable, MakeTable, RetryTable,
    ScopeTable, SendTable, Sent, StepTable, TogetherTable, ValueTable,
};
use super::shape::{Role, Segment, Shape, parse_path};
use crate::finding::SiteKind;
use crate::limit::{LimitKind, Unit};
use crate::span::LineIndex;

/// An object of a library, by its place; 0 is `module`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// The package itself.
pub const MODULE: ObjectId = ObjectId(0);

/// Versions for which a rule holds.
#[derive(Debug, Clone, Default)]
pub struct Versions(Option<Range>);

impl Versions {
    fn parse(text: Option<&str>) -> Result<Self, String> {
        text.map_or(Ok(Self(None)), |text| {
            Range::parse(text)
                .map(|range| Self(Some(range)))
                .map_err(|_| format!("`{text}` is no version range: expected for example `>=2 <3`"))
        })
    }

    /// Whether the rule holds for every version.
    pub fn is_any(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the rule holds for a version; an unknown version counts as the newest.
    pub fn hold(&self, version: Option<&Version>) -> bool {
        let newest = Version { major: 900_000, minor: 0, patch: 0, build: Vec::new(), pre_release: Vec::new() };
        self.0.as_ref().is_none_or(|range| range.satisfies(version.unwrap_or(&newest)))
    }
}

/// A kind of value that a library hands out.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its name in the file.
    pub name: Box<str>,
    /// Paths of exports that are it; `["*"]` is the module itself.
    pub exports: Vec<Vec<Box<str>>>,
    /// Type names that are it.
    pub types: Vec<Vec<Box<str>>>,
    /// Itself, and every object whose rules hold for it too.
    pub like: Vec<ObjectId>,
    /// The object of another file that values of its types are.
    pub stands_for: Option<Box<str>>,
    /// Whose limits its configuration holds.
    pub level: Level,
    /// Members whose call reads the rest of an answer.
    pub reads: Vec<Box<str>>,
    /// Types whose answers go on; empty: any may.
    pub unread: Vec<Box<str>>,
    /// Members whose call ends the exchange.
    pub ends: Vec<Box<str>>,
    /// Whether a call whose chain ends as it sends something.
    pub sent: Sent,
    /// No limit can be set where it is made.
    pub bare: bool,
    /// Calls may give a list of them.
    pub several: bool,
    /// Its calls hold the thread until they are done.
    pub blocking: bool,
    /// The name in reports.
    pub client: Option<Arc<str>>,
}

/// A call that builds an object.
#[derive(Debug, Clone)]
pub struct Make {
    /// Called on.
    pub on: ObjectId,
    /// Its shapes.
    pub shapes: Vec<Shape>,
    /// The object it builds; with `:` one of another library.
    pub gives: Box<str>,
    /// What keeps it inside the process.
    pub inside: Vec<Inside>,
    /// The rest as written.
    pub table: MakeTable,
    /// When it holds.
    pub versions: Versions,
}

/// A setting that keeps what is made inside the process.
#[derive(Debug, Clone)]
pub struct Inside {
    /// The path in the options.
    pub key: Vec<Box<str>>,
    /// Texts that say so, with `*` for any part.
    pub values: Vec<String>,
    /// The object that says so.
    pub object: Option<ObjectId>,
}

/// A member that is an object.
#[derive(Debug, Clone)]
pub struct Member {
    /// A member of.
    pub on: ObjectId,
    /// The way to it.
    pub path: Vec<Segment>,
    /// The object it is; with `:` one of another library.
    pub gives: Box<str>,
}

impl Make {
    /// Whether the call can be given limits.
    pub fn takes_options(&self) -> bool {
        let says = |role: &Role| matches!(role, Role::Options | Role::Limit | Role::Config);
        self.shapes.iter().flat_map(|shape| &shape.args).any(|arg| arg.roles.iter().any(says))
    }
}

/// An object literal that hands an object to the classes it lists.
#[derive(Debug, Clone)]
pub struct Container {
    /// The object.
    pub gives: ObjectId,
    /// The call that makes it, by its place in `[[make]]`.
    pub make: usize,
    /// The member of the package that gives it as it is.
    pub bare: Vec<Box<str>>,
    /// The rest as written.
    pub table: ContainerTable,
}

/// An outbound call.
#[derive(Debug, Clone)]
pub struct Send {
    /// Called on.
    pub on: ObjectId,
    /// Its shapes.
    pub shapes: Vec<Shape>,
    /// What comes back.
    pub gives: Option<ObjectId>,
    /// When the body is read.
    pub body: Body,
    /// The rest as written.
    pub table: SendTable,
    /// When it holds.
    pub versions: Versions,
}

/// A call that configures an object.
#[derive(Debug, Clone)]
pub struct Step {
    /// Called on.
    pub on: ObjectId,
    /// Its shapes.
    pub shapes: Vec<Shape>,
    /// What it makes of the object.
    pub gives: Option<ObjectId>,
    /// The rest as written.
    pub table: StepTable,
    /// When it holds.
    pub versions: Versions,
}

/// A call that registers what ends a request.
#[derive(Debug, Clone)]
pub struct Handler {
    /// Called on.
    pub on: ObjectId,
    /// Its shapes.
    pub shapes: Vec<Shape>,
}

/// A rule about options keys, for some objects and versions.
#[derive(Debug, Clone)]
pub struct Keyed<T> {
    /// The paths of its keys.
    pub keys: Vec<Vec<Box<str>>>,
    /// The objects; empty: all.
    pub on: Vec<ObjectId>,
    /// The rest as written.
    pub table: T,
    /// When it holds.
    pub versions: Versions,
}

impl Library {
    /// Whether a package is this library; names that differ by `-` and `_` alone are one.
    pub fn is_package(&self, name: &str) -> bool {
        let plain = |name: &str| name.replace('-', "_");
        self.packages.iter().any(|package| **package == *name || plain(package) == plain(name))
    }

    /// Whether some rule speaks of a member of the package that this path leads to, or begins to lead to.
    pub fn speaks_of(&self, path: &[Box<str>]) -> bool {
        let of_path = |known: &Vec<Box<str>>| known.starts_with(path);
        self.objects.iter().any(|object| object.types.iter().chain(&object.exports).any(of_path)) || self.lists(MODULE, path)
    }

    /// Whether some rule lists a member of an object by this path, or by a longer one that begins so.
    pub fn lists(&self, of: ObjectId, path: &[Box<str>]) -> bool {
        let named =
            |pattern: &[Segment]| matches!(pattern.first(), Some(Segment::Names(_))) && super::shape::path_begins(pattern, path);
        let shaped = |on: ObjectId, shapes: &[Shape]| self.can(of, on) && shapes.iter().any(|shape| named(&shape.path));
        self.sends.iter().any(|rule| shaped(rule.on, &rule.shapes))
            || self.makes.iter().any(|rule| shaped(rule.on, &rule.shapes))
            || self.scopes.iter().any(|rule| rule.on.is_some_and(|on| shaped(on, &rule.shapes)))
            || self.members.iter().any(|rule| self.can(of, rule.on) && named(&rule.path))
            || self
                .values
                .iter()
                .any(|rule| rule.on.is_some_and(|on| shaped(on, &rule.shapes)) || rule.members.iter().any(|member| named(member)))
    }
}

impl<T> Keyed<T> {
    /// Whether the rule speaks of options of an object.
    pub fn concerns(&self, object: &Object, version: Option<&Version>) -> bool {
        (self.on.is_empty() || self.on.iter().any(|on| object.like.contains(on))) && self.versions.hold(version)
    }
}

/// A call that encloses work.
#[derive(Debug, Clone)]
pub struct Scoping {
    /// Called on; `None`: on the work itself.
    pub on: Option<ObjectId>,
    /// Its shapes.
    pub shapes: Vec<Shape>,
    /// The rest as written.
    pub table: ScopeTable,
    /// When it holds.
    pub versions: Versions,
}

/// A function or member whose result is known.
#[derive(Debug, Clone)]
pub struct ValueRule {
    /// Called on; `None`: on any value.
    pub on: Option<ObjectId>,
    /// Its shapes.
    pub shapes: Vec<Shape>,
    /// Members read.
    pub members: Vec<Vec<Segment>>,
    /// What it is.
    pub is: Is,
    /// The unit of plain numbers.
    pub unit: Unit,
    /// The rest as written.
    pub table: ValueTable,
}

/// One client library, checked.
#[derive(Debug, Clone)]
pub struct Library {
    /// The language family.
    pub family: &'static str,
    /// The file's name without its ending.
    pub stem: Box<str>,
    /// The file.
    pub path: Box<str>,
    /// The name in reports.
    pub client: Arc<str>,
    /// What its calls reach.
    pub kind: SiteKind,
    /// Package names, with wildcards.
    pub packages: Vec<Box<str>>,
    /// Modules inside its packages that are something else.
    pub except: Vec<Box<str>>,
    /// Names without import.
    pub globals: Vec<(Box<str>, ObjectId)>,
    /// 1 to 3.
    pub priority: u8,
    /// Where its claims come from.
    pub source: Box<str>,
    /// What a person should know.
    pub note: Option<Box<str>>,
    /// Where to write the limit.
    pub fix: Option<Box<str>>,
    /// More trigger words.
    pub words: Vec<String>,
    /// Objects; the first is `module`.
    pub objects: Vec<Object>,
    /// Building calls.
    pub makes: Vec<Make>,
    /// Members.
    pub members: Vec<Member>,
    /// Literals that hand an object to classes.
    pub containers: Vec<Container>,
    /// What handlers are handed.
    pub contexts: Vec<Context>,
    /// Decorators that ask for something by a token.
    pub injections: Vec<super::InjectionTable>,
    /// Outbound calls.
    pub sends: Vec<Send>,
    /// Configuring calls.
    pub steps: Vec<Step>,
    /// Registering calls.
    pub handlers: Vec<Handler>,
    /// Limits by key.
    pub limits: Vec<Keyed<LimitTable>>,
    /// Defaults.
    pub defaults: Vec<Keyed<DefaultTable>>,
    /// Combinations.
    pub together: Vec<Keyed<TogetherTable>>,
    /// Keys without effect.
    pub ignored: Vec<Keyed<IgnoredTable>>,
    /// Retries.
    pub retries: Vec<Keyed<RetryTable>>,
    /// Enclosing calls.
    pub scopes: Vec<Scoping>,
    /// Known functions.
    pub values: Vec<ValueRule>,
    /// Which of the rules may say what a call is.
    rules: RulesOf,
}

impl Library {
    /// The last names of its outbound calls; `None` where any name may be one.
    pub fn send_names(&self) -> Option<Vec<&str>> {
        let mut names = Vec::new();
        for shape in self.sends.iter().flat_map(|send| &send.shapes) {
            match shape.path.last() {
                Some(Segment::Names(known)) => names.extend(known.iter().map(|name| &**name)),
                _ => return None,
            }
        }
        Some(names)
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// The object of that name.
    pub fn object_id(&self, name: &str) -> Option<ObjectId> {
        self.objects.iter().position(|object| *object.name == *name).map(|at| ObjectId(at as u32))
    }

    /// Whether rules on `on` hold for `object`.
    pub fn can(&self, object: ObjectId, on: ObjectId) -> bool {
        self.object(object).like.contains(&on)
    }

    /// The rules that may say what a call on an object is.
    pub fn rules(&self, object: ObjectId) -> &Rules {
        self.rules.on(self, object)
    }

    /// The name in reports for calls on an object.
    pub fn client_of(&self, object: ObjectId) -> Arc<str> {
        self.object(object).client.clone().unwrap_or_else(|| self.client.clone())
    }

    /// The words whose presence makes a file worth parsing.
    pub fn triggers(&self) -> Vec<String> {
        let mut words = self.words.clone();
        if self.sends.is_empty() {
            return words;
        }
        for package in &self.packages {
            let stem = package.split('*').next().unwrap_or_default();
            if self.family == "rust" {
                if self.words.is_empty() {
                    words.push(stem.replace('-', "_"));
                }
                continue;
            }
            let ends: &[&str] = if package.contains('*') { &[""] } else { &["'", "\"", "/", "@"] };
            for quote in ["'", "\"", "node:", "npm:"] {
                words.extend(ends.iter().map(|end| format!("{quote}{stem}{end}")));
            }
        }
        // A name as short as `$` or `io` is in every file: libraries with such a global say their trigger words themselves.
        let globals = self.globals.iter().filter(|(name, object)| name.len() > 2 && self.sends_on(*object));
        words.extend(globals.map(|(name, _)| name.to_string()));
        words
    }

    fn sends_on(&self, object: ObjectId) -> bool {
        let sends = |object: ObjectId| self.sends.iter().any(|send| self.can(object, send.on));
        let made = |make: &Make| self.object_id(&make.gives).is_none_or(|given| given == object || sends(given));
        sends(object) || self.makes.iter().any(|make| make.on == object && make.table.on != "module" && made(make))
    }

    /// Whether calls on an object configure it: then calls that no rule lists give it back.
    pub fn is_configured_by_calls(&self, object: ObjectId) -> bool {
        let reads = !self.object(object).reads.is_empty();
        let builds = self.makes.iter().any(|make| self.can(object, make.on) && make.on != MODULE && make.table.keeps);
        let steps = self.steps.iter().any(|step| self.can(object, step.on) && step.on != MODULE);
        object != MODULE && (self.object(object).level == Level::Request || builds || steps || reads)
    }

    /// The objects of other files that this one names.
    pub fn foreign_objects(&self) -> Vec<String> {
        let makes = self.makes.iter().map(|make| &make.gives);
        let types = self.objects.iter().filter_map(|object| object.stands_for.as_ref());
        makes
            .chain(types)
            .chain(self.members.iter().map(|member| &member.gives))
            .filter(|name| name.contains(':'))
            .map(ToString::to_string)
            .collect()
    }

    /// A member that limits the calls on an object for the whole process, as code writes it: `axios.defaults.timeout`.
    pub fn process_wide(&self, object: ObjectId) -> Option<String> {
        let written =
            |limit: &&Keyed<LimitTable>| limit.table.global && limit.table.at.contains(&At::Write) && limit.table.kind.covers();
        let limit = self.limits.iter().filter(written).find(|limit| limit.concerns(self.object(object), None))?;
        Some(format!("`{}.{}`", self.client_of(object), limit.table.key))
    }

    /// Whether any limit that a user can set covers a call on this object or on what makes it.
    pub fn can_be_covered_by_client(&self) -> bool {
        let covers = |kind: LimitKind| kind.covers();
        let other = |limit: &Keyed<LimitTable>| limit.table.reads_as != super::schema::As::Duration;
        self.client_limits()
            .any(|limit| other(limit) || [Some(limit.table.kind), limit.table.when_read].into_iter().flatten().any(covers))
            || self.together.iter().any(|rule| rule.table.kind.covers())
            || self.client_steps().any(|step| [step.table.kind, step.table.when_read].into_iter().flatten().any(covers))
    }

    /// Whether something set on an instance can limit a part of its calls: more than the connecting, which is over by then.
    pub fn can_be_limited_by_client(&self) -> bool {
        let limits = |kind: LimitKind| kind != LimitKind::Connect;
        self.client_limits().any(|limit| limits(limit.table.kind))
            || self.client_steps().any(|step| step.table.kind.is_some_and(limits))
    }

    fn client_limits(&self) -> impl Iterator<Item = &Keyed<LimitTable>> {
        self.limits.iter().filter(|limit| limit.table.at.contains(&At::Make) || limit.table.global)
    }

    fn client_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| self.object(step.on).level == Level::Client)
    }
}

/// What a call gives that hands on the object of whatever library that it is given.
pub const AS_GIVEN: &str = "*";

/// Reads one library file.
pub(super) fn compile(family: &'static str, path: &str, text: &str) -> Result<Library, CatalogError> {
    let file: LibraryFile = toml::from_str(text).map_err(|error| CatalogError {
        file: path.to_owned(),
        place: error.span().map(|span| place_of(text, span.start)),
        message: with_nearest(error.message()),
    })?;
    compile_file(family, path, text, file)
}

/// The line and column of a byte.
fn place_of(text: &str, offset: usize) -> (u32, u32) {
    let at = LineIndex::new(text).position(offset as u32);
    (at.line, at.column)
}

/// What is said about a field or word that is not known, with the known one that was probably meant.
fn with_nearest(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    let nearest = names.next().and_then(|name| crate::near::nearest(name, names));
    match nearest.filter(|_| message.starts_with("unknown ")) {
        Some(near) => message.replacen(", expected ", &format!("; the nearest is `{near}`, expected "), 1),
        None => message.to_owned(),
    }
}

/// Checks one library. `text` serves to find the line of what is refused.
pub(super) fn compile_file(family: &'static str, path: &str, text: &str, file: LibraryFile) -> Result<Library, CatalogError> {
    let compiler = Compiler { path, text, names: object_names(&file) };
    compiler.library(family, file)
}

fn object_names(file: &LibraryFile) -> Vec<String> {
    std::iter::once("module".to_owned()).chain(file.object.iter().map(|object| object.name.clone())).collect()
}

struct Compiler<'a> {
    path: &'a str,
    text: &'a str,
    names: Vec<String>,
}

impl Compiler<'_> {
    /// An error at the first line that holds `needle` between quotes.
    fn error(&self, needle: &str, message: String) -> CatalogError {
        let quoted = [format!("\"{needle}\""), format!("'{needle}'")];
        let place = quoted.iter().find_map(|quoted| self.text.find(quoted.as_str())).map(|at| place_of(self.text, at));
        CatalogError { file: self.path.to_owned(), place, message }
    }

    fn object(&self, name: &str) -> Result<ObjectId, CatalogError> {
        let at = self.names.iter().position(|known| known == name);
        at.map(|at| ObjectId(at as u32)).ok_or_else(|| {
            self.error(name, format!("`{name}` is no object of this file: expected one of {}", self.names.join(", ")))
        })
    }

    fn objects(&self, names: &[String]) -> Result<Vec<ObjectId>, CatalogError> {
        names.iter().map(|name| self.object(name)).collect()
    }

    fn gives(&self, name: &str) -> Result<Box<str>, CatalogError> {
        if !name.contains(':') && name != AS_GIVEN {
            self.object(name)?;
        }
        Ok(name.into())
    }

    fn shapes(&self, texts: &[String]) -> Result<Vec<Shape>, CatalogError> {
        let shapes =
            texts.iter().map(|text| Shape::parse(text).map_err(|why| self.error(text, why))).collect::<Result<Vec<_>, _>>()?;
        for (shape, text) in shapes.iter().zip(texts) {
            for role in shape.args.iter().flat_map(|arg| &arg.roles) {
                if let Role::Object(name) = role {
                    self.object(name).map_err(|error| self.error(text, error.message))?;
                }
            }
        }
        Ok(shapes)
    }

    fn versions(&self, text: Option<&str>) -> Result<Versions, CatalogError> {
        Versions::parse(text).map_err(|why| self.error(text.unwrap_or_default(), why))
    }

    fn keyed<T: Clone>(
        &self,
        keys: &[String],
        on: &[String],
        versions: Option<&str>,
        table: &T,
    ) -> Result<Keyed<T>, CatalogError> {
        Ok(Keyed {
            keys: keys.iter().map(|key| dotted(key)).collect(),
            on: self.objects(on)?,
            versions: self.versions(versions)?,
            table: table.clone(),
        })
    }

    fn library(&self, family: &'static str, file: LibraryFile) -> Result<Library, CatalogError> {
        let stem = self.path.rsplit(['/', '\\']).next().unwrap_or_default();
        let kind = match (file.kind, file.send.is_empty()) {
            (Some(kind), _) => kind,
            (None, true) => SiteKind::Http,
            (None, false) => {
                return Err(
                    self.error("client", "`kind` is missing: outbound calls need one, for example `kind = \"http\"`".to_owned())
                );
            }
        };
        let globals = file.globals.iter().map(|(name, object)| Ok((name.as_str().into(), self.object(object)?)));
        let objects = self.compile_objects(&file)?;
        Ok(Library {
            rules: RulesOf::new(objects.len()),
            family,
            stem: stem.strip_suffix(".toml").unwrap_or(stem).into(),
            path: self.path.into(),
            client: file.client.as_str().into(),
            kind,
            packages: file.packages.iter().map(|package| package.as_str().into()).collect(),
            except: file.except.iter().map(|module| module.as_str().into()).collect(),
            globals: globals.collect::<Result<_, CatalogError>>()?,
            priority: file.priority,
            source: file.source.as_str().into(),
            note: file.note.as_deref().map(Into::into),
            fix: file.fix.as_deref().map(Into::into),
            words: file.triggers.clone(),
            objects,
            makes: self.makes(&file)?,
            members: self.members(&file)?,
            containers: self.containers(&file)?,
            contexts: each(&file.context, |t| {
                Ok(Context { on: self.object(&t.on)?, shapes: self.shapes(&t.call)?, table: t.clone() })
            })?,
            injections: file.injection.clone(),
            sends: self.sends(&file)?,
            steps: self.steps(&file)?,
            handlers: self.handlers(&file)?,
            limits: each(&file.limit, |t| self.keyed(std::slice::from_ref(&t.key), &t.on, t.versions.as_deref(), t))?,
            defaults: each(&file.default, |t| self.keyed(std::slice::from_ref(&t.key), &t.on, t.versions.as_deref(), t))?,
            together: each(&file.together, |t| self.keyed(&t.keys, &[], t.versions.as_deref(), t))?,
            ignored: each(&file.ignored, |t| self.keyed(std::slice::from_ref(&t.key), &t.on, t.versions.as_deref(), t))?,
            retries: each(&file.retry, |t| self.keyed(&t.keys, &t.on, t.versions.as_deref(), t))?,
            scopes: self.scopes(&file)?,
            values: self.values(&file)?,
        })
    }

    fn compile_objects(&self, file: &LibraryFile) -> Result<Vec<Object>, CatalogError> {
        let plain = |name: &str| Object {
            name: name.into(),
            exports: Vec::new(),
            types: Vec::new(),
            like: Vec::new(),
            stands_for: None,
            level: Level::Client,
            reads: Vec::new(),
            unread: Vec::new(),
            ends: Vec::new(),
            sent: Sent::Always,
            bare: false,
            several: false,
            blocking: file.blocking,
            client: None,
        };
        let mut objects = vec![plain("module")];
        for table in &file.object {
            objects.push(Object {
                exports: table.exports.iter().map(|path| dotted(path)).collect(),
                types: table.types.iter().map(|path| dotted(path)).collect(),
                like: self.objects(&table.like)?,
                stands_for: table.stands_for.as_deref().map(|name| self.gives(name)).transpose()?,
                level: table.level,
                reads: table.reads.iter().map(|name| name.as_str().into()).collect(),
                unread: table.unread.iter().map(|name| name.as_str().into()).collect(),
                ends: table.ends.iter().map(|name| name.as_str().into()).collect(),
                sent: table.sent,
                bare: table.bare,
                several: table.several,
                blocking: table.blocking.unwrap_or(file.blocking),
                client: table.client.as_deref().map(Into::into),
                ..plain(&table.name)
            });
        }
        let direct: Vec<Vec<ObjectId>> = objects.iter().map(|object| object.like.clone()).collect();
        for (at, object) in objects.iter_mut().enumerate() {
            object.like = vec![ObjectId(at as u32)];
            let mut next = 0;
            while let Some(of) = object.like.get(next).copied() {
                for more in &direct[of.0 as usize] {
                    if !object.like.contains(more) {
                        object.like.push(*more);
                    }
                }
                next += 1;
            }
        }
        Ok(objects)
    }

    fn makes(&self, file: &LibraryFile) -> Result<Vec<Make>, CatalogError> {
        each(&file.make, |t| {
            Ok(Make {
                on: self.object(&t.on)?,
                shapes: self.shapes(&t.call)?,
                gives: self.gives(&t.gives)?,
                inside: self.inside(&t.inside)?,
                versions: self.versions(t.versions.as_deref())?,
                table: t.clone(),
            })
        })
    }

    fn inside(&self, tables: &[InsideTable]) -> Result<Vec<Inside>, CatalogError> {
        each(tables, |t| {
            Ok(Inside {
                key: t.key.split('.').map(Into::into).collect(),
                values: t.values.clone(),
                object: t.object.as_deref().map(|name| self.object(name)).transpose()?,
            })
        })
    }

    fn members(&self, file: &LibraryFile) -> Result<Vec<Member>, CatalogError> {
        each(&file.member, |t| {
            let path = parse_path(&t.path).map_err(|why| self.error(&t.path, why))?;
            Ok(Member { on: self.object(&t.on)?, path, gives: self.gives(&t.gives)? })
        })
    }

    fn containers(&self, file: &LibraryFile) -> Result<Vec<Container>, CatalogError> {
        each(&file.container, |t| {
            let Some(make) = file.make.iter().position(|make| make.gives == t.gives) else {
                return Err(self.error(&t.gives, format!("no `[[make]]` gives `{}`, which the container hands out", t.gives)));
            };
            Ok(Container { gives: self.object(&t.gives)?, make, bare: dotted(&t.bare), table: t.clone() })
        })
    }

    fn sends(&self, file: &LibraryFile) -> Result<Vec<Send>, CatalogError> {
        each(&file.send, |t| {
            let shapes = self.shapes(&t.call)?;
            let asks = |shape: &Shape| shape.args.iter().flat_map(|arg| &arg.roles).any(|role| matches!(role, Role::Object(_)));
            if let Some((_, text)) = shapes.iter().zip(&t.call).find(|(shape, _)| t.foreign && !asks(shape)) {
                let why = format!(
                    "`{text}` is foreign and must ask for an object of this file: expected for example `load(connection)`"
                );
                return Err(self.error(text, why));
            }
            Ok(Send {
                on: self.object(&t.on)?,
                shapes,
                gives: t.gives.as_deref().map(|name| self.object(name)).transpose()?,
                body: t.body,
                versions: self.versions(t.versions.as_deref())?,
                table: t.clone(),
            })
        })
    }

    fn steps(&self, file: &LibraryFile) -> Result<Vec<Step>, CatalogError> {
        each(&file.step, |t| {
            Ok(Step {
                on: self.object(&t.on)?,
                shapes: self.shapes(&t.call)?,
                gives: t.gives.as_deref().map(|name| self.object(name)).transpose()?,
                versions: self.versions(t.versions.as_deref())?,
                table: t.clone(),
            })
        })
    }

    fn handlers(&self, file: &LibraryFile) -> Result<Vec<Handler>, CatalogError> {
        each(&file.handler, |t| Ok(Handler { on: self.object(&t.on)?, shapes: self.shapes(&t.call)? }))
    }

    fn scopes(&self, file: &LibraryFile) -> Result<Vec<Scoping>, CatalogError> {
        each(&file.scope, |t| {
            let on = if t.on == "work" { None } else { Some(self.object(&t.on)?) };
            Ok(Scoping { on, shapes: self.shapes(&t.call)?, versions: self.versions(t.versions.as_deref())?, table: t.clone() })
        })
    }

    fn values(&self, file: &LibraryFile) -> Result<Vec<ValueRule>, CatalogError> {
        each(&file.value, |t| {
            let on = if t.on == "any" { None } else { Some(self.object(&t.on)?) };
            let members = t.member.iter().map(|path| parse_path(path).map_err(|why| self.error(path, why)));
            Ok(ValueRule {
                on,
                shapes: self.shapes(&t.call)?,
                members: members.collect::<Result<_, _>>()?,
                is: t.is,
                unit: t.unit,
                table: t.clone(),
            })
        })
    }
}

fn dotted(path: &str) -> Vec<Box<str>> {
    path.split('.').map(Into::into).collect()
}

fn each<T, U>(tables: &[T], f: impl FnMut(&T) -> Result<U, CatalogError>) -> Result<Vec<U>, CatalogError> {
    tables.iter().map(f).collect()
}
