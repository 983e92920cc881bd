//! The tools that a test needs of the machine, and what happens where one is missing.

use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

/// Whether all the tools are there. Where one is missing, says in one line what is skipped; in CI that is a failure.
pub fn present(what: &str, tools: &[&str]) -> bool {
    let missing = tools.iter().find(|tool| {
        let status = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        !status.is_ok_and(|status| status.success())
    });
    let Some(tool) = missing else { return true };
    assert!(env::var("CI").as_deref() != Ok("true"), "{tool} is missing: in CI {what} must run");
    // Written past the test runner's capture.
    let _ = writeln!(std::io::stderr(), "skipped: {what}, since {tool} is missing");
    false
}
