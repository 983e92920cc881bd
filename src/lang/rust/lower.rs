//! The state of lowering one file, and the small acts that everything else is made of: pushing expressions, opening scopes,
//! binding names.
//!
//! In: a parsed file. Out: its facts. The parts of the grammar are in the sibling modules, each an `impl` of [`Lower`].

use proc_macro2::{Ident, Span as Mark};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declared::Macros;
use super::spans::Marks;
use crate::facts::{
    Arg, Binding, BindingId, Broken, CallForm, Class, Expr, ExprId, FileFacts, Function, FunctionId, MODULE, Scope, ScopeId,
    Source, TypeRef,
};
use crate::lang::Elsewhere;
use crate::span::Span;

/// What lowering one file knows while it goes on.
pub(super) struct Lower<'a> {
    /// What has been said so far.
    pub facts: FileFacts,
    /// From tokens to bytes.
    pub marks: Marks<'a>,
    /// The innermost scope.
    pub scope: ScopeId,
    /// Whether what is being lowered is test code.
    pub test: bool,
    /// The type parameters in force, with their bounds; inner ones last.
    pub generics: Vec<(Box<str>, Vec<TypeRef>)>,
    /// The functions around, innermost last; the first stands for the module.
    pub frames: Vec<Frame>,
    /// Names used so far in the function item that is being lowered.
    pub used: FxHashSet<Box<str>>,
    /// Whether further cases of an or-pattern are being bound.
    pub in_other_case: bool,
    /// The macros declared so far.
    pub macros: Macros,
    /// What other files say of macros.
    pub elsewhere: &'a dyn Elsewhere,
    by_name: FxHashMap<Box<str>, Vec<BindingId>>,
    /// How many bindings there were when each scope was opened: older ones are not its own.
    births: Vec<u32>,
}

/// What is collected for the innermost function.
#[derive(Default)]
pub(super) struct Frame {
    /// Values it returns.
    pub returns: Vec<ExprId>,
    /// The loops and labelled blocks around, innermost last.
    pub loops: Vec<Breakable>,
}

/// A loop or labelled block.
pub(super) struct Breakable {
    /// Its label.
    pub label: Option<Box<str>>,
    /// Values it is left with.
    pub breaks: Vec<ExprId>,
    /// Its place in the file's loops; `None` for labelled blocks.
    pub number: Option<usize>,
    /// Whether only its body ends it (`loop`).
    pub is_bare: bool,
}

/// What a block or branch ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// A value.
    Value(ExprId),
    /// No value.
    Nothing,
    /// It leaves for somewhere else.
    Leaves,
}

impl Tail {
    /// The value, if there is one.
    pub(super) const fn value(self) -> Option<ExprId> {
        match self {
            Self::Value(value) => Some(value),
            Self::Nothing | Self::Leaves => None,
        }
    }
}

impl<'a> Lower<'a> {
    /// Lowering of `code`, which begins at the byte `start` of the file.
    pub(super) fn new(facts: FileFacts, code: &'a str, start: usize, elsewhere: &'a dyn Elsewhere) -> Self {
        Self {
            facts,
            marks: Marks::new(code, start),
            scope: MODULE,
            test: false,
            generics: Vec::new(),
            frames: vec![Frame::default()],
            used: FxHashSet::default(),
            in_other_case: false,
            macros: Macros::default(),
            elsewhere,
            by_name: FxHashMap::default(),
            births: vec![0],
        }
    }

    /// Lowers the whole file.
    pub(super) fn file(mut self, file: &syn::File) -> FileFacts {
        self.test = super::attrs::is_test(&file.attrs);
        for item in &file.items {
            self.item(item);
        }
        self.unused_macros();
        self.facts
    }

    /// Adds an expression of the innermost scope.
    pub(super) fn push(&mut self, expr: Expr, span: Span) -> ExprId {
        self.facts.push(expr, span, self.scope)
    }

    /// Adds the use of a name.
    pub(super) fn name(&mut self, name: Box<str>, span: Span) -> ExprId {
        if !self.used.contains(&name) {
            self.used.insert(name.clone());
        }
        self.push(Expr::Name(name, self.scope), span)
    }

    /// Adds the first name of a longer path, which names no variable.
    pub(super) fn path_head(&mut self, name: Box<str>, span: Span) -> ExprId {
        if !self.used.contains(&name) {
            self.used.insert(name.clone());
        }
        let scope = self.scope_of_path(&name);
        self.push(Expr::Name(name, scope), span)
    }

    /// The scope from which the first name of a path is looked up, past the variables of that name.
    pub(super) fn scope_of_path(&self, name: &str) -> ScopeId {
        let Some(ids) = self.by_name.get(name) else { return self.scope };
        let is_variable = |id: &BindingId| {
            self.facts.bindings.get(id.index()).is_some_and(|binding| binding.sources.iter().all(|source| !is_item(source)))
        };
        if !ids.iter().any(is_variable) {
            return self.scope;
        }
        let mut at = self.scope;
        loop {
            let hides = self.bound_in(at, ids).is_some_and(|id| is_variable(&id));
            let Some(parent) = self.facts.scopes.get(at.index()).and_then(|scope| scope.parent) else { return at };
            if !hides && self.bound_in(at, ids).is_some() {
                return at;
            }
            at = parent;
        }
    }

    /// Adds a macro call.
    pub(super) fn macro_call(&mut self, callee: ExprId, args: Vec<Arg>, span: Span) -> ExprId {
        self.push(Expr::Call { callee, args, form: CallForm::Macro }, span)
    }

