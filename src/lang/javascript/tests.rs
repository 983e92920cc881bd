//! Facts of small texts, as the dump of facts writes them.

use super::JavaScript;
use crate::facts::FileFacts;
use crate::lang::Frontend as _;

fn lower(extension: &str, text: &str) -> FileFacts {
    JavaScript::new().unwrap().lower(extension, text)
}

#[test]
fn scratch() {
    let text = std::fs::read_to_string(std::env::var("SCRATCH").unwrap_or_default()).unwrap_or_default();
    let extension = std::env::var("SCRATCH").unwrap_or_default().rsplit('.').next().unwrap_or("js").to_owned();
    println!("{}", lower(&extension, &text));
}
