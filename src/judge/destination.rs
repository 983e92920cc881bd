//! What a destination is put together of, followed through the calls of wrappers, the fields of clients and the environment.
//!
//! In: a call. Out: [`Part`]s: the base URL of its client, then what the call names; or the host and port, or the URL, in the options of
//! the call or of what it is made on. Whose service that is, others decide.

use super::Judge;
use super::call::Call;
use super::target::split_url;
use crate::catalog::Role;
use crate::facts::Expr;
use crate::finding::{Part, SiteKind, Target};
use crate::link::value::{Layer, LibValue, Rule};
use crate::link::{Bound, Env, Loc, Value, is_text, parts_of};

/// Keys of options that hold what a path is relative to.
pub(super) const BASES: [&str; 4] = ["baseURL", "prefixUrl", "baseUrl", "base_url"];
/// Keys of options that hold a whole address.
const ADDRESSES: [&str; 12] = [
    "url",
    "uri",
    "connectionString",
    "connectionUri",
    "connection_string",
    "node",
    "nodes",
    "brokers",
    "servers",
    "endpoint",
    "cloud",
    "contactPoints",
];
/// Keys of options that hold a host.
const HOSTS: [&str; 4] = ["hostname", "host", "server", "address"];
/// Keys of options that hold other options with an address.
const INNER: [&str; 4] = ["socket", "connection", "datasource", "redis"];

impl Judge<'_> {
    /// A parameter in the query of a destination, as far as that is known.
    pub(super) fn in_query(&self, target: &crate::link::Bound, name: &str) -> Option<String> {
        let known = self.texts.parts(target).into_iter().map(|part| match part {
            Part::Text(text) => text,
            _ => "{}".to_owned(),
        });
        let known: String = known.collect();
        let (_, query) = known.split_once('?')?;
        query.split('&').find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()))
    }

    /// Adds the parts, and says with them what the text alone leaves open: arguments of wrappers, fields of clients.
    pub(super) fn complete(&self, call: &Call, target: &mut Target) {
        target.parts = self.destination(call);
        for name in names_in(&target.parts) {
            if !target.env.contains(&name) {
                target.env.push(name);
            }
        }
        let open = target.text.is_empty() || target.text.replace("${", "").contains('{');
        if open
            && target.host.is_none()
            && !target.parts.is_empty()
            && target.parts.iter().all(|part| matches!(part, Part::Text(_) | Part::Env { .. }))
        {
            target.text = text_of(&target.parts);
            split_url(&target.text.clone(), target);
        }
    }

    /// The parts of a call's destination; none where it names none.
    pub(super) fn destination(&self, call: &Call) -> Vec<Part> {
        self.texts.begin();
        let library = self.catalog().library(call.lib.library);
        match self.send_rule(call).table.kind.unwrap_or(library.kind) {
            SiteKind::Http | SiteKind::Rpc | SiteKind::Socket => self.url(call),
            // What is sent there names a table or a topic; where that is, the client knows.
            SiteKind::Database | SiteKind::Cache | SiteKind::Queue | SiteKind::Mail => {
                let made = self.of_client(&call.lib, 0).or_else(|| self.of_configs(call));
                made.unwrap_or_else(|| self.url(call))
            }
        }
    }

    /// The base of the client and what the call names; else what its options say.
    fn url(&self, call: &Call) -> Vec<Part> {
        let made = || call.end.layers.iter().rev();
        let own = call.roles.get(&Role::Target).map(|given| (call.at, given));
        let given = own.or_else(|| made().find_map(|layer| Some((layer.at, layer.roles.get(&Role::Target)?))));
        let own = call.roles.get(&Role::Options);
        let options: Vec<&Bound> = own.into_iter().chain(made().flat_map(|layer| layer.roles.all(&Role::Options))).collect();
        let mut parts = given.and_then(|(at, given)| self.of_target(at, given, &call.env)).unwrap_or_default();
        if !begins_with_host(&parts) {
            let base = options.iter().find_map(|options| self.first_of(&self.texts.bound(options), &BASES));
            parts = joined(base.unwrap_or_default(), parts);
        }
        if parts.is_empty() {
            parts = options.iter().find_map(|options| self.address(&self.texts.bound(options), 0)).unwrap_or_default();
        }
        if parts.is_empty() { self.of_client(&call.end, 0).or_else(|| self.of_configs(call)).unwrap_or_default() } else { parts }
    }

    /// The parts of an argument that is a destination.
    fn of_target(&self, at: Loc, given: &Bound, env: &Env) -> Option<Vec<Part>> {
        let value = self.texts.bound(given);
        match &value {
            value if is_object(value) => self.address(value, 0),
            Value::Number(_) => Some(self.beside_port(at, given, env)),
            _ => Some(self.texts.parts(given)),
        }
    }

    /// The destination that a client was made with, or what it was made on: a channel on its connection.
    fn of_client(&self, client: &LibValue, depth: u32) -> Option<Vec<Part>> {
        let layers = || client.layers.iter().rev();
        let said = layers().find_map(|layer| {
            let target = layer.roles.get(&Role::Target).and_then(|given| self.of_target(layer.at, given, &layer.env));
            let address = || layer.roles.all(&Role::Options).find_map(|options| self.address(&self.texts.bound(options), 0));
            target.or_else(address).or_else(|| self.lone_text(layer))
        });
        said.or_else(|| layers().filter(|_| depth < 3).find_map(|layer| self.of_receiver(layer, depth)))
    }

    /// A text that is all a client is made with, in the place of options.
    fn lone_text(&self, layer: &Layer) -> Option<Vec<Part>> {
        let Rule::Make(make) = layer.rule else { return None };
        if !self.catalog().library(layer.library).makes[make].takes_options() {
            return None;
        }
        match self.texts.args_of(layer.at, &layer.env).as_slice() {
            [one] if is_text(&self.texts.bound(one)) => Some(self.texts.parts(one)),
            _ => None,
        }
    }

    fn of_receiver(&self, layer: &Layer, depth: u32) -> Option<Vec<Part>> {
        let unit = self.texts.unit(layer.at.file)?;
        let Expr::Call { callee, .. } = unit.facts.expr(layer.at.expr) else { return None };
        let Expr::Member { of, .. } = unit.facts.expr(*callee) else { return None };
        let receiver = self.texts.value(Loc { file: layer.at.file, expr: *of }, &layer.env);
        receiver.options().iter().find_map(|option| match option {
            Value::Lib(made) => self.of_client(made, depth + 1),
            _ => None,
        })
    }

    /// The destination of a client that is handed to the call: `query.execute(&pool)`.
    fn of_configs(&self, call: &Call) -> Option<Vec<Part>> {
        let given = call.configs().map(|config| self.texts.bound(config));
        given.flat_map(|value| value.options().to_vec()).find_map(|value| match value {
            Value::Lib(client) => self.of_client(&client, 0),
            _ => None,
        })
    }

    /// `connect(6379, "cache")`: the host that stands beside a port; this machine where none does.
    fn beside_port(&self, at: Loc, port: &Bound, env: &Env) -> Vec<Part> {
        let args = self.texts.args_of(at, env);
        let is_host = |bound: &&Bound| is_text(&self.texts.bound(bound));
        let host =
            args.iter().find(is_host).map_or_else(|| vec![Part::Text("localhost".to_owned())], |host| self.texts.parts(host));
        [host, vec![Part::Text(":".to_owned())], self.texts.parts(port)].concat()
    }

    /// The address in an options object, or in a text that stands in its place.
    fn address(&self, options: &Value, depth: u32) -> Option<Vec<Part>> {
        if !is_object(options) {
            let has_text = options.options().iter().any(is_text);
            return has_text.then(|| parts_of(options, &String::new));
        }
        if let Some(socket) = self.first_of(options, &["socketPath"]) {
            return Some([vec![Part::Text("unix:".to_owned())], socket].concat());
        }
        if let Some(whole) = self.first_of(options, &ADDRESSES) {
            return Some(whole);
        }
        if let Some(mut parts) = self.first_of(options, &HOSTS) {
            for (key, before) in [("port", ":"), ("path", "")] {
                if let Some(more) = self.first_of(options, &[key]) {
                    parts.push(Part::Text(before.to_owned()));
                    parts.extend(more);
                }
            }
            return Some(parts);
        }
        let inner = |key: &&str| {
            let value = self.texts.member(options, key, &None);
            is_object(&value).then(|| self.address(&value, depth + 1)).flatten()
        };
        if depth < 2 { INNER.iter().find_map(inner) } else { None }
    }

    /// The parts of the first of several fields that is there; of a list its first element.
    fn first_of(&self, options: &Value, keys: &[&str]) -> Option<Vec<Part>> {
        if !is_object(options) {
            return None;
        }
        keys.iter().find_map(|key| {
            let value = match self.texts.member(options, key, &None) {
                Value::List(items) => self.texts.bound(items.first()?),
                value => value,
            };
            let there =
                value.options().iter().any(|value| is_text(value) || matches!(value, Value::Number(_) | Value::Opaque(_)));
            there.then(|| parts_of(&value, &|| (*key).to_owned()))
        })
    }
}

