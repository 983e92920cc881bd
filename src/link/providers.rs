//! What a dependency injector gives for a token: `@Inject('REDIS') redis`, and `{ provide: 'REDIS', useFactory: () => new Redis() }`.
//!
//! In: a parameter with a decorator. Out: what the entries under the same token give, wherever they stand in the tree. Which of several
//! entries a class gets is not known: each may be it. It knows what entries look like from the catalog's `[[injection]]`.

use std::rc::Rc;

use super::eval::Eval;
use super::index::Unit;
use super::value::{Instance, Loc, Value};
use crate::catalog::InjectionTable;
use crate::facts::{Expr, ExprId, Field, FunctionId};
use crate::span::FileId;

impl Eval<'_> {
    /// What is given for a parameter that asks for it by a token; `None` where it asks for none, or nothing is found under it.
    pub(super) fn injected(&self, file: FileId, unit: &Unit, function: FunctionId, index: u32) -> Option<Value> {
        let from = unit.facts.decorated.partition_point(|(of, at, _)| (*of, *at) < (function, index));
        let decorators = unit.facts.decorated[from..].iter().take_while(|(of, at, _)| (*of, *at) == (function, index));
        let injections = &self.program.catalog.common(self.program.files.family(file))?.injections;
        for (_, _, decorator) in decorators {
            let Expr::Call { args, .. } = unit.facts.expr(*decorator) else { continue };
            let injection = injections.iter().find(|known| unit.call_name(*decorator) == Some(&*known.asks));
            let (Some(injection), [token]) = (injection, args.as_slice()) else { continue };
            let given = self.given_under(injection, file, Loc { file, expr: token.value });
            if !given.is_empty() {
                return Some(Value::any(given));
            }
        }
        None
    }

    /// What the entries under a token give.
    fn given_under(&self, injection: &InjectionTable, from: FileId, token: Loc) -> Vec<Value> {
        let known = self.value(token, &None);
        let words = self.words_of(token, &known);
        let family = self.program.files.family(from);
        let mut given = Vec::new();
        for file in self.program.files.holders(&injection.named) {
            if self.program.files.family(file) != family || !words.iter().any(|word| self.program.files.holds_word(file, word)) {
                continue;
            }
            let Some(unit) = self.unit(file) else { continue };
            for expr in &unit.facts.exprs {
                let Expr::Object { fields, .. } = expr else { continue };
                let under = |name: &str| {
                    fields.iter().find_map(|field| match field {
                        Field::Named(key, value) if **key == *name => Some(*value),
                        _ => None,
                    })
                };
                let Some(named) = under(&injection.named) else { continue };
                let at = Loc { file, expr: named };
                if self.is_same_token(token, &known, at) {
                    let gives = injection.gives.iter().find_map(|key| under(key));
                    given.extend(gives.map(|gives| self.given_by(file, gives)));
                }
            }
        }
        given
    }

    /// The words by which files name a token: its name, and the last word of its text.
    fn words_of(&self, token: Loc, known: &Value) -> Vec<Box<str>> {
        let in_text = match known {
            Value::Text(text) => {
                text.split(|c: char| !c.is_alphanumeric() && c != '_').rfind(|word| !word.is_empty()).map(Box::from)
            }
            _ => None,
        };
        self.last_word(token).into_iter().chain(in_text).collect()
    }

    fn last_word(&self, at: Loc) -> Option<Box<str>> {
        match self.unit(at.file)?.facts.expr(at.expr) {
            Expr::Name(name, _) | Expr::Member { name, .. } => Some(name.clone()),
            _ => None,
        }
    }

    /// Whether an entry's token is the one that is asked for: the same text or class, else one of the same name.
    fn is_same_token(&self, token: Loc, known: &Value, at: Loc) -> bool {
        match (known, self.value(at, &None)) {
            (Value::Text(a), Value::Text(b)) => *a == b,
            (Value::Class(a, x), Value::Class(b, y)) => (*a, *x) == (b, y),
            (Value::Text(_) | Value::Class(..), _) | (_, Value::Text(_) | Value::Class(..)) => false,
            _ => self.last_word(at).is_some_and(|word| self.last_word(token) == Some(word)),
        }
    }

    /// What an entry gives: an instance of a class, the result of a function, or the value itself.
    fn given_by(&self, file: FileId, gives: ExprId) -> Value {
        let at = Loc { file, expr: gives };
        let value = self.value(at, &None);
        match &value {
            Value::Class(home, class) => Value::Instance(Rc::new(Instance { file: *home, class: *class, made: None })),
            Value::Function(..) => self.result_of(&value).unwrap_or(value),
            _ => value,
        }
    }
}
