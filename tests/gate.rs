//! The gate over a history that git knows: what is new at each step, what is known, what is gone, and what cannot be compared.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may fail loudly")]

mod cases;
#[path = "cases/changes.rs"]
mod changes;
#[path = "gate/deadline.rs"]
mod deadline;
#[path = "gate/repository.rs"]
mod repository;

use repository::{Repository, git, run};

const HTTP: &str = "\
import axios from 'axios';

const patience = 3000;

export const api = axios.create({ baseURL: 'http://inner', timeout: patience });

export function send(path: string) {
  return fetch(`http://inner${path}`, { signal: AbortSignal.timeout(800) });
}
";

const ORDERS: &str = "\
import { api, send } from './http';

export async function orders() {
  return api.get('/orders');
}

export async function order(id: string) {
  return send(`/orders/${id}`);
}
";

const LEGACY: &str = "\
import axios from 'axios';

export async function legacy(name: string) {
  const answer = await axios.get(`http://old/${name}`);
  return answer.data;
}

export function unlike() {
  return [1, 2, 3].map((n) => n + 1);
}
";

/// Takes the wrapper away: the call that went through it goes straight out.
fn go_around_the_wrapper(shop: &Repository) {
    let http = shop.read("src/http.ts");
    shop.write("src/http.ts", http.split("\nexport function send").next().unwrap());
    shop.edit("src/orders.ts", "api, send", "api").edit(
        "src/orders.ts",
        "send(`/orders/${id}`)",
        "fetch(`http://inner/orders/${id}`)",
    );
}

/// Two limited calls, and one that is not.
fn shop() -> Repository {
    let shop = Repository::new();
    shop.write("src/http.ts", HTTP).write("src/orders.ts", ORDERS).write("src/legacy.ts", LEGACY).commit("begin");
    shop
}

/// What both `--since HEAD` and the baseline say to a change.
fn both(shop: &Repository, code: i32, says: &[&str]) {
    shop.gate(&["--since", "HEAD"]).assert(code, says);
    let says: Vec<&str> =
        says.iter().filter(|part| !part.contains("until now") && !part.contains("not there at")).copied().collect();
    shop.gate(&[]).assert(code, &says);
}

#[test]
fn a_history() {
    let shop = shop();
    shop.gate(&[]).assert(1, &["gate does not hold: 1 new uncovered-call", "nothing is known yet"]);
    shop.gate(&["--write-baseline"]).assert(0, &["gate holds", ".untimed-baseline.json written: 1 known, 1 added, 0 taken out"]);
    shop.commit("known");
    both(&shop, 0, &["gate holds: nothing is new", "0 new, 1 known, 0 suppressed, 0 stale"]);

    shop.edit("src/http.ts", "patience", "deadline").edit("src/http.ts", "import axios", "// Clients.\n\nimport axios");
    both(&shop, 0, &["gate holds: nothing is new"]);
    shop.commit("the limit goes by another name");

    shop.edit("src/http.ts", ", timeout: deadline", "").edit("src/orders.ts", "'/orders')", "'/orders', { timeout: 2000 })");
    both(&shop, 0, &["gate holds: nothing is new"]);
    shop.commit("the limit moves to the call");

    shop.edit("src/orders.ts", ", { timeout: 2000 }", "");
    both(
        &shop,
        1,
        &[
            "gate does not hold: 1 new uncovered-call (3 outbound calls, coverage 33.3 %",
            "error[uncovered-call]: nothing ends `get` of axios when the callee hangs; it was covered by own at src/orders.ts:4 (2s) until now",
            "src/orders.ts:4:10",
            "1 new, 1 known",
        ],
    );
    shop.git(&["checkout", "--quiet", "."]);

    shop.edit("src/http.ts", "{ signal: AbortSignal.timeout(800) }", "{}");
    shop.gate(&["--since", "HEAD"])
        .assert(1, &["src/orders.ts:8", "it was covered by wrapper at src/http.ts:10 (800ms) until now"]);
    shop.git(&["checkout", "--quiet", "."]);

    go_around_the_wrapper(&shop);
    both(&shop, 1, &["1 new uncovered-call", "src/orders.ts:8", "it was not there at HEAD"]);
    shop.git(&["checkout", "--quiet", "."]);

    std::fs::create_dir(shop.path().join("src/old")).unwrap();
    shop.git(&["mv", "src/legacy.ts", "src/old/archive.ts"]);
    shop.edit("src/old/archive.ts", "n + 1", "n + 2");
    both(&shop, 0, &["gate holds: nothing is new", "renamed: src/legacy.ts is src/old/archive.ts now", "0 new, 1 known"]);
    shop.gate(&["--ratchet"]).assert(0, &[".untimed-baseline.json written: 1 known, 1 added, 1 taken out"]);
    shop.commit("a file goes by another name");
    both(&shop, 0, &["0 new, 1 known, 0 suppressed, 0 stale"]);

    shop.edit("src/old/archive.ts", "  return answer.data;", "  await axios.get('http://old/again');\n  return answer.data;");
    both(&shop, 1, &["gate does not hold: 1 new uncovered-call", "src/old/archive.ts:5", "1 new, 1 known"]);
    shop.git(&["checkout", "--quiet", "."]);

    shop.edit("src/old/archive.ts", "${name}`)", "${name}`, { timeout: 5000 })");
    shop.gate(&[]).assert(
        0,
        &["0 known, 0 suppressed, 1 stale", "stale: src/old/archive.ts axios.get in legacy: uncovered-call", "--ratchet"],
    );
    assert_eq!(shop.git(&["status", "--short"]), " M src/old/archive.ts\n", "the baseline is left alone");
    shop.gate(&["--ratchet"]).assert(0, &["written: 0 known, 0 added, 1 taken out", "0 stale"]);
}

