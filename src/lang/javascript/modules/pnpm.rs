//! `pnpm-lock.yaml`, versions 5 to 9.
//!
//! In: its text. Out: the versions of the packages that each importer depends on directly.

use rustc_hash::FxHashMap;

use super::yaml;

/// Versions by importer (`.` for the root) and package.
pub(super) fn importers(text: &str) -> FxHashMap<String, FxHashMap<String, String>> {
    let mut all: FxHashMap<String, FxHashMap<String, String>> = FxHashMap::default();
    let mut importer = ".".to_owned();
    let (mut in_importers, mut in_section, mut base) = (false, false, 0);
    let mut package = "";
    for line in yaml::lines(text) {
        if line.indent == 0 {
            in_importers = line.key == "importers";
            importer = ".".to_owned();
            base = 0;
            in_section = is_section(line.key);
            continue;
        }
        if in_importers && line.indent == 2 {
            importer = line.key.to_owned();
            base = 4;
            in_section = false;
            continue;
        }
        if in_importers && line.indent == base {
            in_section = is_section(line.key);
            continue;
        }
        if !in_section {
            continue;
        }
        let given = if line.indent == base + 2 {
            package = line.key;
            line.value
        } else if line.key == "version" {
            line.value
        } else {
            ""
        };
        if let Some(version) = version(given) {
            all.entry(importer.clone()).or_default().insert(package.to_owned(), version.to_owned());
        }
    }
    all
}

fn is_section(key: &str) -> bool {
    matches!(key, "dependencies" | "devDependencies" | "optionalDependencies")
}

/// `1.2.3` of `1.2.3(debug@4.3.4)`, `1.2.3_debug@4.3.4`, `/axios/1.2.3`, `axios@1.2.3`.
fn version(written: &str) -> Option<&str> {
    let plain = written.split(['(', '_']).next()?;
    let plain = plain.rsplit(['/', '@']).next()?;
    (plain.starts_with(|c: char| c.is_ascii_digit()) && !written.contains("link:") && !written.contains("file:")).then_some(plain)
}
