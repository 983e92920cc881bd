//! The audit as JUnit XML, for views of test results.
//!
//! In: an [`Outcome`]. Out: a suite for each file: a finding is a failure, a suppressed finding and one that stood before are skipped, and a
//! call without findings passes.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use quick_xml::events::BytesText;

use super::step;
use super::xml::{Xml, document, text};
use crate::finding::{Finding, Outcome, Site, Standing};

/// A test: what became of a call.
enum Test<'a> {
    Passed(&'a Site),
    Found(&'a Finding),
}

/// How many tests there are, and what became of them.
#[derive(Clone, Copy)]
struct Tally {
    tests: usize,
    failures: usize,
    skipped: usize,
}

/// The whole report.
pub(super) fn audit(outcome: &Outcome) -> String {
    let suites = suites(outcome);
    document(|xml| {
        let all = tally(suites.values().flatten());
        let root = xml.create_element("testsuites").with_attributes(attributes("untimed", all).iter().map(pair));
        root.write_inner_content(|xml| suites.iter().try_for_each(|(file, tests)| suite(xml, file, tests)))?;
        Ok(())
    })
}

/// The tests of each file, in the order of their places.
fn suites(outcome: &Outcome) -> BTreeMap<&str, Vec<Test<'_>>> {
    let found: BTreeSet<&str> = outcome.findings.iter().map(|finding| finding.site.as_str()).collect();
    let passed = outcome.sites.iter().filter(|site| !found.contains(site.id.as_str())).map(Test::Passed);
    let mut suites: BTreeMap<&str, Vec<Test<'_>>> = BTreeMap::new();
    for test in outcome.findings.iter().map(Test::Found).chain(passed) {
        suites.entry(test.file()).or_default().push(test);
    }
    for tests in suites.values_mut() {
        tests.sort_by_key(Test::place);
    }
    suites
}

impl<'a> Test<'a> {
    fn file(&self) -> &'a str {
        match self {
            Self::Passed(site) => &site.at.file,
            Self::Found(finding) => &finding.at.file,
        }
    }

    fn place(&self) -> (u32, u32) {
        match self {
            Self::Passed(site) => (site.at.line, site.at.column),
            Self::Found(finding) => (finding.at.line, finding.at.column),
        }
    }
}

fn tally<'a>(tests: impl Iterator<Item = &'a Test<'a>>) -> Tally {
    let mut tally = Tally { tests: 0, failures: 0, skipped: 0 };
    for test in tests {
        tally.tests += 1;
        match test {
            Test::Passed(_) => {}
            Test::Found(finding) if skipped(finding).is_some() => tally.skipped += 1,
            Test::Found(_) => tally.failures += 1,
        }
    }
    tally
}

fn attributes(name: &str, tally: Tally) -> [(&'static str, String); 5] {
    [
        ("name", text(name).into_owned()),
        ("tests", tally.tests.to_string()),
        ("failures", tally.failures.to_string()),
        ("skipped", tally.skipped.to_string()),
        ("errors", "0".to_owned()),
    ]
}

fn pair<'a>((name, value): &'a (&'static str, String)) -> (&'a str, &'a str) {
    (name, value)
}

fn suite(xml: &mut Xml, file: &str, tests: &[Test<'_>]) -> io::Result<()> {
    let suite = xml.create_element("testsuite").with_attributes(attributes(file, tally(tests.iter())).iter().map(pair));
    suite.write_inner_content(|xml| {
        tests.iter().try_for_each(|test| match test {
            Test::Passed(site) => passed(xml, site),
            Test::Found(finding) => found(xml, finding),
        })
    })?;
    Ok(())
}

fn passed(xml: &mut Xml, site: &Site) -> io::Result<()> {
    let name = format!("{} {} {}:{}", site.verdict.word(), site.call, site.at.line, site.at.column);
    let case = xml.create_element("testcase");
    case.with_attributes([("name", &*text(&name)), ("classname", &text(&site.at.file))]).write_empty()?;
    Ok(())
}

fn found(xml: &mut Xml, finding: &Finding) -> io::Result<()> {
    let (file, line) = (text(&finding.at.file), finding.at.line.to_string());
    let name = format!("{} {}:{}", finding.rule.id(), finding.at.line, finding.at.column);
    let case = xml.create_element("testcase");
    let case = case.with_attributes([("name", name.as_str()), ("classname", &file), ("file", &file), ("line", &line)]);
    case.write_inner_content(|xml| {
        xml.create_element("properties").write_inner_content(|xml| {
            let property = xml.create_element("property");
            property.with_attributes([("name", "fingerprint"), ("value", &finding.fingerprint)]).write_empty()?;
            Ok(())
        })?;
        match skipped(finding) {
            Some(reason) => xml.create_element("skipped").with_attribute(("message", &*text(reason))).write_empty()?,
            None => failure(xml, finding)?,
        };
        Ok(())
    })?;
    Ok(())
}

/// Why a finding is no failure.
fn skipped(finding: &Finding) -> Option<&str> {
    let known = (finding.standing == Some(Standing::Known)).then_some("it stood before");
    finding.suppressed.as_deref().or(known)
}

fn failure<'a>(xml: &'a mut Xml, finding: &Finding) -> io::Result<&'a mut Xml> {
    let mut body = format!("{}:{}:{}\n", text(&finding.at.file), finding.at.line, finding.at.column);
    if !finding.fix.is_empty() {
        body.push_str(&text(&finding.fix));
        body.push('\n');
    }
    for one in &finding.evidence {
        body.push_str(&text(&step(one)));
        body.push('\n');
    }
    let failure = xml.create_element("failure");
    let failure = failure.with_attributes([("type", finding.rule.id()), ("message", &text(&finding.message))]);
    failure.write_text_content(BytesText::new(&body))
}
