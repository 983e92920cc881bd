//! Texts that are put together of known and unknown parts: URLs with variables of the environment in them.
//!
//! In: expressions, in an evaluator made by [`Eval::of_texts`]. Out: [`Value::Parts`], and the [`Part`]s of a destination. Any other
//! evaluator takes such a text for one that is not known, because no limit is ever written like that.

use std::rc::Rc;

use super::Program;
use super::eval::Eval;
use super::index::Unit;
use super::value::{Bound, Env, Loc, Number, Value};
use crate::facts::{Binary, Expr, ExprId};
use crate::finding::Part;
use crate::span::FileId;

/// Methods that give a text back, or one that begins like it.
const SAME: [&str; 26] = [
    "toString",
    "to_string",
    "trim",
    "trimEnd",
    "trimStart",
    "trim_end",
    "trim_end_matches",
    "trim_matches",
    "replace",
    "replaceAll",
    "as_str",
    "clone",
    "to_owned",
    "into",
    "as_ref",
    "as_deref",
    "into_string",
    "borrow",
    "unwrap",
    "expect",
    "parse",
    "into_url",
    "toLowerCase",
    "to_lowercase",
    "valueOf",
    "format",
];

/// Functions that give the text back that they are given.
const GIVEN: [&str; 9] = ["URL", "Url", "String", "parse", "from", "from_static", "new", "from_str", "from_shared"];

impl<'p> Eval<'p> {
    /// An evaluator that follows texts as far as they are known.
    pub fn of_texts(program: &'p Program<'p>) -> Self {
        let mut eval = Self::new(program);
        eval.of_texts = true;
        eval
    }

    /// The parts of what a parameter is bound to, as far as they are known.
    pub fn parts(&self, bound: &Bound) -> Vec<Part> {
        let shown = || match bound {
            Bound::Thunk(at, _) | Bound::Named(_, at, _) | Bound::Spread(at, _) => {
                self.unit(at.file).map(|unit| unit.facts.named(at.expr).unwrap_or_else(unknown)).unwrap_or_default()
            }
            Bound::Value(_) => String::new(),
        };
        parts_of(&self.bound(bound), &shown)
    }

    /// A template: its parts in a row.
    pub(super) fn put_together(&self, file: FileId, unit: &Unit, parts: &[ExprId], env: &Env) -> Value {
        let parts = parts.iter().map(|part| {
            let value = self.value(Loc { file, expr: *part }, env);
            parts_of(&value, &|| unit.facts.named(*part).unwrap_or_else(unknown))
        });
        text_of(parts.flatten())
    }

    /// A sum of which a part may be text.
    pub(super) fn added(&self, file: FileId, unit: &Unit, sides: [ExprId; 2], env: &Env) -> Value {
        let values = sides.map(|side| self.value(Loc { file, expr: side }, env));
        if values.iter().flat_map(Value::options).any(is_text) {
            return text_of(
                values
                    .iter()
                    .zip(sides)
                    .flat_map(|(value, side)| parts_of(value, &|| unit.facts.named(side).unwrap_or_else(unknown))),
            );
        }
        self.arithmetic(Binary::Add, &values[0], &values[1])
    }

    /// A variable of the environment with what stands in for it.
    pub(super) fn text_or(&self, name: &str, other: &Value) -> Value {
        let missing = matches!(other, Value::Undefined | Value::Null);
        let fallback = (!missing).then(|| parts_of(other, &|| "…".to_owned()));
        Value::Parts([Part::Env { name: name.to_owned(), fallback }].into())
    }

