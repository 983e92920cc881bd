//! `untimed explain`: the whole reasoning for the calls on a line, or the page of a rule.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::output::{deliver, width};
use super::progress::Watch;
use super::select::{Select, folders, slashed};
use crate::finding::Rule;
use crate::report::explain::{Question, answer};
use crate::report::{Sources, rules};
use crate::scan;

const AFTER: &str = "\
Examples:
  untimed explain src/http.ts:12
  untimed explain src/http.ts:12:7
  untimed explain services/orders/client.ts:40 services
  untimed explain bypassed-wrapper

Exit code: 0 told, 2 there is nothing to tell.";

/// Arguments of `untimed explain`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct ExplainArgs {
    /// A line as FILE:LINE or FILE:LINE:COLUMN, or the name of a rule
    #[arg(value_name = "WHAT")]
    what: String,

    /// What to audit, so that callers and instances elsewhere are known; this folder unless said
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    select: Select,
}

/// A line that is asked about.
struct Line<'a> {
    file: &'a str,
    line: u32,
    column: Option<u32>,
}

/// Tells.
pub(super) fn run(args: &ExplainArgs, out: &mut dyn Write) -> Result<u8> {
    if let Some(rule) = Rule::from_id(&args.what) {
        deliver(&rules::page(rule), None, out)?;
        return Ok(0);
    }
    let line = parse(&args.what)?;
    let path = slashed(Path::new(line.file));
    if !path.is_file() {
        bail!("{}: no such file: expected FILE:LINE with a file that is there", line.file);
    }
    let mut settings = args.select.settings(&args.paths)?;
    if args.select.configure.shown(&settings, out)? {
        return Ok(0);
    }
    settings.roots.push(path.clone());
    let catalog = scan::catalog(&settings)?;
    let watch = Watch::new(false);
    let explained = scan::explain(&settings, &catalog, &watch, &path, line.line);
    watch.end();
    let explained = explained?;
    let Some(file) = &explained.file else {
        bail!(
            "{}: takes no part in the audit: expected a file of a language that is read (JavaScript, TypeScript, Rust)",
            line.file
        );
    };
    let question = Question { file, line: line.line, column: line.column, calls: &explained.calls, nearest: explained.nearest };
    let text = answer(&explained.outcome, &question, &Sources::new(folders(&settings)), width());
    deliver(&text, None, out)?;
    Ok(0)
}

/// Reads `FILE:LINE` or `FILE:LINE:COLUMN`; a file's name may hold colons.
fn parse(text: &str) -> Result<Line<'_>> {
    let bad = || {
        let rules: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
        anyhow!("`{text}`: expected FILE:LINE, FILE:LINE:COLUMN or a rule ({})", rules.join(", "))
    };
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
    let (front, last) = text.rsplit_once(':').ok_or_else(bad)?;
    let last = number(last).ok_or_else(bad)?;
    let line = match front.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
        Some((file, line)) => Line { file, line, column: Some(last) },
        None => Line { file: front, line: last, column: None },
    };
    if line.file.is_empty() { Err(bad()) } else { Ok(line) }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_and_columns() {
        let read = |text| parse(text).map(|line| (line.file.to_owned(), line.line, line.column)).ok();
        assert_eq!(read("a.ts:12"), Some(("a.ts".into(), 12, None)));
        assert_eq!(read("C:\\a.ts:12:3"), Some(("C:\\a.ts".into(), 12, Some(3))));
        assert_eq!(read("C:\\a.ts:12"), Some(("C:\\a.ts".into(), 12, None)));
        for text in ["a.ts", "a.ts:0", "a.ts:x", ":3", ""] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
