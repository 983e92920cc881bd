//! What a scan keeps in memory: the facts of files, never their text.
//!
//! The same Rust files are scanned twice: as they are, and with much text in them that says nothing. A parser that kept a map of every text
//! would hold all of it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases;

use std::fs;
use std::path::Path;

use untimed::catalog::Catalog;

const FILES: usize = 20_000;
/// How much text each file holds the second time that says nothing.
const COMMENT: usize = 8 * 1024;

/// The most memory that this process held so far, in bytes.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the kernel says it");
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

/// Scans as many files, each with a comment at its head; all are parsed.
fn scan(folder: &Path, comment: &str, catalog: &Catalog) {
    for at in 0..FILES {
        let name = format!("part{at:05}");
        let beside = folder.join("src").join(&name[..6]);
        fs::create_dir_all(&beside).unwrap();
        let call = if at % 100 == 0 { "reqwest::get(\"https://shop.example/a\").await" } else { "reqwest::Method::GET" };
        fs::write(beside.join(format!("{name}.rs")), format!("{comment}pub async fn {name}() {{ let _ = {call}; }}\n")).unwrap();
    }
    let outcome = untimed::scan::audit(&cases::everything(folder, vec![folder.to_path_buf()], 2), catalog).unwrap();
    assert_eq!((outcome.counts.parsed as usize, outcome.sites.len()), (FILES, FILES / 100));
}

#[test]
fn twenty_thousand_files_leave_their_facts_alone() {
    let (catalog, folder) = (cases::catalog(), tempfile::tempdir().unwrap());
    scan(folder.path(), "", &catalog);
    let facts = peak();
    scan(folder.path(), &format!("// {}\n", "word ".repeat(COMMENT / 5)), &catalog);
    let (grown, text) = (peak() - facts, FILES * COMMENT);
    assert!(grown < text / 8, "{} MiB more for {} MiB of text", grown >> 20, text >> 20);
}
