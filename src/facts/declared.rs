//! What a file declares and does: functions, classes, imports and exports, writes, loops, tries and jumps.
//!
//! In: nothing, these are data that a language's lowering fills. Out: the parts of [`FileFacts`](super::FileFacts).

use super::{ClassId, ExprId, FunctionId, ScopeId, Step, TypeRef};
use crate::span::Span;

/// A function, method, arrow function, closure or `async` block.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name, if it has one (a function expression bound to a name has that name).
    pub name: Option<Box<str>>,
    /// The whole definition.
    pub span: Span,
    /// Its body.
    pub body: Span,
    /// The scope of its parameters and body.
    pub scope: ScopeId,
    /// The class it is a method of.
    pub class: Option<ClassId>,
    /// Whether it is called without an instance.
    pub is_static: bool,
    /// Whether its body runs only when awaited.
    pub is_async: bool,
    /// Whether its body runs where it stands (Rust `async {}` blocks and plain blocks lowered as functions).
    pub is_block: bool,
    /// Its parameters, without `self`.
    pub params: Vec<Param>,
    /// The declared return type.
    pub returns_type: Option<TypeRef>,
    /// The values it may return, in source order, the tail expression last.
    pub returns: Vec<ExprId>,
    /// The expression that creates it, for function expressions, closures and blocks.
    pub literal: Option<ExprId>,
    /// Whether it belongs to test code inside a file that is otherwise scanned (`#[cfg(test)]`, `#[test]`).
    pub is_test: bool,
    /// Whether only its own module, and those inside of it, can call it.
    pub is_private: bool,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name; `None` when it is destructured.
    pub name: Option<Box<str>>,
    /// The value when the caller gives none.
    pub default: Option<ExprId>,
    /// The declared type.
    pub ty: Option<TypeRef>,
    /// Whether it takes all further arguments.
    pub rest: bool,
    /// Whether it declares a field of the same name (TypeScript parameter properties).
    pub field: bool,
}

/// A class, struct, enum or trait.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: Option<Box<str>>,
    /// The whole definition.
    pub span: Span,
    /// The scope of its body.
    pub scope: ScopeId,
    /// The class it extends.
    pub extends: Option<ExprId>,
    /// Interfaces and traits it is declared to implement, in the declaration itself.
    pub implements: Vec<TypeRef>,
    /// Its methods.
    pub methods: Vec<Method>,
    /// Its fields.
    pub fields: Vec<ClassField>,
    /// The expression that creates it, for class expressions.
    pub literal: Option<ExprId>,
    /// What is written before it and acts on it: decorators.
    pub decorators: Vec<ExprId>,
    /// Whether it only describes (interface, trait, abstract members without bodies).
    pub is_abstract: bool,
}

impl Class {
    /// Its constructor, if it has one of its own.
    pub fn constructor(&self) -> Option<FunctionId> {
        self.methods.iter().find(|method| &*method.name == "constructor").map(|method| method.function)
    }
}

/// A method of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its name; `constructor` for JavaScript constructors.
    pub name: Box<str>,
    /// Its function.
    pub function: FunctionId,
    /// Whether it is a getter: reading the member calls it.
    pub getter: bool,
}

/// A field of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassField {
    /// Its name (`0`, `1`, … for tuple structs).
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// Whether it belongs to the class itself.
    pub is_static: bool,
    /// Its initialiser.
    pub value: Option<ExprId>,
    /// Its declared type.
    pub ty: Option<TypeRef>,
}

/// Methods added to a type from outside its definition (Rust `impl` blocks, prototype assignments).
#[derive(Debug, Clone, PartialEq)]
pub struct Extension {
    /// The type.
    pub of: TypeRef,
    /// The trait, if it implements one.
    pub via: Option<TypeRef>,
    /// Whether the type has the members of what the first of these methods gives, besides its own (Rust `Deref`).
    pub lends: bool,
    /// The methods and associated functions.
    pub methods: Vec<Method>,
    /// Associated constants.
    pub constants: Vec<ClassField>,
}

