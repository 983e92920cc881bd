//! Input that no program should have to read: never a panic, never a loop without end; what could be read is reported, what could not
//! is counted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod cases;

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::LazyLock;

use tempfile::TempDir;
use untimed::catalog::Catalog;
use untimed::finding::Outcome;
use untimed::settings::Settings;

static CATALOG: LazyLock<Catalog> = LazyLock::new(cases::catalog);

/// A folder with files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

fn audit(folder: &Path) -> Outcome {
    audit_with(folder, |_| {})
}

fn audit_with(folder: &Path, change: impl FnOnce(&mut Settings)) -> Outcome {
    let mut settings = cases::everything(folder, vec![folder.to_path_buf()], 2);
    change(&mut settings);
    untimed::scan::audit(&settings, &CATALOG).unwrap_or_else(|error| panic!("{error}"))
}

/// Every site as `file:line verdict`.
fn said(outcome: &Outcome) -> Vec<String> {
    outcome.sites.iter().map(|site| format!("{}:{} {}", site.at.file, site.name_line, site.verdict.word())).collect()
}

fn audited(files: &[(&str, &str)]) -> Outcome {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    audit(folder(&files).path())
}

#[test]
fn invalid_utf8() {
    let folder = folder(&[
        ("a.js", b"fetch('/a');\nconst x = '\xff\xfe';\nfetch('/b'); // \xc3\n"),
        ("b.rs", b"fn f() { /* \xff */ ureq::get(\"x\").call(); }"),
    ]);
    let outcome = audit(folder.path());
    assert_eq!(said(&outcome), ["a.js:1 uncovered", "a.js:3 uncovered", "b.rs:1 uncovered"]);
}

#[test]
fn nul_bytes() {
    let outcome = audited(&[("a.js", "fetch('/a');\n\0\0\0\nfetch('/b');\n"), ("b.js", "\0\0\0\0")]);
    assert!(said(&outcome).contains(&"a.js:1 uncovered".to_owned()), "{:?}", said(&outcome));
    assert!(said(&outcome).contains(&"a.js:3 uncovered".to_owned()), "{:?}", said(&outcome));
}

#[test]
fn byte_order_mark() {
    let outcome = audited(&[("a.ts", "\u{feff}fetch('/a');\n"), ("b.rs", "\u{feff}fn f() { reqwest::get(\"x\"); }\n")]);
    assert_eq!(said(&outcome), ["a.ts:1 uncovered", "b.rs:1 uncovered"]);
    assert_eq!(outcome.sites[0].at.column, 1, "a mark is no character of the line");
}

#[test]
fn carriage_returns() {
    let outcome = audited(&[("a.js", "// one\r\nfetch('/a');\r\n\r\n  fetch('/b');\r\n")]);
    assert_eq!(said(&outcome), ["a.js:2 uncovered", "a.js:4 uncovered"]);
    assert_eq!(outcome.sites[1].at.column, 3);
}

#[test]
fn empty_files() {
    let outcome =
        audited(&[("a.js", ""), ("b.ts", "\n\n"), ("c.rs", ""), ("d.vue", ""), ("package.json", ""), ("e.js", "fetch('/a')")]);
    assert_eq!(said(&outcome), ["e.js:1 uncovered"]);
    assert_eq!((outcome.counts.seen, outcome.counts.unreadable), (5, 0));
}

#[test]
fn a_line_of_100_megabytes() {
    let folder = folder(&[("a.js", b"fetch('/a');\n"), ("b.js", b"fetch('/b'); //"), ("c.js", b"x = '")]);
    for (name, size) in [("b.js", 100 * 1024 * 1024), ("c.js", 2 * 1024 * 1024 + 1)] {
        let mut file = std::fs::OpenOptions::new().write(true).open(folder.path().join(name)).unwrap();
        file.seek(SeekFrom::Start(size - 1)).unwrap();
        file.write_all(b"\n").unwrap();
    }
    let outcome = audit(folder.path());
    assert_eq!(said(&outcome), ["a.js:1 uncovered"]);
    assert_eq!((outcome.counts.seen, outcome.counts.too_large), (3, 2));
    let outcome = audit_with(folder.path(), |settings| settings.max_size = 3 * 1024 * 1024);
    assert_eq!(outcome.counts.too_large, 1);
    assert!(said(&outcome).contains(&"a.js:1 uncovered".to_owned()), "{:?}", said(&outcome));
}

