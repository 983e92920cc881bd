//! What an expression stands for, followed through names, files, objects and calls.
//!
//! In: an expression and the calls around it ([`Env`]). Out: a [`Value`]. Every loss of knowledge is an [`Value::Opaque`] with its
//! reason. It never guesses, never loops: depth and effort are bounded, and a value that leads to itself is not known.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::asking::{Asked, Effort, TOO_MANY};
use super::frames::Frames;
use super::index::{Owner, Unit};
use super::memory::{Framed, Known, Memory, Named, address};
use super::value::{Bound, Env, Frame, Instance, Loc, Made, Number, Object, Part, Value};
use super::{FunctionKey, Program};
use crate::facts::{Binary, BindingId, Expr, ExprId, Field, FunctionId, Step};
use crate::span::FileId;

/// An evaluator of one thread. It remembers what does not depend on the calls around.
pub struct Eval<'p> {
    /// The program it asks.
    pub program: &'p Program<'p>,
    /// What whole looks found out.
    pub(super) whole: Memory,
    /// What first looks found out.
    pub(super) first: Memory,
    pub(super) asking: Asked<FunctionKey>,
    /// Objects that are being looked into because they are spread into others.
    pub(super) spreading: Asked<(Loc, *const Frame)>,
    /// Classes whose constructions are being asked for.
    pub(super) asking_constructions: Asked<super::instance::ClassKey>,
    /// What modules mean in a file.
    pub(super) resolved: Known<(FileId, Box<str>), super::exports::Meaning>,
    /// Abstract classes whose implementations are being asked for.
    pub(super) implementing: Asked<super::instance::ClassKey>,
    /// Functions whose callers are being asked for.
    pub(super) calling: Asked<FunctionKey>,
    /// Versions that were looked up.
    pub(super) versions: Known<(FileId, Rc<str>), Option<node_semver::Version>>,
    /// Points in time whose moves are being asked for.
    pub(super) moving: Asked<(FileId, BindingId)>,
    /// Files that may declare methods by a name.
    pub(super) declaring: Known<(FileId, Box<str>), Rc<[FileId]>>,
    /// Fields of instances made in any way that are being asked for.
    pub(super) fields: Asked<(FileId, crate::facts::ClassId, Box<str>)>,
    /// Constructors, and whether anything names them.
    pub(super) named: Known<FunctionKey, bool>,
    /// It is a first look: parameters are not followed to the calls that fill them, and written types are trusted.
    shallow: Cell<bool>,
    /// The files that a first look enters; all, if none are said.
    entered: Option<Arc<FxHashSet<FileId>>>,
    /// Texts are followed as far as they are known: see [`Eval::of_texts`].
    pub(super) of_texts: bool,
    /// How far the current question went.
    pub(super) effort: Effort,
    /// The calls that evaluations stand in.
    pub(super) frames: Frames,
    /// Names that are being asked for, outermost first.
    naming: RefCell<Vec<Named>>,
}

impl<'p> Eval<'p> {
    /// An evaluator over a program.
    pub fn new(program: &'p Program<'p>) -> Self {
        Self {
            program,
            whole: Memory::default(),
            first: Memory::default(),
            asking: RefCell::default(),
            spreading: RefCell::default(),
            asking_constructions: RefCell::default(),
            fields: RefCell::default(),
            named: RefCell::default(),
            moving: RefCell::default(),
            declaring: RefCell::default(),
            resolved: RefCell::default(),
            versions: RefCell::default(),
            implementing: RefCell::default(),
            calling: RefCell::default(),
            shallow: Cell::new(false),
            entered: None,
            of_texts: false,
            effort: Effort::default(),
            frames: Frames::default(),
            naming: RefCell::default(),
        }
    }

    /// The same, where a first look enters no other files than these: what comes out of any other file is not followed.
    #[must_use]
    pub fn entering(mut self, files: Arc<FxHashSet<FileId>>) -> Self {
        self.entered = Some(files);
        self
    }

    /// Whether the current look goes into a file.
    pub(super) fn enters(&self, file: FileId) -> bool {
        !self.shallow.get() || self.entered.as_ref().is_none_or(|entered| entered.contains(&file))
    }

    /// Takes a first look: parameters are not followed to the calls that fill them, and in languages where types say what a value is,
    /// they are trusted. What a first look says of a client's limits is not the whole truth; whether it is a client, it knows.
    pub fn at_first_look<T>(&self, look: impl FnOnce() -> T) -> T {
        let before = self.shallow.replace(true);
        let seen = look();
        self.shallow.set(before);
        seen
    }

