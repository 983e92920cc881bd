//! The text of a layer table (CSV, Markdown, or pasted from a page) becomes layers.
//!
//! In: the whole text. Out: [`Layer`]s, or the first bad line with what is wrong and what was expected. Columns: layer, timeout in
//! seconds, attempts, backoff in seconds, outermost first, below a header row.

use super::layers::Layer;
use super::parse::{ParseError, Wrong, quoted};
use super::time::{Bound, time_in};
use crate::limit::Millis;

const HEADER: &str = "a header row such as `layer, timeout (s), attempts, backoff (s)`";
const ROW: &str = "four columns: layer, timeout in seconds, attempts, backoff in seconds";
const SECONDS: u64 = 1_000_000;

/// Reads a table of layers, outermost first.
///
/// # Errors
/// The first bad line.
pub fn parse_layers(text: &str) -> Result<Vec<Layer>, ParseError> {
    let mut layers = Vec::new();
    let mut headed = false;
    let mut last_line = 1;
    for (index, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let at = |(found, expected): Wrong| ParseError { line: index + 1, found, expected };
        last_line = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.chars().all(|c| matches!(c, '|' | '-' | ':' | '+' | '=' | ' ' | '\t'))
        {
            continue;
        }
        let cells = cells(line).map_err(at)?;
        if headed {
            layers.push(row(&cells).map_err(at)?);
        } else {
            header(&cells).map_err(at)?;
            headed = true;
        }
    }
    if layers.is_empty() {
        let expected = if headed { ROW } else { HEADER };
        return Err(ParseError {
            line: last_line,
            found: "the text ends without a layer".to_owned(),
            expected: expected.to_owned(),
        });
    }
    Ok(layers)
}

/// Cuts a line at `|`, else at tabs, else at commas outside quotes (or semicolons where there is no comma).
fn cells(line: &str) -> Result<Vec<String>, Wrong> {
    let plain = |line: &str, cut: char| line.split(cut).map(|cell| cell.trim().to_owned()).collect();
    if line.contains('|') {
        let line = line.strip_prefix('|').unwrap_or(line);
        return Ok(plain(line.strip_suffix('|').unwrap_or(line), '|'));
    }
    if line.contains('\t') {
        return Ok(plain(line, '\t'));
    }
    let cut = if line.contains(',') { ',' } else { ';' };
    let (mut cells, mut cell, mut quoted_part, mut rest) = (Vec::new(), String::new(), false, line.chars().peekable());
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted_part && rest.peek() == Some(&'"') => cell.extend(rest.next()),
            '"' => quoted_part = !quoted_part,
            _ if c == cut && !quoted_part => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            _ => cell.push(c),
        }
    }
    if quoted_part {
        return Err(("a quotation mark is not closed".to_owned(), "`\"` in pairs".to_owned()));
    }
    cells.push(cell.trim().to_owned());
    Ok(cells)
}

fn header(cells: &[String]) -> Result<(), Wrong> {
    let number = cells.get(1).is_some_and(|cell| cell.starts_with(|c: char| c.is_ascii_digit()));
    if cells.len() != 4 || number {
        return Err((format!("the first row is {}", quoted(&cells.join(", "))), HEADER.to_owned()));
    }
    let expected = [
        ["layer", "name", "service", "hop"],
        ["timeout", "limit", "time", "deadline"],
        ["attempt", "tries", "try", "calls"],
        ["back", "wait", "delay", "pause"],
    ];
    for (cell, words) in cells.iter().zip(expected) {
        let cell = cell.to_lowercase();
        if expected.iter().any(|other| *other != words && cell.contains(other[0])) || cell.contains("retries") {
            return Err((format!("the column {} stands where `{}` belongs", quoted(&cell), words[0]), HEADER.to_owned()));
        }
    }
    Ok(())
}

