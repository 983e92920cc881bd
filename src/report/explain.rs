//! The whole reasoning for the sites on a line, or why the line has none.
//!
//! In: an [`Outcome`], and what each call on the line is. Out: text. It adds no fact of its own: a site's evidence is the reasoning.

use std::fmt::Write as _;

use annotate_snippets::Level;
use anstyle::Style;

use super::excerpt::Excerpt;
use super::{Sources, clean, counted};
use crate::finding::{By, Evidence, Finding, Outcome, Site, Verdict};
use crate::limit::LimitKind;

const STRONG: Style = Style::new().bold();

/// A line that is asked about, and what the conductor knows about it.
#[derive(Debug)]
pub struct Question<'a> {
    /// The file, as reports print it.
    pub file: &'a str,
    /// The line.
    pub line: u32,
    /// The column, if one was named.
    pub column: Option<u32>,
    /// The calls that begin on the line.
    pub calls: &'a [Evidence],
    /// The nearest line with a call, where the line has none.
    pub nearest: Option<u32>,
}

/// The answer.
pub fn answer(outcome: &Outcome, question: &Question<'_>, sources: &Sources, width: usize) -> String {
    let sites = sites_on(outcome, question);
    if sites.is_empty() {
        return no_site(outcome, question);
    }
    let stories: Vec<String> = sites.into_iter().map(|site| story(outcome, site, sources, width)).collect();
    stories.join("\n")
}

/// The sites that a line means: those whose name stands on it, else those that reach over it.
fn sites_on<'a>(outcome: &'a Outcome, question: &Question<'_>) -> Vec<&'a Site> {
    let in_file = outcome.sites.iter().filter(|site| *site.at.file == *question.file);
    let over = in_file.filter(|site| (site.at.line..=site.at.end_line).contains(&question.line));
    let over: Vec<&Site> =
        over.filter(|site| question.column.is_none_or(|column| reaches(site, question.line, column))).collect();
    let exact: Vec<&Site> =
        over.iter().copied().filter(|site| site.name_line == question.line || site.at.line == question.line).collect();
    if exact.is_empty() { over } else { exact }
}

fn reaches(site: &Site, line: u32, column: u32) -> bool {
    let at = &site.at;
    (at.line, at.column) <= (line, column) && (line, column) < (at.end_line, at.end_column)
}

fn story(outcome: &Outcome, site: &Site, sources: &Sources, width: usize) -> String {
    let level = match site.verdict {
        Verdict::Covered => Level::HELP,
        Verdict::Uncovered => Level::ERROR,
        Verdict::Partial | Verdict::Unknown => Level::WARNING,
    };
    let within = site.function.as_ref().map_or_else(String::new, |name| format!(" in `{name}`"));
    let message = format!("`{}` of {}{within}", site.call, site.client);
    let level = level.with_name(site.verdict.word());
    let excerpt = Excerpt { level, id: None, message: &message, at: &site.at, evidence: &site.evidence, help: "" };
    let mut text = excerpt.draw(sources, width);
    let _ = writeln!(text, "\n{STRONG}{}{STRONG:#}: {}", site, meaning(site));
    for (at, one) in site.evidence.iter().enumerate() {
        let _ = writeln!(text, "  {}. {}:{}: {}", at + 1, clean(&one.at.file), one.at.line, clean(&one.text));
    }
    text.push_str(&details(site));
    let about = outcome.findings.iter().filter(|finding| finding.site == site.id);
    for finding in about {
        text.push_str(&finding_lines(finding));
    }
    text
}

fn finding_lines(finding: &Finding) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "\n{STRONG}{}{STRONG:#}: {}", finding.rule.id(), clean(&finding.message));
    if !finding.fix.is_empty() {
        let _ = writeln!(text, "  what to write: {}", clean(&finding.fix));
    }
    if let Some(reason) = &finding.suppressed {
        let _ = writeln!(text, "  suppressed: {}", clean(reason));
    }
    text
}

/// What the verdict says, as a sentence.
fn meaning(site: &Site) -> String {
    let kind = site.limit.as_ref().map(|limit| kind_says(limit.kind)).unwrap_or_default();
    match site.verdict {
        Verdict::Covered => {
            let by = site.by.map(by_says).unwrap_or_default();
            format!("a callee that stops answering cannot hold this call. The limit is {by}: {kind}.")
        }
        Verdict::Partial => format!("only a part of the call is limited: {kind}. The callee can still hold it."),
        Verdict::Uncovered => match site.default_limit {
            None => "nothing ends this call when the callee stops answering.".to_owned(),
            Some(wait) => format!("nothing that anybody chose ends this call; the library gives up after {wait} of its own."),
        },
        Verdict::Unknown => "whether anything ends this call could not be followed.".to_owned(),
    }
}

const fn by_says(by: By) -> &'static str {
    match by {
        By::Own => "written at the call",
        By::Client => "written where the client is made or configured",
        By::Wrapper => "written in the wrapper that the call goes through",
        By::Scope => "written around the call",
        By::Global => "a setting of the whole process",
        By::Default => "the library's own default",
        By::Declared => "declared in the configuration file",
    }
}

const fn kind_says(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Total => "it ends the whole attempt",
        LimitKind::Idle => "it ends a gap without bytes; a callee that drips slowly is not cut off",
        LimitKind::Wait => "the caller goes on; the connection stays open",
        LimitKind::Headers => "it ends the wait for the headers, not for the body",
        LimitKind::Body => "it ends the body, not the wait for the headers",
        LimitKind::Connect => "it ends connecting alone",
        LimitKind::Pool => "it ends the wait for a pooled connection alone",
        LimitKind::Queue => "it ends the wait to be sent alone",
        LimitKind::Server => "only the far side enforces it",
    }
}

/// Destination, wrapper and retries.
fn details(site: &Site) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name}: {}", clean(value));
    };
    if !site.target.text.is_empty() {
        line("target", &site.target.text);
    }
    if let Some(wrapper) = &site.wrapper {
        line("wrapper", wrapper);
    }
    if site.retries > 0 {
        let tries = if site.retries == u32::MAX {
            "without end".to_owned()
        } else {
            counted(site.retries as usize, "more try", "more tries")
        };
        let wait = site.backoff.map_or_else(String::new, |wait| format!(", {wait} before the first"));
        line("retries", &format!("{tries}{wait}"));
    }
    text
}

/// Why a line has no site.
fn no_site(outcome: &Outcome, question: &Question<'_>) -> String {
    let (file, line) = (clean(question.file), question.line);
    let mut text = format!("{STRONG}{file}:{line}{STRONG:#}: no call site\n");
    for call in question.calls {
        let _ = writeln!(text, "  {file}:{}:{}: {}", call.at.line, call.at.column, clean(&call.text));
        for site in outcome.sites.iter().filter(|site| leads_through(site, call)) {
            let _ = writeln!(text, "    counted at {}:{}, a call of `{}`", clean(&site.at.file), site.at.line, wrapper(site));
        }
    }
    if question.calls.is_empty() {
        text.push_str("  no call begins on this line");
        if let Some(nearest) = question.nearest {
            let _ = write!(text, "; the nearest does on line {nearest}");
        }
        text.push('\n');
    }
    text
}

/// Whether a site stands for a raw call inside a wrapper.
fn leads_through(site: &Site, call: &Evidence) -> bool {
    site.wrapper.is_some() && site.evidence.iter().any(|one| one.at == call.at)
}

fn wrapper(site: &Site) -> &str {
    site.wrapper.as_deref().unwrap_or_default()
}
