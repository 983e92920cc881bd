//! How long a wait may last, and of which kind the limit is.
//!
//! In: numbers with a unit, or text such as `3s`. Out: [`Millis`], [`LimitKind`], [`Unit`], each with one
//! `Display` that text, JSON and fixtures share. It does not know where a limit is written: that is [`crate::finding::Limit`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A finite, non-negative length of time. Stored in whole microseconds; saturates instead of overflowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(u64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest time that can be said; sums saturate here.
    pub const MAX: Self = Self(u64::MAX);

    /// From whole microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// From whole milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// From a fractional number of milliseconds. `None` for negative, infinite or not-a-number input.
    pub fn from_millis_f64(millis: f64) -> Option<Self> {
        (millis.is_finite() && millis >= 0.0).then(|| Self((millis * 1_000.0).round() as u64))
    }

    /// Whole microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Milliseconds, with the fraction.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// The sum, saturating.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The product, saturating.
    #[must_use]
    pub const fn times(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }
}

impl fmt::Display for Millis {
    /// The shortest exact form: `800ms`, `1.5s`, `3s`, `2m`, `0.25ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (per, unit) = match self.0 {
            m if m >= 120_000_000 && m.is_multiple_of(60_000_000) => (60_000_000, "m"),
            m if m >= 1_000_000 => (1_000_000, "s"),
            _ => (1_000, "ms"),
        };
        let (whole, rest) = (self.0 / per, self.0 % per);
        if rest == 0 {
            return write!(f, "{whole}{unit}");
        }
        let digits = format!("{rest:0width$}", width = per.to_string().len() - 1);
        write!(f, "{whole}.{}{unit}", digits.trim_end_matches('0'))
    }
}

impl Serialize for Millis {
    /// A JSON number of milliseconds: whole where it is whole.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1_000) {
            serializer.serialize_u64(self.0 / 1_000)
        } else {
            serializer.serialize_f64(self.as_millis_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let millis = f64::deserialize(deserializer)?;
        Self::from_millis_f64(millis).ok_or_else(|| serde::de::Error::custom("expected milliseconds, 0 or more"))
    }
}

/// Why a text is no length of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadDuration {
    found: String,
}

impl fmt::Display for BadDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no length of time: expected a number with `us`, `ms`, `s`, `m`, `h` or no unit (milliseconds)",
            self.found
        )
    }
}

impl std::error::Error for BadDuration {}

impl FromStr for Millis {
    type Err = BadDuration;

    /// Reads `800`, `800ms`, `0.5s`, `2m`, `1h`; exact in decimal, never through a float.
    fn from_str(text: &str) -> Result<Self, BadDuration> {
        let bad = || BadDuration { found: text.to_owned() };
        let text_ = text.trim();
        let split = text_.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(text_.len());
        let (number, unit) = (text_[..split].replace('_', ""), text_[split..].trim());
        let per = Unit::from_suffix(unit).ok_or_else(bad)?.micros();
        let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
        if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
            return Err(bad());
        }
        let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().unwrap_or(u64::MAX) };
        let mut micros = whole.saturating_mul(per);
        let mut place = per;
        for digit in fraction.bytes() {
            if !digit.is_ascii_digit() {
                return Err(bad());
            }
            place /= 10;
            micros = micros.saturating_add(u64::from(digit - b'0') * place);
        }
        Ok(Self(micros))
    }
}

/// The unit that an interface takes its numbers in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Microseconds.
    Us,
    /// Milliseconds.
    #[default]
    Ms,
    /// Seconds.
    S,
    /// Minutes.
    M,
    /// Hours.
    H,
}

impl Unit {
    /// Microseconds in one of this unit.
    pub const fn micros(self) -> u64 {
        match self {
            Self::Us => 1,
            Self::Ms => 1_000,
            Self::S => 1_000_000,
            Self::M => 60_000_000,
            Self::H => 3_600_000_000,
        }
    }

    fn from_suffix(suffix: &str) -> Option<Self> {
        Some(match suffix {
            "us" | "µs" => Self::Us,
            "" | "ms" => Self::Ms,
            "s" => Self::S,
            "m" | "min" => Self::M,
            "h" => Self::H,
            _ => return None,
        })
    }
}

/// What a limit ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitKind {
    /// The whole attempt.
    Total,
    /// A gap without bytes, before or within the response.
    Idle,
    /// The caller goes on, the request does not end.
    Wait,
    /// Until the response begins.
    Headers,
    /// The rest of a response after its beginning.
    Body,
    /// Establishing the connection.
    Connect,
    /// Waiting for a pooled connection.
    Pool,
    /// Waiting unsent in the client's queue.
    Queue,
    /// Enforced by the far side alone.
    Server,
}

impl LimitKind {
    /// Whether a callee that stops sending at any point is ended by a limit of this kind.
    pub const fn covers(self) -> bool {
        matches!(self, Self::Total | Self::Idle | Self::Wait)
    }

    /// The word used in every report.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Idle => "idle",
            Self::Wait => "wait",
            Self::Headers => "headers",
            Self::Body => "body",
            Self::Connect => "connect",
            Self::Pool => "pool",
            Self::Queue => "queue",
            Self::Server => "server",
        }
    }
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints_the_shortest_exact_form() {
        for (text, shown) in [
            ("800", "800ms"),
            ("0.3s", "300ms"),
            ("1500ms", "1.5s"),
            ("3s", "3s"),
            ("2m", "2m"),
            ("90s", "90s"),
            ("0.25ms", "0.25ms"),
            ("1_000", "1s"),
            (".5s", "500ms"),
        ] {
            assert_eq!(text.parse::<Millis>().map(|m| m.to_string()), Ok(shown.to_owned()), "{text}");
        }
        for text in ["", "s", "1.2.3s", "-1s", "1x", "NaN", "1e3", "…"] {
            assert!(text.parse::<Millis>().is_err(), "{text}");
        }
    }

    #[test]
    fn absurd_numbers_saturate() {
        assert_eq!("99999999999999999999h".parse::<Millis>(), Ok(Millis::MAX));
    }
}
