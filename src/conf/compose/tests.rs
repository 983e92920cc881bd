use std::path::Path;

use super::Compose;
use crate::conf::Reader;
use crate::conf::trial::{self, notes};
use crate::facts::deployment::{Deployed, Deployment};

/// Reads a tree of files in a folder of its own.
fn read(files: &[(&str, &str)]) -> Deployment {
    trial::read(&Compose, files)
}

fn named<'a>(deployment: &'a Deployment, name: &str) -> &'a Deployed {
    deployment.services.iter().find(|service| service.name == name).unwrap()
}

fn env<'a>(service: &'a Deployed, name: &str) -> Option<&'a str> {
    service.env.get(name).and_then(|setting| setting.value.as_deref().ok())
}

#[test]
fn names_of_files() {
    for name in
        ["compose.yaml", "docker-compose.yml", "docker-compose.prod.yml", "compose.override.yaml", "docker-compose-dev.yml"]
    {
        assert!(Compose.takes(name), "{name}");
    }
    for name in ["composer.yaml", "compose.json", "values.yaml", "decompose.yml"] {
        assert!(!Compose.takes(name), "{name}");
    }
}

#[test]
fn a_service_with_everything() {
    let text = "
x-common: &common
  environment: &env
    LOG: debug
    SHARED: base
services:
  orders:
    <<: *common
    build: ./services/orders
    container_name: shop-orders
    hostname: orders.local
    networks: {back: {aliases: [orders-api]}}
    links: ['mysql:database']
    ports: ['127.0.0.1:8001:80', '${PORT:-9000}:9001/tcp', '3000-3002', {target: 7000, published: 7001}, '[::1]:81:81']
    expose: [5000]
    profiles: [full]
    command: [node, src/web.js]
    environment:
      <<: *env
      PRICING_URL: http://pricing:8080
      EMPTY:
  pricing:
    build: {context: ., dockerfile: src/pricing/Dockerfile}
    env_file: [pricing.env, {path: missing.env, required: false}, gone.env]
    environment: [MODE=own, PASSED, 'URL=${HOST}:${UNSET}']
  mysql: {image: 'mysql:8'}
";
    let read = read(&[
        ("compose.yaml", text),
        (".env", "HOST=h\nPASSED=yes\n"),
        ("pricing.env", "MODE=file\nMORE=1 # c\n"),
        ("services/orders/x.js", ""),
        ("src/pricing/x.js", ""),
    ]);
    let orders = named(&read, "orders");
    assert_eq!(orders.code.as_ref().map(|code| code.shown.as_str()), Some("services/orders"));
    assert_eq!(orders.hosts, ["orders", "shop-orders", "orders.local", "orders-api"]);
    assert_eq!(orders.aliases.get("database").map(String::as_str), Some("mysql"));
    assert_eq!(orders.ports, [80, 81, 3000, 3001, 3002, 5000, 7000, 9001]);
    assert_eq!(orders.published, [81, 7001, 8001, 9000]);
    assert_eq!(orders.entry.as_deref(), Some("src/web.js"));
    assert_eq!((env(orders, "LOG"), env(orders, "PRICING_URL")), (Some("debug"), Some("http://pricing:8080")));
    assert!(orders.env["EMPTY"].value.is_err(), "a name alone comes from outside");
    let pricing = named(&read, "pricing");
    assert_eq!(pricing.code.as_ref().map(|code| code.shown.as_str()), Some("src/pricing"), "the Dockerfile's folder");
    assert_eq!((env(pricing, "MODE"), env(pricing, "MORE"), env(pricing, "PASSED")), (Some("own"), Some("1"), Some("yes")));
    assert!(pricing.env["URL"].value.as_ref().unwrap_err().contains("`UNSET` is not set"));
    assert_eq!(named(&read, "mysql").image.as_deref(), Some("mysql:8"));
    assert_eq!(notes(&read), ["compose.yaml:24: `env_file` gone.env is not there"]);
}

