//! All suppressions: where they stand, what they suppress until when, why, and what has become of them.
//!
//! In: [`Suppression`]s. Out: a table for people, or JSON. Comments that cannot be read are listed too.

use serde_json::{Value, json};

use super::Format;
use super::json::{SCHEMA_VERSION, pretty};
use super::table::{Side, table};
use super::{clean, counted};
use crate::finding::{Suppression, SuppressionState};

/// The list; none in a format that has findings alone.
pub(super) fn list(suppressions: &[Suppression], format: Format) -> Option<String> {
    Some(match format {
        Format::Text | Format::Short => text(suppressions),
        Format::Json => {
            let list: Vec<Value> = suppressions.iter().map(one).collect();
            pretty(&json!({"schema_version": SCHEMA_VERSION, "suppressions": list}))
        }
        Format::Jsonl => suppressions.iter().map(|suppression| format!("{}\n", one(suppression))).collect(),
        _ => return None,
    })
}

fn text(suppressions: &[Suppression]) -> String {
    if suppressions.is_empty() {
        return "no suppressions\n".to_owned();
    }
    let columns =
        [("where", Side::Left), ("state", Side::Left), ("rules", Side::Left), ("until", Side::Left), ("reason", Side::Left)];
    let row = |one: &Suppression| {
        let whole = if one.whole_file { " (whole file)" } else { "" };
        vec![
            format!("{}:{}{whole}", clean(&one.at.file), one.at.line),
            one.state.word().to_owned(),
            if one.rules.is_empty() { "–".to_owned() } else { rules(one).join(", ") },
            one.until.clone().unwrap_or_else(|| "–".to_owned()),
            if one.reason.is_empty() { "–".to_owned() } else { clean(&one.reason).into_owned() },
        ]
    };
    let rows: Vec<Vec<String>> = suppressions.iter().map(row).collect();
    let count = |state| suppressions.iter().filter(|one| one.state == state).count();
    let states = [
        SuppressionState::Used,
        SuppressionState::Unused,
        SuppressionState::Unchecked,
        SuppressionState::Stale,
        SuppressionState::Bad,
    ];
    let states: Vec<String> =
        states.into_iter().filter(|state| count(*state) > 0).map(|state| format!("{} {}", count(state), state.word())).collect();
    let all = counted(suppressions.len(), "suppression", "suppressions");
    format!("{}\n{all}: {}\n", table(&columns, &rows), states.join(", "))
}

fn rules(one: &Suppression) -> Vec<&'static str> {
    one.rules.iter().map(|rule| rule.id()).collect()
}

fn one(one: &Suppression) -> Value {
    json!({
        "file": one.at.file,
        "line": one.at.line,
        "column": one.at.column,
        "rules": rules(one),
        "reason": one.reason,
        "until": one.until,
        "whole_file": one.whole_file,
        "state": one.state.word(),
    })
}
