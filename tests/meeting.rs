//! Where teams meet the tool: the scripts of the GitHub action, and the hook of pre-commit, run as far as they go without the services.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

#[path = "hang/tools.rs"]
mod tools;

use std::path::Path;
use std::process::{Command, Output};

const CODE: &str = "import axios from 'axios';\nawait axios.get('https://a.example');\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The script of the step with this id or name.
fn script(step: &str) -> String {
    let action = std::fs::read_to_string(root().join("action.yml")).unwrap();
    let from = action.find(step).unwrap_or_else(|| panic!("action.yml has no step `{step}`"));
    let lines = action[from..].lines().skip_while(|line| line.trim() != "run: |").skip(1);
    lines.take_while(|line| line.starts_with("        ")).map(|line| format!("{}\n", line.trim())).collect()
}

/// Runs a step's script in a folder as GitHub does.
fn step(name: &str, folder: &Path, variables: &[(&str, &str)]) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_untimed")).parent().unwrap();
    let path =
        std::env::join_paths([binary.to_path_buf()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())));
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script(name)]).current_dir(folder).env("PATH", path.unwrap());
    bash.env("GITHUB_OUTPUT", folder.join("output")).env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
    bash.envs(variables.iter().copied()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_action_finds_what_is_installed() {
    if !tools::present("the GitHub action", &["bash"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(step("id: installed", folder.path(), &[]).status.success());
    assert_eq!(std::fs::read_to_string(folder.path().join("output")).unwrap(), "is=true\n");
}

#[test]
fn the_action_runs_the_gate() {
    if !tools::present("the GitHub action", &["bash"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.mjs"), CODE).unwrap();
    let with =
        |paths, arguments| step("id: gate", folder.path(), &[("PATHS", paths), ("ARGUMENTS", arguments), ("SARIF", "out.sarif")]);
    let output = with("a.mjs", "");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("::error file=a.mjs,line=2,"), "{}", text(&output.stdout));
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert!(read("out.sarif").contains("\"uncovered-call\"") && read("summary.md").starts_with("## untimed: 1 outbound call"));
    assert_eq!(read("output"), "sarif=out.sarif\n");
    assert_eq!(with("a.mjs", "--max-uncovered 5 --fail-on limit-off").status.code(), Some(0));
    let injected = with("$(touch owned) ;touch owned", "");
    assert_eq!(injected.status.code(), Some(2), "{}", text(&injected.stderr));
    assert!(!folder.path().join("owned").exists(), "inputs are no part of the script");
}

#[test]
fn the_hook_stops_a_commit() {
    if !tools::present("the hook of pre-commit", &["git", "pre-commit"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.mjs"), CODE).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_untimed")).parent().unwrap();
    let path =
        std::env::join_paths([binary.to_path_buf()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())));
    let path = path.unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path()).env("PATH", &path).env("PRE_COMMIT_HOME", folder.path().join("home"));
        command.output().unwrap()
    };
    for arguments in [&["init", "--quiet"][..], &["add", "a.mjs"]] {
        assert!(run("git", arguments).status.success());
    }
    let output = run("pre-commit", &["try-repo", root().to_str().unwrap(), "untimed-system", "--all-files"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("a.mjs:2:7: uncovered-call"), "{}", text(&output.stdout));
}

#[test]
fn the_package_has_what_its_build_needs() {
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(["package", "--list", "--allow-dirty", "--offline"]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let list = text(&output.stdout);
    let files: Vec<&str> = list.lines().collect();
    let wanted = [
        "build.rs",
        "src/main.rs",
        "src/report/html/page.css",
        "queries/javascript/axios.toml",
        "docs/rules/limit-off.md",
        "README.md",
    ];
    let missing: Vec<_> = wanted.iter().filter(|file| !files.contains(file)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!files.iter().any(|file| file.starts_with("tests/") || file.contains("node_modules")), "{list}");
}