    /// Whether this is a first look.
    pub(super) fn is_first_look(&self) -> bool {
        self.shallow.get()
    }

    /// What this kind of look remembers.
    pub(super) fn memory(&self) -> &Memory {
        if self.shallow.get() { &self.first } else { &self.whole }
    }

    /// Asks for a name. A name that leads to itself (`options = { ...options, url }`) is taken as far as it is known there: what it was
    /// first, and what became of that.
    pub(super) fn by_name(&self, key: (FileId, BindingId), env: &Env, sources: impl Iterator<Item = Value>) -> Value {
        let key = (key.0, key.1, address(env), self.shallow.get());
        let asked =
            self.naming.borrow().iter().find(|named| named.key == key).map(|named| (named.question, named.so_far.clone()));
        if let Some((question, so_far)) = asked {
            self.lean_on(question);
            return so_far.unwrap_or_else(|| Value::opaque("itself"));
        }
        let (named, _) = self.question(|question| {
            let index = self.naming.borrow().len();
            self.naming.borrow_mut().push(Named { key, question, so_far: None });
            for source in sources {
                if let Some(named) = self.naming.borrow_mut().get_mut(index) {
                    named.so_far = Some(Value::any(named.so_far.take().into_iter().chain([source])));
                }
            }
            self.naming.borrow_mut().pop()
        });
        named.and_then(|named| named.so_far).unwrap_or(Value::Undefined)
    }

