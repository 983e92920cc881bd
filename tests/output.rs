//! What the program writes where: colours, files, readers that leave, disks that are full.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::io::Read as _;
#[path = "hang/tools.rs"]
mod tools;

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
    assert!(stats.contains("9 seen, 9 read, 8 parsed (88.9 %)") && stats.contains("walk "), "{stats}");
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_the_flag_that_names_it() {
    for format in ["text", "json", "sarif", "github", "gitlab", "junit", "checkstyle", "markdown", "csv", "html"] {
        let place = format!("{format}=/dev/full");
        let output = run(&["audit", LESSON, "--format", &place]);
        assert_eq!(output.status.code(), Some(2), "{format}");
        let expected = format!("untimed: --format {place}: cannot be written: No space left");
        assert!(text(&output.stderr).starts_with(&expected), "{}", text(&output.stderr));
    }
}

#[test]
fn a_reader_that_leaves_costs_no_other_report() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("out.sarif");
    let sarif = format!("sarif={}", place.display());
    let mut child = untimed(&["audit", "fixtures/javascript", "--format", "json", "--format", &sarif]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    assert!(text(&std::fs::read(place).unwrap()).ends_with("}\n"));
}

#[test]
fn a_job_on_github_gets_a_summary_behind_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.md");
    std::fs::write(&summary, "# Before\n").unwrap();
    let audit = |format: &str, summary: &Path| {
        untimed(&["audit", LESSON, "--format", format]).env("GITHUB_STEP_SUMMARY", summary).output().unwrap()
    };
    let output = audit("github", &summary);
    assert!(output.status.success() && text(&output.stdout).starts_with("::error file="), "{}", text(&output.stderr));
    let markdown = text(&run(&["audit", LESSON, "--format", "markdown"]).stdout);
    assert_eq!(text(&std::fs::read(&summary).unwrap()), format!("# Before\n{markdown}"));
    audit("json", &summary);
    assert_eq!(text(&std::fs::read(&summary).unwrap()), format!("# Before\n{markdown}"), "only beside annotations");
    let output = audit("github", &folder.path().join("no/summary.md"));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot be written; expected a file in a folder that is there"));
}

/// What a command prints on a terminal of so many columns; `None` where no terminal can be had.
#[cfg(target_os = "linux")]
fn on_a_terminal(columns: u32, arguments: &str) -> Option<String> {
    if !tools::present("what a terminal is shown", &["script", "stty"]) {
        return None;
    }
    let command = format!("stty rows 24 cols {columns}; {} {arguments}", env!("CARGO_BIN_EXE_untimed"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    let output = script.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("TERM", "xterm").output().unwrap();
    Some(text(&output.stdout).replace('\r', ""))
}

#[cfg(target_os = "linux")]
#[test]
fn a_narrow_terminal_gets_narrow_excerpts() {
    let Some(report) = on_a_terminal(40, &format!("audit {LESSON}")) else { return };
    assert!(report.contains('\u{1b}'), "a terminal has colours");
    let plain = anstream::adapter::strip_str(&report).to_string();
    let is_source = |line: &&str| line.split_once(" | ").is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
    let lines: Vec<&str> = plain.lines().filter(is_source).collect();
    assert!(lines.len() > 3, "{plain}");
    // The marks of what is cut may stand beyond it.
    assert!(lines.iter().all(|line| line.chars().count() <= 43), "{plain}");
    let Some(quiet) = on_a_terminal(40, &format!("--no-color audit {LESSON}")) else { return };
    assert_eq!(quiet, plain);
}

#[test]
fn paths_may_be_written_as_on_windows() {
    let audited = |path: &str| text(&run(&["audit", "--format", "short", path]).stdout);
    assert_eq!(audited(r"fixtures\javascript\lesson"), audited(LESSON));
    let told = |line: &str| text(&run(&["explain", line, LESSON]).stdout);
    assert_eq!(told(r"fixtures\javascript\lesson\b\loans.mjs:9"), told("fixtures/javascript/lesson/b/loans.mjs:9"));
    let checked = |path: &str| text(&run(&["budget", path, "--deadline", "2s"]).stdout);
    assert_eq!(checked(r"fixtures\chain\frontend.txt"), checked("fixtures/chain/frontend.txt"));
    let missing = run(&["audit", r"no\such\folder"]);
    assert_eq!(text(&missing.stderr), "untimed: no\\such\\folder: no such file or folder: expected a path to audit\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_backslash_in_a_name_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(r"a\b.mjs"), "import axios from 'axios';\nawait axios.get('https://a.example');\n")
        .unwrap();
    let audit =
        |format: &str| text(&untimed(&["audit", "--format", format, "."]).current_dir(folder.path()).output().unwrap().stdout);
    assert!(audit("short").starts_with(r"a\b.mjs:2:7: "), "{}", audit("short"));
    assert!(audit("sarif").contains("\"a%5Cb.mjs\""), "{}", audit("sarif"));
}

#[test]
fn scanned_code_does_not_talk_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let code = "import axios from 'axios';\nawait axios.get('https://\u{1b}[31m\u{202e}example');\n";
    std::fs::write(folder.path().join("a\u{7}.mjs"), code).unwrap();
    for format in
        ["text", "short", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle", "markdown", "csv", "html"]
    {
        let output = untimed(&["audit", "--format", format, "."]).current_dir(folder.path()).output().unwrap();
        let text = text(&output.stdout);
        assert!(text.contains("uncovered"), "{format}: {text}");
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

#[test]
fn excerpts_show_the_files_that_were_audited_and_not_their_namesakes_here() {
    let (there, here) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(there.path().join("a.mjs"), "await fetch('https://shop.example/there');\n").unwrap();
    std::fs::write(here.path().join("a.mjs"), "something else stands in this one\n").unwrap();
    let output = untimed(&["audit"]).arg(there.path()).current_dir(here.path()).output().unwrap();
    let text = text(&output.stdout);
    assert!(text.contains("shop.example/there") && !text.contains("something else"), "{text}");
}
