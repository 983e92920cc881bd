//! What a library file says of limits, of what looks like one, and of retries.
//!
//! In: TOML, by serde. Out: tables; what they mean together is checked when they are compiled.

use serde::Deserialize;

use crate::limit::{LimitKind, Unit};

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
    /// What says of a file that it runs where there is no such limit: names that it uses and does not declare, texts that stand alone
    /// (`"use client"`).
    #[serde(default)]
    pub elsewhere: Vec<String>,
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
