//! Workloads become services: with the names of the Services before them, their ports and their environment.
//!
//! In: [`Objects`]. Out: [`Deployed`] services. Workloads of one name are one (bases and their overlays), and so are several that one
//! Service stands before (versions).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::env;
use super::objects::{Objects, Routed, Workload};
use crate::conf::command::entry_of;
use crate::conf::template::is_literal;
use crate::conf::yaml::Node;
use crate::facts::deployment::{Deployed, Note, Spot, image_name};

/// The services that the objects say.
pub(super) fn services(objects: &Objects, notes: &mut Vec<Note>) -> Vec<Deployed> {
    let mut grouped: BTreeMap<String, Vec<&Workload>> = BTreeMap::new();
    for workload in &objects.workloads {
        grouped.entry(name_of(objects, workload)).or_default().push(workload);
    }
    let mut services: Vec<Deployed> = Vec::new();
    for (name, workloads) in &grouped {
        let versions: BTreeSet<&str> = workloads.iter().map(|workload| workload.name.as_str()).collect();
        if versions.len() > 1 {
            let all = versions.into_iter().collect::<Vec<_>>().join(", ");
            let at = Spot::new(&workloads[0].file.shown, workloads[0].line);
            notes.push(Note { at, text: format!("{all} stand behind one Service, and count as one service, {name}") });
        }
        services.push(service(objects, name, workloads));
    }
    for route in objects.routes.iter().filter(|route| !objects.workloads.iter().any(|workload| leads(route, workload))) {
        match services.iter_mut().find(|service| service.name == route.name) {
            Some(service) => add_route(route, service),
            None => {
                let mut service = Deployed::new(&route.name, "kubernetes", route.at.clone(), Path::new(""));
                add_route(route, &mut service);
                services.push(service);
            }
        }
    }
    services.sort_by(|a, b| a.name.cmp(&b.name));
    services
}

/// Whether a Service leads to the pods of a workload.
fn leads(route: &Routed, workload: &Workload) -> bool {
    let together = route.namespace.is_none() || workload.namespace.is_none() || route.namespace == workload.namespace;
    together && !route.selector.is_empty() && route.selector.iter().all(|(key, value)| workload.labels.get(key) == Some(value))
}

/// The name of the service that a workload is: that of the Service before it where the workload's adds an ending, else its own.
fn name_of(objects: &Objects, workload: &Workload) -> String {
    let mut before: Vec<&str> =
        objects.routes.iter().filter(|route| leads(route, workload)).map(|route| route.name.as_str()).collect();
    before.sort_by_key(|name| (name.len(), *name));
    if before.contains(&workload.name.as_str()) {
        return workload.name.clone();
    }
    let stem = before.into_iter().find(|name| workload.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('-')));
    stem.unwrap_or(&workload.name).to_owned()
}

fn service(objects: &Objects, name: &str, workloads: &[&Workload]) -> Deployed {
    let first = workloads[0];
    let mut service = Deployed::new(name, "kubernetes", Spot::new(&first.file.shown, first.line), Path::new(""));
    for workload in workloads {
        for route in objects.routes.iter().filter(|route| leads(route, workload)) {
            add_route(route, &mut service);
        }
        let containers = workload.pod.get("containers").map(|containers| containers.items()).unwrap_or_default();
        for (at, container) in containers.iter().enumerate() {
            add_container(objects, workload, container, at == 0, &mut service);
        }
    }
    add_host(&mut service, name);
    for list in [&mut service.ports, &mut service.published] {
        list.sort_unstable();
        list.dedup();
    }
    service
}

fn add_container(objects: &Objects, workload: &Workload, container: &Node, is_first: bool, service: &mut Deployed) {
    for port in container.get("ports").map(|ports| ports.items()).unwrap_or_default() {
        service.ports.extend(port.text_at(&["containerPort"]).and_then(|port| port.parse::<u16>().ok()));
        service.published.extend(port.text_at(&["hostPort"]).and_then(|port| port.parse::<u16>().ok()));
    }
    env::add(objects, workload, container, &mut service.env);
    if is_first && service.image.is_none() {
        let image = container.text_at(&["image"]);
        service.image = image.map(str::to_owned).filter(|image| is_literal(image_name(image)) && !image_name(image).is_empty());
        let words = |key: &str| -> Vec<String> {
            let items = container.get(key).map(|items| items.items()).unwrap_or_default();
            items.iter().filter_map(|item| item.text()).map(str::to_owned).collect()
        };
        let command = [words("command"), words("args")].concat().join(" ");
        service.entry = entry_of(&command).filter(|entry| is_literal(entry));
    }
}

/// Adds the names and ports of a Service.
fn add_route(route: &Routed, service: &mut Deployed) {
    add_host(service, &route.name);
    for other in &route.others {
        add_host(service, other);
    }
    match &route.namespace {
        Some(namespace) => add_host(service, &format!("{}.{namespace}", route.name)),
        None => add_host(service, &format!("{}.*", route.name)),
    }
    if let Some(outside) = &route.outside {
        add_host(service, outside);
    }
    service.ports.extend(route.ports.iter().map(|(port, _)| *port));
    service.published.extend(route.ports.iter().filter_map(|(_, machine)| *machine));
}

fn add_host(service: &mut Deployed, host: &str) {
    if !service.hosts.iter().any(|known| known == host) {
        service.hosts.push(host.to_owned());
    }
}
