//! Objects that are configured by calls in the chain that makes them: `new Client(url).withTimeout(500)`.
//!
//! In: the call that makes an instance, and a field. Out: what the last call of the chain that sets the field sets it to.

use super::FunctionKey;
use super::eval::Eval;
use super::index::Unit;
use super::instance::ClassKey;
use super::value::{Env, Instance, Loc, Made, Value};
use crate::facts::{CallForm, Expr, ExprId, FunctionId, Step, Write};

impl Eval<'_> {
    /// The value that the calls behind the making of an instance give a field of it.
    pub(super) fn set_in_chain(&self, made: Loc, env: &Env, class: ClassKey, name: &str) -> Option<Value> {
        let (unit, home) = (self.unit(made.file)?, self.unit(class.0)?);
        let mut at = made.expr;
        let mut set = None;
        while let Some(call) = method_of_chain(unit, at) {
            let Some((method, _)) = unit.method_name(call).and_then(|name| self.method(class, name)) else { break };
            let function = home.facts.function(method.1);
            if method.0 != class.0 || !function.returns.iter().all(|value| matches!(home.facts.expr(*value), Expr::This)) {
                break;
            }
            let writes = home.facts.writes.iter().filter(|write| sets(home, write, method.1, name));
            if let Some(write) = writes.last() {
                let at = Loc { file: made.file, expr: call };
                let instance = Instance { file: class.0, class: class.1, made: Some(Made::Call(made, env.clone())) };
                let this = Value::Instance(std::rc::Rc::new(instance));
                let frame = self.frame(method, self.args_of(at, env), Some(this), Some(at), env, &None);
                set = Some(self.within_bounds(|| self.value(Loc { file: class.0, expr: write.value }, &frame)));
            }
            at = call;
        }
        set
    }

    /// Whether a method gives its object back and is called in chains that make one alone: it says nothing of other objects.
    pub(super) fn is_called_in_chains(&self, method: FunctionKey) -> bool {
        let Some(unit) = self.unit(method.0) else { return false };
        let returns = &unit.facts.function(method.1).returns;
        if returns.is_empty() || !returns.iter().all(|value| matches!(unit.facts.expr(*value), Expr::This)) {
            return false;
        }
        let callers = self.callers(method);
        let in_chain = |at: Loc| self.unit(at.file).is_some_and(|unit| begins_with_new(unit, at.expr));
        !callers.is_empty() && callers.iter().all(|caller| in_chain(caller.at))
    }
}

/// Whether a chain of calls begins with the making of an object.
fn begins_with_new(unit: &Unit, mut call: ExprId) -> bool {
    loop {
        let Expr::Call { callee, form, .. } = unit.facts.expr(call) else { return false };
        match unit.facts.expr(*callee) {
            _ if *form == CallForm::New => return true,
            Expr::Member { of, .. } => call = *of,
            _ => return false,
        }
    }
}

/// The call of a method on an expression.
fn method_of_chain(unit: &Unit, of: ExprId) -> Option<ExprId> {
    let member = unit.facts.parent(of)?;
    let is_member = matches!(unit.facts.expr(member), Expr::Member { of: object, .. } if *object == of);
    super::called_as(unit, member).filter(|_| is_member)
}

/// Whether a write in a function sets a field of `this`.
fn sets(unit: &Unit, write: &Write, function: FunctionId, name: &str) -> bool {
    matches!(write.path.as_slice(), [Step::Name(field)] if **field == *name)
        && matches!(unit.facts.expr(write.root), Expr::This)
        && unit.facts.scope_function(write.scope) == Some(function)
}
