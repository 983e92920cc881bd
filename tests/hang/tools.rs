//! What the fixture programs need of the machine, and what happens where it is missing.

use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether all the tools are there. Where one is missing, says in one line that the runs are skipped; in CI that is a failure.
pub fn present(what: &str, tools: &[&str]) -> bool {
    let missing = tools.iter().find(|tool| {
        let status = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        !status.is_ok_and(|status| status.success())
    });
    let Some(tool) = missing else { return true };
    assert!(env::var("CI").as_deref() != Ok("true"), "{tool} is missing: in CI the {what} programs must run");
    // Written past the test runner's capture.
    let _ = writeln!(std::io::stderr(), "skipped: the {what} programs against the hanging server, since {tool} is missing");
    false
}

/// Installs the packages of the lock file unless they are there, one test process at a time.
pub fn install_packages(folder: &Path) {
    let guard = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm.lock")).unwrap();
    guard.lock().unwrap();
    let lock = fs::read(folder.join("package-lock.json")).unwrap();
    let marker = folder.join("node_modules/.installed-lock.json");
    if fs::read(&marker).is_ok_and(|installed| installed == lock) {
        return;
    }
    let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let output = Command::new("npm").args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "npm ci: {}", String::from_utf8_lossy(&output.stderr));
    fs::write(marker, lock).unwrap();
}
