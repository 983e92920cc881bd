//! The macros by example that a file declares or takes from elsewhere, and what their uses make.
//!
//! In: definitions and uses, in the order of the file, and a way to ask for the text of a definition that another file holds. Out: items and methods where a use makes them; functions for macros that stand
//! for expressions. A definition whose body says something only where it is used waits for its uses: it is read by itself where none is
//! in the file.

use proc_macro2::{Ident, TokenStream};
use rustc_hash::FxHashMap;
use syn::parse::{ParseStream, Parser};
use syn::{ImplItem, Item, Macro};

use super::expand::{Rule, expand, rules};
use super::lower::{Lower, plain};
use super::macros::last_word;
use super::tokens::{self, MacroArm, macro_span};
use crate::facts::{Expr, ExprId, ScopeId};

/// How deeply macros make uses of macros.
const DEEP: u32 = 12;

/// How many uses of macros are expanded in one file.
const USES: u32 = 400;

/// The macros declared so far, by name.
#[derive(Default)]
pub(super) struct Macros {
    known: FxHashMap<Box<str>, Declared>,
    /// The arms of macros that stand elsewhere; `None` where nobody declares one of that name.
    elsewhere: FxHashMap<Box<str>, Option<Vec<Rule>>>,
    /// How many uses are being read, one inside another.
    depth: u32,
    /// How many have been.
    uses: u32,
}

/// A macro of the file.
struct Declared {
    name: Ident,
    mac: Macro,
    rules: Vec<Rule>,
    /// Where it is to be read by itself; `None` where it has been.
    waits: Option<(ScopeId, bool)>,
    /// The member names that uses give, and the scope in which each special case has the macro's name.
    special: Vec<(String, ScopeId)>,
    scope: ScopeId,
}

