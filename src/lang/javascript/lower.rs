//! The state of lowering one file, and what every part of it uses: children, names, scopes.
//!
//! In: a syntax tree and its text. Out: [`FileFacts`]. How each construct is lowered is said by the files beside this one.

use rustc_hash::FxHashMap;
use tree_sitter::{Node, TreeCursor};

use super::chains::Floating;
use super::grammar::Grammar;
use super::roles::Role;
use crate::facts::{Binding, BindingId, Broken, Expr, ExprId, FileFacts, FunctionId, MODULE, Scope, ScopeId, Source};
use crate::span::Span;

/// How deep statements and expressions are followed. What lies deeper is marked as not read.
pub(super) const MAX_DEPTH: u32 = 400;

/// A child of a node and the field it stands in.
#[derive(Clone, Copy)]
pub(super) struct Kid<'t> {
    pub(super) field: u16,
    pub(super) node: Node<'t>,
}

/// The children of a node, also the unnamed ones; without comments.
pub(super) struct Kids<'t>(Vec<Kid<'t>>);

impl<'t> Kids<'t> {
    /// The child in a field.
    pub(super) fn get(&self, field: u16) -> Option<Node<'t>> {
        self.0.iter().find(|kid| kid.field == field).map(|kid| kid.node)
    }

    /// All children.
    pub(super) fn iter(&self) -> impl Iterator<Item = Node<'t>> + use<'_, 't> {
        self.0.iter().map(|kid| kid.node)
    }

    /// All children with their fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = Kid<'t>> + use<'_, 't> {
        self.0.iter().copied()
    }

    /// The named children.
    pub(super) fn named(&self) -> impl Iterator<Item = Node<'t>> + use<'_, 't> {
        self.iter().filter(Node::is_named)
    }
}

/// An assignment to a name, which may be declared later in the text.
struct Assigned<'t> {
    name: &'t str,
    scope: ScopeId,
    span: Span,
    source: Source,
}

/// Where lowering stands; kept while it goes into a function, a class or a block.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    scope: ScopeId,
    var_scope: ScopeId,
    function: Option<FunctionId>,
}