/// 100,000 of each kind of nesting that a text can have, before a good line.
#[test]
fn nesting_without_end() {
    const DEEP: usize = 100_000;
    let nested = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP));
    let texts = [
        ("lists", format!("x = {};\nfetch('/a');\n", nested("[", "1", "]"))),
        ("groups", format!("x = {};\nfetch('/a');\n", nested("(", "1", ")"))),
        ("blocks", format!("{};\nfetch('/a');\n", nested("{", "", "}"))),
        ("objects", format!("x = {};\nfetch('/a');\n", nested("{a:", "1", "}"))),
        ("calls", format!("x = {};\nfetch('/a');\n", nested("f(", "1", ")"))),
        ("functions", format!("x = {}1;\nfetch('/a');\n", "()=>".repeat(DEEP))),
        ("members", format!("x = a{};\nfetch('/a');\n", ".b".repeat(DEEP))),
        ("chains", format!("x = a{};\nfetch('/a');\n", ".b()".repeat(DEEP))),
        ("sums", format!("x = 1{};\nfetch('/a');\n", "+1".repeat(DEEP))),
        ("choices", format!("x = {}1;\nfetch('/a');\n", "a?1:".repeat(DEEP))),
        ("negations", format!("x = {}1;\nfetch('/a');\n", "- ".repeat(DEEP))),
        ("markup", format!("x = {};\nfetch('/a');\n", nested("<a>", "", "</a>"))),
        ("types", format!("let x: {};\nfetch('/a');\n", nested("A<", "B", ">"))),
        ("open", format!("fetch('/a');\n{}", "([{".repeat(DEEP / 3))),
        ("closed", format!("fetch('/a');\n{}", ")]}".repeat(DEEP / 3))),
        ("ifs", format!("{}fetch('/a');\n", "if (a) ".repeat(DEEP))),
    ];
    let mut files: Vec<(String, String)> = Vec::new();
    for (name, text) in texts {
        files.extend(["js", "tsx", "ts"].map(|ending| (format!("{name}.{ending}"), text.clone())));
    }
    let function = |inside: String| format!("fn f() {{ {inside}; reqwest::blocking::get(\"x\"); }}\n");
    let texts = [
        ("groups", function(format!("let x = {}", nested("(", "1", ")")))),
        ("blocks", function(nested("{", "", "}"))),
        ("chains", function(format!("a{}", ".b()".repeat(DEEP)))),
        ("sums", function(format!("let x = 1{}", "+1".repeat(DEEP)))),
        ("negations", function(format!("let x = {}1", "-".repeat(DEEP)))),
        ("borrows", function(format!("let x = {}1", "& ".repeat(DEEP)))),
        ("types", function(format!("let x: {}", nested("A<", "B", ">")))),
        ("macros", function(format!("m!{}", nested("(", "1", ")")))),
        ("modules", nested("mod a {", "", "}")),
        ("uses", format!("use {};", nested("a::{", "b", "}"))),
        ("open", function("([{".repeat(DEEP / 3))),
    ];
    files.extend(texts.into_iter().map(|(name, text)| (format!("{name}.rs"), text)));
    files.push(("good.js".to_owned(), "fetch('/good');\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let outcome = audited(&files);
    assert!(said(&outcome).contains(&"good.js:1 uncovered".to_owned()), "{:?}", said(&outcome));
    assert_eq!(outcome.counts.seen as usize, files.len());
}

#[test]
fn broken_in_the_middle() {
    let outcome = audited(&[
        ("a.ts", "fetch('/a');\nfunction broken( { if } ] = => ;\nexport function after() {\n  return fetch('/b');\n}\n"),
        (
            "b.rs",
            "fn a() { reqwest::blocking::get(\"a\"); }\nfn broken( { let } ] = => ;\nfn b() { reqwest::blocking::get(\"b\"); }\n",
        ),
    ]);
    let said = said(&outcome);
    for site in ["a.ts:1 uncovered", "a.ts:4 uncovered", "b.rs:1 covered", "b.rs:3 covered"] {
        assert!(said.contains(&site.to_owned()), "{site}: {said:?}");
    }
    let files: Vec<&str> = outcome.unreadable.iter().map(|file| &*file.file).collect();
    assert_eq!(files, ["a.ts", "b.rs"], "{:?}", outcome.unreadable);
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_or_back() {
    let folder = folder(&[("a.js", b"fetch('/a');\n"), ("inner/b.js", b"fetch('/b');\n")]);
    std::os::unix::fs::symlink(folder.path().join("gone.js"), folder.path().join("dangling.js")).unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("inner/back")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("self.js"), folder.path().join("self.js")).unwrap();
    let outcome = audit(folder.path());
    assert_eq!(said(&outcome), ["a.js:1 uncovered", "inner/b.js:1 uncovered"]);
    let files: Vec<&str> = outcome.unreadable.iter().map(|file| &*file.file).collect();
    assert_eq!(files, ["dangling.js", "inner/back", "self.js"], "{:?}", outcome.unreadable);
    assert_eq!(outcome.counts.unreadable, 3);
}

#[cfg(unix)]
#[test]
fn files_and_folders_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("a.js", b"fetch('/a');\n"), ("closed.js", b"fetch('/b');\n"), ("shut/c.js", b"fetch('/c');\n")]);
    let shut = |name: &str, mode: u32| {
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    shut("closed.js", 0);
    shut("shut", 0);
    if std::fs::read(folder.path().join("closed.js")).is_ok() {
        eprintln!("skipped: this user may read everything");
    } else {
        let outcome = audit(folder.path());
        assert_eq!(said(&outcome), ["a.js:1 uncovered"]);
        let files: Vec<&str> = outcome.unreadable.iter().map(|file| &*file.file).collect();
        assert_eq!(files, ["closed.js", "shut"], "{:?}", outcome.unreadable);
    }
    shut("shut", 0o755);
}

