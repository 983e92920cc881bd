//! The lesson of fixtures/javascript/lesson: three placements of a limit against live dependencies, and what the audit says of them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

#[path = "hang/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/javascript/lesson")
}

/// What becomes of the 28 calls of one version.
fn run(version: &str) -> Value {
    let mut node = Command::new("node");
    node.args(["run.mjs", version]).current_dir(folder()).stdin(Stdio::null());
    let output = node.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{version} printed no outcome: {e}\n{errors}"))
}

#[test]
fn the_limit_decides_what_hangs() {
    if !tools::present("the three versions of the lesson", &["node"]) {
        return;
    }
    thread::scope(|scope| {
        for (version, timed_out, hanging) in [("none", 0, 8), ("a", 8, 0), ("b", 4, 4)] {
            scope.spawn(move || {
                let expected = json!({"answered": 20, "timedOut": timed_out, "failed": 0, "hanging": hanging});
                // On a machine that others use too, 200 ms may pass before an answer that was sent at once is read.
                let mut outcome = run(version);
                for _ in 1..3 {
                    if outcome == expected {
                        break;
                    }
                    outcome = run(version);
                }
                assert_eq!(outcome, expected, "{version}");
            });
        }
    });
}

#[test]
fn the_audit_sees_what_hangs() {
    for (version, covered, uncovered, places, values) in
        [("none", 0, 7, 0, json!([])), ("a", 7, 0, 7, json!([200, 800])), ("b", 6, 1, 1, json!([800]))]
    {
        let mut audit = Command::new(env!("CARGO_BIN_EXE_untimed"));
        let output = audit.args(["audit", "--format", "json", version]).current_dir(folder()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let summary = serde_json::from_slice::<Value>(&output.stdout).unwrap()["summary"].take();
        let found = json!([
            summary["call_sites"],
            summary["covered"],
            summary["uncovered"],
            summary["limits"]["places"],
            summary["limits"]["values_ms"],
            summary["limits"]["overrides"]
        ]);
        assert_eq!(found, json!([7, covered, uncovered, places, values, 0]), "{version}");
    }
}
