//! What services are made of, and what is said where that does not work out: one small tree for each case.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::path::PathBuf;

use untimed::finding::graph::{Graph, What};
use untimed::scan::{self, MOST_CHAINS};
use untimed::settings::{Service, Settings};

/// The graph of a tree of files.
fn graph(files: &[(&str, &str)]) -> Graph {
    declared(files, Vec::new())
}

fn declared(files: &[(&str, &str)], services: Vec<Service>) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let base = folder.path().to_path_buf();
    let settings = Settings { roots: vec![base.clone()], base, services, ..Settings::default() };
    scan::export(&settings, &scan::catalog(&settings).unwrap(), &(), &[], MOST_CHAINS).unwrap().graph
}

/// `caller callee`, sorted.
fn hops(graph: &Graph) -> Vec<String> {
    graph.hops.iter().map(|hop| format!("{} {}", hop.caller, hop.callee)).collect()
}

/// How the callee of a hop's sites is known.
fn how(graph: &Graph, caller: &str, callee: &str) -> Vec<String> {
    let hop = graph.hops.iter().find(|hop| hop.caller == caller && hop.callee == callee);
    hop.unwrap_or_else(|| panic!("{:?}", hops(graph))).calls.iter().map(|call| call.how.clone()).collect()
}

fn notes(graph: &Graph) -> Vec<String> {
    graph.notes.iter().map(|note| format!("{}: {}", note.at, note.text)).collect()
}

#[track_caller]
fn noted(graph: &Graph, note: &str) {
    assert!(notes(graph).iter().any(|known| known == note), "{note}\nis not among\n{:#?}", notes(graph));
}

/// A file that sends to each of these destinations.
fn sends(destinations: &[&str]) -> String {
    destinations.iter().enumerate().map(|(at, to)| format!("export const f{at} = (x) => fetch({to});\n")).collect()
}

#[test]
fn the_environment_of_the_caller_counts() {
    let code = sends(&[
        "`${process.env.A_URL}/x`",
        "`http://${process.env.B_HOST}:${process.env.B_PORT || 80}/x`",
        "process.env.C_URL || 'http://c:1/x'",
        "`${process.env.NOWHERE}/x`",
        "`${process.env.UNSET_URL}/x`",
        "process.env.EMPTY || 'http://c/y'",
    ]);
    let compose = "services:\n  web:\n    build: web\n    environment: {A_URL: 'http://a:80', B_HOST: b, UNSET_URL: '${U}', EMPTY: ''}\n  a: {image: a}\n  b: {image: b}\n  c: {image: c}\n";
    let graph = graph(&[("compose.yaml", compose), ("web/index.js", &code)]);
    assert_eq!(hops(&graph), ["web ?", "web a", "web b", "web c"]);
    assert_eq!(how(&graph, "web", "a"), ["`A_URL` is set at compose.yaml:4, the host `a`"]);
    assert_eq!(how(&graph, "web", "c")[0], "nothing sets `C_URL` for web: the code's fallback, the host `c`");
    let open = how(&graph, "web", "?");
    assert_eq!(open.len(), 2);
    assert!(open.contains(&"nothing sets `NOWHERE` for web".to_owned()), "{open:?}");
    let unset = "`UNSET_URL` is set at compose.yaml:4, but `U` is not set in the .env file, and has no default";
    assert!(open.contains(&unset.to_owned()), "{open:?}");
}

#[test]
fn ports_addresses_and_sockets() {
    let code = sends(&[
        "'http://localhost:8001/x'",
        "'http://[::1]:8002/x'",
        "'http://127.0.0.1:9999/x'",
        "'http://[2001:db8::1]:80/x'",
        "'http://unix:/var/run/docker.sock:/v1'",
        "'http://pricing.shop.svc.cluster.local/x'",
        "'https://api.example.com/x'",
        "'/only/a/path'",
    ]);
    let compose = "services:\n  web: {build: web}\n  a: {image: a, ports: ['8001:80']}\n  b: {image: b, ports: ['${B:-8002}:80']}\n  c: {image: c, ports: ['${C_PORT}:80']}\n";
    let pricing = "apiVersion: v1\nkind: Service\nmetadata: {name: pricing, namespace: shop}\n";
    let graph = graph(&[("compose.yaml", compose), ("k8s/pricing.yaml", pricing), ("web/index.js", &code)]);
    assert_eq!(
        hops(&graph),
        ["web ?", "web [2001:db8::1]", "web a", "web api.example.com", "web b", "web pricing", "web unix:/var/run/docker.sock"]
    );
    let open = how(&graph, "web", "?");
    assert_eq!(open, ["127.0.0.1:9999 is a port of no known service", "only the path `/only/a/path` is known, no host"]);
    noted(&graph, "compose.yaml:5: the port `${C_PORT}` is not known: `C_PORT` is not set in the .env file, and has no default");
    noted(
        &graph,
        "k8s/pricing.yaml:3: `pricing` names neither code nor an image: it is called, and calls nothing that could be read",
    );
    let what = |name: &str| graph.services.iter().find(|service| service.name == name).unwrap().what;
    assert_eq!((what("api.example.com"), what("?"), what("a")), (What::Host, What::Unknown, What::Service));
}

