//! `ports` and `expose` of a service.
//!
//! In: its layers. Out: the ports on which it listens, and those of the machine that lead to it. A port that is not known is noted, and
//! the part of it that is known is kept.

use super::files::{Layer, Project};
use super::variables::parts;
use crate::conf::yaml::Node;
use crate::facts::deployment::{Deployed, Note, Spot};

/// The most ports of one range that are kept.
const MOST: u16 = 1_000;

/// Adds the ports that the layers say.
pub(super) fn add(project: &Project, layers: &[Layer], service: &mut Deployed, notes: &mut Vec<Note>) {
    for layer in layers {
        for port in layer.node.get("ports").map(|ports| ports.items()).unwrap_or_default() {
            let (published, target) = match port.text() {
                Some(text) => short(text),
                None => (
                    port.text_at(&["published"]).map(str::to_owned),
                    port.text_at(&["target"]).map(str::to_owned).unwrap_or_default(),
                ),
            };
            service.ports.extend(numbers(project, &target, layer, port, notes));
            if let Some(published) = published {
                service.published.extend(numbers(project, &published, layer, port, notes));
            }
        }
        for port in layer.node.get("expose").map(|ports| ports.items()).unwrap_or_default() {
            service.ports.extend(numbers(project, port.text().unwrap_or_default(), layer, port, notes));
        }
    }
    for list in [&mut service.ports, &mut service.published] {
        list.sort_unstable();
        list.dedup();
    }
}

/// `127.0.0.1:8080:80/tcp` as what is published and what it leads to.
fn short(text: &str) -> (Option<String>, String) {
    let mut parts = parts(text);
    let target = parts.pop().unwrap_or_default().split('/').next().unwrap_or_default();
    (parts.pop().filter(|part| !part.is_empty()).map(str::to_owned), target.to_owned())
}

/// `80`, `8000-8003`, `${PORT:-80}` as numbers.
fn numbers(project: &Project, text: &str, layer: &Layer, at: &Node, notes: &mut Vec<Note>) -> Vec<u16> {
    let mut note = |why: String| {
        notes.push(Note { at: Spot::new(&layer.file.shown, at.line), text: format!("the port `{text}` is not known: {why}") });
        Vec::new()
    };
    let filled = match project.variables.filled(text.split('/').next().unwrap_or_default()) {
        Ok(filled) => filled,
        Err(why) => return note(why),
    };
    let (first, last) = filled.split_once('-').unwrap_or((&filled, &filled));
    match (first.trim().parse::<u16>(), last.trim().parse::<u16>()) {
        (Ok(first), Ok(last)) if first <= last && last - first < MOST => (first..=last).collect(),
        _ if filled.is_empty() => Vec::new(),
        _ => note("it is no number".to_owned()),
    }
}
