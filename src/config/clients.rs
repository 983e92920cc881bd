//! `[[client]]` tables: library files inside the configuration file.
//!
//! In: the tables with their places. Out: [`ClientSource`]s: the text of a library file each, on the same lines and columns, so that the
//! catalog's own loader reads and refuses them as it does any library file.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::section::Item;
use super::source::{ConfigError, Source};
use crate::settings::{ClientSource, FAMILIES};

/// Reads all `[[client]]` tables of a document.
pub(super) fn clients(source: &Source<'_>, document: &DeTable<'_>, item: &Item<'_>) -> Result<Vec<ClientSource>, ConfigError> {
    let heads = heads(document, source.text);
    item.list("tables, each under its own `[[client]]`")?.iter().map(|client| one(source, &heads, client)).collect()
}

fn one(source: &Source<'_>, heads: &[Range<usize>], client: &Item<'_>) -> Result<ClientSource, ConfigError> {
    if !heads.contains(&client.span) {
        return Err(client.error("a client is written on one line: expected its table under `[[client]]`".to_owned()));
    }
    let section = client.section(&[])?;
    let example = "`language = \"javascript\"` or `\"rust\"`";
    let language = section.need("language", &client.span, example)?;
    let family = language.word(&FAMILIES.map(|family| (family, family)))?;
    let mut text: Vec<u8> = source.text.bytes().map(blank).collect();
    let bytes = source.text.as_bytes();
    for part in parts(heads, &client.span, source.text) {
        text[part.clone()].copy_from_slice(&bytes[part.clone()]);
        let head = heads.iter().find(|head| head.start == part.start).cloned().unwrap_or(part.start..part.start);
        strip_owner(&mut text[head.clone()], head == client.span);
    }
    text[language.key_span.start..language.span.end].fill(b' ');
    let text = String::from_utf8(text).unwrap_or_default();
    Ok(ClientSource { family, file: source.file.to_string(), text })
}

/// A byte of a text that is not there, but for the end of its line.
const fn blank(byte: u8) -> u8 {
    if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }
}

/// The parts of the text that belong to a client: from its head, and from each head below it, to the next head.
fn parts(heads: &[Range<usize>], own: &Range<usize>, text: &str) -> Vec<Range<usize>> {
    let from = heads.iter().position(|head| head == own).unwrap_or(heads.len());
    let mut parts = Vec::new();
    for (at, head) in heads.iter().enumerate().skip(from) {
        if head != own && !is_below_client(&text[head.clone()]) {
            // Heads of one client may stand apart; another `[[client]]` ends it.
            if is_client(&text[head.clone()]) {
                break;
            }
            continue;
        }
        parts.push(head.start..heads.get(at + 1).map_or(text.len(), |next| next.start));
    }
    parts
}

/// The keys of a head: `[[client.send]]` is `client`, `send`.
fn keys(head: &str) -> Vec<&str> {
    head.trim_matches(['[', ']']).split('.').map(|key| key.trim().trim_matches(['"', '\''])).collect()
}

fn is_client(head: &str) -> bool {
    keys(head) == ["client"]
}

fn is_below_client(head: &str) -> bool {
    keys(head).first() == Some(&"client") && !is_client(head)
}

/// Takes `client.` out of a head; the whole head, where it is the client's own.
fn strip_owner(head: &mut [u8], own: bool) {
    let end = if own { Some(head.len()) } else { head.iter().position(|byte| *byte == b'.').map(|dot| dot + 1) };
    for byte in head.iter_mut().take(end.unwrap_or(0)).filter(|byte| own || !matches!(byte, b'[')) {
        *byte = b' ';
    }
}

/// The heads of all tables of a document, in order.
fn heads(document: &DeTable<'_>, text: &str) -> Vec<Range<usize>> {
    let mut heads = Vec::new();
    document.iter().for_each(|(_, value)| add_heads(value.get_ref(), &value.span(), text, &mut heads));
    heads.sort_by_key(|head| head.start);
    heads
}

fn add_heads(value: &DeValue<'_>, span: &Range<usize>, text: &str, heads: &mut Vec<Range<usize>>) {
    match value {
        DeValue::Table(table) => {
            let written = text.get(span.clone()).unwrap_or_default();
            if written.starts_with('{') {
                return;
            }
            if written.starts_with('[') {
                heads.push(span.clone());
            }
            table.iter().for_each(|(_, value)| add_heads(value.get_ref(), &value.span(), text, heads));
        }
        DeValue::Array(list) if list.first().is_some_and(|first| first.span() == *span) => {
            list.iter().for_each(|item| add_heads(item.get_ref(), &item.span(), text, heads));
        }
        _ => {}
    }
}
