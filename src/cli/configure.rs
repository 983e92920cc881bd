//! Which configuration file counts, and what it makes of the settings.
//!
//! In: flags. Out: [`Settings`] with the values of the file; for `--show-config`, the settings as such a file.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::output::deliver;
use crate::config;
use crate::settings::Settings;

/// Which configuration counts.
#[derive(Debug, Args)]
pub(super) struct Configure {
    /// The configuration file; untimed.toml beside the paths or in a folder above unless said
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Configuration")]
    config: Option<PathBuf>,

    /// No configuration file
    #[arg(long, help_heading = "Configuration")]
    no_config: bool,

    /// Print what the file and the flags come to, and where each value was written
    #[arg(long, help_heading = "Configuration")]
    show_config: bool,
}

impl Configure {
    /// Reads the file that counts, if there is one.
    pub(super) fn read(&self, settings: &mut Settings) -> Result<()> {
        settings.unconfigured = self.no_config;
        let file = match &self.config {
            _ if self.no_config => None,
            Some(file) => Some(file.clone()),
            None => config::find(&settings.roots)?,
        };
        if let Some(file) = file {
            config::read(&file, settings)?;
        }
        Ok(())
    }

    /// Prints the settings, if that is what was asked for.
    pub(super) fn shown(&self, settings: &Settings, out: &mut dyn Write) -> Result<bool> {
        if self.show_config {
            deliver(&config::show(settings), None, out)?;
        }
        Ok(self.show_config)
    }
}
