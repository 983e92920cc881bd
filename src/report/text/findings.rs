//! The findings with their source. Findings that one change would end stand together: the first with its lines, the others by place.
//!
//! In: an [`Outcome`] and its [`Sources`]. Out: text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::Level;
use anstyle::Style;

use super::super::excerpt::Excerpt;
use super::super::{Detail, Sources, clean, counted, open};
use crate::finding::{Finding, Outcome, Rule, Severity};

/// How many excerpts are shown at most.
const MOST: usize = 20;
/// How many places of findings alike are named at most.
const MOST_ALIKE: usize = 6;

const STRONG: Style = Style::new().bold();

/// The section.
pub(in super::super) fn findings(outcome: &Outcome, sources: &Sources, detail: Detail) -> String {
    let groups = alike(outcome, detail);
    let mut text = String::new();
    let shown = detail.most(MOST);
    for group in groups.iter().take(shown) {
        let Some((first, others)) = group.split_first() else { continue };
        text.push('\n');
        text.push_str(&draw(first, sources, detail.width));
        text.push_str(&places(others));
    }
    let folded: usize = groups.iter().skip(shown).map(Vec::len).sum();
    if folded > 0 {
        let more = counted(folded, "more finding", "more findings");
        let _ = writeln!(text, "\n{STRONG}… and {more}{STRONG:#}: --all shows them, --format short lists one line each");
    }
    let suppressed = outcome.findings.iter().filter(|finding| finding.suppressed.is_some()).count();
    if suppressed > 0 {
        let _ = writeln!(text, "\n{} suppressed by comments", counted(suppressed, "finding is", "findings are"));
    }
    text
}

fn draw(finding: &Finding, sources: &Sources, width: usize) -> String {
    let level = if finding.severity == Severity::Error { Level::ERROR } else { Level::WARNING };
    Excerpt {
        level,
        id: Some(finding.rule.id()),
        message: &finding.message,
        at: &finding.at,
        evidence: &finding.evidence,
        help: &finding.fix,
    }
    .draw(sources, width)
}

/// Findings by rule and by the change that ends them, in the order of their first.
fn alike(outcome: &Outcome, detail: Detail) -> Vec<Vec<&Finding>> {
    let mut remedy_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, remedy) in outcome.remedies.iter().enumerate().filter(|(_, remedy)| remedy.covers_many()) {
        remedy_of.extend(remedy.sites.iter().map(|site| (site.as_str(), at)));
    }
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut known: BTreeMap<(Rule, usize), usize> = BTreeMap::new();
    for finding in open(outcome) {
        let remedy = remedy_of.get(finding.site.as_str()).filter(|_| !detail.all);
        let next = groups.len();
        let group = remedy.map_or(next, |remedy| *known.entry((finding.rule, *remedy)).or_insert(next));
        match groups.get_mut(group) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// The places of findings that the same change ends.
fn places(others: &[&Finding]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let named: Vec<String> =
        others.iter().take(MOST_ALIKE).map(|other| format!("{}:{}", clean(&other.at.file), other.at.line)).collect();
    let more = others.len().saturating_sub(MOST_ALIKE);
    let more = if more > 0 { format!(" and {more} more (--all)") } else { String::new() };
    format!("   the same change covers {}{more}\n", named.join(", "))
}
