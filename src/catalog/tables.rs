//! The rules of a library, ready to be asked: its objects, and what calls on them are.
//!
//! In: nothing, these are data that [`compile`](super::compile) fills. Out: the parts of a [`Library`](super::Library).

use std::sync::Arc;

use node_semver::{Range, Version};

use super::schema::{Body, ContainerTable, Is, Level, MakeTable, ScopeTable, SendTable, Sent, StepTable, ValueTable};
use super::shape::{Role, Segment, Shape};
use crate::limit::Unit;

/// An object of a library, by its place; 0 is `module`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// The package itself.
pub const MODULE: ObjectId = ObjectId(0);

/// Versions for which a rule holds.
#[derive(Debug, Clone, Default)]
pub struct Versions(Option<Range>);

impl Versions {
    pub(super) fn parse(text: Option<&str>) -> Result<Self, String> {
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
    /// Members whose call gives what is left to read, and reads nothing.
    pub views: Vec<View>,
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

impl Object {
    /// Whether calling a member gives what is left to read of an answer, in its place.
    pub fn shows_rest(&self, member: &str) -> bool {
        self.views.iter().any(|view| *view.name == *member && view.place.is_none())
    }
}

/// A member whose call gives what is left to read of an answer.
#[derive(Debug, Clone)]
pub struct View {
    /// Its name.
    pub name: Box<str>,
    /// Which element of a tuple it gives that is.
    pub place: Option<u32>,
}

impl View {
    /// A view as it is written: `into_body`, `into_parts.1`.
    pub fn of(written: &str) -> Self {
        match written.rsplit_once('.').and_then(|(name, place)| Some((name, place.parse().ok()?))) {
            Some((name, place)) => Self { name: name.into(), place: Some(place) },
            None => Self { name: written.into(), place: None },
        }
    }
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
