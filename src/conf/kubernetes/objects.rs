//! The objects of manifests, sorted by what they are for.
//!
//! In: files. Out: [`Objects`]: workloads, Services, ConfigMaps and Secrets. Documents are read one by one, so that a broken one takes no
//! other with it; `List`s are taken apart.

use std::collections::BTreeMap;
use std::rc::Rc;

use base64::Engine;

use crate::conf::template::{is_literal, is_template, marked};
use crate::conf::yaml::{self, Node};
use crate::facts::deployment::{Deployment, Filed, Note, Spot};

/// A workload: something that runs containers.
#[derive(Debug)]
pub(super) struct Workload {
    /// Its name.
    pub name: String,
    /// Its namespace, where one is written.
    pub namespace: Option<String>,
    /// The labels of its pods.
    pub labels: BTreeMap<String, String>,
    /// What a pod is made of.
    pub pod: Rc<Node>,
    /// The file.
    pub file: Filed,
    /// The line.
    pub line: u32,
}

/// A Service: a name that leads to pods.
#[derive(Debug)]
pub(super) struct Routed {
    /// Its name.
    pub name: String,
    /// Names that it has besides.
    pub others: Vec<String>,
    /// Its namespace, where one is written.
    pub namespace: Option<String>,
    /// The labels of the pods that it leads to.
    pub selector: BTreeMap<String, String>,
    /// Its ports, and the port of the machine that leads there.
    pub ports: Vec<(u16, Option<u16>)>,
    /// The host outside that it stands for.
    pub outside: Option<String>,
    /// Where it is written.
    pub at: Spot,
    /// The file.
    pub file: Filed,
}

/// A ConfigMap or Secret.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The values, or why one is not known.
    pub values: BTreeMap<String, Result<String, String>>,
}

/// All objects of a tree.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// Workloads, in the order of files and lines.
    pub workloads: Vec<Workload>,
    /// Services.
    pub routes: Vec<Routed>,
    /// ConfigMaps, by name.
    pub maps: BTreeMap<String, Held>,
    /// Secrets, by name.
    pub secrets: BTreeMap<String, Held>,
    /// Kustomizations.
    pub kustomizations: Vec<(Filed, Rc<Node>)>,
}

impl Objects {
    /// Adds what a file holds.
    pub(super) fn add(&mut self, file: &Filed, text: &str, is_manifest: bool, all: &mut Deployment) {
        let template = is_template(text);
        let text = if template { marked(text) } else { text.to_owned() };
        let mut unnamed = 0;
        for (document, broken) in documents(&text) {
            if let Some(broken) = broken {
                let kind = if template { "is a template whose literal part is no YAML" } else { "is no YAML" };
                let text = format!("{kind}: {}; this document is left out", broken.why);
                all.notes.push(Note { at: Spot::new(&file.shown, broken.line), text });
            }
            if let Some(document) = document {
                let known = self.add_object(file, &document, all);
                unnamed += u32::from(!known && is_manifest);
            }
        }
        if unnamed > 0 {
            let objects = if unnamed == 1 { "1 object is".to_owned() } else { format!("{unnamed} objects are") };
            let text = format!("{objects} named by a template, and left out; `helm template` gives manifests that can be read");
            all.notes.push(Note { at: Spot::new(&file.shown, 0), text });
        }
    }

    /// Adds one object; whether its name is known, or of no interest.
    fn add_object(&mut self, file: &Filed, node: &Rc<Node>, all: &mut Deployment) -> bool {
        if super::kustomize::is_kustomization(&file.name()) {
            self.kustomizations.push((file.clone(), node.clone()));
            return true;
        }
        let kind = node.text_at(&["kind"]).unwrap_or_default();
        if node.text_at(&["apiVersion"]).is_some_and(|version| version.starts_with("skaffold/")) {
            super::kustomize::images(file, node, &mut all.images);
            return true;
        }
        if kind == "List" {
            let items = node.get("items").map(|items| items.items()).unwrap_or_default();
            let unnamed = items.iter().filter(|item| !self.add_object(file, item, all)).count();
            return unnamed == 0;
        }
        let Some(pod) = pod_path(kind, node) else {
            if !matches!(kind, "Service" | "ConfigMap" | "Secret") {
                return true;
            }
            let Some(name) = name_of(node) else { return false };
            match kind {
                "Service" => self.routes.push(route(file, node, name)),
                "ConfigMap" => held(self.maps.entry(name).or_default(), node, false),
                _ => held(self.secrets.entry(name).or_default(), node, true),
            }
            return true;
        };
        let Some(name) = name_of(node) else { return false };
        let template = pod.split_last().map_or(&[][..], |(_, template)| template);
        let labels = node.at(template).and_then(|template| template.at(&["metadata", "labels"])).map(labels).unwrap_or_default();
        let line = node.at(&["metadata"]).and_then(|meta| meta.get("name")).map_or(node.line, |name| name.line);
        let Some(spec) = rc_at(node, pod) else { return true };
        self.workloads.push(Workload { name, namespace: namespace(node), labels, pod: spec, file: file.clone(), line });
        true
    }
}

