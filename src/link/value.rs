//! What an expression may stand for when the program runs, as far as the text tells.
//!
//! In: nothing. Out: [`Value`] and what it is made of. Values are cheap to copy and never leave the thread that made them.

use std::rc::Rc;

use crate::catalog::{LibraryId, ObjectId};
use crate::facts::{BindingId, ClassId, ExprId, FunctionId, ScopeId};
use crate::finding::Origin;
use crate::span::FileId;

/// An expression of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loc {
    /// The file.
    pub file: FileId,
    /// The expression.
    pub expr: ExprId,
}

/// The calls around an evaluation, innermost first: what parameters are bound to. `None`: any call.
pub type Env = Option<Rc<Frame>>;

/// One call of a function of the scanned code.
#[derive(Debug)]
pub struct Frame {
    /// The function's file.
    pub file: FileId,
    /// The function.
    pub function: FunctionId,
    /// Its arguments.
    pub args: Vec<Bound>,
    /// The object it is called on.
    pub this: Option<Value>,
    /// The call.
    pub call: Option<Loc>,
    /// What the caller's own parameters are bound to.
    pub caller: Env,
    /// What the parameters of the functions around this one are bound to.
    pub outer: Env,
}

/// What a parameter is bound to.
#[derive(Debug, Clone)]
pub enum Bound {
    /// The value of an expression of the caller.
    Thunk(Loc, Env),
    /// A value.
    Value(Value),
    /// All elements of a value, from here on.
    Spread(Loc, Env),
    /// An argument passed by name.
    Named(Box<str>, Loc, Env),
}

/// Why a value is not known; completes "it comes from …".
pub type Reason = Rc<str>;

/// What an expression may stand for.
#[derive(Debug, Clone)]
pub enum Value {
    /// A number.
    Number(Number),
    /// A length of time.
    Duration(Number),
    /// A point in time, this long (milliseconds) from now.
    Instant(Number),
    /// A text, as far as it is known: `None` parts are not.
    Text(Rc<str>),
    /// `true` or `false`.
    Bool(bool),
    /// No value, on purpose.
    Null,
    /// Not given.
    Undefined,
    /// An environment variable.
    Env(Rc<str>),
    /// A text of which not everything is known; only evaluators of texts give it.
    Parts(Rc<[crate::finding::Part]>),
    /// An object literal.
    Object(Rc<Object>),
    /// A list.
    List(Rc<[Bound]>),
    /// A collection of any size, by what each of its elements is.
    Elements(Rc<Self>, Through),
    /// A function of the scanned code, with what is around it.
    Function(FileId, FunctionId, Env, Option<Rc<Value>>),
    /// A class of the scanned code.
    Class(FileId, ClassId),
    /// An instance of a class of the scanned code.
    Instance(Rc<Instance>),
    /// The base class's part of an instance.
    Super(Rc<Instance>),
    /// A file as a module.
    Module(FileId),
    /// A module that has no file, by its path in the file that names it.
    Folder(FileId, Rc<str>),
    /// A module inside a file.
    Inner(FileId, ScopeId),
    /// Something of a client library.
    Lib(Rc<LibValue>),
    /// Something that aborts after a time.
    Signal(Number),
    /// Something that aborts when any of these does.
    AnySignal(Rc<[Value]>),
    /// What aborts a signal; the signal itself when `is_signal`.
    Canceller {
        /// Where it was made.
        made: Loc,
        /// What the names of the function that made it are bound to.
        env: Env,
        /// Whether it is the signal of it.
        is_signal: bool,
    },
    /// A promise or future that is done after a time.
    Sleep(Number),
    /// A timer that was set.
    Timer(Loc),
    /// One of several.
    Any(Rc<[Value]>),
    /// Not known.
    Opaque(Reason),
}

/// How a collection is gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Through {
    /// Whether that gives pairs of a key and an element.
    pub keyed: bool,
    /// Whether it is begun: then functions are given elements, else they are given the collection (`option.map(f)`).
    pub begun: bool,
}

impl Through {
    /// A collection that is held.
    pub const HELD: Self = Self { keyed: false, begun: false };
    /// A collection that is held by keys.
    pub const BY_KEY: Self = Self { keyed: true, begun: false };
}

