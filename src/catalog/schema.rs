//! What a library's file says, as it is written.
//!
//! In: the text of one `queries/<language>/<library>.toml` (or a user's own). Out: [`LibraryFile`], unchecked but for unknown
//! keys and wrong types. [`super::compile`] turns it into rules. Every table may carry a `source` (where the claim was read or
//! measured) and a `note` (what a person should know; printed as evidence).

mod calls;
mod limits;
mod meaning;

use serde::Deserialize;

use crate::finding::SiteKind;
use crate::limit::{LimitKind, Unit};

pub use calls::*;
pub use limits::*;
pub use meaning::*;

/// One client library.
///
/// # Objects and shapes
///
/// A library's values are *objects*: `module` (the package itself, always there) and those that `[[object]]` names. A rule says
/// what calling something on an object means. Its `call` is a list of shapes, each a dotted path with an argument list:
///
/// ```text
/// get(target, options)            the member `get` of the object, called
/// (target, options)               the object itself, called
/// new Pool(options)               constructed
/// {get,head}(target)              any of these names
/// *(request, ..options)           any one name
/// **.create(body, options)        any path that ends in `create`
/// on('timeout', handler)          the argument must be this text
/// ```
///
/// Arguments are roles:
///
/// | role | meaning |
/// |---|---|
/// | `target` | destination: URL, host, port, address |
/// | `options` | an options object: limits are read from its keys |
/// | `limit` | the limit itself |
/// | `signal` | something that aborts |
/// | `deadline` | an absolute time |
/// | `work` | a promise, future or function whose run the rule encloses; a list: any of them |
/// | `handler` | a function called later |
/// | `value` | the value passed on |
/// | `retries` | a number of extra tries; `tries` counts the first |
/// | `delay` | a wait between tries |
/// | `config` | an object of this library (or a plain value) whose configuration is taken over: `Client::new(&config)` |
/// | `hook` | a function that is given the options of every call and gives them back: they are read like `options` |
/// | `subject` | in a step: the object that it changes, of whatever library, where it is an argument: `axiosRetry(instance, …)` |
/// | `_` | anything, not looked at |
///
/// `a|b`: whichever fits (an object or object literal is `options`, anything else the other). `..options`: the last argument from here
/// on that is no function. `role?`: may be missing (every trailing argument may). A role that is the name of an object of this
/// library asks for such an object: `new *(target, credentials)`.
///
/// # Several rules for one call
///
/// Rules are tried in the order of the file; the first whose shape and asked-for objects fit counts. A call may be both a `make` and a
/// `send` (`config.connect(tls)`): it is an outbound call, what it gives is the object made, and the limits and defaults of what it
/// is called on, of its `config` arguments and of the object made (where that is of the same library) count for it. Where a call
/// gives a tuple, each of its elements is the object.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryFile {
    /// The name in reports.
    pub client: String,
    /// What its calls reach; needed where there are outbound calls.
    #[serde(default)]
    pub kind: Option<SiteKind>,
    /// The packages that are this library; `*` stands for any part of a name: `@aws-sdk/client-*`. `mysql2/promise` names a module
    /// inside a package.
    #[serde(default)]
    pub packages: Vec<String>,
    /// Modules inside its packages that are something else: `drizzle-orm/better-sqlite3`.
    #[serde(default)]
    pub except: Vec<String>,
    /// Names that need no import, and the object each is (`module` for the library itself).
    #[serde(default)]
    pub globals: std::collections::BTreeMap<String, String>,
    /// 1: first of its field; 2: common; 3: seen.
    #[serde(default = "third")]
    pub priority: u8,
    /// Where its claims were read or measured.
    pub source: String,
    /// What a person should know.
    #[serde(default)]
    pub note: Option<String>,
    /// Where to write the limit, as a sentence for the finding: "pass `timeout` (milliseconds) in the options of the call"; `{call}` is the
    /// name of the call.
    #[serde(default)]
    pub fix: Option<String>,
    /// Functions and macros that give a stream: what they are given runs when the stream is read (`stream.unfold`, `try_stream`).
    #[serde(default)]
    pub lazy: Vec<String>,
    /// Its calls hold the thread until they are done: a timer around them that looks where work waits does not end them.
    #[serde(default)]
    pub blocking: bool,
    /// More words that make a file worth parsing, where neither a package nor a global does. For a crate that most files name anyway
    /// (`std`, `tokio`) they stand in place of its name.
    #[serde(default)]
    pub triggers: Vec<String>,
    /// Its objects.
    #[serde(default)]
    pub object: Vec<ObjectTable>,
    /// Calls that build an object and take its configuration; nothing leaves the process.
    #[serde(default)]
    pub make: Vec<MakeTable>,
    /// Members that are objects.
    #[serde(default)]
    pub member: Vec<MemberTable>,
    /// Object literals that hand an object to the classes they list.
    #[serde(default)]
    pub container: Vec<ContainerTable>,
    /// What handlers are handed.
    #[serde(default)]
    pub context: Vec<super::context::ContextTable>,
    /// Decorators that ask for something by a token.
    #[serde(default)]
    pub injection: Vec<super::injection::InjectionTable>,
    /// Outbound calls.
    #[serde(default)]
    pub send: Vec<SendTable>,
    /// Calls on an object that configure it and give it back, or change it in place.
    #[serde(default)]
    pub step: Vec<StepTable>,
    /// Calls that register what ends a request when its limit fires.
    #[serde(default)]
    pub handler: Vec<HandlerTable>,
    /// Keys of options objects that set limits.
    #[serde(default)]
    pub limit: Vec<LimitTable>,
    /// Limits that are there when nothing is set.
    #[serde(default)]
    pub default: Vec<DefaultTable>,
    /// Limits that cover a call only together.
    #[serde(default)]
    pub together: Vec<TogetherTable>,
    /// Keys that look like limits and do nothing.
    #[serde(default)]
    pub ignored: Vec<IgnoredTable>,
    /// Retries that the library makes itself.
    #[serde(default)]
    pub retry: Vec<RetryTable>,
    /// Calls that enclose work: with a limit, or with retries.
    #[serde(default)]
    pub scope: Vec<ScopeTable>,
    /// Functions whose results can be computed, or are known for what they are.
    #[serde(default)]
    pub value: Vec<ValueTable>,
}

