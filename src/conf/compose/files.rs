//! The files of one project, and the services that they name.
//!
//! In: a folder and its compose files, those that say less first. Out: a [`Project`], and its services with the layers that describe each.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::variables::Variables;
use crate::conf::yaml::{self, Node};
use crate::conf::{dotenv, text_of};
use crate::facts::deployment::{Deployed, Filed, Note, Spot};

/// How many files one project may include.
const MOST_FILES: usize = 100;

/// What one file says about one service.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// The file.
    pub file: Filed,
    /// The line of the service's name.
    pub line: u32,
    /// What it says.
    pub node: Rc<Node>,
}

/// One file, read.
#[derive(Debug)]
struct File {
    place: Filed,
    root: Rc<Node>,
}

/// The compose files of a folder and those that they include.
#[derive(Debug)]
pub(super) struct Project {
    /// The folder.
    pub folder: Filed,
    /// What variables are in files.
    pub variables: Variables,
    files: Vec<File>,
}

impl Project {
    /// Reads the files, and the `.env` beside them.
    pub(super) fn read(folder: &Filed, files: &[Filed], notes: &mut Vec<Note>) -> Self {
        let set = dotenv::beside(folder).into_iter().filter_map(|(name, setting)| Some((name, setting.value.ok()?)));
        let mut project =
            Self { folder: folder.clone(), variables: Variables::new(set.collect::<BTreeMap<_, _>>()), files: Vec::new() };
        let mut seen = BTreeSet::new();
        for file in files {
            project.add(file, &mut seen, notes);
        }
        project
    }

    /// Reads a file after those that it includes, which it may overrule.
    fn add(&mut self, file: &Filed, seen: &mut BTreeSet<Filed>, notes: &mut Vec<Note>) {
        if seen.len() >= MOST_FILES || !seen.insert(file.clone()) {
            return;
        }
        let Some(root) = root_of(file, notes) else { return };
        for include in root.get("include").map(Node::one_or_more).unwrap_or_default() {
            let paths = include.get("path").map_or_else(|| vec![include.clone()], Node::one_or_more);
            for path in paths {
                match self.variables.filled(path.text().unwrap_or_default()) {
                    Ok(path) if !path.is_empty() => self.add(&file.folder().join(&path), seen, notes),
                    Ok(_) => {}
                    Err(why) => notes.push(Note { at: Spot::new(&file.shown, path.line), text: format!("`include`: {why}") }),
                }
            }
        }
        self.files.push(File { place: file.clone(), root });
    }

    /// The services, in the order of their names.
    pub(super) fn services(&self, notes: &mut Vec<Note>) -> Vec<Deployed> {
        let mut named: BTreeMap<Rc<str>, Vec<Layer>> = BTreeMap::new();
        for file in &self.files {
            for entry in file.root.get("services").map(|services| services.entries()).unwrap_or_default() {
                if entry.key.starts_with("x-") || entry.key.is_empty() {
                    continue;
                }
                let layer = Layer { file: file.place.clone(), line: entry.line, node: entry.value.clone() };
                named.entry(entry.key.clone()).or_default().push(layer);
            }
        }
        let services = named.iter().map(|(name, layers)| {
            let mut all = Vec::new();
            for layer in layers {
                super::layers::add(self, name, layer, &mut all, notes);
            }
            super::service::service(self, name, &all, notes)
        });
        services.collect()
    }

    /// What a file of the project, or another one, says about a service.
    pub(super) fn layer(&self, file: &Filed, name: &str, notes: &mut Vec<Note>) -> Option<Layer> {
        let known = self.files.iter().find(|known| known.place.path == file.path).map(|known| known.root.clone());
        let root = known.or_else(|| root_of(file, notes))?;
        let services = root.get("services")?;
        let entry = services.entries().iter().find(|entry| &*entry.key == name)?;
        Some(Layer { file: file.clone(), line: entry.line, node: entry.value.clone() })
    }
}

/// The first document of a file.
fn root_of(file: &Filed, notes: &mut Vec<Note>) -> Option<Rc<Node>> {
    let text = text_of(file, notes)?;
    let (documents, broken) = yaml::documents(&text);
    if let Some(broken) = broken {
        let text = format!("is no YAML from here on: {}; what stands before was read", broken.why);
        notes.push(Note { at: Spot::new(&file.shown, broken.line), text });
    }
    documents.into_iter().next()
}
