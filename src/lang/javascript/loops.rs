//! Loops, and how often they run where they count.
//!
//! In: a loop's node. Out: a [`Loop`]. Counting is read from the loop's head alone: the counter's first value, the bound it
//! is compared with, and a step of one.

use tree_sitter::Node;

use super::lower::{Lowerer, span};
use super::patterns::{Target, Whole};
use super::roles::Role;
use crate::facts::{Either, Expr, ExprId, Loop, LoopCount, Source};

/// A comparison in a loop's condition.
#[derive(Clone, Copy)]
pub(super) struct Comparison {
    pub(super) left: ExprId,
    pub(super) right: ExprId,
    /// `<`, `<=`, `!==`: the left side grows towards the right.
    pub(super) up: bool,
    pub(super) inclusive: bool,
    /// `===`: it is reached, from either side.
    pub(super) exact: bool,
}

/// What a condition is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It keeps a loop going.
    While,
    /// It decides whether a branch is taken.
    Branch,
}

/// What a condition bounds.
pub(super) enum Bound {
    Compared(Comparison),
    /// `n--`: down to nothing.
    Spent(ExprId),
}

impl<'t> Lowerer<'t> {
    /// Notes a loop before what is inside it.
    fn add_loop(&mut self, node: Node<'t>, over_items: bool) -> usize {
        self.facts.loops.push(Loop { over_items, ..Loop::at(span(node)) });
        self.facts.loops.len() - 1
    }

    pub(super) fn counting_loop(&mut self, node: Node<'t>) {
        let at = self.add_loop(node, false);
        let before = self.enter();
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let part = |field: u16| kids.fields().find(|kid| kid.field == field && kid.node.is_named()).map(|kid| kid.node);
        let (first, condition) = (part(field.initializer), part(field.condition));
        let (increment, body) = (part(field.increment), part(field.body));
        self.done(kids);
        if let Some(first) = first {
            self.statement(first);
        }
        let mut bound = None;
        if let Some(condition) = condition.filter(|condition| self.role(*condition).is_value()) {
            let condition = self.counted(|l| l.condition(condition, &mut bound, Purpose::While));
            self.facts.loops[at].ends_early = bound.is_some() && self.is_joined(condition);
        }
        let endless = condition.is_none_or(|condition| !self.role(condition).is_value());
        if bound.is_some() && increment.is_none_or(|increment| self.steps_by_one(increment)) {
            self.facts.loops[at].count = bound.and_then(|bound| self.count_from(bound));
        }
        if let Some(increment) = increment {
            self.counted(|l| l.value(increment));
        }
        if let Some(body) = body {
            self.loop_body(at, endless, body);
        }
        self.leave(before);
    }

