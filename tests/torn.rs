//! Every fixture file cut off at many places: nothing panics, and nothing is invented.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases;

use std::path::Path;

use cases::Case;
use untimed::catalog::Catalog;
use untimed::finding::Site;

/// At how many places a file is cut.
const CUTS: usize = 25;

/// Audits copies of a case in which one file is cut, all of them at once.
fn torn(case: &Case, catalog: &Catalog) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let base = case.path.parent().unwrap();
    let mut copies = 0;
    for file in case.files() {
        let text = std::fs::read_to_string(&file).unwrap();
        for cut in 0..CUTS {
            let mut at = text.len() * cut / CUTS + cut % 7;
            while !text.is_char_boundary(at.min(text.len())) {
                at -= 1;
            }
            let copy = folder.path().join(format!("cut{copies}"));
            copies += 1;
            copy_case(&case.path, base, &copy);
            std::fs::write(copy.join(file.strip_prefix(base).unwrap()), &text[..at.min(text.len())]).unwrap();
        }
    }
    let settings = cases::everything(folder.path(), vec![folder.path().to_path_buf()], 1);
    let outcome = untimed::scan::audit(&settings, catalog).unwrap_or_else(|error| panic!("{}: {error}", case.name()));
    let invented = outcome.sites.iter().filter(|site| !is_in_text(case, folder.path(), site));
    invented
        .map(|site| format!("{}: {}:{}: {site}: `{}` is not there", case.name(), site.at.file, site.name_line, site.call))
        .collect()
}

fn copy_case(from: &Path, base: &Path, to: &Path) {
    let target = to.join(from.strip_prefix(base).unwrap());
    if from.is_dir() {
        std::fs::create_dir_all(&target).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            copy_case(&entry.unwrap().path(), base, to);
        }
    } else {
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(from, target).unwrap();
    }
}

/// Whether the lines of a site are there and hold the name of what is called, or may use a macro of the case that makes the call.
fn is_in_text(case: &Case, base: &Path, site: &Site) -> bool {
    let text = std::fs::read_to_string(base.join(&*site.at.file)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let line = |at: u32| lines.get((at as usize).checked_sub(1)?).copied();
    let within = |at: u32, column: u32| line(at).is_some_and(|line| column as usize <= line.chars().count() + 1);
    within(site.at.line, site.at.column)
        && within(site.at.end_line, site.at.end_column)
        && line(site.name_line).is_some_and(|line| line.contains(&site.call) || site.call == "call" || is_made(case, &site.call))
}

/// Whether a file of the case declares a macro that makes such a call: where it is used its calls stand.
fn is_made(case: &Case, call: &str) -> bool {
    case.files().iter().any(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.contains("macro_rules!") && text.contains(&format!("{call}("))
    })
}

#[test]
fn cut_files_are_read_as_far_as_they_go() {
    let catalog = cases::catalog();
    let invented = cases::each(&cases::all(), |case| torn(case, &catalog)).concat();
    assert!(invented.is_empty(), "{} sites that no text says:\n{}", invented.len(), invented.join("\n"));
}
