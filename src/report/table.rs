//! Tables whose columns stand under each other.
//!
//! In: headings and cells. Out: text. It knows nothing about what the cells say.

use std::fmt::Write as _;

/// Where a column's cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table with a heading line; two spaces between columns, nothing after the last.
pub(super) fn table(columns: &[(&str, Side)], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, (heading, _))| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell));
            cells.max().unwrap_or(0).max(width(heading))
        })
        .collect();
    let mut text = String::new();
    let heading: Vec<String> = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    for row in std::iter::once(&heading).chain(rows) {
        let mut line = String::new();
        for ((cell, (_, side)), wide) in row.iter().zip(columns).zip(&widths) {
            let room = " ".repeat(wide.saturating_sub(width(cell)));
            let _ = match side {
                Side::Left => write!(line, "{cell}{room}  "),
                Side::Right => write!(line, "{room}{cell}  "),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// How many columns a text takes; characters are taken for one each.
fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = vec![vec!["none".into(), "7".into(), "–".into()], vec!["a".into(), "12".into(), "200, 800".into()]];
        let text = table(&[("path", Side::Left), ("sites", Side::Right), ("values", Side::Left)], &rows);
        assert_eq!(text, "path  sites  values\nnone      7  –\na        12  200, 800\n");
    }
}