#[test]
fn what_a_call_was_is_said_once() {
    let shop = shop();
    shop.gate(&["--write-baseline", "--quiet"]).assert(0, &[]);
    shop.commit("a baseline");
    go_around_the_wrapper(&shop);
    let said = shop.gate(&["--since", "HEAD", "--ratchet", "--format", "short"]);
    assert_eq!(said.out.matches("it was not there at HEAD").count(), 1, "{}{}", said.out, said.err);
}

#[test]
fn a_ratchet_never_adds() {
    let shop = shop();
    shop.gate(&["--ratchet"]).refuses("--ratchet: there is no .untimed-baseline.json: expected a baseline to take from");
    shop.gate(&["--write-baseline", "--quiet"]).assert(0, &[]);
    let known = shop.read(".untimed-baseline.json");
    shop.edit("src/orders.ts", "send(", "fetch(");
    shop.gate(&["--ratchet", "--write-baseline"])
        .assert(1, &["1 new uncovered-call", "left as it is: 1 known, 0 added, 0 taken out"]);
    assert_eq!(shop.read(".untimed-baseline.json"), known);
}

#[test]
fn two_branches_that_write_the_baseline_are_merged() {
    let shop = shop();
    shop.write(".gitattributes", ".untimed-baseline.json merge=union\n").gate(&["--write-baseline"]).assert(0, &[]);
    shop.commit("known");
    for (branch, file) in [("left", "src/a.ts"), ("right", "src/z.ts")] {
        shop.git(&["checkout", "--quiet", "-b", branch, "main"]);
        shop.write(file, "import axios from 'axios';\nexport const load = () => axios.get('http://a');\n")
            .gate(&["--write-baseline"])
            .assert(0, &["2 known, 1 added"]);
        shop.commit(branch);
    }
    shop.git(&["merge", "--quiet", "--message", "both", "left"]);
    shop.gate(&[]).assert(0, &["nothing is new", "0 new, 3 known, 0 suppressed, 0 stale"]);
    shop.gate(&["--write-baseline"]).assert(0, &["left as it is: 3 known, 0 added, 0 taken out"]);
    shop.edit(".untimed-baseline.json", "\n,", "\n<<<<<<< HEAD\n,");
    shop.gate(&[]).refuses(".untimed-baseline.json:2: a merge that is not settled");
}

#[test]
fn what_is_staged_and_not_what_lies_in_the_folder() {
    let shop = shop();
    shop.gate(&["--staged"]).assert(0, &["compared with HEAD"]);
    shop.edit("src/orders.ts", "send(", "fetch(");
    shop.gate(&["--staged"]).assert(0, &["nothing is new"]);
    shop.git(&["add", "src/orders.ts"]);
    shop.git(&["show", "HEAD:src/orders.ts"]).lines().next().unwrap();
    shop.write("src/orders.ts", ORDERS);
    let before = (shop.git(&["status", "--porcelain=v2"]), std::fs::read(shop.path().join(".git/index")).unwrap());
    shop.gate(&[]).assert(1, &["1 new uncovered-call"]);
    shop.gate(&["--staged"]).assert(1, &["1 new uncovered-call", "return fetch(`/orders/${id}`);", "src/orders.ts:8"]);
    assert_eq!((shop.git(&["status", "--porcelain=v2"]), std::fs::read(shop.path().join(".git/index")).unwrap()), before);
    shop.gate(&["--since", "HEAD"]).assert(0, &["nothing is new"]);
}