    /// What a call makes of a text, in an evaluator of texts.
    pub(super) fn text_call(&self, at: Loc, unit: &Unit, env: &Env) -> Option<Value> {
        if !self.of_texts {
            return None;
        }
        let Expr::Call { callee, args, .. } = unit.facts.expr(at.expr) else { return None };
        let value = |expr: ExprId| self.value(Loc { file: at.file, expr }, env);
        let texts = |value: Value| value.options().iter().any(is_text).then_some(value);
        let name = unit.call_name(at.expr)?;
        if let Expr::Member { of, .. } = unit.facts.expr(*callee) {
            if SAME.contains(&name)
                && let Some(same) = texts(value(*of))
            {
                return Some(same);
            }
            if name == "join"
                && let [one] = args.as_slice()
            {
                return self.joined(at.file, unit, *of, one.value, env);
            }
        }
        match args.as_slice() {
            [path, base] if matches!(name, "URL" | "Url") => {
                let base = parts_of(&value(base.value), &|| unit.facts.named(base.value).unwrap_or_else(unknown));
                let path = parts_of(&value(path.value), &|| unit.facts.named(path.value).unwrap_or_else(unknown));
                Some(text_of(base.into_iter().chain(path)))
            }
            [one] if GIVEN.contains(&name) => texts(value(one.value)).filter(|_| !self.is_of_the_tree(value(*callee))),
            _ => None,
        }
    }

    /// Whether something that is called belongs to the scanned code, so that what it makes is known.
    fn is_of_the_tree(&self, callee: Value) -> bool {
        callee.options().iter().any(|option| matches!(option, Value::Function(..) | Value::Class(..)))
    }

    /// `[a, b].join("/")`, `base.join(path)`.
    fn joined(&self, file: FileId, unit: &Unit, of: ExprId, with: ExprId, env: &Env) -> Option<Value> {
        let at = |expr: ExprId| Loc { file, expr };
        let with = parts_of(&self.value(at(with), env), &|| unit.facts.named(with).unwrap_or_else(unknown));
        match self.value(at(of), env) {
            Value::List(items) => {
                let mut parts = Vec::new();
                for (nth, item) in items.iter().enumerate() {
                    if nth > 0 {
                        parts.extend(with.iter().cloned());
                    }
                    parts.extend(parts_of(&self.bound(item), &|| "…".to_owned()));
                }
                Some(text_of(parts))
            }
            base if is_text(&base) => Some(text_of(parts_of(&base, &String::new).into_iter().chain(with))),
            _ => None,
        }
    }
}

/// Whether a value is a text, known or not.
pub fn is_text(value: &Value) -> bool {
    matches!(value, Value::Text(_) | Value::Env(_) | Value::Parts(_))
}

/// The parts of a value; `shown` is its source text.
pub fn parts_of(value: &Value, shown: &dyn Fn() -> String) -> Vec<Part> {
    let unknown = |why: &str| vec![Part::Unknown { text: shown(), why: why.to_owned() }];
    match value {
        Value::Text(text) => vec![Part::Text(text.to_string())],
        Value::Number(Number { value: Some(number), .. }) => vec![Part::Text(number.to_string())],
        Value::Env(name) => vec![Part::Env { name: name.to_string(), fallback: None }],
        Value::Parts(parts) => parts.to_vec(),
        Value::Any(options) => {
            let mut choices: Vec<Vec<Part>> = Vec::new();
            for option in options.iter().filter(|option| !matches!(option, Value::Undefined | Value::Null)) {
                let parts = parts_of(option, shown);
                if !choices.contains(&parts) {
                    choices.push(parts);
                }
            }
            match choices.len() {
                0 => unknown("nothing that is set"),
                1 => choices.remove(0),
                _ => vec![Part::Choice(choices)],
            }
        }
        Value::Opaque(reason) => unknown(reason),
        Value::Undefined | Value::Null => unknown("nothing that is set"),
        _ => unknown("a value that is no text"),
    }
}

/// Parts as a value: a plain text where all is known.
fn text_of(parts: impl IntoIterator<Item = Part>) -> Value {
    let mut all: Vec<Part> = Vec::new();
    for part in parts {
        match (all.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (_, part) => all.push(part),
        }
    }
    match all.as_slice() {
        [] => Value::Text("".into()),
        [Part::Text(text)] => Value::Text(Rc::from(text.as_str())),
        _ => Value::Parts(all.into()),
    }
}

/// What stands for code that is no name.
fn unknown() -> String {
    "?".to_owned()
}
