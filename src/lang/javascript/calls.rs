//! Calls: plain, `new`, tagged templates, and those that stand for a module.
//!
//! In: a call's node. Out: an [`Expr::Call`], or the name of the module that `require`, `import()` and the helpers of
//! compilers around them give. What calls do to `exports` is read by [`super::commonjs`].

use tree_sitter::Node;

use super::lower::{Lowerer, span};
use super::roles::Role;
use crate::facts::{Arg, CallForm, Expr, ExprId, Field, Import, ImportId, ImportName, MODULE, Source};

impl<'t> Lowerer<'t> {
    pub(super) fn call(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let (function, arguments) = (kids.get(self.grammar.field.function), kids.get(self.grammar.field.arguments));
        let types = kids.get(self.grammar.field.type_arguments);
        self.done(kids);
        let Some(function) = function else {
            let mut parts = Vec::new();
            self.values_inside(node, &mut parts);
            return self.opaque("code that cannot be read", parts, node);
        };
        if let Some(value) = arguments.and_then(|arguments| self.special_call(function, arguments, node)) {
            return value;
        }
        let callee = self.callee(function);
        let args = match arguments {
            Some(arguments) if self.role(arguments) == Role::Template => vec![Arg::plain(self.value(arguments))],
            Some(arguments) => self.items(arguments),
            None => Vec::new(),
        };
        let call = self.push_link(Expr::Call { callee, args, form: CallForm::Plain }, node);
        if let Some(ty) = types.and_then(|types| self.first(types)).and_then(|first| self.type_ref(first)) {
            self.facts.type_arguments.push((call, ty));
        }
        self.exporting_call(call);
        call
    }

    pub(super) fn new_value(&mut self, node: Node<'t>) -> ExprId {
        let kids = self.kids(node);
        let (constructor, arguments) = (kids.get(self.grammar.field.constructor), kids.get(self.grammar.field.arguments));
        self.done(kids);
        let callee = match constructor {
            Some(constructor) => self.value(constructor),
            None => self.opaque("code that cannot be read", Vec::new(), node),
        };
        let args = arguments.map(|arguments| self.items(arguments)).unwrap_or_default();
        self.push(Expr::Call { callee, args, form: CallForm::New }, node)
    }

    /// The callee; of `(0, x.f)`, which compilers write, the part that counts.
    fn callee(&mut self, function: Node<'t>) -> ExprId {
        let callee = self.chained_callee(function);
        let Expr::Sequence(parts) = self.facts.expr(callee) else { return callee };
        let [zero, last] = parts[..] else { return callee };
        if matches!(self.facts.expr(zero), Expr::Number(_)) && callee.index() + 1 == self.facts.exprs.len() {
            self.unpush();
            return last;
        }
        callee
    }

    /// A call that only stands for a module, or for what is passed to it.
    fn special_call(&mut self, function: Node<'t>, arguments: Node<'t>, node: Node<'t>) -> Option<ExprId> {
        let text = match self.role(function) {
            Role::Name => self.text(function),
            Role::Member => self.text(function).rsplit('.').next().unwrap_or(""),
            Role::Other | Role::Ignored => self.text(function),
            _ => return None,
        };
        match text {
            "require" if self.role(function) == Role::Name && self.is_global(text) => {
                let module = self.module_text(arguments)?;
                Some(self.module("require:", &module, ImportName::Whole, node))
            }
            "import" if self.role(function) != Role::Member => {
                let module = self.module_text(arguments)?;
                Some(self.module("import:", &module, ImportName::Namespace, node))
            }
            "__importDefault" | "_interopRequireDefault" | "_interop_require_default" | "__toESM" => {
                let inner = self.first(arguments)?;
                let value = self.value(inner);
                let fields = vec![Field::Named("default".into(), value), Field::Spread(value)];
                Some(self.push(Expr::Object { of: None, fields }, node))
            }
            "__importStar" | "_interopRequireWildcard" | "_interop_require_wildcard" | "__toCommonJS" => {
                let inner = self.first(arguments)?;
                Some(self.value(inner))
            }
            _ => None,
        }
    }

    /// The module that the first argument names, if that is written out.
    fn module_text(&mut self, arguments: Node<'t>) -> Option<Box<str>> {
        let first = self.first(arguments)?;
        match self.role(first) {
            Role::Text => Some(self.string_text(first)),
            Role::Template if first.named_child_count() <= 1 => {
                let text = self.string_raw(first);
                (!text.contains("${")).then(|| text.into())
            }
            _ => None,
        }
    }

    /// The name that stands for a module inside expressions.
    fn module(&mut self, prefix: &str, module: &str, name: ImportName, node: Node<'t>) -> ExprId {
        let key: Box<str> = format!("{prefix}{module}").into();
        if !self.modules.contains_key(&key) {
            let import = self.import(module.into(), name, node, false);
            let binding = self.add_binding(&key, span(node), MODULE);
            self.give(binding, Source::Import(import));
            self.modules.insert(key.clone(), binding);
        }
        self.push(Expr::Name(key, MODULE), node)
    }

    /// Notes an import.
    pub(super) fn import(&mut self, module: Box<str>, name: ImportName, node: Node<'_>, type_only: bool) -> ImportId {
        self.facts.imports.push(Import { module, name, span: span(node), scope: MODULE, type_only });
        ImportId(self.facts.imports.len() as u32 - 1)
    }
}