#[test]
fn a_path_that_does_not_exist() {
    let missing = Path::new("there/is/no/such/folder").to_path_buf();
    let settings = cases::everything(Path::new("."), vec![missing], 1);
    let error = untimed::scan::audit(&settings, &CATALOG).unwrap_err().to_string();
    assert!(error.starts_with("there/is/no/such/folder: no such file or folder"), "{error}");
}

#[test]
fn cyclic_imports() {
    let outcome = audited(&[
        ("a.mjs", "import { limit, get } from './b.mjs';\nexport * from './b.mjs';\nexport const own = limit;\nget('/x');\n"),
        (
            "b.mjs",
            "import { own } from './a.mjs';\nexport * from './a.mjs';\nexport const limit = own;\nexport const get = (path) => fetch(path, { signal: AbortSignal.timeout(own) });\n",
        ),
        ("c.mjs", "export { nothing } from './d.mjs';\n"),
        ("d.mjs", "export { nothing } from './c.mjs';\nimport { nothing } from './c.mjs';\nfetch('/y', nothing);\n"),
        ("e.cjs", "const e = require('./e.cjs');\nmodule.exports = { ...e, call: () => fetch('/z', e.options) };\n"),
    ]);
    let lines: Vec<(&str, u32)> = outcome.sites.iter().map(|site| (&*site.at.file, site.name_line)).collect();
    assert_eq!(lines, [("a.mjs", 4), ("d.mjs", 3), ("e.cjs", 2)]);
}

