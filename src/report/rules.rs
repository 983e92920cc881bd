//! The pages of the rules, as `docs/rules/` has them.
//!
//! In: a [`Rule`]. Out: its page. Each page stands in one place: the documentation is what the program prints.

use std::fmt::Write as _;

use anstyle::Style;

use crate::finding::Rule;

const STRONG: Style = Style::new().bold();

/// The page of a rule as Markdown.
pub(super) const fn markdown(rule: Rule) -> &'static str {
    match rule {
        Rule::UncoveredCall => include_str!("../../docs/rules/uncovered-call.md"),
        Rule::PartialLimit => include_str!("../../docs/rules/partial-limit.md"),
        Rule::LimitOff => include_str!("../../docs/rules/limit-off.md"),
        Rule::LimitWithoutEffect => include_str!("../../docs/rules/limit-without-effect.md"),
        Rule::SuspiciousUnit => include_str!("../../docs/rules/suspicious-unit.md"),
        Rule::BypassedWrapper => include_str!("../../docs/rules/bypassed-wrapper.md"),
        Rule::LimitNeverFires => include_str!("../../docs/rules/limit-never-fires.md"),
        Rule::RetryWithoutLimit => include_str!("../../docs/rules/retry-without-limit.md"),
        Rule::UnknownLimit => include_str!("../../docs/rules/unknown-limit.md"),
        Rule::OverBudget => include_str!("../../docs/rules/over-budget.md"),
        Rule::UnusedSuppression => include_str!("../../docs/rules/unused-suppression.md"),
        Rule::BadSuppression => include_str!("../../docs/rules/bad-suppression.md"),
    }
}

/// What a rule says, why, what to do, and an example: its page for a terminal.
pub fn page(rule: Rule) -> String {
    let mut text = String::new();
    let mut in_code = false;
    for line in markdown(rule).lines() {
        let _ = match (line.strip_prefix("```"), line.trim_start_matches('#').strip_prefix(' ')) {
            (Some(_), _) => {
                in_code = !in_code;
                Ok(())
            }
            (None, _) if in_code => writeln!(text, "{}", format!("  {line}").trim_end()),
            (None, Some(heading)) if line.starts_with("# ") => writeln!(text, "{STRONG}{heading}{STRONG:#}: {}", rule.summary()),
            (None, Some(heading)) if line.starts_with('#') => writeln!(text, "{STRONG}{heading}{STRONG:#}"),
            (None, _) => writeln!(text, "{line}"),
        };
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_whole_page() {
        let index = include_str!("../../docs/rules.md");
        for rule in Rule::ALL {
            let (id, markdown) = (rule.id(), markdown(rule));
            assert!(markdown.starts_with(&format!("# {id}\n")), "docs/rules/{id}.md");
            for heading in ["\n## Why it matters\n", "\n## What to do\n", "\n## Example\n"] {
                assert!(markdown.contains(heading), "docs/rules/{id}.md has no `{}`", heading.trim());
            }
            assert!(index.contains(&format!("| [{id}](rules/{id}.md) | {} |", rule.summary())), "docs/rules.md misses {id}");
        }
    }
}
