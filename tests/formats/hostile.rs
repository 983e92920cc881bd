//! Code and paths that would be markup, commands or formulas are shown as text in every format.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use untimed::finding::{Evidence, Finding, Identity, Outcome, Region, Rule, Severity};
use untimed::report::{Format, Sources};

use super::carried::{elements, value};

const PATH: &str = "src/<script>alert('1')</script>/\"a\"%, b:🦀\u{202e}עברית`|.ts";
const MESSAGE: &str =
    "call `get<script>alert(1)</script>` \"of\" 'x' & @team [y](z) | *b*\n::error::no %0A 🦀 עברית \u{202e}\u{1b}[31m";
const FORMULAS: [&str; 5] = ["=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "\t=1"];

fn finding(message: &str) -> Finding {
    let at = Region { file: PATH.into(), line: 3, column: 5, end_line: 3, end_column: 9 };
    Finding {
        rule: Rule::UncoveredCall,
        severity: Severity::Error,
        site: String::new(),
        at: at.clone(),
        message: message.to_owned(),
        fix: message.to_owned(),
        evidence: vec![Evidence { at, text: message.to_owned() }],
        fingerprint: "0123456789abcdef".to_owned(),
        identity: Identity::default(),
        suppressed: None,
        standing: None,
    }
}

fn report(format: Format, message: &str) -> String {
    let outcome = Outcome { findings: vec![finding(message)], ..Outcome::default() };
    super::write(&outcome, format, &Sources::default())
}

/// The message as text formats show it: what a terminal would obey is spelled out.
fn spelled() -> String {
    MESSAGE.replace('\n', "\\u{a}").replace('\u{202e}', "\\u{202e}").replace('\u{1b}', "\\u{1b}")
}

#[test]
fn nothing_in_a_format_for_people_is_obeyed() {
    for format in Format::ALL {
        let report = report(format, MESSAGE);
        let report = if format == Format::Text { anstream::adapter::strip_str(&report).to_string() } else { report };
        let for_programs = matches!(format, Format::Json | Format::Jsonl | Format::Sarif | Format::Gitlab);
        assert!(!report.contains('\u{1b}'), "{format:?}: {report}");
        assert!(for_programs || !report.contains('\u{202e}'), "{format:?}: {report}");
        assert!(report.contains('🦀') && report.contains("עברית") || format == Format::Sarif, "{format:?}: {report}");
    }
}

#[test]
fn html_shows_text() {
    let page = report(Format::Html, MESSAGE);
    assert_eq!(page.matches("<script>").count(), 1, "only the page's own script");
    assert!(page.contains("get&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    assert!(page.contains("src/&lt;script&gt;alert('1')&lt;/script&gt;/"), "{page}");
}

#[test]
fn xml_gives_the_text_back() {
    for (format, element) in [(Format::Junit, "failure"), (Format::Checkstyle, "error")] {
        let report = report(format, MESSAGE);
        let found = elements(&report, element);
        assert_eq!(found.len(), 1);
        assert!(value(&found[0], "message").starts_with(&spelled()), "{report}");
    }
    let file = value(&elements(&report(Format::Checkstyle, MESSAGE), "file")[0], "name");
    assert_eq!(file, PATH.replace('\u{202e}', "\\u{202e}"));
}

#[test]
fn github_sees_one_command() {
    let report = report(Format::Github, MESSAGE);
    assert_eq!(report.lines().count(), 1, "{report}");
    let (properties, message) = report.trim_start_matches("::").split_once("::").unwrap();
    assert!(properties.contains("%25%2C b%3A🦀"), "{properties}");
    assert!(message.starts_with(&spelled().replace('%', "%25")), "{message}");
}

#[test]
fn markdown_has_no_markup_links_or_mentions() {
    let report = report(Format::Markdown, MESSAGE);
    let mut page = String::new();
    pulldown_cmark::html::push_html(&mut page, pulldown_cmark::Parser::new_ext(&report, pulldown_cmark::Options::ENABLE_TABLES));
    for markup in ["<script", "<a ", "<em>", "<img", "@team"] {
        assert!(!page.contains(markup), "{markup}: {page}");
    }
    assert_eq!(page.matches("<tr>").count(), 2, "the heading and one row: {page}");
    let cells: Vec<&str> = page.split("<td>").skip(1).collect();
    assert_eq!(cells.len(), 3, "{page}");
    assert!(cells[0].contains("&lt;script&gt;alert('1')&lt;/script&gt;") && cells[0].contains("עברית`|.ts:3</code>"), "{page}");
    assert!(
        cells[1].contains("<code>get&lt;script&gt;alert(1)&lt;/script&gt;</code>") && cells[1].contains("[y](z) | *b*"),
        "{page}"
    );
}

#[test]
fn csv_has_no_formula() {
    for formula in FORMULAS {
        let report = report(Format::Csv, formula);
        let mut reader = csv::Reader::from_reader(report.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        let cell = row.iter().nth(5).unwrap();
        let first = cell.trim_start().chars().next().unwrap();
        assert!(!"=+-@".contains(first), "{cell}");
    }
    let report = report(Format::Csv, "a, \"b\"");
    assert!(report.contains("\"a, \"\"b\"\"\""), "{report}");
}