const fn third() -> u8 {
    3
}

/// A kind of value that the library hands out.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectTable {
    /// Its name in this file.
    pub name: String,
    /// What the package exports as this object, as paths: `default`, `Client`, `blocking.Client`; `*` is the module itself
    /// (`require('x')`).
    #[serde(default)]
    pub exports: Vec<String>,
    /// Names of the package's types whose values are this object: parameters and fields of such a type count, and their associated
    /// functions are reached by rules on `module`.
    #[serde(default)]
    pub types: Vec<String>,
    /// It can do whatever these objects can do.
    #[serde(default)]
    pub like: Vec<String>,
    /// The object of another file that values of its types are: `tokio-postgres:client`.
    #[serde(default)]
    pub stands_for: Option<String>,
    /// `request`: one call's; its limits are the call's `own`. `client` (default): shared; its limits come `by` client.
    #[serde(default)]
    pub level: Level,
    /// Members whose call reads the rest of an answer.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Members whose call gives what is left to read in another shape, and reads nothing; `into_parts.1`: as that element of a tuple.
    #[serde(default)]
    pub views: Vec<String>,
    /// Names of types, of whatever package, whose values have more to read. Where an answer goes on as another type, or as one that is
    /// not written, it is complete. Empty: it may always have more.
    #[serde(default)]
    pub unread: Vec<String>,
    /// Members whose call ends the exchange: called from a timer, or from a handler of the limit, they make it a limit.
    #[serde(default)]
    pub ends: Vec<String>,
    /// Whether a call whose chain ends as this object sends something; `always` unless said.
    #[serde(default)]
    pub sent: Sent,
    /// No limit can be set where such an object is made: one that comes from elsewhere has none.
    #[serde(default)]
    pub bare: bool,
    /// Calls may give a list of them, whose elements are such objects too (`for (const user of await User.findAll())`).
    #[serde(default)]
    pub several: bool,
    /// Whether its calls hold the thread, where that differs from the file's.
    #[serde(default)]
    pub blocking: Option<bool>,
    /// The name in reports where it differs from the file's: `reqwest::blocking`.
    #[serde(default)]
    pub client: Option<String>,
    /// What a person should know.
    #[serde(default)]
    pub note: Option<String>,
}

/// Whether a call whose chain ends as an object sends something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sent {
    /// Yes.
    #[default]
    Always,
    /// Not where it is an argument of the library's own calls: it is a part of theirs (`inArray(id, db.select())`).
    Alone,
    /// No: it is a part of something that another call sends (`db.select().as('x')`).
    Never,
}

/// Whose limits an object's configuration holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Shared by the calls made through it.
    #[default]
    Client,
    /// One call's.
    Request,
}

