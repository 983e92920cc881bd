//! The environment of containers: `env`, `envFrom`, and what they refer to.
//!
//! In: the containers of a pod, ConfigMaps and Secrets. Out: variables. A reference that leads nowhere is a reason.

use std::collections::BTreeMap;

use super::objects::{Held, Objects, Workload};
use crate::conf::template::is_literal;
use crate::conf::yaml::Node;
use crate::facts::deployment::{Setting, Spot};

/// Adds the variables of one container; those that are there stay.
pub(super) fn add(objects: &Objects, workload: &Workload, container: &Node, env: &mut BTreeMap<String, Setting>) {
    let mut own: BTreeMap<String, Setting> = BTreeMap::new();
    let at = |line: u32| Spot::new(&workload.file.shown, line);
    for from in container.get("envFrom").map(|from| from.items()).unwrap_or_default() {
        let prefix = from.text_at(&["prefix"]).unwrap_or_default();
        let map = from.text_at(&["configMapRef", "name"]).and_then(|name| objects.maps.get(name));
        let secret = from.text_at(&["secretRef", "name"]).and_then(|name| objects.secrets.get(name));
        for (key, value) in map.into_iter().chain(secret).flat_map(|held| &held.values) {
            own.insert(format!("{prefix}{key}"), Setting { value: value.clone(), at: at(from.line) });
        }
    }
    for item in container.get("env").map(|env| env.items()).unwrap_or_default() {
        let Some(name) = item.text_at(&["name"]).filter(|name| is_literal(name)) else { continue };
        let value = value(objects, item, &own);
        let twice = own.get(name).is_some_and(|known| known.value != value && known.at.line != 0 && is_branch(container));
        let value = if twice { Err("a template chooses between values".to_owned()) } else { value };
        own.insert(name.to_owned(), Setting { value, at: at(item.line) });
    }
    for (name, setting) in own {
        env.entry(name).or_insert(setting);
    }
}

/// Whether a list of variables names one of them twice: the branches of a template stand side by side.
fn is_branch(container: &Node) -> bool {
    let names: Vec<&str> = container
        .get("env")
        .map(|env| env.items())
        .unwrap_or_default()
        .iter()
        .filter_map(|item| item.text_at(&["name"]))
        .collect();
    names.iter().enumerate().any(|(at, name)| names[..at].contains(name))
}

fn value(objects: &Objects, item: &Node, known: &BTreeMap<String, Setting>) -> Result<String, String> {
    if let Some(text) = item.text_at(&["value"]) {
        if !is_literal(text) {
            return Err("a template gives it".to_owned());
        }
        return filled(text, known);
    }
    let Some(from) = item.get("valueFrom") else { return Ok(String::new()) };
    for (reference, kind, all) in [("configMapKeyRef", "ConfigMap", &objects.maps), ("secretKeyRef", "Secret", &objects.secrets)]
    {
        let Some(reference) = from.get(reference) else { continue };
        let (Some(name), Some(key)) = (reference.text_at(&["name"]), reference.text_at(&["key"])) else {
            return Err(format!("its {kind} is not named"));
        };
        return of_held(kind, name, key, all.get(name));
    }
    let source = from.entries().first().map_or("something", |entry| &*entry.key);
    Err(format!("it comes from `{source}`, when the pod runs"))
}

fn of_held(kind: &str, name: &str, key: &str, held: Option<&Held>) -> Result<String, String> {
    if !is_literal(name) || !is_literal(key) {
        return Err(format!("a template names its {kind}"));
    }
    let held = held.ok_or_else(|| format!("the {kind} `{name}` is not in the tree"))?;
    let value = held.values.get(key).ok_or_else(|| format!("the {kind} `{name}` has no `{key}`"))?;
    value.clone().map_err(|why| format!("`{key}` of the {kind} `{name}`: {why}"))
}

/// `$(NAME)` filled in with what stands before; others stay as they are, as Kubernetes leaves them.
fn filled(text: &str, known: &BTreeMap<String, Setting>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("$(") {
        let Some((name, behind)) = after.split_once(')') else { break };
        out.push_str(before);
        match known.get(name).map(|setting| &setting.value) {
            Some(Ok(value)) => out.push_str(value),
            Some(Err(why)) => return Err(format!("`{name}` in it: {why}")),
            None => return Err(format!("`$({name})` in it is not set before")),
        }
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}
