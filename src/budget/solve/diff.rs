//! Two chains line by line.
//!
//! In: a chain and what it was changed to. Out: its lines in a chain file, changed ones twice: `-` before, `+` after.

use std::fmt::Write as _;

use crate::budget::hop::Chain;
use crate::budget::print::columns;

/// The lines of both chains, changed ones with `-` and `+`.
pub fn diff(before: &Chain, after: &Chain) -> String {
    let pairs: Vec<_> = before.hops.iter().map(columns).zip(after.hops.iter().map(columns)).collect();
    let width =
        |at: usize| pairs.iter().flat_map(|(old, new)| [&old[at], &new[at]]).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut out = String::new();
    let mut line = |sign: char, [call, per_try, retries, rest]: &[String; 4]| {
        let [a, b, c] = widths;
        let _ = writeln!(out, "{}", format!("{sign} {call:a$}  {per_try:b$}  {retries:c$}{rest}").trim_end());
    };
    for (old, new) in &pairs {
        if old == new {
            line(' ', old);
        } else {
            line('-', old);
            line('+', new);
        }
    }
    out
}
