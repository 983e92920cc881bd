//! Destinations that are files of the program itself: `fetch(new URL('./model.wasm', import.meta.url))`.
//!
//! In: the argument that is a destination. Out: whether it is an address relative to the module that holds it, so that what is read there
//! comes with the code and from no service. An address whose path is not written out is not taken for one.

use super::eval::Eval;
use super::index::Unit;
use super::library::Roles;
use super::value::Bound;
use crate::catalog::Role;
use crate::facts::{CallForm, Expr, ExprId};

/// How many variables in a row are followed.
const DEEPEST: u32 = 4;

impl Eval<'_> {
    /// Whether the destination of a call is a file of the program itself.
    pub fn is_bundled(&self, roles: &Roles) -> bool {
        match roles.get(&Role::Target) {
            Some(Bound::Thunk(at, _) | Bound::Named(_, at, _)) => {
                self.unit(at.file).is_some_and(|unit| is_own_file(unit, at.expr, 0))
            }
            _ => false,
        }
    }
}

fn is_own_file(unit: &Unit, at: ExprId, depth: u32) -> bool {
    if depth > DEEPEST {
        return false;
    }
    match unit.facts.expr(at) {
        Expr::Through(of) | Expr::Await(of) => is_own_file(unit, *of, depth + 1),
        Expr::Name(..) => unit.only_value(at).is_some_and(|value| is_own_file(unit, value, depth + 1)),
        Expr::Member { of, name } => &**name == "href" && is_own_file(unit, *of, depth + 1),
        Expr::Call { callee, args, form } => {
            let written = |place: usize| args.get(place).is_some_and(|arg| is_relative(unit, arg.value));
            match unit.facts.expr(*callee) {
                Expr::Name(name, scope) if &**name == "URL" && *form == CallForm::New => {
                    let own = args.get(1).is_some_and(|base| is_own_address(unit, base.value, depth));
                    own && unit.binding(name, *scope).is_none() && written(0)
                }
                Expr::Member { of, name } if &**name == "resolve" => is_meta(unit, *of) && written(0),
                Expr::Member { of, name } => &**name == "toString" && is_own_file(unit, *of, depth + 1),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether a path is written out and leads nowhere else: no scheme, no host.
fn is_relative(unit: &Unit, at: ExprId) -> bool {
    let first = match unit.facts.expr(at) {
        Expr::Join(parts) => parts.first().copied().unwrap_or(at),
        _ => at,
    };
    matches!(unit.facts.expr(first), Expr::Text(text) if !text.contains(':') && !text.starts_with("//") && (first == at || text.starts_with('.')))
}

/// Whether an expression is the module's own address.
fn is_own_address(unit: &Unit, at: ExprId, depth: u32) -> bool {
    match unit.facts.expr(at) {
        Expr::Member { of, name } => &**name == "url" && is_meta(unit, *of),
        Expr::Through(of) => is_own_address(unit, *of, depth),
        Expr::Name(..) if depth < DEEPEST => unit.only_value(at).is_some_and(|value| is_own_address(unit, value, depth + 1)),
        _ => false,
    }
}

/// `import.meta`.
fn is_meta(unit: &Unit, at: ExprId) -> bool {
    match unit.facts.expr(at) {
        Expr::Member { of, name } => {
            &**name == "meta" && matches!(unit.facts.expr(*of), Expr::Name(name, _) if &**name == "import")
        }
        Expr::Name(name, _) => &**name == "import.meta",
        _ => false,
    }
}
