//! Module paths over small trees of files.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::RustModules;
use crate::facts::{Modules, Resolved};

struct Tree {
    folder: TempDir,
    modules: RustModules,
}

impl Tree {
    /// Files by path and text.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { folder, modules: RustModules::new(&[root]) }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    /// What a path means in a file: the file, `<name>inner` of a package, or `-`.
    fn resolve(&self, from: &str, module: &str) -> String {
        match self.modules.resolve(&self.path(from), module) {
            Resolved::File(path) => path.strip_prefix(self.path("")).unwrap_or(&path).to_string_lossy().replace('\\', "/"),
            Resolved::Package { name, inner } => format!("<{name}>{inner}"),
            Resolved::Missing => "-".into(),
        }
    }

    fn check(&self, wanted: &[(&str, &str, &str)]) {
        for (from, module, wanted) in wanted {
            assert_eq!(self.resolve(from, module), *wanted, "{module} in {from}");
        }
    }
}

#[test]
fn modules_of_a_crate() {
    let tree = Tree::new(&[
        ("Cargo.toml", "[package]\nname = \"my-app\"\nedition = \"2021\"\n"),
        ("src/lib.rs", ""),
        ("src/a.rs", ""),
        ("src/a/b.rs", ""),
        ("src/a/b/c.rs", ""),
        ("src/d/mod.rs", ""),
        ("src/d/e.rs", ""),
        ("other/f.rs", ""),
        ("other/g.rs", ""),
        ("build.rs", ""),
        ("support/h.rs", ""),
    ]);
    tree.check(&[
        ("src/lib.rs", "crate::a", "src/a.rs"),
        ("src/lib.rs", "self::d", "src/d/mod.rs"),
        ("src/lib.rs", "a::b", "src/a/b.rs"),
        ("src/lib.rs", "crate", "src/lib.rs"),
        ("src/lib.rs", "super::a", "-"),
        ("src/a.rs", "self::b", "src/a/b.rs"),
        ("src/a.rs", "b::c", "src/a/b/c.rs"),
        ("src/a.rs", "super::d", "src/d/mod.rs"),
        ("src/a.rs", "super", "src/lib.rs"),
        ("src/a/b.rs", "super", "src/a.rs"),
        ("src/a/b.rs", "super::super::d::e", "src/d/e.rs"),
        ("src/a/b/c.rs", "crate::d", "src/d/mod.rs"),
        ("src/d/mod.rs", "self::e", "src/d/e.rs"),
        ("src/d/mod.rs", "e", "src/d/e.rs"),
        ("src/d/e.rs", "super", "src/d/mod.rs"),
        ("src/d/e.rs", "super::super::a", "src/a.rs"),
        ("src/d/e.rs", "crate::a::Thing", "-"),
        ("src/d/e.rs", "my_app::a", "src/a.rs"),
        ("src/a.rs", "path:../other/f.rs", "other/f.rs"),
        ("other/f.rs", "self::g", "other/g.rs"),
        ("src/a.rs", "std::net", "<std>net"),
        ("src/a.rs", "core::time", "<std>time"),
        ("src/a.rs", "reqwest::blocking", "<reqwest>blocking"),
        ("src/a.rs", "::reqwest", "<reqwest>"),
        ("build.rs", "crate", "build.rs"),
        ("build.rs", "path:support/h.rs", "support/h.rs"),
    ]);
    assert_eq!(tree.modules.join("crate::a", "b").as_deref(), Some("crate::a::b"));
    assert_eq!(tree.modules.package_of(&tree.path("src/a/b.rs")).as_deref(), Some("my-app"));
}

#[test]
fn programs_tests_and_trees_without_manifest() {
    let named = "[package]\nname = \"p\"\n[[bin]]\nname = \"x\"\npath = \"cmd/x/start.rs\"\n[lib]\nname = \"plib\"\npath = \"lib/root.rs\"\n";
    let tree = Tree::new(&[
        ("p/Cargo.toml", named),
        ("p/cmd/x/start.rs", ""),
        ("p/cmd/x/args.rs", ""),
        ("p/lib/root.rs", ""),
        ("p/lib/net.rs", ""),
        ("q/Cargo.toml", "[package]\nname = \"q\"\n"),
        ("q/src/lib.rs", "mod shared;"),
        ("q/src/main.rs", "mod cli;"),
        ("q/src/cli.rs", ""),
        ("q/src/shared.rs", ""),
        ("q/src/bin/one.rs", ""),
        ("q/src/bin/two/main.rs", ""),
        ("q/src/bin/two/part.rs", ""),
        ("q/tests/common/mod.rs", ""),
        ("q/tests/it.rs", ""),
        ("bare/src/beat.rs", ""),
        ("bare/src/bounded.rs", ""),
        ("loose/a.rs", ""),
        ("loose/b.rs", ""),
    ]);
    tree.check(&[
        ("p/cmd/x/start.rs", "crate::args", "p/cmd/x/args.rs"),
        ("p/cmd/x/args.rs", "crate::args", "p/cmd/x/args.rs"),
        ("p/cmd/x/start.rs", "plib::net", "p/lib/net.rs"),
        ("p/lib/net.rs", "crate", "p/lib/root.rs"),
        ("q/src/cli.rs", "crate", "q/src/main.rs"),
        ("q/src/shared.rs", "crate", "q/src/lib.rs"),
        ("q/src/main.rs", "q::shared", "q/src/shared.rs"),
        ("q/src/bin/one.rs", "q::shared", "q/src/shared.rs"),
        ("q/src/bin/two/main.rs", "part", "q/src/bin/two/part.rs"),
        ("q/src/bin/two/part.rs", "crate::part", "q/src/bin/two/part.rs"),
        ("q/tests/it.rs", "common", "q/tests/common/mod.rs"),
        ("bare/src/beat.rs", "crate::bounded", "bare/src/bounded.rs"),
        ("loose/a.rs", "crate::b", "loose/b.rs"),
        ("loose/a.rs", "super::b", "loose/b.rs"),
    ]);
}

