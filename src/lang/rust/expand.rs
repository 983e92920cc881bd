//! What a macro by example makes of its arguments.
//!
//! In: the arms of a `macro_rules!` and the tokens of a use. Out: the tokens that the first fitting arm makes. Where the file declares the
//! macro every one of them stands in the definition: what a variable stands for is found where the definition names the variable. What a macro
//! of another file makes stands in the use: each time of a repetition where the first token of it is given. `${…}` is not known, and hygiene is
//! left to the names.

use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::{Delimiter, Group, Span as Mark, TokenStream, TokenTree};

use super::fragments::{fragment, is_punct};
use super::tokens::as_name;

/// An arm as it is written.
#[derive(Clone)]
pub(super) struct Rule {
    takes: Vec<TokenTree>,
    makes: Vec<TokenTree>,
}

/// What a variable stands for.
#[derive(Clone, Debug)]
enum Given {
    One(Vec<TokenTree>),
    /// What it stands for each time; shared by the variables of one repetition.
    Many(Rc<[Names]>),
}

type Names = BTreeMap<String, Given>;

/// The arms of a macro.
pub(super) fn rules(tokens: TokenStream) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut takes = None;
    for token in tokens {
        if let TokenTree::Group(group) = token {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            match takes.take() {
                None => takes = Some(inner),
                Some(takes) => rules.push(Rule { takes, makes: inner }),
            }
        }
    }
    rules
}

impl Rule {
    /// Whether its body says something only where it is used: items with names or types that the use gives, members by a given name, a
    /// macro that the use names.
    pub(super) fn depends_on_use(&self) -> bool {
        depends(&self.makes)
    }

    /// Whether its body is made of items or methods.
    pub(super) fn makes_items(&self) -> bool {
        declares(&self.makes)
    }

    /// The member names that a use gives, by the variable.
    pub(super) fn members(&self, used: &TokenStream) -> Option<Vec<(String, TokenTree)>> {
        let mut wanted = Vec::new();
        member_variables(&self.makes, &mut wanted);
        if wanted.is_empty() {
            return None;
        }
        let names = self.fits(used)?;
        let mut members = Vec::new();
        for name in wanted {
            match names.get(&name) {
                Some(Given::One(tokens)) if tokens.len() == 1 => members.extend(tokens.first().cloned().map(|one| (name, one))),
                _ => return None,
            }
        }
        Some(members)
    }

    /// The body, with the members that a use gives in the places of their variables.
    pub(super) fn with_members(&self, members: &[(String, TokenTree)]) -> TokenStream {
        put_members(&self.makes, members)
    }

    /// What it takes.
    pub(super) fn takes(&self) -> TokenStream {
        self.takes.iter().cloned().collect()
    }

    fn fits(&self, used: &TokenStream) -> Option<Names> {
        let used: Vec<TokenTree> = used.clone().into_iter().collect();
        let mut names = Names::new();
        let end = fit(&self.takes, &used, 0, &mut names)?;
        (end == used.len()).then_some(names)
    }
}

/// What the first arm that fits makes of a use. `from`: the use, where the arms stand in another file.
pub(super) fn expand(rules: &[Rule], used: &TokenStream, from: Option<Mark>) -> Option<TokenStream> {
    let (rule, names) = rules.iter().find_map(|rule| Some((rule, rule.fits(used)?)))?;
    let mut made = TokenStream::new();
    write(&rule.makes, &[&names], from, &mut made)?;
    Some(made)
}

/// The first token that is given for the variables of one time.
fn first_given(names: &Names) -> Option<Mark> {
    let firsts = names.values().filter_map(|given| match given {
        Given::One(tokens) => tokens.first().map(TokenTree::span),
        Given::Many(all) => all.first().and_then(first_given),
    });
    firsts.min_by_key(Mark::start)
}

/// Whether tokens declare something.
fn declares(tokens: &[TokenTree]) -> bool {
    tokens.iter().any(|token| match token {
        TokenTree::Ident(word) => matches!(&*word.to_string(), "fn" | "impl" | "struct" | "trait" | "mod"),
        TokenTree::Group(group) => declares(&group.stream().into_iter().collect::<Vec<_>>()),
        _ => false,
    })
}

fn depends(tokens: &[TokenTree]) -> bool {
    declares(tokens) || depends_on_names(tokens)
}

