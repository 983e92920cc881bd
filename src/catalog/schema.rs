//! What a library's file says, as it is written.
//!
//! In: the text of one `queries/<language>/<library>.toml` (or a user's own). Out: [`LibraryFile`], unchecked but for unknown
//! keys and wrong types. [`super::compile`] turns it into rules. Every table may carry a `source` (where the claim was read or
//! measured) and a `note` (what a person should know; printed as evidence).

use serde::Deserialize;

use crate::finding::SiteKind;
use crate::limit::{LimitKind, Unit};

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
    /// Where to write the limit, as a sentence for the finding: "pass `timeout` (milliseconds) in the options of the call".
    #[serde(default)]
    pub fix: Option<String>,
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

/// An outbound call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendTable {
    /// The object it is called on.
    #[serde(default = "module")]
    pub on: String,
    /// The shapes.
    pub call: Vec<String>,
    /// Names that `*` and `**` do not stand for.
    #[serde(default)]
    pub except: Vec<String>,
    /// The object that comes back: a response whose body is read later, or a request that steps and handlers configure.
    #[serde(default)]
    pub gives: Option<String>,
    /// `later`: the body is read from the result by a second call that can hang too. `whole` (default): the result is complete.
    #[serde(default)]
    pub body: Body,
    /// Keys of the options object that hold the destination.
    #[serde(default)]
    pub target_keys: Vec<String>,
    /// Where to write its limit, where that differs from the file's.
    #[serde(default)]
    pub fix: Option<String>,
    /// Keys of limits, steps and defaults that do not concern it, though they do other calls on the object.
    #[serde(default)]
    pub without: Vec<String>,
    /// Keys of limits, steps and defaults that end the whole of it, though they end but a phase of other calls on the object
    /// (a pool's wait for a connection, where the call does nothing else).
    #[serde(default)]
    pub whole: Vec<String>,
    /// What it reaches, where it differs from the file's.
    #[serde(default)]
    pub kind: Option<SiteKind>,
    /// The kind of limit that its `limit` argument is (`TcpStream::connect_timeout(&addr, d)`).
    #[serde(default)]
    pub limit: Option<LimitKind>,
    /// The key that its `limit` argument sets in other terms, as for a step.
    #[serde(default)]
    pub key: Option<String>,
    /// The unit of a plain number as `limit`.
    #[serde(default)]
    pub unit: Unit,
    /// What it is called on need not come from the library (a trait method on values of the scanned code: `users.load(&mut conn)`), but
    /// an argument must be one of its objects.
    #[serde(default)]
    pub foreign: bool,
    /// It is sent when its result is waited for or given back: given to another call of the library it is a fragment of that
    /// (`knex.raw('now()')` in `where(…)`).
    #[serde(default)]
    pub lazy: bool,
    /// Versions for which this holds.
    #[serde(default)]
    pub versions: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}

/// When the body of an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// With the call.
    #[default]
    Whole,
    /// By another call on the result.
    Later,
}

/// A call on an object that configures it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepTable {
    /// The object.
    pub on: String,
    /// The shapes. A `limit` argument sets the limit that `kind` names; an `options` argument is read by `[[limit]]` with
    /// `at = ["step"]`; a `target` adds to the destination; `retries`/`tries` set retries; `config` takes an object's
    /// configuration over.
    pub call: Vec<String>,
    /// The kind of limit it sets.
    #[serde(default)]
    pub kind: Option<LimitKind>,
    /// What it ends where nothing reads the body by a later call (a unary call, an answer that is complete), where that differs.
    #[serde(default)]
    pub when_read: Option<LimitKind>,
    /// What 0 means.
    #[serde(default)]
    pub zero: Zero,
    /// The key it sets in other terms: replaces the default of that key and takes part in `[[together]]` under that name.
    #[serde(default)]
    pub key: Option<String>,
    /// The unit of a plain number.
    #[serde(default)]
    pub unit: Unit,
    /// What the call makes of the object, where that is another object.
    #[serde(default)]
    pub gives: Option<String>,
    /// Where its `config` is an object of the scanned code: the method of it whose result is taken over.
    #[serde(default)]
    pub through: Option<String>,
    /// It takes the limit away (`disable_timeout()`).
    #[serde(default)]
    pub off: bool,
    /// It looks like a limit and does nothing: why.
    #[serde(default)]
    pub ignored: Option<String>,
    /// The limit ends nothing without a handler that does.
    #[serde(default)]
    pub needs_handler: bool,
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

