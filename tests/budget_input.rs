//! Absurd input: an exact answer or a clear error, at once.

#![allow(clippy::unwrap_used, clippy::panic)] // a test may fail

use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use untimed::budget::{self, Bound, Chain, Hop, Place, Rule, check};

/// Unoptimised builds on a busy machine are slow; what must not happen is work that grows with the tries or with the square of the hops.
const AT_ONCE: Duration = Duration::from_secs(60);

fn quickly<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    assert!(begun.elapsed() < AT_ONCE, "{what} took {:?}", begun.elapsed());
    done
}

fn untimed(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_untimed"))
        .arg("budget")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let text = stdin.to_owned();
    let writer = std::thread::spawn(move || drop(pipe.write_all(text.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn long(hops: usize) -> String {
    (0..hops).map(|at| format!("service-{at} -> service-{}  {}ms  {}\n", at + 1, 500 + at % 7, at % 3)).collect()
}

#[test]
fn a_thousand_hops_in_every_format() {
    let text = long(1_000);
    for format in ["text", "json", "svg", "mermaid", "dot"] {
        let output = quickly(format, || untimed(&["-", "--deadline", "2s", "--format", format], &text));
        assert_eq!(output.status.code(), Some(1), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty());
    }
    let output = untimed(&["-", "--deadline", "2s", "--solve"], &text);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--solve: the chain has 1000 calls; expected 64 at most"));
}

#[test]
fn ten_megabytes_of_calls_and_of_nonsense() {
    let text = long(300_000);
    assert!(text.len() > 10_000_000);
    let chains = quickly("parsing", || budget::parse(&text)).unwrap();
    let verdict = quickly("checking", || check(&chains[0]));
    assert_eq!(verdict.calls.len(), 300_000);
    for nonsense in ["x".repeat(10_000_000), "->".repeat(5_000_000), "\n".repeat(10_000_000), "a -> b 1s 0 ".repeat(1_000_000)] {
        let error = quickly("nonsense", || budget::parse(&nonsense)).unwrap_err();
        assert!(error.to_string().len() < 400, "{error}");
    }
}

#[test]
fn four_billion_retries() {
    let text = "a -> b  1ms  4294967295  backoff=exp:1ms..2ms\nb -> c  1ms  4294967295\n";
    for args in [
        &["-", "--deadline", "2s"][..],
        &["-", "--deadline", "2s", "--trace"],
        &["-", "--deadline", "2s", "--solve"],
        &["-", "--sensitivity"],
    ] {
        let output = quickly("retries", || untimed(args, text));
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let error = budget::parse("a -> b  1ms  4294967296").unwrap_err();
    assert!(error.to_string().contains("up to 4294967295"), "{error}");
}

#[test]
fn times_at_the_end_of_all_times() {
    let longest = "18446744073709.551615s";
    let chain = budget::parse(&format!("a -> b  {longest}  9\nb -> c  {longest}  9\n")).unwrap().remove(0);
    let verdict = check(&chain.with_deadline(Bound::micros(u64::MAX)));
    assert_eq!(verdict.worst.high, Bound::micros(u64::MAX), "saturated, and not unbounded");
    assert_eq!(verdict.amplification, 100);
    let many =
        Chain::new((0..64).map(|at| Hop::new(format!("s{at}"), format!("s{}", at + 1), Bound::millis(1), u32::MAX)).collect());
    assert_eq!(check(&many).amplification, u64::MAX);
}

#[test]
fn names_of_any_script() {
    let text = "Überweisung → 支払い  1s  0\n支払い -> 🏦-core  500ms  1  # größer\n";
    let chains = budget::parse(text).unwrap();
    assert_eq!(
        (chains[0].hops[0].callee.to_string(), chains[0].hops[1].callee.to_string()),
        ("支払い".to_owned(), "🏦-core".to_owned())
    );
    for format in ["text", "json", "svg", "mermaid", "dot"] {
        let output = untimed(&["-", "--format", format], text);
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("支払い"));
    }
    // What a terminal would obey is no name.
    let error = budget::parse("a\u{1b}[31m -> b 1s 0").unwrap_err().to_string();
    assert!(error.contains("\\u{1b}") && !error.contains('\u{1b}'), "{error}");
}

#[test]
fn a_chain_that_loops_is_one_turn_and_said_so() {
    let chain = budget::parse("a -> b 4s 0\nb -> a 2s 0\na -> b 1s 0\n").unwrap().remove(0);
    let verdict = check(&chain.with_deadline(Bound::millis(4_000)));
    assert!(verdict.fits());
    assert_eq!(verdict.worst.high, Bound::millis(1_000));
    let looping = verdict.findings.iter().find(|finding| finding.rule == Rule::Loop).unwrap();
    assert_eq!(looping.hop, Some(1));
}

#[test]
fn markup_in_names_stays_text() {
    let text = "a<b>&\"c\" -> d]\"\\n 1s 0\n";
    for (format, harmless) in
        [("svg", "a&lt;b&gt;&amp;&quot;c&quot;"), ("mermaid", "a#60;b#62;#38;#34;c#34;"), ("dot", "d]\\\"\\\\n")]
    {
        let output = untimed(&["-", "--format", format], text);
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(shown.contains(harmless), "{format}: {shown}");
    }
}

/// Whoever knows where a setting is written gets advice that names the place.
#[test]
fn advice_names_the_place() {
    let mut chain =
        budget::parse("orders -> stock  3s  0\nstock -> db  2s  1").unwrap().remove(0).with_deadline(Bound::millis(2_500));
    chain.hops[0].per_try_at = Some(Place { setting: "`timeout`".to_owned(), at: "orders/src/stock.rs:16".to_owned() }.into());
    chain.hops[1].retries_at = Some(Place { setting: "`retries`".to_owned(), at: "stock/src/db.rs:9".to_owned() }.into());
    let verdict = check(&chain);
    assert_eq!(verdict.calls[0].advice[0], "set `timeout` at orders/src/stock.rs:16 to 2500 ms or less");
    assert_eq!(verdict.calls[1].advice[1], "set `retries` at stock/src/db.rs:9 to 0 instead of 1");
    assert_eq!(verdict.calls[1].advice[2], "set `timeout` at orders/src/stock.rs:16 to 4000 ms or more");
}

#[test]
fn an_output_file_holds_the_report_without_colours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.txt");
    let output = untimed(&["-", "--deadline", "500ms", "--output", path.to_str().unwrap()], "a -> b 1s 0\n");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let report = std::fs::read_to_string(path).unwrap();
    assert!(report.starts_with("does not fit: a can take 1.00 s, its caller waits 500 ms\n"), "{report}");
    assert!(!report.contains('\u{1b}'));
}

#[test]
fn the_same_bytes_every_time() {
    let run = || untimed(&["fixtures/chain/frontend.txt", "--deadline", "2s", "--solve", "--sensitivity", "--trace"], "").stdout;
    assert_eq!(run(), run());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A correct file that is cut or mangled anywhere is read or refused, never half read and never a crash.
    #[test]
    fn mangled_files(at in 0_usize..200, with in "\\PC{0,3}", cut in any::<bool>()) {
        let text = "# x\nchain one deadline=2s backoff=25ms\na -> b  1s  2  total=3s backoff=exp:25ms..250ms jitter=full\nb -> c  500ms  2  reserve=1+2ms\n";
        let at = at.min(text.len());
        let mut mangled = text[..at].to_owned();
        mangled.push_str(&with);
        if !cut {
            mangled.push_str(&text[at..]);
        }
        match budget::parse(&mangled) {
            Ok(chains) => prop_assert!(chains.iter().all(|chain| !chain.hops.is_empty())),
            Err(error) => prop_assert!(error.line >= 1 && error.line <= mangled.lines().count().max(1)),
        }
    }
}

/// A long chain is written differently from a short one, and is the same document.
#[test]
fn long_json_is_json() {
    for hops in [3, 1_001] {
        let output = untimed(&["-", "--deadline", "2s", "--format", "json"], &long(hops));
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let calls = value["chains"][0]["calls"].as_array().unwrap();
        assert_eq!(calls.len(), hops);
        assert_eq!((&calls[2]["caller"], &calls[2]["per_try_ms"]), (&serde_json::json!("service-2"), &serde_json::json!(502)));
        assert_eq!(value["chains"][0]["fits_deadline"], serde_json::json!(true));
    }
}
