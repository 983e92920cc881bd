//! What a destination is put together of, followed through the calls of wrappers, the fields of clients and the environment.
//!
//! In: a call. Out: [`Part`]s: the base URL of its client, then what the call names; or the host and port, or the URL, in the options of
//! the call or of what it is made on. Whose service that is, others decide.

use super::Judge;
use super::call::Call;
use crate::catalog::Role;
use crate::finding::Part;
use crate::link::{Bound, Value, parts_of};

/// Keys of options that hold what a path is relative to.
const BASES: [&str; 4] = ["baseURL", "prefixUrl", "baseUrl", "base_url"];
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
    /// The parts of a call's destination; none where it names none.
    pub(super) fn destination(&self, call: &Call) -> Vec<Part> {
        self.texts.begin();
        let made = || call.end.layers.iter().rev();
        let own: Option<&Bound> = call.roles.get(&Role::Options);
        let given = call.roles.get(&Role::Target).or_else(|| made().find_map(|layer| layer.roles.get(&Role::Target)));
        let mut parts = Vec::new();
        let all = || own.into_iter().chain(made().flat_map(|layer| layer.roles.all(&Role::Options)));
        if let Some(base) = all().find_map(|options| self.first_of(&self.texts.bound(options), &BASES)) {
            parts.extend(base);
        }
        match given.map(|given| (given, self.texts.bound(given))) {
            Some((_, value)) if is_object(&value) => {
                parts.extend(self.address(&value, 0).unwrap_or_default());
                return parts;
            }
            Some((given, _)) => parts.extend(self.texts.parts(given)),
            None => {}
        }
        if parts.is_empty() {
            return all().find_map(|options| self.address(&self.texts.bound(options), 0)).unwrap_or_default();
        }
        parts
    }

    /// The address in an options object, or in a text that stands in its place.
    fn address(&self, options: &Value, depth: u32) -> Option<Vec<Part>> {
        if !is_object(options) {
            let is_text = options.options().iter().any(|value| matches!(value, Value::Text(_) | Value::Env(_) | Value::Parts(_)));
            return is_text.then(|| parts_of(options, &String::new));
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
            let there = value.options().iter().any(|value| {
                matches!(value, Value::Text(_) | Value::Env(_) | Value::Parts(_) | Value::Number(_) | Value::Opaque(_))
            });
            there.then(|| parts_of(&value, &|| (*key).to_owned()))
        })
    }
}

fn is_object(value: &Value) -> bool {
    value.options().iter().any(|value| matches!(value, Value::Object(_)))
}
