//! The small shops under `fixtures/chain/shop-*`: the chain file that must come out of each, and what the checker says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

use clap::Parser;
use untimed::budget;
use untimed::cli::{self, Cli};
use untimed::report::export::{Format, View, export};
use untimed::scan::{self, Exported, MOST_CHAINS};
use untimed::settings::{Service, Settings};

/// The shops, by name.
fn shops() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chain");
    let mut shops: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    shops.retain(|path| path.is_dir() && path.join("chain.txt").exists());
    shops.sort();
    assert!(shops.len() >= 3, "{shops:?}");
    shops
}

/// The shop's path as a user in the repository would write it.
fn named(shop: &Path) -> String {
    format!("fixtures/chain/{}", shop.file_name().unwrap().to_string_lossy())
}

fn run(args: &[&str], stdin: &str) -> (u8, String) {
    let cli = Cli::try_parse_from([&["untimed"], args].concat()).unwrap_or_else(|error| panic!("{args:?}: {error}"));
    let mut out = Vec::new();
    let code = cli::run(&cli, &mut stdin.as_bytes(), &mut out).unwrap_or_else(|error| panic!("{args:?}: {error:#}"));
    (code, anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string())
}

fn exported(settings: &Settings) -> Exported {
    scan::export(settings, &scan::catalog(settings).unwrap(), &(), &[], MOST_CHAINS).unwrap()
}

fn text(exported: &Exported, format: Format) -> String {
    export(View { graph: &exported.graph, sites: &exported.outcome.sites, chains: &exported.chains }, format)
}

#[test]
fn each_shop_gives_its_chain_file() {
    for shop in shops() {
        let (code, text) = run(&["export", &named(&shop)], "");
        assert_eq!(code, 0);
        assert_eq!(text, std::fs::read_to_string(shop.join("chain.txt")).unwrap(), "{}", shop.display());
    }
}

#[test]
fn the_checker_says_of_each_shop_what_is_written_there() {
    for (shop, fits) in shops().iter().zip([true, false, false]) {
        let (code, text) = run(&["budget", "--scan", &named(shop), "--deadline", "3s", "--reserve", "100ms"], "");
        assert_eq!(text, std::fs::read_to_string(shop.join("budget.txt")).unwrap(), "{}", shop.display());
        assert_eq!(code, u8::from(!fits), "{}", shop.display());
    }
}

#[test]
fn the_chain_file_is_what_the_checker_reads() {
    for shop in shops() {
        let read = budget::parse(&std::fs::read_to_string(shop.join("chain.txt")).unwrap()).unwrap();
        let settings = Settings { roots: vec![PathBuf::from(named(&shop))], ..Settings::default() };
        let mut found = exported(&settings).chains;
        let places = found.iter().flat_map(|chain| &chain.hops);
        assert!(places.clone().all(|hop| hop.per_try_at.as_ref().is_some_and(|place| place.at.contains(':'))));
        assert!(places.filter(|hop| hop.retries > 0).all(|hop| hop.retries_at.is_some()));
        for hop in found.iter_mut().flat_map(|chain| &mut chain.hops) {
            (hop.per_try_at, hop.retries_at) = (None, None);
        }
        assert_eq!(read, found, "{}", shop.display());
        let (_, direct) = run(&["budget", "--scan", &named(&shop), "--deadline", "2s", "--format", "json"], "");
        let (_, piped) = run(&["budget", "-", "--deadline", "2s", "--format", "json"], &run(&["export", &named(&shop)], "").1);
        let numbers = |text: &str| -> Vec<(serde_json::Value, serde_json::Value)> {
            let all: serde_json::Value = serde_json::from_str(text).unwrap();
            all["chains"].as_array().unwrap().iter().map(|chain| (chain["name"].clone(), chain["worst_ms"].clone())).collect()
        };
        assert_eq!(numbers(&direct), numbers(&piped));
    }
}

