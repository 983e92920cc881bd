//! Values: which expression each node becomes.
//!
//! In: a node that is a value. Out: an [`ExprId`]. Literals, calls, functions, classes and assignments have files of their own.

use tree_sitter::Node;

use super::lower::Lowerer;
use super::roles::Role;
use crate::facts::{Binary, Either, Expr, ExprId};

const CONDITION: &str = "a condition";

impl<'t> Lowerer<'t> {
    /// Lowers a value. Whatever is none becomes opaque, with the values inside it as its parts.
    pub(super) fn value(&mut self, node: Node<'t>) -> ExprId {
        let hint = self.hint.take();
        let chained = std::mem::take(&mut self.chained);
        let floating = self.floating.len();
        match self.deeper(node, |l| l.value_of(l.role(node), node, hint, chained)) {
            Some(value) if chained || self.floating.len() == floating => value,
            Some(value) => self.land(value, floating),
            None => self.opaque("code that is nested too deeply", Vec::new(), node),
        }
    }

    /// Lowers a value that is given a name, if it is a function or a class without one.
    pub(super) fn value_named(&mut self, node: Node<'t>, name: &'t str) -> ExprId {
        self.hint = Some(name);
        self.value(node)
    }

    fn value_of(&mut self, role: Role, node: Node<'t>, hint: Option<&'t str>, chained: bool) -> ExprId {
        match role {
            Role::Name => self.name(node),
            Role::Member => self.member(node),
            Role::Call => self.call(node),
            Role::Text => self.string(node),
            Role::Object => self.object(node),
            Role::Through => self.through(node, hint, chained),
            Role::FunctionValue => self.function_value(node, hint),
            Role::Await => self.await_value(node),
            Role::Number => self.number(node),
            Role::Template => self.template(node),
            Role::List => self.list(node),
            Role::Index => self.subscript(node),
            Role::New => self.new_value(node),
            Role::Binary => self.binary(node),
            Role::Unary => self.unary(node),
            Role::Choice => self.choice(node),
            Role::Assignment => self.assignment(node),
            Role::Augmented => self.augmented(node),
            Role::Update => self.update(node),
            Role::Sequence => self.sequence(node),
            Role::Yield => self.yield_value(node),
            Role::ClassValue => self.class_value(node, hint),
            Role::Markup => self.markup(node),
            _ => self.atom(role, node),
        }
    }

    /// Values without parts.
    fn atom(&mut self, role: Role, node: Node<'t>) -> ExprId {
        match role {
            Role::This => self.push(Expr::This, node),
            Role::Super => self.push(Expr::Super, node),
            Role::True => self.push(Expr::Bool(true), node),
            Role::False => self.push(Expr::Bool(false), node),
            Role::Null => self.push(Expr::Null, node),
            Role::Undefined => self.push(Expr::Undefined, node),
            Role::Regex => self.opaque("a regular expression", Vec::new(), node),
            Role::Other if self.text(node) == "import" => self.push(Expr::Name("import".into(), self.scope), node),
            _ => {
                let mut parts = Vec::new();
                self.values_inside(node, &mut parts);
                self.opaque("code that cannot be read", parts, node)
            }
        }
    }

    /// Lowers every value inside a node that is none itself.
    pub(super) fn values_inside(&mut self, node: Node<'t>, parts: &mut Vec<ExprId>) {
        let kids = self.kids(node);
        for kid in kids.named() {
            let role = self.role(kid);
            if role.is_value() {
                parts.push(self.value(kid));
            } else if role != Role::Ignored && !role.is_type() {
                self.deeper(kid, |l| l.values_inside(kid, parts));
            }
        }
        self.done(kids);
    }

    fn name(&mut self, node: Node<'t>) -> ExprId {
        match self.text(node) {
            "exports" if self.is_global("exports") => self.own_exports("module.exports", node),
            text => self.push(Expr::Name(text.into(), self.scope), node),
        }
    }

    /// Parentheses, casts and assertions leave a value as it is.
    fn through(&mut self, node: Node<'t>, hint: Option<&'t str>, chained: bool) -> ExprId {
        let kids = self.kids(node);
        let inner = kids.named().find(|kid| self.role(*kid).is_value());
        let said = kids.named().find(|kid| Some(*kid) != inner);
        self.done(kids);
        match inner {
            Some(inner) => {
                self.hint = hint;
                self.chained = chained && inner.start_byte() == node.start_byte();
                let value = self.value(inner);
                let ty = said.and_then(|said| if self.role(said).is_type() { Some(said) } else { self.first(said) });
                if let Some(ty) = ty.and_then(|ty| self.type_ref(ty)) {
                    self.facts.casts.push((value, ty));
                }
                value
            }
            None => self.atom(Role::Other, node),
        }
    }

    fn await_value(&mut self, node: Node<'t>) -> ExprId {
        let Some(inner) = self.first(node) else {
            return self.push(Expr::Undefined, node);
        };
        let of = self.value(inner);
        self.awaited(of, node)
    }

    /// `await of`; a module that is imported inside an expression is there at once.
    pub(super) fn awaited(&mut self, of: ExprId, node: Node<'t>) -> ExprId {
        match self.facts.expr(of) {
            Expr::Name(name, _) if name.starts_with("import:") => of,
            _ => self.push(Expr::Await(of), node),
        }
    }

    fn yield_value(&mut self, node: Node<'t>) -> ExprId {
        match self.first(node) {
            Some(inner) => {
                let of = self.value(inner);
                self.push(Expr::Await(of), node)
            }
            None => self.opaque("whoever goes on with the generator", Vec::new(), node),
        }
    }

