//! The small expression language that every frontend lowers into.
//!
//! In: nothing. Out: [`Expr`] and its parts. An expression says how a value is put together, not what it is.

use super::{ClassId, ExprId, FunctionId, ScopeId};

/// How a value is put together.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A number; integers and fractions alike.
    Number(f64),
    /// A text.
    Text(Box<str>),
    /// `true`, `false`.
    Bool(bool),
    /// No value: `null`, Rust `None`, Python `None`.
    Null,
    /// Not given: `undefined`.
    Undefined,
    /// A name, looked up from a scope outward.
    Name(Box<str>, ScopeId),
    /// The object a method was called on: `this`, `self`.
    This,
    /// The base class's part of `this`; called: the base class's constructor.
    Super,
    /// `of.name`, `of?.name`, `of::name`.
    Member {
        /// The object.
        of: ExprId,
        /// The member.
        name: Box<str>,
    },
    /// `of[key]`.
    Index {
        /// The object.
        of: ExprId,
        /// The key.
        key: ExprId,
    },
    /// A call.
    Call {
        /// What is called.
        callee: ExprId,
        /// Its arguments, in order.
        args: Vec<Arg>,
        /// How.
        form: CallForm,
    },
    /// An object literal, map literal or struct literal, in source order.
    Object {
        /// The struct's path, where the literal names one.
        of: Option<ExprId>,
        /// Its fields.
        fields: Vec<Field>,
    },
    /// A list, tuple or array.
    List(Vec<Arg>),
    /// A text put together: template strings, `format!`, concatenation is [`Binary::Add`].
    Join(Vec<ExprId>),
    /// Arithmetic.
    Binary {
        /// The operator.
        op: Binary,
        /// The left side.
        left: ExprId,
        /// The right side.
        right: ExprId,
    },
    /// `-x`.
    Negate(ExprId),
    /// `!x`.
    Not(ExprId),
    /// `x === y`; `x == null`, which a missing value equals too, is loose.
    Equal {
        /// The left side.
        left: ExprId,
        /// The right side.
        right: ExprId,
        /// Whether values of different kinds may be equal.
        loose: bool,
    },
    /// One of several values.
    Either {
        /// Which decides.
        kind: Either,
        /// What is tested, where that is not one of the options.
        test: Option<ExprId>,
        /// The options, in source order.
        options: Vec<ExprId>,
    },
    /// A function, arrow function, closure or block.
    Function(FunctionId),
    /// A class.
    Class(ClassId),
    /// `await x`, `x.await`.
    Await(ExprId),
    /// Something that leaves the value as it is: casts, `&x`, `x?`, `x!`, parentheses.
    Through(ExprId),
    /// Several values of which the last one counts; also the parts of what cannot be expressed, so that calls inside keep a parent.
    Sequence(Vec<ExprId>),
    /// Something that cannot be followed; the reason completes "the value comes from …". Parts are the calls inside it.
    Opaque {
        /// Why.
        reason: &'static str,
        /// The expressions inside.
        parts: Vec<ExprId>,
    },
}

/// An argument of a call, or an element of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arg {
    /// The value.
    pub value: ExprId,
    /// Its name, for arguments passed by name.
    pub name: Option<Box<str>>,
    /// Whether it stands for all elements of the value: `...xs`, `*xs`, `**xs`.
    pub spread: bool,
}

impl Arg {
    /// An argument passed by its place.
    pub const fn plain(value: ExprId) -> Self {
        Self { value, name: None, spread: false }
    }
}

/// A part of an object literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// `key: value`.
    Named(Box<str>, ExprId),
    /// `[key]: value`.
    Computed(ExprId, ExprId),
    /// `...value`, `..base`.
    Spread(ExprId),
}

/// How something is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallForm {
    /// `f(x)`.
    Plain,
    /// `new F(x)`.
    New,
    /// Rust `f!(x)`; Python decorators and JavaScript tagged templates are plain calls.
    Macro,
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `+`, for numbers and texts.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
    /// `**`, `<<`: not followed further than constants.
    Pow,
}

/// Which of several values counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Either {
    /// `a || b`, `a or b`: the first that is neither zero, empty nor missing.
    Or,
    /// `a ?? b`, `a.unwrap_or(b)`: the first that is not missing.
    Coalesce,
    /// `a && b`: nothing, or the last.
    And,
    /// `t ? a : b`, `if`/`match` used as values: any.
    Choice,
}

impl Expr {
    /// Calls back with each direct part, in source order. Bodies of functions and classes are not parts.
    pub fn each_part(&self, mut f: impl FnMut(ExprId)) {
        match self {
            Self::Member { of, .. } => f(*of),
            Self::Index { of, key } => {
                f(*of);
                f(*key);
            }
            Self::Call { callee, args, .. } => {
                f(*callee);
                args.iter().for_each(|arg| f(arg.value));
            }
            Self::Object { of, fields } => {
                if let Some(of) = of {
                    f(*of);
                }
                for field in fields {
                    match field {
                        Field::Named(_, value) | Field::Spread(value) => f(*value),
                        Field::Computed(key, value) => {
                            f(*key);
                            f(*value);
                        }
                    }
                }
            }
            Self::List(items) => items.iter().for_each(|item| f(item.value)),
            Self::Join(parts) | Self::Sequence(parts) | Self::Opaque { parts, .. } => parts.iter().for_each(|part| f(*part)),
            Self::Binary { left, right, .. } | Self::Equal { left, right, .. } => {
                f(*left);
                f(*right);
            }
            Self::Either { test, options, .. } => {
                if let Some(test) = test {
                    f(*test);
                }
                options.iter().for_each(|option| f(*option));
            }
            Self::Negate(of) | Self::Not(of) | Self::Await(of) | Self::Through(of) => f(*of),
            Self::Number(_)
            | Self::Text(_)
            | Self::Bool(_)
            | Self::Null
            | Self::Undefined
            | Self::Name(..)
            | Self::This
            | Self::Super
            | Self::Function(_)
            | Self::Class(_) => {}
        }
    }
}