fn row(cells: &[String]) -> Result<Layer, Wrong> {
    let [name, timeout, attempts, backoff] = cells else {
        return Err((format!("the row has {} columns", cells.len()), ROW.to_owned()));
    };
    let clean = |text: &str| text.chars().all(|c| !c.is_control());
    if name.is_empty() || !clean(name) {
        return Err((format!("the layer's name is {}", quoted(name)), "a name".to_owned()));
    }
    let timeout = match timeout.as_str() {
        "none" => Bound::Unbounded,
        text => Bound::Finite(seconds("timeout", text, "`none` or a number of seconds above 0")?),
    };
    if timeout == Bound::ZERO {
        return Err(("the timeout is 0".to_owned(), "a number of seconds above 0, or `none` where there is no limit".to_owned()));
    }
    let count = attempts.parse::<u32>().ok().filter(|count| *count > 0 && attempts.bytes().all(|b| b.is_ascii_digit()));
    let attempts =
        count.ok_or_else(|| (format!("the attempts are {}", quoted(attempts)), "a whole number, 1 or more".to_owned()))?;
    let backoff = match backoff.as_str() {
        "" | "-" | "–" | "none" => Millis::ZERO,
        text => seconds("backoff", text, "a number of seconds, 0 or more")?,
    };
    Ok(Layer { name: name.clone(), timeout, attempts: attempts.into(), backoff })
}

fn seconds(what: &str, text: &str, expected: &str) -> Result<Millis, Wrong> {
    let joined: String = text.split_whitespace().collect();
    time_in(&joined, SECONDS).map_err(|why| (format!("the {what}: {} {why}", quoted(text)), expected.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [(&str, u64, u64, u64); 2] = [("gateway", 30_000, 1, 0), ("driver", 5_000, 2, 500)];

    #[test]
    fn every_way_to_write_a_table_says_the_same() {
        for text in [
            "layer,timeout,attempts,backoff\ngateway,30,1,0\ndriver,5,2,0.5\n",
            "\u{feff}Layer;Timeout (s);Attempts;Backoff (s)\r\ngateway;30;1;0\r\ndriver;5;2;0.5\r\n",
            "| Layer | Timeout (s) | Attempts | Backoff (s) |\n|---|---:|---:|---:|\n| gateway | 30 | 1 | 0 |\n| driver | 5 | 2 | 0.5 |\n",
            "Layer | Timeout (s) | Attempts | Backoff (s)\n--- | --- | --- | ---\ngateway | 30 | 1 | 0\ndriver | 5 | 2 | 0.5",
            "Layer\tTimeout\tAttempts\tBackoff\ngateway\t30\t1\t-\ndriver\t5 s\t2\t500ms\n",
            "# pasted\nlayer, timeout, attempts, backoff\n\n\"gateway\", 30.0, 1, 0\ndriver, 5, 2, .5",
        ] {
            let expected = ROWS.map(|(name, timeout, attempts, backoff)| Layer {
                name: name.to_owned(),
                timeout: Bound::millis(timeout),
                attempts,
                backoff: Millis::from_millis(backoff),
            });
            assert_eq!(parse_layers(text), Ok(expected.to_vec()), "{text}");
        }
    }

    #[test]
    fn a_bad_table_names_its_line() {
        let head = "layer,timeout,attempts,backoff\n";
        for (text, line, wrong) in [
            (String::new(), 1, "ends without a layer"),
            (head.to_owned(), 1, "ends without a layer"),
            ("gateway,30,1,0\n".to_owned(), 1, "first row"),
            ("layer,attempts,timeout,backoff\ngateway,30,1,0\n".to_owned(), 1, "`attempts` stands where `timeout` belongs"),
            ("layer,timeout,retries,backoff\ngateway,30,1,0\n".to_owned(), 1, "`retries` stands where `attempt` belongs"),
            (format!("{head}gateway,30,1\n"), 2, "3 columns"),
            (format!("{head}gateway,30,0,0\n"), 2, "attempts are `0`"),
            (format!("{head}gateway,30,1.5,0\n"), 2, "attempts are `1.5`"),
            (format!("{head}gateway,-30,1,0\n"), 2, "negative"),
            (format!("{head}gateway,NaN,1,0\n"), 2, "no length of time"),
            (format!("{head}gateway,1e400,1,0\n"), 2, "exponent"),
            (format!("{head}gateway,0,1,0\n"), 2, "timeout is 0"),
            (format!("{head}\n\"gateway,30,1,0\n"), 3, "not closed"),
            (format!("{head},30,1,0\n"), 2, "name"),
        ] {
            let error = parse_layers(&text).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.to_string().contains(wrong), "{text}: {error}");
        }
    }
}
