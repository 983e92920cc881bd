//! Packages that reach other services and that no library file describes, as far as they are known.
//!
//! In: `queries/strangers.toml`, and what the lock file says a package depends on. Out: whether a package is one of them. A package that a
//! library file describes is none, whoever wrote the file.

use serde::Deserialize;

use super::{Catalog, CatalogError};
use crate::span::LineIndex;

const PATH: &str = "queries/strangers.toml";
const TEXT: &str = include_str!("../../queries/strangers.toml");

/// What is known of such packages, by family.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strangers {
    rust: Known,
    javascript: Known,
}

/// What is known of such packages of one family; names may hold one `*`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    reach: Vec<String>,
    clients: Vec<String>,
    except: Vec<String>,
}

impl Strangers {
    /// Those that the program brings along.
    ///
    /// # Errors
    ///
    /// A text that is refused; a test holds that it is not.
    pub fn built_in() -> Result<Self, CatalogError> {
        let place = |error: &toml::de::Error| {
            let at = LineIndex::new(TEXT).position(error.span()?.start as u32);
            Some((at.line, at.column))
        };
        toml::from_str(TEXT).map_err(|error| CatalogError {
            file: PATH.to_owned(),
            place: place(&error),
            message: error.message().to_owned(),
        })
    }

    /// Whether a package is one of them. `relies_on` tells whether it depends itself on a package that is asked about.
    pub fn is_one(
        &self,
        catalog: &Catalog,
        family: &'static str,
        package: &str,
        relies_on: impl FnOnce(&dyn Fn(&str) -> bool) -> bool,
    ) -> bool {
        if !catalog.package(family, package, "").is_empty() {
            return false;
        }
        let known = if family == "rust" { &self.rust } else { &self.javascript };
        let among = |names: &[String], name: &str| names.iter().any(|pattern| fits(pattern, name));
        !among(&known.except, package) && (among(&known.reach, package) || relies_on(&|need| among(&known.clients, need)))
    }
}

/// Whether a name fits one that may hold a `*`; names that differ by `-` and `_` alone are one.
fn fits(pattern: &str, name: &str) -> bool {
    let same = |a: &str, b: &str| {
        let plain = |byte: u8| if byte == b'-' { b'_' } else { byte };
        a.len() == b.len() && a.bytes().map(plain).eq(b.bytes().map(plain))
    };
    match pattern.split_once('*') {
        None => same(pattern, name),
        Some((before, after)) => {
            let (begin, end) = (name.get(..before.len()), name.len().checked_sub(after.len()).and_then(|at| name.get(at..)));
            name.len() >= before.len() + after.len()
                && begin.is_some_and(|begin| same(before, begin))
                && end.is_some_and(|end| same(after, end))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_of_them_is_described_and_clients_are() {
        let (strangers, catalog) = (Strangers::built_in().unwrap(), Catalog::built_in().unwrap());
        for (family, known) in [("rust", &strangers.rust), ("javascript", &strangers.javascript)] {
            for name in known.reach.iter().filter(|name| !name.contains('*')) {
                assert!(catalog.package(family, name, "").is_empty(), "`{name}` of {family} has a file: take it out of {PATH}");
            }
        }
    }

    #[test]
    fn a_package_that_depends_on_a_client_is_one() {
        let (strangers, catalog) = (Strangers::built_in().unwrap(), Catalog::built_in().unwrap());
        let is_one = |family, package: &str, needs: &[&str]| {
            strangers.is_one(&catalog, family, package, |is_client| needs.iter().any(|need| is_client(need)))
        };
        assert!(is_one("rust", "amqprs", &[]) && is_one("rust", "google_cloud_tasks", &[]));
        assert!(is_one("rust", "acme_sdk", &["serde", "reqwest"]) && is_one("javascript", "@acme/sdk", &["axios"]));
        assert!(!is_one("rust", "acme_sdk", &["hyper"]), "what depends on hyper may serve");
        assert!(
            !is_one("rust", "sentry", &["reqwest"]) && !is_one("rust", "reqwest", &[]) && !is_one("javascript", "lodash", &[])
        );
    }
}