/// A call that builds an object.
///
/// A `limit`, `signal` or `deadline` argument is read as the key of that name (`[[limit]] key = "limit"`, `at = ["make"]`), a
/// `retries` or `tries` argument as the key `retries`. Where several makes fit one call, the first says what the value is; each of
/// them that is `ambient` or `global` counts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MakeTable {
    /// The object it is called on; `module` unless said.
    #[serde(default = "module")]
    pub on: String,
    /// The shapes.
    pub call: Vec<String>,
    /// The object it builds: of this library, or of another as `library-file:object`; `*` is the `config` that it is given, of whatever
    /// library.
    pub gives: String,
    /// Whether the object keeps the configuration of the one it is called on (`got.extend`, `builder.build()`).
    #[serde(default)]
    pub keeps: bool,
    /// The object is also handed to the call's `handler` argument, as its parameter of this number, from 0
    /// (`pool.getConnection((error, connection) => …)`: 1).
    #[serde(default)]
    pub hands: Option<u32>,
    /// What steps and handlers set on the object counts for the one it is called on too (the socket of a request).
    #[serde(default)]
    pub shares: bool,
    /// The kind of limit that its `limit` argument is (`Timeout::new(service, d)`).
    #[serde(default)]
    pub limit: Option<LimitKind>,
    /// What that ends where nothing reads the body by a later call, as for a step.
    #[serde(default)]
    pub when_read: Option<LimitKind>,
    /// The key that its `limit` argument sets in other terms, as for a step.
    #[serde(default)]
    pub key: Option<String>,
    /// The unit of a plain number as `limit` or `delay`.
    #[serde(default)]
    pub unit: Unit,
    /// The method that the library calls on an object of the scanned code that it is given as `config`: outbound calls in there are held
    /// by the limits of what is built around the object (`ServiceBuilder::new().timeout(d).service(Orders)` runs `Orders::call`).
    #[serde(default)]
    pub runs: Option<String>,
    /// The shape belongs to generated or foreign code (a stub class that the scan cannot see): the callee need not come from the
    /// library, but an argument must be one of its objects, or the path must match.
    #[serde(default)]
    pub foreign: bool,
    /// Its configuration counts for every object of that kind that nobody constructs (dependency injection modules).
    #[serde(default)]
    pub ambient: bool,
    /// Its configuration counts for the whole process from then on (`setGlobalDispatcher`, `$.ajaxSetup`).
    #[serde(default)]
    pub global: bool,
    /// Settings that keep what is made inside the process (a database in a file): calls on it are not outbound.
    #[serde(default)]
    pub inside: Vec<InsideTable>,
    /// Versions for which this holds.
    #[serde(default)]
    pub versions: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
    /// What a person should know.
    #[serde(default)]
    pub note: Option<String>,
}

fn module() -> String {
    "module".to_owned()
}

/// A setting that keeps what is made inside the process: `{ key = "url", values = ["file:*"] }`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InsideTable {
    /// The path in the options; empty: the destination that the call, or the configuration it is given, names.
    pub key: String,
    /// Texts that say so, with `*` for any part, or `true`; empty: any object that `object` names.
    #[serde(default)]
    pub values: Vec<String>,
    /// The object of this file that says so.
    #[serde(default)]
    pub object: Option<String>,
}

/// A member that is an object.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemberTable {
    /// The object it is a member of.
    #[serde(default = "module")]
    pub on: String,
    /// The path to it, with the wildcards of shapes.
    pub path: String,
    /// The object it is. It keeps the configuration.
    pub gives: String,
}

/// An object literal that lists classes and what is handed to their constructors: a module of a dependency injector. Where one lists the
/// class that holds an object of this library, the object is the one that it takes in.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContainerTable {
    /// The object that is handed out.
    pub gives: String,
    /// The key whose list says what is taken in: calls that make the object, `bare`, and classes whose own containers hand it on.
    pub takes: String,
    /// The member of the package that hands out the object without any configuration.
    pub bare: String,
    /// The keys that list the classes that get the object.
    pub holds: Vec<String>,
    /// The key of an entry that names its class: `{ provide: A, useClass: B }`.
    pub class: String,
    /// The keys of an entry that give the instance itself, or a function that makes it: `{ provide: A, useFactory: () => new B() }`.
    #[serde(default)]
    pub builds: Vec<String>,
    /// The decorator of a container that hands out what it hands on to all others.
    #[serde(default)]
    pub everywhere: Option<String>,
    /// The key that lists what is handed on to who takes in the class that the container decorates.
    pub hands_on: String,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}
