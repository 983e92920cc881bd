//! Classes of the scanned code that extend a class of a library: `class Cache extends Redis`.
//!
//! In: an instance of such a class. Out: the library's object that it is as well, made by the `super(…)` of its constructor, or by the call
//! that makes it where no class has a constructor. What the classes say themselves comes before what the library says.

use std::rc::Rc;

use super::eval::Eval;
use super::instance::{ClassKey, calls_of_super};
use super::value::{Env, Home, Instance, LibValue, Loc, Made, Value};

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

    /// A class as the library's class that it extends: its functions are those of the library, too.
    pub(super) fn extended_class(&self, class: ClassKey) -> Option<Value> {
        let mut lib = (*self.extended(class)?).clone();
        let unit = self.unit(class.0)?;
        let declared = unit.facts.class(class.1);
        let name = declared.name.as_deref().unwrap_or("class");
        lib.unmade = Some(format!("the class `{name}`, of which it is not found what it works with").into());
        lib.class = Some((class.0, class.1, lib.object));
        // What is called on the class configures it.
        let around = unit.facts.scopes[declared.scope.index()].parent;
        let binding = declared.name.as_deref().zip(around).and_then(|(name, scope)| unit.binding(name, scope));
        lib.homes = binding.map(|binding| Home { file: class.0, binding, env: None }).into_iter().collect();
        Some(Value::Lib(Rc::new(lib)))
    }

    /// A method of a class on what the library made of it (`User.findOne()`): it comes before what the library has.
    pub(super) fn own_method(&self, lib: &Rc<LibValue>, name: &str) -> Option<Value> {
        let (file, class, object) = lib.class.filter(|_| lib.path.is_empty())?;
        for class in self.line(file, class) {
            let Some((method, getter)) = self.method(class, name) else { continue };
            if self.unit(method.0)?.facts.function(method.1).is_static != (lib.object == object) {
                continue;
            }
            let this = Value::Lib(lib.clone());
            return Some(if getter {
                self.invoke(method, Vec::new(), Some(this), None, &None, &None)
            } else {
                Value::Function(method.0, method.1, None, Some(Rc::new(this)))
            });
        }
        None
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
        let (found, whole) = self.alone(|_| self.find_extended(instance));
        if whole {
            self.memory().extended.borrow_mut().insert(class, found.clone());
        }
        found
    }

    fn find_extended(&self, instance: &Rc<Instance>) -> Option<Value> {
        let class = (instance.file, instance.class);
        let Value::Lib(lib) = self.extended_class(class)? else { return None };
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
        let own = |(file, class): &ClassKey| self.unit(*file)?.facts.class(*class).constructor();
        let Some((above, constructor)) = line.iter().rev().find_map(|class| Some((*class, own(class)?))) else {
            let Some(Made::Call(at, env)) = &instance.made else { return Vec::new() };
            return self.lib_makes(lib, *at, env).into_iter().collect();
        };
        let env = self.constructor_frame(instance, above, Some(constructor));
        let Some(unit) = self.unit(above.0) else { return Vec::new() };
        let calls = calls_of_super(unit, constructor).map(|expr| Loc { file: above.0, expr });
        calls.filter_map(|at| self.lib_makes(lib, at, &env)).collect()
    }

    fn lib_makes(&self, lib: &Rc<LibValue>, at: Loc, env: &Env) -> Option<Value> {
        let args = self.args_of(at, env);
        self.within(|| self.lib_call(lib, true, &args, at, env)).filter(|made| matches!(made, Value::Lib(_)))
    }

    /// The library's own member of an object, whatever classes of the scanned code add to it (`super.save()`).
    pub(super) fn member_above(&self, of: &Value, name: &str) -> Option<Value> {
        match of {
            Value::Lib(lib) => Some(Value::Lib(Rc::new(lib.with_member(self.program.catalog, name)))),
            _ => None,
        }
    }
}
