//! Installs what the JavaScript programs import.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// Installs the packages of the lock file unless they are there, one test process at a time.
pub fn install(folder: &Path) {
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
