//! `[services.NAME]` tables.
//!
//! In: the table of all services. Out: [`Service`]s, sorted by name.

use std::path::Path;

use super::section::Item;
use super::source::ConfigError;
use super::{keys, paths};
use crate::settings::Service;

/// Reads all services.
pub(super) fn services(item: &Item<'_>, home: &Path) -> Result<Vec<Service>, ConfigError> {
    let mut services =
        item.section(&[])?.items().iter().map(|item| service(item, home)).collect::<Result<Vec<Service>, ConfigError>>()?;
    services.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(services)
}

fn service(item: &Item<'_>, home: &Path) -> Result<Service, ConfigError> {
    let section = item.section(keys::SERVICE)?;
    let mut service = Service { name: item.last().to_owned(), ..Service::default() };
    for item in section.items() {
        match item.last() {
            "paths" => {
                for item in item.texts()? {
                    paths::place(&item, home)?;
                    service.paths.push(item.words()?.trim_start_matches("./").trim_end_matches('/').to_owned());
                }
            }
            "hosts" => {
                service.hosts = item.texts()?.iter().map(|item| item.words().map(str::to_owned)).collect::<Result<_, _>>()?
            }
            "ports" => {
                let wanted = "a list of ports, for example [8080]";
                let port = |item: &Item<'_>| item.whole(u64::from(u16::MAX)).map(|port| port as u16);
                service.ports = item.list(wanted)?.iter().map(port).collect::<Result<_, _>>()?;
            }
            _ => {
                for item in item.section(&[])?.items() {
                    service.env.insert(item.last().to_owned(), item.text()?.to_owned());
                }
            }
        }
    }
    Ok(service)
}
