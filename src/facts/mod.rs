//! What one file says, without its syntax tree: owned, language-neutral, comparable.
//!
//! In: nothing; a frontend of [`crate::lang`] fills these in. Out: [`FileFacts`], which the linker joins with those of
//! other files. Facts are structure alone: nothing here knows a client library, resolves an import, or judges.
//!
//! A file is an arena of expressions ([`Expr`]) with parents, and tables of what gives them meaning: scopes and bindings,
//! functions and classes, imports and exports, writes, loops, branches and `try` blocks. Whatever a frontend cannot express becomes
//! [`Expr::Opaque`] with the reason that an `unknown` verdict prints.
//!
//! # Conventions that every frontend keeps
//!
//! - Every call in the text is an [`Expr::Call`] somewhere, also inside conditions, markup, decorators and macros, so that no
//!   call is lost; it keeps its real parent chain up to the statement or function it stands in.
//! - Statements are not kept. An expression statement is an expression without a parent; a `return` value stands in
//!   [`Function::returns`]; an initialiser or assigned value stands in [`Binding::sources`] or [`FileFacts::writes`].
//! - A module required or imported inside an expression (`require('x')`, `await import('x')`) is an [`Expr::Name`] of a synthetic
//!   binding `require:x` / `import:x` of the module's scope whose source is the import.
//! - Method calls are calls of a member: `a.b(c)` is `Call(Member(a, b), [c])`; paths too: `a::b::c` is `Member(Member(a, b), c)`.
//!   Names that a language reserves for paths stay names: `Self`, `crate`, `super` (in paths), `self` (in paths).
//! - Patterns that only unwrap (`Some(x)`, `Ok(x)`, `&x`, `ref x`) are transparent: the binding's source is the value itself.
//! - A declaration that hides an earlier one of the same scope (Rust `let`) opens a new scope for what follows it.
//! - Module-level names that others can reach are listed in [`FileFacts::exports`], also where the language needs no word for it.

mod branch;
pub mod deployment;
mod dump;
mod expr;
mod modules;

pub use branch::Branch;
pub use expr::{Arg, Binary, CallForm, Either, Expr, Field};
pub use modules::{Mentioned, Modules, Program, Resolved};

use crate::span::{LineIndex, Span};

/// A language that the engine reads. Reports say [`Language::word`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// JavaScript.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// Rust.
    Rust,
}

impl Language {
    /// The name in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Rust => "rust",
        }
    }

    /// The folder under `queries/` and `fixtures/` whose libraries this language uses.
    pub const fn family(self) -> &'static str {
        match self {
            Self::JavaScript | Self::TypeScript => "javascript",
            Self::Rust => "rust",
        }
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// The place in its table.
            pub const fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

ids! {
    /// An expression of a file.
    ExprId,
    /// A scope of a file; 0 is the module's.
    ScopeId,
    /// A binding of a file.
    BindingId,
    /// A function of a file.
    FunctionId,
    /// A class of a file.
    ClassId,
    /// An import of a file.
    ImportId,
}

/// The module's own scope.
pub const MODULE: ScopeId = ScopeId(0);

/// A step into a value: `.name` or `[index]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A named member.
    Name(Box<str>),
    /// An element of a list or tuple.
    Index(u32),
    /// What a value is when it is this variant of its type; a value that has no such variants stays itself.
    Variant(Box<str>),
}

/// A region in which names have one meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// The function whose body (or parameter list) this scope belongs to, if it is inside one.
    pub function: Option<FunctionId>,
    /// The class whose body this scope belongs to, if it is directly inside one.
    pub class: Option<ClassId>,
    /// A module inside the file (Rust `mod name { … }`): its name. Names of the scope are reached as `name::x` too.
    pub module: Option<Box<str>>,
}

/// A name that a scope gives a meaning to.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The name.
    pub name: Box<str>,
    /// Where it is visible.
    pub scope: ScopeId,
    /// The declaration's name.
    pub span: Span,
    /// The declared type.
    pub ty: Option<TypeRef>,
    /// Every value it may hold: its initialiser and each assignment, in source order. Empty: declared without a value.
    pub sources: Vec<Source>,
}

/// Where a binding's value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The value of an expression.
    Value(ExprId),
    /// A part of the value of an expression: `const { a: { b = 1 } } = of`.
    Part {
        /// The whole.
        of: ExprId,
        /// The way to the part.
        path: Vec<Step>,
        /// The value when the part is missing.
        default: Option<ExprId>,
    },
    /// What is left of a value after the named members are taken: `const { a, ...rest } = of`.
    Rest {
        /// The whole.
        of: ExprId,
        /// The members that are not in it.
        without: Vec<Box<str>>,
    },
    /// A parameter, or a part of one (then `path` is not empty).
    Param {
        /// The function.
        function: FunctionId,
        /// Which parameter, from 0; `self` in Rust is not counted.
        index: u32,
        /// The way to the part.
        path: Vec<Step>,
        /// The value when the part is missing.
        default: Option<ExprId>,
    },
    /// An element of a collection that a loop runs over.
    Element(ExprId),
    /// An imported name.
    Import(ImportId),
    /// A function declared by this name.
    Function(FunctionId),
    /// A class declared by this name.
    Class(ClassId),
    /// A module written inside this file (Rust `mod name { … }`): its scope.
    Module(ScopeId),
    /// A type alias (`type X = …`), or an associated type.
    Alias(TypeRef),
    /// Something that cannot be followed; the reason completes "… comes from".
    Opaque(&'static str),
}

