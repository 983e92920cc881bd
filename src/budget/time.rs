//! Lengths of time that may have no end, exact to the microsecond.
//!
//! In: decimal text such as `1.5s`, or [`Millis`]. Out: [`Bound`], with sums, products and differences that
//! saturate. No floats anywhere: 0.3 s holds exactly three tries of 0.1 s. "Unbounded" is a value of its own, never 0.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::limit::Millis;

/// How long something can take: a finite time, or for ever. Finite times order before [`Bound::Unbounded`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// It ends after this time.
    Finite(Millis),
    /// Nothing ends it.
    Unbounded,
}

impl Bound {
    /// No time at all.
    pub const ZERO: Self = Self::Finite(Millis::ZERO);

    /// From whole microseconds.
    pub const fn micros(micros: u64) -> Self {
        Self::Finite(Millis::from_micros(micros))
    }

    /// From whole milliseconds.
    pub const fn millis(millis: u64) -> Self {
        Self::Finite(Millis::from_millis(millis))
    }

    /// The finite time, if there is one.
    pub const fn finite(self) -> Option<Millis> {
        match self {
            Self::Finite(time) => Some(time),
            Self::Unbounded => None,
        }
    }

    /// Whether nothing ends it.
    pub const fn is_unbounded(self) -> bool {
        matches!(self, Self::Unbounded)
    }

    /// The sum; unbounded if either is.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) => Self::Finite(a.plus(b)),
            _ => Self::Unbounded,
        }
    }

    /// So many of it in a row. None of an unbounded time is no time.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        match self {
            _ if count == 0 => Self::ZERO,
            Self::Finite(a) => Self::Finite(a.times(count)),
            Self::Unbounded => Self::Unbounded,
        }
    }

    /// What is left of it after `used`; never below 0.
    #[must_use]
    pub fn minus(self, used: Millis) -> Self {
        match self {
            Self::Finite(a) => Self::Finite(less(a, used)),
            Self::Unbounded => Self::Unbounded,
        }
    }
}

/// `a - b`, 0 at least.
pub(crate) const fn less(a: Millis, b: Millis) -> Millis {
    Millis::from_micros(a.as_micros().saturating_sub(b.as_micros()))
}

/// The whole milliseconds in it, rounded down.
pub(crate) const fn floor_ms(time: Millis) -> Millis {
    Millis::from_micros(time.as_micros() / 1_000 * 1_000)
}

/// The whole milliseconds that hold it, rounded up.
pub(crate) const fn ceil_ms(time: Millis) -> Millis {
    Millis::from_millis(time.as_micros().div_ceil(1_000))
}

impl From<Millis> for Bound {
    fn from(time: Millis) -> Self {
        Self::Finite(time)
    }
}

impl fmt::Display for Bound {
    /// As in a chain file: `none`, or the shortest exact form of the time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(time) => time.fmt(f),
            Self::Unbounded => f.write_str("none"),
        }
    }
}

impl Serialize for Bound {
    /// A JSON number of milliseconds; null when unbounded.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Finite(time) => time.serialize(serializer),
            Self::Unbounded => serializer.serialize_none(),
        }
    }
}

/// A span of outcomes, as random waits make it: everything goes as well as it can (`low`), or as badly (`high`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    /// With the kindest dice.
    pub low: Bound,
    /// With the worst dice.
    pub high: Bound,
}

impl Range {
    /// A span without width.
    pub const fn exactly(bound: Bound) -> Self {
        Self { low: bound, high: bound }
    }

    /// Whether the dice change nothing.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// Both ends changed alike.
    #[must_use]
    pub fn map(self, change: impl Fn(Bound) -> Bound) -> Self {
        Self { low: change(self.low), high: change(self.high) }
    }
}

/// What a length of time looks like, for messages.
pub const EXPECTED_TIME: &str = "a number with `ms`, `s`, `m` or no unit (milliseconds)";

