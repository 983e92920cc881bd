//! How much findings weigh.
//!
//! In: findings, the rules of the settings, and where the files are. Out: the findings that are not switched off, each with its weight.

use std::path::{Path, PathBuf};

use crate::finding::{Finding, Rule, Severity};
use crate::settings::Settings;

/// Gives every finding its weight, and drops those of rules that are off where they stand. `opened` gives a shown path's real one.
pub fn weigh(findings: &mut Vec<Finding>, settings: &Settings, opened: &dyn Fn(&str) -> Option<PathBuf>) {
    if settings.severities.is_empty() && settings.overrides.is_empty() {
        return;
    }
    for finding in findings.iter_mut() {
        let path = if settings.overrides.is_empty() { None } else { opened(&finding.at.file) };
        finding.severity = weight(finding.rule, path.as_deref(), settings);
    }
    findings.retain(|finding| finding.severity != Severity::Off);
}

/// The weight of a rule in a file; the last override that fits counts.
fn weight(rule: Rule, path: Option<&Path>, settings: &Settings) -> Severity {
    let fitting = settings.overrides.iter().rev().filter(|part| path.is_some_and(|path| part.paths.fit(path)));
    let there = fitting.filter_map(|part| part.severities.get(&rule)).next();
    there.or_else(|| settings.severities.get(&rule)).copied().unwrap_or_else(|| rule.weight())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Globs, Override};

    #[test]
    fn the_last_override_that_fits_counts() {
        let part = |path: &str, severity| Override {
            paths: Globs::new(Path::new("/r"), &[path.to_owned()]).unwrap(),
            severities: [(Rule::UncoveredCall, severity)].into(),
        };
        let settings = Settings {
            severities: [(Rule::PartialLimit, Severity::Off)].into(),
            overrides: vec![part("legacy/**", Severity::Off), part("legacy/new/**", Severity::Warning)],
            ..Settings::default()
        };
        let of = |rule, path: &str| weight(rule, Some(Path::new(path)), &settings);
        assert_eq!(of(Rule::UncoveredCall, "/r/src/a.ts"), Severity::Error);
        assert_eq!(of(Rule::UncoveredCall, "/r/legacy/a.ts"), Severity::Off);
        assert_eq!(of(Rule::UncoveredCall, "/r/legacy/new/a.ts"), Severity::Warning);
        assert_eq!(of(Rule::PartialLimit, "/r/legacy/a.ts"), Severity::Off);
        assert_eq!(of(Rule::LimitOff, "/r/legacy/a.ts"), Severity::Warning);
    }
}