impl Lower<'_> {
    /// `macro_rules! name { … }`.
    pub(super) fn declare_macro(&mut self, name: &Ident, mac: &Macro) {
        let rules = rules(mac.tokens.clone());
        let depends = rules.iter().any(Rule::depends_on_use);
        if !depends {
            self.macro_rules(name, mac);
        }
        let waits = depends.then_some((self.scope, self.test));
        let special = Vec::new();
        let declared = Declared { name: name.clone(), mac: mac.clone(), rules, waits, special, scope: self.scope };
        // Declared once more, under other conditions or in another place: the one before is read as it stands.
        let before = self.macros.known.insert(plain(name), declared);
        if let Some(Declared { name, mac, waits: Some((scope, test)), .. }) = before {
            let here = std::mem::replace(&mut self.test, test);
            self.within(scope, |this| this.macro_rules(&name, &mac));
            self.test = here;
        }
    }

    /// The macros that nothing uses: their bodies are read as they stand.
    pub(super) fn unused_macros(&mut self) {
        let mut unused: Vec<Declared> = std::mem::take(&mut self.macros.known).into_values().collect();
        unused.sort_by_key(|declared| self.marks.span(declared.name.span()).start);
        for Declared { name, mac, rules, waits, .. } in unused {
            // Where other files use it, what it makes stands there.
            let stands_there = || rules.iter().any(Rule::makes_items) && self.elsewhere.is_used(&plain(&name));
            if let Some((scope, test)) = waits
                && !stands_there()
            {
                self.test = test;
                self.within(scope, |this| this.macro_rules(&name, &mac));
            }
        }
    }

    /// Lowers what a use has made.
    pub(super) fn deeper(&mut self, inner: impl FnOnce(&mut Self)) {
        self.macros.depth += 1;
        inner(self);
        self.macros.depth -= 1;
    }

    /// The tokens that a use makes, where its macro is one of the file and its body waits for uses, or is one of another file.
    fn made(&mut self, mac: &Macro) -> Option<TokenStream> {
        if self.macros.depth >= DEEP || self.macros.uses >= USES {
            return None;
        }
        let last = mac.path.segments.last()?;
        let word = plain(&last.ident);
        if mac.path.segments.len() == 1
            && let Some(declared) = self.macros.known.get(&*word)
        {
            if !declared.rules.iter().any(Rule::depends_on_use) {
                return None;
            }
            self.macros.uses += 1;
            return expand(&declared.rules, &mac.tokens, None);
        }
        let elsewhere = self.elsewhere;
        let rules = self.macros.elsewhere.entry(word).or_insert_with_key(|word| {
            let text = elsewhere.definition(word)?;
            text.parse().ok().map(rules)
        });
        let made = expand(rules.as_ref()?, &mac.tokens, Some(last.ident.span()))?;
        self.macros.uses += 1;
        Some(made)
    }

    fn is_used(&mut self, mac: &Macro) {
        if let Some(declared) = last_word(mac).and_then(|word| self.macros.known.get_mut(&*word)) {
            declared.waits = None;
        }
    }

    /// The items that a use makes.
    pub(super) fn made_items(&mut self, mac: &Macro) -> Option<Vec<Item>> {
        let made = self.made(mac)?;
        let items = tokens::items(made).ok()?;
        self.is_used(mac);
        Some(items)
    }

    /// The methods that a use in an `impl` block makes: of a macro of the file, or those that its tokens spell out.
    pub(super) fn made_methods(&mut self, mac: &Macro) -> Option<Vec<ImplItem>> {
        let methods = |tokens: TokenStream| {
            let parser = |input: ParseStream<'_>| {
                let mut all = Vec::new();
                while !input.is_empty() {
                    all.push(input.parse::<ImplItem>()?);
                }
                Ok(all)
            };
            parser.parse2(tokens).ok()
        };
        let Some(made) = self.made(mac) else {
            let spelt = methods(mac.tokens.clone())?;
            return spelt.iter().any(|item| matches!(item, ImplItem::Fn(_))).then_some(spelt);
        };
        let made = methods(made)?;
        self.is_used(mac);
        Some(made)
    }

    /// The function that a use of a macro calls whose body has a member by a name that the use gives (`$client.$method(…)`).
    pub(super) fn special_macro(&mut self, mac: &Macro, word: &str) -> Option<ExprId> {
        if mac.path.segments.len() != 1 {
            return None;
        }
        let declared = self.macros.known.get(word)?;
        let (rule, members) = declared.rules.iter().find_map(|rule| Some((rule, rule.members(&mac.tokens)?)))?;
        let names = tokens::taken(rule.takes())?;
        let given: String = members.iter().map(|(_, token)| format!("{token} ")).collect();
        let known = declared.special.iter().find(|(of, _)| *of == given).map(|(_, scope)| *scope);
        let scope = match known {
            Some(scope) => scope,
            None => {
                let body = tokens::without_dollars(rule.with_members(&members));
                let stmts = tokens::statements(body).ok()?;
                let span = macro_span(&self.marks, &declared.mac);
                let (name, around) = (declared.name.clone(), declared.scope);
                let scope = self.within(around, Self::add_scope);
                self.within(scope, |this| this.macro_function(&name, &names, span, &stmts));
                let declared = self.macros.known.get_mut(word)?;
                declared.special.push((given, scope));
                declared.waits = None;
                scope
            }
        };
        let span = mac.path.segments.first().map(|first| self.marks.span(first.ident.span()))?;
        Some(self.push(Expr::Name(word.into(), scope), span))
    }

    /// The bodies of a macro's arms, each in a scope of its own.
    fn macro_rules(&mut self, name: &Ident, mac: &Macro) {
        for MacroArm { names, body } in tokens::macro_arms(mac.tokens.clone()) {
            let read = match (names, tokens::statements(body.clone())) {
                (Some(names), Ok(stmts)) => {
                    self.macro_function(name, &names, macro_span(&self.marks, mac), &stmts);
                    true
                }
                (_, stmts) => {
                    let scope = self.add_scope();
                    self.within(scope, |this| {
                        if let Ok(stmts) = stmts {
                            this.statements(&stmts);
                        } else if let Ok(items) = tokens::items(body.clone()) {
                            items.iter().for_each(|item| this.item(item));
                        } else {
                            return this.loose(body, &mut Vec::new());
                        }
                        true
                    })
                }
            };
            if !read {
                let span = macro_span(&self.marks, mac);
                self.broken(span, format!("the definition of macro `{}!` could not be read", plain(name)));
            }
        }
    }
}
