//! Classes of the scanned code that extend a class of a library: `class Cache extends Redis`.
//!
//! In: an instance of such a class. Out: the library's object that it is as well, made by the `super(…)` of its constructor, or by the call
//! that makes it where no class has a constructor. What the classes say themselves comes before what the library says.

use std::rc::Rc;

use super::eval::Eval;
use super::instance::ClassKey;
use super::value::{Env, Instance, LibValue, Loc, Made, Value};
use crate::facts::{Expr, ExprId, FunctionId};

impl Eval<'_> {
    /// What a library has of a class that extends one of its own: the package's member that is extended.
    pub(super) fn extended(&self, class: ClassKey) -> Option<Rc<LibValue>> {
        let line = self.line(class.0, class.1);
        let (file, top) = *line.last()?;
        let extends = self.unit(file)?.facts.class(top).extends?;
        self.value(Loc { file, expr: extends }, &None).options().iter().find_map(|value| match value {
            Value::Lib(lib) => Some(lib.clone()),
            _ => None,
        })
    }

    /// The library's object that an instance is as well.
    pub fn as_extended(&self, instance: &Rc<Instance>) -> Option<Value> {
        if instance.made.is_some() {
            return self.find_extended(instance);
        }
        let class = (instance.file, instance.class);
        if let Some(known) = self.memory().extended.borrow().get(&class) {
            return known.clone();
        }
        let mut found = None;
        if self.uncut(|| found = self.find_extended(instance)) {
            self.memory().extended.borrow_mut().insert(class, found.clone());
        }
        found
    }

    fn find_extended(&self, instance: &Rc<Instance>) -> Option<Value> {
        let class = (instance.file, instance.class);
        let lib = self.extended(class)?;
        let made = match instance.made {
            Some(_) => self.made_as_extended(&lib, instance),
            None => {
                let made = self.constructions(class);
                let calls = made.iter().map(|at| Some(Made::Call(*at, None)));
                let ways = calls.chain(made.is_empty().then_some(None));
                let each =
                    ways.flat_map(|made| self.made_as_extended(&lib, &Rc::new(Instance { file: class.0, class: class.1, made })));
                each.collect()
            }
        };
        let objects: Vec<Value> = made.into_iter().filter(|value| matches!(value, Value::Lib(_))).collect();
        if !objects.is_empty() {
            return Some(Value::any(objects));
        }
        match self.as_type(Value::Lib(lib)) {
            Value::Lib(lib) if lib.unmade.is_some() => Some(Value::Lib(lib)),
            _ => None,
        }
    }

    /// What the library makes where an instance is made.
    fn made_as_extended(&self, lib: &Rc<LibValue>, instance: &Rc<Instance>) -> Vec<Value> {
        let line = self.line(instance.file, instance.class);
        let own = |(file, class): &ClassKey| {
            let methods = &self.unit(*file)?.facts.class(*class).methods;
            methods.iter().find(|method| &*method.name == "constructor").map(|method| method.function)
        };
        let Some((above, constructor)) = line.iter().rev().find_map(|class| Some((*class, own(class)?))) else {
            let Some(Made::Call(at, env)) = &instance.made else { return Vec::new() };
            return self.lib_makes(lib, *at, env).into_iter().collect();
        };
        let env = self.constructor_frame(instance, above, Some(constructor));
        self.calls_of_super(above, constructor).into_iter().filter_map(|at| self.lib_makes(lib, at, &env)).collect()
    }

    fn calls_of_super(&self, (file, _): ClassKey, constructor: FunctionId) -> Vec<Loc> {
        let Some(unit) = self.unit(file) else { return Vec::new() };
        let is_it = |call: &&ExprId| {
            let Expr::Call { callee, .. } = unit.facts.expr(**call) else { return false };
            matches!(unit.facts.expr(*callee), Expr::Super) && unit.facts.function_of(**call) == Some(constructor)
        };
        unit.facts.calls.iter().filter(is_it).map(|call| Loc { file, expr: *call }).collect()
    }

    fn lib_makes(&self, lib: &Rc<LibValue>, at: Loc, env: &Env) -> Option<Value> {
        let args = self.args_of(at, env);
        self.within(|| self.lib_call(lib, true, &args, at, env)).filter(|made| matches!(made, Value::Lib(_)))
    }
}