/// A call that registers what ends a request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandlerTable {
    /// The object.
    pub on: String,
    /// The shapes; the `handler` argument must call one of the object's `ends`.
    pub call: Vec<String>,
}

/// Where a limit's key may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// In the options of an outbound call.
    Send,
    /// In the options of a call that builds an object.
    Make,
    /// In the options of a step.
    Step,
    /// In the options of an enclosing call.
    Scope,
    /// Written to a member of the object: `axios.defaults.timeout = 500`, `xhr.timeout = 500`.
    Write,
}

/// How a value says a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum As {
    /// A length of time.
    #[default]
    Duration,
    /// Something that aborts, or a function that makes it: limited when a timer or a limited signal aborts it.
    Signal,
    /// An absolute time.
    Deadline,
    /// An object of a library (agent, dispatcher, channel) whose own configuration counts.
    Object,
    /// A function that makes the outbound calls in the library's place: what limits the call inside counts.
    Function,
}

/// A key of an options object that sets a limit.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitTable {
    /// The path in the options: `timeout`, `timeout.request`. With `at = ["write"]`: the path of the member written,
    /// `defaults.timeout`.
    pub key: String,
    /// The objects whose options these are; all of the library unless said.
    #[serde(default)]
    pub on: Vec<String>,
    /// Where it may stand; `["send", "make"]` unless said.
    #[serde(default = "send_and_make")]
    pub at: Vec<At>,
    /// What it ends.
    pub kind: LimitKind,
    /// What it ends when the body is read in one go with the call (`ky(url).json()`, or a send whose body is `whole`), where that
    /// differs.
    #[serde(default)]
    pub when_read: Option<LimitKind>,
    /// How the value says it.
    #[serde(default, rename = "as")]
    pub reads_as: As,
    /// The unit of a plain number.
    #[serde(default)]
    pub unit: Unit,
    /// Values that switch it off. `false`, `null` and (unless `zero` says otherwise) 0 always do.
    #[serde(default)]
    pub off: Vec<toml::Value>,
    /// What 0 means: `off` (default), `now` (fails at once: a limit of 0).
    #[serde(default)]
    pub zero: Zero,
    /// The limit ends nothing without a handler that does.
    #[serde(default)]
    pub needs_handler: bool,
    /// Another key that must be set to a true value for this one to end anything.
    #[serde(default)]
    pub needs: Option<String>,
    /// The parameter of the destination's query that says the same: `mongodb://db/app?socketTimeoutMS=3000`.
    #[serde(default)]
    pub query: Option<String>,
    /// Keys, of whatever place, that do not count where this one is set.
    #[serde(default)]
    pub replaces: Vec<String>,
    /// It ends all tries of the library together, not one.
    #[serde(default)]
    pub ends_tries: bool,
    /// For `as = "object"`, where the value is a function that gives the object: the keys of the options that are its arguments; an empty
    /// one is nothing that is known.
    #[serde(default)]
    pub given: Vec<String>,
    /// Keys whose presence makes this one void.
    #[serde(default)]
    pub void_if: Vec<String>,
    /// For `at = ["write"]`: it counts for the whole process (`global`), else for the object alone.
    #[serde(default)]
    pub global: bool,
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

fn send_and_make() -> Vec<At> {
    vec![At::Send, At::Make]
}

/// What a limit of zero means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Zero {
    /// No limit.
    #[default]
    Off,
    /// Fails at once.
    Now,
}

/// A limit that is there when nothing is set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefaultTable {
    /// The key that replaces it, or switches it off.
    pub key: String,
    /// The objects it holds for; all unless said.
    #[serde(default)]
    pub on: Vec<String>,
    /// What it ends.
    pub kind: LimitKind,
    /// What it ends when the body is read in one go with the call.
    #[serde(default)]
    pub when_read: Option<LimitKind>,
    /// How long, in milliseconds.
    pub ms: u64,
    /// Versions for which this holds.
    #[serde(default)]
    pub versions: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}