/// The lowering of one file.
pub(super) struct Lowerer<'t> {
    pub(super) text: &'t str,
    pub(super) grammar: &'t Grammar,
    pub(super) facts: FileFacts,
    /// The scope that lowering stands in.
    pub(super) scope: ScopeId,
    /// Where `var` declares.
    pub(super) var_scope: ScopeId,
    /// The function that lowering stands in.
    pub(super) function: Option<FunctionId>,
    /// The name that the next expression is given, if it is a function or a class.
    pub(super) hint: Option<&'t str>,
    /// Whether the next value is the head of a chain that goes on: `head.member`, `head(…)`.
    pub(super) chained: bool,
    /// Operators that the grammar put inside the chain they stand before.
    pub(super) floating: Vec<Floating<'t>>,
    /// Whether a loop's own counting is being lowered.
    pub(super) counting: bool,
    /// The loops without a condition that lowering stands in.
    pub(super) open_loops: Vec<super::exits::OpenLoop>,
    /// What the branches of the functions that lowering stands in test of a counter.
    pub(super) tests: Vec<super::exits::Test>,
    /// Decorators that stand before the `export` of the class that follows.
    pub(super) decorating: Vec<ExprId>,
    /// The bindings of required and imported modules, by their synthetic names.
    pub(super) modules: FxHashMap<Box<str>, BindingId>,
    /// The names exported from the namespace that lowering stands in.
    pub(super) namespace: Option<Vec<&'t str>>,
    /// Functions whose prototype is made of another one's: the name, where it stands, the other.
    pub(super) heirs: Vec<(&'t str, ScopeId, ExprId)>,
    /// The members of `exports` that are read.
    pub(super) own_exports: Vec<(Box<str>, Span)>,
    names: FxHashMap<(ScopeId, &'t str), BindingId>,
    assigned: Vec<Assigned<'t>>,
    cursor: TreeCursor<'t>,
    pool: Vec<Vec<Kid<'t>>>,
    depth: u32,
}

impl<'t> Lowerer<'t> {
    /// Prepares to lower a tree whose text is `text` into `facts`.
    pub(super) fn new(text: &'t str, grammar: &'t Grammar, root: Node<'t>, facts: FileFacts) -> Self {
        Self {
            text,
            grammar,
            facts,
            scope: MODULE,
            var_scope: MODULE,
            function: None,
            hint: None,
            chained: false,
            floating: Vec::new(),
            counting: false,
            open_loops: Vec::new(),
            tests: Vec::new(),
            decorating: Vec::new(),
            modules: FxHashMap::default(),
            namespace: None,
            heirs: Vec::new(),
            own_exports: Vec::new(),
            names: FxHashMap::default(),
            assigned: Vec::new(),
            cursor: root.walk(),
            pool: Vec::new(),
            depth: 0,
        }
    }

    /// Lowers the whole tree.
    pub(super) fn run(mut self, root: Node<'t>) -> FileFacts {
        self.statements(root);
        self.resolve_assigned();
        self.drop_types_beside_values();
        self.classes_of_functions();
        self.bind_own_exports();
        self.remarks(root);
        self.broken_parts(root);
        self.facts
    }

    /// The role of a node.
    pub(super) fn role(&self, node: Node<'_>) -> Role {
        self.grammar.role(node)
    }

    /// The text of a node.
    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// The children of a node. Give them back with [`Self::done`] where it is easy.
    pub(super) fn kids(&mut self, node: Node<'t>) -> Kids<'t> {
        let mut kids = self.pool.pop().unwrap_or_default();
        self.cursor.reset(node);
        let mut more = self.cursor.goto_first_child();
        while more {
            let node = self.cursor.node();
            if !node.is_extra() || node.is_error() {
                kids.push(Kid { field: self.cursor.field_id().map_or(0, Into::into), node });
            }
            more = self.cursor.goto_next_sibling();
        }
        Kids(kids)
    }

    /// Gives children back.
    pub(super) fn done(&mut self, mut kids: Kids<'t>) {
        kids.0.clear();
        self.pool.push(kids.0);
    }

    /// The first named child of a node.
    pub(super) fn first(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let kids = self.kids(node);
        let first = kids.named().next();
        self.done(kids);
        first
    }

    /// Goes one level deeper, unless that is too deep; then the node is marked as not read.
    pub(super) fn deeper<T>(&mut self, node: Node<'t>, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.facts.broken.push(Broken { span: span(node), reason: "nested too deeply".into() });
            return None;
        }
        self.depth += 1;
        let lowered = lower(self);
        self.depth -= 1;
        Some(lowered)
    }

    /// Adds an expression that stands where lowering stands.
    pub(super) fn push(&mut self, expr: Expr, node: Node<'_>) -> ExprId {
        self.facts.push(expr, span(node), self.scope)
    }

    /// Takes back the expression that was added last, which must be no call. Its parts have no parent then.
    pub(super) fn unpush(&mut self) {
        let Some(expr) = self.facts.exprs.pop() else { return };
        let gone = ExprId(self.facts.exprs.len() as u32);
        self.facts.casts.retain(|(of, _)| *of != gone);
        self.facts.spans.pop();
        self.facts.parents.pop();
        self.facts.expr_scopes.pop();
        expr.each_part(|part| {
            if let Some(parent) = self.facts.parents.get_mut(part.index()) {
                *parent = None;
            }
        });
    }

    /// Adds an expression that cannot be followed.
    pub(super) fn opaque(&mut self, reason: &'static str, parts: Vec<ExprId>, node: Node<'_>) -> ExprId {
        self.push(Expr::Opaque { reason, parts }, node)
    }

    /// Opens a scope inside the one that lowering stands in, and stands in it. Leave it with [`Self::leave`].
    pub(super) fn enter(&mut self) -> Standing {
        let before = self.standing();
        self.scope = self.add_scope(Scope { parent: Some(self.scope), function: self.function, class: None, module: None });
        before
    }

    /// Adds a scope to the tables.
    pub(super) fn add_scope(&mut self, scope: Scope) -> ScopeId {
        self.facts.scopes.push(scope);
        ScopeId(self.facts.scopes.len() as u32 - 1)
    }

    /// Where lowering stands.
    pub(super) const fn standing(&self) -> Standing {
        Standing { scope: self.scope, var_scope: self.var_scope, function: self.function }
    }

    /// Goes back to where lowering stood.
    pub(super) const fn leave(&mut self, to: Standing) {
        self.scope = to.scope;
        self.var_scope = to.var_scope;
        self.function = to.function;
    }

    /// The binding of a name in a scope, made if it is not there yet.
    pub(super) fn declare(&mut self, name: &'t str, at: Span, scope: ScopeId) -> BindingId {
        if let Some(known) = self.names.get(&(scope, name)) {
            return *known;
        }
        let id = self.add_binding(name, at, scope);
        self.names.insert((scope, name), id);
        id
    }

    /// Adds a binding under a name that the text may not contain.
    pub(super) fn add_binding(&mut self, name: &str, at: Span, scope: ScopeId) -> BindingId {
        self.facts.bindings.push(Binding { name: name.into(), scope, span: at, ty: None, sources: Vec::new() });
        BindingId(self.facts.bindings.len() as u32 - 1)
    }

    /// Adds a source to a binding.
    pub(super) fn give(&mut self, binding: BindingId, source: Source) {
        if let Some(binding) = self.facts.bindings.get_mut(binding.index()) {
            binding.sources.push(source);
        }
    }

    /// Declares a name in the scope that lowering stands in, and gives it a source.
    pub(super) fn declare_here(&mut self, name: Node<'t>, source: Source) -> BindingId {
        let binding = self.declare(self.text(name), span(name), self.scope);
        self.give(binding, source);
        binding
    }

    /// The binding that a name has, as far as the text has been read.
    pub(super) fn look_up(&self, name: &str, scope: ScopeId) -> Option<BindingId> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(found) = self.names.get(&(scope, name)) {
                return Some(*found);
            }
            at = self.facts.scopes.get(scope.index()).and_then(|scope| scope.parent);
        }
        None
    }

    /// Whether a name is the one that the runtime gives.
    pub(super) fn is_global(&self, name: &str) -> bool {
        self.look_up(name, self.scope).is_none()
    }

    /// Notes an assignment to a name.
    pub(super) fn assign(&mut self, name: &'t str, at: Span, source: Source) {
        self.assigned.push(Assigned { name, scope: self.scope, span: at, source });
    }

    /// The last value noted as assigned to a name.
    pub(super) fn last_assigned(&self, name: &str) -> Option<ExprId> {
        let last = self.assigned.last().filter(|assigned| assigned.name == name)?;
        match last.source {
            Source::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Gives each noted assignment to the binding that it means; a name without a declaration is the module's.
    fn resolve_assigned(&mut self) {
        for Assigned { name, scope, span, source } in std::mem::take(&mut self.assigned) {
            let binding = match self.look_up(name, scope) {
                Some(binding) => binding,
                None => self.declare(name, span, MODULE),
            };
            self.give(binding, source);
        }
    }
}

impl Lowerer<'_> {
    /// A type and a value may share a name: then the name means the value.
    fn drop_types_beside_values(&mut self) {
        let classes = &self.facts.classes;
        let is_type = |source: &Source| match source {
            Source::Alias(_) => true,
            Source::Class(class) => classes.get(class.index()).is_some_and(|class| class.is_abstract),
            _ => false,
        };
        for binding in self.facts.bindings.iter_mut().filter(|binding| binding.sources.len() > 1) {
            if !binding.sources.iter().all(is_type) {
                binding.sources.retain(|source| !is_type(source));
            }
        }
    }
}

/// The span of a node.
pub(super) fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}
