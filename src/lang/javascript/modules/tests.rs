//! Modules and versions in small trees.

use std::fs;
use std::path::{Path, PathBuf};

use super::JsModules;
use crate::facts::{Modules as _, Resolved};

struct Tree {
    folder: tempfile::TempDir,
    modules: JsModules,
}

impl Tree {
    /// Writes files, given as pairs of a path and a text.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(folder.path().join(".git")).unwrap();
        let modules = JsModules::new(&[folder.path().to_path_buf()]);
        Self { folder, modules }
    }

    /// What a module means: a path in the tree, `package/inner`, or `-`.
    fn resolve(&self, from: &str, module: &str) -> String {
        match self.modules.resolve(&self.folder.path().join(from), module) {
            Resolved::File(path) => path.strip_prefix(self.folder.path()).unwrap_or(&path).display().to_string(),
            Resolved::Package { name, inner } if inner.is_empty() => format!("[{name}]"),
            Resolved::Package { name, inner } => format!("[{name}] {inner}"),
            Resolved::Missing => "-".into(),
        }
    }

    fn version(&self, from: &str, package: &str) -> String {
        self.modules.version(&self.folder.path().join(from), package).unwrap_or_else(|| "-".into())
    }
}

#[test]
fn files_by_their_paths() {
    let tree = Tree::new(&[
        ("src/a.ts", ""),
        ("src/b/index.tsx", ""),
        ("src/c.js", ""),
        ("src/d.mts", ""),
        ("src/e.cts", ""),
        ("src/f.vue", ""),
        ("src/g.json", "{}"),
        ("src/h/package.json", r#"{"main": "./lib/start.js"}"#),
        ("src/h/lib/start.js", ""),
        ("src/j.service.ts", ""),
        ("src/node_modules/k/index.js", ""),
    ]);
    for (module, file) in [
        ("./a", "src/a.ts"),
        ("./a.js", "src/a.ts"),
        ("./a.ts", "src/a.ts"),
        ("./b", "src/b/index.tsx"),
        ("./b/", "src/b/index.tsx"),
        ("./b/index.js", "src/b/index.tsx"),
        ("./c", "src/c.js"),
        ("./c.js", "src/c.js"),
        ("./d.mjs", "src/d.mts"),
        ("./e.cjs", "src/e.cts"),
        ("./f.vue", "src/f.vue"),
        ("./f", "src/f.vue"),
        ("./g.json", "src/g.json"),
        ("./h", "src/h/lib/start.js"),
        ("./j.service", "src/j.service.ts"),
        ("../src/a", "src/a.ts"),
        (".", "-"),
        ("./none", "-"),
        ("./node_modules/k", "-"),
        ("k", "[k]"),
        ("node:http", "[http]"),
        ("mysql2/promise", "[mysql2] promise"),
        ("@aws-sdk/client-s3/dist/x", "[@aws-sdk/client-s3] dist/x"),
        ("npm:axios@1", "[axios]"),
    ] {
        assert_eq!(tree.resolve("src/from.ts", module), file, "{module}");
    }
    assert_eq!(tree.resolve("src/b/x.ts", "."), "src/b/index.tsx");
}

#[test]
fn aliases_of_tsconfig() {
    let tree = Tree::new(&[
        (
            "tsconfig.base.json",
            r#"{ // base
            "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["app/src/*", "app/gen/*"], "exact": ["app/src/one.ts"], }, } }"#,
        ),
        (
            "app/tsconfig.json",
            r#"{ "extends": ["@not-installed/base", "../tsconfig.base.json"], "references": [{ "path": "./tsconfig.app.json" }] }"#,
        ),
        ("app/tsconfig.app.json", r#"{ "compilerOptions": { "paths": { "~web/*": ["./web/*"] } } }"#),
        ("app/src/one.ts", ""),
        ("app/gen/two.ts", ""),
        ("app/web/three.ts", ""),
        ("js/jsconfig.json", r#"{ "compilerOptions": { "baseUrl": "src" } }"#),
        ("js/src/util/http.js", ""),
        ("bad/tsconfig.json", "{ not json"),
        ("bad/a.ts", ""),
        ("round/tsconfig.json", r#"{ "extends": "./tsconfig.json", "references": [{"path": "."}, {"path": "./other.json"}] }"#),
        ("round/other.json", r#"{ "extends": "./tsconfig.json", "references": [{"path": "./tsconfig.json"}] }"#),
    ]);
    assert_eq!(tree.resolve("app/src/x.ts", "@app/one"), "app/src/one.ts");
    assert_eq!(tree.resolve("app/src/x.ts", "@app/one.js"), "app/src/one.ts");
    assert_eq!(tree.resolve("app/src/x.ts", "@app/two"), "app/gen/two.ts");
    assert_eq!(tree.resolve("app/src/x.ts", "@app/none"), "[@app/none]");
    assert_eq!(tree.resolve("app/src/x.ts", "exact"), "app/src/one.ts");
    assert_eq!(tree.resolve("app/src/x.vue", "~web/three"), "app/web/three.ts");
    assert_eq!(tree.resolve("js/src/x.js", "util/http"), "js/src/util/http.js");
    assert_eq!(tree.resolve("js/src/x.js", "util"), "[util]");
    assert_eq!(tree.resolve("bad/x.ts", "./a"), "bad/a.ts");
    assert_eq!(tree.resolve("bad/x.ts", "axios"), "[axios]");
    assert_eq!(tree.resolve("round/x.ts", "axios"), "[axios]");
}

#[test]
fn usual_aliases_and_own_imports() {
    let tree = Tree::new(&[
        (
            "package.json",
            r##"{ "name": "me", "imports": { "#http": "./dist/http.js", "#lib/*.js": { "types": "./dist/lib/*.d.ts", "default": "./dist/lib/*.js" }, "#ext": "axios" }, "exports": { "./sub": "./src/sub.ts" } }"##,
        ),
        ("src/http.ts", ""),
        ("src/lib/a.ts", ""),
        ("src/sub.ts", ""),
        ("src/deep/b.ts", ""),
    ]);
    assert_eq!(tree.resolve("src/deep/b.ts", "#http"), "src/http.ts");
    assert_eq!(tree.resolve("src/deep/b.ts", "#lib/a.js"), "src/lib/a.ts");
    assert_eq!(tree.resolve("src/deep/b.ts", "#none"), "-");
    assert_eq!(tree.resolve("src/deep/b.ts", "@/deep/b"), "src/deep/b.ts");
    assert_eq!(tree.resolve("src/deep/b.ts", "~/http"), "src/http.ts");
    assert_eq!(tree.resolve("src/deep/b.ts", "$lib/a"), "src/lib/a.ts");
    assert_eq!(tree.resolve("src/deep/b.ts", "me/sub"), "src/sub.ts");
    assert_eq!(tree.modules.package_of(&tree.folder.path().join("src/deep/b.ts")).as_deref(), Some("me"));
}

#[test]
fn packages_of_a_workspace() {
    let files = |root: (&'static str, &'static str)| {
        vec![
            root,
            (
                "packages/a/package.json",
                r#"{ "name": "@acme/a", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.mjs" }, "./http": "./dist/http/client.js", "./x/*": "./lib/x/*.js" } }"#,
            ),
            ("packages/a/src/index.ts", ""),
            ("packages/a/src/http/client.ts", ""),
            ("packages/a/src/x/y.ts", ""),
            (
                "packages/b/package.json",
                r#"{ "name": "b", "main": "./lib/main.js", "dependencies": { "c": "link:../../other/c", "axios-old": "npm:axios@^0.27.0" } }"#,
            ),
            ("packages/b/lib/main.js", ""),
            ("packages/b/tool.ts", ""),
            ("packages/skipped/package.json", r#"{ "name": "skipped" }"#),
            ("packages/broken/package.json", "{"),
            ("packages/broken/x.ts", ""),
            ("other/c/package.json", r#"{ "name": "c", "source": "src/c.ts" }"#),
            ("other/c/src/c.ts", ""),
        ]
    };
    for root in [
        ("package.json", r#"{ "name": "root", "workspaces": ["packages/*", "!packages/skipped"] }"#),
        ("package.json", r#"{ "workspaces": { "packages": ["./{packages,apps}/*", "!packages/skipped"] } }"#),
        ("pnpm-workspace.yaml", "packages:\n  - 'packages/**' # all\n  - \"!packages/skipped\"\n"),
        ("lerna.json", r#"{ "packages": ["packages/a", "packages/b"] }"#),
    ] {
        let tree = Tree::new(&files(root));
        let resolve = |module| tree.resolve("packages/b/tool.ts", module);
        assert_eq!(resolve("@acme/a"), "packages/a/src/index.ts", "{root:?}");
        assert_eq!(resolve("@acme/a/http"), "packages/a/src/http/client.ts");
        assert_eq!(resolve("@acme/a/x/y"), "packages/a/src/x/y.ts");
        assert_eq!(resolve("@acme/a/src/http/client"), "packages/a/src/http/client.ts");
        assert_eq!(resolve("b"), "packages/b/lib/main.js");
        assert_eq!(resolve("b/tool"), "packages/b/tool.ts");
        assert_eq!(resolve("c"), "other/c/src/c.ts");
        assert_eq!(resolve("axios-old/lib/x"), "[axios] lib/x");
        assert_eq!(resolve("skipped"), "[skipped]");
        assert_eq!(tree.resolve("packages/broken/y.ts", "./x"), "packages/broken/x.ts");
        assert_eq!(tree.resolve("packages/broken/y.ts", "@acme/a"), "packages/a/src/index.ts");
    }
}

#[test]
fn versions_of_npm() {
    for (name, lock) in [
        (
            "package-lock.json",
            r#"{ "lockfileVersion": 3, "packages": { "": {}, "node_modules/axios": { "version": "1.7.2" }, "packages/a/node_modules/axios": { "version": "0.27.2" }, "node_modules/x/node_modules/ky": { "version": "9.9.9" }, "packages/a": { "version": "5.0.0" } } }"#,
        ),
        (
            "npm-shrinkwrap.json",
            r#"{ "lockfileVersion": 2, "packages": { "node_modules/axios": { "version": "1.7.2" }, "packages/a/node_modules/axios": { "version": "0.27.2" } }, "dependencies": {} }"#,
        ),
    ] {
        let tree = Tree::new(&[(name, lock), ("package.json", r#"{ "dependencies": { "ky": "^1.0.0" } }"#)]);
        assert_eq!(tree.version("src/x.ts", "axios"), "1.7.2");
        assert_eq!(tree.version("packages/a/src/x.ts", "axios"), "0.27.2");
        assert_eq!(tree.version("src/x.ts", "ky"), "^1.0.0");
        assert_eq!(tree.version("src/x.ts", "got"), "-");
    }
    let old = Tree::new(&[("package-lock.json", r#"{ "dependencies": { "node-fetch": { "version": "2.6.1" } } }"#)]);
    assert_eq!(old.version("x.js", "node-fetch"), "2.6.1");
}

#[test]
fn versions_of_pnpm() {
    let five = "lockfileVersion: 5.4\nspecifiers:\n  axios: ^1.0.0\ndependencies:\n  axios: 1.6.0_debug@4.3.4\ndevDependencies:\n  '@a/b': 2.0.0\n  c: link:../c\npackages:\n  /axios/9.9.9:\n    dependencies:\n      ky: 3.0.0\n";
    let tree = Tree::new(&[("pnpm-lock.yaml", five)]);
    assert_eq!(tree.version("src/x.ts", "axios"), "1.6.0");
    assert_eq!(tree.version("src/x.ts", "@a/b"), "2.0.0");
    assert_eq!(tree.version("src/x.ts", "c"), "-");
    assert_eq!(tree.version("src/x.ts", "ky"), "-");
    let nine = "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      axios:\n        specifier: ^1.0.0\n        version: 1.7.2(debug@4.3.4)\n\n  packages/a:\n    devDependencies:\n      '@a/b':\n        specifier: ^2\n        version: 2.1.0\n      axios:\n        specifier: ^0.27\n        version: 0.27.2\n\npackages:\n  axios@9.9.9:\n    resolution: {integrity: x}\n";
    let tree = Tree::new(&[("pnpm-lock.yaml", nine)]);
    assert_eq!(tree.version("src/x.ts", "axios"), "1.7.2");
    assert_eq!(tree.version("packages/a/src/x.ts", "axios"), "0.27.2");
    assert_eq!(tree.version("packages/a/src/x.ts", "@a/b"), "2.1.0");
    assert_eq!(tree.version("x.ts", "@a/b"), "-");
}

#[test]
fn versions_of_yarn_and_bun() {
    let classic = "# yarn lockfile v1\n\n\naxios@^0.27.0, axios@^0.27.2:\n  version \"0.27.2\"\n  dependencies:\n    x \"1\"\n\naxios@^1.0.0:\n  version \"1.7.2\"\n\n\"@a/b@~2.0.0\":\n  version \"2.0.9\"\n";
    let berry = "__metadata:\n  version: 8\n\n\"axios@npm:^0.27.0, axios@npm:^0.27.2\":\n  version: 0.27.2\n  resolution: \"axios@npm:0.27.2\"\n\n\"axios@npm:^1.0.0\":\n  version: 1.7.2\n\n\"@a/b@npm:~2.0.0\":\n  version: 2.0.9\n\n\"me@workspace:.\":\n  version: 0.0.0-use.local\n";
    for lock in [classic, berry] {
        let tree = Tree::new(&[
            ("yarn.lock", lock),
            ("package.json", r#"{ "dependencies": { "axios": "^1.0.0" } }"#),
            ("packages/a/package.json", r#"{ "dependencies": { "axios": "^0.27.2" } }"#),
        ]);
        assert_eq!(tree.version("x.ts", "axios"), "1.7.2");
        assert_eq!(tree.version("packages/a/x.ts", "axios"), "0.27.2");
        assert_eq!(tree.version("x.ts", "@a/b"), "2.0.9");
        assert_eq!(tree.version("x.ts", "me"), "-");
    }
    let bun = r#"{ "lockfileVersion": 1, "packages": { "axios": ["axios@1.7.2", "", {}, "sha"], "@a/b": ["@a/b@2.0.0"], }, }"#;
    let tree = Tree::new(&[("bun.lock", bun)]);
    assert_eq!(tree.version("x.ts", "axios"), "1.7.2");
    assert_eq!(tree.version("x.ts", "@a/b"), "2.0.0");
}

#[test]
fn ranges_of_manifests() {
    let tree = Tree::new(&[
        ("pnpm-workspace.yaml", "packages: [packages/*]\ncatalog:\n  axios: ^1.7.0\ncatalogs:\n  old:\n    axios: ^0.27.0\n"),
        ("package.json", r#"{ "devDependencies": { "got": "~11.8.0" } }"#),
        (
            "packages/a/package.json",
            r#"{ "name": "a", "dependencies": { "axios": "catalog:", "b": "workspace:^", "g": "git+ssh://x", "h": "npm:ky@^1.2.0" } }"#,
        ),
        ("packages/b/package.json", r#"{ "name": "b", "peerDependencies": { "axios": "catalog:old" } }"#),
    ]);
    assert_eq!(tree.version("packages/a/x.ts", "axios"), "^1.7.0");
    assert_eq!(tree.version("packages/b/x.ts", "axios"), "^0.27.0");
    assert_eq!(tree.version("packages/a/x.ts", "got"), "~11.8.0");
    assert_eq!(tree.version("packages/a/x.ts", "b"), "-");
    assert_eq!(tree.version("packages/a/x.ts", "g"), "-");
    assert_eq!(tree.version("packages/a/x.ts", "h"), "^1.2.0");
    assert_eq!(tree.resolve("packages/a/x.ts", "b"), "[b]");
}

#[test]
fn many_threads_share_it() {
    let tree = Tree::new(&[("a.ts", ""), ("b/c.ts", "")]);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    assert_eq!(tree.resolve("b/c.ts", "../a"), "a.ts");
                    assert_eq!(tree.resolve("a.ts", "axios"), "[axios]");
                }
            });
        }
    });
    let relative = tree.modules.resolve(Path::new("no/such/file.ts"), "./x");
    assert_eq!(relative, Resolved::Missing);
    assert_eq!(JsModules::new(&[PathBuf::from("no/such")]).resolve(Path::new(""), "axios"), Resolved::Missing);
}