/// Whether tokens have members, or use macros, by names that a use gives.
fn depends_on_names(tokens: &[TokenTree]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => depends_on_names(&group.stream().into_iter().collect::<Vec<_>>()),
        TokenTree::Punct(punct) if punct.as_char() == '$' => {
            is_variable(tokens, at) && (is_member(tokens, at) || is_punct(tokens.get(at + 2), '!'))
        }
        _ => false,
    })
}

fn is_variable(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at + 1), Some(TokenTree::Ident(_)))
}

/// Whether the variable at a `$` is the name of a member: one dot stands before it.
fn is_member(tokens: &[TokenTree], at: usize) -> bool {
    let dot = |back: usize| at.checked_sub(back).is_some_and(|at| is_punct(tokens.get(at), '.'));
    dot(1) && !dot(2)
}

fn member_variables(tokens: &[TokenTree], found: &mut Vec<String>) {
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (TokenTree::Group(group), _) => member_variables(&group.stream().into_iter().collect::<Vec<_>>(), found),
            (TokenTree::Punct(punct), Some(TokenTree::Ident(name))) if punct.as_char() == '$' && is_member(tokens, at) => {
                let name = name.to_string();
                if !found.contains(&name) {
                    found.push(name);
                }
            }
            _ => {}
        }
    }
}

fn put_members(tokens: &[TokenTree], members: &[(String, TokenTree)]) -> TokenStream {
    let mut out = TokenStream::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match (token, tokens.get(at)) {
            (TokenTree::Group(group), _) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                out.extend([in_group(group.delimiter(), put_members(&inner, members), group.span())]);
            }
            (TokenTree::Punct(punct), Some(TokenTree::Ident(name)))
                if punct.as_char() == '$' && is_member(tokens, at - 1) && members.iter().any(|(of, _)| *name == of) =>
            {
                let given = members.iter().filter(|(of, _)| *name == of).map(|(_, one)| placed(one, name.span()));
                out.extend(given);
                at += 1;
            }
            _ => out.extend([token.clone()]),
        }
    }
    out
}

fn in_group(delimiter: Delimiter, inner: TokenStream, span: Mark) -> TokenTree {
    let mut group = Group::new(delimiter, inner);
    group.set_span(span);
    TokenTree::Group(group)
}

/// A given token where the definition names its variable.
fn placed(token: &TokenTree, at: Mark) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter().map(|token| placed(&token, at)).collect();
            in_group(group.delimiter(), inner, at)
        }
        token => {
            let mut token = token.clone();
            token.set_span(at);
            token
        }
    }
}

/// `$( … ) separator op` in a pattern or body, from the token after the `$`.
struct Repeated {
    inner: Vec<TokenTree>,
    separator: Option<TokenTree>,
    most_once: bool,
    /// The token after it.
    next: usize,
}

fn repeated(tokens: &[TokenTree], at: usize) -> Option<Repeated> {
    let TokenTree::Group(group) = tokens.get(at)? else { return None };
    let op = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '*' | '+' | '?') => Some(punct.as_char() == '?'),
        _ => None,
    };
    let inner = group.stream().into_iter().collect();
    if group.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    if let Some(most_once) = op(at + 1) {
        return Some(Repeated { inner, separator: None, most_once, next: at + 2 });
    }
    let most_once = op(at + 2)?;
    Some(Repeated { inner, separator: tokens.get(at + 1).cloned(), most_once, next: at + 3 })
}

/// Fits a pattern to tokens from a place on; gives the place after what fitted.
fn fit(pattern: &[TokenTree], used: &[TokenTree], mut at: usize, names: &mut Names) -> Option<usize> {
    let mut next = 0;
    while let Some(token) = pattern.get(next) {
        next += 1;
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match pattern.get(next)? {
                TokenTree::Ident(name) => {
                    let Some(TokenTree::Ident(kind)) = pattern.get(next + 2) else { return None };
                    let end = fragment(&kind.to_string(), used, at)?;
                    names.insert(name.to_string(), Given::One(whole(&kind.to_string(), used.get(at..end)?)));
                    at = end;
                    next += 3;
                }
                _ => {
                    let repeated = repeated(pattern, next)?;
                    next = repeated.next;
                    at = fit_repeated(&repeated, used, at, names);
                }
            },
            TokenTree::Group(group) => {
                let Some(TokenTree::Group(given)) = used.get(at) else { return None };
                if given.delimiter() != group.delimiter() {
                    return None;
                }
                let [inner, given] = [group, given].map(|group| group.stream().into_iter().collect::<Vec<_>>());
                if fit(&inner, &given, 0, names)? != given.len() {
                    return None;
                }
                at += 1;
            }
            token => {
                if token.to_string() != used.get(at)?.to_string() {
                    return None;
                }
                at += 1;
            }
        }
    }
    Some(at)
}

