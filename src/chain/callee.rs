//! Whom a site calls.
//!
//! In: the parts of its destination, and the service whose environment counts. Out: the services, hosts or dependencies that it may reach, with how
//! each is known; `?` and the reason where it is not.

use super::address::{Address, MARK, address, is_this_machine};
use super::services::Services;
use crate::finding::graph::{Note, UNKNOWN, What};
use crate::finding::{Part, Site, SiteKind};

/// How many destinations one site is followed to at most.
const MOST_CHOICES: usize = 16;

/// Who is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Callee {
    /// The name in the graph.
    pub name: String,
    /// What it is.
    pub what: What,
    /// How that is known, or why it is not.
    pub how: String,
}

/// A destination with the environment filled in.
#[derive(Debug, Clone, Default)]
struct Filled {
    text: String,
    /// How values are known.
    how: Vec<String>,
    /// Why others are not.
    why: Vec<String>,
}

/// The services that a site may call, seen from one of those whose code it is; never none.
pub(super) fn callees(site: &Site, caller: usize, services: &mut Services) -> Vec<Callee> {
    let mut found: Vec<Callee> = Vec::new();
    let mut contradicted = None;
    for (nth, filled) in filled(&site.target.parts, caller, services).into_iter().enumerate() {
        let callee = callee(&filled.0, site.kind, caller, services);
        contradicted = contradicted.or_else(|| {
            let other = filled.1.as_ref().map(|other| (self::callee(other, site.kind, caller, services), other))?;
            (other.0.name != callee.name && other.0.name != UNKNOWN)
                .then(|| (callee.name.clone(), other.0.name, other.1.how.join(", ")))
        });
        if nth < MOST_CHOICES && !found.iter().any(|known| known.name == callee.name) {
            found.push(callee);
        }
    }
    if let Some((counts, other, how)) = contradicted {
        let text = format!("{} calls {counts}; {how} leads to {other} instead: the former counts", services.all[caller].name);
        let at = format!("{}:{}", site.at.file, site.at.line);
        let note = Note { at, text };
        if !services.notes.contains(&note) {
            services.notes.push(note);
        }
    }
    found
}

/// The texts that parts may become, each with what another value of the environment would make of it.
fn filled(parts: &[Part], caller: usize, services: &Services) -> Vec<(Filled, Option<Filled>)> {
    let first = fill(parts, caller, services, 0);
    let other = fill(parts, caller, services, 1);
    if parts.is_empty() {
        let why = vec!["the call does not name its destination".to_owned()];
        return vec![(Filled { why, ..Filled::default() }, None)];
    }
    let differs = |(first, other): (Filled, Filled)| {
        let differs = other.text != first.text;
        (first, Some(other).filter(|_| differs))
    };
    first.into_iter().zip(other).map(differs).collect()
}

/// The texts that parts may become; of several values of a variable the one at this place, or the last.
fn fill(parts: &[Part], caller: usize, services: &Services, place: usize) -> Vec<Filled> {
    let mut all = vec![Filled::default()];
    for part in parts {
        let options: Vec<Filled> = match part {
            Part::Text(text) => vec![Filled { text: text.clone(), ..Filled::default() }],
            Part::Env { name, fallback } => variable(name, fallback.as_deref(), caller, services, place),
            Part::Choice(choices) => choices.iter().flat_map(|choice| fill(choice, caller, services, place)).collect(),
            Part::Unknown { text, why } => {
                let why = vec![format!("`{text}` comes from {why}")];
                vec![Filled { text: MARK.to_string(), why, ..Filled::default() }]
            }
        };
        let joined = all.iter().flat_map(|before| options.iter().map(move |option| before.and(option)));
        all = joined.take(MOST_CHOICES).collect();
    }
    all
}

impl Filled {
    fn and(&self, other: &Self) -> Self {
        Self {
            text: format!("{}{}", self.text, other.text),
            how: [self.how.clone(), other.how.clone()].concat(),
            why: [self.why.clone(), other.why.clone()].concat(),
        }
    }
}

/// What a variable of the environment is for a service.
fn variable(name: &str, fallback: Option<&[Part]>, caller: usize, services: &Services, place: usize) -> Vec<Filled> {
    let settings = services.settings(caller, name);
    let set: Vec<_> = settings.into_iter().filter(|setting| setting.value.as_deref() != Ok("")).collect();
    let setting = set.get(place).or_else(|| set.last());
    let service = &services.all[caller].name;
    match (setting.map(|setting| (&setting.value, &setting.at)), fallback) {
        (Some((Ok(value), at)), _) => {
            vec![Filled { text: value.clone(), how: vec![format!("`{name}` is set at {at}")], why: Vec::new() }]
        }
        (Some((Err(why), at)), _) => {
            let why = vec![format!("`{name}` is set at {at}, but {why}")];
            vec![Filled { text: MARK.to_string(), how: Vec::new(), why }]
        }
        (None, Some(fallback)) => {
            let mut all = fill(fallback, caller, services, place);
            all.iter_mut()
                .for_each(|filled| filled.how.push(format!("nothing sets `{name}` for {service}: the code's fallback")));
            all
        }
        (None, None) => {
            let why = vec![format!("nothing sets `{name}` for {service}")];
            vec![Filled { text: MARK.to_string(), how: Vec::new(), why }]
        }
    }
}

