//! A destination taken apart: the texts and parameters that it is put together from.
//!
//! In: an expression and the calls around it. Out: [`Piece`]s, in order.

use super::Judge;
use super::limits::place_of;
use super::target::{Forwarded, Piece};
use crate::facts::{Binary, Expr, ExprId, Source, Step};
use crate::link::{Env, Eval, Loc, Unit, Value};

const DEEPEST: u32 = 10;

impl Judge<'_> {
    /// A destination taken apart.
    pub(super) fn pieces(&self, at: Loc, env: &Env) -> Vec<Piece> {
        let mut pieces = Vec::new();
        self.take_apart(at, env, &mut pieces, 0);
        pieces
    }

    fn take_apart(&self, at: Loc, env: &Env, pieces: &mut Vec<Piece>, depth: u32) {
        let Some(unit) = self.eval.unit(at.file) else { return };
        let here = |expr| Loc { file: at.file, expr };
        if depth > DEEPEST {
            pieces.push(Piece::Other("…".to_owned()));
            return;
        }
        match unit.facts.expr(at.expr) {
            Expr::Text(text) => push_text(pieces, text),
            Expr::Number(number) => push_text(pieces, &number.to_string()),
            Expr::Join(parts) => parts.iter().for_each(|part| self.take_apart(here(*part), env, pieces, depth + 1)),
            Expr::Binary { op: Binary::Add, left, right } => {
                self.take_apart(here(*left), env, pieces, depth + 1);
                self.take_apart(here(*right), env, pieces, depth + 1);
            }
            Expr::Await(of) | Expr::Through(of) => self.take_apart(here(*of), env, pieces, depth + 1),
            Expr::Sequence(parts) if !parts.is_empty() => self.take_apart(here(parts[parts.len() - 1]), env, pieces, depth + 1),
            Expr::Either { options, .. } => self.take_best(at, options, env, pieces, depth),
            Expr::List(items) if !items.is_empty() => {
                // `(host, port)`
                for (nth, item) in items.iter().enumerate() {
                    if nth > 0 {
                        push_text(pieces, ":");
                    }
                    self.take_apart(here(item.value), env, pieces, depth + 1);
                }
            }
            Expr::Name(name, scope) => self.take_name(unit, at, name, *scope, env, pieces, depth),
            Expr::Member { of, name } => self.take_member(unit, at, here(*of), name, env, pieces, depth),
            Expr::Call { .. } => self.take_call(unit, at, env, pieces, depth),
            _ => pieces.push(Piece::Other("?".to_owned())),
        }
    }

    /// Of several options the one that forwards a parameter.
    fn take_best(&self, at: Loc, options: &[crate::facts::ExprId], env: &Env, pieces: &mut Vec<Piece>, depth: u32) {
        for option in options {
            let mut taken = Vec::new();
            self.take_apart(Loc { file: at.file, expr: *option }, env, &mut taken, depth + 1);
            if taken.iter().any(|piece| matches!(piece, Piece::Param(_))) {
                pieces.extend(taken);
                return;
            }
        }
        match self.eval.value(at, env) {
            Value::Text(text) => push_text(pieces, &text),
            _ => pieces.push(Piece::Other("?".to_owned())),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn take_name(
        &self,
        unit: &Unit,
        at: Loc,
        name: &str,
        scope: crate::facts::ScopeId,
        env: &Env,
        pieces: &mut Vec<Piece>,
        depth: u32,
    ) {
        let Some(binding) = unit.binding(name, scope) else {
            pieces.push(Piece::Other(format!("{{{name}}}")));
            return;
        };
        let sources = &unit.facts.bindings[binding.index()].sources;
        for source in sources {
            match source {
                Source::Param { function, index, path, .. } => {
                    if Eval::frame_of(env, at.file, *function).is_some_and(|frame| frame.call.is_some()) {
                        break;
                    }
                    let member = path.first().and_then(|step| match step {
                        Step::Name(name) => Some(name.clone()),
                        Step::Index(_) | Step::Variant(_) => None,
                    });
                    pieces.push(Piece::Param(Forwarded {
                        file: at.file,
                        function: *function,
                        index: *index,
                        name: name.into(),
                        member,
                    }));
                    return;
                }
                Source::Part { of, path, .. } if sources.len() <= 2 => {
                    if let [Step::Name(member)] = path.as_slice() {
                        return self.take_member(unit, at, Loc { file: at.file, expr: *of }, member, env, pieces, depth);
                    }
                }
                Source::Value(value) if sources.len() <= 2 => {
                    let structured = matches!(
                        unit.facts.expr(*value),
                        Expr::Join(_)
                            | Expr::Binary { .. }
                            | Expr::Name(..)
                            | Expr::Call { .. }
                            | Expr::Either { .. }
                            | Expr::Text(_)
                            | Expr::Member { .. }
                            | Expr::Through(_)
                    );
                    if structured {
                        self.take_apart(Loc { file: at.file, expr: *value }, env, pieces, depth + 1);
                        return;
                    }
                }
                _ => {}
            }
        }
        self.take_value(unit, at, env, pieces);
    }

    fn take_value(&self, unit: &Unit, at: Loc, env: &Env, pieces: &mut Vec<Piece>) {
        match self.eval.value(at, env) {
            Value::Text(text) => push_text(pieces, &text),
            Value::Number(number) if number.value.is_some() => push_text(pieces, &number.value.unwrap_or_default().to_string()),
            Value::Env(name) => pieces.push(Piece::Other(format!("${{{name}}}"))),
            Value::Any(options) => {
                match options.iter().find_map(|option| if let Value::Text(text) = option { Some(text.clone()) } else { None }) {
                    Some(text) => push_text(pieces, &text),
                    None => pieces.push(Piece::Other(unknown(unit, at.expr))),
                }
            }
            _ => pieces.push(Piece::Other(unknown(unit, at.expr))),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn take_member(&self, unit: &Unit, at: Loc, of: Loc, name: &str, env: &Env, pieces: &mut Vec<Piece>, depth: u32) {
        if matches!(name, "href" | "toString") {
            return self.take_apart(of, env, pieces, depth + 1);
        }
        let mut inner = Vec::new();
        if matches!(unit.facts.expr(of.expr), Expr::Name(..)) {
            self.take_apart(of, env, &mut inner, depth + 1);
        }
        if let [Piece::Param(param)] = inner.as_slice()
            && param.member.is_none()
        {
            pieces.push(Piece::Param(Forwarded { member: Some(name.into()), ..param.clone() }));
            return;
        }
        self.take_value(unit, at, env, pieces);
    }

    /// `new URL(path, base)`, `url.toString()`, `encodeURIComponent(x)`, and functions of the scanned code that build a URL.
    fn take_call(&self, unit: &Unit, at: Loc, env: &Env, pieces: &mut Vec<Piece>, depth: u32) {
        let Expr::Call { callee, args, .. } = unit.facts.expr(at.expr) else { return };
        let here = |expr| Loc { file: at.file, expr };
        let name = unit.call_name(at.expr).unwrap_or_default();
        match (name, args.as_slice(), unit.facts.expr(*callee)) {
            ("URL" | "Url", [path, base], _) => {
                pieces.push(Piece::Other(String::new()));
                let mut parts = Vec::new();
                self.take_apart(here(base.value), env, &mut parts, depth + 1);
                pieces.extend(parts.into_iter().map(|piece| {
                    if let Piece::Param(param) = piece { Piece::Other(format!("{{{}}}", param.name)) } else { piece }
                }));
                self.take_apart(here(path.value), env, pieces, depth + 1);
            }
            ("URL" | "Request" | "String" | "parse" | "from" | "into" | "into_url" | "Some" | "Ok", [one], _) => {
                self.take_apart(here(one.value), env, pieces, depth + 1)
            }
            (
                "toString" | "parse" | "trim" | "toUpperCase" | "replace" | "format" | "into_string" | "to_socket_addrs",
                _,
                Expr::Member { of, .. },
            ) => {
                self.take_apart(here(*of), env, pieces, depth + 1);
            }
            (name, _, Expr::Member { of, .. }) if self.eval.gives_itself(at.file, name) => {
                self.take_apart(here(*of), env, pieces, depth + 1);
            }
            ("join", [path], Expr::Member { of, .. })
                if matches!(unit.facts.expr(path.value), Expr::Name(..) | Expr::Through(_)) =>
            {
                pieces.push(Piece::Other(unit.facts.named(*of).unwrap_or_else(|| "?".to_owned())));
                self.take_apart(here(path.value), env, pieces, depth + 1);
            }
            ("encodeURIComponent" | "encodeURI" | "escape", ..) => pieces.push(Piece::Other("{…}".to_owned())),
            _ => self.take_built(unit, at, env, pieces, depth),
        }
    }

    /// What a function of the scanned code builds of its arguments.
    fn take_built(&self, unit: &Unit, at: Loc, env: &Env, pieces: &mut Vec<Piece>, depth: u32) {
        let Expr::Call { callee, .. } = unit.facts.expr(at.expr) else { return };
        let callee = self.eval.value(Loc { file: at.file, expr: *callee }, env);
        if let Some(Value::Function(file, function, outer, this)) = callee.options().first()
            && let Some(other) = self.eval.unit(*file)
            && let Some(returned) = other.facts.function(*function).returns.last()
            && depth < DEEPEST
        {
            let frame =
                self.eval.frame((*file, *function), self.eval.args_of(at, env), this.as_deref().cloned(), Some(at), env, outer);
            let mut built = Vec::new();
            self.take_in_frame(Loc { file: *file, expr: *returned }, &frame, env, &mut built, depth + 1);
            if built.iter().any(|piece| matches!(piece, Piece::Param(_))) {
                pieces.extend(built);
                return;
            }
        }
        self.take_value(unit, at, env, pieces);
    }

    /// Like [`Self::take_apart`], with parameters of the frame replaced by the arguments' own pieces.
    fn take_in_frame(&self, at: Loc, frame: &Env, caller: &Env, pieces: &mut Vec<Piece>, depth: u32) {
        let mut inner = Vec::new();
        self.take_apart(at, &None, &mut inner, depth);
        let Some(frame) = frame else { return };
        for piece in inner {
            match piece {
                Piece::Param(param) if (param.file, param.function) == (frame.file, frame.function) => {
                    match frame.args.get(param.index as usize).and_then(place_of) {
                        Some(arg) => self.take_apart(arg, caller, pieces, depth + 1),
                        None => pieces.push(Piece::Other(format!("{{{}}}", param.name))),
                    }
                }
                other => pieces.push(other),
            }
        }
    }
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    if let Some(Piece::Text(last)) = pieces.last_mut() {
        last.push_str(text);
    } else {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

/// What is not known of a destination: the code that gives it where it is a name or a plain call.
fn unknown(unit: &Unit, expr: ExprId) -> String {
    unit.facts.named(expr).map_or_else(|| "?".to_owned(), |named| format!("{{{named}}}"))
}
