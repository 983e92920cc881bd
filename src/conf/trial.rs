//! A tree of configuration files for the tests of readers.

use super::Reader;
use crate::facts::deployment::{Deployment, Filed};

/// Reads files in a folder of their own.
pub(super) fn read(reader: &dyn Reader, files: &[(&str, &str)]) -> Deployment {
    let folder = tempfile::tempdir().unwrap();
    let base = Filed { path: folder.path().to_path_buf(), shown: ".".to_owned() };
    let mut all = Vec::new();
    for (name, text) in files {
        let file = base.join(name);
        std::fs::create_dir_all(file.path.parent().unwrap()).unwrap();
        std::fs::write(&file.path, text).unwrap();
        all.extend(reader.takes(&file.name()).then_some(file));
    }
    all.sort();
    reader.read(&all)
}

/// The notes, each with its place.
pub(super) fn notes(deployment: &Deployment) -> Vec<String> {
    deployment.notes.iter().map(|note| format!("{}: {}", note.at, note.text)).collect()
}
