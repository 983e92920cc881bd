//! Which services there are: what is declared, what configuration says, and packages that can be run, made one.
//!
//! In: [`Sources`](super::Sources). Out: [`Services`]: each with its code, its names, its ports and its environment. What is declared beats
//! what is found, and an earlier reader beats a later one; what is beaten is noted where it says something else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Runnable, Sources};
use crate::facts::deployment::{Deployed, Deployment, Filed, Setting, Spot, image_name};
use crate::finding::graph::{self, Found, Note, What};
use crate::settings::Service as Declared;

/// Who says that there is a service that is called by its folder.
pub(super) const FOLDER: &str = "folder";

/// A service of the tree.
#[derive(Debug, Clone, Default)]
pub(super) struct Service {
    /// Its name, unique.
    pub name: String,
    /// Where its code is.
    pub code: Vec<Filed>,
    /// Whether its code is where the user says.
    pub is_declared: bool,
    /// The source file that it runs, as its command names it.
    pub entry: Option<String>,
    /// The images that it runs.
    pub images: BTreeSet<String>,
    /// The folders within which its names are unique.
    pub projects: BTreeSet<PathBuf>,
    /// The names under which others reach it.
    pub hosts: BTreeSet<String>,
    /// Names that it alone has for others.
    pub aliases: BTreeMap<String, String>,
    /// The ports on which it listens.
    pub ports: BTreeSet<u16>,
    /// Ports of the machine that lead to it.
    pub published: BTreeSet<u16>,
    /// Its environment; of several values the first counts.
    pub env: BTreeMap<String, Vec<Setting>>,
    /// Who says that it is there.
    pub found: Vec<Found>,
}

/// All services.
#[derive(Debug, Default)]
pub(super) struct Services {
    /// The services; their places are their names inside this module.
    pub all: Vec<Service>,
    /// What should be known.
    pub notes: Vec<Note>,
    given: Vec<(&'static str, BTreeMap<String, Setting>)>,
    by_host: BTreeMap<String, Vec<usize>>,
}

impl Services {
    /// Makes one of what all sources say.
    pub(super) fn new(sources: &Sources<'_>) -> Self {
        let mut services = Self::default();
        for declared in sources.declared {
            services.declare(declared, sources);
        }
        let mut images: BTreeMap<&str, &Filed> = BTreeMap::new();
        for deployment in sources.deployments {
            images.extend(deployment.images.iter().map(|(name, folder)| (name.as_str(), folder)));
        }
        for deployment in sources.deployments {
            services.take(deployment, &images);
        }
        for program in sources.programs {
            services.add_program(program, sources.programs);
        }
        services.say_what_is_missing();
        for (at, service) in services.all.iter().enumerate() {
            for host in &service.hosts {
                services.by_host.entry(host.to_ascii_lowercase()).or_default().push(at);
            }
        }
        services
    }

    fn declare(&mut self, declared: &Declared, sources: &Sources<'_>) {
        let mut service = Service { name: declared.name.clone(), is_declared: !declared.paths.is_empty(), ..Service::default() };
        service.code = declared.paths.iter().map(|path| sources.base.join(path)).collect();
        service.hosts = declared.hosts.iter().cloned().chain([declared.name.clone()]).collect();
        service.ports = declared.ports.iter().copied().collect();
        service.published = service.ports.clone();
        let at = Spot::new(sources.declared_in, 0);
        for (name, value) in &declared.env {
            service.env.insert(name.clone(), vec![Setting { value: Ok(value.clone()), at: at.clone() }]);
        }
        service.found.push(Found { by: "declared", at: at.to_string() });
        self.all.push(service);
    }

    /// Takes over what one reader found.
    fn take(&mut self, deployment: &Deployment, images: &BTreeMap<&str, &Filed>) {
        self.notes.extend(deployment.notes.iter().map(|note| Note { at: note.at.to_string(), text: note.text.clone() }));
        for deployed in &deployment.services {
            let image = deployed.image.as_deref().map(image_name);
            let built = image.and_then(|image| images.get(image)).map(|folder| (*folder).clone());
            let code = deployed.code.clone().or(built);
            match self.same(deployment, deployed, code.as_ref(), image) {
                Some(at) => self.merge(at, deployed, code),
                None => self.add(deployed, code),
            }
        }
        if !deployment.given.is_empty()
            && let Some(first) = deployment.services.first()
        {
            self.given.push((first.reader, deployment.given.clone()));
        }
    }

