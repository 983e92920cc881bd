//! Chains become the text of a chain file.
//!
//! In: chains. Out: text that [`super::parse()`] reads back to the same chains. A name that no chain file can hold has its
//! blanks, arrows and `#` replaced by `_`.

use std::fmt::{self, Write as _};

use super::hop::{Chain, Hop, OnTimeout, Propagate};

/// The text of a chain file with these chains.
pub fn print(chains: &[Chain]) -> String {
    let mut text = String::new();
    for chain in chains {
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a String cannot fail.
        let _ = write!(text, "{chain}");
    }
    text
}

impl fmt::Display for Chain {
    /// Its lines in a chain file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsaid = self.deadline.is_none() && self.backoff.is_none() && self.jitter.is_none() && self.reserve.is_none();
        if self.name.is_some() || !unsaid {
            let name = self.name.as_deref().unwrap_or("unnamed");
            writeln!(f, "chain {}{}", word(name), head_words(self))?;
        }
        let rows: Vec<[String; 4]> = self.hops.iter().map(columns).collect();
        let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        let (first, second, third) = (width(0), width(1), width(2));
        for [call, per_try, retries, rest] in &rows {
            writeln!(f, "{}", format!("{call:first$}  {per_try:second$}  {retries:third$}{rest}").trim_end())?;
        }
        Ok(())
    }
}

fn head_words(chain: &Chain) -> String {
    let mut words = String::new();
    push(&mut words, "deadline", chain.deadline);
    push(&mut words, "backoff", chain.backoff);
    push(&mut words, "jitter", chain.jitter);
    push(&mut words, "reserve", chain.reserve);
    words
}

/// The line of one hop, cut into what is aligned.
pub(crate) fn columns(hop: &Hop) -> [String; 4] {
    let mut rest = String::new();
    push(&mut rest, "total", hop.total.finite());
    push(&mut rest, "backoff", hop.backoff);
    push(&mut rest, "jitter", hop.jitter);
    push(&mut rest, "reserve", hop.reserve);
    push(&mut rest, "min_useful", hop.min_useful);
    push(
        &mut rest,
        "on_timeout",
        match hop.on_timeout {
            OnTimeout::Retry => None,
            OnTimeout::GiveUp => Some("no"),
            OnTimeout::Unknown => Some("unknown"),
        },
    );
    push(&mut rest, "propagate", (hop.propagate == Propagate::Deadline).then_some("deadline"));
    [format!("{} -> {}", word(&hop.caller), word(&hop.callee)), hop.per_try.to_string(), hop.retries.to_string(), rest]
}

fn push(words: &mut String, key: &str, value: Option<impl fmt::Display>) {
    if let Some(value) = value {
        let _ = write!(words, "  {key}={value}");
    }
}

/// A name as one word that the parser takes.
pub fn word(name: &str) -> String {
    let plain = name.replace("->", "_").replace(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '#' | '→'), "_");
    if plain.is_empty() { "_".to_owned() } else { plain }
}