/// A written type, as far as it can name a client: `&mut Arc<Client>` is `Arc` with the argument `Client`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypeRef {
    /// The path, outermost first: `["reqwest", "Client"]`.
    pub path: Vec<Box<str>>,
    /// Where its first name is looked up.
    pub scope: ScopeId,
    /// Type arguments; for references, pointers, tuples and unions: the inner types under the paths `&`, `()`, `|`;
    /// for `impl X + Y` and `dyn X`: under the path `dyn`.
    pub args: Vec<TypeRef>,
}

impl TypeRef {
    /// The type that a reference is to; any other type is itself.
    pub fn referred(&self) -> &Self {
        match (self.path.as_slice(), self.args.as_slice()) {
            ([one], [inner]) if &**one == "&" => inner.referred(),
            _ => self,
        }
    }
}

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
    /// The name given; `default`; `=` for `module.exports = …`; empty for [`Exported::Star`].
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

/// Everything one file says.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFacts {
    /// Its language.
    pub language: Language,
    /// Its lines.
    pub lines: LineIndex,
    /// The expressions; children before parents.
    pub exprs: Vec<Expr>,
    /// The span of each expression.
    pub spans: Vec<Span>,
    /// The expression around each expression, if it is part of one directly. Function bodies have none:
    /// go on at [`Function::literal`].
    pub parents: Vec<Option<ExprId>>,
    /// The scope that each expression stands in.
    pub expr_scopes: Vec<ScopeId>,
    /// Types that expressions are said to have where they stand (`x as T`), in the order of the expressions.
    pub casts: Vec<(ExprId, TypeRef)>,
    /// The first type argument that calls are written with (`f<T>()`), in the order of the calls.
    pub type_arguments: Vec<(ExprId, TypeRef)>,
    /// Scopes; the first is the module's.
    pub scopes: Vec<Scope>,
    /// Bindings of all scopes, in source order.
    pub bindings: Vec<Binding>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Classes.
    pub classes: Vec<Class>,
    /// Methods added to types from outside.
    pub extensions: Vec<Extension>,
    /// Imports.
    pub imports: Vec<Import>,
    /// Exports.
    pub exports: Vec<Export>,
    /// Calls (also `new` and macros), in source order.
    pub calls: Vec<ExprId>,
    /// Writes to members, in source order.
    pub writes: Vec<Write>,
    /// Loops, outer before inner.
    pub loops: Vec<Loop>,
    /// `try` statements, outer before inner.
    pub tries: Vec<Try>,
    /// Branches, inner before outer.
    pub branches: Vec<Branch>,
    /// Statements that leave blocks, in source order.
    pub jumps: Vec<Jump>,
    /// Comments that speak to the program.
    pub remarks: Vec<Remark>,
    /// What could not be read.
    pub broken: Vec<Broken>,
    /// Decorators of parameters: the function, which parameter, and the decorator, in source order.
    pub decorated: Vec<(FunctionId, u32, ExprId)>,
}

impl FileFacts {
    /// The facts of a file that says nothing.
    pub fn empty(language: Language, lines: LineIndex) -> Self {
        Self {
            language,
            lines,
            exprs: Vec::new(),
            spans: Vec::new(),
            parents: Vec::new(),
            expr_scopes: Vec::new(),
            casts: Vec::new(),
            type_arguments: Vec::new(),
            scopes: vec![Scope { parent: None, function: None, class: None, module: None }],
            bindings: Vec::new(),
            functions: Vec::new(),
            classes: Vec::new(),
            extensions: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            calls: Vec::new(),
            writes: Vec::new(),
            loops: Vec::new(),
            tries: Vec::new(),
            branches: Vec::new(),
            jumps: Vec::new(),
            remarks: Vec::new(),
            broken: Vec::new(),
            decorated: Vec::new(),
        }
    }

    /// Adds an expression and becomes the parent of its parts.
    pub fn push(&mut self, expr: Expr, span: Span, scope: ScopeId) -> ExprId {
        let id = ExprId(self.exprs.len() as u32);
        expr.each_part(|part| {
            if let Some(parent) = self.parents.get_mut(part.index()) {
                *parent = Some(id);
            }
        });
        if matches!(expr, Expr::Call { .. }) {
            self.calls.push(id);
        }
        self.exprs.push(expr);
        self.spans.push(span);
        self.parents.push(None);
        self.expr_scopes.push(scope);
        id
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The span of an expression.
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.index()]
    }

    /// The types that an expression is said to have where it stands, the innermost first.
    pub fn casts_of(&self, id: ExprId) -> impl Iterator<Item = &TypeRef> {
        let first = self.casts.partition_point(|(of, _)| *of < id);
        self.casts[first..].iter().take_while(move |(of, _)| *of == id).map(|(_, ty)| ty)
    }

    /// The expression directly around an expression.
    pub fn parent(&self, id: ExprId) -> Option<ExprId> {
        self.parents[id.index()]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The innermost function whose body an expression stands in.
    pub fn function_of(&self, id: ExprId) -> Option<FunctionId> {
        self.scope_function(self.expr_scopes[id.index()])
    }

    /// The innermost function that a scope lies in.
    pub fn scope_function(&self, scope: ScopeId) -> Option<FunctionId> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.scopes[id.index()];
            if scope.function.is_some() {
                return scope.function;
            }
            at = scope.parent;
        }
        None
    }
}
