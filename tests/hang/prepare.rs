//! Makes the fixture programs ready to run: installs their packages, or builds them.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// Builds the workspace of the Rust programs into a folder of its own; gives the folder of the binaries.
pub fn build(folder: &Path) -> PathBuf {
    let target = folder.join("target");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--locked", "--quiet", "--target-dir"]).arg(&target).current_dir(folder);
    let output = cargo.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "cargo build: {}", String::from_utf8_lossy(&output.stderr));
    target.join("debug")
}
