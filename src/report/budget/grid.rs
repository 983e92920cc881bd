//! Aligned tables for a terminal.
//!
//! In: cells with a style each. Out: lines, the columns padded to the widest cell, numbers to the right. It knows nothing about budgets.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

pub(super) const PLAIN: Style = Style::new();
pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const WARN: Style = AnsiColor::Yellow.on_default();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();

/// One cell: its text and how it looks.
#[derive(Debug, Clone)]
pub(super) struct Cell(pub String, pub Style);

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self(text, PLAIN)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self(text.to_owned(), PLAIN)
    }
}

pub(super) fn styled(text: impl Into<String>, style: Style) -> Cell {
    Cell(text.into(), style)
}

pub(super) fn paint(text: &str, style: Style) -> String {
    if style == PLAIN { text.to_owned() } else { format!("{style}{text}{style:#}") }
}

/// How many columns of a terminal the text takes, nearly: wide East Asian characters take two.
pub(super) fn width(text: &str) -> usize {
    let wide = |c: char| matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0x1f300..=0x1faff);
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

pub(super) fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// The table, indented by two; columns named in `right` are set to the right.
pub(super) fn grid(head: &[&str], rows: Vec<Vec<Cell>>, right: &[usize]) -> String {
    let head: Vec<Cell> = head.iter().map(|name| styled(*name, DIM)).collect();
    let mut all = if head.is_empty() { Vec::new() } else { vec![head] };
    all.extend(rows);
    let columns = all.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> =
        (0..columns).map(|at| all.iter().filter_map(|row| row.get(at)).map(|cell| width(&cell.0)).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in &all {
        let mut line = String::new();
        for (at, Cell(text, style)) in row.iter().enumerate() {
            let gap = " ".repeat(widths[at] - width(text));
            let space = if at == 0 { "  " } else { "   " };
            let last = at + 1 == row.len();
            let painted = if text.is_empty() { String::new() } else { paint(text, *style) };
            let _ = match (right.contains(&at), last) {
                (true, _) => write!(line, "{space}{gap}{painted}"),
                (false, true) => write!(line, "{space}{painted}"),
                (false, false) => write!(line, "{space}{painted}{gap}"),
            };
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
