//! The baseline: the findings that a team knows and has not ended yet.
//!
//! In: text, or findings. Out: [`Baseline`], and its text: one finding a line, sorted, each line whole in itself, so that git merges two
//! branches line by line. It holds no line numbers; what a finding is known by stands in [`Identity`].

use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Identity, KnownFinding, Rule, Ruling};

/// The version of the format.
const VERSION: u64 = 1;

/// The file's name, unless said.
pub const NAME: &str = ".untimed-baseline.json";

/// Known findings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Baseline {
    /// Sorted.
    pub known: BTreeSet<KnownFinding>,
}

/// Why a baseline is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineError {
    /// The file, as it is shown.
    pub file: String,
    /// The line, if it is known.
    pub line: Option<usize>,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, message } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {message}"),
            None => write!(f, "{file}: {message}"),
        }
    }
}

impl std::error::Error for BaselineError {}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    untimed_baseline: u64,
}

/// One finding as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    path: String,
    #[serde(default)]
    within: String,
    callee: String,
    rule: Rule,
    nth: u32,
}

impl Baseline {
    /// What is found now and no comment suppresses.
    pub fn of(findings: &[Finding]) -> Self {
        let counted = findings.iter().filter(|finding| finding.suppressed.is_none());
        Self { known: counted.map(known).collect() }
    }

    /// What it becomes: files under their new names, without what is gone; and with what is new, unless it may only shrink.
    #[must_use]
    pub fn renewed(&self, findings: &[Finding], ruling: &Ruling, shrinks: bool) -> Self {
        let names = ruling.renamed.iter().cloned().collect();
        let mut known = super::compare::renamed(&self.known, &names);
        known.retain(|one| !ruling.stale.contains(one));
        if !shrinks {
            known.extend(Self::of(findings).known);
        }
        Self { known }
    }

    /// Reads a baseline. Order does not matter, and what stands there twice is known once.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its line where the file is as this writes it.
    pub fn parse(file: &str, text: &str) -> Result<Self, BaselineError> {
        let refuse = |line: Option<usize>, message: String| BaselineError { file: file.to_owned(), line, message };
        let marks = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];
        if let Some(at) = text.lines().position(|line| marks.iter().any(|mark| line.starts_with(mark))) {
            let message = "a merge that is not settled: expected one finding a line; keep the lines of both sides".to_owned();
            return Err(refuse(Some(at + 1), message));
        }
        let values: Vec<serde_json::Value> = serde_json::from_str(text).map_err(|error| {
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            refuse(Some(error.line()), format!("no baseline: {why}; expected what `untimed gate --write-baseline` writes"))
        })?;
        let mut values = values.into_iter();
        let head = values.next().and_then(|value| serde_json::from_value::<Head>(value).ok());
        match head.map(|head| head.untimed_baseline) {
            Some(VERSION) => {}
            Some(other) => {
                let message = format!(
                    "a baseline of format {other}: expected {VERSION}; delete it and write it anew with --write-baseline"
                );
                return Err(refuse(None, message));
            }
            None => {
                let message =
                    "no baseline: expected `{\"untimed_baseline\":1}` first, as `untimed gate --write-baseline` writes it";
                return Err(refuse(None, message.to_owned()));
            }
        }
        let is_own_form = text.lines().nth(1).is_some_and(|line| line.starts_with(','));
        let mut known = BTreeSet::new();
        for (at, value) in values.enumerate() {
            let line: Line = serde_json::from_value(value).map_err(|error| {
                let place = is_own_form.then_some(at + 2);
                refuse(
                    place,
                    format!("finding {}: {error}; expected a line as `untimed gate --write-baseline` writes it", at + 1),
                )
            })?;
            let identity = Identity { path: line.path, definition: line.within, callee: line.callee, ordinal: line.nth };
            known.insert(KnownFinding { identity, rule: line.rule });
        }
        Ok(Self { known })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("[{}\n", json(&Head { untimed_baseline: VERSION }));
        for one in &self.known {
            let identity = &one.identity;
            let line = Line {
                path: identity.path.clone(),
                within: identity.definition.clone(),
                callee: identity.callee.clone(),
                rule: one.rule,
                nth: identity.ordinal,
            };
            let _ = writeln!(text, ",{}", json(&line));
        }
        text.push_str("]\n");
        text
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What a finding is known by.
pub(super) fn known(finding: &Finding) -> KnownFinding {
    KnownFinding { identity: finding.identity.clone(), rule: finding.rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline() -> Baseline {
        let one = |path: &str, ordinal| KnownFinding {
            identity: Identity { path: path.into(), definition: "load".into(), callee: "axios.get".into(), ordinal },
            rule: Rule::UncoveredCall,
        };
        Baseline { known: [one("b.ts", 1), one("a.ts", 2), one("a.ts", 1)].into() }
    }

    #[test]
    fn one_finding_a_line_sorted() {
        let text = baseline().text();
        let line = |path: &str, nth| {
            format!(r#",{{"path":"{path}","within":"load","callee":"axios.get","rule":"uncovered-call","nth":{nth}}}"#)
        };
        let lines = [r#"[{"untimed_baseline":1}"#.to_owned(), line("a.ts", 1), line("a.ts", 2), line("b.ts", 1), "]".to_owned()];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
        assert_eq!(Baseline::parse("b", &text), Ok(baseline()));
        assert_eq!(Baseline::parse("b", &Baseline::default().text()), Ok(Baseline::default()));
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let text = baseline().text();
        let lines: Vec<&str> = text.lines().collect();
        let union = [lines[0], lines[3], lines[1], lines[2], lines[1], lines[4]].join("\n");
        assert_eq!(Baseline::parse("b", &union), Ok(baseline()));
    }

    #[test]
    fn what_is_refused() {
        for (text, message) in [
            ("", "b.json:1: no baseline: EOF while parsing"),
            ("{}", "b.json:1: no baseline: invalid type: map"),
            ("[]", "b.json: no baseline: expected `{\"untimed_baseline\":1}` first"),
            ("[{\"untimed_baseline\":2}]", "b.json: a baseline of format 2: expected 1; delete it"),
            ("[{\"untimed_baseline\":1}\n,{\"path\":3}\n]", "b.json:2: finding 1: invalid type: integer `3`, expected a string"),
            ("[{\"untimed_baseline\":1}\n<<<<<<< HEAD\n]", "b.json:2: a merge that is not settled"),
        ] {
            let refused = Baseline::parse("b.json", text).unwrap_err().to_string();
            assert!(refused.starts_with(message), "{text}: {refused}");
        }
        let unknown = baseline().text().replace("uncovered-call", "no-such-rule");
        assert!(Baseline::parse("b.json", &unknown).unwrap_err().to_string().contains("unknown variant `no-such-rule`"));
    }
}
