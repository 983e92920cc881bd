//! `environment` and `env_file` of a service.
//!
//! In: its layers. Out: its variables. `environment` beats `env_file`, later layers beat earlier ones; a variable that is named alone comes
//! from whoever runs compose, that is from `.env`, or is not known.

use std::rc::Rc;

use super::files::{Layer, Project};
use crate::conf::{dotenv, text_of, yaml::Node};
use crate::facts::deployment::{Deployed, Note, Setting, Spot};

/// Adds the environment that the layers say.
pub(super) fn add(project: &Project, layers: &[Layer], service: &mut Deployed, notes: &mut Vec<Note>) {
    for layer in layers {
        for file in layer.node.get("env_file").map(Node::one_or_more).unwrap_or_default() {
            add_file(project, layer, &file, service, notes);
        }
    }
    for layer in layers {
        let Some(environment) = layer.node.get("environment") else { continue };
        for entry in environment.entries() {
            set(project, layer, &entry.key, entry.value.text(), entry.line, service);
        }
        for item in environment.items() {
            let text = item.text().unwrap_or_default();
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            set(project, layer, name.trim(), value, item.line, service);
        }
    }
}

fn set(project: &Project, layer: &Layer, name: &str, value: Option<&str>, line: u32, service: &mut Deployed) {
    if name.is_empty() {
        return;
    }
    let value = match value {
        Some(value) => project.variables.filled(value),
        None => project
            .variables
            .get(name)
            .map(str::to_owned)
            .ok_or_else(|| format!("`{name}` is passed on from whoever runs compose, and is not set in the .env file")),
    };
    service.env.insert(name.to_owned(), Setting { value, at: Spot::new(&layer.file.shown, line) });
}

fn add_file(project: &Project, layer: &Layer, node: &Rc<Node>, service: &mut Deployed, notes: &mut Vec<Note>) {
    let at = Spot::new(&layer.file.shown, node.line);
    let Some(path) = node.text().or_else(|| node.text_at(&["path"])) else { return };
    let path = match project.variables.filled(path) {
        Ok(path) => path,
        Err(why) => return notes.push(Note { at, text: format!("`env_file`: {why}") }),
    };
    let file = layer.file.folder().join(&path);
    if !file.path.exists() {
        if node.text_at(&["required"]) != Some("false") {
            notes.push(Note { at, text: format!("`env_file` {} is not there", file.shown) });
        }
        return;
    }
    let Some(text) = text_of(&file, notes) else { return };
    for variable in dotenv::variables(&text) {
        let at = Spot::new(&file.shown, variable.line);
        let value = match variable.value {
            Some(value) => project.variables.filled(&value),
            None => Err(format!("`{}` is passed on from whoever runs compose", variable.name)),
        };
        service.env.insert(variable.name, Setting { value, at });
    }
}
