//! A git repository that a test writes, and the gate run in it.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the gate said.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    /// The line that matters.
    pub fn first(&self) -> &str {
        self.out.lines().next().unwrap_or_default()
    }

    /// The lines of the report in which something stands.
    #[track_caller]
    pub fn assert(&self, code: i32, holds: &[&str]) {
        assert_eq!(self.code, code, "\n{}{}", self.out, self.err);
        for part in holds {
            assert!(self.out.contains(part) || self.err.contains(part), "not said: {part}\n{}{}", self.out, self.err);
        }
    }

    /// Exit code 2, an empty report and one message.
    #[track_caller]
    pub fn refuses(&self, message: &str) {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        assert!(self.err.contains(message) && self.err.lines().count() == 1, "expected: {message}\nsaid: {}", self.err);
    }
}

/// A folder, in most tests a repository.
pub struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    /// A folder that is no repository.
    pub fn folder() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// An empty repository.
    pub fn new() -> Self {
        let repository = Self::folder();
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().to_path_buf()
    }

    pub fn git(&self, args: &[&str]) -> String {
        git(self.folder.path(), args)
    }

    /// Writes a file.
    pub fn write(&self, file: &str, text: &str) -> &Self {
        let path = self.folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(file)).unwrap()
    }

    /// Replaces a text in a file; it must be there.
    #[track_caller]
    pub fn edit(&self, file: &str, from: &str, to: &str) -> &Self {
        let text = self.read(file);
        assert!(text.contains(from), "{file} does not hold {from}");
        self.write(file, &text.replace(from, to))
    }

    pub fn commit(&self, message: &str) -> &Self {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
        self
    }

    pub fn gate(&self, args: &[&str]) -> Said {
        self.gate_in("", args)
    }

    pub fn gate_in(&self, folder: &str, args: &[&str]) -> Said {
        let all = [&["gate"], args].concat();
        run(&self.folder.path().join(folder), &all)
    }
}

/// Runs the program.
pub fn run(folder: &Path, args: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_untimed")).args(args).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

/// Runs git with nobody's configuration.
pub fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(["-c", "protocol.file.allow=always", "-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("git: {error}"));
    assert!(status.success(), "git {args:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8_lossy(&stdout).into_owned()
}