    fn sequence(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let parts = kids.named().map(|kid| self.value(kid)).collect();
        self.done(kids);
        self.push(Expr::Sequence(parts), node)
    }

    fn unary(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let operator = kids.get(self.grammar.field.operator).map_or("", |operator| self.text(operator));
        let argument = kids.get(self.grammar.field.argument);
        self.done(kids);
        let Some(argument) = argument else {
            return self.atom(Role::Other, node);
        };
        if operator == "void" && self.role(argument) == Role::Number {
            return self.push(Expr::Undefined, node);
        }
        if operator == "delete" {
            let member = self.bare(argument);
            if matches!(self.role(member), Role::Member | Role::Index) {
                let gone = self.push(Expr::Undefined, node);
                self.write_member(member, gone, node);
            }
        }
        let of = self.value(argument);
        self.prefixed(operator, of, node)
    }

    /// An operator before a value.
    pub(super) fn prefixed(&mut self, operator: &str, of: ExprId, node: Node<'t>) -> ExprId {
        match operator {
            "+" => self.push(Expr::Through(of), node),
            "-" => self.push(Expr::Negate(of), node),
            "!" => self.push(Expr::Not(of), node),
            "~" => self.opaque("bit arithmetic", vec![of], node),
            "void" => self.opaque("a value that is thrown away", vec![of], node),
            _ => self.opaque(CONDITION, vec![of], node),
        }
    }

    /// Chains of operators lean to the left and can be long: they are walked, not descended.
    fn binary(&mut self, node: Node<'t>) -> ExprId {
        let mut chain = Vec::new();
        let mut at = node;
        let first = loop {
            let kids = self.kids(at);
            let field = &self.grammar.field;
            let (left, right) = (kids.get(field.left), kids.get(field.right));
            let operator = kids.get(field.operator).map_or("", |operator| self.text(operator));
            self.done(kids);
            chain.push((at, operator, right));
            match left {
                Some(left) if self.role(left) == Role::Binary => at = left,
                left => break left,
            }
        };
        let mut value = match first {
            Some(first) => self.value(first),
            None => self.opaque("code that cannot be read", Vec::new(), node),
        };
        for (node, operator, right) in chain.into_iter().rev() {
            let Some(right) = right else { continue };
            let right = self.value(right);
            value = self.operation(operator, value, right, node);
        }
        value
    }

    /// Two values and the operator between them.
    pub(super) fn operation(&mut self, operator: &str, left: ExprId, right: ExprId, node: Node<'t>) -> ExprId {
        let op = match operator {
            "+" => Binary::Add,
            "-" => Binary::Sub,
            "*" => Binary::Mul,
            "/" => Binary::Div,
            "%" => Binary::Rem,
            "**" => Binary::Pow,
            "<<" => return self.shift_left(left, right, node),
            "||" => return self.either(Either::Or, left, right, node),
            "&&" => return self.either(Either::And, left, right, node),
            "??" => return self.either(Either::Coalesce, left, right, node),
            "&" | "|" | "^" | ">>" | ">>>" => return self.opaque("bit arithmetic", vec![left, right], node),
            "===" | "==" | "!==" | "!=" => {
                let equal = self.push(Expr::Equal { left, right, loose: operator.len() == 2 }, node);
                return if operator.starts_with('!') { self.push(Expr::Not(equal), node) } else { equal };
            }
            _ => return self.opaque(CONDITION, vec![left, right], node),
        };
        self.push(Expr::Binary { op, left, right }, node)
    }

    /// `a << b` is `a * 2 ** b`.
    fn shift_left(&mut self, left: ExprId, right: ExprId, node: Node<'t>) -> ExprId {
        let two = self.push(Expr::Number(2.0), node);
        let right = self.push(Expr::Binary { op: Binary::Pow, left: two, right }, node);
        self.push(Expr::Binary { op: Binary::Mul, left, right }, node)
    }

    /// The first of two values or the second.
    pub(super) fn either(&mut self, kind: Either, left: ExprId, right: ExprId, node: Node<'t>) -> ExprId {
        self.push(Expr::Either { kind, test: None, options: vec![left, right] }, node)
    }

    fn choice(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let field = &self.grammar.field;
        let (test, yes, no) = (kids.get(field.condition), kids.get(field.consequence), kids.get(field.alternative));
        self.done(kids);
        let test = test.map(|test| self.value(test));
        let options = [yes, no].into_iter().flatten().map(|option| self.value(option)).collect();
        self.push(Expr::Either { kind: Either::Choice, test, options }, node)
    }

    /// Markup is not followed; the values in it are its parts.
    fn markup(&mut self, node: Node<'t>) -> ExprId {
        let mut parts = Vec::new();
        self.markup_parts(node, &mut parts);
        self.opaque("markup", parts, node)
    }

    fn markup_parts(&mut self, node: Node<'t>, parts: &mut Vec<ExprId>) {
        let kids = self.kids(node);
        for kid in kids.fields().filter(|kid| kid.node.is_named() && kid.field != self.grammar.field.name) {
            let role = self.role(kid.node);
            if role.is_value() && role != Role::Markup && role != Role::Text {
                parts.push(self.value(kid.node));
            } else if role != Role::Text && role != Role::Ignored {
                self.deeper(kid.node, |l| l.markup_parts(kid.node, parts));
            }
        }
        self.done(kids);
    }
}