/// Who is meant by a text.
fn callee(filled: &Filled, kind: SiteKind, caller: usize, services: &Services) -> Callee {
    let how = |text: String| [filled.how.clone(), vec![text]].concat().join(", ");
    let unknown = |why: String| match depends(kind) {
        true => Callee { name: kind.word().to_owned(), what: What::Dependency(kind), how: why },
        false => Callee { name: UNKNOWN.to_owned(), what: What::Unknown, how: why },
    };
    let reasons = || filled.why.join(", ");
    match address(&filled.text) {
        Address::Host { host, port } => match service_of(&host, port, caller, services) {
            Found::Service(at, why) => Callee { name: services.all[at].name.clone(), what: What::Service, how: how(why) },
            Found::Outside => Callee { name: shown(&host), what: What::Host, how: how("a host outside".to_owned()) },
            Found::Nobody(why) => unknown(how(why)),
        },
        Address::Unix(path) => Callee { name: format!("unix:{path}"), what: What::Host, how: how("a socket file".to_owned()) },
        Address::Path(path) => unknown(how(format!("only the path `{path}` is known, no host"))),
        Address::Unknown => unknown(reasons()),
        Address::Nothing if filled.why.is_empty() => unknown(how("the destination is empty".to_owned())),
        Address::Nothing => unknown(reasons()),
    }
}

/// Kinds whose callee is a dependency, whatever its name.
fn depends(kind: SiteKind) -> bool {
    matches!(kind, SiteKind::Database | SiteKind::Cache | SiteKind::Queue | SiteKind::Mail)
}

/// A host as a name: an address of six groups in brackets.
fn shown(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

/// Whose a host is.
enum Found {
    Service(usize, String),
    Outside,
    Nobody(String),
}

fn service_of(host: &str, port: Option<u16>, caller: usize, services: &Services) -> Found {
    let own = &services.all[caller];
    if let Some(other) = own.aliases.get(host) {
        return match services.by_host(other).first() {
            Some(at) => Found::Service(*at, format!("`{host}` is {other} here")),
            None => Found::Outside,
        };
    }
    if is_this_machine(host) {
        return at_port(host, port, caller, services);
    }
    for name in names(host) {
        match one_of(services.by_host(&name), caller, services) {
            Ok(Some(at)) => return Found::Service(at, format!("the host `{host}`")),
            Ok(None) => {}
            Err(all) => return Found::Nobody(format!("several services are reached as `{host}`: {all}")),
        }
    }
    Found::Outside
}

/// The names under which a service may be known that is reached by a host name, as written first: `pricing.shop.svc.cluster.local` is
/// `pricing.shop`, or `pricing` where nothing says in which namespace that is.
fn names(host: &str) -> Vec<String> {
    let mut names = vec![host.to_owned()];
    let cluster = host.strip_suffix(".cluster.local").unwrap_or(host);
    let service = cluster.strip_suffix(".svc");
    if let Some(service) = service {
        names.push(service.to_owned());
    }
    let inner = service.unwrap_or(cluster);
    if let Some((name, namespace)) = inner.split_once('.')
        && (service.is_some() || namespace == "default")
        && !namespace.contains('.')
    {
        names.push(format!("{name}.*"));
        if service.is_some() {
            names.push(name.to_owned());
        }
    }
    names
}

/// The one service that is meant: of several the one that shares a project with the caller.
fn one_of(all: &[usize], caller: usize, services: &Services) -> Result<Option<usize>, String> {
    let near: Vec<usize> = all
        .iter()
        .copied()
        .filter(|at| services.all[*at].projects.intersection(&services.all[caller].projects).next().is_some())
        .collect();
    match (all, near.as_slice()) {
        ([], _) => Ok(None),
        ([one], _) | (_, [one]) => Ok(Some(*one)),
        _ => Err(all.iter().map(|at| services.all[*at].name.as_str()).collect::<Vec<_>>().join(", ")),
    }
}

/// Who listens on a port of this machine.
fn at_port(host: &str, port: Option<u16>, caller: usize, services: &Services) -> Found {
    let host = shown(host);
    let Some(port) = port else { return Found::Nobody(format!("`{host}` without a port")) };
    let where_is = |holds: &dyn Fn(&super::services::Service) -> bool| -> Vec<usize> {
        (0..services.all.len()).filter(|at| holds(&services.all[*at])).collect()
    };
    let published = where_is(&|service| service.published.contains(&port));
    let all = if published.is_empty() { where_is(&|service| service.ports.contains(&port)) } else { published };
    let others: Vec<usize> = all.iter().copied().filter(|at| *at != caller).collect();
    match (one_of(&others, caller, services), all.as_slice()) {
        (Ok(Some(at)), _) => Found::Service(at, format!("{host}:{port} is a port of {}", services.all[at].name)),
        (Ok(None), [own]) => Found::Service(*own, format!("{host}:{port} is its own port")),
        (Ok(None), _) => Found::Nobody(format!("{host}:{port} is a port of no known service")),
        (Err(all), _) => Found::Nobody(format!("{host}:{port} is a port of several services: {all}")),
    }
}
