//! One service of a compose project.
//!
//! In: its name and the layers that describe it. Out: a [`Deployed`].

use super::files::{Layer, Project};
use super::layers::last;
use super::{env, ports};
use crate::conf::command::entry_of;
use crate::conf::yaml::Node;
use crate::facts::deployment::{Deployed, Filed, Note, Spot};

/// Folders of build instructions that hold no code.
const INSTRUCTIONS: [&str; 8] = ["docker", "dockerfiles", ".docker", "deploy", "deployment", "build", "ci", "infra"];

/// Reads a service.
pub(super) fn service(project: &Project, name: &str, layers: &[Layer], notes: &mut Vec<Note>) -> Deployed {
    let at = layers.last().map_or_else(|| Spot::new("", 0), |layer| Spot::new(&layer.file.shown, layer.line));
    let mut service = Deployed::new(name, "compose", at, &project.folder.path);
    service.image = last(layers, &["image"]).and_then(|(_, node)| node.text()).map(str::to_owned);
    let command = last(layers, &["command"]).or_else(|| last(layers, &["entrypoint"]));
    service.entry = command.and_then(|(_, node)| entry_of(&words(node)));
    service.code = built(project, layers, notes).or_else(|| mounted(project, layers));
    hosts(name, layers, &mut service);
    ports::add(project, layers, &mut service, notes);
    env::add(project, layers, &mut service, notes);
    if let Some((_, mode)) = last(layers, &["network_mode"]) {
        match mode.text().unwrap_or_default().split_once(':') {
            None if mode.text() == Some("host") => service.published.extend(service.ports.clone()),
            Some(("service", other)) => drop(service.aliases.insert("localhost".to_owned(), other.to_owned())),
            _ => {}
        }
    }
    service
}

fn words(node: &Node) -> String {
    match node.text() {
        Some(text) => text.to_owned(),
        None => node.items().iter().filter_map(|item| item.text()).collect::<Vec<_>>().join(" "),
    }
}

/// The folder that the service is built from: its context, or the folder of its Dockerfile where that lies inside.
fn built(project: &Project, layers: &[Layer], notes: &mut Vec<Note>) -> Option<Filed> {
    let (layer, build) = last(layers, &["build"])?;
    let context = build.text().or_else(|| build.text_at(&["context"])).unwrap_or(".");
    let mut filled = |text: &str| match project.variables.filled(text) {
        Ok(text) => Some(text),
        Err(why) => {
            notes.push(Note { at: Spot::new(&layer.file.shown, build.line), text: format!("`build`: {why}") });
            None
        }
    };
    let context = filled(context)?;
    if context.contains("://") || context.starts_with("git@") || context.starts_with("github.com/") {
        let text = format!("`build` takes {context}, whose code is not here");
        notes.push(Note { at: Spot::new(&layer.file.shown, build.line), text });
        return None;
    }
    let context = layer.file.folder().join(&context);
    let dockerfile = last(layers, &["build", "dockerfile"]).and_then(|(_, node)| filled(node.text()?));
    let inside = dockerfile.map(|file| context.join(&file).folder()).filter(|folder| {
        folder.path != context.path
            && folder.path.starts_with(&context.path)
            && !INSTRUCTIONS.contains(&folder.name().to_lowercase().as_str())
    });
    if !context.path.is_dir() {
        let text = format!("`build` takes {}, which is not there", context.shown);
        notes.push(Note { at: Spot::new(&layer.file.shown, build.line), text });
    }
    Some(inside.unwrap_or(context))
}

/// The folder that is mounted where the service works, in place of one that is built in.
fn mounted(project: &Project, layers: &[Layer]) -> Option<Filed> {
    let (_, works) = last(layers, &["working_dir"])?;
    let works = works.text()?.trim_end_matches('/');
    layers.iter().rev().find_map(|layer| {
        layer.node.get("volumes")?.items().iter().find_map(|volume| {
            let (source, target) = match volume.text() {
                Some(text) => {
                    let mut parts = text.split(':');
                    (parts.next()?, parts.next()?)
                }
                None => (volume.text_at(&["source"])?, volume.text_at(&["target"])?),
            };
            let source = project.variables.filled(source).ok().filter(|source| source.starts_with('.'))?;
            (target.trim_end_matches('/') == works).then(|| layer.file.folder().join(&source))
        })
    })
}

/// Under which names others reach it, and which names it alone has for others.
fn hosts(name: &str, layers: &[Layer], service: &mut Deployed) {
    let mut hosts = vec![name.to_owned()];
    for layer in layers {
        let own = ["container_name", "hostname"].iter().filter_map(|key| layer.node.text_at(&[key]));
        hosts.extend(own.filter(|host| !host.contains('$')).map(str::to_owned));
        for network in layer.node.get("networks").map(|networks| networks.entries()).unwrap_or_default() {
            let aliases = network.value.get("aliases").map(|aliases| aliases.items()).unwrap_or_default();
            hosts.extend(aliases.iter().filter_map(|alias| alias.text()).map(str::to_owned));
        }
        for link in layer.node.get("links").map(|links| links.items()).unwrap_or_default() {
            if let Some((other, alias)) = link.text().and_then(|link| link.split_once(':')) {
                service.aliases.insert(alias.to_owned(), other.to_owned());
            }
        }
    }
    for host in hosts {
        if !service.hosts.contains(&host) {
            service.hosts.push(host);
        }
    }
}
