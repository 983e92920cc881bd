//! The truth of a verdict is a hanging server: real client libraries call a local server that answers, never answers, stalls or
//! drips. What is called covered must end at its limit, what is called uncovered must still be waiting, and the audit of the very
//! same files must say so.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests may fail loudly")]

#[path = "hang/audit.rs"]
mod audit;
#[path = "hang/claim.rs"]
mod claim;
#[path = "hang/prepare.rs"]
mod prepare;
#[path = "hang/program.rs"]
mod program;
#[path = "hang/server.rs"]
mod server;
#[path = "hang/speak/mod.rs"]
mod speak;
#[path = "hang/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use program::{Program, Runs};

fn folder(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hang").join(language)
}

/// All JavaScript runs, made once; none where Node or npm is missing.
fn javascript() -> Option<Runs> {
    static RUNS: OnceLock<Option<Runs>> = OnceLock::new();
    RUNS.get_or_init(|| {
        let folder = folder("javascript");
        if !tools::present("the JavaScript programs against the hanging server", &["node", "npm"]) {
            return None;
        }
        let _alone = alone();
        prepare::install_packages(&folder);
        let programs = program::find(&folder, ".mjs").unwrap();
        let node = |program: &Program| {
            let mut node = Command::new("node");
            node.arg(&program.name).current_dir(&folder);
            node
        };
        Some(Arc::from(program::run_all(&programs, node)))
    })
    .clone()
}

/// All Rust runs, made once.
fn rust() -> Runs {
    static RUNS: OnceLock<Runs> = OnceLock::new();
    RUNS.get_or_init(|| {
        let folder = folder("rust");
        let _alone = alone();
        let built = prepare::build(&folder);
        let programs = program::find(&folder, ".rs").unwrap();
        let binary = |program: &Program| Command::new(built.join(Path::new(&program.name).file_stem().unwrap_or_default()));
        Arc::from(program::run_all(&programs, binary))
    })
    .clone()
}

/// The two sets of runs do not disturb each other.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Requires that nothing contradicts the notes.
fn check(runs: &Runs, at_least: usize) {
    let wrong: Vec<_> = runs.iter().filter_map(|run| run.contradicts(&run.program.claim)).collect();
    let mut programs: Vec<_> = runs.iter().map(|run| &run.program.name).collect();
    programs.dedup();
    println!("{} programs, {} runs", programs.len(), runs.len());
    for run in runs.iter() {
        println!("{:40} {:9} {:?}", run.program.name, format!("{:?}", run.mood), run.happened);
    }
    assert!(wrong.is_empty(), "{} of {} runs contradict their notes:\n{}", wrong.len(), runs.len(), wrong.join("\n"));
    assert!(programs.len() >= at_least, "{} programs, expected at least {at_least}", programs.len());
}

#[test]
fn javascript_does_what_its_notes_say() {
    if let Some(runs) = javascript() {
        check(&runs, 40);
    }
}

#[test]
fn javascript_is_what_the_audit_says() {
    if let Some(runs) = javascript() {
        audit::check(&folder("javascript"), &runs);
    }
}

#[test]
fn rust_does_what_its_notes_say() {
    check(&rust(), 40);
}

#[test]
fn rust_is_what_the_audit_says() {
    audit::check(&folder("rust"), &rust());
}

#[test]
fn the_lock_file_names_no_registry() {
    let lock = std::fs::read_to_string(folder("javascript").join("package-lock.json")).unwrap();
    let named: Vec<_> = lock.lines().filter(|line| line.contains("\"resolved\"") && line.contains("://")).collect();
    assert!(named.is_empty(), "made without omit-lockfile-registry-resolved=true: {named:?}");
}
