//! Where the configuration file is: beside the named paths, or in a folder above.
//!
//! In: the named paths. Out: the path of `untimed.toml`, if there is one. The search ends at the repository's folder.

use std::path::{Path, PathBuf};

use super::ConfigError;
use crate::settings::{above, full};

/// The file's name.
pub const NAME: &str = "untimed.toml";

/// The configuration file of the named paths.
///
/// # Errors
///
/// Named paths with different ones.
pub fn find(roots: &[PathBuf]) -> Result<Option<PathBuf>, ConfigError> {
    let mut found: Option<(PathBuf, &Path)> = None;
    for root in roots {
        match (&found, above(root, NAME)) {
            (Some((known, of)), Some(other)) if *known != other => {
                return Err(ConfigError {
                    file: shown(known),
                    place: None,
                    message: format!(
                        "configures `{}`, and {} configures `{}`: expected one for all paths; name it with --config, or run once for each",
                        of.display(),
                        shown(&other),
                        root.display()
                    ),
                });
            }
            (None, Some(file)) => found = Some((file, root)),
            _ => {}
        }
    }
    Ok(found.map(|(file, _)| file))
}

/// The file as reports name it: seen from the folder where the command runs.
pub fn shown(file: &Path) -> String {
    let (file, here) = (full(file), full(Path::new(".")));
    let common = here.ancestors().find(|folder| file.starts_with(folder)).filter(|folder| folder.components().count() > 1);
    let seen = common.and_then(|common| {
        let up = here.strip_prefix(common).ok()?.components().map(|_| "..");
        Some(up.collect::<PathBuf>().join(file.strip_prefix(common).ok()?))
    });
    seen.unwrap_or(file).display().to_string().replace('\\', "/")
}
