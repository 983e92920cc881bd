//! How often what has no counting head runs: loops that a branch leaves once a counter has reached its bound, and functions that call
//! themselves with a counter that is one less, or one more.
//!
//! In: the branches of a function, and its calls of itself. Out: the count of a [`Loop`]; for a function that calls itself a loop over
//! its whole body. Only counters that step by one are read.

use tree_sitter::Node;

use super::loops::{Bound, Comparison, Purpose};
use super::lower::{Lowerer, span};
use crate::facts::{Binary, Expr, ExprId, FunctionId, JumpKind, Loop, LoopCount};
use crate::span::Span;

/// A loop without a condition.
#[derive(Clone, Copy)]
pub(super) struct OpenLoop {
    /// Its place among the loops.
    pub(super) at: usize,
    /// The function that it stands in.
    pub(super) function: Option<FunctionId>,
}

/// What a branch tests of a counter.
#[derive(Clone, Copy)]
pub(super) struct Test {
    function: Option<FunctionId>,
    comparison: Comparison,
    /// What runs when it holds.
    yes: Span,
    /// Whether that leaves.
    leaves: bool,
}

impl<'t> Lowerer<'t> {
    /// Lowers the test of a branch, and finds what it compares a counter with.
    pub(super) fn test(&mut self, node: Node<'t>) -> (Option<ExprId>, Option<Comparison>) {
        if !self.role(node).is_value() {
            self.statement(node);
            return (None, None);
        }
        let mut bound = None;
        let test = self.deeper(node, |l| l.condition(node, &mut bound, Purpose::Branch));
        match bound {
            Some(Bound::Compared(comparison)) => (test, Some(comparison)),
            Some(Bound::Spent(_)) | None => (test, None),
        }
    }

    /// Notes a branch that is taken, or left, when a counter has reached its bound. `jumps` is how many there were before it.
    pub(super) fn note_exit(&mut self, tested: Option<Comparison>, test: Option<Node<'t>>, yes: Node<'t>, jumps: usize) {
        let (Some(comparison), Some(test)) = (tested, test) else { return };
        let leaves = self.facts.jumps[jumps..].iter().any(|jump| jump.kind != JumpKind::Continue);
        self.tests.push(Test { function: self.function, comparison, yes: span(yes), leaves });
        let Some(open) = self.open_loops.last().copied().filter(|open| leaves && open.function == self.function) else { return };
        if self.facts.loops[open.at].count.is_none() {
            self.facts.loops[open.at].count = self.exit_count(open, comparison, test);
        }
    }

    /// How often a loop runs that a test of its counter leaves.
    fn exit_count(&self, open: OpenLoop, comparison: Comparison, test: Node<'t>) -> Option<LoopCount> {
        let Comparison { left, right, up: false, inclusive, .. } = comparison else { return None };
        let Expr::Name(name, _) = self.facts.expr(left) else { return None };
        let start = self.first_value(left).filter(|start| matches!(self.facts.expr(*start), Expr::Number(_)))?;
        let from = self.facts.loops[open.at].span.start as usize;
        let (before, inside, after) = (
            self.text.get(from..test.start_byte())?,
            self.text(test),
            self.text.get(test.end_byte()..self.facts.loops[open.at].span.end as usize)?,
        );
        let raised_before = inside.contains(&format!("++{name}")) || steps(before, name);
        let raised_after = inside.contains(&format!("{name}++")) || steps(after, name);
        if !raised_before && !raised_after {
            return None;
        }
        // `>` lets one more through than `>=`, and so does a counter that is raised behind the test.
        match (!inclusive, !raised_before) {
            (true, true) => None,
            (above, late) => Some(LoopCount { start: Some(start), limit: right, inclusive: above || late }),
        }
    }

    /// Notes how often a function calls itself, once its body is lowered.
    pub(super) fn note_recursion(&mut self, function: FunctionId) {
        let first = self.tests.iter().position(|test| test.function == Some(function)).unwrap_or(self.tests.len());
        let tests = self.tests.split_off(first);
        if tests.is_empty() {
            return;
        }
        let body = self.facts.function(function).body;
        let again = self.facts.calls.iter().rev().take_while(|call| self.facts.span(**call).end > body.start);
        let in_handler =
            |call: Span| self.facts.tries.iter().any(|guard| guard.handler.is_some_and(|handler| handler.holds(call)));
        let found = again.filter(|call| {
            let at = self.facts.span(**call);
            body.holds(at) && in_handler(at) && self.is_itself(function, **call)
        });
        let count = found.copied().collect::<Vec<_>>().into_iter().find_map(|call| {
            let (counter, step) = self.passed_counter(function, call)?;
            tests.iter().filter(|test| test.function == Some(function)).find_map(|test| {
                let same = matches!(self.facts.expr(test.comparison.left), Expr::Name(name, _) if *name == counter);
                let goes_on = test.yes.holds(self.facts.span(call));
                if same && (goes_on || test.leaves) { recursion_count(test.comparison, step, goes_on) } else { None }
            })
        });
        let Some(count) = count else { return };
        let inner = self.facts.loops.iter().position(|inner| inner.span.start >= body.start).unwrap_or(self.facts.loops.len());
        self.facts.loops.insert(inner, Loop { count: Some(count), ..Loop::at(body) });
    }

    /// Whether a call calls the function by its own name.
    fn is_itself(&self, function: FunctionId, call: ExprId) -> bool {
        let (Some(own), Expr::Call { callee, .. }) = (&self.facts.function(function).name, self.facts.expr(call)) else {
            return false;
        };
        match self.facts.expr(*callee) {
            Expr::Name(name, _) => name == own,
            Expr::Member { of, name } => name == own && matches!(self.facts.expr(*of), Expr::This),
            _ => false,
        }
    }

    /// The parameter that a call passes on one less, or one more.
    fn passed_counter(&self, function: FunctionId, call: ExprId) -> Option<(Box<str>, Binary)> {
        let Expr::Call { args, .. } = self.facts.expr(call) else { return None };
        let params = &self.facts.function(function).params;
        args.iter().zip(params).find_map(|(arg, param)| {
            let Expr::Binary { op: op @ (Binary::Sub | Binary::Add), left, right } = self.facts.expr(arg.value) else {
                return None;
            };
            let is_one = matches!(self.facts.expr(*right), Expr::Number(1.0));
            match (self.facts.expr(*left), &param.name) {
                (Expr::Name(name, _), Some(own)) if is_one && name == own => Some((name.clone(), *op)),
                _ => None,
            }
        })
    }
}

/// How often a function runs that calls itself while a test holds (`goes_on`), or until it does.
fn recursion_count(test: Comparison, step: Binary, goes_on: bool) -> Option<LoopCount> {
    let Comparison { left, right, up, inclusive, exact } = test;
    let counts = match (step, goes_on) {
        // `if (n > 0) again(n - 1)`, `if (n <= 0) throw`
        (Binary::Sub, true) => !up && !inclusive,
        (Binary::Sub, false) => exact || up && inclusive,
        // `if (n < MAX) again(n + 1)`, `if (n >= MAX) throw`
        (_, true) => up && !inclusive,
        (_, false) => exact || !up && inclusive,
    };
    let (start, limit) = if step == Binary::Sub { (right, left) } else { (left, right) };
    counts.then_some(LoopCount { start: Some(start), limit, inclusive: true })
}

/// Whether code raises a counter by one.
fn steps(code: &str, name: &str) -> bool {
    [format!("{name}++"), format!("++{name}"), format!("{name} += 1"), format!("{name}+=1")]
        .iter()
        .any(|step| code.contains(step))
}
