//! Which calls count: raw outbound calls, and calls of wrappers in place of the raw calls inside them.
//!
//! In: raw calls. Out: [`Item`]s with what lies inside each. A function that forwards its caller's destination is a wrapper when the
//! tree calls it; wrappers of wrappers are followed to the outermost; the rule of counting is CONTRACT section 3.

use std::collections::{BTreeMap, BTreeSet};

use super::Judge;
use super::call::Call;
use super::reach::Reached;
use super::survey::share_out;
use super::target::Forwarded;
use super::verdict::Judgement;
use crate::catalog::LibraryId;
use crate::facts::{Expr, Resolved};
use crate::link::{Bound, Env, FunctionKey, Loc, OF_ANY_TYPE, Unit, Value};

/// A call that sends, or that calls a function that does.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The call.
    pub at: Loc,
    /// The wrapper it calls; `None`: it sends itself.
    pub via: Option<FunctionKey>,
    /// Whether it lies inside a wrapper, so that it is not counted.
    pub inside: bool,
}

/// A raw call, as the first pass finds it.
#[derive(Debug, Clone)]
pub(super) struct Raw {
    /// The call.
    pub at: Loc,
    /// The parameter that its destination forwards.
    pub forwarded: Option<Forwarded>,
    /// The keys that hold a destination in its options.
    pub keys: Vec<String>,
}

/// All items, and which of them lie in which wrapper.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// The items.
    pub items: Vec<Item>,
    /// Wrappers, with the items inside each.
    pub wrappers: BTreeMap<FunctionKey, Vec<usize>>,
}

/// An item, before it is known whether a wrapper is around it.
#[derive(Clone)]
struct Found {
    item: Item,
    forwarded: Option<Forwarded>,
    keys: Vec<String>,
}

/// A wrapper around a call.
struct Around {
    wrapper: FunctionKey,
    /// The calls of it, with the parameters that they forward in their turn.
    callers: Vec<(Loc, Option<Forwarded>)>,
}

/// Follows wrappers outward, step by step.
pub(super) fn items<'p>(raw: Vec<Raw>, judge: impl Fn() -> Judge<'p> + Sync) -> Items {
    let mut all = Items::default();
    let mut known: BTreeSet<(Loc, Option<FunctionKey>)> = BTreeSet::new();
    let first =
        |raw: Raw| Found { item: Item { at: raw.at, via: None, inside: false }, forwarded: raw.forwarded, keys: raw.keys };
    let mut found: Vec<Found> = raw.into_iter().map(first).collect();
    while !found.is_empty() {
        found.retain(|found| known.insert((found.item.at, found.item.via)));
        let around = share_out(&found, &judge, |judge, found| judge.around(found));
        let mut next = Vec::new();
        for (Found { mut item, keys, .. }, around) in found.into_iter().zip(around) {
            if let Some(Around { wrapper, callers }) = around.filter(|around| !around.callers.is_empty()) {
                item.inside = true;
                all.wrappers.entry(wrapper).or_default().push(all.items.len());
                let outer = |(at, forwarded)| Found {
                    item: Item { at, via: Some(wrapper), inside: false },
                    forwarded,
                    keys: keys.clone(),
                };
                next.extend(callers.into_iter().map(outer));
            }
            all.items.push(item);
        }
        found = next;
    }
    uncircled(&mut all);
    all
}

