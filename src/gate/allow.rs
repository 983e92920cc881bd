//! What a comment asks for: `untimed: allow(RULE[, RULE]) reason [until=DATE]`.
//!
//! In: what follows `untimed:` in a comment. Out: an [`Allow`], or why it is none. Comments that ask for nothing are passed over.

use jiff::civil::Date;

use crate::finding::Rule;
use crate::near::{expected, nearest};

/// How one is written.
const FORM: &str = "expected `untimed: allow(RULE) reason`, with `until=2027-01-31` at the end if it is for a while only";

/// What a comment asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Allow {
    /// The rules that it suppresses.
    pub rules: Vec<Rule>,
    /// Why.
    pub reason: String,
    /// The last day on which it holds.
    pub until: Option<Date>,
}

/// Reads what follows `untimed:`; `None` where it is no suppression.
pub(super) fn parse(text: &str) -> Option<Result<Allow, String>> {
    let text = text.lines().next().unwrap_or_default().trim();
    let word: String = text.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
    let rest = text[word.len()..].trim_start();
    if word == "allow" {
        return Some(allow(rest));
    }
    let meant = nearest(&word, ["allow"]).is_some() || ["ignore", "disable", "suppress", "noqa"].contains(&word.as_str());
    (meant && rest.starts_with('(')).then(|| Err(format!("`{word}` suppresses nothing: {FORM}")))
}

fn allow(rest: &str) -> Result<Allow, String> {
    let Some((inside, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
        return Err(format!("it names no rule: {FORM}"));
    };
    let names = inside.split(',').map(str::trim).filter(|name| !name.is_empty());
    let mut rules = names.map(rule).collect::<Result<Vec<Rule>, String>>()?;
    rules.dedup();
    if rules.is_empty() {
        return Err(format!("it names no rule: {FORM}"));
    }
    let (reason, until) = split_until(after)?;
    let reason = reason.trim().trim_start_matches([':', '-', '–', '—']).trim().trim_end_matches("-->").trim();
    if !reason.chars().any(char::is_alphanumeric) {
        return Err(format!("it has no reason: {FORM}"));
    }
    Ok(Allow { rules, reason: reason.to_owned(), until })
}

fn rule(name: &str) -> Result<Rule, String> {
    let known: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    let rule = Rule::from_id(name).ok_or_else(|| format!("`{name}` is no rule: {}", expected(name, &known)))?;
    if matches!(rule, Rule::UnusedSuppression | Rule::BadSuppression) {
        return Err(format!(
            "`{name}` is not suppressed by a comment: expected another rule, or `{name} = \"off\"` in untimed.toml"
        ));
    }
    Ok(rule)
}

/// The reason, and the day behind `until=`.
fn split_until(text: &str) -> Result<(String, Option<Date>), String> {
    let Some(at) = text.find("until=") else { return Ok((text.to_owned(), None)) };
    let after = &text[at + "until=".len()..];
    let day: String = after.chars().take_while(|c| !c.is_whitespace() && !matches!(c, ')' | ']' | ',' | ';' | '*')).collect();
    let date = (day.len() == "2027-01-31".len()).then(|| day.parse::<Date>().ok()).flatten();
    let date = date.ok_or_else(|| format!("`until={day}` is no day: expected for example `until=2027-01-31`"))?;
    let reason = format!(
        "{} {}",
        text[..at].trim_end().trim_end_matches(['(', '[']),
        after[day.len()..].trim_start_matches([')', ']', ',', ';'])
    );
    Ok((reason, Some(date)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for() {
        let read = |text: &str| parse(text).unwrap().unwrap();
        let one = read("allow(uncovered-call) a long poll, ended by the server");
        assert_eq!(
            (one.rules.as_slice(), one.reason.as_str(), one.until),
            (&[Rule::UncoveredCall][..], "a long poll, ended by the server", None)
        );
        let two = read("allow( partial-limit , limit-off ): until the move (until=2027-01-31)");
        assert_eq!(
            (two.rules.len(), two.reason.as_str(), two.until),
            (2, "until the move", Some(jiff::civil::date(2027, 1, 31)))
        );
        assert_eq!(read("allow(limit-off) — stream").reason, "stream");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, message) in [
            ("allow uncovered-call because", "it names no rule"),
            ("allow() because", "it names no rule"),
            ("allow(uncovered-call)", "it has no reason"),
            ("allow(uncovered-call) --", "it has no reason"),
            ("allow(uncovered-call) until=2027-01-31", "it has no reason"),
            ("allow(uncoverd-call) because", "`uncoverd-call` is no rule: expected `uncovered-call`, the nearest of"),
            ("allow(uncovered-call) because until=2027-02-30", "`until=2027-02-30` is no day"),
            ("allow(uncovered-call) because until=soon", "`until=soon` is no day"),
            ("allow(unused-suppression) because", "`unused-suppression` is not suppressed by a comment"),
            ("alow(uncovered-call) because", "`alow` suppresses nothing"),
            ("ignore(uncovered-call) because", "`ignore` suppresses nothing"),
        ] {
            let said = parse(text).unwrap().unwrap_err();
            assert!(said.starts_with(message), "{text}: {said}");
        }
        for text in ["", "finds calls", "see docs/rules.md (there)", "below the line"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