#[test]
fn the_same_in_every_folder() {
    let shop = shop();
    shop.gate(&["--write-baseline"]).assert(0, &[]);
    shop.commit("known");
    shop.gate_in("src", &[]).assert(0, &["0 new, 1 known"]);
    shop.gate_in("src", &["../src/legacy.ts"]).assert(0, &["0 new, 1 known, 0 suppressed, 0 stale"]);
    shop.gate(&["src/orders.ts"]).assert(0, &["0 new, 0 known, 0 suppressed, 0 stale"]);
    let outside = Repository::folder();
    run(&outside.path(), &["gate", shop.path().to_str().unwrap()]).assert(0, &["0 new, 1 known"]);
    shop.edit("src/http.ts", "{ signal: AbortSignal.timeout(800) }", "{}");
    shop.gate_in("src", &["--since", "HEAD"])
        .assert(1, &["orders.ts:8:10", "it was covered by wrapper at http.ts:8 (800ms) until now"]);
    shop.gate_in("src", &["--since", "HEAD", "legacy.ts"]).assert(0, &["nothing is new"]);
}

#[test]
fn a_part_of_the_findings_makes_no_others_stale() {
    let shop = shop();
    shop.gate(&["--write-baseline"]).assert(0, &[]);
    shop.gate(&["--kind", "queue"]).assert(0, &["0 known, 0 suppressed, 0 stale"]);
    shop.gate(&["--exclude", "src/legacy.ts"]).assert(0, &["0 known, 0 suppressed, 0 stale"]);
    shop.gate(&["--write-baseline", "src/orders.ts"]).assert(0, &["left as it is: 1 known"]);
}

#[test]
fn suppressions_are_neither_known_nor_new() {
    let shop = shop();
    shop.edit(
        "src/legacy.ts",
        "  const answer",
        "  // untimed: allow(uncovered-call) the old server is gone soon\n  const answer",
    );
    shop.gate(&[]).assert(0, &["0 new, 0 known, 1 suppressed, 0 stale"]);
    shop.gate(&["--max-uncovered", "0"]).assert(0, &["2 calls, coverage 100.0 %, 0 uncovered of 0 allowed"]);
    shop.commit("suppressed");
    shop.edit("src/legacy.ts", "allow(uncovered-call) the old server is gone soon", "allow(uncovered-call)");
    shop.gate(&["--since", "HEAD"])
        .assert(1, &["1 new uncovered-call; 1 new bad-suppression", "a comment suppressed this until now"]);
}

#[test]
fn thresholds() {
    let shop = shop();
    shop.gate(&["--min-coverage", "66"])
        .assert(0, &["gate holds: what is asked for is reached", "coverage 66.6 % of 66 % needed", "1 not compared"]);
    shop.gate(&["--min-coverage", "66.7"]).assert(1, &["gate does not hold: coverage 66.6 %, 66.7 % needed (--min-coverage)"]);
    shop.gate(&["--max-uncovered", "0"]).assert(1, &["1 uncovered, 0 allowed (--max-uncovered)"]);
    shop.gate(&["--max-uncovered", "1", "--fail-on", "uncovered-call"]).assert(1, &["gate does not hold: 1 new uncovered-call"]);
    shop.gate(&["--fail-on", "partial-limit"]).assert(0, &["nothing that is new fails it", "0 new, 1 new that do not fail"]);
    shop.write("src/part.ts", "import net from 'node:net';\nexport async function f() {\n  const c = new AbortController();\n  const t = setTimeout(() => c.abort(), 100);\n  const r = await fetch('http://a', { signal: c.signal });\n  clearTimeout(t);\n  return r.json();\n}\n");
    shop.gate(&["--max-uncovered", "1"]).assert(0, &[]);
    shop.gate(&["--max-uncovered", "1", "--strict"]).assert(1, &["2 uncovered, 1 allowed"]);
    shop.gate(&["--strict"]).assert(1, &["1 new uncovered-call; 1 new partial-limit"]);
    for wrong in ["101", "-1", "much"] {
        shop.gate(&["--min-coverage", wrong]).assert(2, &[]);
    }
}

