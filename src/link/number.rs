//! Arithmetic on values, and the length of time that a value says.
//!
//! In: values. Out: values, or an [`Amount`]. Numbers that are not known stay not known; nothing is rounded but to microseconds.

use super::eval::Eval;
use super::value::{Hint, Loc, Number, Reason, Value};
use crate::facts::Binary;
use crate::finding::Origin;
use crate::limit::{Millis, Unit};

/// What a value says as a limit.
#[derive(Debug, Clone, PartialEq)]
pub enum Amount {
    /// This long.
    Finite {
        /// How long.
        wait: Millis,
        /// How it is known.
        origin: Origin,
        /// The argument it was passed as.
        through: Option<Loc>,
        /// What its name says about its unit.
        hint: Option<Hint>,
    },
    /// A limit, of a length that is known at run time alone.
    Dynamic,
    /// Zero.
    Zero,
    /// Switched off, in these words.
    Off(&'static str),
    /// Not given.
    Missing,
    /// It is not known whether there is one.
    Unknown(Reason),
}

impl Eval<'_> {
    /// The value of an arithmetic expression.
    pub(super) fn arithmetic(&self, op: Binary, left: &Value, right: &Value) -> Value {
        left.map(|left| right.map(|right| binary(op, left, right)))
    }

    /// The negative of a value.
    pub(super) fn negate(&self, value: &Value) -> Value {
        value.map(|value| match value {
            Value::Number(number) => Value::Number(Number { value: number.value.map(|value| -value), ..*number }),
            other => other.clone(),
        })
    }
}

fn binary(op: Binary, left: &Value, right: &Value) -> Value {
    use Value::{Duration, Instant, Text};
    let (Some(a), Some(b)) = (number(left), number(right)) else {
        return match (op, left, right) {
            (Binary::Add, Text(a), Text(b)) => Text(format!("{a}{b}").into()),
            (Binary::Add, Text(a), Value::Number(Number { value: Some(b), .. })) => Text(format!("{a}{b}").into()),
            (Binary::Add, Value::Number(Number { value: Some(a), .. }), Text(b)) => Text(format!("{a}{b}").into()),
            (_, Text(_), _) | (_, _, Text(_)) => Value::opaque("a text that is put together at run time"),
            (_, Value::Opaque(reason), _) | (_, _, Value::Opaque(reason)) => match (left, right) {
                (Instant(_), _) => Instant(Number::dynamic()),
                _ => Value::Opaque(reason.clone()),
            },
            _ => Value::opaque("arithmetic on what is no number"),
        };
    };
    let value = a.value.zip(b.value).map(|(a, b)| match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::Pow => a.powf(b),
    });
    let result = Number { value, origin: a.origin.max(b.origin), through: a.through.or(b.through), hint: None };
    match (op, left, right) {
        (Binary::Add, Instant(_), _)
        | (Binary::Add, _, Instant(_))
        | (Binary::Sub, Instant(_), Value::Number(_) | Duration(_)) => Instant(result),
        (Binary::Sub, Instant(_), Instant(_)) => Duration(result),
        (Binary::Div, Duration(_), Duration(_)) => Value::Number(result),
        (_, Duration(_), _) | (_, _, Duration(_)) => Duration(result),
        (_, Instant(_), _) | (_, _, Instant(_)) => Instant(result),
        _ => Value::Number(result),
    }
}

/// The number in a value, where it is one; an environment variable is one that is not known.
pub(super) fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) | Value::Duration(number) | Value::Instant(number) => Some(*number),
        Value::Env(_) => Some(Number { value: None, origin: Origin::Env, through: None, hint: None }),
        _ => None,
    }
}

/// A text of several parts such as `1m 30s`.
fn several_durations(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let whole = |part: &&str| {
        part.starts_with(|first: char| first.is_ascii_digit()) && part.ends_with(|last: char| last.is_ascii_alphabetic())
    };
    if parts.len() < 2 || !parts.iter().all(whole) {
        return None;
    }
    parts.into_iter().map(duration_text).sum()
}

/// A text such as `5s`, `1.5 minutes` or `250` as milliseconds.
pub fn duration_text(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(sum) = several_durations(text) {
        return Some(sum);
    }
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-' || c == '_')).unwrap_or(text.len());
    let number: f64 = text[..split].replace('_', "").parse().ok()?;
    let per = match text[split..].trim().to_ascii_lowercase().as_str() {
        "" | "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => 1.0,
        "us" | "usec" | "micros" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000.0,
        "d" | "day" | "days" => 86_400_000.0,
        "w" | "week" | "weeks" => 604_800_000.0,
        _ => return None,
    };
    Some(number * per)
}

/// What one possible value says as a limit, where plain numbers count in `unit`.
pub fn amount_of(value: &Value, unit: Unit) -> Amount {
    let finite = |number: &Number, per: f64| match number.value {
        None => Amount::Dynamic,
        Some(0.0) => Amount::Zero,
        Some(value) if value.is_infinite() => Amount::Off("it is infinite"),
        Some(value) if value < 0.0 => Amount::Off("it is negative"),
        Some(value) => match Millis::from_millis_f64(value * per) {
            Some(wait) if wait >= Millis::from_millis(1000 * 3_600 * 24 * 365 * 10) => Amount::Off("it is longer than ten years"),
            Some(wait) => Amount::Finite { wait, origin: number.origin, through: number.through, hint: number.hint },
            None => Amount::Dynamic,
        },
    };
    match value {
        Value::Number(number) => finite(number, unit.micros() as f64 / 1_000.0),
        Value::Duration(number) | Value::Instant(number) | Value::Signal(number) | Value::Sleep(number) => finite(number, 1.0),
        Value::Text(text) => match text.trim().parse::<f64>() {
            Ok(value) => finite(&Number::constant(value), unit.micros() as f64 / 1_000.0),
            Err(_) => duration_text(text).map_or(Amount::Dynamic, |value| finite(&Number::constant(value), 1.0)),
        },
        Value::Null => Amount::Off("it is null"),
        Value::Bool(false) => Amount::Off("it is false"),
        Value::Undefined => Amount::Missing,
        Value::Env(_) | Value::Opaque(_) => Amount::Dynamic,
        _ => Amount::Dynamic,
    }
}