#[test]
fn cyclic_values() {
    let outcome = audited(&[
        ("a.js", "const a = b + 1, b = a + 1;\nfetch('/a', { signal: AbortSignal.timeout(a) });\n"),
        (
            "b.js",
            "let options = {};\noptions = { ...options, ...more };\nvar more = { ...options };\noptions.self = options;\nfetch('/b', options);\n",
        ),
        ("c.js", "const f = () => g(), g = () => f();\nfetch('/c', f());\n"),
        ("d.js", "const list = [...list];\nlist.forEach((x) => fetch(x, list[0]));\n"),
        (
            "e.rs",
            "const A: u64 = B; const B: u64 = A;\nfn f() { let c = reqwest::blocking::Client::builder().timeout(std::time::Duration::from_secs(A)).build().unwrap(); c.get(\"x\").send(); }\n",
        ),
    ]);
    let files: Vec<&str> = outcome.sites.iter().map(|site| &*site.at.file).collect();
    assert_eq!(files, ["a.js", "b.js", "c.js", "d.js", "e.rs"]);
}

#[test]
fn cyclic_wrappers() {
    let outcome = audited(&[
        ("a.js", "function get(path, tries) { return tries ? get(path, tries - 1) : fetch(path); }\nget('/a', 3);\n"),
        (
            "b.js",
            "function ping(url) { return pong(url); }\nfunction pong(url) { return url ? ping(url) : fetch(url); }\nping('/b');\n",
        ),
        ("c.js", "function lonely(url) { fetch(url); return lonely(url); }\n"),
        ("d.js", "const first = (url) => second(url);\nconst second = (url) => { first(url); return fetch(url); };\n"),
    ]);
    let files: Vec<&str> = outcome.sites.iter().map(|site| &*site.at.file).collect();
    for file in ["a.js", "b.js", "c.js", "d.js"] {
        assert!(files.contains(&file), "{file}: {:?}", said(&outcome));
    }
}

#[test]
fn classes_that_extend_themselves() {
    let outcome = audited(&[
        ("a.js", "class A extends A {\n  get(path) { return fetch(path, this.options); }\n}\nnew A().get('/a');\n"),
        (
            "b.js",
            "class B extends C {}\nclass C extends B {\n  constructor() { super(); this.x = super.x; }\n  load() { return super.load() ?? fetch('/b', this.x); }\n}\nnew B().load();\n",
        ),
        ("c.ts", "import { D as Base } from './c';\nexport class D extends Base { run() { return fetch('/c', this.o); } }\n"),
    ]);
    let files: Vec<&str> = outcome.sites.iter().map(|site| &*site.at.file).collect();
    assert_eq!(files, ["a.js", "b.js", "c.ts"]);
}

#[test]
fn manifests_that_are_none() {
    let outcome = audited(&[
        ("package.json", "{ \"name\": "),
        ("tsconfig.json", "{{{{"),
        ("package-lock.json", "[]"),
        ("Cargo.toml", "[package\nname = 3"),
        ("Cargo.lock", "\0"),
        ("data.json", "{ \"timeout\": [}"),
        ("a.ts", "import axios from 'axios';\nimport data from './data.json';\naxios.get('/a', data);\n"),
        ("src/main.rs", "fn f() { reqwest::blocking::get(\"x\"); }\n"),
    ]);
    let files: Vec<&str> = outcome.sites.iter().map(|site| &*site.at.file).collect();
    assert_eq!(files, ["a.ts", "src/main.rs"]);
}

#[test]
fn library_files_that_are_refused() {
    let refused = [
        ("client = \"x\"\nkind = \"http\"\nsource = \"me\"\npackages = [\"x\"]\ntimout = 3\n", "timout"),
        ("client = ", "expected"),
        ("client = \"x\"\nkind = \"carrier-pigeon\"\nsource = \"me\"\n", "carrier-pigeon"),
    ];
    for (text, word) in refused {
        let folder = folder(&[("javascript/x.toml", text.as_bytes())]);
        let settings = Settings { queries: vec![folder.path().to_path_buf()], ..Settings::default() };
        let error = untimed::scan::catalog(&settings).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("x.toml") && error.contains(word), "{error}");
    }
    let settings = Settings { queries: vec!["there/is/no/such/folder".into()], ..Settings::default() };
    let error = untimed::scan::catalog(&settings).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("there/is/no/such/folder: "), "{error}");
}