/// Reads `none` as unbounded, everything else as [`time`] does.
///
/// # Errors
/// What is wrong with the text, as the end of a sentence that began with the text itself.
pub fn bound(text: &str) -> Result<Bound, String> {
    if text == "none" { Ok(Bound::Unbounded) } else { time(text).map(Bound::Finite) }
}

/// Reads a plain decimal number with `ms`, `s`, `m` or no unit (milliseconds), exactly.
///
/// # Errors
/// What is wrong with the text, as the end of a sentence that began with the text itself.
pub fn time(text: &str) -> Result<Millis, String> {
    time_in(text, 1_000)
}

/// As [`time`], with a number without unit counted in `bare` microseconds.
pub(crate) fn time_in(text: &str, bare: u64) -> Result<Millis, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() {
        let negative =
            text.strip_prefix(['-', '−']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
        return Err(if negative { "is negative" } else { "is no length of time" }.to_owned());
    }
    let per: u128 = match unit {
        "" => bare.into(),
        "ms" => 1_000,
        "s" => 1_000_000,
        "m" => 60_000_000,
        _ if unit.starts_with(['e', 'E']) => return Err("is written with an exponent".to_owned()),
        _ => return Err(format!("has the unknown unit `{unit}`")),
    };
    if fraction.contains('.') {
        return Err("has two decimal points".to_owned());
    }
    let fraction = fraction.trim_end_matches('0');
    let too_long = || "is longer than half a million years".to_owned();
    let too_fine = || "is finer than a microsecond".to_owned();
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| too_long())? };
    if fraction.len() > 9 {
        return Err(too_fine());
    }
    let parts: u128 = if fraction.is_empty() { 0 } else { fraction.parse().map_err(|_| too_fine())? };
    let scaled = parts * per;
    let place = 10_u128.pow(fraction.len() as u32);
    if !scaled.is_multiple_of(place) {
        return Err(too_fine());
    }
    let micros = whole.checked_mul(per).and_then(|micros| micros.checked_add(scaled / place)).ok_or_else(too_long)?;
    u64::try_from(micros).map(Millis::from_micros).map_err(|_| too_long())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_text_is_exact() {
        for (text, micros) in [
            ("500", 500_000),
            ("500ms", 500_000),
            ("0.3s", 300_000),
            (".5s", 500_000),
            ("1.25ms", 1_250),
            ("0.001", 1),
            ("1.5000000000000s", 1_500_000),
            ("2m", 120_000_000),
            ("0.000001m", 60),
            ("18446744073709.551615s", 18_446_744_073_709_551_615),
        ] {
            assert_eq!(time(text), Ok(Millis::from_micros(micros)), "{text}");
        }
    }

    #[test]
    fn bad_text_says_what_is_wrong() {
        for (text, wrong) in [
            ("", "no length"),
            ("NaN", "no length"),
            ("inf", "no length"),
            ("-1s", "negative"),
            ("1e400s", "exponent"),
            ("5x", "unknown unit `x`"),
            ("1h", "unknown unit `h`"),
            ("1.2.3s", "two decimal points"),
            ("0.0001", "finer"),
            ("99999999999999999999s", "longer"),
            ("9999999999999999999999999999999999999999999999s", "longer"),
            ("0,5s", "unknown unit"),
            ("٣s", "no length"),
        ] {
            assert!(time(text).is_err_and(|why| why.contains(wrong)), "{text}: {:?}", time(text));
        }
    }

    #[test]
    fn unbounded_is_above_everything_and_stays_so() {
        let day = Bound::millis(86_400_000);
        assert!(Bound::micros(u64::MAX) < Bound::Unbounded);
        assert_eq!(Bound::Unbounded.plus(day), Bound::Unbounded);
        assert_eq!(Bound::Unbounded.times(0), Bound::ZERO);
        assert_eq!(Bound::micros(u64::MAX).times(3).plus(day), Bound::micros(u64::MAX));
        assert_eq!(day.minus(Millis::MAX), Bound::ZERO);
    }
}
