//! What the code that makes instances of a class puts into a field, wherever in the tree that is.
//!
//! In: a class and a field. Out: the values that struct literals, calls of classes whose fields have no names, and writes from outside give
//! it. Test code makes nothing that counts, nor does a constructor that nothing uses; what hands the field of another instance of the class
//! on adds nothing. Which of the makers made the instance at hand is not asked here.

use super::FunctionKey;
use super::eval::Eval;
use super::index::{Owner, Unit};
use super::instance::ClassKey;
use super::value::{Loc, Value};
use crate::catalog::schema::Is;
use crate::facts::{Expr, ExprId, Field, Source, Step, TypeRef};
use crate::span::FileId;

impl Eval<'_> {
    /// The field in every maker of a class.
    pub(super) fn made_fields(&self, class: ClassKey, name: &str, values: &mut Vec<Value>) {
        let Some(home) = self.unit(class.0) else { return };
        let Some(word) = home.facts.class(class.1).name.as_deref() else { return };
        let files =
            if self.program.files.modules(class.0).nest() { self.program.files.makers(class.0, word) } else { vec![class.0] };
        let makers: Vec<(FileId, Vec<ExprId>)> = files
            .into_iter()
            .filter_map(|file| Some((file, self.makers_in(file, self.unit(file)?, class, word, name))))
            .collect();
        let used = self.used_makers(class, word, &makers);
        for (file, makers) in makers {
            let Some(unit) = self.unit(file) else { continue };
            self.extension_writes(file, unit, class, name, values);
            for maker in makers {
                let at = Loc { file, expr: maker };
                if used.as_ref().is_some_and(|used| !used.contains(&at)) || self.hands_on(unit, class, at, name) {
                    continue;
                }
                values.extend(match unit.facts.expr(maker) {
                    Expr::Call { .. } => self.tuple_field(at, &None, class, name),
                    _ => self.literal_field(at, &None, name),
                });
            }
        }
    }

    /// The expressions of a file that make instances of a class, outside of test code.
    fn makers_in(&self, file: FileId, unit: &Unit, class: ClassKey, word: &str, name: &str) -> Vec<ExprId> {
        let by_place = name.starts_with(|first: char| first.is_ascii_digit());
        let named = |word| if by_place { unit.calls_named(word) } else { unit.literals_named(word) };
        let makes = |at: &ExprId| {
            let of = match unit.facts.expr(*at) {
                Expr::Call { callee, .. } => *callee,
                Expr::Object { of: Some(of), .. } => *of,
                _ => return false,
            };
            !unit.is_test(unit.facts.expr_scopes[at.index()])
                && matches!(self.value(Loc { file, expr: of }, &None), Value::Class(f, c) if (f, c) == class)
        };
        [word, "Self"].into_iter().flat_map(named).copied().filter(makes).collect()
    }

    /// The makers that something uses; `None` where that makes no difference.
    fn used_makers(&self, class: ClassKey, word: &str, makers: &[(FileId, Vec<ExprId>)]) -> Option<Vec<Loc>> {
        let all: Vec<Loc> =
            makers.iter().flat_map(|(file, makers)| makers.iter().map(|maker| Loc { file: *file, expr: *maker })).collect();
        if all.len() < 2 {
            return None;
        }
        let used: Vec<Loc> = all.iter().copied().filter(|at| !self.stands_in_unused(class, word, *at)).collect();
        (!used.is_empty() && used.len() < all.len()).then_some(used)
    }

    /// Whether a maker stands in a constructor of its class that nothing in the tree names.
    fn stands_in_unused(&self, class: ClassKey, word: &str, at: Loc) -> bool {
        let Some(unit) = self.unit(at.file) else { return false };
        let mut function = unit.facts.function_of(at.expr);
        while let Some(inner) = function.filter(|function| unit.facts.function(*function).name.is_none()) {
            function = unit.around(inner);
        }
        let Some(function) = function else { return false };
        let owner = unit.owner(function);
        // What implements a trait is called through it.
        let by_trait = match owner {
            Some(Owner::Extension(extension)) => unit.facts.extensions[extension].via.is_some(),
            Some(Owner::Class(_)) => true,
            None => false,
        };
        let gives = unit.facts.function(function).returns_type.as_ref().is_some_and(|ty| self.gives(at.file, ty, class));
        let name = unit.facts.function(function).name.as_deref().unwrap_or_default();
        !by_trait && gives && !self.is_spoken_of((at.file, function), name, if owner.is_some() { word } else { name })
    }

    /// Whether a type is a class, or holds one.
    fn gives(&self, file: FileId, ty: &TypeRef, class: ClassKey) -> bool {
        self.class_of_type(file, ty) == Some(class) || ty.args.iter().any(|arg| self.gives(file, arg, class))
    }

    /// Whether code outside of a function and of tests names it: as what is called, or as a value. Only files that hold a word can.
    fn is_spoken_of(&self, key: FunctionKey, name: &str, word: &str) -> bool {
        if let Some(known) = self.named.borrow().get(&key) {
            return *known;
        }
        let names = |file: FileId, unit: &Unit, at: ExprId| {
            let is_name = matches!(unit.facts.expr(at), Expr::Name(text, _) | Expr::Member { name: text, .. } if **text == *name);
            let inside = || file == key.0 && unit.facts.function(key.1).span.holds(unit.facts.span(at));
            is_name
                && !inside()
                && !unit.is_test(unit.facts.expr_scopes[at.index()])
                && self
                    .value(Loc { file, expr: at }, &None)
                    .options()
                    .iter()
                    .any(|option| matches!(option, Value::Function(file, function, ..) if (*file, *function) == key))
        };
        let in_file = |file: FileId| {
            self.unit(file).is_some_and(|unit| (0..unit.facts.exprs.len()).any(|at| names(file, unit, ExprId(at as u32))))
        };
        let files = self.program.files.candidates(key.0, &[word], true);
        // Asked the same way whoever asks: a first look knows what is called.
        let (is_spoken_of, whole) = self.alone(|_| self.at_first_look(|| files.into_iter().any(in_file)));
        if whole {
            self.named.borrow_mut().insert(key, is_spoken_of);
        }
        is_spoken_of
    }

    /// Whether a maker takes the field of another instance of the same class: `Self { http: self.http.clone(), .. }`, `Self { name, ..self }`.
    fn hands_on(&self, unit: &Unit, class: ClassKey, at: Loc, name: &str) -> bool {
        let Expr::Object { fields, .. } = unit.facts.expr(at.expr) else { return false };
        let given = fields.iter().find_map(|field| match field {
            Field::Named(key, value) if **key == *name => Some(*value),
            _ => None,
        });
        let of = match given {
            Some(given) => self.field_taken(unit, at.file, given, name),
            None => fields.iter().find_map(|field| match field {
                Field::Spread(of) => Some(*of),
                _ => None,
            }),
        };
        of.is_some_and(|of| self.is_any_instance(unit, Loc { file: at.file, expr: of }, class))
    }

    /// The object whose field of that name an expression is, as it is or as a copy of it.
    fn field_taken(&self, unit: &Unit, file: FileId, given: ExprId, name: &str) -> Option<ExprId> {
        let copies = |method: &str| self.rules_of_any(file, method).any(|rule| rule.is == Is::Same);
        match unit.facts.expr(given) {
            Expr::Member { of, name: taken } if **taken == *name => Some(*of),
            Expr::Through(of) => self.field_taken(unit, file, *of, name),
            Expr::Call { callee, args, .. } => match (unit.facts.expr(*callee), args.as_slice()) {
                (Expr::Member { of, name: method }, []) if copies(method) => self.field_taken(unit, file, *of, name),
                (Expr::Member { name: method, .. }, [one]) if &**method == "clone" => {
                    self.field_taken(unit, file, one.value, name)
                }
                _ => None,
            },
            Expr::Name(text, scope) => {
                let binding = unit.binding(text, *scope)?;
                match unit.facts.bindings[binding.index()].sources.as_slice() {
                    [Source::Part { of, path, .. }] => match path.as_slice() {
                        [Step::Name(taken)] if **taken == *name => Some(*of),
                        _ => None,
                    },
                    [Source::Value(value)] => self.field_taken(unit, file, *value, name),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a name is an instance of a class of which nobody says how it was made.
    fn is_any_instance(&self, unit: &Unit, at: Loc, class: ClassKey) -> bool {
        let is_name = match unit.facts.expr(at.expr) {
            Expr::This | Expr::Name(..) => true,
            Expr::Through(of) => return self.is_any_instance(unit, Loc { file: at.file, expr: *of }, class),
            _ => false,
        };
        let any = |value: &Value| matches!(value, Value::Instance(instance) if (instance.file, instance.class) == class && instance.made.is_none());
        is_name && self.value(at, &None).options().iter().all(any)
    }
}
