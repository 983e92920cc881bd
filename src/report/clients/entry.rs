//! The whole entry of one client library.
//!
//! In: a [`Client`]. Out: text.

use std::fmt::Write as _;

use anstyle::Style;

use super::{Claim, Client};

const STRONG: Style = Style::new().bold();
const QUIET: Style = Style::new().dimmed();

/// Everything that is known about it.
pub fn entry(client: &Client) -> String {
    let kind = client.kind.map_or_else(String::new, |kind| format!(", {kind}"));
    let mut text = format!("{STRONG}{}{STRONG:#} ({}{kind}), priority {}\n", client.client, client.language, client.priority);
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "  {name:<9} {value}");
        }
    };
    line("packages", &client.packages.join(", "));
    line("globals", &client.globals.join(", "));
    line("note", client.note.as_deref().unwrap_or_default());
    line("fix", client.fix.as_deref().unwrap_or_default());
    line("file", &client.file);
    line("source", &client.source);
    for (title, claims) in [
        ("Outbound calls", &client.sends),
        ("Where limits go", &client.limits),
        ("Limits when nothing is set", &client.defaults),
        ("Looks like a limit and does nothing", &client.ignored),
        ("Retries", &client.retries),
        ("Encloses other calls", &client.scopes),
    ] {
        section(&mut text, title, claims);
    }
    text
}

fn section(text: &mut String, title: &str, claims: &[Claim]) {
    if claims.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{STRONG}{title}{STRONG:#}");
    for claim in claims {
        let versions = claim.versions.as_ref().map_or_else(String::new, |versions| format!(" (versions {versions})"));
        let means = if claim.means.is_empty() { String::new() } else { format!(": {}", claim.means) };
        let _ = writeln!(text, "  {}{means}{versions}", claim.what);
        for (word, more) in [("note", &claim.note), ("source", &claim.source)] {
            if let Some(more) = more {
                let _ = writeln!(text, "      {QUIET}{word}: {more}{QUIET:#}");
            }
        }
    }
}
