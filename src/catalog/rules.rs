//! Which rules of a library may say what a call on one of its objects is.
//!
//! In: a library and one of its objects. Out: [`Rules`], the shapes of all rules on it in the order in which they are tried, found by the
//! last name of what is called. Made for an object when it is first asked for.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::library::Library;
use super::shape::{Role, Segment, Shape};
use super::tables::{MODULE, ObjectId};

/// A table of a library whose rules say what a call is. They are tried in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// `[[value]]`.
    Values,
    /// `[[send]]`.
    Sends,
    /// `[[make]]`.
    Makes,
    /// `[[step]]`.
    Steps,
    /// `[[scope]]`.
    Scopes,
    /// `[[handler]]`.
    Handlers,
}

/// A shape of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tried {
    /// How exact the shape is: those that ask for an object or a text come first, those with a wildcard in the path last.
    rank: u8,
    /// The rule's table.
    pub table: Table,
    /// The rule's place there.
    pub rule: usize,
    /// The shape's place in the rule.
    pub shape: usize,
}

/// The shapes that calls on an object may have.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// By the last name of what is called; those that fit any name are among each.
    by_name: FxHashMap<Box<str>, Box<[Tried]>>,
    /// Those that fit any last name.
    by_any: Box<[Tried]>,
}

/// The rules of a library's objects, by the object's place.
#[derive(Debug, Clone, Default)]
pub(super) struct RulesOf(Vec<OnceLock<Rules>>);

impl RulesOf {
    /// Nothing is asked yet.
    pub(super) fn new(objects: usize) -> Self {
        Self((0..objects).map(|_| OnceLock::new()).collect())
    }

    /// The rules on an object.
    pub(super) fn on(&self, library: &Library, object: ObjectId) -> &Rules {
        self.0[object.0 as usize].get_or_init(|| Rules::new(library, object))
    }
}

impl Rules {
    /// The shapes that a call of something by that name may have, in the order in which they are tried.
    pub fn of(&self, name: Option<&str>) -> &[Tried] {
        name.and_then(|name| self.by_name.get(name)).unwrap_or(&self.by_any)
    }

    fn new(library: &Library, object: ObjectId) -> Self {
        let on = |on: ObjectId| can(library, object, on);
        let mut all: Vec<(Tried, &Shape)> = Vec::new();
        all.extend(tried(Table::Values, library.values.iter().map(|rule| (rule.on.is_some_and(on), &*rule.shapes))));
        all.extend(tried(Table::Sends, library.sends.iter().map(|rule| (on(rule.on) && !rule.table.foreign, &*rule.shapes))));
        all.extend(tried(Table::Makes, library.makes.iter().map(|rule| (on(rule.on), &*rule.shapes))));
        all.extend(tried(Table::Steps, library.steps.iter().map(|rule| (on(rule.on), &*rule.shapes))));
        all.extend(tried(Table::Scopes, library.scopes.iter().map(|rule| (rule.on.is_some_and(on), &*rule.shapes))));
        all.extend(tried(Table::Handlers, library.handlers.iter().map(|rule| (on(rule.on), &*rule.shapes))));
        all.sort_by_key(|(tried, _)| *tried);
        let named = |shape: &Shape| match shape.path.last() {
            Some(Segment::Names(names)) => Some(names.clone()),
            _ => None,
        };
        let mut by_name: FxHashMap<Box<str>, Vec<Tried>> = FxHashMap::default();
        for name in all.iter().filter_map(|(_, shape)| named(shape)).flatten() {
            by_name.entry(name).or_default();
        }
        let mut by_any = Vec::new();
        for (tried, shape) in &all {
            match named(shape) {
                Some(names) => {
                    for name in names {
                        by_name.entry(name).or_default().push(*tried);
                    }
                }
                None => {
                    by_any.push(*tried);
                    by_name.values_mut().for_each(|list| list.push(*tried));
                }
            }
        }
        let by_name = by_name.into_iter().map(|(name, list)| (name, list.into())).collect();
        Self { by_name, by_any: by_any.into() }
    }
}

/// The shapes of the rules of a table that hold for the object.
fn tried<'l>(table: Table, rules: impl Iterator<Item = (bool, &'l [Shape])>) -> impl Iterator<Item = (Tried, &'l Shape)> {
    rules.enumerate().filter(|(_, (holds, _))| *holds).flat_map(move |(rule, (_, shapes))| {
        let one = move |(at, shape)| (Tried { rank: rank_of(shape), table, rule, shape: at }, shape);
        shapes.iter().enumerate().map(one)
    })
}

/// Whether rules on `on` hold for `object`; what is the module itself can do what the module can.
pub fn can(library: &Library, object: ObjectId, on: ObjectId) -> bool {
    let is_module =
        |of: ObjectId| library.object(of).exports.iter().any(|path| path.len() == 1 && matches!(&*path[0], "*" | "default"));
    library.can(object, on) || on == MODULE && library.object(object).like.iter().any(|like| is_module(*like))
}

/// How exact a shape is: 0 asks for an object or a text, 1 names the function, 2 has wildcards.
fn rank_of(shape: &Shape) -> u8 {
    let wild = shape.path.iter().any(|segment| !matches!(segment, Segment::Names(_)));
    let strict = shape.args.iter().flat_map(|arg| &arg.roles).any(|role| matches!(role, Role::Text(_) | Role::Object(_)));
    if strict {
        0
    } else if wild {
        2
    } else {
        1
    }
}
