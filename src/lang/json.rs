//! JSON modules: a file that is one value.
//!
//! In: the text of a `.json` file. Out: facts that export its value. It is read for meaning when code imports it, never counted.

use serde_json::Value;

use crate::facts::{Arg, Export, Exported, Expr, ExprId, Field, FileFacts, Language, MODULE};
use crate::span::{LineIndex, Span};

/// Lowers a JSON file; nothing where it is none.
pub fn lower(text: &str) -> FileFacts {
    let mut facts = FileFacts::empty(Language::JavaScript, LineIndex::new(text));
    let span = Span::new(0, text.len() as u32);
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let whole = push(&mut facts, &value, span);
        let exports = ["default", "="].map(|name| Export { name: name.into(), what: Exported::Value(whole), span });
        facts.exports.extend(exports);
    }
    facts
}

fn push(facts: &mut FileFacts, value: &Value, span: Span) -> ExprId {
    let expr = match value {
        Value::Null => Expr::Null,
        Value::Bool(value) => Expr::Bool(*value),
        Value::Number(number) => Expr::Number(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => Expr::Text(text.as_str().into()),
        Value::Array(items) => Expr::List(items.iter().map(|item| Arg::plain(push(facts, item, span))).collect()),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| Field::Named(key.as_str().into(), push(facts, value, span)));
            Expr::Object { of: None, fields: fields.collect() }
        }
    };
    facts.push(expr, span, MODULE)
}