/// Limits that cover a call only together.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TogetherTable {
    /// All of these, set or by default. The longest counts.
    pub keys: Vec<String>,
    /// The kind they make together.
    pub kind: LimitKind,
    /// Versions for which this holds.
    #[serde(default)]
    pub versions: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}

/// A key that looks like a limit and does nothing.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoredTable {
    /// The path in the options.
    pub key: String,
    /// The objects whose options these are; all unless said.
    #[serde(default)]
    pub on: Vec<String>,
    /// Where it may stand; `["send", "make"]` unless said.
    #[serde(default = "send_and_make")]
    pub at: Vec<At>,
    /// Why it does nothing; printed as evidence. Absent: the key is known and harmless, and is not taken for a misspelled limit.
    #[serde(default)]
    pub why: Option<String>,
    /// Versions for which this holds.
    #[serde(default)]
    pub versions: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}

/// What a retry key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    /// Tries after the first.
    #[default]
    Retries,
    /// All tries.
    Tries,
}

/// Retries of a library, or of an enclosing call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetryTable {
    /// The paths in the options that set the number, the first present counts: `["retry.limit", "retry"]`.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Values of the keys that mean: without end. Then what ends a single try ends nothing.
    #[serde(default)]
    pub endless: Vec<toml::Value>,
    /// The paths in the options that set the first wait.
    #[serde(default)]
    pub delay_keys: Vec<String>,
    /// The path in the options of a function that gives each wait; where it gives 0, nothing is tried again, where it always gives the
    /// same other wait, it is tried again without end.
    #[serde(default)]
    pub computed: Option<String>,
    /// The objects whose calls these are; all unless said.
    #[serde(default)]
    pub on: Vec<String>,
    /// Where the keys may stand; `["send", "make"]` unless said.
    #[serde(default = "send_and_make")]
    pub at: Vec<At>,
    /// What the number counts.
    #[serde(default)]
    pub counts: Counts,
    /// Extra tries when nothing is set.
    #[serde(default)]
    pub default: u32,
    /// The wait before the first of them when nothing is set, in milliseconds.
    #[serde(default)]
    pub delay_ms: Option<u64>,
    /// Whether a try that timed out is tried again; the number is 0 where it is not.
    #[serde(default = "yes")]
    pub on_timeout: bool,
    /// The unit of delay keys.
    #[serde(default)]
    pub unit: Unit,
    /// The calls that are tried again (`get`, `head`; an empty name is the call of the object itself); all unless said.
    #[serde(default)]
    pub methods: Vec<String>,
    /// Versions for which this holds.
    #[serde(default)]
    pub versions: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}

const fn yes() -> bool {
    true
}

/// A call that encloses work.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScopeTable {
    /// The object it is called on.
    #[serde(default = "module")]
    pub on: String,
    /// The shapes: the `work` argument is enclosed; `limit` is the limit, or `options` hold it (`[[limit]]` with
    /// `at = ["scope"]`). A method on a promise or future has the work before the dot: `timeout(limit)` with `on = "work"`.
    pub call: Vec<String>,
    /// The kind of limit; absent: it does not limit (it retries).
    #[serde(default)]
    pub kind: Option<LimitKind>,
    /// The unit of a plain number.
    #[serde(default)]
    pub unit: Unit,
    /// Any element of the list that is a timer ends the wait for the others (`Promise.race`, `select!`).
    #[serde(default)]
    pub race: bool,
    /// It runs the work again when it fails; `[[retry]]` with `at = ["scope"]` tells how often.
    #[serde(default)]
    pub retries: bool,
    /// The work's own time goes on after the limit (a spawned task).
    #[serde(default)]
    pub detaches: bool,
    /// Versions for which this holds.
    #[serde(default)]
    pub versions: Option<String>,
    /// The work is a function that is given something whose member of this name is a signal that aborts after the limit of what the call
    /// is made on.
    #[serde(default)]
    pub signal: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
    /// What a person should know.
    #[serde(default)]
    pub note: Option<String>,
}

