//! Facts of small texts, as the dump of facts writes them.

mod commonjs;
mod definitions;
mod hardening;
mod modules;
mod statements;
mod values;

use std::sync::LazyLock;

use super::JavaScript;
use crate::facts::FileFacts;
use crate::lang::Frontend as _;

static READER: LazyLock<JavaScript> = LazyLock::new(|| JavaScript::new().unwrap());

/// The facts of a text.
fn lower(extension: &str, text: &str) -> FileFacts {
    READER.lower(extension, text)
}

/// The lines of the dump of a text that begin with one of the words; calls without their positions.
#[track_caller]
fn says(extension: &str, text: &str, words: &[&str], expected: &[&str]) {
    let facts = lower(extension, text);
    let dump = facts.to_string();
    let chosen =
        dump.lines().map(str::trim).filter(|line| line.starts_with("call ") || words.iter().any(|word| line.starts_with(word)));
    let lines: Vec<String> = chosen
        .map(|line| match line.strip_prefix("call ").and_then(|call| call.split_once(' ')) {
            Some((_, call)) => format!("call {call}"),
            None => line.to_owned(),
        })
        .filter(|line| words.iter().any(|word| line.starts_with(word)))
        .collect();
    assert_eq!(lines, expected, "\n{dump}");
    assert!(facts.broken.is_empty(), "{dump}");
}

/// What the name `v` gets when a text is the value.
#[track_caller]
fn value(text: &str, expected: &str) {
    says("ts", &format!("const v = {text};"), &["v@0"], &[&format!("v@0 = {expected}")]);
}