#[test]
fn databases_are_leaves_by_service_host_or_kind() {
    let code = "const { Pool } = require('pg');\nconst { createClient } = require('redis');\n\
        const named = new Pool({ connectionString: process.env.DB_URL });\nconst parts = new Pool({ host: 'db.example.com', port: 5432 });\n\
        const none = new Pool();\nconst cache = createClient({ url: 'redis://localhost:6379' });\n\
        module.exports = async () => [await named.query('1'), await parts.query('1'), await none.query('1'), await cache.get('x')];\n";
    let compose = "services:\n  web: {build: web, environment: ['DB_URL=postgres://u:p@sql/x']}\n  sql: {image: postgres}\n";
    let graph = graph(&[
        ("compose.yaml", compose),
        ("web/index.js", code),
        ("web/package.json", "{\"dependencies\":{\"redis\":\"^4\",\"pg\":\"^8\"}}"),
    ]);
    assert_eq!(hops(&graph), ["web cache", "web database", "web db.example.com", "web sql"]);
    assert_eq!(how(&graph, "web", "cache"), ["localhost:6379 is a port of no known service"]);
}

#[test]
fn shared_code_belongs_to_those_who_import_it() {
    let compose = "services:\n  a: {build: a}\n  b: {build: b}\n  c: {build: c}\n  s: {image: s}\n";
    let graph = graph(&[
        ("compose.yaml", compose),
        ("a/index.js", "import { ping } from '../libs/far.js';\nping();\n"),
        ("b/index.js", "import { ping } from '../libs/near/index.js';\nping();\n"),
        ("c/index.js", "export const x = 1;\n"),
        ("libs/far.js", "export * from './near/index.js';\n"),
        ("libs/near/index.js", "export const ping = () => fetch('http://s/ping');\n"),
        ("libs/alone/package.json", "{\"name\": \"@shop/alone\"}"),
        ("libs/alone/index.js", "export const pong = () => fetch('http://s/pong');\n"),
    ]);
    assert_eq!(hops(&graph), ["a s", "alone s", "b s"]);
}

#[test]
fn crates_of_a_workspace_share_code() {
    let manifest = |name: &str, rest: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nreqwest = \"0.12\"\n{rest}"
        )
    };
    let (a, b, c) = (
        manifest("a", "shop-http = { path = \"../../libs/http\" }\n"),
        manifest("b", "shop-http = { path = \"../../libs/http\" }\n"),
        manifest("c", ""),
    );
    let graph = graph(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"services/*\", \"libs/*\"]\n"),
        ("services/a/Cargo.toml", &a),
        ("services/a/src/main.rs", "fn main() { shop_http::client::ping(); }\n"),
        ("services/b/Cargo.toml", &b),
        ("services/b/src/main.rs", "use shop_http::client;\nfn main() { client::ping(); }\n"),
        ("services/c/Cargo.toml", &c),
        ("services/c/src/main.rs", "mod client;\nfn main() { client::x(); }\n"),
        ("services/c/src/client.rs", "pub fn x() {}\n"),
        ("libs/http/Cargo.toml", &manifest("shop-http", "")),
        ("libs/http/src/lib.rs", "pub mod client;\n"),
        ("libs/http/src/client.rs", "pub async fn ping() { let _ = reqwest::get(\"http://s/ping\").await; }\n"),
    ]);
    assert_eq!(hops(&graph), ["a s", "b s"]);
}

