//! Points in time that are moved where they stand: `deadline.setSeconds(deadline.getSeconds() + 5)`.
//!
//! In: a point in time and the variable that holds it. Out: the point in time after all moves that its uses make.

use super::eval::Eval;
use super::index::Unit;
use super::number::number;
use super::value::{Env, Loc, Number};
use crate::catalog::schema::Is;
use crate::facts::{BindingId, Expr, ExprId};
use crate::limit::Unit as TimeUnit;
use crate::span::FileId;

impl Eval<'_> {
    /// A point in time after the moves that are made through a variable.
    pub(super) fn moved(&self, file: FileId, unit: &Unit, id: BindingId, time: Number, env: &Env) -> Number {
        // What a move adds is said with the variable itself, as it was before.
        let moved = || {
            let moves = unit.uses(id).iter().filter_map(|used| self.move_at(file, unit, *used));
            moves.fold(time, |time, (to, per)| {
                let to = number(&self.value(to, env)).and_then(|to| to.value);
                let added = to.zip(time.value).map(|(to, from)| from + (to - from) * per.micros() as f64 / 1_000.0);
                Number { value: added, ..time }
            })
        };
        self.once(&self.moving, (file, id), moved).map_or(time, |(moved, _)| moved)
    }

    /// Where a method that is called on a use of a variable moves it to, and in which unit.
    fn move_at(&self, file: FileId, unit: &Unit, used: ExprId) -> Option<(Loc, TimeUnit)> {
        let member = unit.facts.parent(used)?;
        let Expr::Member { name, .. } = unit.facts.expr(member) else { return None };
        let rule = self.rules_of_any(file, name).find(|rule| rule.is == Is::Move)?;
        let Expr::Call { args, .. } = unit.facts.expr(super::called_as(unit, member)?) else { return None };
        Some((Loc { file, expr: args.first()?.value }, rule.unit))
    }
}
