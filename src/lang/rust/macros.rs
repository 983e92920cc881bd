//! Macro calls are code: their tokens are read as what they most likely become.
//!
//! In: syn's macros. Out: calls of macros with the expressions inside as arguments, or statements and items in place. Only
//! macros of the same file are expanded (see the module `declared`); what cannot be read and looks like a call becomes [`Broken`](crate::facts::Broken). Macros that quote code for other programs
//! (`quote!`) are not entered.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Expr as Tree, ItemMacro, Lit, Macro};

use super::format::{Part, parts};
use super::lower::{Lower, plain};
use super::patterns::Origin;
use super::tokens::{self, MacroArg, macro_span};
use crate::facts::{Arg, Either, Expr, ExprId, Source};
use crate::span::Span;

/// Macros that never come back.
const LEAVE: [&str; 6] = ["panic", "unreachable", "todo", "unimplemented", "bail", "compile_error"];

/// Macros whose tokens are code for another program, or no code.
const QUOTES: [&str; 8] =
    ["quote", "quote_spanned", "parse_quote", "parse_quote_spanned", "stringify", "asm", "global_asm", "cfg"];

/// Macros whose text argument is a format string.
const SAYS: [&str; 30] = [
    "print",
    "println",
    "eprint",
    "eprintln",
    "write",
    "writeln",
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "log",
    "trace",
    "debug",
    "info",
    "warn",
    "error",
    "event",
    "span",
    "bail",
    "ensure",
    "anyhow",
    "eyre",
    "format_err",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "trace_span",
];

/// Tokens up to which a run that is no expression is searched token by token.
const SEARCHED: usize = 200;

/// Whether a macro never comes back.
pub(super) fn leaves(mac: &Macro) -> bool {
    last_word(mac).is_some_and(|word| LEAVE.contains(&&*word))
}

pub(super) fn last_word(mac: &Macro) -> Option<Box<str>> {
    mac.path.segments.last().map(|last| plain(&last.ident))
}