    /// Lowers a part of a loop's head, whose counting is not a change of the counter's value.
    fn counted<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.counting, true);
        let lowered = lower(self);
        self.counting = before;
        lowered
    }

    pub(super) fn conditional_loop(&mut self, node: Node<'t>) {
        let at = self.add_loop(node, false);
        let kids = self.kids(node);
        let (condition, body) = (kids.get(self.grammar.field.condition), kids.get(self.grammar.field.body));
        self.done(kids);
        let before_body = condition.zip(body).is_some_and(|(condition, body)| condition.start_byte() < body.start_byte());
        if !before_body && let Some(body) = body {
            self.statement(body);
        }
        let (mut bound, mut endless) = (None, false);
        if let Some(condition) = condition {
            let condition = self.counted(|l| l.condition(condition, &mut bound, Purpose::While));
            self.facts.loops[at].ends_early = bound.is_some() && self.is_joined(condition);
            endless = matches!(self.facts.expr(condition), Expr::Bool(true) | Expr::Number(1.0));
        }
        self.facts.loops[at].count = bound.and_then(Self::count_towards);
        if before_body && let Some(body) = body {
            self.loop_body(at, endless, body);
        }
    }

    /// Lowers the body of a loop, which may be left from the inside alone.
    fn loop_body(&mut self, at: usize, endless: bool, body: Node<'t>) {
        self.facts.loops[at].is_endless = endless;
        if !endless {
            return self.statement(body);
        }
        self.open_loops.push(super::exits::OpenLoop { at, function: self.function });
        self.statement(body);
        self.open_loops.pop();
    }

    /// Whether a condition is several that must all hold.
    fn is_joined(&self, condition: ExprId) -> bool {
        matches!(self.facts.expr(condition), Expr::Either { kind: Either::And, .. })
    }

    pub(super) fn loop_over_items(&mut self, node: Node<'t>) {
        self.add_loop(node, true);
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let (kind, left, right, body) = (kids.get(field.kind), kids.get(field.left), kids.get(field.right), kids.get(field.body));
        let of = kids.get(field.operator).is_some_and(|operator| self.text(operator) == "of");
        self.done(kids);
        let before = self.enter();
        if let (Some(left), Some(right)) = (left, right) {
            let items = self.value(right);
            let whole = if of { Whole::Element(items) } else { Whole::Opaque("a key of an object") };
            let target = match kind.map(|kind| self.text(kind)) {
                Some("var") => Target::Declare { scope: self.var_scope, ty: None },
                Some(_) => Target::Declare { scope: self.scope, ty: None },
                None => Target::Assign,
            };
            self.bind(left, &whole, &mut Vec::new(), None, &target);
        }
        if let Some(body) = body {
            self.statement(body);
        }
        self.leave(before);
    }

    /// Lowers a condition and finds the comparison that bounds what it guards.
    pub(super) fn condition(&mut self, node: Node<'t>, bound: &mut Option<Bound>, purpose: Purpose) -> ExprId {
        let node = self.bare(node);
        match self.role(node) {
            Role::Binary => {
                let kids = self.kids(node);
                let field = &self.grammar.field;
                let (left, right) = (kids.get(field.left), kids.get(field.right));
                let operator = kids.get(field.operator).map_or("", |operator| self.text(operator));
                self.done(kids);
                let (Some(left), Some(right)) = (left, right) else { return self.value(node) };
                match operator {
                    "&&" | "||" if operator == "&&" || purpose == Purpose::Branch => {
                        let Some(left) = self.deeper(left, |l| l.condition(left, bound, purpose)) else {
                            return self.value(right);
                        };
                        let right = self.condition(right, bound, purpose);
                        self.operation(operator, left, right, node)
                    }
                    "<" | "<=" | ">" | ">=" | "!=" | "!==" | "==" | "===" => {
                        let (left, right) = (self.value(left), self.value(right));
                        let bounds = purpose == Purpose::Branch || !operator.starts_with("==");
                        if bound.is_none() && bounds {
                            *bound = self.comparison(operator, left, right).map(Bound::Compared);
                        }
                        self.operation(operator, left, right, node)
                    }
                    _ => self.value(node),
                }
            }
            Role::Update if purpose == Purpose::While && self.text(node).contains("--") => {
                let value = self.value(node);
                if bound.is_none() {
                    *bound = Some(Bound::Spent(self.counter(value)));
                }
                value
            }
            _ => self.value(node),
        }
    }

    /// A comparison with the counter on the left side.
    fn comparison(&self, operator: &str, left: ExprId, right: ExprId) -> Option<Comparison> {
        let (counts_left, counts_right) = (self.counts(left), self.counts(right));
        let exact = operator.starts_with("==");
        let inclusive = operator.ends_with('=') && !operator.starts_with('!');
        let up = !operator.starts_with('>') && !exact;
        let left = self.counter(left);
        match (counts_left, counts_right) {
            (false, true) => Some(Comparison { left: self.counter(right), right: left, up: !up && !exact, inclusive, exact }),
            (true, _) => Some(Comparison { left, right, up, inclusive, exact }),
            (false, false) => None,
        }
    }

    /// Whether an expression can be a counter: a name or a member that is no length, maybe counted in place.
    fn counts(&self, value: ExprId) -> bool {
        match self.facts.expr(self.counter(value)) {
            Expr::Name(..) => true,
            Expr::Member { name, .. } => !matches!(&**name, "length" | "size"),
            _ => false,
        }
    }

    /// The counter in `i++`.
    fn counter(&self, value: ExprId) -> ExprId {
        match self.facts.expr(value) {
            Expr::Opaque { reason: "a running count", parts } => parts.first().copied().unwrap_or(value),
            _ => value,
        }
    }

    /// How often a `for` runs.
    fn count_from(&self, bound: Bound) -> Option<LoopCount> {
        match bound {
            Bound::Compared(Comparison { left, right, up: true, inclusive, .. }) => {
                Some(LoopCount { start: self.first_value(left), limit: right, inclusive })
            }
            Bound::Compared(Comparison { left, right, up: false, inclusive, .. }) => {
                Some(LoopCount { start: Some(right), limit: self.first_value(left).unwrap_or(left), inclusive })
            }
            Bound::Spent(counter) => {
                Some(LoopCount { start: None, limit: self.first_value(counter).unwrap_or(counter), inclusive: false })
            }
        }
    }

    /// How often a `while` runs: its counter's first value is not read.
    fn count_towards(bound: Bound) -> Option<LoopCount> {
        match bound {
            Bound::Compared(Comparison { right, up: true, inclusive, .. }) => {
                Some(LoopCount { start: None, limit: right, inclusive })
            }
            Bound::Compared(Comparison { left, right, up: false, inclusive, .. }) => {
                Some(LoopCount { start: Some(right), limit: left, inclusive })
            }
            Bound::Spent(counter) => Some(LoopCount { start: None, limit: counter, inclusive: false }),
        }
    }

    /// The value that a loop's counter begins with.
    pub(super) fn first_value(&self, counter: ExprId) -> Option<ExprId> {
        let Expr::Name(name, scope) = self.facts.expr(counter) else { return None };
        if let Some(value) = self.last_assigned(name) {
            return Some(value);
        }
        let binding = self.look_up(name, *scope)?;
        match self.facts.bindings.get(binding.index())?.sources.as_slice() {
            [Source::Value(value)] => Some(*value),
            _ => None,
        }
    }

    /// `i++`, `--i`, `i += 1`, alone or among others.
    fn steps_by_one(&mut self, node: Node<'t>) -> bool {
        match self.role(node) {
            Role::Update => true,
            Role::Augmented => {
                let text = self.text(node);
                text.split_once('=').is_some_and(|(left, right)| left.ends_with(['+', '-']) && right.trim() == "1")
            }
            Role::Sequence => {
                let kids = self.kids(node);
                let one = kids.named().next().is_some_and(|kid| self.role(kid) == Role::Update);
                self.done(kids);
                one
            }
            _ => false,
        }
    }
}