/// Whether a destination names its host itself, so that no base goes before it.
fn begins_with_host(parts: &[Part]) -> bool {
    match parts.first() {
        Some(Part::Text(text)) => text.contains("://") || text.starts_with("//"),
        _ => false,
    }
}

/// A base and the path behind it, parted by one slash.
fn joined(base: Vec<Part>, path: Vec<Part>) -> Vec<Part> {
    let ends = matches!(base.last(), Some(Part::Text(text)) if text.ends_with('/'));
    let begins = matches!(path.first(), Some(Part::Text(text)) if text.starts_with(['/', '?', '#']));
    let slash = !base.is_empty() && !path.is_empty() && !ends && !begins;
    let between = slash.then(|| Part::Text("/".to_owned()));
    base.into_iter().chain(between).chain(path).collect()
}

fn is_object(value: &Value) -> bool {
    value.options().iter().any(|value| matches!(value, Value::Object(_)))
}

/// Parts as text: what is not known in braces, what is not set as its fallback.
fn text_of(parts: &[Part]) -> String {
    let each = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Env { fallback: Some(fallback), .. } => text_of(fallback),
        Part::Env { name, fallback: None } => format!("${{{name}}}"),
        Part::Choice(options) => options.first().map(|option| text_of(option)).unwrap_or_default(),
        Part::Unknown { text, .. } if &**text == "?" => text.to_string(),
        Part::Unknown { text, .. } => format!("{{{text}}}"),
    });
    each.collect()
}

/// The variables of the environment in parts.
fn names_in(parts: &[Part]) -> Vec<String> {
    let mut names = Vec::new();
    for part in parts {
        match part {
            Part::Env { name, fallback } => {
                names.push(name.clone());
                names.extend(fallback.as_deref().map(names_in).unwrap_or_default());
            }
            Part::Choice(options) => names.extend(options.iter().flat_map(|option| names_in(option))),
            Part::Text(_) | Part::Unknown { .. } => {}
        }
    }
    names
}
