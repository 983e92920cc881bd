//! The arguments that say which reports are written, and where.
//!
//! In: `--format FORMAT[=FILE]`, given several times, and `--output FILE`. Out: each report in its place: files first, so that a reader
//! of standard output that leaves early loses none of them; then, in a GitHub workflow that wants annotations, the job's summary. What a report says is not decided here.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};

use super::output::{deliver, output_flag, width};
use super::words::one_of;
use crate::report::{Detail, Format};

/// In a GitHub workflow: the file whose end is the summary of the job. Where annotations are written, a summary is too.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Which reports are written, and where.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// What to print: text, short (one line for each finding), json, jsonl, sarif, github, gitlab, junit, checkstyle, markdown, csv, html;
    /// FORMAT=FILE writes to a file; may be given several times
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = WantedParser, help_heading = "Output", hide_possible_values = true)]
    format: Vec<Wanted>,

    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Do not fold long lists
    #[arg(long, help_heading = "Output")]
    all: bool,

    /// Only the first line, and no progress
    #[arg(long, short, conflicts_with = "all", help_heading = "Output")]
    pub(super) quiet: bool,
}

/// A format, and the file that is named for it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    format: Format,
    file: Option<PathBuf>,
}

/// Reads `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone)]
struct WantedParser;

impl TypedValueParser for WantedParser {
    type Value = Wanted;

    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<Wanted, clap::Error> {
        let (word, file) = match value.to_str().and_then(|text| text.split_once('=')) {
            Some((word, file)) => (OsStr::new(word), Some(PathBuf::from(file))),
            None => (value, None),
        };
        Ok(Wanted { format: one_of(Format::ALL, Format::word).parse_ref(cmd, arg, word)?, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Format::ALL.into_iter().map(|format| PossibleValue::new(format.word()))))
    }
}

/// A report and its place: a file, or standard output.
struct Place<'a> {
    format: Format,
    file: Option<&'a PathBuf>,
    /// The flag that names the file, for messages.
    flag: String,
}

impl ReportArgs {
    /// Whether all reports can be written where they should be, asked before anything is audited.
    ///
    /// # Errors
    /// Two reports in one place, a place without a report, or a folder that is not there.
    pub(super) fn check(&self) -> Result<()> {
        let places = self.places();
        let open: Vec<&Wanted> = self.format.iter().filter(|wanted| wanted.file.is_none()).collect();
        if let [first, second, ..] = open[..] {
            let (first, second) = (first.format.word(), second.format.word());
            bail!("--format {first} --format {second}: both go to the same place; expected --format {second}=FILE");
        }
        if self.output.is_some() && open.is_empty() && !self.format.is_empty() {
            bail!("--output: every --format names a file of its own; expected one without");
        }
        for (at, place) in places.iter().enumerate() {
            let Some(file) = place.file else { continue };
            if places[..at].iter().any(|other| other.file == Some(file)) {
                bail!("{}: another report goes to the same file; expected a file of its own", place.flag);
            }
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if file.file_name().is_none() || folder.is_some_and(|folder| !folder.is_dir()) {
                bail!("{}: cannot be written; expected a file in a folder that is there", place.flag);
            }
        }
        Ok(())
    }

    /// Writes every report that is asked for.
    ///
    /// # Errors
    /// What `write` refuses, or a place that cannot be written.
    pub(super) fn deliver(&self, out: &mut dyn Write, write: impl Fn(Format, Detail) -> Result<String>) -> Result<()> {
        let mut places = self.places();
        places.sort_by_key(|place| place.file.is_none());
        for place in &places {
            let width = if place.file.is_some() { 0 } else { width() };
            let text = write(place.format, Detail { all: self.all, quiet: self.quiet, width })?;
            deliver(&text, place.file.map(|file| (place.flag.as_str(), file.as_path())), out)?;
        }
        let github = self.has(|format| format == Format::Github);
        match std::env::var_os(SUMMARY).filter(|path| github && !path.is_empty()) {
            Some(path) => append(Path::new(&path), &write(Format::Markdown, Detail::default())?),
            None => Ok(()),
        }
    }

    /// Whether a report of such a format is asked for.
    pub(super) fn has(&self, such: impl Fn(Format) -> bool) -> bool {
        self.places().iter().any(|place| such(place.format))
    }

    /// The reports that are asked for; the text where none is.
    fn places<'a>(&'a self) -> Vec<Place<'a>> {
        const TEXT: &[Wanted] = &[Wanted { format: Format::Text, file: None }];
        let wanted = if self.format.is_empty() { TEXT } else { &self.format };
        let place = |wanted: &'a Wanted| {
            let (format, file) = (wanted.format, wanted.file.as_ref().or(self.output.as_ref()));
            let flag = match (&wanted.file, &self.output) {
                (Some(file), _) => format!("--format {}={}", format.word(), file.display()),
                (None, Some(file)) => output_flag(file),
                (None, None) => String::new(),
            };
            Place { format, file, flag }
        };
        wanted.iter().map(place).collect()
    }
}

/// Writes a summary behind those of the steps before.
fn append(path: &Path, summary: &str) -> Result<()> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(summary.as_bytes()));
    written.with_context(|| format!("{SUMMARY}={}: cannot be written; expected a file in a folder that is there", path.display()))
}
