//! The arguments that say what an audit looks at.
//!
//! In: flags. Out: [`Settings`]. Whether paths are there is the walk's question.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::finding::SiteKind;
use crate::limit::Millis;
use crate::settings::Settings;

/// What is looked at.
#[derive(Debug, Args)]
pub(super) struct Select {
    /// Only calls of these kinds: http, rpc, socket, database, cache, queue, mail
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kinds(), help_heading = "What is looked at", hide_possible_values = true)]
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

    /// Leave out files larger than this: 500K, 2M, or bytes
    #[arg(long, value_name = "SIZE", default_value = "2M", value_parser = size, help_heading = "What is looked at")]
    max_size: u64,

    /// A folder with library files of your own, as <language>/<library>.toml; may be given several times
    #[arg(long, value_name = "DIR", help_heading = "What counts")]
    queries: Vec<PathBuf>,

    /// A library's own default longer than this is no limit
    #[arg(long, value_name = "TIME", default_value = "60s", help_heading = "What counts")]
    longest_default: Millis,

    /// How many threads; as many as there are processors unless said
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true, help_heading = "What is looked at")]
    threads: usize,
}

impl Select {
    /// The settings for an audit of these paths; of the folder where the command runs if there are none.
    pub(super) fn settings(&self, paths: &[PathBuf]) -> Settings {
        Settings {
            roots: if paths.is_empty() { vec![PathBuf::from(".")] } else { paths.iter().map(|path| slashed(path)).collect() },
            tests: self.tests,
            examples: self.examples,
            generated: self.generated,
            vendored: self.vendored,
            ignored: self.no_ignore,
            max_size: self.max_size,
            kinds: self.kind.clone(),
            longest_default: self.longest_default,
            queries: self.queries.clone(),
            threads: self.threads,
            exclude: self.exclude.clone(),
            ..Settings::default()
        }
    }
}

/// The folders that paths of a report are relative to: where the command runs, else the named paths.
pub(super) fn folders(settings: &Settings) -> Vec<PathBuf> {
    let mut folders = vec![settings.base.clone()];
    for root in &settings.roots {
        let folder = if root.is_dir() { Some(root.as_path()) } else { root.parent() };
        folders.extend(folder.map(Path::to_path_buf));
    }
    folders
}

/// A path as this system spells it: one that is written with `\`, as Windows does, and is there with `/` alone.
pub(super) fn slashed(path: &Path) -> PathBuf {
    let other =
        path.to_str().filter(|text| text.contains('\\') && !path.exists()).map(|text| PathBuf::from(text.replace('\\', "/")));
    other.filter(|other| other.exists()).unwrap_or_else(|| path.to_path_buf())
}

fn kinds() -> impl TypedValueParser<Value = SiteKind> {
    PossibleValuesParser::new(SiteKind::ALL.map(SiteKind::word))
        .map(|word| SiteKind::ALL.into_iter().find(|kind| kind.word() == word).unwrap_or(SiteKind::Http))
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
