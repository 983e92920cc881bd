//! `extends`: what a service takes from another one.
//!
//! In: what a file says about a service. Out: the same with everything it extends beneath it. Circles are cut and noted.

use super::files::{Layer, Project};
use crate::conf::yaml::Node;
use crate::facts::deployment::{Note, Spot};

/// Adds a layer to those of a service, after what it extends.
pub(super) fn add(project: &Project, name: &str, layer: &Layer, all: &mut Vec<Layer>, notes: &mut Vec<Note>) {
    let mut chain = vec![(layer.clone(), name.to_owned())];
    while let Some((last, extends)) = chain.last().and_then(|(last, _)| Some((last, last.node.get("extends")?))) {
        let at = Spot::new(&last.file.shown, extends.line);
        let (file, service) = match (extends.text(), extends.text_at(&["service"])) {
            (Some(service), _) => (None, service),
            (None, Some(service)) => (extends.text_at(&["file"]), service),
            (None, None) => break,
        };
        let file = match file.map(|file| project.variables.filled(file)) {
            None => last.file.clone(),
            Some(Ok(file)) => last.file.folder().join(&file),
            Some(Err(why)) => {
                notes.push(Note { at, text: format!("`extends`: {why}") });
                break;
            }
        };
        let circle = chain.iter().any(|(known, name)| known.file.path == file.path && name == service);
        if circle {
            let way: Vec<&str> = chain.iter().map(|(_, name)| name.as_str()).chain([service]).collect();
            notes.push(Note { at, text: format!("`extends` goes in a circle: {}; it is cut here", way.join(" -> ")) });
            break;
        }
        match project.layer(&file, service, notes) {
            Some(next) => chain.push((next, service.to_owned())),
            None => {
                let text = format!("`extends` names `{service}`, which is not in {}", file.shown);
                notes.push(Note { at, text });
                break;
            }
        }
    }
    all.extend(chain.into_iter().rev().map(|(layer, _)| layer));
}

/// The last layer's value of a key.
pub(super) fn last<'a>(layers: &'a [Layer], path: &[&str]) -> Option<(&'a Layer, &'a Node)> {
    layers.iter().rev().find_map(|layer| Some((layer, layer.node.at(path)?)))
}
