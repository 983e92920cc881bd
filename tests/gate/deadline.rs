//! The gate over chains: what a deadline finds, and when it is new.

use super::repository::Repository;

const SERVER: &str = "web/src/server.ts";
const INDEX: &str = "stock/index.js";

/// A page that waits for a stock, and a stock that waits for a mint; all limited, and too long for three seconds.
fn shop() -> Repository {
    let shop = Repository::new();
    let compose = "services:\n  web:\n    build: ./web\n  stock:\n    build: ./stock\n";
    let package = |name: &str| {
        format!("{{\"name\": \"{name}\", \"scripts\": {{\"start\": \"node .\"}}, \"dependencies\": {{\"axios\": \"^1.7.0\"}}}}\n")
    };
    shop.write("compose.yaml", compose).write("web/package.json", &package("web")).write("stock/package.json", &package("stock"));
    shop.write(
        SERVER,
        "import axios from 'axios';\n\nexport const order = (id) => axios.get(`http://stock/${id}`, { timeout: 2000 });\n",
    );
    shop.write(
        INDEX,
        "const axios = require('axios');\n\nexports.price = (id) => axios.get(`http://mint/${id}`, { timeout: 1500 });\n",
    );
    shop.commit("begin");
    shop
}

#[test]
fn a_chain_that_fits_no_longer_fails_where_it_is_new() {
    let shop = shop();
    shop.gate(&["--deadline", "3s"]).assert(0, &["gate holds: nothing is new"]);
    shop.gate(&["--deadline", "1s"]).assert(1, &["gate does not hold: 1 new over-budget", "web -> stock needs 1.50 s"]);

    shop.edit(INDEX, "timeout: 1500", "timeout: 2500");
    shop.gate(&["--since", "HEAD"]).assert(0, &["gate holds: nothing is new"]);
    shop.gate(&["--since", "HEAD", "--deadline", "3s"]).assert(
        1,
        &[
            "gate does not hold: 1 new over-budget",
            "stock -> mint needs 2.50 s for its try and has 2.00 s: 0 of 1 fit (chain web/stock/mint)",
            "stock/index.js:3:25",
            "web -> stock waits 2.00 s",
            "set `timeout` at stock/index.js:3 to 2000 ms or less",
        ],
    );
    shop.commit("the stock waits longer");

    shop.edit(SERVER, "import axios", "// The page.\nimport axios");
    shop.gate(&["--since", "HEAD", "--deadline", "3s"]).assert(0, &["gate holds: nothing is new", "0 new, 1 known"]);
    shop.git(&["checkout", "--quiet", "."]);

    shop.edit(SERVER, "timeout: 2000", "timeout: 4000");
    shop.gate(&["--since", "HEAD", "--deadline", "3s"]).assert(0, &["gate holds: nothing is new"]);
    shop.edit(INDEX, "timeout: 2500", "timeout: 3500");
    shop.gate(&["--since", "HEAD", "--deadline", "3s"]).assert(1, &["1 new over-budget", "web -> stock needs 3.50 s"]);
}

#[test]
fn a_baseline_keeps_what_only_a_deadline_finds() {
    let shop = shop();
    shop.edit(INDEX, "timeout: 1500", "timeout: 2500");
    shop.gate(&["--deadline", "3s", "--write-baseline"]).assert(0, &["written: 1 known, 1 added"]);
    shop.gate(&["--deadline", "3s"]).assert(0, &["0 new, 1 known, 0 suppressed, 0 stale"]);
    shop.gate(&["--ratchet"]).assert(0, &["left as it is: 1 known", "0 known, 0 suppressed, 0 stale"]);
    shop.edit(INDEX, "timeout: 2500", "timeout: 1500");
    shop.gate(&["--deadline", "3s"]).assert(0, &["0 known, 0 suppressed, 1 stale"]);
}

#[test]
fn a_comment_suppresses_it_and_counts_as_unused_only_under_a_deadline() {
    let shop = shop();
    let allowed = "// untimed: allow(over-budget) the page shows what it has\nexports.price";
    shop.edit(INDEX, "timeout: 1500", "timeout: 2500").edit(INDEX, "exports.price", allowed);
    shop.gate(&["--deadline", "3s"]).assert(0, &["0 new, 0 known, 1 suppressed"]);
    shop.gate(&[]).assert(0, &["0 new, 0 known, 0 suppressed"]);
    shop.edit(INDEX, "timeout: 2500", "timeout: 1500");
    shop.gate(&["--deadline", "3s", "--fail-on", "unused-suppression"]).assert(1, &["1 new unused-suppression"]);
}

#[test]
fn what_is_known_stays_in_reports_whose_readers_compare() {
    let shop = shop();
    shop.edit(INDEX, ", { timeout: 1500 }", "");
    shop.gate(&["--write-baseline", "--quiet"]).assert(0, &[]);
    for format in ["sarif", "gitlab", "html", "csv", "jsonl", "junit"] {
        shop.gate(&["--format", format]).assert(0, &["uncovered-call"]);
    }
    shop.gate(&["--format", "junit"]).assert(0, &["failures=\"0\" skipped=\"1\"", "it stood before"]);
    shop.gate(&["--format", "sarif"]).assert(0, &["\"baselineState\": \"unchanged\""]);
    for format in ["short", "github", "checkstyle"] {
        let said = shop.gate(&["--format", format]);
        assert!(said.code == 0 && !said.out.contains("uncovered-call"), "{format}: {}", said.out);
    }
    let report = shop.gate(&["--format", "json", "--deadline", "3s"]).out;
    assert!(report.contains("\"caller_service\": \"stock\""), "{report}");
}
