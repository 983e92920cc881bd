//! Methods that the scanned code adds to futures and promises of any kind (`call.within(limit)`): an extension trait around a timer.
//!
//! In: a call of a method on work that some scope may end. Out: the functions that it may be, and what they do with the work. A trait
//! counts where the file declares it, or imports something of the file that does.

use super::Judge;
use super::scopes::Climb;
use crate::facts::{Expr, ExprId, FunctionId};
use crate::link::Loc;
use crate::span::FileId;

impl Judge<'_> {
    /// The functions that a method on a value of any kind may be.
    pub(super) fn extension_methods(&self, file: FileId, name: &str) -> Vec<(FileId, FunctionId)> {
        let common = self.catalog().common(self.program().files.family(file));
        if common.is_none_or(|common| common.methods.contains_key(name)) {
            return Vec::new();
        }
        self.eval.declaring(file, name).iter().flat_map(|file| self.added_by(*file, name)).collect()
    }

    /// The methods of that name that a file's traits have, or that it gives to types that are no class of the scanned code.
    fn added_by(&self, file: FileId, name: &str) -> Vec<(FileId, FunctionId)> {
        let Some(unit) = self.eval.unit(file) else { return Vec::new() };
        let traits = unit.facts.classes.iter().filter(|class| class.is_abstract).flat_map(|class| &class.methods);
        let blankets = unit.facts.extensions.iter().filter(|extension| {
            extension.via.is_some() && extension.of.path.first().is_some_and(|first| matches!(&**first, "dyn" | "?"))
        });
        let methods = traits.chain(blankets.flat_map(|extension| &extension.methods));
        let with_body =
            methods.filter(|method| *method.name == *name && !unit.facts.function(method.function).returns.is_empty());
        with_body.map(|method| (file, method.function)).collect()
    }

    /// What a method of the scanned code does with the work that it is called on.
    pub(super) fn pass_extension(&self, call: Loc, name: &str, climb: &mut Climb<'_>) {
        for (file, method) in self.extension_methods(call.file, name) {
            let Some(other) = self.eval.unit(file) else { continue };
            let env = self.eval.frame((file, method), self.eval.args_of(call, climb.env), None, Some(call), climb.env, &None);
            for (at, expr) in other.facts.exprs.iter().enumerate() {
                let is_work = matches!(expr, Expr::This)
                    && other.method_around(other.facts.expr_scopes[at]).is_some_and(|(around, _)| around == method);
                if is_work {
                    self.climb_inside(other, Loc { file, expr: ExprId(at as u32) }, method, &env, call, climb);
                }
            }
        }
    }
}