const WORKSPACE: &str = r#"
[workspace]
members = ["crates/*", "tools/?ne"]
exclude = ["crates/old"]
[workspace.dependencies]
http-kit = { path = "crates/http-kit" }
reqwest = "0.12"
hc = { package = "hyper-util", version = "0.1" }
"#;

const APP: &str = r#"
[package]
name = "app"
version.workspace = true
[dependencies]
http-kit.workspace = true
rq = { package = "reqwest", version = "0.11" }
hc = { workspace = true }
tokio-postgres = "0.7"
side = { path = "../../side", package = "side-car" }
[target.'cfg(unix)'.dependencies]
nix = "1"
[dev-dependencies]
reqwest = { workspace = true }
"#;

const LOCK: &str = r#"
version = 4
[[package]]
name = "reqwest"
version = "0.11.27"
[[package]]
name = "reqwest"
version = "0.12.9"
[[package]]
name = "tokio-postgres"
version = "0.7.12"
[[package]]
name = "aws-sdk-s3"
version = "1.4.0"
"#;

fn workspace() -> Tree {
    Tree::new(&[
        ("Cargo.toml", WORKSPACE),
        ("Cargo.lock", LOCK),
        ("crates/app/Cargo.toml", APP),
        ("crates/app/src/main.rs", ""),
        ("crates/http-kit/Cargo.toml", "[package]\nname = \"http-kit\"\n"),
        ("crates/http-kit/src/lib.rs", ""),
        ("crates/http-kit/src/pool.rs", ""),
        ("crates/old/Cargo.toml", "[package]\nname = \"old\"\n"),
        ("crates/old/src/lib.rs", ""),
        ("tools/one/Cargo.toml", "[package]\nname = \"one\"\n[lib]\nname = \"uno\"\n"),
        ("tools/one/src/lib.rs", ""),
        ("side/Cargo.toml", "[package]\nname = \"side-car\"\n"),
        ("side/src/lib.rs", ""),
    ])
}

#[test]
fn crates_of_a_workspace() {
    let tree = workspace();
    for (module, wanted) in [
        ("http_kit", "crates/http-kit/src/lib.rs"),
        ("http_kit::pool", "crates/http-kit/src/pool.rs"),
        ("http_kit::pool::Pool", "-"),
        ("uno", "tools/one/src/lib.rs"),
        ("side", "side/src/lib.rs"),
        ("old", "<old>"),
        ("rq::blocking", "<reqwest>blocking"),
        ("reqwest", "<reqwest>"),
        ("hc::client::legacy", "<hyper-util>client::legacy"),
        ("tokio_postgres", "<tokio-postgres>"),
        ("aws_sdk_s3::Client", "<aws-sdk-s3>Client"),
        ("nix", "<nix>"),
    ] {
        assert_eq!(tree.resolve("crates/app/src/main.rs", module), wanted, "{module}");
    }
}

#[test]
fn versions() {
    let tree = workspace();
    let version = |package: &str| tree.modules.version(&tree.path("crates/app/src/main.rs"), package);
    // The renamed dependency comes first in the manifest.
    assert_eq!(version("reqwest").as_deref(), Some("0.11.27"));
    assert_eq!(version("tokio-postgres").as_deref(), Some("0.7.12"));
    assert_eq!(version("tokio_postgres").as_deref(), Some("0.7.12"));
    assert_eq!(version("hyper-util").as_deref(), Some("^0.1"));
    assert_eq!(version("nix").as_deref(), Some("^1"));
    assert_eq!(version("absent"), None);
    let bare = RustModules::new(&[]);
    assert_eq!(bare.version(Path::new("nowhere/a.rs"), "reqwest"), None);
    assert_eq!(super::lock::range("1.2, <1.9"), "^1.2 <1.9");
}

#[test]
fn manifests_that_are_broken_are_none() {
    let tree = Tree::new(&[("Cargo.toml", "[package\nname="), ("Cargo.lock", "]"), ("src/lib.rs", ""), ("src/a.rs", "")]);
    assert_eq!(tree.resolve("src/a.rs", "crate"), "src/lib.rs");
    assert_eq!(tree.resolve("src/a.rs", "reqwest::Client"), "<reqwest>Client");
    for odd in ["", "::", "crate::", "super::super::super", "path:", "self", "a::::b", "ü::x"] {
        tree.resolve("src/a.rs", odd);
    }
}