#[test]
fn json_is_what_its_schema_says() {
    let schema = serde_json::from_str(include_str!("../schemas/export.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for shop in shops() {
        let (_, text) = run(&["export", "--format", "json", &named(&shop)], "");
        let document = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&document).map(|error| format!("{error} at {}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{}:\n{}", shop.display(), errors.join("\n"));
    }
}

#[test]
fn all_formats_tell_the_same_hops_whatever_the_number_of_threads() {
    for shop in shops() {
        let one = Settings { roots: vec![shop.clone()], threads: 1, ..Settings::default() };
        let many = Settings { threads: 4, ..one.clone() };
        let (one, many) = (exported(&one), exported(&many));
        for format in Format::ALL {
            let text = text(&one, format);
            assert_eq!(text, self::text(&many, format), "{}", format.word());
            let count = |what: &str| text.matches(what).count();
            let hops = one.graph.hops.len();
            match format {
                Format::Chain | Format::Json => {}
                Format::Csv => assert_eq!(text.lines().count(), hops + 1),
                Format::Dot => assert_eq!(count(" -> "), hops),
                Format::Mermaid => assert_eq!(count("|\""), hops),
            }
            for hop in &one.graph.hops {
                assert!(text.contains(&hop.caller) && text.contains(&hop.callee), "{}: {hop:?}", format.word());
            }
        }
    }
}

#[test]
fn one_row_for_each_site() {
    let (_, rows) = run(&["export", "--sites", "csv", "fixtures/chain/shop-inverted"], "");
    assert_eq!(rows.lines().count(), 5);
    let row = rows.lines().find(|row| row.contains("stock.rs")).unwrap();
    assert!(
        row.contains(",orders,Stock.reserve,http,reqwest,") && row.contains(",stock,covered,client,5000,total,constant,"),
        "{row}"
    );
}

#[test]
fn chains_begin_where_they_are_told_to() {
    let (_, text) = run(&["export", "--from", "orders", "fixtures/chain/shop-inverted"], "");
    assert!(text.contains("chain orders/stock/db") && !text.contains("web"), "{text}");
    let cli = Cli::try_parse_from(["untimed", "export", "--from", "nobody", "fixtures/chain/shop-inverted"]).unwrap();
    let error = cli::run(&cli, &mut &b""[..], &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "--from nobody: there is no such service; expected one of orders, stock, web");
}

#[test]
fn what_is_declared_beats_what_is_found() {
    let stock = Service {
        name: "warehouse".to_owned(),
        paths: vec!["fixtures/chain/shop-inverted/stock".to_owned()],
        hosts: vec!["stock".to_owned()],
        ports: vec![3000],
        ..Service::default()
    };
    let orders = Service {
        name: "orders".to_owned(),
        paths: vec!["fixtures/chain/shop-inverted/orders".to_owned()],
        env: [("STOCK_HOST".to_owned(), "localhost".to_owned())].into(),
        ..Service::default()
    };
    let root = PathBuf::from("fixtures/chain/shop-inverted");
    let settings = Settings { roots: vec![root], services: vec![orders, stock], ..Settings::default() };
    let exported = exported(&settings);
    let names: Vec<String> = exported.graph.hops.iter().map(|hop| format!("{} {}", hop.caller, hop.callee)).collect();
    assert_eq!(names, ["orders warehouse", "warehouse db", "web orders"]);
    let notes: Vec<&str> = exported.graph.notes.iter().map(|note| note.text.as_str()).collect();
    let says = |part: &str| notes.iter().any(|note| note.contains(part));
    assert!(says("sets `STOCK_HOST` of orders otherwise than untimed.toml"), "{notes:?}");
}

/// Ways in which clients are told where to go: one call for each in `fixtures/chain/clients`.
#[test]
fn clients_are_followed_to_where_they_go() {
    let settings = Settings { roots: vec![PathBuf::from("fixtures/chain/clients")], ..Settings::default() };
    let exported = exported(&settings);
    let called = |caller: &str| -> Vec<String> {
        exported.graph.hops.iter().filter(|hop| hop.caller == caller).map(|hop| hop.callee.clone()).collect()
    };
    let js = [
        "database",
        "elastic",
        "kafka",
        "ky",
        "mailhog",
        "mysql",
        "nats",
        "needle",
        "node-http",
        "orders",
        "rabbit",
        "redis-by-host",
        "redis-by-port",
        "redis-by-url",
        "sequelize",
        "superagent",
        "undici",
        "ws",
    ];
    assert_eq!(called("js"), js);
    let rs = ["?", "kafka", "one", "orders", "postgres", "rabbit", "redis", "reqwest", "sqlx", "tonic", "ureq"];
    assert_eq!(called("rs"), rs);
    let open = exported.graph.hops.iter().find(|hop| hop.callee == "?").map(|hop| hop.calls[0].how.as_str());
    assert_eq!(open, Some("nothing sets `OTHER_URL` for rs"));
}

#[test]
fn the_audit_tells_programs_whose_a_call_is() {
    let (_, text) = run(&["audit", "--format", "json", "fixtures/chain/shop-inverted"], "");
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let ends: Vec<(&str, Option<&str>, Option<&str>)> = document["sites"]
        .as_array()
        .unwrap()
        .iter()
        .map(|site| (site["client"].as_str().unwrap(), site["caller_service"].as_str(), site["target"]["service"].as_str()))
        .collect();
    let is = |client, caller, callee| (client, Some(caller), Some(callee));
    assert_eq!(
        ends,
        [is("reqwest", "orders", "stock"), is("pg", "stock", "db"), is("axios", "web", "orders"), is("axios", "web", "orders")]
    );
}
