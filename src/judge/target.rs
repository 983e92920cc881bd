//! Where a call goes: its destination as text, and whose parameter it forwards.
//!
//! In: the argument that is the destination, or the options that hold it. Out: [`Piece`]s, the parameter that makes the enclosing
//! function a wrapper, and the [`Target`] of reports. It decides no verdict.

use super::Judge;
use super::call::Call;
use super::limits::place_of;
use crate::catalog::Role;
use crate::facts::{Expr, Field, FunctionId, Source};
use crate::finding::Target;
use crate::link::{Env, Loc, Value};
use crate::span::FileId;

/// A part of a destination.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// Known text.
    Text(String),
    /// A parameter of a function around the call, or a part of one.
    Param(Forwarded),
    /// Something else: a constant base, a field, the environment.
    Other(String),
}

/// A parameter that holds a destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Forwarded {
    /// The function.
    pub file: FileId,
    /// The function.
    pub function: FunctionId,
    /// Which parameter.
    pub index: u32,
    /// Its name.
    pub name: Box<str>,
    /// The member of it that holds the destination, if it is an object.
    pub member: Option<Box<str>>,
}

impl Judge<'_> {
    /// The parameter that a call's destination forwards, if it makes a wrapper of its function.
    pub(super) fn forwarded(&self, call: &Call) -> Option<Forwarded> {
        let keys = &self.send_rule(call).table.target_keys;
        if let Some(found) = self.forwarded_by_rest(call) {
            return Some(found);
        }
        if let Some(target) = call.roles.get(&Role::Target).and_then(place_of) {
            if let Some(found) = forwards(&self.own_pieces(call.at, target, &call.env)) {
                return Some(found);
            }
            if !self.is_options(target, &call.env) {
                return None;
            }
            return self.forwarded_by_options(call.at, target, keys, &call.env);
        }
        if let Some(carried) = self.carried(call).or_else(|| self.made_for(call)) {
            return Some(carried);
        }
        let layers = call.end.layers.iter().rev().filter(|layer| layer.at != call.at);
        if let Some((target, env)) = self.named_by(layers) {
            return forwards(&self.pieces_outward(call.at, target, &env));
        }
        let options = call.roles.get(&Role::Options).and_then(place_of)?;
        self.forwarded_by_options(call.at, options, keys, &call.env)
    }

    /// All arguments of a function, passed on as they are (`get(...args)`): the first of them is the destination.
    fn forwarded_by_rest(&self, call: &Call) -> Option<Forwarded> {
        let unit = self.eval.unit(call.at.file)?;
        let Expr::Call { args, .. } = unit.facts.expr(call.at.expr) else { return None };
        let first = args.first().filter(|first| first.spread)?;
        let pieces = self.own_pieces(call.at, Loc { file: call.at.file, expr: first.value }, &call.env);
        forwards(&pieces).filter(|all| {
            let params = &unit.facts.function(all.function).params;
            all.member.is_none() && params.get(all.index as usize).is_some_and(|param| param.rest)
        })
    }

    fn is_options(&self, at: Loc, env: &Env) -> bool {
        self.eval.value(at, env).options().iter().any(|value| matches!(value, Value::Object(_)))
    }

    /// The destination in an options object of a call: `{ host, port, path }`.
    pub(super) fn forwarded_by_options(&self, call: Loc, options: Loc, keys: &[String], env: &Env) -> Option<Forwarded> {
        let pieces = self.own_pieces(call, options, env);
        if let [Piece::Param(whole)] = pieces.as_slice() {
            return Some(Forwarded { member: Some("*".into()), ..whole.clone() });
        }
        let mut found: Option<Forwarded> = None;
        let mut own_path = false;
        for key in keys {
            let Some(value) = self.field(options, key) else { continue };
            let pieces = self.own_pieces(call, value, env);
            let forwarded = forwards(&pieces);
            let is_path = matches!(key.as_str(), "path" | "url" | "uri");
            if is_path && forwarded.is_none() && !pieces.is_empty() {
                own_path = true;
            }
            if found.is_none() || is_path {
                found = forwarded.or(found);
            }
        }
        found.filter(|_| !own_path)
    }

    /// The expression of a field of an object literal, through one variable and spreads of parameters.
    pub(super) fn field(&self, at: Loc, key: &str) -> Option<Loc> {
        let unit = self.eval.unit(at.file)?;
        match unit.facts.expr(at.expr) {
            Expr::Object { fields, .. } => fields.iter().rev().find_map(|field| match field {
                Field::Named(name, value) if **name == *key => Some(Loc { file: at.file, expr: *value }),
                _ => None,
            }),
            Expr::Name(name, scope) => {
                let binding = unit.binding(name, *scope)?;
                unit.facts.bindings[binding.index()].sources.iter().find_map(|source| match source {
                    Source::Value(value) => self.field(Loc { file: at.file, expr: *value }, key),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// The destination of a call taken apart, without the bases of a factory.
    pub(super) fn own_pieces(&self, call: Loc, at: Loc, env: &Env) -> Vec<Piece> {
        self.without_bases(call, self.pieces(at, env))
    }

    /// A destination in which parameters of a factory that gave the call's function away are a base, whatever they hold: the call comes later
    /// than the factory's.
    fn without_bases(&self, call: Loc, pieces: Vec<Piece>) -> Vec<Piece> {
        let made_with = |param: &Forwarded| {
            param.file == call.file
                && self.eval.unit(call.file).is_some_and(|unit| crate::link::leaves(unit, call.expr, param.function))
        };
        let pieces = pieces.into_iter().map(|piece| match piece {
            Piece::Param(param) if made_with(&param) => Piece::Other(format!("{{{}}}", param.name)),
            other => other,
        });
        pieces.collect()
    }

    /// The target of a call for reports.
    pub(super) fn target(&self, call: &Call) -> Target {
        let keys = &self.send_rule(call).table.target_keys;
        let mut target = Target::default();
        let base = call
            .lib
            .layers
            .iter()
            .rev()
            .flat_map(|layer| layer.roles.all(&Role::Options).filter_map(place_of))
            .find_map(|options| super::destination::BASES.iter().find_map(|key| self.field(options, key)));
        let mut text = String::new();
        let given = call.roles.get(&Role::Target).and_then(place_of);
        if let Some(base) = base {
            text.push_str(&shown(&self.pieces(base, &call.env)));
        }
        let made = call.end.layers.iter().rev().find_map(|layer| layer.roles.get(&Role::Target).and_then(place_of));
        if let Some(at) = given.or(made).filter(|at| !self.is_options(*at, &call.env)) {
            text.push_str(&shown(&self.pieces(at, &call.env)));
        }
        let options = call.roles.get(&Role::Options).and_then(place_of).or(given);
        if let Some(options) = options {
            let part = |key: &str| self.field(options, key).map(|at| shown(&self.pieces(at, &call.env)));
            if keys.iter().any(|key| matches!(key.as_str(), "host" | "hostname" | "port")) {
                target.host = part("hostname").or_else(|| part("host"));
                target.port = part("port").and_then(|port| port.parse().ok());
                target.path = part("path");
            }
            if text.is_empty()
                && let Some(url) = part("url").or_else(|| part("uri"))
            {
                text = url;
            }
        }
        if target.host.is_none() {
            split_url(&text, &mut target);
        } else {
            text = format!(
                "{}{}{}",
                target.host.as_deref().unwrap_or_default(),
                target.port.map(|port| format!(":{port}")).unwrap_or_default(),
                target.path.as_deref().unwrap_or_default()
            );
        }
        target.env = environment(&text);
        target.text = text;
        self.complete(call, &mut target);
        target
    }
}

/// The parameter that a destination forwards, alone or behind a base.
pub(super) fn forwards(pieces: &[Piece]) -> Option<Forwarded> {
    let at = pieces.iter().position(|piece| matches!(piece, Piece::Param(param) if !is_host_member(param)))?;
    let Piece::Param(param) = &pieces[at] else { return None };
    let before: String =
        pieces[..at].iter().map(|piece| if let Piece::Text(text) = piece { text.as_str() } else { "" }).collect();
    let after = pieces[at + 1..].iter().find_map(|piece| match piece {
        Piece::Text(text) if !text.is_empty() => Some(text.as_str()),
        _ => None,
    });
    let route_before = own_route(&before, !pieces[..at].iter().any(|piece| !matches!(piece, Piece::Text(_))));
    let says_path = says_destination(&param.member.clone().unwrap_or_else(|| param.name.clone()));
    if route_before && !says_path {
        return None;
    }
    if after.is_some_and(|after| after.starts_with('/') && after.len() > 1 || after.starts_with("://")) {
        return None;
    }
    if puts_together(&pieces[..at], &pieces[at + 1..], &before) {
        return None;
    }
    if before.ends_with("://") && after.is_some_and(|after| after.starts_with('.')) {
        return None;
    }
    if pieces[..at].iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains('?'))) {
        return None;
    }
    Some(param.clone())
}

/// Whether a parameter behind a base is but a part of a route that goes on: `{base}/{id}-{version}/{file}`.
fn puts_together(base: &[Piece], rest: &[Piece], before: &str) -> bool {
    let in_path = !base.is_empty() && !before.ends_with("://");
    let goes_on = rest.iter().enumerate().any(|(at, piece)| match piece {
        Piece::Text(text) => text.contains('/') && (at + 1 < rest.len() || !text.ends_with('/')),
        _ => false,
    });
    in_path && goes_on
}

/// `req.hostname` inside a template is a base, not the destination.
fn is_host_member(param: &Forwarded) -> bool {
    matches!(param.member.as_deref(), Some("baseUrl" | "baseURL" | "base" | "origin" | "host"))
}

/// Whether the text before a parameter is a route of its own.
fn own_route(before: &str, has_no_base: bool) -> bool {
    let path = match before.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None if has_no_base => before,
        None => before.trim_start_matches('/'),
    };
    !path.trim_matches('/').is_empty() && before.ends_with('/')
        || before.ends_with('=')
        || before.split_once("://").is_some_and(|(_, rest)| !rest.is_empty() && !rest.contains('/') && !rest.ends_with('/'))
}

fn says_destination(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["url", "uri", "path", "endpoint", "route", "href", "addr", "resource", "location", "link"]
        .iter()
        .any(|word| lower.contains(word))
}

fn shown(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Param(param) => match &param.member {
                Some(member) => format!("{{{}.{member}}}", param.name),
                None => format!("{{{}}}", param.name),
            },
            Piece::Other(text) => text.clone(),
        })
        .collect()
}

pub(super) fn split_url(text: &str, target: &mut Target) {
    let Some((scheme, rest)) = text.split_once("://") else {
        if text.starts_with('/') {
            target.path = Some(text.to_owned());
        }
        return;
    };
    let (authority, path) = rest.find(['/', '?', '#']).map_or((rest, ""), |at| rest.split_at(at));
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !port.is_empty() => (host, port.parse().ok()),
        _ => (authority, None),
    };
    if !host.is_empty() && !host.contains(['{', '$']) {
        target.host = Some(host.to_owned());
    }
    target.port = port.or(match scheme {
        "http" | "ws" if target.host.is_some() => Some(80),
        "https" | "wss" if target.host.is_some() => Some(443),
        _ => None,
    });
    target.path = (!path.is_empty()).then(|| path.to_owned());
}

fn environment(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("${") {
        let (name, next) = after.split_once('}').unwrap_or((after, ""));
        names.push(name.to_owned());
        rest = next;
    }
    names
}