fn fit_repeated(of: &Repeated, used: &[TokenTree], mut at: usize, names: &mut Names) -> usize {
    let mut all = Vec::new();
    loop {
        let start = match &of.separator {
            Some(separator) if !all.is_empty() => match used.get(at) {
                Some(token) if token.to_string() == separator.to_string() => at + 1,
                _ => break,
            },
            _ => at,
        };
        let mut inner = Names::new();
        match fit(&of.inner, used, start, &mut inner) {
            Some(end) if end > start => {
                at = end;
                all.push(inner);
            }
            _ => break,
        }
        if of.most_once {
            break;
        }
    }
    let all: Rc<[Names]> = all.into();
    let mut declared = Vec::new();
    variables(&of.inner, &mut declared);
    for name in declared {
        names.insert(name, Given::Many(all.clone()));
    }
    at
}

/// The variables named in tokens.
fn variables(tokens: &[TokenTree], found: &mut Vec<String>) {
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (TokenTree::Group(group), _) => variables(&group.stream().into_iter().collect::<Vec<_>>(), found),
            (TokenTree::Punct(punct), Some(TokenTree::Ident(name))) if punct.as_char() == '$' => found.push(name.to_string()),
            _ => {}
        }
    }
}

/// An expression stays one, whatever stands beside it.
fn whole(kind: &str, tokens: &[TokenTree]) -> Vec<TokenTree> {
    if kind.starts_with("expr") && tokens.len() > 1 {
        vec![TokenTree::Group(Group::new(Delimiter::None, tokens.iter().cloned().collect()))]
    } else {
        tokens.to_vec()
    }
}

/// What a variable stands for, innermost repetition first.
fn given<'n>(names: &[&'n Names], name: &str) -> Option<&'n Given> {
    names.iter().rev().find_map(|names| names.get(name))
}

/// Writes a body; `None` where it asks for something that is not given. `from`: where it is to stand, if not where it does.
fn write(body: &[TokenTree], names: &[&Names], from: Option<Mark>, out: &mut TokenStream) -> Option<()> {
    let put = |token: &TokenTree| from.map_or_else(|| token.clone(), |from| placed(token, from));
    let mut at = 0;
    while let Some(token) = body.get(at) {
        at += 1;
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match body.get(at)? {
                TokenTree::Ident(name) => {
                    match given(names, &name.to_string()) {
                        Some(Given::One(tokens)) if from.is_some() => out.extend(tokens.iter().cloned()),
                        Some(Given::One(tokens)) => out.extend(tokens.iter().map(|token| placed(token, name.span()))),
                        Some(Given::Many(_)) => return None,
                        None => out.extend([put(&TokenTree::Ident(as_name(name.clone())))]),
                    }
                    at += 1;
                }
                _ => {
                    let repeated = repeated(body, at)?;
                    at = repeated.next;
                    write_repeated(&repeated, names, from, out)?;
                }
            },
            TokenTree::Group(group) => {
                let mut inner = TokenStream::new();
                write(&group.stream().into_iter().collect::<Vec<_>>(), names, from, &mut inner)?;
                out.extend([in_group(group.delimiter(), inner, from.unwrap_or_else(|| group.span()))]);
            }
            token => out.extend([put(token)]),
        }
    }
    Some(())
}

fn write_repeated(of: &Repeated, names: &[&Names], from: Option<Mark>, out: &mut TokenStream) -> Option<()> {
    let mut used = Vec::new();
    variables(&of.inner, &mut used);
    let lists: Vec<&Rc<[Names]>> = used
        .iter()
        .filter_map(|name| match given(names, name) {
            Some(Given::Many(all)) => Some(all),
            _ => None,
        })
        .collect();
    let times = lists.first()?.len();
    for time in 0..times {
        if time > 0 {
            out.extend(of.separator.as_ref().map(|token| from.map_or_else(|| token.clone(), |from| placed(token, from))));
        }
        let mut here = names.to_vec();
        for list in &lists {
            here.push(list.get(time)?);
        }
        let first = lists.iter().filter_map(|list| list.get(time).and_then(first_given)).min_by_key(Mark::start);
        write(&of.inner, &here, from.map(|from| first.unwrap_or(from)), out)?;
    }
    Some(())
}
