//! One library, ready to be asked.
//!
//! In: its tables. Out: what is asked of them: names, objects, trigger words, what a limit covers.

use std::sync::Arc;

use super::context::Context;
use super::rules::{Rules, RulesOf};
use super::schema::{At, DefaultTable, IgnoredTable, Level, LimitTable, RetryTable, TogetherTable};
use super::shape::{Segment, Shape};
use super::tables::*;
use crate::finding::SiteKind;
use crate::limit::LimitKind;

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
    /// Functions that give a stream.
    pub lazy: Vec<Vec<Box<str>>>,
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
    pub(super) rules: RulesOf,
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
