//! The text of a chain file becomes chains.
//!
//! In: the whole text. Out: every chain in it, or the first bad line with what is wrong and what was expected; nothing
//! is built from half a file. It reads no files and computes no times.

use std::fmt;

use super::backoff::{Curve, EXPECTED_BACKOFF, EXPECTED_JITTER, Jitter};
use super::hop::{Chain, Hop, OnTimeout, Propagate};
use super::time::{Bound, EXPECTED_TIME, bound, time};
use crate::limit::Millis;

/// Why a text is no chain file or layer table: the line (from 1), what is wrong there, what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What was found.
    pub found: String,
    /// What was expected instead.
    pub expected: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}; expected {}", self.line, self.found, self.expected)
    }
}

impl std::error::Error for ParseError {}

/// What is wrong, and what was expected: a [`ParseError`] that does not know its line yet.
pub(crate) type Wrong = (String, String);

const LINE: &str = "`caller -> callee  per-try  retries`, such as `web -> api  500ms  2`";
const KEYS: &str = "`total=`, `backoff=`, `jitter=`, `reserve=`, `min_useful=`, `on_timeout=` or `propagate=`";
const CHAIN_KEYS: &str = "`deadline=`, `backoff=`, `jitter=` or `reserve=`";

/// Reads the text of a chain file.
///
/// # Errors
/// The first bad line.
pub fn parse(text: &str) -> Result<Vec<Chain>, ParseError> {
    let mut chains: Vec<Chain> = Vec::new();
    let mut begun_at = 1;
    let mut last_line = 1;
    for (index, raw) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let at = |(found, expected): Wrong| ParseError { line: index + 1, found, expected };
        last_line = index + 1;
        let line = raw.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Some((left, right)) = split_arrow(line) {
            let mut hop = read_hop(left.trim(), right).map_err(at)?;
            if chains.is_empty() {
                chains.push(Chain::default());
            }
            let Some(chain) = chains.last_mut() else { continue };
            follows(chain, &hop).map_err(at)?;
            if let Some(above) = chain.hops.last() {
                hop.caller = above.callee.clone();
            }
            chain.hops.push(hop);
        } else if line.split_whitespace().next() == Some("chain") {
            nonempty(chains.last(), begun_at)?;
            chains.push(read_head(line).map_err(at)?);
            begun_at = index + 1;
        } else {
            return Err(at((format!("{} has no `->`", quoted(line)), format!("{LINE}, or `chain NAME`"))));
        }
    }
    nonempty(chains.last(), begun_at)?;
    if chains.is_empty() {
        return Err(ParseError { line: last_line, found: "the text ends without a call".to_owned(), expected: LINE.to_owned() });
    }
    Ok(chains)
}

fn split_arrow(line: &str) -> Option<(&str, &str)> {
    let ascii = line.find("->").map(|at| (at, 2));
    let wide = line.find('→').map(|at| (at, '→'.len_utf8()));
    let (at, len) = match (ascii, wide) {
        (Some(a), Some(b)) => a.min(b),
        (a, b) => a.or(b)?,
    };
    Some((&line[..at], &line[at + len..]))
}

fn nonempty(chain: Option<&Chain>, begun_at: usize) -> Result<(), ParseError> {
    match chain {
        Some(chain) if chain.hops.is_empty() => Err(ParseError {
            line: begun_at,
            found: format!("the chain {} has no calls", quoted(chain.name.as_deref().unwrap_or_default())),
            expected: format!("at least one line {LINE} below it"),
        }),
        _ => Ok(()),
    }
}

fn follows(chain: &Chain, hop: &Hop) -> Result<(), Wrong> {
    match chain.hops.last() {
        Some(above) if above.callee != hop.caller => Err((
            format!("the caller is {}", quoted(&hop.caller)),
            format!(
                "{}, the callee of the call above (each call's caller is the one called above; `chain NAME` begins another chain)",
                quoted(&above.callee)
            ),
        )),
        _ => Ok(()),
    }
}

fn read_hop(caller: &str, rest: &str) -> Result<Hop, Wrong> {
    let mut words = rest.split_whitespace();
    name(caller, "caller")?;
    let callee = name(words.next().unwrap_or_default(), "callee")?;
    let per_try = words
        .next()
        .filter(|word| !word.contains('='))
        .ok_or_else(|| missing("per-try timeout", "`none` or a number such as `500ms`"))?;
    let per_try = positive("the per-try timeout", per_try)?;
    let retries = words
        .next()
        .filter(|word| !word.contains('='))
        .ok_or_else(|| missing("number of retries", "a whole number such as `2`"))?;
    let mut hop = Hop::new(caller, callee, per_try, read_retries(retries)?);
    let mut seen: Vec<&str> = Vec::new();
    for word in words {
        let (key, value) =
            word.split_once('=').ok_or_else(|| (format!("{} stands after the retries", quoted(word)), KEYS.to_owned()))?;
        once(&mut seen, key)?;
        match key {
            "total" => hop.total = positive("`total`", value)?,
            "backoff" => hop.backoff = Some(read_backoff(value)?),
            "jitter" => hop.jitter = Some(read_jitter(value)?),
            "reserve" => hop.reserve = Some(read_sum("`reserve`", value)?),
            "min_useful" => hop.min_useful = Some(read_time("`min_useful`", value)?),
            "on_timeout" => {
                hop.on_timeout = match value {
                    "yes" => OnTimeout::Retry,
                    "no" => OnTimeout::GiveUp,
                    "unknown" => OnTimeout::Unknown,
                    _ => return Err((format!("`on_timeout` is {}", quoted(value)), "`yes`, `no` or `unknown`".to_owned())),
                }
            }
            "propagate" => {
                hop.propagate = match value {
                    "deadline" => Propagate::Deadline,
                    "none" => Propagate::Nothing,
                    _ => return Err((format!("`propagate` is {}", quoted(value)), "`deadline` or `none`".to_owned())),
                }
            }
            _ => return Err((format!("the key {} is unknown", quoted(key)), KEYS.to_owned())),
        }
    }
    Ok(hop)
}