#[test]
fn the_override_wins_and_others_fill_in() {
    let read = read(&[
        ("docker-compose.yml", "services:\n  a: {build: a, environment: {X: plain, Y: plain}, ports: ['80:80']}\n"),
        ("docker-compose.override.yml", "services:\n  a: {environment: {X: over}, ports: ['81:81']}\n"),
        ("docker-compose.prod.yml", "services:\n  a: {environment: {Y: prod, Z: prod}}\n  b: {image: b}\n"),
        ("a/x", ""),
    ]);
    let a = named(&read, "a");
    assert_eq!((env(a, "X"), env(a, "Y"), env(a, "Z")), (Some("over"), Some("plain"), Some("prod")));
    assert_eq!(a.ports, [80, 81]);
    assert_eq!(read.services.len(), 2);
    assert_eq!(notes(&read), Vec::<String>::new());
}

#[test]
fn extends_and_include_are_followed() {
    let read = read(&[
        (
            "compose.yaml",
            "include: [more/compose.yaml]\nservices:\n  a:\n    extends: {file: base/common.yaml, service: node}\n    environment: {B: own}\n  c: {extends: a}\n",
        ),
        ("base/common.yaml", "services:\n  node: {build: ../code, environment: {A: base, B: base}}\n"),
        ("more/compose.yaml", "services:\n  d: {build: ./d}\n"),
        ("code/x", ""),
        ("more/d/x", ""),
    ]);
    let c = named(&read, "c");
    assert_eq!(c.code.as_ref().map(|code| code.shown.as_str()), Some("code"));
    assert_eq!((env(c, "A"), env(c, "B")), (Some("base"), Some("own")));
    assert_eq!(named(&read, "d").code.as_ref().map(|code| code.shown.as_str()), Some("more/d"));
}

#[test]
fn circles_and_gaps_are_noted() {
    let read = read(&[(
        "compose.yaml",
        "services:\n  a: {extends: b}\n  b: {extends: a, build: nowhere}\n  c: {extends: zz}\n  d: {build: 'https://x.example/r.git'}\n  e: {build: '${DIR}', ports: ['${P}:80', 'x:y']}\n",
    )]);
    let notes = notes(&read);
    for expected in [
        "compose.yaml:3: `extends` goes in a circle: a -> b -> a; it is cut here",
        "compose.yaml:2: `extends` goes in a circle: b -> a -> b; it is cut here",
        "compose.yaml:4: `extends` names `zz`, which is not in compose.yaml",
        "compose.yaml:5: `build` takes https://x.example/r.git, whose code is not here",
        "compose.yaml:6: `build`: `DIR` is not set in the .env file, and has no default",
        "compose.yaml:6: the port `${P}` is not known: `P` is not set in the .env file, and has no default",
        "compose.yaml:6: the port `y` is not known: it is no number",
    ] {
        assert!(notes.iter().any(|note| note == expected), "{expected}\n{notes:#?}");
    }
    assert_eq!(named(&read, "e").ports, [80], "the known half is kept");
    assert_eq!(read.services.len(), 5);
    assert_eq!(notes.iter().filter(|note| note.contains("nowhere")).count(), 1, "said once");
}

#[test]
fn a_broken_file_among_good_ones() {
    let read = read(&[("a/compose.yaml", "services:\n  a: [\n"), ("b/compose.yaml", "services:\n  b: {image: x}\n")]);
    assert!(named(&read, "b").image.is_some());
    let notes = notes(&read);
    assert!(notes.len() == 1 && notes[0].starts_with("a/compose.yaml:") && notes[0].contains("is no YAML"), "{notes:?}");
}

#[test]
fn code_that_is_mounted() {
    let read = read(&[(
        "compose.yaml",
        "services:\n  a: {image: 'node:22', working_dir: /app, volumes: ['./src/a:/app', 'data:/x'], command: node x.js}\n",
    )]);
    assert_eq!(named(&read, "a").code.as_ref().map(|code| code.path.ends_with(Path::new("src/a"))), Some(true));
}