    /// The service that something found is, if it is known: one that is declared with its name or code; one by its name, unless both have
    /// other code; one that runs its image.
    fn same(&self, all: &Deployment, deployed: &Deployed, code: Option<&Filed>, image: Option<&str>) -> Option<usize> {
        let fits = |service: &Service| {
            let elsewhere = !service.projects.is_empty() && !service.projects.contains(&deployed.project);
            let apart = elsewhere && !service.is_declared && service.found.iter().any(|found| found.by == deployed.reader);
            !apart || code.is_none_or(|code| service.code.is_empty() || service.code.contains(code))
        };
        let named = |service: &&Service| {
            service.name == deployed.name
                || service.found.iter().all(|found| found.by != deployed.reader) && deployed.hosts.contains(&service.name)
        };
        let declared = |service: &Service| {
            let is_declared = service.found.iter().any(|found| found.by == "declared");
            let is_other = || all.services.iter().any(|other| service.hosts.contains(&other.name));
            let its_code = || code.is_some_and(|code| service.code.contains(code)) && !is_other();
            is_declared && (service.hosts.contains(&deployed.name) || its_code())
        };
        if let Some(at) = self.all.iter().position(declared) {
            return Some(at);
        }
        let by_name = self.all.iter().position(|service| named(&service) && fits(service));
        by_name.or_else(|| {
            let image = image.filter(|_| deployed.code.is_none())?;
            let runs = |service: &Service| {
                !service.code.is_empty()
                    && service.images.iter().any(|known| image_name(known) == image)
                    && service.found.iter().all(|found| found.by != deployed.reader)
            };
            self.all.iter().position(runs)
        })
    }

    fn add(&mut self, deployed: &Deployed, code: Option<Filed>) {
        let mut name = deployed.name.clone();
        if let Some(other) = self.all.iter().find(|service| service.name == name) {
            let folder = deployed.project.file_name().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
            name = format!("{folder}/{name}");
            let text = format!("`{}` is not the one at {}, and is called {name} here", deployed.name, places(other));
            self.notes.push(Note { at: deployed.at.to_string(), text });
        }
        self.all.push(Service { name, ..Service::default() });
        self.merge(self.all.len() - 1, deployed, code);
    }

    fn merge(&mut self, at: usize, deployed: &Deployed, code: Option<Filed>) {
        let service = &mut self.all[at];
        if let Some(code) = code {
            if service.code.is_empty() {
                service.code.push(code);
            } else if !service.code.contains(&code) {
                let text = format!(
                    "builds {} from {}, {} from {}: the latter counts",
                    service.name,
                    code.shown,
                    places(service),
                    service.code.iter().map(|code| code.shown.as_str()).collect::<Vec<_>>().join(", ")
                );
                self.notes.push(Note { at: deployed.at.to_string(), text });
            }
        }
        if service.entry.is_none() {
            service.entry.clone_from(&deployed.entry);
        }
        service.images.extend(deployed.image.clone());
        service.projects.insert(deployed.project.clone());
        service.hosts.extend(deployed.hosts.iter().cloned());
        service.ports.extend(&deployed.ports);
        service.published.extend(&deployed.published);
        for (alias, other) in &deployed.aliases {
            service.aliases.entry(alias.clone()).or_insert_with(|| other.clone());
        }
        let declared = service.found.iter().find(|found| found.by == "declared");
        let declared_at = declared.map(|found| Spot::new(&found.at, 0));
        for (name, setting) in &deployed.env {
            let known = service.env.entry(name.clone()).or_default();
            let declared = known.first().filter(|first| declared_at.as_ref() == Some(&first.at));
            if let Some(first) = declared.filter(|first| first.value != setting.value) {
                let text = format!("sets `{name}` of {} otherwise than {}: the latter counts", service.name, first.at);
                self.notes.push(Note { at: setting.at.to_string(), text });
            }
            known.push(setting.clone());
        }
        service.found.push(Found { by: deployed.reader, at: deployed.at.to_string() });
    }

