//! A stable text form of facts, for people and for tests of frontends.
//!
//! In: [`FileFacts`]. Out: one line per definition, binding, import, export, call and write, with expressions written out.
//! It is not a serialisation: it cannot be read back.

use std::fmt::{self, Write as _};

use super::{CallForm, Exported, Expr, ExprId, Field, FileFacts, Source, Step, TypeRef};

impl fmt::Display for FileFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for import in &self.imports {
            writeln!(f, "import {:?} of {}", import.name, import.module)?;
        }
        for export in &self.exports {
            match &export.what {
                Exported::Value(value) => writeln!(f, "export {} = {}", export.name, self.show(*value))?,
                what => writeln!(f, "export {} {what:?}", export.name)?,
            }
        }
        for (id, class) in self.classes.iter().enumerate() {
            write!(f, "class#{id} {}", class.name.as_deref().unwrap_or("_"))?;
            if let Some(base) = class.extends {
                write!(f, " extends {}", self.show(base))?;
            }
            writeln!(f)?;
            for field in &class.fields {
                write!(f, "  field {}", field.name)?;
                if let Some(ty) = &field.ty {
                    write!(f, ": {ty}")?;
                }
                match field.value {
                    Some(value) => writeln!(f, " = {}", self.show(value))?,
                    None => writeln!(f)?,
                }
            }
            for method in &class.methods {
                writeln!(f, "  method {} = fn#{}", method.name, method.function.0)?;
            }
        }
        for extension in &self.extensions {
            write!(f, "extend {}", extension.of)?;
            if let Some(via) = &extension.via {
                write!(f, " via {via}")?;
            }
            writeln!(f)?;
            for method in &extension.methods {
                writeln!(f, "  method {} = fn#{}", method.name, method.function.0)?;
            }
        }
        for (id, function) in self.functions.iter().enumerate() {
            write!(f, "fn#{id} {}(", function.name.as_deref().unwrap_or("_"))?;
            for (at, param) in function.params.iter().enumerate() {
                if at > 0 {
                    f.write_str(", ")?;
                }
                f.write_str(param.name.as_deref().unwrap_or("{}"))?;
                if let Some(ty) = &param.ty {
                    write!(f, ": {ty}")?;
                }
                if let Some(default) = param.default {
                    write!(f, " = {}", self.show(default))?;
                }
            }
            f.write_char(')')?;
            for value in &function.returns {
                write!(f, " returns {}", self.show(*value))?;
            }
            writeln!(f)?;
        }
        for binding in &self.bindings {
            write!(f, "{}@{}", binding.name, binding.scope.0)?;
            if let Some(ty) = &binding.ty {
                write!(f, ": {ty}")?;
            }
            for source in &binding.sources {
                f.write_str(" = ")?;
                self.show_source(f, source)?;
            }
            writeln!(f)?;
        }
        for write in &self.writes {
            writeln!(f, "{}{} = {}", self.show(write.root), steps(&write.path), self.show(write.value))?;
        }
        for call in &self.calls {
            let at = self.lines.position(self.span(*call).start);
            writeln!(f, "call {}:{} {}", at.line, at.column, self.show(*call))?;
        }
        for broken in &self.broken {
            let at = self.lines.position(broken.span.start);
            writeln!(f, "broken {}:{} {}", at.line, at.column, broken.reason)?;
        }
        Ok(())
    }
}

fn steps(path: &[Step]) -> String {
    path.iter().fold(String::new(), |mut text, step| {
        let _ = match step {
            Step::Name(name) => write!(text, ".{name}"),
            Step::Index(index) => write!(text, "[{index}]"),
            Step::Variant(name) => write!(text, "<{name}>"),
        };
        text
    })
}

impl fmt::Display for TypeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path.join("."))?;
        if !self.args.is_empty() {
            let args: Vec<String> = self.args.iter().map(ToString::to_string).collect();
            write!(f, "<{}>", args.join(", "))?;
        }
        Ok(())
    }
}

impl FileFacts {
    fn show_source(&self, f: &mut fmt::Formatter<'_>, source: &Source) -> fmt::Result {
        match source {
            Source::Value(value) => f.write_str(&self.show(*value)),
            Source::Part { of, path, default } => {
                write!(f, "{}{}", self.show(*of), steps(path))?;
                default.map_or(Ok(()), |default| write!(f, " ?? {}", self.show(default)))
            }
            Source::Param { function, index, path, default } => {
                write!(f, "param fn#{}[{index}]{}", function.0, steps(path))?;
                default.map_or(Ok(()), |default| write!(f, " ?? {}", self.show(default)))
            }
            Source::Rest { of, without } => write!(f, "{} without {}", self.show(*of), without.join(", ")),
            Source::Element(of) => write!(f, "element of {}", self.show(*of)),
            other => write!(f, "{other:?}"),
        }
    }

