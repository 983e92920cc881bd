//! The audit of the fixture programs, against what happened.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::claim::Claim;
use crate::program::{Program, Run};

/// Programs of which the audit says another verdict on purpose, and why. The list fails when the difference is gone.
///
/// A unary call of tonic counts as complete with its headers (the message follows in the same breath), so `Endpoint::timeout` and
/// `set_timeout` cover it; a server that sends the headers and withholds the message holds it all the same, as these programs show.
const KNOWN_DIFFERENCES: &[&str] = &["tonic/src/bin/tonic_endpoint.rs", "tonic/src/bin/tonic_own.rs"];

/// Requires that the audit finds one site in each program, that its verdict is the noted one, and that nothing that happened
/// contradicts it.
pub fn check(folder: &Path, runs: &[Run]) {
    let mut wrong = Vec::new();
    for runs in runs.chunk_by(|a, b| a.program.name == b.program.name) {
        let program = &runs[0].program;
        match only_site(&audit(folder, program), program) {
            Err(reason) => wrong.push(reason),
            Ok(claim) if KNOWN_DIFFERENCES.contains(&program.name.as_str()) => {
                if program.claim.differs(&claim).is_none() {
                    wrong.push(format!("{}: no difference any more: take it off the list", program.name));
                }
            }
            Ok(claim) => {
                let name = |text| format!("{}:{} {text}", program.name, program.line);
                wrong.extend(program.claim.differs(&claim).map(name));
                // The report tells the wait before the first retry alone; the note tells all of them.
                let claim = Claim { between: claim.between.max(program.claim.between), ..claim };
                wrong.extend(runs.iter().filter_map(|run| run.contradicts(&claim)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} disagreements with the audit:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs `untimed audit --format json` on one program: each is a process of its own, and what it sets for its whole process is
/// not set for the others.
fn audit(folder: &Path, program: &Program) -> Value {
    let mut untimed = Command::new(env!("CARGO_BIN_EXE_untimed"));
    let output = untimed.args(["audit", "--format", "json", &program.name]).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "untimed audit: {errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("untimed audit printed no JSON: {e}\n{errors}"))
}

/// The claim of a program's only site. Making the connection may be a site of its own beside it.
fn only_site(report: &Value, program: &Program) -> Result<Claim, String> {
    let (name, line) = (program.name.as_str(), program.line);
    let sites = report["sites"].as_array().ok_or("the report has no sites")?;
    let of_file = sites.iter().filter(|site| site["file"].as_str().is_some_and(|file| file.trim_start_matches("./") == name));
    let here = |site: &Value| (site["line"].as_u64()..=site["end_line"].as_u64()).contains(&Some(line));
    let (noted, others): (Vec<_>, Vec<_>) = of_file.partition(|site| here(site));
    let connects = |site: &&Value| site["call"].as_str().is_some_and(|call| call.contains("connect"));
    if let Some(other) = others.iter().find(|site| !connects(site)) {
        return Err(format!("{name}: a site at line {}, noted at line {line} alone", other["line"]));
    }
    match noted[..] {
        [site] => Claim::from_site(site),
        _ => Err(format!("{name}:{line}: {} sites, expected one", noted.len())),
    }
}

/// The report is read as CONTRACT prints it, and a claim that does not fit is found.
#[test]
fn a_report_is_compared_with_a_note() {
    let report: Value = serde_json::from_str(
        r#"{"sites": [
            {"file": "got/a.mjs", "line": 4, "column": 1, "end_line": 4, "call": "connect", "verdict": "uncovered", "limit": null},
            {"file": "got/a.mjs", "line": 6, "column": 7, "end_line": 9, "client": "got", "call": "get", "verdict": "covered",
             "by": "client", "limit": {"ms": 300, "kind": "total", "value": "constant"}, "default_limit": null,
             "retries": 2, "backoff_ms": 1000},
            {"file": "got/b.mjs", "line": 1, "end_line": 1, "call": "get", "verdict": "uncovered", "limit": null}]}"#,
    )
    .unwrap();
    let program = |name: &str, note| Program {
        name: name.into(),
        line: 8,
        claim: Claim::from_note(note).unwrap(),
        protocol: crate::server::Protocol::Http,
    };
    let site = |name, note| {
        let program = program(name, note);
        only_site(&report, &program).map(|claim| program.claim.differs(&claim))
    };
    assert_eq!(site("got/a.mjs", " covered 0.3s by client [got] total retries 2"), Ok(None));
    assert_eq!(site("got/a.mjs", " covered"), Ok(None));
    for wrong in ["uncovered", "covered 200ms", "covered by own", "covered [ky]", "covered idle", "covered retries 1"] {
        assert!(site("got/a.mjs", wrong).unwrap().is_some(), "{wrong} is not told from the report");
    }
    assert!(site("got/b.mjs", "uncovered").is_err(), "a site on another line was taken for the noted one");
    assert!(site("got/c.mjs", "uncovered").is_err(), "a file without a site was accepted");
}
