//! Changes of a text that change nothing of what it does.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cases;

/// Copies a folder with every file that a frontend reads changed.
pub fn copy(from: &Path, to: &Path, change: fn(&str) -> String) {
    std::fs::create_dir_all(to).unwrap();
    let entries: Vec<PathBuf> = std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
    for entry in entries {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &target, change);
        } else if cases::is_read(&entry) {
            std::fs::write(&target, change(&std::fs::read_to_string(&entry).unwrap())).unwrap();
        } else {
            std::fs::copy(&entry, &target).unwrap();
        }
    }
}

/// A blank line and a comment at the top of every block.
pub fn spaced(text: &str) -> String {
    let mut spaced = String::from("// Nothing.\n\n");
    for line in text.lines() {
        spaced.push_str(line);
        spaced.push('\n');
        let code = line.split("//~").next().unwrap_or_default().trim_end();
        if code.ends_with('{') && !code.contains('`') && !code.contains('<') {
            spaced.push_str("\n  // Nothing.\n");
        }
    }
    spaced
}

/// Local variables under other names, where a plain reading of the text is sure that each occurrence is the variable.
pub fn renamed(text: &str) -> String {
    let mut text = text.to_owned();
    for (at, name) in locals(&text).into_iter().enumerate() {
        if let Some(next) = rename(&text, &name, &format!("v{at}q")) {
            text = next;
        }
    }
    text
}

/// Names that an indented `const`, `let` or `var` declares.
fn locals(text: &str) -> BTreeSet<String> {
    let declared = text.lines().filter(|line| line.starts_with([' ', '\t'])).filter_map(|line| {
        let line = line.trim_start();
        let rest = ["const ", "let mut ", "let ", "var "].iter().find_map(|word| line.strip_prefix(word))?;
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        (name.len() > 1 && rest[name.len()..].trim_start().starts_with('=')).then_some(name)
    });
    declared.collect()
}

/// The text with a name replaced; `None` where an occurrence may be something else: a member, a key, a word of a text or note.
fn rename(text: &str, name: &str, new: &str) -> Option<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut last = 0;
    for (at, _) in text.match_indices(name) {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.chars().next_back().is_some_and(word) || after.chars().next().is_some_and(word) {
            continue;
        }
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let quotes = line.chars().filter(|c| matches!(c, '\'' | '"' | '`')).count();
        if line.contains("//") && !line.contains("://") || line.trim_start().starts_with("import") || line.contains("export ") {
            return None;
        }
        let (left, right) = (before.trim_end().chars().next_back(), after.trim_start().chars().next());
        let before_it = before.trim_end();
        let member = matches!(left, Some('.' | '#')) && !before_it.ends_with("...") || before_it.ends_with("::");
        let key = right == Some(':') || matches!(left, Some('{' | ',')) && matches!(right, Some('}' | ','));
        let assigned_default = matches!(left, Some('{' | ',')) && right == Some('=');
        if member || key || assigned_default || quotes % 2 == 1 {
            return None;
        }
        out.push_str(&text[last..at]);
        out.push_str(new);
        last = at + name.len();
    }
    out.push_str(&text[last..]);
    Some(out)
}
