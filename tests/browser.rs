//! The HTML report in headless Chromium: it opens from disk, asks nobody for anything, sorts, filters, opens, prints, in light and dark, wide
//! and on a phone. The screenshots are in `target/tmp`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

#[path = "hang/prepare.rs"]
#[allow(dead_code)]
mod prepare;
#[path = "hang/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use untimed::budget::{self, Defaults};
use untimed::finding::{Evidence, Finding, Identity, Outcome, Region, Rule, Severity, Site, SiteKind, Target, Verdict};
use untimed::report::budget::{Answer, Wanted};
use untimed::report::{self, Detail, Format, Sources};
use untimed::scan;
use untimed::settings::Settings;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn outcome(paths: &[&str]) -> Outcome {
    let roots = paths.iter().map(|path| root().join(path)).collect();
    let settings = Settings { base: root().to_path_buf(), roots, ..Settings::default() };
    scan::audit(&settings, &scan::catalog(&settings).unwrap()).unwrap()
}

fn chains() -> Vec<Answer> {
    let text = std::fs::read_to_string(root().join("fixtures/chain/frontend.txt")).unwrap();
    let defaults = Defaults { deadline: Some(budget::limit_option("2s").unwrap()), ..Defaults::default() };
    let chains = budget::parse(&text).unwrap().into_iter();
    chains.map(|chain| Answer::to(chain, &defaults, &Wanted::default()).unwrap()).collect()
}

/// Writes a page and gives its place.
fn write(name: &str, outcome: &Outcome, chains: &[Answer]) -> PathBuf {
    let sources = Sources::new(vec![root().to_path_buf()]);
    let page = report::with_chains(outcome, chains, Format::Html, &sources, Detail::default());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, page).unwrap();
    file
}

/// Runs a program of `tests/browser` on a page; gives what it prints.
fn browse(program: &str, page: &Path, argument: &str) -> String {
    let folder = root().join("tests/browser");
    prepare::install_packages(&folder);
    let browser = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("chromium"))
        .find(|file| file.is_file());
    let mut node = Command::new("node");
    node.arg(program).arg(page).arg(argument).current_dir(folder).env("BROWSER_PATH", browser.unwrap()).stdin(Stdio::null());
    let output = node.output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_person_uses_the_page() {
    if !tools::present("the HTML report in a browser", &["node", "npm", "chromium"]) {
        return;
    }
    let outcome = outcome(&["fixtures/javascript/lesson", "fixtures/javascript/axios", "fixtures/rust/reqwest"]);
    let page = write("page.html", &outcome, &chains());
    browse("page.mjs", &page, env!("CARGO_TARGET_TMPDIR"));
}

#[test]
fn five_thousand_findings_stay_usable() {
    if !tools::present("a long HTML report in a browser", &["node", "npm", "chromium"]) {
        return;
    }
    let many =
        Outcome { sites: (0..5_000).map(site).collect(), findings: (0..5_000).map(finding).collect(), ..Outcome::default() };
    let page = write("many.html", &many, &[]);
    println!("{}", browse("many.mjs", &page, "5000"));
}

fn place(at: usize) -> Region {
    Region { file: format!("services/orders/src/file-{at}.ts").into(), line: 7, column: 3, end_line: 7, end_column: 40 }
}

fn evidence(at: usize) -> Vec<Evidence> {
    ["the client is made here", "no option limits it", "axios has no limit of its own"]
        .map(|text| Evidence { at: place(at), text: text.to_owned() })
        .to_vec()
}

fn site(at: usize) -> Site {
    Site {
        id: format!("{at:016x}"),
        at: place(at),
        name_line: 7,
        language: "typescript",
        kind: SiteKind::Http,
        client: "axios".to_owned(),
        call: "get".to_owned(),
        function: Some("load".to_owned()),
        target: Target { text: format!("https://orders.example/{at}"), ..Target::default() },
        verdict: Verdict::Uncovered,
        by: None,
        limit: None,
        default_limit: None,
        retries: 0,
        backoff: None,
        wrapper: None,
        evidence: evidence(at),
        identity: Identity::default(),
        suppressed: None,
        caller_service: None,
    }
}

fn finding(at: usize) -> Finding {
    Finding {
        rule: Rule::UncoveredCall,
        severity: Severity::Error,
        site: format!("{at:016x}"),
        at: place(at),
        message: "nothing ends `get` of axios when the callee hangs".to_owned(),
        fix: "pass `timeout` (milliseconds) in the request options".to_owned(),
        evidence: evidence(at),
        fingerprint: format!("{at:016x}"),
        identity: Identity::default(),
        suppressed: None,
        standing: None,
    }
}
