//! The waits between tries: fixed or growing, with or without dice.
//!
//! In: `25ms`, `exp:25ms..250ms`, `exp1.5:500ms`, `envoy:25ms..250ms`, and a jitter. Out: the shortest and the longest that each wait,
//! and each sum of waits, can be. It throws no dice itself.

use std::fmt;

use super::time::{Bound, time};
use crate::limit::Millis;

/// How the waits grow from one retry to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Curve {
    /// The same wait every time.
    Fixed(Millis),
    /// `first`, then `milli_factor`/1000 times the one before, never above `cap`.
    Exponential {
        /// The first wait.
        first: Millis,
        /// The longest wait.
        cap: Bound,
        /// The growth, in thousandths: 2000 doubles.
        milli_factor: u64,
    },
    /// Envoy's own: at most `(2^k - 1) * base` before retry k, never above `cap`.
    Envoy {
        /// The base interval.
        base: Millis,
        /// The longest wait.
        cap: Bound,
    },
}

/// How dice change a nominal wait `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Jitter {
    /// Exactly `d`.
    #[default]
    None,
    /// Anything from 0 to `d`.
    Full,
    /// Anything from `d/2` to `d`.
    Equal,
    /// `d` give or take so many per cent, 100 at most.
    Percent(u8),
}

/// Which end of the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dice {
    /// Every wait as short as it can be.
    Kind,
    /// Every wait as long as it can be.
    Worst,
}

/// The waits before the retries of one hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backoff {
    /// How they grow.
    pub curve: Curve,
    /// What the dice do to them.
    pub jitter: Jitter,
}

impl Default for Backoff {
    /// No wait at all.
    fn default() -> Self {
        Self::fixed(Millis::ZERO)
    }
}

impl Backoff {
    /// The same wait before every retry, without dice.
    pub const fn fixed(wait: Millis) -> Self {
        Self { curve: Curve::Fixed(wait), jitter: Jitter::None }
    }

    /// The wait when it is always the same.
    pub const fn as_fixed(&self) -> Option<Millis> {
        match (self.curve, self.jitter) {
            (Curve::Fixed(wait), Jitter::None | Jitter::Percent(0)) => Some(wait),
            _ => None,
        }
    }

    /// The wait before retry `retry` (from 1).
    pub fn wait(&self, retry: u64, dice: Dice) -> Millis {
        let mut nominal = self.first();
        for _ in 1..retry {
            let next = self.next(nominal);
            if next == nominal {
                break;
            }
            nominal = next;
        }
        self.thrown(nominal, dice)
    }

    /// The sum of the waits before the first `retries` retries.
    pub fn sum(&self, retries: u64, dice: Dice) -> Millis {
        let (mut sum, mut nominal, mut left) = (Millis::ZERO, self.first(), retries);
        while left > 0 {
            let next = self.next(nominal);
            let alike = if next == nominal { left } else { 1 };
            sum = sum.plus(self.thrown(nominal, dice).times(alike));
            left -= alike;
            nominal = next;
        }
        sum
    }

    fn first(&self) -> Millis {
        match self.curve {
            Curve::Fixed(wait) => wait,
            Curve::Exponential { first, cap, .. } => capped(first, cap),
            Curve::Envoy { base, cap } => capped(base, cap),
        }
    }

    fn next(&self, nominal: Millis) -> Millis {
        match self.curve {
            Curve::Fixed(wait) => wait,
            Curve::Exponential { cap, milli_factor, .. } => {
                let grown = u128::from(nominal.as_micros()) * u128::from(milli_factor) / 1_000;
                capped(Millis::from_micros(u64::try_from(grown).unwrap_or(u64::MAX)), cap)
            }
            // (2^(k+1) - 1)·base = 2·(2^k - 1)·base + base
            Curve::Envoy { base, cap } => capped(nominal.times(2).plus(base), cap),
        }
    }

    fn thrown(&self, nominal: Millis, dice: Dice) -> Millis {
        let jitter = match (self.curve, self.jitter) {
            (Curve::Envoy { .. }, Jitter::None) => Jitter::Full,
            (_, jitter) => jitter,
        };
        let d = u128::from(nominal.as_micros());
        let micros = match (jitter, dice) {
            (Jitter::None, _) | (Jitter::Full | Jitter::Equal, Dice::Worst) => d,
            (Jitter::Full, Dice::Kind) => 0,
            (Jitter::Equal, Dice::Kind) => d / 2,
            (Jitter::Percent(n), Dice::Kind) => d * u128::from(100_u8.saturating_sub(n)) / 100,
            (Jitter::Percent(n), Dice::Worst) => (d * (100 + u128::from(n))).div_ceil(100),
        };
        Millis::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }
}

impl Curve {
    /// Reads the value of `backoff=`.
    ///
    /// # Errors
    /// What is wrong with the text, as the end of a sentence that began with the text itself.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (curve, range) = text.split_once(':').unwrap_or(("", text));
        let (first, cap) = match range.split_once("..") {
            Some((first, cap)) => (time(first)?, Bound::Finite(time(cap)?)),
            None => (time(range)?, Bound::Unbounded),
        };
        if Bound::Finite(first) > cap {
            return Err("ends below its beginning".to_owned());
        }
        match curve {
            "" if !text.contains(':') && cap.is_unbounded() => Ok(Self::Fixed(first)),
            "envoy" => Ok(Self::Envoy { base: first, cap }),
            "exp" => Ok(Self::Exponential { first, cap, milli_factor: 2_000 }),
            _ => match curve.strip_prefix("exp").and_then(factor) {
                Some(milli_factor) => Ok(Self::Exponential { first, cap, milli_factor }),
                None => Err("is no backoff".to_owned()),
            },
        }
    }
}