/// A number, or one that is not known but is there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The number; for durations, instants, signals and sleeps in milliseconds. `None`: known at run time alone.
    pub value: Option<f64>,
    /// How it is known.
    pub origin: Origin,
    /// The argument it was passed as, in the outermost call it came through.
    pub through: Option<Loc>,
    /// What its name says about its unit.
    pub hint: Option<Hint>,
}

/// What a name says about the unit of its value: `…_MS`, `…Seconds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
}

impl Number {
    /// A number that is written in the code.
    pub const fn constant(value: f64) -> Self {
        Self { value: Some(value), origin: Origin::Constant, through: None, hint: None }
    }

    /// A number that is known at run time alone.
    pub const fn dynamic() -> Self {
        Self { value: None, origin: Origin::Dynamic, through: None, hint: None }
    }
}

/// An object literal with what was spread into it and written to it later.
#[derive(Debug)]
pub struct Object {
    /// Its parts, later ones over earlier ones.
    pub parts: Vec<Part>,
    /// Where it is written.
    pub at: Loc,
}

/// A part of an object.
#[derive(Debug, Clone)]
pub enum Part {
    /// `key: value`.
    Field(Box<str>, Loc, Env),
    /// `...value`.
    Spread(Loc, Env),
    /// A key and its value, which is written nowhere.
    Held(Box<str>, Value),
    /// All parts of a value.
    Merge(Value),
    /// `object.a.b = value`, after it was made.
    Write(Vec<Box<str>>, Loc, Env),
    /// All but some members of a value.
    Without(Value, Rc<[Box<str>]>),
}

/// An instance of a class.
#[derive(Debug)]
pub struct Instance {
    /// The class's file.
    pub file: FileId,
    /// The class.
    pub class: ClassId,
    /// How it was made; `None`: in any way the program makes it.
    pub made: Option<Made>,
}

/// How an instance was made.
#[derive(Debug, Clone)]
pub enum Made {
    /// By calling its class, with `new` or not.
    Call(Loc, Env),
    /// By a literal that names its class.
    Literal(Loc, Env),
    /// By a method of another one that writes to it and gives it back: which, and what its parameters are bound to.
    Changed(Rc<Instance>, super::FunctionKey, Env),
}

/// A value of a client library.
#[derive(Debug, Clone)]
pub struct LibValue {
    /// The library.
    pub library: LibraryId,
    /// The object.
    pub object: ObjectId,
    /// Members taken of it that are no object of their own.
    pub path: Vec<Box<str>>,
    /// What configured it, outermost first.
    pub layers: Vec<Layer>,
    /// The variables it was held in.
    pub homes: Vec<Home>,
    /// The variables that what it was made of was held in: steps called on them count, what was written to them does not.
    pub origins: Vec<Home>,
    /// The fields it was held in: class and name.
    pub fields: Vec<(FileId, ClassId, Box<str>)>,
    /// The file whose package version counts.
    pub file: FileId,
    /// The package as the file names it.
    pub package: Rc<str>,
    /// Why nothing is known of how it was made, if so.
    pub unmade: Option<Reason>,
    /// The class of the scanned code that it is as well, and the object that the class itself is.
    pub class: Option<(FileId, ClassId, ObjectId)>,
}

/// A variable that held a value.
#[derive(Debug, Clone)]
pub struct Home {
    /// Its file.
    pub file: FileId,
    /// The variable.
    pub binding: BindingId,
    /// What the names around it were bound to.
    pub env: Env,
}

impl Home {
    /// The variable, whatever the calls around it.
    pub const fn place(&self) -> (FileId, BindingId) {
        (self.file, self.binding)
    }
}

/// A call that configured a library's object.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The call.
    pub at: Loc,
    /// What its names are bound to.
    pub env: Env,
    /// Which rule it followed.
    pub rule: Rule,
    /// The object it made or changed.
    pub object: ObjectId,
    /// The library the rule belongs to.
    pub library: LibraryId,
    /// Which argument plays which role.
    pub roles: super::Roles,
}

/// A rule of a library, by its place in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `[[make]]`.
    Make(usize),
    /// `[[step]]`.
    Step(usize),
    /// `[[send]]`.
    Send(usize),
}

impl Value {
    /// A value that is not known.
    pub fn opaque(reason: impl Into<Rc<str>>) -> Self {
        Self::Opaque(reason.into())
    }