#[test]
fn services_of_one_folder_are_told_apart_by_what_they_run() {
    let files = |web: &str, worker: &str| {
        let compose = format!(
            "services:\n  web: {{build: app{web}}}\n  worker: {{build: app{worker}}}\n  s: {{image: s}}\n  t: {{image: t}}\n"
        );
        [
            ("compose.yaml".to_owned(), compose),
            ("app/web.js".to_owned(), "export const f = () => fetch('http://s/x');\n".to_owned()),
            ("app/worker.js".to_owned(), "import './jobs.js';\n".to_owned()),
            ("app/jobs.js".to_owned(), "export const f = () => fetch('http://t/x');\n".to_owned()),
        ]
    };
    let of = |files: &[(String, String)]| {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        graph(&files)
    };
    let apart = of(&files(", command: node web.js", ", command: [node, worker.js]"));
    assert_eq!(hops(&apart), ["web s", "worker t"]);
    assert_eq!(notes(&apart), Vec::<String>::new());
    let alike = of(&files("", ""));
    assert_eq!(hops(&alike), ["web s", "web t", "worker s", "worker t"]);
    noted(
        &alike,
        "compose.yaml:2: web, worker are built from one folder, app: calls of code that all of them may run count for each",
    );
}

#[test]
fn broken_and_circular_configuration_stops_nothing() {
    let graph = graph(&[
        ("a/compose.yaml", "services:\n  a: {build: ., environment: {S: 'http://s'}}\n  s: {image: s}\n"),
        ("a/index.js", &sends(&["process.env.S"])),
        ("b/compose.yaml", "services:\n  b: [\n   x: {\n"),
        ("c/compose.yaml", "services:\n  c: {extends: d, build: .}\n  d: {extends: c}\n"),
        ("c/index.js", &sends(&["'http://x.example'"])),
        ("k/k.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: ok}\n---\napiVersion: v1\nkind: Service\nmetadata: [\n"),
        ("p/Procfile", "no process\nweb: node x.js\n"),
        ("p/x.js", &sends(&["'http://ok'"])),
    ]);
    assert_eq!(hops(&graph), ["a s", "c x.example", "d x.example", "p ok"]);
    noted(&graph, "c/compose.yaml:3: `extends` goes in a circle: c -> d -> c; it is cut here");
    noted(&graph, "p/Procfile:1: is no process; expected `name: command`");
    let begins = |start: &str| notes(&graph).iter().any(|note| note.starts_with(start));
    assert!(begins("b/compose.yaml:") && begins("k/k.yaml:"), "{:#?}", notes(&graph));
}

#[test]
fn two_projects_may_have_services_of_one_name() {
    let project = "services:\n  web: {build: web}\n  api: {build: api}\n";
    let graph = graph(&[
        ("one/compose.yaml", project),
        ("one/web/index.js", &sends(&["'http://api/x'"])),
        ("one/api/index.js", ""),
        ("two/compose.yaml", project),
        ("two/web/index.js", &sends(&["'http://api/x'"])),
        ("two/api/index.js", ""),
        ("three/index.js", &sends(&["'http://api/x'"])),
        ("three/package.json", "{\"name\": \"three\", \"scripts\": {\"start\": \"node index.js\"}}"),
    ]);
    assert_eq!(hops(&graph), ["three ?", "two/web two/api", "web api"]);
    assert_eq!(how(&graph, "three", "?"), ["several services are reached as `api`: api, two/api"]);
    noted(&graph, "two/compose.yaml:3: `api` is not the one at one/compose.yaml:3, and is called two/api here");
}

#[test]
fn declared_services_need_no_configuration() {
    let orders = Service {
        name: "orders".to_owned(),
        paths: vec!["src/orders".to_owned()],
        env: [("PRICES".to_owned(), "http://localhost:4000".to_owned())].into(),
        ..Service::default()
    };
    let prices =
        Service { name: "prices".to_owned(), hosts: vec!["prices.internal".to_owned()], ports: vec![4000], ..Service::default() };
    let files = [
        ("src/orders/index.js".to_owned(), sends(&["process.env.PRICES", "'http://prices.internal/x'"])),
        ("package.json".to_owned(), "{\"name\": \"all\", \"scripts\": {\"start\": \"node x.js\"}}".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let graph = declared(&files, vec![orders, prices]);
    assert_eq!(hops(&graph), ["orders prices"]);
    noted(&graph, "untimed.toml: `prices` has no `paths`: no call is its own");
}

#[test]
fn configuration_above_the_named_path_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put(".git/HEAD", "");
    put("compose.yaml", "services:\n  web: {build: services/web, environment: {S: 'http://s'}}\n  s: {image: s}\n");
    put("services/web/index.js", &sends(&["process.env.S"]));
    let root = folder.path().join("services/web");
    let settings = Settings { roots: vec![root.clone()], base: PathBuf::from(&root), ..Settings::default() };
    let graph = scan::export(&settings, &scan::catalog(&settings).unwrap(), &(), &[], MOST_CHAINS).unwrap().graph;
    assert_eq!(hops(&graph), ["web s"]);
    assert_eq!(how(&graph, "web", "s"), ["`S` is set at ../../compose.yaml:2, the host `s`"]);
}