/// What the value of `backoff=` looks like, for messages.
pub const EXPECTED_BACKOFF: &str =
    "a time such as `50ms`, `exp:25ms..250ms` (doubling up to the second), `exp1.5:500ms..1m` or `envoy:25ms..250ms`";

/// What the value of `jitter=` looks like, for messages.
pub const EXPECTED_JITTER: &str = "`none`, `full`, `equal` or a percentage from `0%` to `100%`";

impl Jitter {
    /// Reads the value of `jitter=`.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "none" => Self::None,
            "full" => Self::Full,
            "equal" => Self::Equal,
            _ => {
                let digits = text.strip_suffix('%')?;
                let plain = digits.bytes().all(|b| b.is_ascii_digit());
                Self::Percent(digits.parse().ok().filter(|percent| plain && *percent <= 100)?)
            }
        })
    }
}

fn capped(wait: Millis, cap: Bound) -> Millis {
    cap.finite().map_or(wait, |cap| cap.min(wait))
}

/// `1.5` as 1500: a factor of 1 or more, with at most three decimals.
fn factor(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let thousandths: u64 = format!("{fraction:0<3}").parse().ok()?;
    let factor = whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(thousandths)?;
    (1_000..=1_000_000).contains(&factor).then_some(factor)
}

impl fmt::Display for Curve {
    /// The value of `backoff=`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cap, first) = match *self {
            Self::Fixed(wait) => return wait.fmt(f),
            Self::Envoy { base, cap } => {
                f.write_str("envoy:")?;
                (cap, base)
            }
            Self::Exponential { first, cap, milli_factor: 2_000 } => {
                f.write_str("exp:")?;
                (cap, first)
            }
            Self::Exponential { first, cap, milli_factor } => {
                write!(f, "exp{}.{:03}:", milli_factor / 1_000, milli_factor % 1_000)?;
                (cap, first)
            }
        };
        match cap {
            Bound::Finite(cap) => write!(f, "{first}..{cap}"),
            Bound::Unbounded => first.fmt(f),
        }
    }
}

impl fmt::Display for Jitter {
    /// The value of `jitter=`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Full => f.write_str("full"),
            Self::Equal => f.write_str("equal"),
            Self::Percent(n) => write!(f, "{n}%"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(text: &str, jitter: &str, retries: u64) -> (u64, u64) {
        let backoff = Backoff { jitter: Jitter::parse(jitter).unwrap(), curve: Curve::parse(text).unwrap() };
        (backoff.sum(retries, Dice::Kind).as_micros(), backoff.sum(retries, Dice::Worst).as_micros())
    }

    /// Published: Envoy 25 ms, gRPC 0.1 s x2 up to 1 s ±20 %, resilience4j 500 ms x1.5 ±50 %.
    #[test]
    fn sums_are_the_published_ones() {
        for (retries, most) in [(1, 25), (2, 100), (3, 275), (4, 525), (5, 775)] {
            assert_eq!(sums("envoy:25ms..250ms", "none", retries), (0, most * 1_000));
        }
        assert_eq!(sums("exp:100ms..1s", "20%", 3), (560_000, 840_000));
        assert_eq!(sums("exp1.5:500ms..1m", "50%", 3), (1_187_500, 3_562_500));
        assert_eq!(sums("exp:25ms..250ms", "full", 5), (0, (25 + 50 + 100 + 200 + 250) * 1_000));
        assert_eq!(sums("exp:10ms", "equal", 3), (35_000, 70_000));
    }

    #[test]
    fn a_sum_is_the_sum_of_its_waits() {
        for text in ["7ms", "exp:3ms..50ms", "exp1.1:1ms", "envoy:2ms..90ms", "exp:0.001ms..0.003ms"] {
            let backoff = Backoff { jitter: Jitter::Percent(30), curve: Curve::parse(text).unwrap() };
            for dice in [Dice::Kind, Dice::Worst] {
                let mut sum = Millis::ZERO;
                for retry in 1..40 {
                    sum = sum.plus(backoff.wait(retry, dice));
                    assert_eq!(backoff.sum(retry, dice), sum, "{text} {retry}");
                }
            }
        }
    }

    #[test]
    fn four_billion_waits_cost_nothing() {
        assert_eq!(
            Backoff { curve: Curve::parse("exp:1ms").unwrap(), jitter: Jitter::None }.sum(u64::MAX, Dice::Worst),
            Millis::MAX
        );
        assert_eq!(sums("exp:1ms..2ms", "none", 4_000_000_000).1, 7_999_999_999_000);
    }

    #[test]
    fn bad_backoffs_are_refused() {
        for text in [
            "",
            "exp",
            "exp:",
            "exp:5ms..",
            "exp:50ms..5ms",
            "5ms..6ms",
            "expo:5ms",
            "exp0.5:5ms",
            ":5ms",
            "-5ms",
            "exp1.2345:5ms",
        ] {
            assert!(Curve::parse(text).is_err(), "{text}");
        }
        for text in ["", "101%", "-5%", "half", "5", "+5%", "%"] {
            assert_eq!(Jitter::parse(text), None, "{text}");
        }
    }
}
