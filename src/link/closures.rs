//! Functions that leave the function they are written in: what a factory returns, alone or as members of an object.
//!
//! In: a place in a function, and a function around it. Out: whether the place runs only after the outer one has returned, so that the
//! outer one's parameters are what it was made with, not what a call of it says.

use super::index::Unit;
use crate::facts::{BindingId, Expr, ExprId, FunctionId, Source};

/// How many functions around each other are looked at, and how often a variable is followed to another.
const DEEPEST: u32 = 6;

/// Whether the code at an expression leaves a function around it, in a closure that this function gives away.
pub fn leaves(unit: &Unit, at: ExprId, outer: FunctionId) -> bool {
    let mut inner = unit.facts.function_of(at);
    for _ in 0..DEEPEST {
        let Some(function) = inner.filter(|function| *function != outer) else { return false };
        if is_given_away(unit, function) {
            return is_inside(unit, function, outer);
        }
        inner = unit.around(function);
    }
    false
}

/// Whether a function is written inside another one.
fn is_inside(unit: &Unit, function: FunctionId, outer: FunctionId) -> bool {
    let (inner, outer) = (unit.facts.function(function).span, unit.facts.function(outer).span);
    outer.holds(inner) && inner != outer
}

/// Whether the function around a function returns it, alone or in an object, or puts it into a member of something.
pub(super) fn is_given_away(unit: &Unit, function: FunctionId) -> bool {
    if let Some(literal) = unit.literal(function)
        && goes_out(unit, literal, 0)
    {
        return true;
    }
    let name = unit.facts.function(function).name.as_deref();
    let declared =
        name.and_then(|name| unit.binding(name, unit.facts.scopes[unit.facts.function(function).scope.index()].parent?));
    let is_it = |binding: &BindingId| unit.facts.bindings[binding.index()].sources.contains(&Source::Function(function));
    let declared = declared.filter(is_it);
    declared.is_some_and(|binding| unit.uses(binding).iter().any(|used| goes_out(unit, *used, 0)))
}

/// Whether a value is returned, or kept in a member, as it is or as a part of an object or list.
fn goes_out(unit: &Unit, value: ExprId, depth: u32) -> bool {
    let mut root = value;
    while let Some(parent) = unit.facts.parent(root) {
        match unit.facts.expr(parent) {
            Expr::Object { .. } | Expr::List(_) | Expr::Through(_) | Expr::Either { .. } | Expr::Await(_) => root = parent,
            _ => return false,
        }
    }
    if unit.returned_by(root).is_some() || unit.facts.writes.iter().any(|write| write.value == root) {
        return true;
    }
    depth < DEEPEST
        && unit.bound_to(root).is_some_and(|binding| unit.uses(binding).iter().any(|used| goes_out(unit, *used, depth + 1)))
}