/// What the result of a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Is {
    /// Its `value` argument as a number (`Number(x)`, `parseInt(x)`, `x.parse::<u64>()`).
    Number,
    /// Its `value` argument as it is (`Object.freeze(x)`, `Arc::new(x)`, `x.clone()`).
    Same,
    /// What its `value` argument, a function, returns (`OnceLock::get_or_init(f)`, `LazyLock::new(f)`, `useMemo(f)`).
    Result,
    /// Its arguments merged, later ones over earlier ones (`Object.assign`).
    Merge,
    /// Its arguments merged, earlier ones over later ones (`defaults` of lodash).
    Defaults,
    /// Its `value` argument, a number in `unit` or a text such as `5s`, as a length of time.
    Duration,
    /// The receiver, else the `value` argument when it is missing (`unwrap_or`).
    OrElse,
    /// The current time.
    Now,
    /// A point in time: the `value` argument as it is (`new Date(x)`, `Instant::now() + d`); now, where there is none.
    Time,
    /// Moves the point in time that it is called on to its `value` argument, in `unit` (`date.setSeconds(date.getSeconds() + 5)`).
    Move,
    /// An environment variable or a setting, named by the `value` argument, else by the member's own name; a second `value` stands in
    /// where it is missing.
    Env,
    /// A signal that aborts after its `limit`.
    Signal,
    /// A signal that aborts when any element of its `value` list does.
    SignalAny,
    /// Something that aborts a signal: `signal` is its signal's member, `abort` its method.
    Canceller,
    /// A promise or future that is done after its `limit`.
    Sleep,
    /// A call of its `handler` after its `limit`; `clear` ends it.
    Timer,
    /// Ends a timer: its `value` argument.
    Clear,
    /// The smaller of its values.
    Min,
    /// The larger of its values.
    Max,
    /// A promise made by a function of two callbacks (`new Promise((resolve, reject) => …)`): the `work` argument.
    Promise,
    /// The length of time from a number and a unit, added to what it is called on: a sum.
    Sum,
    /// The product with its `value` argument.
    Product,
    /// What its `value` argument, a function, makes of what it is called on (`x.map(Duration::from_secs)`, `x.and_then(f)`).
    Apply,
    /// An element of the collection it is called on (`xs.first()`, `map.get(k)`).
    Element,
    /// The collection it is called on, as it is or a part of it (`xs.iter()`, `xs.slice(1)`).
    Elements,
    /// The collection it is called on, with a key or number beside each element (`xs.iter().enumerate()`).
    Numbered,
    /// The collection it is called on, without its keys (`map.values()`).
    Values,
}

impl Is {
    /// Whether it says something of collections alone.
    pub const fn of_collections(self) -> bool {
        matches!(self, Self::Element | Self::Elements | Self::Numbered | Self::Values)
    }
}

/// A function (or member) whose result is known.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueTable {
    /// The object it is called on; `any` for a method of any value (`x.clone()`).
    #[serde(default = "module")]
    pub on: String,
    /// The shapes.
    #[serde(default)]
    pub call: Vec<String>,
    /// Members that are read, not called (`process.env.*`).
    #[serde(default)]
    pub member: Vec<String>,
    /// What it is.
    pub is: Is,
    /// What it is called on is a collection, also where nothing is known of it (`xs.iter()`).
    #[serde(default)]
    pub begins: bool,
    /// The unit of plain numbers.
    #[serde(default)]
    pub unit: Unit,
    /// What one of a second `value` is, in the unit of the first: 1e-9 for nanoseconds beside seconds.
    #[serde(default)]
    pub part: Option<f64>,
    /// The length of time, in milliseconds, or the number, that a member stands for: 0 for `Duration::ZERO`, `inf` (never) for
    /// `Duration::MAX`, `u64::MAX`.
    #[serde(default)]
    pub stands_for: Option<f64>,
    /// For cancellers: the member that is the signal.
    #[serde(default)]
    pub signal: Option<String>,
    /// For cancellers: the method that aborts (empty: the value itself is called).
    #[serde(default)]
    pub abort: Option<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}
