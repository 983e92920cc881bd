//! Members of option objects, with spreads in their order and what was written later.
//!
//! In: a value and a path of keys. Out: a [`Lookup`], which tells "not there" from "not known". Later parts count over earlier
//! ones; a part that is not known hides nothing, but is remembered.

use super::eval::Eval;
use super::value::{Bound, Env, Loc, Object, Part, Reason, Value};
use crate::facts::{Expr, Field};

/// What was found under a key.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// A value, and where it is written.
    Found {
        /// The value.
        value: Value,
        /// Its expression.
        at: Loc,
        /// A part that is not known and that could hold another value, spread after this one.
        may_be_hidden: Option<Reason>,
    },
    /// There is no such key.
    Missing,
    /// It may be in a part that is not known.
    Unknown(Reason),
}

impl Eval<'_> {
    /// The values under a path of keys, one for each possible object.
    pub fn lookup(&self, of: &Value, path: &[Box<str>], env: &Env) -> Vec<Lookup> {
        let found = self.within(|| of.options().iter().flat_map(|option| self.lookup_one(option, path, env)).collect());
        found.unwrap_or_else(|| vec![Lookup::Unknown(super::asking::TOO_MANY.into())])
    }

    fn lookup_one(&self, of: &Value, path: &[Box<str>], env: &Env) -> Vec<Lookup> {
        match of {
            Value::Object(object) => self.lookup_in(object, path),
            Value::Instance(_) | Value::Module(_) | Value::Class(..) => {
                let Some((first, rest)) = path.split_first() else { return vec![Lookup::Missing] };
                let at = Loc { file: crate::span::FileId(0), expr: crate::facts::ExprId(0) };
                let value = self.member(of, first, env);
                if matches!(value, Value::Undefined) { vec![Lookup::Missing] } else { self.deeper(value, at, rest, None) }
            }
            // A key of a function means what it returns.
            Value::Function(file, function, outer, this) if !path.is_empty() => {
                let returned = self.invoke((*file, *function), Vec::new(), this.as_deref().cloned(), None, env, outer);
                if matches!(returned, Value::Object(_) | Value::Any(_)) {
                    self.lookup(&returned, path, env)
                } else {
                    vec![Lookup::Missing]
                }
            }
            Value::Opaque(reason) => vec![Lookup::Unknown(reason.clone())],
            // Also a variable of the environment: it is a text, which has no members.
            _ => vec![Lookup::Missing],
        }
    }

    fn lookup_in(&self, object: &Object, path: &[Box<str>]) -> Vec<Lookup> {
        let Some((first, rest)) = path.split_first() else { return vec![Lookup::Missing] };
        let mut unknown: Option<Reason> = None;
        let mut circular = false;
        for part in object.parts.iter().rev() {
            let found = match part {
                Part::Field(key, at, env) if key == first => {
                    let found = self.deeper(self.value(*at, env), *at, rest, unknown.clone());
                    if !rest.is_empty() && is_missing(&found) {
                        break;
                    }
                    found
                }
                Part::Held(key, value) if key == first => self.deeper(value.clone(), object.at, rest, unknown.clone()),
                Part::Field(..) | Part::Held(..) => continue,
                Part::Write(written, at, env) if path.starts_with(written) => {
                    self.deeper(self.value(*at, env), *at, &path[written.len()..], unknown.clone())
                }
                Part::Write(..) => continue,
                Part::Spread(at, env) => match self.lookup_spread(*at, env, path) {
                    Some(found) => {
                        if !rest.is_empty() && is_missing(&found) && self.always_sets(*at, env, first) {
                            break;
                        }
                        found
                    }
                    None => {
                        circular = true;
                        continue;
                    }
                },
                Part::Merge(value) => self.lookup(value, path, &None),
                Part::Without(_, without) if without.contains(first) => continue,
                Part::Without(value, _) => self.lookup(value, path, &None),
            };
            match self.settle(found, &mut unknown) {
                Some(done) => {
                    let partly = done.iter().any(|lookup| !matches!(lookup, Lookup::Found { .. }));
                    let before = if partly { self.before(object, part, path) } else { Vec::new() };
                    return merge(done, before);
                }
                None => continue,
            }
        }
        match unknown {
            Some(reason) => vec![Lookup::Unknown(reason)],
            None if circular => Vec::new(),
            None => vec![Lookup::Missing],
        }
    }

    /// A key in an object that is spread; `None` where that is the object that is asked already (`options = { ...options, url }`): it
    /// holds nothing that its other parts do not say.
    fn lookup_spread(&self, at: Loc, env: &Env, path: &[Box<str>]) -> Option<Vec<Lookup>> {
        let asked = (at, super::memory::address(env));
        self.once(&self.spreading, asked, || self.lookup(&self.value(at, env), path, env)).map(|(found, _)| found)
    }

    /// Whether an object that is spread has a key whatever it is: then it hides the whole of what was under that key before.
    fn always_sets(&self, at: Loc, env: &Env, key: &str) -> bool {
        let found = self.lookup_spread(at, env, &[key.into()]).unwrap_or_default();
        let is_set = |lookup: &Lookup| matches!(lookup, Lookup::Found { value, .. } if !matches!(value, Value::Undefined));
        !found.is_empty() && found.iter().all(is_set)
    }

    /// What stands in the parts before one whose value may lack the key.
    fn before(&self, object: &Object, part: &Part, path: &[Box<str>]) -> Vec<Lookup> {
        let at = object.parts.iter().position(|known| std::ptr::eq(known, part)).unwrap_or(0);
        let earlier = Object { parts: object.parts[..at].to_vec(), at: object.at };
        self.lookup_in(&earlier, path)
    }

    /// The lookups that end the search, or `None` when it goes on: nothing found here, at most a part that is not known.
    fn settle(&self, found: Vec<Lookup>, unknown: &mut Option<Reason>) -> Option<Vec<Lookup>> {
        if found.iter().any(|lookup| matches!(lookup, Lookup::Found { .. })) {
            let hidden = unknown.clone();
            return Some(
                found
                    .into_iter()
                    .map(|lookup| match lookup {
                        Lookup::Found { value, at, may_be_hidden } => {
                            Lookup::Found { value, at, may_be_hidden: may_be_hidden.or_else(|| hidden.clone()) }
                        }
                        other => other,
                    })
                    .collect(),
            );
        }
        for lookup in found {
            if let Lookup::Unknown(reason) = lookup {
                unknown.get_or_insert(reason);
            }
        }
        None
    }

    fn deeper(&self, value: Value, at: Loc, rest: &[Box<str>], hidden: Option<Reason>) -> Vec<Lookup> {
        if rest.is_empty() {
            return vec![Lookup::Found { value, at, may_be_hidden: hidden }];
        }
        self.lookup(&value, rest, &None)
    }

    /// What a function makes of the options that it is given.
    pub fn hooked(&self, hook: &Bound) -> Value {
        let Value::Function(file, function, outer, this) = self.bound(hook) else { return Value::Undefined };
        let at = Loc { file, expr: crate::facts::ExprId(0) };
        let given = Bound::Value(Value::Object(std::rc::Rc::new(Object { parts: Vec::new(), at })));
        self.invoke((file, function), vec![given], this.as_deref().cloned(), None, &None, &outer)
    }

    /// The keys written in an object, with where each stands.
    pub fn keys(&self, of: &Value) -> Vec<(Box<str>, Loc)> {
        let mut keys = Vec::new();
        self.collect_keys(of, &mut keys, 0);
        keys
    }

    fn collect_keys(&self, of: &Value, keys: &mut Vec<(Box<str>, Loc)>, depth: u32) {
        if depth > 6 {
            return;
        }
        for option in of.options() {
            let Value::Object(object) = option else { continue };
            for part in &object.parts {
                match part {
                    Part::Field(key, at, _) => keys.push((key.clone(), *at)),
                    Part::Write(path, at, _) => keys.push((path.join(".").into(), *at)),
                    Part::Spread(at, env) => self.collect_keys(&self.value(*at, env), keys, depth + 1),
                    Part::Held(key, _) => keys.push((key.clone(), object.at)),
                    Part::Merge(value) | Part::Without(value, _) => self.collect_keys(value, keys, depth + 1),
                }
            }
        }
    }

    /// Whether an object literal names one of these keys.
    pub fn names_key(&self, at: Loc, keys: &[String]) -> bool {
        let Some(unit) = self.unit(at.file) else { return false };
        let Expr::Object { fields, .. } = unit.facts.expr(at.expr) else { return false };
        fields.iter().any(|field| matches!(field, Field::Named(key, _) if keys.iter().any(|known| **known == **key)))
    }
}

/// Whether a key is nowhere in what was looked into.
fn is_missing(found: &[Lookup]) -> bool {
    found.iter().all(|lookup| matches!(lookup, Lookup::Missing))
}

/// The lookups of a part that may lack the key, with what stood before it.
fn merge(found: Vec<Lookup>, before: Vec<Lookup>) -> Vec<Lookup> {
    if before.is_empty() {
        return found;
    }
    let mut all: Vec<Lookup> = found.into_iter().filter(|lookup| !matches!(lookup, Lookup::Missing)).collect();
    all.extend(before);
    all
}
