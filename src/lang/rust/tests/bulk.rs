//! Lowers every Rust file under a folder. Not run by default: `UNTIMED_BULK=<folder> cargo test --release --lib bulk -- --ignored --nocapture`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::lower;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// Memory in use, in KiB.
pub(super) fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or(0)
}

#[test]
#[ignore = "needs a folder in UNTIMED_BULK"]
fn a_folder() {
    let Ok(root) = std::env::var("UNTIMED_BULK") else { return };
    let mut all = Vec::new();
    files(Path::new(&root), &mut all);
    all.sort();
    let show = std::env::var("UNTIMED_SHOW").unwrap_or_default();
    let (mut bytes, mut refused, mut macros, mut calls, mut slowest) = (0, 0, 0, 0, (0, PathBuf::new()));
    let start = Instant::now();
    for path in &all {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let before = Instant::now();
        let facts = lower(&text);
        let took = before.elapsed().as_micros();
        if took > slowest.0 {
            slowest = (took, path.clone());
        }
        bytes += text.len();
        calls += facts.calls.len();
        let unread = facts.broken.iter().filter(|broken| broken.reason.starts_with("macro")).count();
        macros += unread;
        refused += usize::from(facts.broken.len() > unread);
        if show == "dump" {
            eprintln!("== {}\n{facts}", path.display());
        } else if show == "broken" {
            for broken in &facts.broken {
                let at = facts.lines.position(broken.span.start);
                eprintln!("{}:{}: {}", path.display(), at.line, broken.reason);
            }
        }
    }
    let took = start.elapsed();
    eprintln!(
        "{} files, {:.1} MB in {took:?}: {:.1} MB/s; {refused} with refused items, {macros} macros not read, {calls} calls; resident {} MiB; slowest {slowest:?}",
        all.len(),
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / took.as_secs_f64(),
        resident() / 1024,
    );
}

#[test]
#[ignore = "needs a folder in UNTIMED_BULK"]
fn parts_of_the_time() {
    let Ok(root) = std::env::var("UNTIMED_BULK") else { return };
    let mut all = Vec::new();
    files(Path::new(&root), &mut all);
    let texts: Vec<String> = all.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let time = |name: &str, act: &mut dyn FnMut(&str)| {
        let start = Instant::now();
        texts.iter().for_each(|text| act(text));
        eprintln!("{name}: {:?}", start.elapsed());
    };
    let mut deep = 0;
    time("depth", &mut |text| deep += usize::from(!super::super::Depth::of(text.as_bytes()).is_shallow()));
    eprintln!("{deep} of {} need a stack of their own", texts.len());
    time("tokens", &mut |text| {
        let _ = text.parse::<proc_macro2::TokenStream>();
        proc_macro2::extra::invalidate_current_thread_spans();
    });
    time("syn", &mut |text| {
        let _ = syn::parse_file(text);
        proc_macro2::extra::invalidate_current_thread_spans();
    });
    time("mentions", &mut |text| super::super::mentions::mentions(text.as_bytes(), &mut |_| {}));
    time("lower", &mut |text| {
        lower(text);
    });
}
