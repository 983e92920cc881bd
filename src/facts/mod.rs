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
mod declared;
pub mod deployment;
mod dump;
mod expr;
mod modules;

pub use branch::Branch;
pub use declared::*;
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

impl Step {
    /// Whether it leads to what went wrong, not to what was asked for.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Variant(name) if &**name == "Err")
    }
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
