//! Does a chain of timeouts and retries fit inside its caller's deadline?
//!
//! In: chains of hops, or tables of layers, as values or as text. Out: verdicts: how long the chain can take while its bottom hangs, which tries can never
//! finish, what to change. Pure and exact: whole microseconds, no floats, saturating; "unbounded" is a value of its own. It reads no files,
//! knows no source code and prints nothing.
//!
//! ```
//! use untimed::budget::{self, Bound};
//!
//! let text = "frontend -> checkout    none   2\n\
//!             checkout -> pricing     1s     2\n\
//!             pricing -> inventory    500ms  2\n";
//! let mut chains = budget::parse(text)?;
//! chains[0].deadline = Some(Bound::millis(2_000));
//! chains[0].backoff = Some(budget::Curve::Fixed(budget::time("25ms").unwrap()));
//! let verdict = budget::check(&chains[0]);
//! assert_eq!(verdict.worst.high, Bound::millis(9_200));
//! assert!(!verdict.fits());
//! assert_eq!(verdict.amplification, 27);
//! assert_eq!(verdict.calls[2].max_per_try, Some(budget::time("316ms").unwrap()));
//! # Ok::<(), budget::ParseError>(())
//! ```

mod advice;
mod backoff;
mod check;
mod fate;
mod findings;
mod hop;
mod layers;
mod load;
mod parse;
mod print;
mod sensitivity;
pub mod simulate;
mod solve;
mod table;
mod time;
mod timeline;
pub mod words;

pub use backoff::{Backoff, Curve, Dice, EXPECTED_BACKOFF, EXPECTED_JITTER, Jitter};
pub use check::{Call, Verdict, check};
pub use fate::{Fate, Run, fates, start_of};
pub use findings::{Finding, Rule};
pub use hop::{Chain, Defaults, Hop, OnTimeout, Place, Propagate};
pub use layers::{Layer, LayerVerdict, LayersVerdict, check_layers, required};
pub use load::{Load, load};
pub use parse::{ParseError, backoff_option, limit_option, parse, sum_option};
pub use print::{print, word};
pub use sensitivity::{Leeway, MOST_HOPS_TO_MEASURE, sensitivity};
pub use solve::{Impossible, MOST_HOPS_TO_SOLVE, Solution, Solved, Way, diff, solve};
pub use table::parse_layers;
pub use time::{Bound, EXPECTED_TIME, Range, bound, time};
