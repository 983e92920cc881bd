//! What the tokens of a macro call may mean: arguments, branches of `select!`, statics; and where tokens stand.
//!
//! In: token streams. Out: syn's trees, or a refusal. Nothing is lowered here.

use proc_macro2::{Delimiter, Span as Mark, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, BinOp, Expr, Ident, Item, Pat, Stmt, Token, Type, Visibility, token};

use super::spans::Marks;
use crate::span::Span;

/// Where a token stream stands; `None` for an empty one.
pub(super) fn span_of(marks: &Marks<'_>, tokens: &TokenStream) -> Option<Span> {
    let mut all = tokens.clone().into_iter();
    let first = all.next()?;
    let last = all.last().unwrap_or_else(|| first.clone());
    Some(marks.between(first.span(), last.span()))
}

/// Where an operator stands.
pub(super) fn first_of(op: &BinOp) -> Mark {
    op.span()
}

/// Where a type stands.
pub(super) fn type_span(marks: &Marks<'_>, ty: &Type) -> Span {
    marks.span(ty.span())
}

/// Where a macro call stands.
pub(super) fn macro_span(marks: &Marks<'_>, mac: &syn::Macro) -> Span {
    let close = mac.delimiter.span().close();
    let first = mac.path.segments.first().map_or_else(|| mac.bang_token.span, |segment| segment.ident.span());
    marks.between(first, close)
}

/// One argument of a macro: `x`, `name = x`, `name: x`, `%x`, `?x`.
pub(super) struct MacroArg {
    /// Its name.
    pub name: Option<String>,
    /// Its value.
    pub value: Expr,
}

impl Parse for MacroArg {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = argument_name(input)?;
        if input.peek(Token![%]) {
            input.parse::<Token![%]>()?;
        } else if input.peek(Token![?]) {
            input.parse::<Token![?]>()?;
        }
        Ok(Self { name, value: input.parse()? })
    }
}

/// `a.b =` or `a:` before an argument.
fn argument_name(input: ParseStream) -> syn::Result<Option<String>> {
    let ahead = input.fork();
    let mut name = match ahead.call(Ident::parse_any) {
        Ok(first) => first.unraw().to_string(),
        Err(_) => return Ok(None),
    };
    while ahead.peek(Token![.]) {
        ahead.parse::<Token![.]>()?;
        match ahead.call(Ident::parse_any) {
            Ok(next) => name = format!("{name}.{}", next.unraw()),
            Err(_) => return Ok(None),
        }
    }
    let is_named = ahead.peek(Token![=]) && !ahead.peek(Token![==]) && !ahead.peek(Token![=>])
        || ahead.peek(Token![:]) && !ahead.peek(Token![::]);
    if !is_named {
        return Ok(None);
    }
    ahead.parse::<TokenTree>()?;
    syn::parse::discouraged::Speculative::advance_to(input, &ahead);
    Ok(Some(name))
}

/// Comma-separated arguments.
pub(super) fn arguments(tokens: TokenStream) -> syn::Result<Vec<MacroArg>> {
    let parser = |input: ParseStream| {
        let mut all = Vec::new();
        while !input.is_empty() {
            all.push(input.parse()?);
            if input.parse::<Option<Token![,]>>()?.is_none() && !input.is_empty() {
                return Err(input.error("expected `,`"));
            }
        }
        Ok(all)
    };
    parser.parse2(tokens)
}

/// Statements, as in a block.
pub(super) fn statements(tokens: TokenStream) -> syn::Result<Vec<Stmt>> {
    syn::Block::parse_within.parse2(tokens)
}

/// Items, as in a module.
pub(super) fn items(tokens: TokenStream) -> syn::Result<Vec<Item>> {
    syn::parse2::<syn::File>(tokens).map(|file| file.items)
}

/// `value; length`, as in `vec![0; n]`.
pub(super) fn repeated(tokens: TokenStream) -> syn::Result<(Expr, Expr)> {
    let parser = |input: ParseStream| {
        let value = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok((value, input.parse()?))
    };
    parser.parse2(tokens)
}

