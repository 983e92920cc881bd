//! As much YAML as package managers write: nested keys, plain values, lists of texts.
//!
//! In: a text. Out: its lines as keys with their depth. Anchors, flow collections of several lines and block texts are not read.

use rustc_hash::FxHashMap;

/// A line: how far it is indented, its key (`-` for an item of a list), its value.
pub(super) struct Line<'a> {
    pub(super) indent: usize,
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// The lines of a text that say something.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().filter_map(|line| {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        if content.is_empty() || content.starts_with('#') || content.starts_with("---") {
            return None;
        }
        if let Some(item) = content.strip_prefix("- ") {
            return Some(Line { indent, key: "-", value: plain(item) });
        }
        let (key, value) = split(content)?;
        Some(Line { indent, key: plain(key), value: plain(value) })
    })
}

/// A key and its value; a quoted key may hold a colon.
fn split(content: &str) -> Option<(&str, &str)> {
    let from = match content.chars().next() {
        Some(quote @ ('"' | '\'')) => content.get(1..)?.find(quote)? + 2,
        _ => 0,
    };
    let rest = content.get(from..)?;
    let at = rest.find(": ").or_else(|| rest.ends_with(':').then(|| rest.len() - 1))?;
    Some((content.get(..from + at)?, rest.get(at + 1..)?))
}

/// A value without its quotes and the comment behind it.
fn plain(value: &str) -> &str {
    let value = value.trim();
    if let Some(quote @ ('"' | '\'')) = value.chars().next() {
        return value.get(1..).and_then(|rest| rest.split(quote).next()).unwrap_or("");
    }
    value.split(" #").next().unwrap_or("").trim_end()
}

/// The texts of a list under a key at the top.
pub(super) fn list(text: &str, key: &str) -> Vec<String> {
    let mut inside = false;
    let mut items = Vec::new();
    for line in lines(text) {
        if line.key == "-" {
            if inside {
                items.push(line.value.to_owned());
            }
        } else if line.indent == 0 {
            inside = line.key == key;
            if inside && let Some(flow) = line.value.strip_prefix('[') {
                let flow = flow.trim_end_matches(']').split(',');
                items.extend(flow.map(|item| plain(item).to_owned()).filter(|item| !item.is_empty()));
            }
        }
    }
    items
}

/// The catalogs of `pnpm-workspace.yaml`, by catalog and package.
pub(super) fn catalogs(text: &str, into: &mut FxHashMap<(String, String), String>) {
    let mut section = "";
    let mut catalog = "";
    for line in lines(text) {
        match (line.indent, section) {
            (0, _) => {
                section = line.key;
                catalog = "default";
            }
            (_, "catalogs") if line.value.is_empty() => catalog = line.key,
            (_, "catalog" | "catalogs") => {
                into.insert((catalog.to_owned(), line.key.to_owned()), line.value.to_owned());
            }
            _ => {}
        }
    }
}
