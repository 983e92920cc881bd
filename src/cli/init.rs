//! `untimed init`: a first configuration file.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::output::deliver;
use super::progress::Watch;
use crate::config::{self, Found};
use crate::finding::Outcome;
use crate::scan;
use crate::settings::Settings;

const AFTER: &str = "\
Examples:
  untimed init
  untimed init --print services/orders

Exit code: 0 written, 2 it could not be written.";

/// Files that say that a folder is a package of its own.
const MANIFESTS: [&str; 5] = ["package.json", "Cargo.toml", "go.mod", "pyproject.toml", "Dockerfile"];

/// Arguments of `untimed init`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct InitArgs {
    /// The folder to write it into; this one unless said
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Print it and write nothing
    #[arg(long)]
    print: bool,

    /// Write over the file that is there
    #[arg(long, conflicts_with = "print")]
    force: bool,
}

/// Writes.
pub(super) fn run(args: &InitArgs, out: &mut dyn Write) -> Result<u8> {
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    if !folder.is_dir() {
        bail!("{}: no such folder: expected one to write {} into", folder.display(), config::NAME);
    }
    let file = if folder == Path::new(".") { PathBuf::from(config::NAME) } else { folder.join(config::NAME) };
    if file.exists() && !args.force && !args.print {
        bail!("{}: is there already: expected none; --force writes over it, --print writes nothing", file.display());
    }
    let settings = Settings { base: folder.clone(), roots: vec![folder.clone()], ..Settings::default() };
    let watch = Watch::new(false);
    let outcome = scan::audit_watched(&settings, &scan::catalog(&settings)?, &watch);
    watch.end();
    let outcome = outcome?;
    let text = config::template(&Found { outcome: &outcome, services: &services(&folder, &outcome) });
    if args.print {
        deliver(&text, None, out)?;
        return Ok(0);
    }
    std::fs::write(&file, &text)
        .map_err(|error| anyhow!("{}: cannot be written: {error}; expected a folder that can be", file.display()))?;
    deliver(&format!("{} written\n", file.display()), None, out)?;
    Ok(0)
}

/// The folders below that hold scanned files and a manifest of their own, by name.
fn services(folder: &Path, outcome: &Outcome) -> Vec<(String, String)> {
    let mut services: BTreeMap<String, String> = BTreeMap::new();
    for file in &outcome.files {
        let own = Path::new(&**file)
            .ancestors()
            .skip(1)
            .find(|below| !below.as_os_str().is_empty() && MANIFESTS.iter().any(|name| folder.join(below).join(name).is_file()));
        let Some(own) = own else { continue };
        let name = own.file_name().unwrap_or_default().to_string_lossy().into_owned();
        services.entry(name).or_insert_with(|| own.display().to_string().replace('\\', "/"));
    }
    services.into_iter().collect()
}