    /// A file's unit.
    pub fn unit(&self, file: FileId) -> Option<&'p Unit> {
        self.program.files.unit(file)
    }

    /// What an expression stands for.
    pub fn value(&self, at: Loc, env: &Env) -> Value {
        match env {
            None => self.open_value(at),
            Some(_) => self.framed_value(at, env),
        }
    }

    /// What an expression stands for whatever the calls around it.
    fn open_value(&self, at: Loc) -> Value {
        let memory = self.memory();
        if let Some(known) = self.known(at) {
            return known;
        }
        let names = self.naming.borrow().len();
        let busy = memory.busy.borrow().get(&at).copied();
        if let Some((_, question)) = busy.filter(|(before, _)| *before == names) {
            self.lean_on(question);
            return Value::opaque("itself");
        }
        let (mut leaning, mut levels) = (None, None);
        let (value, whole) = self.aside(|question| {
            memory.busy.borrow_mut().insert(at, (names, question));
            let value = self.one_more(|| self.as_cast(at, self.compute(at, &None)));
            match busy {
                Some(before) => drop(memory.busy.borrow_mut().insert(at, before)),
                None => drop(memory.busy.borrow_mut().remove(&at)),
            }
            (leaning, levels) = (self.leaning(), Some(self.levels()));
            value.unwrap_or_else(|| Value::opaque(TOO_MANY))
        });
        match (whole, leaning, levels) {
            (true, _, Some(levels)) if !levels.are_all() => {
                memory.leveled.borrow_mut().entry(at).or_default().push((levels, value.clone()));
            }
            (true, ..) => drop(memory.values.borrow_mut().insert(at, value.clone())),
            (false, Some(leaning), Some(levels)) => {
                memory.leaning.borrow_mut().insert(at, (leaning, levels, value.clone()));
            }
            _ => {}
        }
        value
    }

    /// What was found out about an expression, whatever the calls around it.
    fn known(&self, at: Loc) -> Option<Value> {
        let memory = self.memory();
        if let Some(known) = memory.values.borrow().get(&at) {
            return Some(known.clone());
        }
        let here = memory
            .leveled
            .borrow()
            .get(&at)
            .and_then(|known| known.iter().find(|(levels, _)| self.holds(*levels)).map(|(_, value)| value.clone()));
        here.or_else(|| {
            let leaning = memory.leaning.borrow();
            let (_, _, value) = leaning.get(&at).filter(|(leaning, levels, _)| self.leans(*leaning) && self.holds(*levels))?;
            Some(value.clone())
        })
    }

    /// What an expression stands for in the calls around it.
    fn framed_value(&self, at: Loc, env: &Env) -> Value {
        let memory = self.memory();
        let depth = self.depth();
        let key = (at, address(env));
        if let Some(known) = memory.framed.borrow().get(&key).filter(|known| self.is_known_here(known, depth)) {
            return known.value.clone();
        }
        let mut found = None;
        let (value, _) = self.question(|_| {
            let value = self.within_bounds(|| self.as_cast(at, self.compute(at, env)));
            found = Some((self.levels(), self.leaning(), self.is_cut().then_some(depth)));
            value
        });
        if let Some((levels, leaning, cut_at)) = found {
            let leaning = leaning.filter(|leaning| self.leans(*leaning));
            let known = Framed { levels, leaning, cut_at, value: value.clone() };
            memory.framed.borrow_mut().insert(key, known);
        }
        value
    }

    /// Whether what was found out before is what is found out here.
    fn is_known_here(&self, known: &Framed, depth: u32) -> bool {
        if known.cut_at.is_some_and(|cut_at| cut_at > depth) || !known.leaning.is_none_or(|leaning| self.leans(leaning)) {
            return false;
        }
        if known.cut_at.is_some() {
            self.cut_short();
        }
        self.holds(known.levels)
    }

    /// A value of which nothing is known, as the type that the code says it has.
    fn as_cast(&self, at: Loc, value: Value) -> Value {
        if !matches!(value, Value::Opaque(_) | Value::Undefined) {
            return value;
        }
        let Some(unit) = self.unit(at.file) else { return value };
        let cast = unit.facts.casts_of(at.expr).find_map(|ty| self.typed(at.file, ty));
        cast.map(|cast| cast.known_by_type(value.reason())).unwrap_or(value)
    }

    fn compute(&self, at: Loc, env: &Env) -> Value {
        let Some(unit) = self.unit(at.file) else { return Value::opaque("a file that could not be read") };
        let here = |expr: ExprId| Loc { file: at.file, expr };
        match unit.facts.expr(at.expr) {
            Expr::Number(number) => Value::Number(Number::constant(*number)),
            Expr::Text(text) => Value::Text(Rc::from(&**text)),
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Null => Value::Null,
            Expr::Undefined => Value::Undefined,
            Expr::Name(name, scope) => self.name(at.file, unit, name, *scope, env),
            Expr::This => self.this(at.file, unit, unit.facts.expr_scopes[at.expr.index()], env),
            Expr::Super => match self.this(at.file, unit, unit.facts.expr_scopes[at.expr.index()], env) {
                Value::Instance(instance) => {
                    let base = self.base_class(instance.file, instance.class);
                    base.map_or_else(
                        || {
                            let extended = self.as_extended(&instance);
                            extended.unwrap_or_else(|| Value::opaque("a base class that is not in the tree"))
                        },
                        |(file, class)| Value::Super(Rc::new(Instance { file, class, made: instance.made.clone() })),
                    )
                }
                Value::Class(file, class) => {
                    let owner = unit.method_around(unit.facts.expr_scopes[at.expr.index()]).map(|(_, owner)| owner);
                    let (home, above) = if let Some(Owner::Class(owner)) = owner { (at.file, owner) } else { (file, class) };
                    let base = self.base_class(home, above).map(|(file, class)| Value::Class(file, class));
                    let extended = || self.extended_class((file, class));
                    base.or_else(extended).unwrap_or(Value::Class(file, class))
                }
                other => other,
            },
            Expr::Member { of, name } => {
                let whole = self.value(here(*of), env);
                let beside = || self.exported_beside(at.file, unit, *of, &whole, name);
                let field = self.field_not_called(unit, at.expr, &whole, name).or_else(beside);
                let is_above = matches!(unit.facts.expr(*of), Expr::Super);
                let above = || self.member_above(&whole, name).filter(|_| is_above);
                let value = field.or_else(above).unwrap_or_else(|| self.member(&whole, name, env));
                let value = self.or_typed_member(at.file, unit, *of, name, value);
                self.with_outer_writes(at.file, unit, *of, &whole, name, value)
            }
            Expr::Index { of, key } => self.element(&self.value(here(*of), env), here(*key), env),
            Expr::Call { .. } => self.text_call(at, unit, env).unwrap_or_else(|| self.call(at, env)),
            Expr::Object { of, fields } => self.object_literal(at, env, *of, fields),
            Expr::List(items) => Value::List(self.bind_args(at.file, items, env).into()),
            Expr::Join(parts) if self.of_texts => self.put_together(at.file, unit, parts, env),
            Expr::Join(parts) => self.join(at.file, parts, env),
            Expr::Binary { op: Binary::Add, left, right } if self.of_texts => self.added(at.file, unit, [*left, *right], env),
            Expr::Binary { op, left, right } => {
                self.arithmetic(*op, &self.value(here(*left), env), &self.value(here(*right), env))
            }
            Expr::Negate(of) => self.negate(&self.value(here(*of), env)),
            Expr::Not(of) => super::branches::not(&self.value(here(*of), env)),
            Expr::Equal { left, right, loose } => {
                super::branches::equal(&self.value(here(*left), env), &self.value(here(*right), env), *loose)
            }
            Expr::Either { kind, test, options } => self.either(*kind, test.map(here), options.iter().map(|id| here(*id)), env),
            Expr::Function(function) => {
                let block = unit.facts.function(*function);
                if block.is_block {
                    return Value::any(block.returns.iter().map(|value| self.value(here(*value), env)));
                }
                Value::Function(at.file, *function, env.clone(), None)
            }
            Expr::Class(class) => Value::Class(at.file, *class),
            Expr::Await(of) | Expr::Through(of) => self.value(here(*of), env),
            Expr::Sequence(parts) => parts.last().map_or(Value::Undefined, |last| self.value(here(*last), env)),
            Expr::Opaque { reason, .. } => Value::opaque(*reason),
        }
    }

    /// A field of an instance, with what is written to it through the variable that holds the instance; a member of the global object,
    /// with what the file writes to it.
    fn with_outer_writes(&self, file: FileId, unit: &Unit, of: ExprId, whole: &Value, name: &str, value: Value) -> Value {
        let Expr::Name(variable, scope) = unit.facts.expr(of) else { return value };
        if !matches!(whole, Value::Instance(_)) && !self.is_unlisted(&value) {
            return value;
        }
        let writes: Vec<&crate::facts::Write> = match unit.binding(variable, *scope) {
            Some(binding) => unit.writes_to(binding).iter().map(|at| &unit.facts.writes[*at]).collect(),
            None => unit.writes_to_undeclared(variable).collect(),
        };
        let written = writes.into_iter().filter(|write| matches!(write.path.as_slice(), [Step::Name(first)] if **first == *name));
        let written: Vec<Value> = written.map(|write| self.value(Loc { file, expr: write.value }, &None)).collect();
        if written.is_empty() { value } else { Value::any(std::iter::once(value).chain(written)).present() }
    }

    fn object_literal(&self, at: Loc, env: &Env, of: Option<ExprId>, fields: &[Field]) -> Value {
        if let Some(of) = of
            && let Value::Class(file, class) = self.value(Loc { file: at.file, expr: of }, env)
        {
            return Value::Instance(Rc::new(Instance { file, class, made: Some(Made::Literal(at, env.clone())) }));
        }
        let here = |expr: ExprId| Loc { file: at.file, expr };
        let parts = fields.iter().map(|field| match field {
            Field::Named(key, value) => Part::Field(key.clone(), here(*value), env.clone()),
            Field::Spread(value) => Part::Spread(here(*value), env.clone()),
            Field::Computed(key, value) => match self.value(here(*key), env) {
                Value::Text(key) => Part::Field(Box::from(&*key), here(*value), env.clone()),
                _ => Part::Field(Box::from("[computed]"), here(*value), env.clone()),
            },
        });
        Value::Object(Rc::new(Object { parts: parts.collect(), at }))
    }

    fn join(&self, file: FileId, parts: &[ExprId], env: &Env) -> Value {
        let mut text = String::new();
        for part in parts {
            match self.value(Loc { file, expr: *part }, env) {
                Value::Text(known) => text.push_str(&known),
                Value::Number(Number { value: Some(number), .. }) => text.push_str(&number.to_string()),
                other => {
                    return Value::opaque(other.reason().unwrap_or_else(|| "a text that is put together at run time".into()));
                }
            }
        }
        Value::Text(text.into())
    }

    /// What a parameter is bound to.
    pub fn bound(&self, bound: &Bound) -> Value {
        match bound {
            Bound::Thunk(at, env) | Bound::Named(_, at, env) => self.value(*at, env),
            Bound::Value(value) => value.clone(),
            Bound::Spread(at, env) => match self.value(*at, env) {
                Value::List(items) => self.within_bounds(|| self.items(&items)),
                Value::Elements(each, _) => (*each).clone(),
                other => other,
            },
        }
    }

    /// The frame of a call of a function.
    pub fn frame(
        &self,
        key: FunctionKey,
        args: Vec<Bound>,
        this: Option<Value>,
        call: Option<Loc>,
        caller: &Env,
        outer: &Env,
    ) -> Env {
        let (caller, outer) = (caller.clone(), outer.clone());
        Some(self.frames.one(Frame { file: key.0, function: key.1, args, this, call, caller, outer }))
    }

    /// The frame in an environment that belongs to a function.
    pub fn frame_of(env: &Env, file: FileId, function: FunctionId) -> Option<&Rc<Frame>> {
        let mut at = env.as_ref();
        while let Some(frame) = at {
            if frame.file == file && frame.function == function {
                return Some(frame);
            }
            at = frame.outer.as_ref();
        }
        None
    }
}
