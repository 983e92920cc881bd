//! The pages of the rules, as `docs/rules.md` has them.
//!
//! In: a [`Rule`]. Out: its page. The page stands in one place: the documentation is what the program prints.

use std::fmt::Write as _;

use anstyle::Style;

use crate::finding::Rule;

const PAGES: &str = include_str!("../../docs/rules.md");
const STRONG: Style = Style::new().bold();

/// What a rule says, why, and what to do.
pub fn page(rule: Rule) -> String {
    let mut text = format!("{STRONG}{}{STRONG:#}: {}\n", rule.id(), rule.summary());
    let _ = write!(text, "\n{}\n", section(rule).unwrap_or_default());
    text
}

/// The same without a heading, as Markdown.
pub(super) fn text(rule: Rule) -> &'static str {
    section(rule).unwrap_or_default()
}

/// The part of the documentation under the rule's heading.
fn section(rule: Rule) -> Option<&'static str> {
    let heading = format!("\n## {}\n", rule.id());
    let from = PAGES.find(&heading)? + heading.len();
    let rest = PAGES.get(from..)?;
    Some(rest.find("\n## ").map_or(rest, |to| &rest[..to]).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page() {
        for rule in Rule::ALL {
            assert!(section(rule).is_some_and(|text| text.len() > 80), "docs/rules.md has no page for {}", rule.id());
        }
    }
}