    /// An expression written out, for messages and dumps.
    pub fn show(&self, id: ExprId) -> String {
        let mut text = String::new();
        self.write_expr(&mut text, id, 0);
        text
    }

    fn write_all(&self, out: &mut String, ids: impl IntoIterator<Item = ExprId>, depth: u32) {
        for (at, id) in ids.into_iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            self.write_expr(out, id, depth + 1);
        }
    }

    /// The text of an expression that is a name, a member, or a call of one with such arguments.
    pub fn named(&self, id: ExprId) -> Option<String> {
        self.is_named(id, 0).then(|| self.show(id))
    }

    fn is_named(&self, id: ExprId, depth: u32) -> bool {
        let is_named = |id: &ExprId| depth < 12 && self.is_named(*id, depth + 1);
        match self.expr(id) {
            Expr::Name(..) | Expr::This | Expr::Super | Expr::Text(_) | Expr::Number(_) => true,
            Expr::Member { of, .. } | Expr::Await(of) | Expr::Through(of) => is_named(of),
            Expr::Index { of, key } => is_named(of) && is_named(key),
            Expr::Call { callee, args, form } => {
                *form != CallForm::Macro && is_named(callee) && args.iter().all(|arg| is_named(&arg.value))
            }
            _ => false,
        }
    }

    fn write_expr(&self, out: &mut String, id: ExprId, depth: u32) {
        if depth > 12 {
            out.push('…');
            return;
        }
        let _ = match self.expr(id) {
            Expr::Number(number) => write!(out, "{number}"),
            Expr::Text(text) => write!(out, "{text:?}"),
            Expr::Bool(value) => write!(out, "{value}"),
            Expr::Null => write!(out, "null"),
            Expr::Undefined => write!(out, "undefined"),
            Expr::Name(name, _) => write!(out, "{name}"),
            Expr::This => write!(out, "this"),
            Expr::Super => write!(out, "super"),
            Expr::Function(function) => write!(out, "fn#{}", function.0),
            Expr::Class(class) => write!(out, "class#{}", class.0),
            Expr::Member { of, name } => {
                self.write_expr(out, *of, depth + 1);
                write!(out, ".{name}")
            }
            Expr::Index { of, key } => {
                self.write_expr(out, *of, depth + 1);
                out.push('[');
                self.write_expr(out, *key, depth + 1);
                write!(out, "]")
            }
            Expr::Call { callee, args, form } => {
                if *form == super::CallForm::New {
                    out.push_str("new ");
                }
                self.write_expr(out, *callee, depth + 1);
                out.push('(');
                self.write_all(out, args.iter().map(|arg| arg.value), depth);
                write!(out, ")")
            }
            Expr::Object { of, fields } => {
                if let Some(of) = of {
                    self.write_expr(out, *of, depth + 1);
                }
                out.push('{');
                for (at, field) in fields.iter().enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    let value = match field {
                        Field::Named(key, value) => {
                            let _ = write!(out, "{key}: ");
                            value
                        }
                        Field::Computed(_, value) => {
                            out.push_str("[…]: ");
                            value
                        }
                        Field::Spread(value) => {
                            out.push_str("...");
                            value
                        }
                    };
                    self.write_expr(out, *value, depth + 1);
                }
                write!(out, "}}")
            }
            Expr::List(items) => {
                out.push('[');
                self.write_all(out, items.iter().map(|item| item.value), depth);
                write!(out, "]")
            }
            Expr::Join(parts) => {
                out.push_str("join(");
                self.write_all(out, parts.iter().copied(), depth);
                write!(out, ")")
            }
            Expr::Binary { op, left, right } => {
                self.write_expr(out, *left, depth + 1);
                let _ = write!(out, " {op:?} ");
                self.write_expr(out, *right, depth + 1);
                Ok(())
            }
            Expr::Negate(of) => {
                out.push('-');
                self.write_expr(out, *of, depth + 1);
                Ok(())
            }
            Expr::Not(of) => {
                out.push('!');
                self.write_expr(out, *of, depth + 1);
                Ok(())
            }
            Expr::Equal { left, right, loose } => {
                self.write_expr(out, *left, depth + 1);
                out.push_str(if *loose { " == " } else { " === " });
                self.write_expr(out, *right, depth + 1);
                Ok(())
            }
            Expr::Either { kind, options, .. } => {
                let _ = write!(out, "{kind:?}(");
                self.write_all(out, options.iter().copied(), depth);
                write!(out, ")")
            }
            Expr::Await(of) => {
                out.push_str("await ");
                self.write_expr(out, *of, depth + 1);
                Ok(())
            }
            Expr::Through(of) => {
                self.write_expr(out, *of, depth + 1);
                Ok(())
            }
            Expr::Sequence(parts) => {
                out.push_str("seq(");
                self.write_all(out, parts.iter().copied(), depth);
                write!(out, ")")
            }
            Expr::Opaque { reason, .. } => write!(out, "opaque({reason})"),
        };
    }
}