/// The documents of a text, each read on its own where the whole is broken.
fn documents(text: &str) -> Vec<(Option<Rc<Node>>, Option<yaml::Broken>)> {
    let (documents, broken) = yaml::documents(text);
    if broken.is_none() {
        return documents.into_iter().map(|document| (Some(document), None)).collect();
    }
    let mut all = Vec::new();
    let mut chunk = String::new();
    for line in text.lines().chain(["---"]) {
        if line.trim_end() == "---" {
            let (documents, broken) = yaml::documents(&chunk);
            match broken {
                Some(broken) => all.push((None, Some(broken))),
                None => all.extend(documents.into_iter().map(|document| (Some(document), None))),
            }
            // Lines count from the beginning of the file.
            chunk = "\n".repeat(chunk.matches('\n').count() + 1);
        } else {
            chunk.push_str(line);
            chunk.push('\n');
        }
    }
    all
}

/// Where the description of a pod stands in a workload.
fn pod_path(kind: &str, node: &Node) -> Option<&'static [&'static str]> {
    match kind {
        "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "ReplicationController" | "Job" | "Rollout" => {
            Some(&["spec", "template", "spec"])
        }
        "Service" if node.at(&["spec", "template"]).is_some() => Some(&["spec", "template", "spec"]),
        "CronJob" => Some(&["spec", "jobTemplate", "spec", "template", "spec"]),
        "Pod" => Some(&["spec"]),
        _ => None,
    }
}

fn rc_at(node: &Rc<Node>, path: &[&str]) -> Option<Rc<Node>> {
    path.iter().try_fold(node.clone(), |node, key| node.get(key).cloned())
}

fn name_of(node: &Node) -> Option<String> {
    node.text_at(&["metadata", "name"]).filter(|name| is_literal(name)).map(str::to_owned)
}

fn namespace(node: &Node) -> Option<String> {
    node.text_at(&["metadata", "namespace"]).filter(|name| is_literal(name)).map(str::to_owned)
}

fn labels(node: &Node) -> BTreeMap<String, String> {
    let known = |text: &str| is_literal(text);
    let pairs = node.entries().iter().filter_map(|entry| Some((entry.key.to_string(), entry.value.text()?.to_owned())));
    pairs.filter(|(key, value)| known(key) && known(value)).collect()
}

fn route(file: &Filed, node: &Node, name: String) -> Routed {
    let port = |port: &Rc<Node>, key: &str| port.text_at(&[key]).and_then(|text| text.parse().ok());
    let ports = node.at(&["spec", "ports"]).map(Node::items).unwrap_or_default();
    Routed {
        name,
        others: Vec::new(),
        namespace: namespace(node),
        selector: node.at(&["spec", "selector"]).map(labels).unwrap_or_default(),
        ports: ports.iter().filter_map(|item| Some((port(item, "port")?, port(item, "nodePort")))).collect(),
        outside: node.text_at(&["spec", "externalName"]).filter(|host| is_literal(host)).map(str::to_owned),
        at: Spot::new(&file.shown, node.at(&["metadata", "name"]).map_or(node.line, |name| name.line)),
        file: file.clone(),
    }
}

/// The values of a ConfigMap or Secret.
fn held(held: &mut Held, node: &Node, is_secret: bool) {
    for (section, encoded) in [("data", is_secret), ("stringData", false)] {
        for entry in node.get(section).map(|data| data.entries()).unwrap_or_default() {
            let value = match entry.value.text() {
                None => Ok(String::new()),
                Some(text) if !is_literal(text) => Err("a template gives it".to_owned()),
                Some(text) if encoded => decoded(text),
                Some(text) => Ok(text.to_owned()),
            };
            held.put(&entry.key, value);
        }
    }
}

impl Held {
    /// Adds a value; one that is said twice and differently is not known.
    pub(super) fn put(&mut self, key: &str, value: Result<String, String>) {
        let value = match self.values.get(key) {
            Some(known) if *known != value => Err("several manifests give it different values".to_owned()),
            _ => value,
        };
        self.values.insert(key.to_owned(), value);
    }
}

fn decoded(text: &str) -> Result<String, String> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(text.trim());
    let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(|text| text.trim_end().to_owned()).ok_or_else(|| "it is no text in base64".to_owned())
}
