//! What is read, and what is refused with which words.

use std::path::Path;

use super::read_text;
use crate::finding::{Rule, Severity};
use crate::limit::{LimitKind, Millis};
use crate::settings::Settings;

/// A folder with `src/http.ts`, `services/orders`, `legacy`.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for folder in ["src", "services/orders", "legacy"] {
        std::fs::create_dir_all(home.path().join(folder)).unwrap();
    }
    std::fs::write(home.path().join("src/http.ts"), "").unwrap();
    home
}

fn read(text: &str) -> Result<Settings, String> {
    let home = home();
    let mut settings = Settings::default();
    read_text(text, "untimed.toml", home.path(), &mut settings).map(|()| settings).map_err(|error| error.to_string())
}

#[test]
fn every_key_is_read() {
    let settings = read(include_str!("../../tests/config/all.toml")).unwrap();
    assert_eq!(settings.longest_default, Millis::from_millis(30_000));
    assert_eq!(settings.accepted, [LimitKind::Total, LimitKind::Idle]);
    assert_eq!(settings.severities[&Rule::PartialLimit], Severity::Error);
    assert_eq!((settings.overrides.len(), settings.wrappers.len(), settings.limits.len()), (1, 2, 1));
    assert_eq!(settings.limits[0].wait, Millis::from_millis(3_000));
    assert_eq!(settings.limits[0].at.line, 41);
    assert_eq!(settings.services[0].name, "billing.eu");
    assert_eq!(settings.services[1].paths, ["services/orders"]);
    assert_eq!(settings.services[1].ports, [8080, 8081]);
    assert_eq!(settings.gate.floors.len(), 3);
    assert_eq!(settings.gate.floors[0].min_coverage, Some(95.0));
    assert_eq!(settings.written["policy.accept"], "untimed.toml:9");
    assert!(settings.tests && !settings.examples);
}

#[test]
fn what_is_refused_is_named_with_its_place() {
    for (text, message) in [
        (
            "exlude = []",
            "untimed.toml:1:1: `exlude` is no key of the file: expected `exclude`, the nearest of include, exclude, kinds",
        ),
        (
            "\n[policy]\n  longest = 3",
            "untimed.toml:3:3: `longest` is no key of `policy`: expected one of longest_default, accept",
        ),
        ("include = \"src\"", "untimed.toml:1:11: `include` is a text: expected a list of texts, for example [\"a\", \"b\"]"),
        ("include = [\"src\", 3]", "untimed.toml:1:19: `include[1]` is an integer: expected a text, in quotes"),
        ("kinds = [\"htp\"]", "untimed.toml:1:10: `kinds[0]` is `htp`: expected `http`, the nearest of http, rpc"),
        ("[rules]\nuncoverd-call = \"off\"", "untimed.toml:2:1: `uncoverd-call` is no key of `rules`: expected `uncovered-call`"),
        ("[rules]\nlimit-off = \"warn\"", "untimed.toml:2:13: `rules.limit-off` is `warn`: expected one of error, warning, off"),
        (
            "exclude = [\"lgacy/**\"]",
            "untimed.toml:1:12: `lgacy/**` leads nowhere: there is no `lgacy` beside this file; the nearest is `legacy`",
        ),
        (
            "include = [\"src/htp.ts\"]",
            "untimed.toml:1:12: `src/htp.ts` leads nowhere: there is no `src/htp.ts` beside this file; the nearest is `src/http.ts`",
        ),
        (
            "include = [\"scr\"]",
            "untimed.toml:1:12: `scr` leads nowhere: there is no `scr` beside this file; the nearest is `src`",
        ),
        ("exclude = [\"a[\"]", "untimed.toml:1:12: `a[` is no pattern of paths: "),
        ("[policy]\nlongest_default = \"soon\"", "untimed.toml:2:19: `policy.longest_default`: `soon` is no length of time"),
        (
            "[policy]\nlongest_default = true",
            "untimed.toml:2:19: `policy.longest_default` is true or false: expected a length of time",
        ),
        (
            "[policy]\naccept = [\"connect\"]",
            "untimed.toml:2:11: `policy.accept[0]` is `connect`: expected one of total, idle, wait",
        ),
        ("[policy]\naccept = []", "untimed.toml:2:10: `policy.accept` is empty"),
        ("[[limit]]\nwait = \"3s\"", "untimed.toml:1:1: `limit[0]` has no `reason`: expected who ends the calls"),
        ("[[override]]\npaths = [\"legacy\"]", "untimed.toml:1:1: `override[0]` has no `rules`"),
        ("limit = 3", "untimed.toml:1:9: `limit` is an integer: expected tables, each under its own `[[limit]]`"),
        (
            "[services.a]\nports = [70000]",
            "untimed.toml:2:10: `services.a.ports[0]` is 70000: expected a whole number from 0 to 65535",
        ),
        ("[gate]\nmin_coverage = 120", "untimed.toml:2:16: `gate.min_coverage` is 120: expected a percentage from 0 to 100"),
        ("[[gate.floor]]\nkinds = [\"http\"]", "untimed.toml:1:1: a floor without a threshold"),
        ("[[gate.floor]]\nservices = [\"x\"]\nmin_coverage = 1", "untimed.toml:2:13: `x` is no service of this file"),
        ("a = [", "untimed.toml:1:"),
        ("[[client]]\nclient = \"x\"", "untimed.toml:1:1: `client[0]` has no `language`"),
        ("client = [{ language = \"rust\" }]", "untimed.toml:1:11: a client is written on one line"),
    ] {
        let refused = read(text).map_or_else(|refused| refused, |_| format!("{text}: accepted"));
        assert!(refused.starts_with(message), "{text}\n  said:     {refused}\n  expected: {message}");
    }
}

