//! The audit as Markdown, for a comment or the summary of a job.
//!
//! In: an [`Outcome`]. Out: text. Long lists are folded unless [`Detail::all`] is set; what is folded is counted. Names and messages of the
//! scanned code are shown as text: they make no markup, no links and no mentions.

use std::fmt::Write as _;

use super::figures::figures;
use super::text;
use super::{Detail, MOST_REMEDIES, MOST_UNREADABLE, clean, counted, open, thousands};
use crate::finding::{Finding, Outcome, Region, Standing};

/// How many findings are listed at most.
const MOST: usize = 100;

/// The whole report.
pub(super) fn audit(outcome: &Outcome, detail: Detail) -> String {
    let mut text = head(outcome);
    if detail.quiet {
        return text;
    }
    unreadable(&mut text, outcome, detail);
    strangers(&mut text, outcome, detail);
    remedies(&mut text, outcome, detail);
    findings(&mut text, outcome, detail);
    text
}

fn head(outcome: &Outcome) -> String {
    let figures = figures(outcome.sites.iter());
    let files = counted(outcome.counts.scanned as usize, "file", "files");
    if figures.call_sites == 0 {
        return format!("## untimed: no outbound call in {files}\n");
    }
    let calls = counted(figures.call_sites, "outbound call", "outbound calls");
    let mut text = format!("## untimed: {calls} in {files}, coverage {:.1} %\n\n", figures.coverage * 100.0);
    text.push_str("| covered | partial | uncovered | unknown |\n|---:|---:|---:|---:|\n");
    let counts = [figures.covered, figures.partial, figures.uncovered, figures.unknown].map(thousands);
    let _ = writeln!(text, "| {} |", counts.join(" | "));
    text
}

fn strangers(text: &mut String, outcome: &Outcome, detail: Detail) {
    let names = text::stranger_names(outcome, detail);
    if !names.is_empty() {
        let _ = writeln!(text, "\n### Not known\n\n{}: what goes out through them is not counted", prose(&names));
    }
}

fn unreadable(text: &mut String, outcome: &Outcome, detail: Detail) {
    if outcome.unreadable.is_empty() {
        return;
    }
    text.push_str("\n### Not read\n\n");
    let most = detail.most(MOST_UNREADABLE);
    for one in outcome.unreadable.iter().take(most) {
        let _ = writeln!(text, "- {}: {}", code(&one.file), prose(&one.reason));
    }
    folded(text, outcome.unreadable.len(), most);
}

fn remedies(text: &mut String, outcome: &Outcome, detail: Detail) {
    let large: Vec<_> = outcome.remedies.iter().filter(|remedy| remedy.covers_many()).collect();
    if large.is_empty() {
        return;
    }
    text.push_str("\n### Where one change covers most\n\n");
    let most = detail.most(MOST_REMEDIES);
    for remedy in large.iter().take(most) {
        let calls = counted(remedy.sites.len(), "call", "calls");
        let _ = writeln!(text, "- {} at {}: covers {calls}", prose(&remedy.text), place(&remedy.at));
    }
    folded(text, large.len(), most);
}

fn findings(text: &mut String, outcome: &Outcome, detail: Detail) {
    let findings: Vec<&Finding> = open(outcome).collect();
    let most = detail.most(MOST);
    if !findings.is_empty() {
        text.push_str("\n### Findings\n\n| place | finding | what to do |\n|---|---|---|\n");
    }
    for finding in findings.iter().take(most) {
        let level = finding.severity.word();
        let known = if finding.standing == Some(Standing::Known) { ", known" } else { "" };
        let (at, rule) = (place(&finding.at), finding.rule.id());
        let (message, fix) = (prose(&finding.message), prose(&finding.fix));
        let _ = writeln!(text, "| {at} | {level}{known} `{rule}`: {message} | {fix} |");
    }
    folded(text, findings.len(), most);
    let suppressed = outcome.findings.len() - findings.len();
    if suppressed > 0 {
        let _ = writeln!(text, "\n{} suppressed by comments", counted(suppressed, "finding is", "findings are"));
    }
}

fn folded(text: &mut String, all: usize, shown: usize) {
    let more = all.saturating_sub(shown);
    if more > 0 {
        let _ = writeln!(text, "\n… and {} more", thousands(more));
    }
}

fn place(at: &Region) -> String {
    code(&format!("{}:{}", at.file, at.line))
}

/// A sentence in which `` `code` `` stands for code.
fn prose(text: &str) -> String {
    let text = clean(text);
    let parts: Vec<&str> = text.split('`').collect();
    // An odd backtick opens nothing.
    let paired = if parts.len() % 2 == 1 { parts.len() } else { parts.len() - 1 };
    let mut prose = String::new();
    for (at, part) in parts.iter().enumerate() {
        match (at < paired, at % 2) {
            (true, 1) => prose.push_str(&code(part)),
            (true, _) => prose.push_str(&plain(part)),
            (false, _) => prose.push_str(&format!("\\`{}", plain(part))),
        }
    }
    prose
}

/// Text without markup, links and mentions.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            // Nobody is told about it: a space of no width stands between the sign and the name.
            '@' => plain.push_str("@&#8203;"),
            '/' if before == ':' => plain.push_str("&#47;"),
            '.' if before.eq_ignore_ascii_case(&'w') => plain.push_str("&#46;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | '$' => {
                plain.push('\\');
                plain.push(c);
            }
            c => plain.push(c),
        }
        before = c;
    }
    plain
}

/// Code, also inside a table.
fn code(text: &str) -> String {
    let text = clean(text).replace('|', "\\|");
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let room = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{room}{text}{room}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_the_scanned_files_is_no_markup() {
        assert_eq!(prose("call `get` of <b>*x*</b>"), "call `get` of &lt;b&gt;\\*x\\*&lt;/b&gt;");
        assert_eq!(prose("@nestjs at https://a www.b"), "@&#8203;nestjs at https:&#47;/a www&#46;b");
        assert_eq!(prose("an odd ` tick"), "an odd \\` tick");
        assert_eq!(code("a`b|c"), "``a`b\\|c``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(prose("one\n## two"), "one\\\\u{a}\\#\\# two");
    }
}
