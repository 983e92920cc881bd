//! Compose files: `compose.yaml`, `docker-compose.yml` and what they lead to.
//!
//! In: the compose files of a tree. Out: one [`Deployed`](crate::facts::deployment::Deployed) for each service of each project. The
//! files of one folder are one project: the plain one, then its override, over any others; `include` and `extends` are followed;
//! variables come from `.env` beside them and from nowhere else.

mod env;
mod files;
mod layers;
mod ports;
mod service;
#[cfg(test)]
mod tests;
mod variables;

use std::collections::BTreeMap;

use super::Reader;
use crate::facts::deployment::{Deployment, Filed};

/// The reader of compose files.
pub struct Compose;

impl Reader for Compose {
    fn word(&self) -> &'static str {
        "compose"
    }

    fn takes(&self, name: &str) -> bool {
        let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"));
        stem.is_some_and(|stem| {
            let rest = stem.strip_prefix("docker-compose").or_else(|| stem.strip_prefix("compose"));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
        })
    }

    fn read(&self, files: &[Filed]) -> Deployment {
        let mut projects: BTreeMap<Filed, Vec<Filed>> = BTreeMap::new();
        for file in files {
            projects.entry(file.folder()).or_default().push(file.clone());
        }
        let mut all = Deployment::default();
        for (folder, mut files) in projects {
            files.sort_by_key(|file| (rank(&file.name()), file.shown.clone()));
            let project = files::Project::read(&folder, &files, &mut all.notes);
            all.services.extend(project.services(&mut all.notes));
        }
        all.notes.sort();
        all.notes.dedup();
        all
    }
}

/// Which file says less: others before the plain one, the override last.
fn rank(name: &str) -> u8 {
    let stem = name.trim_end_matches(".yaml").trim_end_matches(".yml");
    match stem {
        "docker-compose" | "compose" => 1,
        _ if stem.ends_with(".override") => 2,
        _ => 0,
    }
}
