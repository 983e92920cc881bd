//! What is said of a parameter that calls fill with something which cannot be followed.
//!
//! In: what one call gives, and the call. Out: the same; where it is a parameter of the caller that nobody fills, the reason names the call
//! and what it gives, so that nobody looks for calls that are there.

use std::rc::Rc;

use super::eval::Eval;
use super::value::{Bound, Frame, Value};
use crate::facts::Param;

/// What is said of a parameter that is given nothing anywhere.
pub(super) const UNFILLED: &str = "which no call in the tree fills";

impl Eval<'_> {
    /// What a call gives for a parameter, with the reason seen from there.
    pub(super) fn as_filled(&self, given: Value, param: &Param, frame: &Frame, index: u32) -> Value {
        let reason = match &given {
            Value::Opaque(reason) => reason.clone(),
            Value::Lib(lib) if lib.layers.is_empty() => match &lib.unmade {
                Some(reason) => reason.clone(),
                None => return given,
            },
            _ => return given,
        };
        match self.seen_from(&reason, param, frame, index).map(Rc::from) {
            Some(seen) if given.is_opaque() => Value::Opaque(seen),
            Some(seen) => given.known_by_type(Some(seen)),
            None => given,
        }
    }

    fn seen_from(&self, reason: &str, param: &Param, frame: &Frame, index: u32) -> Option<String> {
        let name = param.name.as_ref().filter(|_| reason.ends_with(UNFILLED) && !reason.contains("is given `"))?;
        let Bound::Thunk(at, _) = frame.args.get(index as usize)? else { return None };
        let unit = self.unit(at.file)?;
        let written = unit.facts.named(at.expr)?;
        let line = unit.facts.lines.position(unit.facts.span(at.expr).start).line;
        let file = self.program.files.shown(at.file);
        Some(format!("the parameter `{name}`, which is given `{written}` at {file}:{line}: {reason}"))
    }
}
