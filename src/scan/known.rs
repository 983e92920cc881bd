//! The baseline's file: where it is, what it says, what it becomes.
//!
//! In: settings and a name. Out: a [`Baseline`], read from the tree that is audited; the file, written anew where something changes. What
//! is known and what is gone is the gate's question.

use std::path::{Path, PathBuf};

use super::{Audited, Compared};
use crate::config::shown;
use crate::finding::Ruling;
use crate::gate::{self, BASELINE, Baseline, BaselineError, Question, Scope};
use crate::settings::{Settings, above, full, repository};

/// Where the known findings are.
#[derive(Debug, Clone)]
pub struct Known {
    file: PathBuf,
    /// Whether the user names it: then it must be there.
    named: bool,
}

/// Why the baseline cannot be used.
#[derive(Debug)]
pub enum KnownError {
    /// It is refused.
    Baseline(BaselineError),
    /// It is named and not there, or there is none to take from.
    Missing(PathBuf),
    /// It cannot be read or written.
    File(PathBuf, &'static str, std::io::Error),
}

impl std::fmt::Display for KnownError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Baseline(error) => error.fmt(f),
            Self::Missing(path) => {
                write!(f, "{}: no such baseline: expected a file that `untimed gate --write-baseline` wrote", shown(path))
            }
            Self::File(path, done, error) => {
                write!(f, "{}: cannot be {done}: {error}; expected a baseline in a folder that can be {done}", shown(path))
            }
        }
    }
}

impl std::error::Error for KnownError {}

impl Known {
    /// The file: the named one, that of the configuration, or the nearest one above the first named path; where there is none, the place
    /// where it would be: beside the configuration, in the repository's folder, or here.
    pub fn of(settings: &Settings, named: Option<&Path>) -> Self {
        if let Some(file) = named.map(Path::to_path_buf).or_else(|| settings.gate.baseline.clone()) {
            return Self { file: full(&file), named: true };
        }
        let first = settings.roots.first().unwrap_or(&settings.base);
        let beside = || settings.home.clone().or_else(|| repository(first)).unwrap_or_else(|| full(&settings.base));
        Self { file: above(first, BASELINE).unwrap_or_else(|| beside().join(BASELINE)), named: false }
    }

    /// Whether the file is there.
    pub fn is_there(&self) -> bool {
        self.file.is_file()
    }

    /// The file as it is shown.
    pub fn shown(&self) -> String {
        shown(&self.file)
    }

    /// What it says in the tree that is audited; `None` where there is none and none is asked for.
    ///
    /// # Errors
    ///
    /// It is named and not there, cannot be read, or is refused.
    pub fn read(&self, now: &Audited) -> Result<Option<Baseline>, KnownError> {
        let staged = now.instead_of(&self.file).filter(|file| file.is_file());
        let file = staged.as_ref().unwrap_or(&self.file);
        match std::fs::read_to_string(file) {
            Ok(text) => Baseline::parse(&self.shown(), &text).map(Some).map_err(KnownError::Baseline),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !self.named => Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(KnownError::Missing(self.file.clone())),
            Err(error) => Err(KnownError::File(self.file.clone(), "read", error)),
        }
    }

    /// Writes it, if that changes it. Whether it did.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&self, baseline: &Baseline) -> Result<bool, KnownError> {
        let text = baseline.text();
        if std::fs::read_to_string(&self.file).is_ok_and(|known| known == text) {
            return Ok(false);
        }
        std::fs::write(&self.file, text).map_err(|error| KnownError::File(self.file.clone(), "written", error))?;
        Ok(true)
    }
}

/// Says at each new finding what it was in the tree that is compared with. To be said once, when the gate has been asked.
pub fn say(compared: &mut Compared) {
    let Compared { now, then } = compared;
    if let Some(then) = then {
        gate::say(&mut now.outcome, then);
    }
}

/// Asks the gate. `complete`: no kinds of sites are left out.
pub fn rule(compared: &mut Compared, baseline: Option<(&str, &Baseline)>, complete: bool) -> Ruling {
    let Compared { now, then } = compared;
    let Audited { outcome, settings, files, opened, folder, .. } = now;
    let files = files.keys().cloned().collect();
    let folder = folder.clone().unwrap_or_else(|| settings.base.clone());
    let question = Question {
        settings,
        baseline,
        then: then.as_ref(),
        scope: Scope {
            files: &files,
            exists: &|path| folder.join(path).exists(),
            complete,
            deadline: settings.deadline.is_some(),
        },
        opened: &|shown| opened.get(shown).cloned(),
    };
    gate::rule(outcome, &question)
}
