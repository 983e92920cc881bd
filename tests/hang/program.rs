//! The fixture programs and what becomes of their one call.
//!
//! In: a folder of annotated sources. Out: for each program and mood of the server, whether its call was answered, was rejected,
//! or was still waiting at the cap.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::claim::{Claim, Expected, duration};
use crate::server::{Mood, Protocol, Server};

/// How long a call that nothing ends is watched, from the moment it reached the server.
const CAP: Duration = Duration::from_millis(2_200);
/// How long a program may take to reach the server.
const START: Duration = Duration::from_secs(30);
/// How many programs run at a time: they sleep most of their life.
const AT_A_TIME: usize = 6;
/// How often a run that contradicts its note is repeated.
const REPEATS: u32 = 4;

/// A source file with one call.
#[derive(Debug, Clone)]
pub struct Program {
    /// Relative to the folder of all, with `/`.
    pub name: String,
    /// The line of the note, 1-based.
    pub line: u64,
    /// What the note says.
    pub claim: Claim,
    /// What its server must speak.
    pub protocol: Protocol,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// It got its answer, so long after it reached the server.
    Answered(Duration),
    /// It failed, so long after it was made.
    Rejected(Duration, String),
    /// It was still waiting at the cap.
    Waiting,
    /// The program itself failed, or never reached the server.
    Broken(String),
}

/// One run.
#[derive(Debug, Clone)]
pub struct Run {
    /// Which program.
    pub program: Program,
    /// Against which server.
    pub mood: Mood,
    /// What came of it.
    pub happened: Happened,
}

/// The annotated programs in a folder, by name. Each must carry exactly one note.
pub fn find(folder: &Path, ending: &str) -> Result<Vec<Program>, String> {
    let mut files = Vec::new();
    walk(folder, ending, &mut files).map_err(|e| format!("{}: {e}", folder.display()))?;
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        if let Some(program) = read(&name, &text).map_err(|e| format!("{name}: {e}"))? {
            programs.push(program);
        }
    }
    Ok(programs)
}

fn walk(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "node_modules" && name != "target" {
            walk(&path, ending, files)?;
        } else if name.ends_with(ending) {
            files.push(path);
        }
    }
    Ok(())
}

/// A file without notes is no program. `// waits 3s between its tries` says what the tool's one-line form leaves out.
fn read(name: &str, text: &str) -> Result<Option<Program>, String> {
    let notes: Vec<_> = text.lines().zip(1..).filter_map(|(line, n)| Some((line.split_once("//~")?.1, n))).collect();
    let (note, line) = match notes[..] {
        [] => return Ok(None),
        [one] => one,
        _ => return Err(format!("{} notes: a program makes one call", notes.len())),
    };
    let mut claim = Claim::from_note(note)?;
    if let Some((_, rest)) = text.split_once("// waits ") {
        claim.between = duration(rest.split_whitespace().next().unwrap_or_default())?;
    }
    let protocol = match name.split('/').next().unwrap_or_default() {
        "redis" | "ioredis" => Protocol::Redis,
        "pg" => Protocol::Postgres,
        "grpc-js" | "tonic" => Protocol::Grpc,
        "node-https" => Protocol::Tls,
        "node-net" | "socket" => Protocol::Tcp,
        _ => Protocol::Http,
    };
    Ok(Some(Program { name: name.to_owned(), line, claim, protocol }))
}

/// Runs every program in every mood of which its note says something; `command` says how a program is started.
pub fn run_all(programs: &[Program], command: impl Fn(&Program) -> Command + Sync) -> Vec<Run> {
    let mut jobs: Vec<(usize, &Program, Mood)> = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let moods = program.protocol.moods().iter().filter(|mood| program.claim.expects(**mood) != Expected::Either);
        jobs.extend(moods.map(|mood| (index, program, *mood)));
    }
    let results = Mutex::new(Vec::new());
    let queue = Mutex::new(jobs.into_iter());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let Some((index, program, mood)) = queue.lock().unwrap().next() else { break };
                    let run = run(program, mood, command(program));
                    results.lock().unwrap().push((index, run));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(index, run)| (*index, run.mood as u8));
    results.into_iter().map(|(_, run)| confirm(run, &command)).collect()
}

/// On a busy machine, a limit of 300 ms may pass before an answer that was sent at once is read. What does not fit is run again,
/// alone; what never fits is reported.
fn confirm(mut kept: Run, command: &impl Fn(&Program) -> Command) -> Run {
    for _ in 0..REPEATS {
        if kept.contradicts(&kept.program.claim).is_some() {
            kept = run(&kept.program, kept.mood, command(&kept.program));
        }
    }
    kept
}

fn run(program: &Program, mood: Mood, command: Command) -> Run {
    let happened = watch(program, mood, command).unwrap_or_else(|e| Happened::Broken(e.to_string()));
    Run { program: program.clone(), mood, happened }
}

/// Runs one program against a server of its own, and ends it at the cap.
fn watch(program: &Program, mood: Mood, mut command: Command) -> io::Result<Happened> {
    let server = Server::start(program.protocol, mood)?;
    let child = command
        .env("SERVER_PORT", server.port().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut child = Ended(child);
    let output = (drain(child.0.stdout.take()), drain(child.0.stderr.take()));
    let cap = match program.claim.expects(mood) {
        Expected::Ends(_, most) => most.max(CAP),
        _ => CAP,
    };
    let started = Instant::now();
    while child.0.try_wait()?.is_none() {
        match server.reached() {
            Some(at) if at.elapsed() > cap => return Ok(Happened::Waiting),
            None if started.elapsed() > START => return Ok(Happened::Broken("never reached the server".into())),
            _ => thread::sleep(Duration::from_millis(5)),
        }
    }
    let (out, errors) = (output.0.join().unwrap_or_default(), output.1.join().unwrap_or_default());
    let mut words = out.split_whitespace();
    Ok(match (words.next(), words.next().and_then(|ms| ms.parse().ok()), server.reached()) {
        (_, _, None) => Happened::Broken(format!("never reached the server: {out}{errors}")),
        (Some("answered"), _, Some(at)) => Happened::Answered(at.elapsed()),
        (Some("rejected"), Some(ms), _) => Happened::Rejected(Duration::from_millis(ms), words.collect::<Vec<_>>().join(" ")),
        _ => Happened::Broken(format!("printed neither `answered` nor `rejected <ms>`: {out}{errors}")),
    })
}

/// Reads a pipe to its end beside the program, so that it never blocks on a full one.
fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// A child that does not outlive its run.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Run {
    /// Where the happening contradicts the claim.
    pub fn contradicts(&self, claim: &Claim) -> Option<String> {
        let (expected, happened) = (claim.expects(self.mood), &self.happened);
        let fits = match (expected, happened, self.mood) {
            (_, Happened::Broken(_), _) => false,
            (Expected::Either, ..) => true,
            (Expected::Waits, happened, _) => *happened == Happened::Waiting,
            (Expected::Ends(..), Happened::Answered(_), Mood::Answers) => true,
            (Expected::Ends(..), _, Mood::Answers) => false,
            (Expected::Ends(least, most), Happened::Answered(after), _) => (least..most).contains(after),
            (Expected::Ends(least, most), Happened::Rejected(after, _), _) => (least..most).contains(after),
            (Expected::Ends(..), Happened::Waiting, _) => false,
        };
        let Self { program, mood, .. } = self;
        (!fits).then(|| format!("{}:{} {mood:?}: expected {expected:?}, {happened:?}", program.name, program.line))
    }
}

/// Shared by the tests that judge the same runs.
pub type Runs = Arc<[Run]>;
