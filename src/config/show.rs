//! The settings as a configuration file, with where each value was written.
//!
//! In: [`Settings`]. Out: text that can be read as `untimed.toml` again. Tables that only a file can have (`[[client]]`, `[services]`, …)
//! are counted, not repeated.

use std::fmt::Write as _;

use crate::finding::{Rule, SiteKind};
use crate::settings::Settings;

/// The settings as text.
pub fn show(settings: &Settings) -> String {
    let mut out = Shown { settings, text: String::new() };
    let file = settings.config.as_deref().unwrap_or("none");
    let _ = writeln!(out.text, "# configuration file: {file}");
    out.line("include", "include", &list(settings.included.texts()));
    let mut exclude = settings.excluded.texts().to_vec();
    exclude.extend(settings.exclude.iter().cloned());
    out.line("exclude", "exclude", &list(&exclude));
    let kinds = if settings.kinds.is_empty() { SiteKind::ALL.to_vec() } else { settings.kinds.clone() };
    out.line("kinds", "kinds", &list(&kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>()));
    let queries: Vec<String> = settings.queries.iter().map(|folder| folder.display().to_string().replace('\\', "/")).collect();
    out.line("queries", "queries", &list(&queries));
    out.line("max_size", "max_size", &settings.max_size.to_string());
    out.head("policy");
    out.line("longest_default", "policy.longest_default", &quoted(&settings.longest_default.to_string()));
    out.line("accept", "policy.accept", &list(&settings.accepted.iter().map(|kind| kind.word()).collect::<Vec<_>>()));
    for (key, value) in [
        ("tests", settings.tests),
        ("examples", settings.examples),
        ("generated", settings.generated),
        ("vendored", settings.vendored),
        ("ignored", settings.ignored),
    ] {
        out.line(key, &format!("policy.{key}"), if value { "true" } else { "false" });
    }
    out.head("rules");
    for rule in Rule::ALL {
        let set = settings.severities.get(&rule);
        let weight = set.copied().unwrap_or_else(|| rule.weight()).word();
        let from = settings.written.get(&format!("rules.{}", rule.id())).cloned();
        out.written(rule.id(), &quoted(weight), from);
    }
    out.gate();
    out.tables();
    out.text
}

struct Shown<'s> {
    settings: &'s Settings,
    text: String,
}

impl Shown<'_> {
    fn head(&mut self, name: &str) {
        let _ = writeln!(self.text, "\n[{name}]");
    }

    fn line(&mut self, key: &str, full: &str, value: &str) {
        let from = self.settings.written.get(full).cloned();
        self.written(key, value, from);
    }

    fn written(&mut self, key: &str, value: &str, from: Option<String>) {
        let from = from.unwrap_or_else(|| "default".to_owned());
        let _ = writeln!(self.text, "{key} = {value}  # {from}");
    }

    fn gate(&mut self) {
        let gate = &self.settings.gate;
        self.head("gate");
        if let Some(file) = &gate.baseline {
            self.line("baseline", "gate.baseline", &quoted(&file.display().to_string().replace('\\', "/")));
        }
        self.line("strict", "gate.strict", if gate.strict { "true" } else { "false" });
        if let Some(rules) = &gate.fail_on {
            self.line("fail_on", "gate.fail_on", &list(&rules.iter().map(|rule| rule.id()).collect::<Vec<_>>()));
        }
        for floor in &gate.floors {
            let _ = writeln!(self.text, "\n[[gate.floor]]  # {}", floor.written);
            let kinds: Vec<&str> = floor.kinds.iter().map(|kind| kind.word()).collect();
            for (key, value) in
                [("paths", list(floor.paths.texts())), ("kinds", list(&kinds)), ("services", list(&floor.services))]
            {
                if value != "[]" {
                    let _ = writeln!(self.text, "{key} = {value}");
                }
            }
            if let Some(percent) = floor.min_coverage {
                let _ = writeln!(self.text, "min_coverage = {percent}");
            }
            if let Some(most) = floor.max_uncovered {
                let _ = writeln!(self.text, "max_uncovered = {most}");
            }
        }
    }

    fn tables(&mut self) {
        let settings = self.settings;
        let counts = [
            ("override", settings.overrides.len()),
            ("client", settings.clients.len()),
            ("wrapper", settings.wrappers.len()),
            ("limit", settings.limits.len()),
            ("services", settings.services.len()),
        ];
        for (key, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            let from = settings.written.get(key).map_or("", String::as_str);
            let _ = writeln!(self.text, "\n# {key}: {count}, from {from}");
        }
    }
}

/// A text as TOML takes it, also as a key.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn list<S: AsRef<str>>(texts: &[S]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text.as_ref())).collect::<Vec<_>>().join(", "))
}
