//! Tests of the Rust reader by the dump of the facts it makes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod bad;
mod bulk;
mod lowering;

use crate::facts::FileFacts;
use crate::lang::Frontend;

/// The facts of a text.
fn lower(text: &str) -> FileFacts {
    super::Rust::new().lower("rs", text)
}

/// The dump of the facts of a text, without the exports, which repeat the bindings.
fn dump(text: &str) -> String {
    let all = lower(text).to_string();
    all.lines().filter(|line| !line.starts_with("export ")).fold(String::new(), |text, line| text + line + "\n")
}
