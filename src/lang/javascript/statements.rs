//! Statements: which declarations, blocks, jumps and `try`s there are, and the values that stand in them.
//!
//! In: the node of a statement. Out: entries in the tables of facts. Statements themselves are not kept.

use tree_sitter::Node;

use super::lower::{Lowerer, span};
use super::patterns::{Target, Whole};
use super::roles::Role;
use crate::facts::{Branch, ExprId, Jump, JumpKind, Source, Try};

impl<'t> Lowerer<'t> {
    /// Lowers the statements inside a node.
    pub(super) fn statements(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        for kid in kids.named() {
            self.statement(kid);
        }
        self.done(kids);
    }

    /// Lowers a statement. A value is one too; what is neither is looked into.
    pub(super) fn statement(&mut self, node: Node<'t>) {
        self.hint = None;
        let role = self.role(node);
        if role.is_value() {
            self.value(node);
        } else if !role.is_type() {
            self.deeper(node, |l| l.statement_of(role, node));
        }
    }

    fn statement_of(&mut self, role: Role, node: Node<'t>) {
        match role {
            Role::Binding | Role::BindingVar => self.declaration(node, role),
            Role::Block => self.block(node),
            Role::Return => self.return_statement(node),
            Role::Branch => self.branch(node),
            Role::Import => self.import_statement(node),
            Role::ImportAlias => self.import_alias(node),
            Role::Export => self.export_statement(node),
            Role::Function => self.function_declaration(node),
            Role::Class | Role::ClassAbstract => self.class_declaration(node),
            Role::Interface => self.interface(node),
            Role::Alias => self.alias(node),
            Role::Enum => self.enumeration(node),
            Role::Namespace => self.namespace(node),
            Role::LoopCount => self.counting_loop(node),
            Role::LoopItems => self.loop_over_items(node),
            Role::LoopWhile => self.conditional_loop(node),
            Role::Try => self.try_statement(node),
            Role::Break => self.jump(JumpKind::Break, node),
            Role::Continue => self.jump(JumpKind::Continue, node),
            Role::Throw => {
                self.jump(JumpKind::Throw, node);
                self.statements(node);
            }
            Role::Method => drop(self.stray_method(node)),
            Role::Ignored | Role::Comment | Role::PatternShort => {}
            _ => self.statements(node),
        }
    }

    /// A method outside a class: broken code around it.
    fn stray_method(&mut self, node: Node<'t>) -> crate::facts::FunctionId {
        let name = node.child_by_field_id(self.grammar.field.name).map(|name| self.text(name));
        self.function(node, super::functions::Made { name, ..Default::default() })
    }

    fn jump(&mut self, kind: JumpKind, node: Node<'t>) {
        self.facts.jumps.push(Jump { kind, span: span(node), scope: self.scope });
    }

    pub(super) fn block(&mut self, node: Node<'t>) {
        let before = self.enter();
        self.statements(node);
        self.leave(before);
    }

    fn return_statement(&mut self, node: Node<'t>) {
        self.jump(JumpKind::Return, node);
        let Some(value) = self.first(node) else { return };
        let value = self.value(value);
        if let Some(function) = self.function {
            self.facts.functions[function.index()].returns.push(value);
        }
    }

    /// `if`; a chain of `else if` is walked, not descended.
    fn branch(&mut self, node: Node<'t>) {
        let mut at = node;
        loop {
            let kids = self.kids(at);
            let field = &self.grammar.field;
            let (test, yes, no) = (kids.get(field.condition), kids.get(field.consequence), kids.get(field.alternative));
            self.done(kids);
            let (condition, tested) = test.map_or((None, None), |test| self.test(test));
            let jumps = self.facts.jumps.len();
            let no = no.and_then(|no| self.first(no));
            if let Some(yes) = yes {
                self.in_branch(yes);
                self.note_branch(condition, yes, no);
                self.note_exit(tested, test, yes, jumps);
            }
            let Some(no) = no else { return };
            if self.role(no) != Role::Branch {
                self.in_branch(no);
                return;
            }
            at = no;
        }
    }

    /// What runs in a branch: a block, or one statement, which is read as a block of its own unless it leaves.
    fn in_branch(&mut self, node: Node<'t>) {
        match self.role(node) {
            Role::Block | Role::Return | Role::Break | Role::Continue | Role::Throw => self.statement(node),
            _ => {
                let before = self.enter();
                self.statement(node);
                self.leave(before);
            }
        }
    }