fn read_head(line: &str) -> Result<Chain, Wrong> {
    let mut words = line.split_whitespace().skip(1).peekable();
    let title = words
        .next()
        .filter(|word| !word.contains('='))
        .ok_or_else(|| missing("name after `chain`", "`chain NAME [deadline=2s] [backoff=25ms]`"))?;
    let mut chain = Chain { name: Some(name(title, "name of the chain")?.to_owned()), ..Chain::default() };
    let mut seen: Vec<&str> = Vec::new();
    for word in words {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| (format!("{} stands after the name of the chain", quoted(word)), CHAIN_KEYS.to_owned()))?;
        once(&mut seen, key)?;
        match key {
            "deadline" => chain.deadline = Some(positive("`deadline`", value)?),
            "backoff" => chain.backoff = Some(read_backoff(value)?),
            "jitter" => chain.jitter = Some(read_jitter(value)?),
            "reserve" => chain.reserve = Some(read_sum("`reserve`", value)?),
            _ => return Err((format!("the key {} is unknown here", quoted(key)), CHAIN_KEYS.to_owned())),
        }
    }
    Ok(chain)
}

fn missing(what: &str, expected: &str) -> Wrong {
    (format!("the {what} is missing"), expected.to_owned())
}

fn once<'a>(seen: &mut Vec<&'a str>, key: &'a str) -> Result<(), Wrong> {
    if seen.contains(&key) {
        return Err((format!("`{key}=` stands twice"), "it once".to_owned()));
    }
    seen.push(key);
    Ok(())
}

fn name<'a>(text: &'a str, what: &str) -> Result<&'a str, Wrong> {
    let odd = |c: char| c.is_whitespace() || c.is_control() || c == '→';
    match text {
        "" => Err(missing(what, LINE)),
        _ if text.contains(odd) || text.contains("->") => {
            Err((format!("the {what} is {}", quoted(text)), "one word without arrows".to_owned()))
        }
        _ => Ok(text),
    }
}

/// A limit of 0 would mean "off" to some systems and "at once" to others, so it has to be said differently.
fn positive(what: &str, text: &str) -> Result<Bound, Wrong> {
    match bound(text) {
        Ok(Bound::ZERO) => Err((format!("{what} is 0"), "a time above 0, or `none` where there is no limit".to_owned())),
        Ok(limit) => Ok(limit),
        Err(why) => Err((format!("{what}: {} {why}", quoted(text)), format!("`none` or {EXPECTED_TIME}"))),
    }
}

fn read_time(what: &str, text: &str) -> Result<Millis, Wrong> {
    time(text).map_err(|why| (format!("{what}: {} {why}", quoted(text)), EXPECTED_TIME.to_owned()))
}

/// A time, or several joined by `+`: what is kept for finishing and for the way back.
fn read_sum(what: &str, text: &str) -> Result<Millis, Wrong> {
    text.split('+').try_fold(Millis::ZERO, |sum, part| Ok(sum.plus(read_time(what, part)?)))
}

fn read_retries(text: &str) -> Result<u32, Wrong> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let found = || format!("the number of retries is {}", quoted(text));
    match text.parse() {
        Ok(retries) if plain => Ok(retries),
        _ if plain => Err((found(), format!("a whole number up to {}", u32::MAX))),
        _ => Err((found(), "a whole number such as `2`".to_owned())),
    }
}

fn read_backoff(text: &str) -> Result<Curve, Wrong> {
    Curve::parse(text).map_err(|why| (format!("`backoff`: {} {why}", quoted(text)), EXPECTED_BACKOFF.to_owned()))
}

fn read_jitter(text: &str) -> Result<Jitter, Wrong> {
    Jitter::parse(text).ok_or_else(|| (format!("`jitter` is {}", quoted(text)), EXPECTED_JITTER.to_owned()))
}

/// The text in backquotes, harmless for a terminal and never longer than a line.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(60)
        .flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] })
        .collect();
    if text.chars().nth(60).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// Reads the value of an option that takes a backoff: `25ms`, `exp:25ms..250ms`.
///
/// # Errors
/// What is wrong, and what was expected.
pub fn backoff_option(text: &str) -> Result<Curve, String> {
    read_backoff(text).map_err(|(found, expected)| format!("{found}; expected {expected}"))
}

/// Reads the value of an option that takes a time above 0 or `none`.
///
/// # Errors
/// What is wrong, and what was expected.
pub fn limit_option(text: &str) -> Result<Bound, String> {
    positive("the time", text).map_err(|(found, expected)| format!("{found}; expected {expected}"))
}

/// Reads the value of an option that takes a time, or a sum of times joined by `+`.
///
/// # Errors
/// What is wrong, and what was expected.
pub fn sum_option(text: &str) -> Result<Millis, String> {
    read_sum("the time", text).map_err(|(found, expected)| format!("{found}; expected {expected}"))
}
