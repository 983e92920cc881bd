//! What the packages of a lock file depend on themselves.
//!
//! In: the folder of a lock file. Out: its [`Needs`]. It is read when somebody asks, apart from the versions: most runs never do.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::manifest::read_json;
use super::yaml;

/// What packages depend on directly, by package, whichever of its versions.
#[derive(Debug, Default)]
pub(super) struct Needs(FxHashMap<String, Vec<String>>);

impl Needs {
    /// Reads the lock file of a folder.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let json = |name: &str| read_json(&folder.join(name));
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        let npm = || json("package-lock.json").or_else(|| json("npm-shrinkwrap.json")).map(|json| npm(&json));
        npm()
            .or_else(|| text("pnpm-lock.yaml").map(|text| pnpm(&text)))
            .or_else(|| text("yarn.lock").map(|text| yarn(&text)))
            .or_else(|| json("bun.lock").map(|json| bun(&json)))
    }

    /// What a package depends on.
    pub(super) fn of(&self, package: &str) -> &[String] {
        self.0.get(package).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, package: &str, needs: impl Iterator<Item = String>) {
        self.0.entry(package.to_owned()).or_default().extend(needs);
    }
}

fn keys(entry: &Value, key: &str) -> impl Iterator<Item = String> {
    entry.get(key).and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone())
}

fn npm(json: &Value) -> Needs {
    let mut all = Needs::default();
    for (place, entry) in json.get("packages").and_then(Value::as_object).into_iter().flatten() {
        if let Some((_, name)) = place.rsplit_once("node_modules/") {
            all.add(name, keys(entry, "dependencies"));
        }
    }
    for (name, entry) in json.get("dependencies").and_then(Value::as_object).into_iter().flatten() {
        all.add(name, keys(entry, "requires"));
    }
    all
}

fn bun(json: &Value) -> Needs {
    let mut all = Needs::default();
    for (name, entry) in json.get("packages").and_then(Value::as_object).into_iter().flatten() {
        all.add(name, entry.get(2).into_iter().flat_map(|about| keys(about, "dependencies")));
    }
    all
}

fn pnpm(text: &str) -> Needs {
    let mut all = Needs::default();
    let (mut in_packages, mut in_needs, mut package) = (false, false, "");
    for line in yaml::lines(text) {
        match line.indent {
            0 => in_packages = matches!(line.key, "packages" | "snapshots"),
            2 => package = name_of(line.key),
            4 => in_needs = line.key == "dependencies",
            6 if in_packages && in_needs => all.add(package, std::iter::once(line.key.to_owned())),
            _ => {}
        }
    }
    all
}

/// `axios` of `axios@1.7.2(debug@4.3.4)`, `/axios@1.7.2`, `/axios/1.7.2`.
fn name_of(key: &str) -> &str {
    let key = key.strip_prefix('/').unwrap_or(key);
    let plain = key.split('(').next().unwrap_or(key);
    let at = plain.get(1..).and_then(|rest| rest.rfind('@')).map(|at| at + 1).or_else(|| plain.rfind('/'));
    at.and_then(|at| plain.get(..at)).unwrap_or(plain)
}

fn yarn(text: &str) -> Needs {
    let mut all = Needs::default();
    let (mut package, mut in_needs) = ("", false);
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let content = line.trim_start();
        match line.len() - content.len() {
            0 => {
                let first = content.split(',').next().unwrap_or(content).trim_matches(['"', ':']);
                package = first.get(1..).and_then(|rest| rest.find('@')).and_then(|at| first.get(..=at)).unwrap_or(first);
            }
            2 => in_needs = content.starts_with("dependencies:"),
            4 if in_needs => {
                let name = content.split([' ', ':']).next().unwrap_or(content);
                all.add(package, std::iter::once(name.trim_matches('"').to_owned()));
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{bun, npm, pnpm, yarn};

    #[test]
    fn every_form_says_what_a_package_depends_on() {
        let three =
            r#"{ "packages": { "": {}, "node_modules/@acme/sdk": { "version": "1.0.0", "dependencies": { "axios": "^1" } } } }"#;
        let one = r#"{ "dependencies": { "@acme/sdk": { "version": "1.0.0", "requires": { "axios": "^1" } } } }"#;
        let bunny = r#"{ "packages": { "@acme/sdk": ["@acme/sdk@1.0.0", "", { "dependencies": { "axios": "^1" } }, "sha"] } }"#;
        let nine = "packages:\n\n  '@acme/sdk@1.0.0':\n    resolution: {}\n\nsnapshots:\n\n  '@acme/sdk@1.0.0(debug@4.3.4)':\n    dependencies:\n      axios: 1.7.2\n";
        let five = "packages:\n\n  /@acme/sdk/1.0.0:\n    resolution: {}\n    dependencies:\n      axios: 1.7.2\n    dev: true\n";
        let classic = "# yarn lockfile v1\n\n\n\"@acme/sdk@^1.0.0\", \"@acme/sdk@~1\":\n  version \"1.0.0\"\n  dependencies:\n    axios \"^1.0.0\"\n";
        let berry = "\"@acme/sdk@npm:^1.0.0\":\n  version: 1.0.0\n  dependencies:\n    axios: \"npm:^1.0.0\"\n  checksum: 1\n";
        let json = |text: &str| serde_json::from_str(text).unwrap();
        for (form, all) in [
            ("3", npm(&json(three))),
            ("1", npm(&json(one))),
            ("bun", bun(&json(bunny))),
            ("9", pnpm(nine)),
            ("5", pnpm(five)),
            ("classic", yarn(classic)),
            ("berry", yarn(berry)),
        ] {
            assert_eq!(all.of("@acme/sdk"), ["axios"], "{form}");
            assert!(all.of("axios").is_empty(), "{form}");
        }
    }
}