    /// Adds a value that is nothing.
    pub(super) fn nothing(&mut self, span: Span) -> ExprId {
        self.push(Expr::Sequence(Vec::new()), span)
    }

    /// From the beginning of an expression to the end of another.
    pub(super) fn across(&self, first: ExprId, last: ExprId) -> Span {
        let start = self.facts.span(first).start;
        Span::new(start, self.facts.span(last).end.max(start))
    }

    /// From the beginning of an expression to the end of a token.
    pub(super) fn until(&self, first: ExprId, last: Mark) -> Span {
        let start = self.facts.span(first).start;
        Span::new(start, self.marks.span(last).end.max(start))
    }

    /// From a token to the end of an expression.
    pub(super) fn from(&self, first: Mark, last: ExprId) -> Span {
        let start = self.marks.span(first).start;
        Span::new(start, self.facts.span(last).end.max(start))
    }

    /// Adds a scope inside the innermost one, of the same function.
    pub(super) fn add_scope(&mut self) -> ScopeId {
        let function = self.facts.scopes.get(self.scope.index()).and_then(|scope| scope.function);
        self.add_scope_of(Scope { parent: Some(self.scope), function, class: None, module: None })
    }

    /// Adds a scope.
    pub(super) fn add_scope_of(&mut self, scope: Scope) -> ScopeId {
        let id = ScopeId(self.facts.scopes.len() as u32);
        self.facts.scopes.push(scope);
        self.births.push(self.facts.bindings.len() as u32);
        id
    }

    /// Lowers something in a scope of its own.
    pub(super) fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.add_scope();
        self.within(scope, inner)
    }

    /// Lowers something in a given scope; comes back to the present one.
    pub(super) fn within<T>(&mut self, scope: ScopeId, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let value = inner(self);
        self.scope = outer;
        value
    }

    /// Binds a name in the innermost scope.
    pub(super) fn bind(&mut self, name: Box<str>, span: Span, ty: Option<TypeRef>, source: Option<Source>) {
        if self.in_other_case
            && let Some(id) = self.bound_here(&name)
        {
            self.add_source(id, source);
            return;
        }
        // Items of one name are different things of that name (a module and a function), or the same thing under other conditions.
        if source.as_ref().is_some_and(is_item)
            && let Some(id) = self.bound_here(&name)
            && self.facts.bindings.get(id.index()).is_some_and(|known| known.sources.iter().all(is_item))
        {
            if !self.test {
                self.add_source(id, source);
            }
            return;
        }
        let id = BindingId(self.facts.bindings.len() as u32);
        self.by_name.entry(name.clone()).or_default().push(id);
        self.facts.bindings.push(Binding { name, scope: self.scope, span, ty, sources: source.into_iter().collect() });
    }

    /// Adds a value that a binding may hold.
    pub(super) fn add_source(&mut self, binding: BindingId, source: Option<Source>) {
        if let Some(binding) = self.facts.bindings.get_mut(binding.index()) {
            binding.sources.extend(source);
        }
    }

    /// The binding of a name in the innermost scope itself.
    pub(super) fn bound_here(&self, name: &str) -> Option<BindingId> {
        self.bound_in(self.scope, self.by_name.get(name)?)
    }

    /// The binding that a name means, as far as it has been seen.
    pub(super) fn bound(&self, name: &str) -> Option<BindingId> {
        let ids = self.by_name.get(name)?;
        let mut at = Some(self.scope);
        while let Some(scope) = at {
            if let Some(id) = self.bound_in(scope, ids) {
                return Some(id);
            }
            at = self.facts.scopes.get(scope.index()).and_then(|scope| scope.parent);
        }
        None
    }

    /// The newest of some bindings that belongs to a scope.
    fn bound_in(&self, scope: ScopeId, ids: &[BindingId]) -> Option<BindingId> {
        let birth = self.births.get(scope.index()).copied().unwrap_or(0);
        let young = ids.iter().rev().take_while(|id| id.0 >= birth);
        young.copied().find(|id| self.facts.bindings.get(id.index()).is_some_and(|binding| binding.scope == scope))
    }

    /// Adds a function whose body is yet to be lowered.
    pub(super) fn add_function(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(self.facts.functions.len() as u32);
        self.facts.functions.push(function);
        id
    }

    /// Adds a class.
    pub(super) fn add_class(&mut self, class: Class) -> crate::facts::ClassId {
        let id = crate::facts::ClassId(self.facts.classes.len() as u32);
        self.facts.classes.push(class);
        id
    }

    /// Says that a part of the text could not be read; what is test code hides no call that counts.
    pub(super) fn broken(&mut self, span: Span, reason: impl Into<Box<str>>) {
        if !self.test {
            self.facts.broken.push(Broken { span, reason: reason.into() });
        }
    }

    /// The innermost function's frame.
    pub(super) fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }
}

/// Whether a name is given to an item, and not to a value.
const fn is_item(source: &Source) -> bool {
    matches!(source, Source::Import(_) | Source::Function(_) | Source::Class(_) | Source::Module(_) | Source::Alias(_))
}

/// A name without the mark of raw names.
pub(super) fn plain(ident: &Ident) -> Box<str> {
    let name = ident.to_string();
    match name.strip_prefix("r#") {
        Some(rest) => rest.into(),
        None => name.into_boxed_str(),
    }
}