/// `value, pattern if guard`, as in `matches!`.
pub(super) fn matched(tokens: TokenStream) -> syn::Result<(Expr, Pat, Option<Expr>)> {
    let parser = |input: ParseStream| {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<TokenStream>()?;
        Ok((value, pat, guard))
    };
    parser.parse2(tokens)
}

/// An expression at the beginning, and what follows it.
pub(super) fn leading_expression(tokens: TokenStream) -> syn::Result<(Expr, TokenStream)> {
    (|input: ParseStream| Ok((input.parse()?, input.parse()?))).parse2(tokens)
}

/// A branch of `select!`.
pub(super) struct Branch {
    /// The pattern and the future it waits for; `None` for `else`, `complete`, `default`.
    pub waits: Option<(Pat, Expr)>,
    /// `, if condition`.
    pub condition: Option<Expr>,
    /// What is done then.
    pub handler: Expr,
}

impl Parse for Branch {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut waits = None;
        let mut condition = None;
        let alone = input.peek(Token![else]) || input.peek(Ident) && input.peek2(Token![=>]);
        if alone {
            input.call(Ident::parse_any)?;
        } else {
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            input.parse::<Token![=]>()?;
            waits = Some((pat, input.parse()?));
            if input.peek(Token![,]) && input.peek2(Token![if]) {
                input.parse::<Token![,]>()?;
                input.parse::<Token![if]>()?;
                condition = Some(input.parse()?);
            }
        }
        input.parse::<Token![=>]>()?;
        let handler = if input.peek(token::Brace) {
            Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: input.parse()? })
        } else {
            input.parse()?
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { waits, condition, handler })
    }
}

/// The branches of `select!`.
pub(super) fn branches(tokens: TokenStream) -> syn::Result<Vec<Branch>> {
    let parser = |input: ParseStream| {
        if input.peek(Ident) && input.peek2(Token![;]) {
            input.parse::<Ident>()?;
            input.parse::<Token![;]>()?;
        }
        let mut all = Vec::new();
        while !input.is_empty() {
            all.push(input.parse()?);
        }
        Ok(all)
    };
    parser.parse2(tokens)
}

/// `static ref NAME: Type = value;`, as in `lazy_static!` and `thread_local!`.
pub(super) struct Static {
    /// The name.
    pub name: Ident,
    /// The type inside.
    pub ty: Type,
    /// The value inside.
    pub value: Expr,
}

/// The statics of `lazy_static!` and `thread_local!`.
pub(super) fn statics(tokens: TokenStream) -> syn::Result<Vec<Static>> {
    let parser = |input: ParseStream| {
        let mut all = Vec::new();
        while !input.is_empty() {
            input.call(Attribute::parse_outer)?;
            input.parse::<Visibility>()?;
            input.parse::<Token![static]>()?;
            input.parse::<Option<Token![ref]>>()?;
            input.parse::<Option<Token![mut]>>()?;
            let name = input.parse()?;
            input.parse::<Token![:]>()?;
            let ty = input.parse()?;
            input.parse::<Token![=]>()?;
            let value = input.parse()?;
            if input.parse::<Option<Token![;]>>()?.is_none() && !input.is_empty() {
                return Err(input.error("expected `;`"));
            }
            all.push(Static { name, ty, value });
        }
        Ok(all)
    };
    parser.parse2(tokens)
}

/// An arm of `macro_rules!`.
pub(super) struct MacroArm {
    /// The names of what it takes, where each is given once: `($url:expr, $seconds:expr)`.
    pub names: Option<Vec<Ident>>,
    /// Its body, with `$x` read as the name `x` and repetitions as written once.
    pub body: TokenStream,
}