/// An import of one name, or of a whole module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module as written: `./http`, `axios`, `crate::http`.
    pub module: Box<str>,
    /// What is taken of it.
    pub name: ImportName,
    /// Where it stands.
    pub span: Span,
    /// The scope that the module path is relative to (Rust), else the module's.
    pub scope: ScopeId,
    /// Whether it imports a type alone.
    pub type_only: bool,
}

/// What an import takes of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportName {
    /// One exported name (`default` for the default export).
    Name(Box<str>),
    /// The module as a namespace.
    Namespace,
    /// Whatever the module is when it is required (CommonJS: `module.exports`, or the namespace).
    Whole,
    /// Every name it exports, into the importing scope (Rust globs, `from x import *`).
    Glob,
}

/// A name that the module gives to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The name given; `default`; `=` for `module.exports = …`; for [`Exported::Star`] empty, or `super` where it is given to the modules inside
    /// alone.
    pub name: Box<str>,
    /// What it is.
    pub what: Exported,
    /// Where it stands.
    pub span: Span,
}

/// What an export gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    /// A name of the module's scope.
    Local(Box<str>),
    /// A value.
    Value(ExprId),
    /// A name of another module.
    From {
        /// That module.
        module: Box<str>,
        /// What is taken of it.
        name: ImportName,
    },
    /// Everything of another module.
    Star {
        /// That module.
        module: Box<str>,
    },
}

/// An assignment to a member: `a.b.c = value`, `this.http = value`. Assignments to plain names are [`Binding::sources`].
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// The innermost object: a name, `this`, a call.
    pub root: ExprId,
    /// The way from it to what is written.
    pub path: Vec<Step>,
    /// The value.
    pub value: ExprId,
    /// The whole assignment.
    pub span: Span,
    /// The scope it stands in.
    pub scope: ScopeId,
}

/// A loop, or the body of a function that calls itself a counted number of times.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// The whole loop.
    pub span: Span,
    /// How often it runs, if it counts: `for (let i = 0; i < n; i++)`, `for _ in 0..n`, `while (tries < n)`, `while (tries--)`.
    pub count: Option<LoopCount>,
    /// Whether it runs over a collection (`for … of`, `for x in xs`).
    pub over_items: bool,
    /// Whether its condition may end it before it has counted to the end: `!done && i < n`.
    pub ends_early: bool,
    /// Whether it has no condition at all: `for (;;)`, `while (true)`.
    pub is_endless: bool,
    /// What is run again when it fails: success leaves the loop, a failure goes on with it.
    pub run_again: Vec<Span>,
}

impl Loop {
    /// A loop of which only the place is known.
    pub const fn at(span: Span) -> Self {
        Self { span, count: None, over_items: false, ends_early: false, is_endless: false, run_again: Vec::new() }
    }
}

/// The bound of a counting loop: it runs `limit - start` times, one more when inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopCount {
    /// The first value; `None` when it is not read.
    pub start: Option<ExprId>,
    /// The bound.
    pub limit: ExprId,
    /// Whether the bound itself is run too.
    pub inclusive: bool,
}

/// A `try` statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Try {
    /// The guarded block.
    pub body: Span,
    /// The handler.
    pub handler: Option<Span>,
    /// The block that runs in any case.
    pub finally: Option<Span>,
}

/// A statement that leaves a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jump {
    /// What it does.
    pub kind: JumpKind,
    /// The statement.
    pub span: Span,
    /// The scope that it stands in.
    pub scope: ScopeId,
}

/// How a statement leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JumpKind {
    /// `return`.
    Return,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `throw`.
    Throw,
    /// Leaves where the value is a failure (Rust `?`); noted inside loops.
    Fail,
}

/// A comment that speaks to the program: `untimed: …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where the comment stands.
    pub span: Span,
    /// What follows `untimed:`, trimmed.
    pub text: Box<str>,
}

/// A part of the text that could not be read as code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The part.
    pub span: Span,
    /// Why.
    pub reason: Box<str>,
}
