//! What a library file says of calls that enclose work, and of functions whose result is known.
//!
//! In: TOML, by serde. Out: tables.

use serde::Deserialize;

use super::module;
use crate::limit::{LimitKind, Unit};

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
    /// An instance of its `value` argument, a class (`app.get(Orders)`).
    Instance,
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
    /// A stream that its `handler` makes of its `value` argument, step by step (`stream::unfold(seed, |state| …)`).
    Unfold,
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