impl Judge<'_> {
    /// The raw calls of a file.
    pub(super) fn raw_calls(&self, reached: &Reached) -> Vec<Raw> {
        let file = reached.file;
        let common = self.catalog().common(self.program().files.family(file));
        let is_named = |name: &str| common.is_some_and(|common| common.names.contains(name));
        let Some(unit) = self.eval.unit(file) else { return Vec::new() };
        let mut raw = Vec::new();
        for call in &unit.facts.calls {
            let named = reached.wild || unit.method_name(*call).is_none_or(is_named);
            if !named || unit.is_test(unit.facts.expr_scopes[call.index()]) {
                continue;
            }
            self.eval.begin();
            let at = Loc { file, expr: *call };
            // Most calls leave no process: a first look follows no parameters to their callers.
            if self.eval.at_first_look(|| self.sends_at(at, &None).is_empty() && !self.may_send_by_type(unit, at)) {
                continue;
            }
            let sends = self.sends_at(at, &None);
            // What comes with the code comes from no service.
            let Some(first) = sends.first().filter(|first| !self.eval.is_bundled(&first.roles)) else { continue };
            if self.is_in_override(first) || self.eval.is_called_by_library(at, first.lib.library) {
                continue;
            }
            let forwarded = sends.iter().find_map(|send| self.forwarded(send));
            raw.push(Raw { at, forwarded, keys: self.send_rule(first).table.target_keys.clone() });
        }
        raw
    }

    /// Whether a call is one of a value whose type its callers choose, by the name of an outbound call of a library that the file names.
    fn may_send_by_type(&self, unit: &Unit, at: Loc) -> bool {
        let Some(name) = unit.method_name(at.expr) else { return false };
        let Expr::Call { callee, .. } = unit.facts.expr(at.expr) else { return false };
        let sends = |id: &LibraryId| self.catalog().library(*id).send_names().is_some_and(|names| names.contains(&name));
        let is_open = |value: &Value| match value {
            Value::Opaque(reason) => **reason == *OF_ANY_TYPE,
            // A method of a library's trait.
            Value::Lib(lib) => lib.path.len() > 1 && sends(&lib.library),
            _ => false,
        };
        if !self.eval.value(Loc { file: at.file, expr: *callee }, &None).options().iter().any(is_open) {
            return false;
        }
        let files = self.program().files;
        let (from, modules) = (files.path(at.file), files.modules(at.file));
        unit.facts.imports.iter().any(|import| match modules.resolve(from, &import.module) {
            Resolved::Package { name, inner } => self.catalog().package(files.family(at.file), &name, &inner).iter().any(sends),
            _ => false,
        })
    }

    /// The wrapper around a call, with the calls of it that count in its place.
    fn around(&self, Found { item, forwarded, keys }: &Found) -> Option<Around> {
        self.eval.begin();
        if let Some(wrapper) = self.forced_wrapper(item.at).filter(|key| item.via != Some(*key)) {
            let callers = self.callers_of(wrapper).into_iter().map(|at| (at, None)).collect();
            return Some(Around { wrapper, callers });
        }
        let forwarded = forwarded.as_ref()?;
        let wrapper = (forwarded.file, forwarded.function);
        if self.declared_wrapper(wrapper) == Some(false) {
            return None;
        }
        let callers = self.forwarding_callers(item, forwarded, keys).into_iter();
        let callers = callers.map(|at| (at, self.forwarded_by_caller(at, forwarded, keys))).collect();
        Some(Around { wrapper, callers })
    }

    /// The calls that give a wrapper its destination; none when it is no wrapper after all.
    fn forwarding_callers(&self, item: &Item, forwarded: &Forwarded, keys: &[String]) -> Vec<Loc> {
        let key = (forwarded.file, forwarded.function);
        let Some(unit) = self.eval.unit(forwarded.file) else { return Vec::new() };
        if item.via == Some(key) {
            return Vec::new();
        }
        let body = unit.facts.function(forwarded.function).span;
        let mut callers: Vec<Loc> = self.eval.callers(key).iter().map(|caller| caller.at).collect();
        callers.extend(self.eval.passed_as_value(key));
        let outside = |at: &Loc| at.file != forwarded.file || !body.holds(unit.facts.span(at.expr));
        // A call of itself counts where it goes somewhere else (the next page), not where it goes there again.
        let elsewhere = |at: &Loc| self.forwarded_by_caller(*at, forwarded, keys).is_none_or(|f| (f.file, f.function) != key);
        let (outer, inner): (Vec<Loc>, Vec<Loc>) = callers.into_iter().partition(outside);
        if outer.is_empty() {
            return Vec::new();
        }
        let callers: Vec<Loc> = outer.into_iter().chain(inner.into_iter().filter(elsewhere)).collect();
        let gives = |at: &Loc| {
            let Some(arg) = self.argument(*at, forwarded) else { return false };
            match forwarded.member.as_deref() {
                Some("*") => self.eval.names_key(arg, keys),
                Some(member) => self.field(arg, member).is_some(),
                None => true,
            }
        };
        if callers.iter().any(gives) { callers } else { Vec::new() }
    }

    /// The argument of a call that holds the destination, or the options object around it.
    fn argument(&self, at: Loc, forwarded: &Forwarded) -> Option<Loc> {
        let unit = self.eval.unit(at.file)?;
        let Expr::Call { args, .. } = unit.facts.expr(at.expr) else { return None };
        let named = args.iter().find(|arg| arg.name.as_deref() == Some(&*forwarded.name));
        let first = usize::from(self.eval.takes_object_first((forwarded.file, forwarded.function), args.len()));
        let arg = named.or_else(|| args.get(forwarded.index as usize + first).filter(|arg| arg.name.is_none()))?;
        Some(Loc { file: at.file, expr: arg.value })
    }

    /// The parameter that a call of a wrapper forwards to it in its turn.
    fn forwarded_by_caller(&self, at: Loc, forwarded: &Forwarded, keys: &[String]) -> Option<Forwarded> {
        let arg = self.argument(at, forwarded)?;
        if forwarded.member.as_deref() == Some("*") {
            return self.forwarded_by_options(at, arg, keys, &None);
        }
        let arg = match forwarded.member.as_deref() {
            Some(member) if member != "*" => self.field_of(arg, member).unwrap_or(arg),
            _ => arg,
        };
        super::target::forwards(&self.own_pieces(at, arg, &None)).or_else(|| self.carried_by(at, arg, &None))
    }

    fn field_of(&self, at: Loc, key: &str) -> Option<Loc> {
        let unit = self.eval.unit(at.file)?;
        let Expr::Object { fields, .. } = unit.facts.expr(at.expr) else { return None };
        fields.iter().find_map(|field| match field {
            crate::facts::Field::Named(name, value) if **name == *key => Some(Loc { file: at.file, expr: *value }),
            _ => None,
        })
    }

    /// Judges an item, with the raw calls inside it; the weakest counts.
    pub(super) fn judge_item(&self, all: &Items, index: usize, env: &Env, depth: u32) -> Vec<(Call, Judgement)> {
        let Some(item) = all.items.get(index) else { return Vec::new() };
        self.eval.begin();
        let Some(wrapper) = item.via else {
            return self.sends_at(item.at, env).into_iter().map(|call| (call.clone(), self.judgement(&call))).collect();
        };
        if depth > 8 {
            return Vec::new();
        }
        let Some(unit) = self.eval.unit(item.at.file) else { return Vec::new() };
        let Expr::Call { callee, .. } = unit.facts.expr(item.at.expr) else { return Vec::new() };
        let callee = self.eval.value(Loc { file: item.at.file, expr: *callee }, env);
        let target = callee.options().iter().find_map(|option| match option {
            Value::Function(file, function, outer, this) if (*file, *function) == wrapper => {
                Some((outer.clone(), this.as_deref().cloned()))
            }
            _ => None,
        });
        if target.is_none() && self.leads_elsewhere(all, item, &callee) {
            return Vec::new();
        }
        // It is handed to something that calls it with elements nobody here sees.
        let handed = || vec![Bound::Value(Value::opaque("an element of a collection"))];
        let args = if target.is_some() || !self.eval.passes_value(item.at, wrapper) {
            self.eval.args_of(item.at, env)
        } else {
            handed()
        };
        let (outer, this) = target.unwrap_or((None, None));
        let (this, args) = self.eval.receive(wrapper, this, args);
        let frame = self.eval.frame(wrapper, args, this, Some(item.at), env, &outer);
        let inner = all.wrappers.get(&wrapper).map_or(&[][..], Vec::as_slice);
        // Of several calls inside those count that this call comes to.
        let passed_over = |index: &usize| self.eval.is_passed_over(all.items[*index].at, &frame);
        let (out, taken): (Vec<usize>, Vec<usize>) = inner.iter().copied().partition(passed_over);
        let judged = |inner: Vec<usize>| inner.into_iter().flat_map(|index| self.judge_item(all, index, &frame, depth + 1));
        let found: Vec<_> = judged(taken).collect();
        // A call that comes to nothing but itself comes to all.
        if found.is_empty() { judged(out).collect() } else { found }
    }

    /// Whether what is called here is another wrapper, or a client, for which the same call is an item of its own.
    fn leads_elsewhere(&self, all: &Items, item: &Item, callee: &Value) -> bool {
        let is_called = |via: Option<FunctionKey>| {
            callee.options().iter().any(|option| match option {
                Value::Function(file, function, ..) => via == Some((*file, *function)),
                Value::Lib(_) => via.is_none(),
                _ => false,
            })
        };
        all.items.iter().any(|other| other.at == item.at && other.via != item.via && is_called(other.via))
    }

    /// The wrappers that an item goes through, outermost first.
    pub(super) fn wrappers_through(&self, all: &Items, index: usize) -> Vec<FunctionKey> {
        let mut through = Vec::new();
        let mut next = all.items.get(index).and_then(|item| item.via);
        while let Some(key) = next {
            if through.contains(&key) {
                break;
            }
            through.push(key);
            next = all.wrappers.get(&key).and_then(|inner| inner.iter().find_map(|index| all.items[*index].via));
        }
        through
    }
}

/// Counts the raw calls of wrappers that only call each other: nothing outside of them stands for these calls.
fn uncircled(all: &mut Items) {
    let mut reached: BTreeSet<FunctionKey> = BTreeSet::new();
    let mut next: Vec<FunctionKey> = all.items.iter().filter(|item| !item.inside).filter_map(|item| item.via).collect();
    while let Some(key) = next.pop() {
        if reached.insert(key) {
            next.extend(all.wrappers.get(&key).into_iter().flatten().filter_map(|index| all.items[*index].via));
        }
    }
    for (key, inner) in &all.wrappers {
        for index in inner {
            let item = &mut all.items[*index];
            item.inside &= reached.contains(key) || item.via.is_some();
        }
    }
}
