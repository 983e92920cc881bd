//! The audit of the fixture programs, against what happened.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::claim::Claim;
use crate::program::{Program, Run};

/// Requires that the audit finds one site in each program, that its verdict is the noted one, and that nothing that happened
/// contradicts it.
pub fn check(folder: &Path, runs: &[Run]) {
    let report = audit(folder);
    let mut wrong = Vec::new();
    for runs in runs.chunk_by(|a, b| a.program.name == b.program.name) {
        let program = &runs[0].program;
        match only_site(&report, program) {
            Err(reason) => wrong.push(reason),
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

/// Runs `untimed audit --format json` in the folder.
fn audit(folder: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_untimed"))
        .args(["audit", "--format", "json", "."])
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "untimed audit: {errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("untimed audit printed no JSON: {e}\n{errors}"))
}

/// The claim of a program's only site.
fn only_site(report: &Value, program: &Program) -> Result<Claim, String> {
    let sites = report["sites"].as_array().ok_or("the report has no sites")?;
    let name = program.name.as_str();
    let of_file = |site: &&Value| site["file"].as_str().is_some_and(|file| file.trim_start_matches("./") == name);
    match sites.iter().filter(of_file).collect::<Vec<_>>()[..] {
        [site] => Claim::from_site(site),
        ref found => Err(format!("{name}: {} sites, expected the one at line {}", found.len(), program.line)),
    }
}
