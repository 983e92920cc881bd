//! Where reports go.
//!
//! In: text with styles. Out: the same text on standard output or in a file. A reader that has seen enough is no error.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anstream::ColorChoice;
use anyhow::{Context, Result, anyhow};

use super::ColorArgs;

/// Whether standard output gets colours.
pub fn color(args: &ColorArgs) -> ColorChoice {
    match args.color.as_str() {
        _ if args.no_color => ColorChoice::Never,
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// The flag that names a file for the only report.
pub(super) fn output_flag(file: &Path) -> String {
    format!("--output {}", file.display())
}

/// Writes the only report: to the file that `--output` names, or to `out`.
pub(super) fn deliver_to(text: &str, output: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    let flag = output.map(output_flag);
    deliver(text, flag.as_deref().zip(output), out)
}

/// Writes a report to a file, without styles, or to `out`. The flag that names the file stands beside it, for the message.
pub(super) fn deliver(text: &str, file: Option<(&str, &Path)>, out: &mut dyn Write) -> Result<()> {
    if let Some((flag, path)) = file {
        let plain = anstream::adapter::strip_str(text).to_string();
        return std::fs::write(path, plain)
            .map_err(|error| anyhow!("{flag}: cannot be written: {error}; expected a file in a folder that is there"));
    }
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output: cannot be written"),
    }
}

/// How many columns the terminal has; 0 where there is none.
pub(super) fn width() -> usize {
    terminal_size::terminal_size().map_or(0, |(width, _)| usize::from(width.0))
}
