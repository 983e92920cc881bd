//! The arguments that say what an audit looks at.
//!
//! In: flags, and the configuration file that they lead to. Out: [`Settings`]; a flag counts more than the file. Whether paths are there
//! is the walk's question.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::configure::Configure;
use super::words::one_of;
use crate::finding::SiteKind;
use crate::limit::Millis;
use crate::settings::{Settings, full};

/// What is looked at.
#[derive(Debug, Args)]
pub(super) struct Select {
    /// Only calls of these kinds: http, rpc, socket, database, cache, queue, mail
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of(SiteKind::ALL, SiteKind::word), help_heading = "What is looked at", hide_possible_values = true)]
    kind: Vec<SiteKind>,

    /// Also test code
    #[arg(long, help_heading = "What is looked at")]
    tests: bool,

    /// Also examples and benchmarks
    #[arg(long, help_heading = "What is looked at")]
    examples: bool,

    /// Also generated and minified files
    #[arg(long, help_heading = "What is looked at")]
    generated: bool,

    /// Also vendored files, `node_modules` among them
    #[arg(long, help_heading = "What is looked at")]
    vendored: bool,

    /// Also what .gitignore, .ignore and .untimedignore leave out
    #[arg(long, help_heading = "What is looked at")]
    no_ignore: bool,

    /// Leave out paths that fit this glob; may be given several times
    #[arg(long, value_name = "GLOB", help_heading = "What is looked at")]
    exclude: Vec<String>,

    /// Leave out files larger than this: 500K, 2M, or bytes; 2M unless said
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "What is looked at")]
    max_size: Option<u64>,

    /// A folder with library files of your own, as <language>/<library>.toml; may be given several times
    #[arg(long, value_name = "DIR", help_heading = "What counts")]
    queries: Vec<PathBuf>,

    /// A library's own default longer than this is no limit; 60s unless said
    #[arg(long, value_name = "TIME", help_heading = "What counts")]
    longest_default: Option<Millis>,

    /// How many threads; as many as there are processors unless said
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true, help_heading = "What is looked at")]
    threads: usize,

    #[command(flatten)]
    pub(super) configure: Configure,
}

impl Select {
    /// The settings for an audit of these paths; of the folder where the command runs if there are none.
    pub(super) fn settings(&self, paths: &[PathBuf]) -> Result<Settings> {
        let roots = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths.iter().map(|path| slashed(path)).collect() };
        let mut settings = Settings { roots, threads: self.threads, ..Settings::default() };
        self.configure.read(&mut settings)?;
        self.lay_over(&mut settings);
        Ok(settings)
    }

    /// Whether no kinds of calls are left out by a flag.
    pub(super) fn takes_all_kinds(&self) -> bool {
        self.kind.is_empty()
    }

    /// Lays the flags that were given over the values of the configuration file; lists are added to, a choice of kinds is replaced.
    fn lay_over(&self, settings: &mut Settings) {
        let mut note = |key: &str, flag: &str| settings.written.insert(key.to_owned(), flag.to_owned());
        let switches = [
            (self.tests, &mut settings.tests, "policy.tests", "--tests"),
            (self.examples, &mut settings.examples, "policy.examples", "--examples"),
            (self.generated, &mut settings.generated, "policy.generated", "--generated"),
            (self.vendored, &mut settings.vendored, "policy.vendored", "--vendored"),
            (self.no_ignore, &mut settings.ignored, "policy.ignored", "--no-ignore"),
        ];
        for (given, value, key, flag) in switches.into_iter().filter(|(given, ..)| *given) {
            *value = given;
            note(key, flag);
        }
        if let Some(size) = self.max_size {
            settings.max_size = size;
            note("max_size", "--max-size");
        }
        if let Some(longest) = self.longest_default {
            settings.longest_default = longest;
            note("policy.longest_default", "--longest-default");
        }
        if !self.kind.is_empty() {
            settings.kinds.clone_from(&self.kind);
            note("kinds", "--kind");
        }
        for (given, key, flag) in [(self.queries.len(), "queries", "--queries"), (self.exclude.len(), "exclude", "--exclude")] {
            if given > 0 {
                let file = settings.written.get(key).map_or_else(String::new, |file| format!("{file}, "));
                settings.written.insert(key.to_owned(), format!("{file}{flag}"));
            }
        }
        settings.queries.extend(self.queries.iter().cloned());
        settings.exclude.extend(self.exclude.iter().cloned());
    }
}

/// The folders that paths of a report are relative to: where the command runs, else the named paths. A single named path that lies
/// elsewhere comes first: what is there may have a namesake here.
pub(super) fn folders(settings: &Settings) -> Vec<PathBuf> {
    let folder = |root: &PathBuf| if root.is_dir() { Some(root.clone()) } else { root.parent().map(Path::to_path_buf) };
    let named = settings.roots.iter().filter_map(folder);
    match settings.roots.as_slice() {
        [root] if !full(root).starts_with(full(&settings.base)) => named.chain([settings.base.clone()]).collect(),
        _ => std::iter::once(settings.base.clone()).chain(named).collect(),
    }
}

/// A path as this system spells it: one that is written with `\`, as Windows does, and is there with `/` alone.
pub(super) fn slashed(path: &Path) -> PathBuf {
    let other =
        path.to_str().filter(|text| text.contains('\\') && !path.exists()).map(|text| PathBuf::from(text.replace('\\', "/")));
    other.filter(|other| other.exists()).unwrap_or_else(|| path.to_path_buf())
}

/// Reads `500K`, `2M`, `1GiB` or a number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is no size; expected bytes, or a number with K, M or G");
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..split].parse().map_err(|_| bad())?;
    let per: u64 = match text[split..].trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => return Err(bad()),
    };
    Ok(number.saturating_mul(per))
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes() {
        for (text, bytes) in [("12", 12), ("500K", 512_000), ("2M", 2_097_152), ("2MiB", 2_097_152), ("1gb", 1 << 30)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "M", "2X", "-1", "1.5M"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