    fn note_branch(&mut self, test: Option<ExprId>, yes: Node<'t>, no: Option<Node<'t>>) {
        let Some(test) = test else { return };
        let last = self.facts.jumps.last().filter(|jump| matches!(jump.kind, JumpKind::Return | JumpKind::Throw));
        let rest = last.filter(|last| span(yes).holds(last.span)).and_then(|last| {
            self.text.get(last.span.end as usize..yes.end_byte()).map(|rest| rest.trim().trim_start_matches(';').trim_start())
        });
        let leaves = rest.is_some_and(|rest| matches!(rest, "" | "}"));
        self.facts.branches.push(Branch { test, yes: span(yes), no: no.map(span), leaves, scope: self.scope });
    }

    /// `const`, `let`, `var`, `using`.
    pub(super) fn declaration(&mut self, node: Node<'t>, role: Role) {
        let scope = if role == Role::BindingVar { self.var_scope } else { self.scope };
        let kids = self.kids(node);
        for kid in kids.named() {
            if self.role(kid) == Role::BindingOne {
                self.declarator(kid, scope);
            } else {
                self.statement(kid);
            }
        }
        self.done(kids);
    }

    fn declarator(&mut self, node: Node<'t>, scope: crate::facts::ScopeId) {
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let (name, ty, value) = (kids.get(field.name), kids.get(field.ty), kids.get(field.value));
        self.done(kids);
        let Some(name) = name else { return };
        let plain = self.role(name) == Role::Name;
        let ty = ty.and_then(|ty| self.type_ref(ty)).filter(|_| plain);
        let target = Target::Declare { scope, ty };
        let Some(value) = value else {
            if plain {
                let binding = self.declare(self.text(name), span(name), scope);
                if let (Some(binding), Target::Declare { ty, .. }) = (self.facts.bindings.get_mut(binding.index()), target) {
                    binding.ty = binding.ty.take().or(ty);
                }
            }
            return;
        };
        let value = if plain { self.value_named(value, self.text(name)) } else { self.value(value) };
        if plain && self.text(name) == "require" && self.makes_require(value) {
            return;
        }
        self.bind(name, &Whole::Value(value), &mut Vec::new(), None, &target);
    }

    /// Whether a value is `createRequire(…)`: then the name that holds it is the runtime's own `require`.
    fn makes_require(&self, value: crate::facts::ExprId) -> bool {
        use crate::facts::Expr;
        let Expr::Call { callee, .. } = self.facts.expr(value) else { return false };
        matches!(self.facts.expr(*callee), Expr::Name(name, _) | Expr::Member { name, .. } if &**name == "createRequire")
    }

    fn try_statement(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let (body, handler, finally) = (kids.get(field.body), kids.get(field.handler), kids.get(field.finalizer));
        self.done(kids);
        let Some(body) = body else { return };
        self.facts.tries.push(Try { body: span(body), handler: handler.map(span), finally: finally.map(span) });
        self.statement(body);
        if let Some(handler) = handler {
            self.catch(handler);
        }
        if let Some(finally) = finally {
            self.statements(finally);
        }
    }

    fn catch(&mut self, node: Node<'t>) {
        let kids = self.kids(node);
        let (parameter, body) = (kids.get(self.grammar.field.parameter), kids.get(self.grammar.field.body));
        self.done(kids);
        let before = self.enter();
        if let Some(parameter) = parameter {
            let target = Target::Declare { scope: self.scope, ty: None };
            self.bind(parameter, &Whole::Opaque("a caught error"), &mut Vec::new(), None, &target);
        }
        if let Some(body) = body {
            self.statements(body);
        }
        self.leave(before);
    }

    /// `import`s and names that a namespace gives are members of an object of its name.
    pub(super) fn namespace(&mut self, node: Node<'t>) {
        use crate::facts::{Expr, Field};
        let kids = self.kids(node);
        let (name, body) = (kids.get(self.grammar.field.name), kids.get(self.grammar.field.body));
        self.done(kids);
        let (Some(name), Some(body)) = (name, body) else { return };
        let outer = self.namespace.replace(Vec::new());
        let before = self.enter();
        let var_scope = std::mem::replace(&mut self.var_scope, self.scope);
        self.statements(body);
        let inside = self.scope;
        self.var_scope = var_scope;
        self.leave(before);
        let given = std::mem::replace(&mut self.namespace, outer).unwrap_or_default();
        if self.role(name) != Role::Name {
            return;
        }
        let mut fields = Vec::with_capacity(given.len());
        for member in given {
            let value = self.facts.push(Expr::Name(member.into(), inside), span(name), inside);
            fields.push(Field::Named(member.into(), value));
        }
        let object = self.push(Expr::Object { of: None, fields }, node);
        self.declare_here(name, Source::Value(object));
    }
}
