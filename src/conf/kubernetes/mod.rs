//! Kubernetes objects: workloads, Services, ConfigMaps and Secrets, in plain manifests, Kustomize folders and Helm templates.
//!
//! In: the YAML files of a tree. Out: one [`Deployed`](crate::facts::deployment::Deployed) for each workload, or for several that one
//! Service stands before, and the folders of images that Skaffold names. Templates are read as far as they are literal: an object whose
//! name an action gives is left out, a value that holds one is not known. Kinds that say nothing about services are passed over.

mod env;
mod kustomize;
mod objects;
mod pods;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{Reader, text_of};
use crate::facts::deployment::{Deployment, Filed, Setting, Spot};
use objects::{Objects, Routed};

/// The reader of Kubernetes manifests.
pub struct Kubernetes;

impl Reader for Kubernetes {
    fn word(&self) -> &'static str {
        "kubernetes"
    }

    fn takes(&self, name: &str) -> bool {
        (name.ends_with(".yaml") || name.ends_with(".yml")) && !super::compose::Compose.takes(name)
    }

    /// Any YAML file may be a manifest: those count where they are named.
    fn takes_around(&self, _: &str) -> bool {
        false
    }

    fn read(&self, files: &[Filed]) -> Deployment {
        let mut objects = Objects::default();
        let mut all = Deployment::default();
        for file in files {
            let Some(text) = text_of(file, &mut all.notes) else { continue };
            let is_manifest = text.contains("apiVersion:") && text.contains("kind:");
            if is_manifest || kustomize::is_kustomization(&file.name()) {
                objects.add(file, &text, is_manifest, &mut all);
            }
        }
        kustomize::apply(&mut objects, &mut all.notes);
        all.given = given(&objects.routes);
        all.services = pods::services(&objects, &mut all.notes);
        all
    }
}

/// The variables by which Kubernetes tells every container of the Services around it.
fn given(routes: &[Routed]) -> BTreeMap<String, Setting> {
    let mut given = BTreeMap::new();
    for route in routes {
        let stem = route.name.to_uppercase().replace(['-', '.'], "_");
        let mut put = |name: String, value: String| {
            let at: Spot = route.at.clone();
            given.insert(name, Setting { value: Ok(value), at });
        };
        put(format!("{stem}_SERVICE_HOST"), route.name.clone());
        if let Some((port, _)) = route.ports.first() {
            put(format!("{stem}_SERVICE_PORT"), port.to_string());
        }
    }
    given
}