#[test]
fn a_client_is_handed_on_as_the_text_of_a_library_file() {
    let text = "include = []\n[[client]] # mine\nlanguage = \"javascript\" # here\nclient = \"a\"\n[[client.send]]\ncall = [\n  \"x([[client]])\",\n]\n\
                [rules]\n[client.globals]\nq = \"module\"\n[[client]]\nlanguage = 'rust'\nclient = \"b\"\n";
    let clients = read(text).unwrap().clients;
    let lines = |at: usize| clients[at].text.lines().map(str::trim_end).collect::<Vec<_>>();
    assert_eq!(
        lines(0),
        [
            "",
            "           # mine",
            "                        # here",
            "client = \"a\"",
            "[[       send]]",
            "call = [",
            "  \"x([[client]])\",",
            "]",
            "",
            "[       globals]",
            "q = \"module\"",
            "",
            "",
            ""
        ]
    );
    assert_eq!(lines(1)[11..], ["", "", "client = \"b\""]);
    assert_eq!((clients[0].family, clients[1].family), ("javascript", "rust"));
}

#[test]
fn one_file_for_all_named_paths() {
    let home = home();
    let file = |path: &str| std::fs::write(home.path().join(path), "").unwrap();
    let root = |path: &str| home.path().join(path);
    std::fs::create_dir(root(".git")).unwrap();
    assert_eq!(super::find(&[root("src")]), Ok(None));
    file("untimed.toml");
    assert_eq!(super::find(&[root("src"), root("services/orders")]), Ok(Some(root("untimed.toml"))));
    file("legacy/untimed.toml");
    let refused = super::find(&[root("src"), root("legacy")]).unwrap_err().to_string();
    assert!(refused.contains("expected one for all paths"), "{refused}");
}

#[test]
fn the_shown_settings_are_read_as_the_same_settings() {
    let home = home();
    let mut settings = Settings::default();
    read_text(include_str!("../../tests/config/all.toml"), "untimed.toml", home.path(), &mut settings).unwrap();
    let shown = super::show(&settings);
    let mut again = Settings::default();
    let mut missing = shown
        .replace("services = [\"orders\"]\n", "")
        .replace("# configuration file: untimed.toml", "# configuration file: again");
    missing = missing
        .lines()
        .filter(|line| !line.starts_with("queries") && !line.starts_with("baseline"))
        .collect::<Vec<_>>()
        .join("\n");
    read_text(&missing, "again", Path::new(home.path()), &mut again).unwrap_or_else(|error| panic!("{error}\n{shown}"));
    assert_eq!(
        (again.accepted, again.severities.get(&Rule::PartialLimit)),
        (settings.accepted, settings.severities.get(&Rule::PartialLimit))
    );
    assert_eq!(again.gate.floors.len(), settings.gate.floors.len());
}