/// The arms of `macro_rules!`.
pub(super) fn macro_arms(tokens: TokenStream) -> Vec<MacroArm> {
    let mut arms = Vec::new();
    let mut names = None;
    let mut after_arrow = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if after_arrow => {
                arms.push(MacroArm { names: names.take(), body: without_dollars(group.stream()) });
                after_arrow = false;
            }
            TokenTree::Group(group) => names = taken(group.stream()),
            TokenTree::Punct(punct) => after_arrow = punct.as_char() == '>',
            _ => {}
        }
    }
    arms
}

/// The names in what an arm matches; `None` where something else decides what they are.
pub(super) fn taken(tokens: TokenStream) -> Option<Vec<Ident>> {
    let mut names = Vec::new();
    let mut all = tokens.into_iter();
    while let Some(token) = all.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match all.next()? {
                TokenTree::Ident(name) => {
                    names.push(as_name(name));
                    all.next();
                    all.next();
                }
                // A comma at the end.
                TokenTree::Group(group) if group.stream().to_string() == "," => return Some(names),
                _ => return None,
            },
            TokenTree::Punct(punct) if punct.as_char() == ',' => {}
            _ => return None,
        }
    }
    Some(names)
}

/// A variable of a macro as a name of the code: it may be called as a keyword is (`$type`).
pub(super) fn as_name(name: Ident) -> Ident {
    let word = name.to_string();
    let is_path = matches!(&*word, "crate" | "self" | "Self" | "super" | "_");
    if is_path || word.starts_with("r#") || syn::parse_str::<Ident>(&word).is_ok() {
        name
    } else {
        Ident::new_raw(&word, name.span())
    }
}

pub(super) fn without_dollars(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut all = tokens.into_iter().peekable();
    while let Some(token) = all.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                if let Some(TokenTree::Group(group)) = all.next_if(|next| matches!(next, TokenTree::Group(_))) {
                    out.extend(without_dollars(group.stream()));
                    repetition(&mut out, &mut all);
                } else if let Some(TokenTree::Ident(name)) = all.next_if(|next| matches!(next, TokenTree::Ident(_))) {
                    out.extend([TokenTree::Ident(as_name(name))]);
                }
            }
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), without_dollars(group.stream()));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            token => out.extend([token]),
        }
    }
    out
}

/// What follows a repeated group: at most one separator, then `*`, `+` or `?`.
fn repetition(out: &mut TokenStream, all: &mut std::iter::Peekable<impl Iterator<Item = TokenTree>>) {
    let repeats = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), '*' | '+' | '?'));
    if all.next_if(repeats).is_some() {
        return;
    }
    let separator = all.next();
    if all.next_if(repeats).is_some() {
        out.extend(separator.filter(|token| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';'))));
    } else {
        out.extend(separator);
    }
}

/// Cuts tokens at `,`, `;`, `=>` and single `:` and `=`.
pub(super) fn segments(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut all = vec![Vec::new()];
    let mut before = ' ';
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Punct(punct) = token else {
            before = ' ';
            if let Some(last) = all.last_mut() {
                last.push(token.clone());
            }
            continue;
        };
        let joined = punct.spacing() == proc_macro2::Spacing::Joint;
        let next = match tokens.get(at + 1) {
            Some(TokenTree::Punct(next)) if joined => next.as_char(),
            _ => ' ',
        };
        let cuts = match punct.as_char() {
            ',' | ';' => true,
            ':' => before != ':' && next != ':',
            '=' => {
                next == '>'
                    || next != '='
                        && !matches!(before, '=' | '<' | '>' | '!' | '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '.')
            }
            '>' => before == '=',
            _ => false,
        };
        before = if joined { punct.as_char() } else { ' ' };
        match all.last_mut() {
            _ if cuts => all.push(Vec::new()),
            Some(last) => last.push(token.clone()),
            None => {}
        }
    }
    all.retain(|segment| !segment.is_empty());
    all
}

/// Whether tokens begin with a name and parentheses.
pub(super) fn looks_called(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Ident(_), TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Parenthesis)
}