    /// One of several values; nested ones are flattened, and a single one is itself.
    pub fn any(values: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for value in values {
            match value {
                Self::Any(inner) => inner.iter().for_each(|value| push_new(&mut flat, value.clone())),
                other => push_new(&mut flat, other),
            }
        }
        match flat.len() {
            0 => Self::Undefined,
            1 => flat.remove(0),
            _ => Self::Any(flat.into()),
        }
    }

    /// The possible values.
    pub fn options(&self) -> &[Self] {
        match self {
            Self::Any(options) => options,
            one => std::slice::from_ref(one),
        }
    }

    /// Without the options that are no value, as long as another one is left.
    #[must_use]
    pub fn present(self) -> Self {
        let Self::Any(options) = &self else { return self };
        let kept: Vec<Self> = options.iter().filter(|value| !matches!(value, Self::Null | Self::Undefined)).cloned().collect();
        if kept.is_empty() { self } else { Self::any(kept) }
    }

    /// An object of which the type alone is known, for what gives it cannot be followed.
    #[must_use]
    pub fn known_by_type(self, reason: Option<Reason>) -> Self {
        let Some(reason) = reason else { return self };
        self.map(|option| match option {
            Self::Lib(lib) if lib.layers.is_empty() && lib.unmade.is_some() => {
                let mut lib = (**lib).clone();
                lib.unmade = Some(reason.clone());
                Self::Lib(Rc::new(lib))
            }
            other => other.clone(),
        })
    }

    /// Whether nothing is known about it.
    pub fn is_opaque(&self) -> bool {
        matches!(self, Self::Opaque(_))
    }

    /// Why it is not known, if one of its options is not.
    pub fn reason(&self) -> Option<Reason> {
        self.options().iter().find_map(|value| match value {
            Self::Opaque(reason) => Some(reason.clone()),
            _ => None,
        })
    }

    /// What going through a collection gives: each element, or each pair of a key and an element.
    pub fn gone_through(each: &Rc<Self>, through: Through) -> Self {
        if through.keyed {
            let key = Bound::Value(Self::opaque("a key of a collection"));
            return Self::List(Rc::from([key, Bound::Value((**each).clone())]));
        }
        (**each).clone()
    }

    /// Whether it is a collection.
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Elements(..))
    }

    /// Each option changed.
    pub fn map(&self, mut f: impl FnMut(&Self) -> Self) -> Self {
        match self {
            Self::Any(options) => Self::any(options.iter().map(f)),
            one => f(one),
        }
    }
}

/// At most this many alternatives are kept; more add nothing that a report could say.
const MOST_OPTIONS: usize = 24;

/// On how many objects one method is asked for.
const MOST_OBJECTS: usize = 4;

fn push_new(options: &mut Vec<Value>, value: Value) {
    let known = options.iter().any(|option| same(option, &value));
    let of_one_method = |option: &&Value| match (*option, &value) {
        (Value::Function(f, a, ..), Value::Function(g, b, ..)) => f == g && a == b,
        _ => false,
    };
    let known = known || options.iter().filter(of_one_method).count() >= MOST_OBJECTS;
    if !known && options.len() < MOST_OPTIONS {
        options.push(value);
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) | (Value::Undefined, Value::Undefined) => true,
        (Value::Number(a), Value::Number(b)) | (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Parts(a), Value::Parts(b)) => a == b,
        (Value::Env(a), Value::Env(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Opaque(a), Value::Opaque(b)) => a == b,
        (Value::Class(f, a), Value::Class(g, b)) => f == g && a == b,
        (Value::Module(a), Value::Module(b)) => a == b,
        (Value::Function(f, a, None, of), Value::Function(g, b, None, other)) => f == g && a == b && same_object(of, other),
        _ => false,
    }
}

/// Whether what two methods are called on is made by the same call or literal, as far as its place tells.
fn same_object(a: &Option<Rc<Value>>, b: &Option<Rc<Value>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    let (Value::Instance(a), Value::Instance(b)) = (&**a, &**b) else { return true };
    let same_env = |a: &Env, b: &Env| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    };
    Rc::ptr_eq(a, b)
        || match (&a.made, &b.made) {
            (Some(Made::Literal(a, env)), Some(Made::Literal(b, other)))
            | (Some(Made::Call(a, env)), Some(Made::Call(b, other))) => a == b && same_env(env, other),
            (None, None) => (a.file, a.class) == (b.file, b.class),
            _ => false,
        }
}
