//! How far an audit is, and how long its stages took.
//!
//! In: the conductor's stages. Out: a line on a terminal's standard error once an audit takes longer than a second, and the times.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::scan::{Observer, Stage};

/// An audit that takes no longer than this says nothing about its progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Watches an audit.
#[derive(Debug)]
pub(super) struct Watch {
    begun: Mutex<Vec<(Stage, Instant)>>,
    bar: Arc<ProgressBar>,
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Watch {
    /// Begins to watch; shows nothing where `quiet` or where standard error is no terminal.
    pub(super) fn new(quiet: bool) -> Self {
        let bar = Arc::new(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
        let shown = (!quiet && std::io::IsTerminal::is_terminal(&std::io::stderr())).then(|| {
            let (done, waits) = channel::<()>();
            let bar = Arc::clone(&bar);
            let show = std::thread::spawn(move || {
                if waits.recv_timeout(PATIENCE).is_err_and(|error| error == std::sync::mpsc::RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(120));
                }
            });
            (done, show)
        });
        Self { begun: Mutex::default(), bar, shown }
    }

    /// Ends the watch; gives each stage with how long it took.
    pub(super) fn end(mut self) -> Vec<(Stage, Duration)> {
        if let Some((done, show)) = self.shown.take() {
            drop(done);
            let _ = show.join();
        }
        self.bar.finish_and_clear();
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = begun.iter().skip(1).map(|(_, at)| *at).chain([Instant::now()]);
        begun.iter().zip(ends).map(|((stage, at), end)| (*stage, end.duration_since(*at))).collect()
    }
}

impl Observer for Watch {
    fn begins(&self, stage: Stage) {
        self.bar.set_message(says(stage));
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).push((stage, Instant::now()));
    }
}

fn says(stage: Stage) -> String {
    match stage {
        Stage::Walk => "looking for files".to_owned(),
        Stage::Read(files) => format!("reading {files} files"),
        Stage::Judge(files) => format!("judging the calls of {files} files"),
    }
}

/// The word for a stage in statistics.
pub(super) const fn word(stage: Stage) -> &'static str {
    match stage {
        Stage::Walk => "walk",
        Stage::Read(_) => "read",
        Stage::Judge(_) => "parse, link, judge",
    }
}
