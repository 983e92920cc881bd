//! Lists `queries/<language>/*.toml` for the catalog, so that adding a library touches no list.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=queries");
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut files = Vec::new();
    for language in fs::read_dir(Path::new(&root).join("queries"))? {
        let language = language?.path();
        if language.is_dir() {
            println!("cargo:rerun-if-changed={}", language.display());
            for file in fs::read_dir(&language)? {
                let file = file?.path();
                if file.extension().is_some_and(|ending| ending == "toml") {
                    files.push(file);
                }
            }
        }
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(list, "    ({name:?}, include_str!({:?})),", file.display().to_string());
    }
    list.push_str("]\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("queries.rs"), list)
}
