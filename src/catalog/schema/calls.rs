//! What a library file says of outbound calls, and of calls that configure an object or register a handler.
//!
//! In: TOML, by serde. Out: tables.

use serde::Deserialize;

use super::{Zero, module};
use crate::finding::SiteKind;
use crate::limit::{LimitKind, Unit};

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
    /// Where to write its limit, where that differs from the file's; `{call}` is its name.
    #[serde(default)]
    pub fix: Option<String>,
    /// That is at the call, wherever its client is made.
    #[serde(default)]
    pub fix_at_call: bool,
    /// Where to write it instead, where something reads the rest of the answer by later calls.
    #[serde(default)]
    pub fix_reads: FixReads,
    /// Where it fails itself, the failure is one at hand (a local queue that is full): a loop that runs it again then does not run again what
    /// timed out.
    #[serde(default)]
    pub fails_at_hand: bool,
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

/// Where to write a limit where the rest of an answer is read by later calls; `{call}` is the name of the call.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixReads {
    /// The reading is what needs the limit (a stream of messages): no limit of the call's ends it.
    #[serde(default)]
    pub each: Option<String>,
    /// The answer leaves the function that makes the call, and others read it.
    #[serde(default)]
    pub elsewhere: Option<String>,
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
    /// It ends all tries of the library together, not one.
    #[serde(default)]
    pub ends_tries: bool,
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