#[test]
fn floors_of_the_configuration() {
    let shop = shop();
    let floors = "[services.shop]\npaths = [\"src\"]\n[gate]\nmin_coverage = 50\n[[gate.floor]]\nkinds = [\"http\"]\nmin_coverage = 99\n\
                  [[gate.floor]]\npaths = [\"src/orders.ts\"]\nmin_coverage = 100\n[[gate.floor]]\nservices = [\"shop\"]\nmax_uncovered = 0\n";
    shop.write("untimed.toml", floors);
    shop.gate(&[]).assert(
        1,
        &[
            "gate does not hold: coverage of kind http 66.6 %, 99 % needed (untimed.toml:7); 1 uncovered of service shop, 0 allowed (untimed.toml:13)",
            "paths src/orders.ts: 2 calls, coverage 100.0 % of 100 % needed",
            "all calls: 3 calls, coverage 66.6 % of 50 % needed",
        ],
    );
    shop.gate(&["--min-coverage", "70"]).assert(1, &["coverage 66.6 %, 70 % needed (--min-coverage)"]);
    shop.gate(&["--no-config"]).assert(1, &["1 new uncovered-call"]);
    shop.write("untimed.toml", "[gate]\nbaseline = \"known.json\"\n");
    shop.gate(&[]).refuses("known.json: no such baseline");
    shop.gate(&["--write-baseline"]).assert(0, &["known.json written"]);
    shop.gate(&[]).assert(0, &["compared with known.json"]);
}

#[test]
fn a_limit_that_is_no_longer_declared_is_missed() {
    let shop = shop();
    shop.write("untimed.toml", "[[limit]]\npaths = [\"src/legacy.ts\"]\nwait = \"3s\"\nreason = \"a sidecar\"\n")
        .commit("declared");
    shop.gate(&["--since", "HEAD"]).assert(0, &["coverage 100.0 %"]);
    shop.write("untimed.toml", "");
    shop.gate(&["--since", "HEAD"]).assert(1, &["it was covered by declared at untimed.toml:1 (3s) until now"]);
    std::fs::remove_file(shop.path().join("untimed.toml")).unwrap();
    shop.gate(&["--since", "HEAD"]).assert(1, &["it was covered by declared"]);
    shop.gate(&["--since", "HEAD", "--no-config"]).assert(0, &[]);
}

#[test]
fn revisions_that_are_not_there() {
    let shop = shop();
    shop.gate(&["--since", "no-such"])
        .refuses("--since no-such: no such revision: expected a branch, a tag or a commit, for example");
    shop.gate(&["--since", "mian"]).refuses("the nearest is `main`");
    shop.commit_again();
    shop.gate(&["--since", "HEAD~1"]).assert(0, &["compared with HEAD~1"]);
    let clone = Repository::folder();
    clone.git(&["clone", "--quiet", "--depth", "1", &format!("file://{}", shop.path().display()), "."]);
    clone.gate(&["--since", "HEAD"]).assert(0, &[]);
    clone
        .gate(&["--since", "HEAD~1"])
        .refuses("no such revision in this shallow clone: expected one that was fetched (`git fetch --unshallow`");
}

impl Repository {
    fn commit_again(&self) {
        self.write("note.md", "again").commit("again");
    }
}

#[test]
fn no_repository_and_an_empty_one() {
    let folder = Repository::folder();
    folder.write("a.ts", "fetch('http://a');\n");
    folder.gate(&["--since", "HEAD"]).refuses("lies in no git repository: expected one for --since and --staged");
    folder.gate(&["--staged"]).refuses("lies in no git repository");
    folder.gate(&["--write-baseline"]).assert(0, &["1 known"]);
    let empty = Repository::new();
    empty.gate(&[]).assert(0, &["gate holds: nothing is new (0 outbound calls"]);
    empty.gate(&["--since", "HEAD"]).refuses("--since HEAD: nothing is committed in this repository yet");
    empty.write("a.ts", "fetch('http://a');\n").git(&["add", "a.ts"]);
    empty.gate(&["--staged"]).assert(1, &["1 new uncovered-call"]);
    let shop = shop();
    let both = [shop.path(), empty.path()].map(|path| path.display().to_string());
    shop.gate(&["--since", "HEAD", &both[0], &both[1]]).refuses("expected paths of one repository");
}

#[test]
fn a_merge_that_is_not_settled() {
    let shop = shop();
    for (branch, wait) in [("left", "100"), ("right", "200")] {
        shop.git(&["checkout", "--quiet", "-b", branch, "main"]);
        shop.edit("src/http.ts", "3000", wait).commit(branch);
    }
    let merged = std::process::Command::new("git").args(["merge", "left"]).current_dir(shop.path()).output().unwrap();
    assert!(!merged.status.success());
    shop.gate(&["--staged"]).refuses("src/http.ts: is not merged: expected a settled index for --staged");
}

