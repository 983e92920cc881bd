//! What the program writes where: colours, files, readers that leave, disks that are full.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const LESSON: &str = "fixtures/javascript/lesson";
const ESCAPE: u8 = 0x1b;

fn untimed(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_untimed"));
    command.args(args).current_dir(Path::new(env!("CARGO_MANIFEST_DIR"))).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn run(args: &[&str]) -> Output {
    untimed(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn colours_are_there_when_asked_for_and_nowhere_else() {
    let coloured = |args: &[&str]| run(args).stdout.contains(&ESCAPE);
    assert!(coloured(&["audit", LESSON, "--color", "always"]));
    assert!(coloured(&["--color", "always", "audit", LESSON]), "the flag may stand before the command");
    assert!(!coloured(&["audit", LESSON]), "a pipe is no terminal");
    assert!(!coloured(&["audit", LESSON, "--color", "never"]));
    assert!(!coloured(&["audit", LESSON, "--color", "always", "--no-color"]));
    let quiet = untimed(&["audit", LESSON]).env("NO_COLOR", "1").output().unwrap();
    assert!(!quiet.stdout.contains(&ESCAPE));
}

#[test]
fn a_report_in_a_file_is_the_report_without_colours() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.txt");
    let output = run(&["audit", LESSON, "--color", "always", "--output", file.to_str().unwrap()]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    assert_eq!(text(&std::fs::read(file).unwrap()), text(&run(&["audit", LESSON]).stdout));
}

#[test]
fn standard_error_is_silent_unless_asked() {
    assert_eq!(text(&run(&["audit", LESSON]).stderr), "");
    let stats = text(&run(&["audit", LESSON, "--stats"]).stderr);
    assert!(stats.contains("9 seen, 9 read, 9 parsed (100.0 %)") && stats.contains("walk "), "{stats}");
}

#[test]
fn any_number_of_threads_says_the_same() {
    let with = |threads| text(&run(&["audit", "fixtures/javascript", "--format", "json", "--threads", threads]).stdout);
    assert_eq!(with("1"), with("4"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = untimed(&["clients", "--format", "json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = untimed(&["audit", LESSON]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).starts_with("untimed: standard output: cannot be written: No space left"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn scanned_code_does_not_talk_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let code = "import axios from 'axios';\nawait axios.get('https://\u{1b}[31m\u{202e}example');\n";
    std::fs::write(folder.path().join("a\u{7}.mjs"), code).unwrap();
    for format in ["text", "short", "json", "jsonl"] {
        let output = untimed(&["audit", "--format", format, "."]).current_dir(folder.path()).output().unwrap();
        let text = text(&output.stdout);
        assert!(text.contains("uncovered"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{format}: {text:?}");
    }
    let output = untimed(&["explain", "a\u{7}.mjs:2"]).current_dir(folder.path()).output().unwrap();
    assert!(!output.stdout.contains(&ESCAPE) && output.status.success());
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success() && text(&output.stdout).contains("longest-default"), "{shell}");
    }
    for page in [&["man"][..], &["man", "audit"]] {
        let output = run(page);
        assert!(output.status.success() && text(&output.stdout).contains(".TH"), "{page:?}");
    }
}