    /// Adds a package that can be run: it is the service whose code it is, or that goes by its name and has no code, or one of its own.
    fn add_program(&mut self, program: &Runnable, programs: &[Runnable]) {
        let folder = &program.folder;
        let deepest = self.deepest(&folder.path).into_iter().next();
        let whose = deepest.filter(|at| {
            let outer = &self.all[*at].code;
            let inside = |other: &&Runnable| outer.iter().any(|code| other.folder.path.starts_with(&code.path));
            outer.contains(folder) || programs.iter().filter(inside).count() == 1
        });
        let short = program.program.name.rsplit('/').next().unwrap_or_default();
        let names = [short.to_owned(), folder.name()];
        let by_name = || {
            self.all.iter().position(|service| {
                let image = |image: &String| names.iter().any(|name| image_name(image) == name);
                service.code.is_empty() && (names.contains(&service.name) || service.images.iter().any(image))
            })
        };
        let at = whose.or_else(by_name).unwrap_or_else(|| {
            let taken = |name: &str| self.all.iter().any(|service| service.name == name);
            let name =
                [short, &program.program.name, &folder.shown].into_iter().find(|name| !taken(name)).unwrap_or(short).to_owned();
            self.all.push(Service { hosts: [name.clone()].into(), name, ..Service::default() });
            self.all.len() - 1
        });
        let service = &mut self.all[at];
        if service.code.is_empty() {
            service.code.push(folder.clone());
        }
        if service.entry.is_none() {
            service.entry.clone_from(&program.program.entry);
        }
        for (name, setting) in &program.env {
            if name == "PORT" {
                service.ports.extend(setting.value.as_ref().ok().and_then(|value| value.parse::<u16>().ok()));
            }
            service.env.entry(name.clone()).or_default().push(setting.clone());
        }
        service.found.push(Found { by: "package", at: program.manifest.clone() });
    }

    /// The services whose code a path lies in, as deep as possible; declared ones first.
    pub(super) fn deepest(&self, path: &Path) -> Vec<usize> {
        let depth = |service: &Service| {
            let around = service.code.iter().filter(|code| path.starts_with(&code.path));
            around.map(|code| code.path.components().count()).max()
        };
        for declared in [true, false] {
            let all: Vec<(usize, usize)> = self
                .all
                .iter()
                .enumerate()
                .filter(|(_, service)| service.is_declared == declared)
                .filter_map(|(at, service)| Some((at, depth(service)?)))
                .collect();
            if let Some(most) = all.iter().map(|(_, depth)| *depth).max() {
                return all.into_iter().filter(|(_, depth)| *depth == most).map(|(at, _)| at).collect();
            }
        }
        Vec::new()
    }

    /// The service of that name; a new one where there is none.
    pub(super) fn named(&mut self, name: &str, found: Found) -> usize {
        self.all.iter().position(|service| service.name == name).unwrap_or_else(|| {
            let hosts = [name.to_owned()].into();
            self.all.push(Service { name: name.to_owned(), hosts, found: vec![found], ..Service::default() });
            self.by_host.entry(name.to_ascii_lowercase()).or_default().push(self.all.len() - 1);
            self.all.len() - 1
        })
    }

    /// The services that go by a host name.
    pub(super) fn by_host(&self, host: &str) -> &[usize] {
        self.by_host.get(host).map_or(&[], Vec::as_slice)
    }

    /// The values of a variable in a service's environment, those that count first.
    pub(super) fn settings(&self, at: usize, name: &str) -> Vec<Setting> {
        let service = &self.all[at];
        let mut all = service.env.get(name).cloned().unwrap_or_default();
        let given = self.given.iter().filter(|(reader, _)| service.found.iter().any(|found| found.by == *reader));
        all.extend(given.filter_map(|(_, given)| given.get(name).cloned()));
        all
    }

    fn say_what_is_missing(&mut self) {
        for service in &self.all {
            let Some(first) = service.found.first().filter(|_| service.code.is_empty()) else { continue };
            if first.by == "declared" {
                let text = format!("`{}` has no `paths`: no call is its own", service.name);
                self.notes.push(Note { at: first.at.clone(), text });
            } else if service.images.is_empty() {
                let text = format!(
                    "`{}` names neither code nor an image: it is called, and calls nothing that could be read",
                    service.name
                );
                self.notes.push(Note { at: first.at.clone(), text });
            }
        }
    }
}

impl Service {
    /// Its name, if somebody says that there is such a service: nobody does of one that is called by its folder for want of anything else.
    pub(super) fn said(&self) -> Option<&str> {
        self.found.iter().any(|found| found.by != FOLDER).then_some(&self.name)
    }

    /// As reports print it.
    pub(super) fn shown(self) -> graph::Service {
        graph::Service {
            name: self.name,
            what: What::Service,
            code: self.code.into_iter().map(|code| code.shown).collect(),
            hosts: self.hosts.into_iter().collect(),
            ports: self.ports.into_iter().collect(),
            found: self.found,
        }
    }
}

/// Where a service was found.
fn places(service: &Service) -> String {
    service.found.iter().map(|found| found.at.as_str()).collect::<Vec<_>>().join(", ")
}