#[test]
fn submodules_are_read_at_their_commit() {
    let lib = Repository::new();
    lib.write("http.ts", HTTP).commit("begin");
    let shop = Repository::new();
    shop.git(&["submodule", "--quiet", "add", &format!("file://{}", lib.path().display()), "lib"]);
    shop.write("src/orders.ts", &ORDERS.replace("./http", "../lib/http")).commit("begin");
    shop.gate(&["--since", "HEAD"]).assert(0, &["2 outbound calls, coverage 100.0 %"]);
    shop.edit("lib/http.ts", ", timeout: patience", "");
    shop.gate(&["--since", "HEAD"]).assert(1, &["it was covered by client at lib/http.ts:5 (3s) until now"]);
    let inner = shop.path().join("lib");
    git(&inner, &["commit", "--quiet", "--all", "--message", "no limit"]);
    shop.commit("a newer lib").commit_again();
    shop.gate(&["--since", "HEAD~1"]).assert(0, &["nothing is new"]);
    shop.gate(&["--since", "HEAD~2"]).assert(1, &["it was covered by client at lib/http.ts:5"]);
    shop.git(&["submodule", "--quiet", "deinit", "--force", "lib"]);
    std::fs::remove_dir_all(shop.path().join(".git/modules/lib")).unwrap();
    shop.gate(&["--since", "HEAD"]).assert(0, &[]);
    shop.git(&["clone", "--quiet", "--depth", "1", &format!("file://{}", lib.path().display()), "lib"]);
    shop.gate(&["--since", "HEAD"]).refuses("lib: the submodule's commit");
}

#[test]
fn baselines_that_cannot_be_used() {
    let shop = shop();
    let refuses = |text: &str, message: &str| {
        shop.write(".untimed-baseline.json", text);
        shop.gate(&[]).refuses(message);
    };
    refuses("[{ \"half", ".untimed-baseline.json:1: no baseline: EOF while parsing");
    refuses(
        "[{\"untimed_baseline\":0}\n]\n",
        ".untimed-baseline.json: a baseline of format 0: expected 1; delete it and write it anew",
    );
    refuses("[{\"untimed_baseline\":1}\n,{\"path\":\"a\"}\n]\n", ".untimed-baseline.json:2: finding 1: missing field `callee`");
    shop.gate(&["--baseline", "no/such.json"]).refuses("no/such.json: no such baseline");
    shop.gate(&["--baseline", "no/such.json", "--write-baseline"]).refuses("no/such.json: cannot be written");
    shop.gate(&["--baseline", "src"]).refuses("src: cannot be read");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = shop();
    let mode = |mode| std::fs::set_permissions(shop.path(), std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    // The superuser may write everywhere.
    let may_write = std::fs::write(shop.path().join("probe"), "").is_ok();
    shop.gate(&[]).assert(1, &["1 new uncovered-call"]);
    shop.gate(&["--since", "HEAD"]).assert(0, &["nothing is new"]);
    let said = shop.gate(&["--write-baseline"]);
    mode(0o755);
    if !may_write {
        said.refuses(".untimed-baseline.json: cannot be written: Permission denied");
    }
}

#[test]
fn json_says_what_text_says() {
    let shop = shop();
    shop.edit("src/orders.ts", "send(", "fetch(");
    let said = shop.gate(&["--since", "HEAD", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let schema: serde_json::Value = serde_json::from_str(include_str!("../schemas/audit.schema.json")).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        (&report["gate"]["holds"], &report["gate"]["new"], &report["gate"]["known"]),
        (&false.into(), &1.into(), &1.into())
    );
    assert_eq!(report["gate"]["failures"][0], "1 new uncovered-call");
    let standings: Vec<&str> =
        report["findings"].as_array().unwrap().iter().map(|one| one["standing"].as_str().unwrap()).collect();
    assert_eq!(standings, ["known", "new"]);
    let short = shop.gate(&["--since", "HEAD", "--format", "short"]);
    assert_eq!(short.out.lines().count(), 1, "{}", short.out);
}

#[test]
fn a_revision_costs_at_most_one_more_audit() {
    let shop = Repository::new();
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/javascript");
    changes::copy(&fixtures, &shop.path().join("src"), str::to_owned);
    shop.commit("begin");
    let time = |args: &[&str]| {
        let begun = std::time::Instant::now();
        assert_eq!(run(&shop.path(), args).code, 0);
        begun.elapsed()
    };
    // The fastest of a few: whatever else the machine does comes on top.
    let fastest = |args: &[&str]| (0..5).map(|_| time(args)).min().unwrap();
    let (audit, since) = (fastest(&["audit", "-q"]), fastest(&["gate", "-q", "--since", "HEAD"]));
    assert!(since.as_secs_f64() <= 2.2 * audit.as_secs_f64(), "audit {audit:?}, gate --since {since:?}");
}
