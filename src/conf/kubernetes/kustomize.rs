//! Kustomize and Skaffold, as far as they are literal: generated ConfigMaps, prefixes of names, namespaces, folders of images.
//!
//! In: `kustomization.yaml` and `skaffold.yaml`. Out: more names and values for objects. Patches are objects of their own files and are read
//! as such; replacements and components are passed over.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::objects::{Held, Objects};
use crate::conf::yaml::Node;
use crate::conf::{dotenv, text_of};
use crate::facts::deployment::{Filed, Note, image_name};

/// Whether a file of this name is a kustomization.
pub(super) fn is_kustomization(name: &str) -> bool {
    matches!(name, "kustomization.yaml" | "kustomization.yml")
}

/// Does what the kustomizations say.
pub(super) fn apply(objects: &mut Objects, notes: &mut Vec<Note>) {
    let all = std::mem::take(&mut objects.kustomizations);
    for (file, node) in &all {
        for (key, is_secret) in [("configMapGenerator", false), ("secretGenerator", true)] {
            for generator in node.get(key).map(|all| all.items()).unwrap_or_default() {
                let Some(name) = generator.text_at(&["name"]) else { continue };
                let held = if is_secret { &mut objects.secrets } else { &mut objects.maps };
                generate(file, generator, held.entry(name.to_owned()).or_default(), notes);
            }
        }
        let (prefix, suffix) = (node.text_at(&["namePrefix"]), node.text_at(&["nameSuffix"]));
        let namespace = node.text_at(&["namespace"]);
        if prefix.is_none() && suffix.is_none() && namespace.is_none() {
            continue;
        }
        let folders = reached(file, &all);
        for route in
            objects.routes.iter_mut().filter(|route| folders.iter().any(|folder| route.file.path.starts_with(&folder.path)))
        {
            let name = format!("{}{}{}", prefix.unwrap_or_default(), route.name, suffix.unwrap_or_default());
            if let Some(namespace) = namespace {
                route.others.push(format!("{name}.{namespace}"));
            }
            if name != route.name {
                route.others.push(name);
            }
        }
    }
    objects.kustomizations = all;
}

/// The values of one generator.
fn generate(file: &Filed, generator: &Node, held: &mut Held, notes: &mut Vec<Note>) {
    let texts = |key: &str| -> Vec<String> {
        let items = generator.get(key).map(Node::one_or_more).unwrap_or_default();
        items.iter().filter_map(|item| item.text()).map(str::to_owned).collect()
    };
    for literal in texts("literals") {
        if let Some((name, value)) = literal.split_once('=') {
            held.put(name, Ok(value.trim_matches(['"', '\'']).to_owned()));
        }
    }
    for env in texts("envs").into_iter().chain(texts("env")) {
        let Some(text) = text_of(&file.folder().join(&env), notes) else { continue };
        for variable in dotenv::variables(&text) {
            held.put(&variable.name, Ok(variable.value.unwrap_or_default()));
        }
    }
}

/// The files and folders that a kustomization takes in, also through others.
fn reached(file: &Filed, all: &[(Filed, Rc<Node>)]) -> Vec<Filed> {
    let mut folders: Vec<Filed> = Vec::new();
    let mut next = vec![file.clone()];
    while let Some(file) = next.pop() {
        let Some((_, node)) = all.iter().find(|(known, _)| known.path == file.path) else { continue };
        for key in ["resources", "bases"] {
            for item in node.get(key).map(|items| items.items()).unwrap_or_default() {
                let Some(path) = item.text().filter(|path| !path.contains("://")) else { continue };
                let place = file.folder().join(path);
                if folders.contains(&place) {
                    continue;
                }
                let inner = all.iter().map(|(known, _)| known).filter(|known| known.folder().path == place.path);
                next.extend(inner.cloned());
                folders.push(place);
            }
        }
    }
    folders
}

/// The folders that Skaffold builds images from.
pub(super) fn images(file: &Filed, node: &Node, images: &mut BTreeMap<String, Filed>) {
    for artifact in node.at(&["build", "artifacts"]).map(Node::items).unwrap_or_default() {
        let Some(image) = artifact.text_at(&["image"]) else { continue };
        let context = file.folder().join(artifact.text_at(&["context"]).unwrap_or("."));
        images.insert(image_name(image).to_owned(), context);
    }
}