impl Lower<'_> {
    /// A macro call in the place of an expression or statement.
    pub(super) fn mac(&mut self, mac: &Macro) -> ExprId {
        let word = last_word(mac).unwrap_or_default();
        let known = match &*word {
            "format" | "format_args" | "concat" => self.format(mac),
            "vec" => self.vec(mac),
            "join" | "try_join" => self.joined(mac),
            "select" | "select_biased" => self.select(mac),
            "matches" | "assert_matches" | "debug_assert_matches" => self.matches(mac),
            "lazy_static" | "thread_local" => self.statics(mac),
            "cfg_if" => Some(self.cfg_if(mac)),
            word if QUOTES.contains(&word) => Some(self.macro_of(mac, Vec::new())),
            _ => None,
        };
        known.unwrap_or_else(|| self.any_macro(mac, &word, false))
    }

    /// A macro call or definition in the place of an item.
    pub(super) fn item_macro(&mut self, item: &ItemMacro) {
        match &item.ident {
            Some(name) => self.declare_macro(name, &item.mac),
            None if last_word(&item.mac).is_some_and(|word| matches!(&*word, "lazy_static" | "thread_local" | "cfg_if")) => {
                self.mac(&item.mac);
            }
            None => {
                if let Some(items) = self.made_items(&item.mac) {
                    return self.deeper(|this| items.iter().for_each(|item| this.item(item)));
                }
                let word = last_word(&item.mac).unwrap_or_default();
                self.any_macro(&item.mac, &word, true);
            }
        }
    }

    /// The call of a macro with arguments already lowered.
    fn macro_of(&mut self, mac: &Macro, args: Vec<Arg>) -> ExprId {
        let callee = self.path(&mac.path);
        let span = macro_span(&self.marks, mac);
        self.macro_call(callee, args, span)
    }

    /// A macro of which nothing is known.
    fn any_macro(&mut self, mac: &Macro, word: &str, items_first: bool) -> ExprId {
        if items_first && let Ok(items) = tokens::items(mac.tokens.clone()) {
            items.iter().for_each(|item| self.item(item));
            return self.macro_of(mac, Vec::new());
        }
        if let Ok(args) = tokens::arguments(mac.tokens.clone()) {
            let args = self.macro_args(args, SAYS.contains(&word));
            if let Some(callee) = self.special_macro(mac, word) {
                let span = macro_span(&self.marks, mac);
                return self.macro_call(callee, args, span);
            }
            return self.macro_of(mac, args);
        }
        if let Ok(stmts) = tokens::statements(mac.tokens.clone()) {
            let outer = self.scope;
            let value = self.statements(&stmts).value();
            if !items_first && matches!(word, "pin" | "pin_mut") {
                // `pin!(let x = …)` binds in the block around it.
            } else {
                self.scope = outer;
            }
            return self.macro_of(mac, value.into_iter().map(Arg::plain).collect());
        }
        if !items_first && let Ok(items) = tokens::items(mac.tokens.clone()) {
            items.iter().for_each(|item| self.item(item));
            return self.macro_of(mac, Vec::new());
        }
        let mut args = Vec::new();
        if !self.loose(mac.tokens.clone(), &mut args) {
            self.macro_broken(mac, word);
        }
        self.macro_of(mac, args)
    }

    fn macro_broken(&mut self, mac: &Macro, word: &str) {
        let span = macro_span(&self.marks, mac);
        self.broken(span, format!("macro `{word}!` could not be read"));
    }

    fn macro_args(&mut self, args: Vec<MacroArg>, says: bool) -> Vec<Arg> {
        let mut seen_text = !says;
        let mut all = Vec::new();
        for arg in args {
            if !seen_text && arg.name.is_none() && is_text(&arg.value) {
                seen_text = true;
                continue;
            }
            let value = self.expr(&arg.value);
            all.push(Arg { value, name: arg.name.map(Into::into), spread: false });
        }
        all
    }

    /// Tokens that are no list of expressions: whatever expressions are among them. Says whether nothing that looks called was lost.
    pub(super) fn loose(&mut self, stream: TokenStream, args: &mut Vec<Arg>) -> bool {
        let mut whole = true;
        for segment in tokens::segments(stream) {
            whole &= self.loose_segment(segment, args);
        }
        whole
    }

    fn loose_segment(&mut self, segment: Vec<TokenTree>, args: &mut Vec<Arg>) -> bool {
        let mut whole = true;
        let mut rest = segment;
        if rest.len() > SEARCHED {
            for token in rest {
                if let TokenTree::Group(group) = token {
                    whole &= self.loose(group.stream(), args);
                }
            }
            return whole;
        }
        while !rest.is_empty() {
            if let Ok((value, after)) = tokens::leading_expression(rest.iter().cloned().collect()) {
                if !matches!(value, Tree::Lit(_) | Tree::Path(_)) {
                    let value = self.expr(&value);
                    args.push(Arg::plain(value));
                }
                rest = after.into_iter().collect();
                continue;
            }
            whole &= !tokens::looks_called(&rest);
            if let TokenTree::Group(group) = rest.remove(0) {
                whole &= self.loose(group.stream(), args);
            }
        }
        whole
    }

    /// `format!("{a}/x/{}", b)`, `concat!("a", "b")`: the parts that are joined.
    fn format(&mut self, mac: &Macro) -> Option<ExprId> {
        let args = tokens::arguments(mac.tokens.clone()).ok()?;
        let span = macro_span(&self.marks, mac);
        if mac.path.segments.last().is_some_and(|last| last.ident == "concat") {
            let parts = args.iter().map(|arg| self.expr(&arg.value)).collect();
            return Some(self.push(Expr::Join(parts), span));
        }
        let (first, others) = args.split_first()?;
        let Tree::Lit(lit) = &first.value else { return None };
        let Lit::Str(text) = &lit.lit else { return None };
        let at = self.marks.span(text.span());
        let values: Vec<(Option<&str>, ExprId)> = others.iter().map(|arg| (arg.name.as_deref(), self.expr(&arg.value))).collect();
        let joined = self.join(&text.value(), &values, at);
        Some(self.push(Expr::Join(joined), span))
    }

    fn join(&mut self, text: &str, values: &[(Option<&str>, ExprId)], at: Span) -> Vec<ExprId> {
        let mut next = 0;
        let mut joined = Vec::new();
        for part in parts(text) {
            let value = match part {
                Part::Text(text) => Some(self.push(Expr::Text(text.into()), at)),
                Part::Next => {
                    next += 1;
                    values.get(next - 1).map(|(_, value)| *value)
                }
                Part::At(place) => values.get(place).map(|(_, value)| *value),
                Part::Name(name) => match values.iter().find(|(given, _)| *given == Some(&*name)) {
                    Some((_, value)) => Some(*value),
                    None if name == "self" => Some(self.push(Expr::This, at)),
                    None => Some(self.name(name.into(), at)),
                },
            };
            joined.extend(value);
        }
        joined
    }

    /// `vec![a, b]`, `vec![a; n]`: a list.
    fn vec(&mut self, mac: &Macro) -> Option<ExprId> {
        let span = macro_span(&self.marks, mac);
        if let Ok((value, length)) = tokens::repeated(mac.tokens.clone()) {
            let value = self.expr(&value);
            self.expr(&length);
            return Some(self.push(Expr::List(vec![Arg::plain(value)]), span));
        }
        let args = tokens::arguments(mac.tokens.clone()).ok()?;
        let args = self.macro_args(args, false);
        Some(self.push(Expr::List(args), span))
    }

    /// `select! { pat = future => handler, … }`: the futures are the arguments, the handlers stand beside the call.
    fn select(&mut self, mac: &Macro) -> Option<ExprId> {
        let branches = tokens::branches(mac.tokens.clone()).ok()?;
        let (mut args, mut values) = (Vec::new(), Vec::new());
        for branch in &branches {
            let future = branch.waits.as_ref().map(|(_, future)| self.expr(future));
            args.extend(future.map(Arg::plain));
            if let Some(condition) = &branch.condition {
                self.expr(condition);
            }
            self.scoped(|this| {
                if let (Some((pat, _)), Some(future)) = (&branch.waits, future) {
                    this.pattern(pat, Origin::Value(future), None);
                }
                values.extend(this.tail(&branch.handler).value());
            });
        }
        let call = self.macro_of(mac, args);
        if values.is_empty() {
            return Some(call);
        }
        // What the branches give is what the whole gives.
        let span = self.facts.span(call);
        let given = self.push(Expr::Either { kind: Either::Choice, test: None, options: values }, span);
        Some(self.push(Expr::Sequence(vec![call, given]), span))
    }

    /// `join!(a, b)`: what all of them give, as a tuple.
    fn joined(&mut self, mac: &Macro) -> Option<ExprId> {
        let args = tokens::arguments(mac.tokens.clone()).ok()?;
        let args = self.macro_args(args, false);
        let span = macro_span(&self.marks, mac);
        Some(self.push(Expr::List(args), span))
    }

    /// `matches!(x, pat if guard)`: whether the pattern fits.
    fn matches(&mut self, mac: &Macro) -> Option<ExprId> {
        let (value, pat, guard) = tokens::matched(mac.tokens.clone()).ok()?;
        let value = self.expr(&value);
        self.scoped(|this| {
            this.pattern(&pat, Origin::Value(value), None);
            if let Some(guard) = &guard {
                this.guard(guard);
            }
        });
        let span = macro_span(&self.marks, mac);
        let fits = [true, false].map(|fits| self.push(Expr::Bool(fits), span)).to_vec();
        Some(self.push(Expr::Either { kind: Either::Choice, test: Some(value), options: fits }, span))
    }

    /// `lazy_static! { static ref A: T = x; }`, `thread_local! { static A: T = x }`: bindings.
    fn statics(&mut self, mac: &Macro) -> Option<ExprId> {
        let statics = tokens::statics(mac.tokens.clone()).ok()?;
        for entry in &statics {
            let span = self.marks.span(entry.name.span());
            let value = self.expr(&entry.value);
            let ty = self.ty(&entry.ty);
            self.bind(plain(&entry.name), span, ty, Some(Source::Value(value)));
            self.export(plain(&entry.name), span);
        }
        Some(self.macro_of(mac, Vec::new()))
    }

    /// `cfg_if! { if #[cfg(a)] { … } else { … } }`: all branches.
    fn cfg_if(&mut self, mac: &Macro) -> ExprId {
        for token in mac.tokens.clone() {
            let TokenTree::Group(group) = token else { continue };
            if group.delimiter() != proc_macro2::Delimiter::Brace {
                continue;
            }
            if let Ok(items) = tokens::items(group.stream()) {
                items.iter().for_each(|item| self.item(item));
            } else if let Ok(stmts) = tokens::statements(group.stream()) {
                self.scoped(|this| this.statements(&stmts));
            } else {
                self.macro_broken(mac, "cfg_if");
            }
        }
        self.macro_of(mac, Vec::new())
    }
}

fn is_text(tree: &Tree) -> bool {
    matches!(tree, Tree::Lit(lit) if matches!(lit.lit, Lit::Str(_)))
}
