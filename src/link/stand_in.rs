//! Instances of the scanned code that a library is given in place of an object of its own: `impl Executor for &Tracked { … }`.
//!
//! In: an instance, or a call in a method of its class. Out: the library's object that the methods of the library's trait call, and
//! whether a call is one that only the library causes. Which traits are a library's, its types in the catalog say.

use std::rc::Rc;

use super::FunctionKey;
use super::eval::Eval;
use super::index::{Owner, Unit};
use super::instance::ClassKey;
use super::value::{LibValue, Loc, Value};
use crate::catalog::LibraryId;
use crate::facts::{Expr, ExprId, Extension, FunctionId, Source};
use crate::span::FileId;

impl Eval<'_> {
    /// The library's object that an instance stands for: the one that it calls in the methods of a trait of the library.
    pub fn stand_in(&self, given: &Value, library: LibraryId) -> Option<Rc<LibValue>> {
        let Value::Instance(instance) = given else { return None };
        let class = (instance.file, instance.class);
        self.alone(|_| self.stood_for(class, given, library)).0
    }

    fn stood_for(&self, class: ClassKey, given: &Value, library: LibraryId) -> Option<Rc<LibValue>> {
        let word = self.unit(class.0)?.facts.class(class.1).name.as_deref()?;
        self.program.files.heirs(class.0, word).into_iter().find_map(|file| {
            let unit = self.unit(file)?;
            let implements = |extension: &&Extension| {
                self.may_name(unit, &extension.of, class)
                    && self.class_of_type(file, &extension.of) == Some(class)
                    && self.is_of_library(file, extension, library)
            };
            let mut methods = unit.facts.extensions.iter().filter(implements).flat_map(|extension| &extension.methods);
            methods.find_map(|method| self.called_object((file, method.function), given, library))
        })
    }

    /// Whether an extension implements a trait of a library.
    fn is_of_library(&self, file: FileId, extension: &Extension, library: LibraryId) -> bool {
        let of = extension.via.as_ref().and_then(|via| self.typed(file, via));
        of.is_some_and(|of| of.options().iter().any(|of| matches!(of, Value::Lib(lib) if lib.library == library)))
    }

    /// The first object of a library that a method calls something on.
    fn called_object(&self, key: FunctionKey, this: &Value, library: LibraryId) -> Option<Rc<LibValue>> {
        let unit = self.unit(key.0)?;
        let env = self.frame_for_this(key, this.clone());
        let body = unit.facts.function(key.1).body;
        let inside = unit.facts.calls.iter().filter(|call| body.holds(unit.facts.span(**call)));
        let mut receivers = inside.filter_map(|call| match unit.facts.expr(*call) {
            Expr::Call { callee, .. } => match unit.facts.expr(*callee) {
                Expr::Member { of, .. } => Some(*of),
                _ => None,
            },
            _ => None,
        });
        receivers.find_map(|of| {
            self.value(Loc { file: key.0, expr: of }, &env).options().iter().find_map(|value| match value {
                Value::Lib(lib) if lib.library == library && lib.path.is_empty() => Some(lib.clone()),
                _ => None,
            })
        })
    }

    /// Whether a call passes on what its method, one of a library's trait, is called with, and nothing in the tree calls that method: the
    /// library does, in a call that counts where it stands.
    pub fn is_called_by_library(&self, at: Loc, library: LibraryId) -> bool {
        let called = || {
            let unit = self.unit(at.file)?;
            let function = unit.facts.function_of(at.expr)?;
            let Owner::Extension(extension) = unit.owner(function)? else { return None };
            let same = unit.call_name(at.expr) == unit.facts.function(function).name.as_deref();
            (same
                && passes_on(unit, at.expr, function)
                && self.is_of_library(at.file, &unit.facts.extensions[extension], library))
            .then_some((at.file, function))
        };
        self.alone(|_| called()).0.is_some_and(|key| self.callers(key).is_empty())
    }
}

/// Whether an argument of a call is a parameter of the function around it.
fn passes_on(unit: &Unit, call: ExprId, function: FunctionId) -> bool {
    let Expr::Call { args, .. } = unit.facts.expr(call) else { return false };
    args.iter().any(|arg| {
        let Expr::Name(name, scope) = unit.facts.expr(arg.value) else { return false };
        let sources = unit.binding(name, *scope).map_or(&[][..], |binding| &unit.facts.bindings[binding.index()].sources);
        sources.iter().any(|source| matches!(source, Source::Param { function: of, .. } if *of == function))
    })
}
