//! What a dependency injector hands to a class: an object that no code constructs, but that an object literal which lists the class
//! takes in.
//!
//! In: a library's object of which only the type is known, and the class whose field holds it. Out: the objects that the containers of
//! that class take in, themselves or through the classes whose containers hand it on. It knows what a container looks like from the
//! catalog's `[[container]]`.

use std::rc::Rc;

use super::eval::Eval;
use super::instance::ClassKey;
use super::value::{Layer, LibValue, Loc, Rule, Value};
use super::{Lookup, Roles};
use crate::catalog::{Container, MODULE};
use crate::facts::{ClassId, Expr, ExprId, Field};

/// How many containers hand an object on from one to the next.
const LONGEST_WAY: u32 = 6;

impl Eval<'_> {
    /// The objects that the containers of a class hand to it; the object itself where no container is found, or one takes none in. None where
    /// no container hands out such objects.
    pub(super) fn handed_over(&self, lib: &LibValue, class: ClassKey) -> Rc<[Rc<LibValue>]> {
        let containers = &self.program.catalog.library(lib.library).containers;
        let is_asked = containers.iter().any(|container| container.gives == lib.object);
        if !is_asked || lib.unmade.is_none() || !lib.layers.is_empty() || !lib.path.is_empty() || self.is_first_look() {
            return Rc::default();
        }
        let key = (lib.library, lib.object, class);
        if let Some(known) = self.memory().handed.borrow().get(&key) {
            return known.clone();
        }
        let (taken, whole) = self.alone(|_| {
            let mut taken = Vec::new();
            for container in containers.iter().filter(|container| container.gives == lib.object) {
                let literals = self.containers_of(container, class);
                let found = literals.iter().map(|literal| self.taken_in_by(lib, container, Some(*literal)));
                taken.extend(found.flatten());
                if literals.is_empty() {
                    taken.extend(self.taken_in_by(lib, container, None));
                }
            }
            taken
        });
        let taken: Rc<[Rc<LibValue>]> = taken.into();
        if whole {
            self.memory().handed.borrow_mut().insert(key, taken.clone());
        }
        taken
    }

    /// What one container of a class takes in, or any that is found nowhere: what is handed to all of them, else an object of which nothing
    /// is known.
    fn taken_in_by(&self, lib: &LibValue, container: &Container, literal: Option<Loc>) -> Vec<Rc<LibValue>> {
        let mut taken = Vec::new();
        if let Some(literal) = literal {
            self.take_in(lib, container, &self.value(literal, &None), 0, &mut taken);
        }
        if taken.is_empty() {
            self.take_from_everywhere(lib, container, &mut taken);
        }
        if taken.is_empty() {
            let object = self.program.catalog.library(lib.library).object(lib.object);
            let name = object.types.first().map_or_else(|| object.name.to_string(), |path| path.join("."));
            let unmade = Some(format!("a `{name}` whose module is not found").into());
            taken.push(Rc::new(LibValue { unmade, ..lib.clone() }));
        }
        taken
    }

    /// What the containers hand on that hand it to all others.
    fn take_from_everywhere(&self, lib: &LibValue, container: &Container, taken: &mut Vec<Rc<LibValue>>) {
        let Some(everywhere) = container.table.everywhere.as_deref() else { return };
        for file in self.program.files.holders(everywhere) {
            let Some(unit) = self.unit(file) else { continue };
            for (at, class) in unit.facts.classes.iter().enumerate() {
                let is_it = |decorator: &ExprId| unit.call_name(*decorator) == Some(everywhere);
                if !class.decorators.iter().any(is_it) {
                    continue;
                }
                for literal in self.literals_of(&Value::Class(file, ClassId(at as u32))) {
                    self.take_on(lib, container, &literal, 0, taken);
                }
            }
        }
    }

    /// The object literals that list a class, or one that extends it, among those that they hand an object to.
    fn containers_of(&self, container: &Container, class: ClassKey) -> Vec<Loc> {
        let keys: Vec<&str> = container.table.holds.iter().map(String::as_str).collect();
        let mut found = Vec::new();
        for file in self.program.files.candidates(class.0, &keys, true) {
            let Some(unit) = self.unit(file) else { continue };
            for (at, expr) in unit.facts.exprs.iter().enumerate() {
                let Expr::Object { fields, .. } = expr else { continue };
                let lists = |field: &Field| match field {
                    Field::Named(key, value) if keys.contains(&&**key) => {
                        self.lists(container, &self.value(Loc { file, expr: *value }, &None), class)
                    }
                    _ => false,
                };
                if fields.iter().any(lists) {
                    found.push(Loc { file, expr: ExprId(at as u32) });
                }
            }
        }
        found
    }

    /// Whether a list names a class, itself or as what an entry gives.
    fn lists(&self, container: &Container, list: &Value, class: ClassKey) -> bool {
        let is_it = |value: &Value| match value {
            Value::Class(file, id) => self.line(*file, *id).contains(&class),
            Value::Instance(made) => self.line(made.file, made.class).contains(&class),
            _ => false,
        };
        let built = |element: &Value, key: &String| {
            let under = self.under(element, key).into_iter();
            under.map(|value| self.result_of(&value).unwrap_or(value)).any(|value| value.options().iter().any(is_it))
        };
        self.elements(list).iter().any(|element| {
            is_it(element)
                || matches!(element, Value::Object(_))
                    && (self.under(element, &container.table.class).iter().flat_map(Value::options).any(is_it)
                        || container.table.builds.iter().any(|key| built(element, key)))
        })
    }

    /// What a container takes in.
    fn take_in(&self, lib: &LibValue, container: &Container, literal: &Value, depth: u32, taken: &mut Vec<Rc<LibValue>>) {
        for list in self.under(literal, &container.table.takes) {
            let Value::List(items) = &list else { continue };
            for item in items.iter() {
                for option in self.bound(item).options() {
                    match option {
                        Value::Lib(given) if is_bare(given, lib, container) => {
                            let (super::Bound::Thunk(at, env) | super::Bound::Named(_, at, env)) = item else { continue };
                            let mut bare =
                                LibValue { unmade: None, object: container.gives, path: Vec::new(), ..(**given).clone() };
                            bare.layers.push(Layer {
                                at: *at,
                                env: env.clone(),
                                rule: Rule::Make(container.make),
                                object: container.gives,
                                library: lib.library,
                                roles: Roles::default(),
                            });
                            taken.push(Rc::new(bare));
                        }
                        Value::Lib(given) if is_made(given, lib, container) => taken.push(given.clone()),
                        other => {
                            for inner in self.literals_of(other) {
                                self.take_on(lib, container, &inner, depth + 1, taken);
                            }
                        }
                    }
                }
            }
        }
    }

    /// What a container that another one takes in hands on to it.
    fn take_on(&self, lib: &LibValue, container: &Container, literal: &Value, depth: u32, taken: &mut Vec<Rc<LibValue>>) {
        if depth > LONGEST_WAY {
            self.cut_short();
            return;
        }
        for element in self.under(literal, &container.table.hands_on).iter().flat_map(|list| self.elements(list)) {
            match &element {
                Value::Lib(given) if is_bare(given, lib, container) || is_made(given, lib, container) => {
                    self.take_in(lib, container, literal, depth, taken);
                }
                other => {
                    for inner in self.literals_of(other) {
                        self.take_on(lib, container, &inner, depth + 1, taken);
                    }
                }
            }
        }
    }

    /// The container that a value is, or that decorates it.
    pub(super) fn literals_of(&self, value: &Value) -> Vec<Value> {
        match value {
            Value::Object(_) => vec![value.clone()],
            Value::Class(file, class) => {
                let Some(unit) = self.unit(*file) else { return Vec::new() };
                let decorators = unit.facts.class(*class).decorators.iter();
                let arguments = decorators.filter_map(|decorator| match unit.facts.expr(*decorator) {
                    Expr::Call { args, .. } => args.first().map(|arg| self.value(Loc { file: *file, expr: arg.value }, &None)),
                    _ => None,
                });
                arguments.filter(|value| matches!(value, Value::Object(_))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The values under a key.
    pub(super) fn under(&self, of: &Value, key: &str) -> Vec<Value> {
        let found = self.lookup(of, &[key.into()], &None).into_iter();
        found.filter_map(|lookup| if let Lookup::Found { value, .. } = lookup { Some(value) } else { None }).collect()
    }

    /// The elements of a list.
    pub(super) fn elements(&self, list: &Value) -> Vec<Value> {
        let lists = list.options().iter().filter_map(|option| if let Value::List(items) = option { Some(items) } else { None });
        lists.flat_map(|items| items.iter()).flat_map(|item| self.bound(item).options().to_vec()).collect()
    }
}

/// Whether a value is what stands for a container's object without any configuration.
fn is_bare(given: &LibValue, lib: &LibValue, container: &Container) -> bool {
    given.library == lib.library && given.object == MODULE && given.layers.is_empty() && given.path == container.bare
}

/// Whether a value is a container's object with the call that made it.
fn is_made(given: &LibValue, lib: &LibValue, container: &Container) -> bool {
    given.library == lib.library && given.object == container.gives && given.path.is_empty() && !given.layers.is_empty()
}
