//! Whose code a file is.
//!
//! In: a file. Out: the services that it belongs to: those whose folder holds it, as deep as possible; for shared code those that use it, also
//! through others; else a service named after its package, or its folder where it has none. Several services that are built from one folder are told apart by what
//! they run, as far as that says it.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use super::Code;
use super::services::{FOLDER, Services};
use crate::finding::graph::{Found, Note};

/// How many files are asked on the way from a shared file to its services.
const MOST_FILES: usize = 5_000;

/// What is known about files.
pub(super) struct Owners<'a> {
    code: &'a dyn Code,
    known: HashMap<Arc<str>, Vec<usize>>,
    together: BTreeSet<Vec<usize>>,
}

impl<'a> Owners<'a> {
    /// Nothing yet.
    pub(super) fn new(code: &'a dyn Code) -> Self {
        Self { code, known: HashMap::new(), together: BTreeSet::new() }
    }

    /// The services that a file belongs to; never none.
    pub(super) fn of(&mut self, file: &Arc<str>, services: &mut Services) -> Vec<usize> {
        if let Some(known) = self.known.get(file) {
            return known.clone();
        }
        let found = self.find(file, services);
        self.known.insert(file.clone(), found.clone());
        found
    }

    fn find(&mut self, file: &Arc<str>, services: &mut Services) -> Vec<usize> {
        let own = services.deepest(&self.code.path(file));
        match own.len() {
            0 => {}
            1 => return own,
            _ => return self.told_apart(file, own, services),
        }
        let users = self.users(file, services);
        if !users.is_empty() {
            return users;
        }
        let path = self.code.path(file);
        let package = self.code.package(file);
        let folder = || path.parent().and_then(|folder| folder.file_name()).map(|name| name.to_string_lossy().into_owned());
        let (name, by) = match package.as_deref().and_then(|package| package.rsplit('/').next()) {
            Some(package) => (package.to_owned(), "package"),
            None => (folder().unwrap_or_else(|| "code".to_owned()), FOLDER),
        };
        vec![services.named(&name, Found { by, at: file.to_string() })]
    }

    /// The services whose files use a file, also through files of nobody.
    fn users(&self, file: &Arc<str>, services: &Services) -> Vec<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        self.spread(file, |user| {
            let owners = services.deepest(&self.code.path(user));
            let is_nobodys = owners.is_empty();
            found.extend(owners);
            is_nobodys
        });
        found.into_iter().collect()
    }

    /// Of several services that are built from one folder those whose entry file uses the file.
    fn told_apart(&mut self, file: &Arc<str>, own: Vec<usize>, services: &mut Services) -> Vec<usize> {
        let entries: Vec<Option<PathBuf>> = own.iter().map(|at| entry(services, *at)).collect();
        let using = self.using(file);
        let chosen: Vec<usize> = own
            .iter()
            .zip(&entries)
            .filter(|(_, entry)| entry.as_ref().is_some_and(|entry| using.contains(entry)))
            .map(|(at, _)| *at)
            .collect();
        let unsaid: Vec<usize> = own.iter().zip(&entries).filter(|(_, entry)| entry.is_none()).map(|(at, _)| *at).collect();
        let counted = if chosen.is_empty() { own.clone() } else { [chosen, unsaid].concat() };
        if counted.len() > 1 && self.together.insert(own.clone()) {
            let names: Vec<&str> = own.iter().map(|at| services.all[*at].name.as_str()).collect();
            let first = &services.all[own[0]];
            let folder = first.code.first().map_or(".", |code| code.shown.as_str());
            let at = first.found.first().map(|found| found.at.clone()).unwrap_or_default();
            let text = format!(
                "{} are built from one folder, {folder}: calls of code that all of them may run count for each",
                names.join(", ")
            );
            services.notes.push(Note { at, text });
        }
        counted
    }

    /// A file and those that use it, also through each other.
    fn using(&self, file: &Arc<str>) -> HashSet<PathBuf> {
        self.spread(file, |_| true).iter().map(|file| self.code.path(file)).collect()
    }

    /// A file and those that use it, also through those at which it goes on.
    fn spread(&self, file: &Arc<str>, mut goes_on: impl FnMut(&Arc<str>) -> bool) -> HashSet<Arc<str>> {
        let mut seen: HashSet<Arc<str>> = [file.clone()].into();
        let mut next: VecDeque<Arc<str>> = [file.clone()].into();
        while let Some(file) = next.pop_front().filter(|_| seen.len() < MOST_FILES) {
            next.extend(self.code.users(&file).into_iter().filter(|user| seen.insert(user.clone()) && goes_on(user)));
        }
        seen
    }
}

/// The file that a service runs, if its command names one that is there.
fn entry(services: &Services, at: usize) -> Option<PathBuf> {
    let service = &services.all[at];
    let named = service.entry.as_deref()?;
    service.code.first().map(|code| code.join(named.trim_start_matches('/')).path)
}
