//! What each format carries, read back: the fingerprints of findings, or their places where a format has no room for fingerprints.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail loudly")]

use std::collections::BTreeSet;

use quick_xml::events::Event;
use serde_json::Value;
use untimed::finding::{Finding, Outcome};
use untimed::report::Format;

/// Fingerprints, or `file:line rule`.
pub type Carried = BTreeSet<String>;

/// What a format should carry of an outcome.
pub fn expected(format: Format, outcome: &Outcome) -> Carried {
    let with_suppressed =
        matches!(format, Format::Json | Format::Jsonl | Format::Sarif | Format::Junit | Format::Csv | Format::Html);
    let findings = outcome.findings.iter().filter(|finding| with_suppressed || finding.suppressed.is_none());
    let by_place = matches!(format, Format::Text | Format::Short | Format::Github | Format::Checkstyle | Format::Markdown);
    findings.map(|finding| if by_place { place(finding) } else { finding.fingerprint.clone() }).collect()
}

fn place(finding: &Finding) -> String {
    format!("{}:{} {}", finding.at.file, finding.at.line, finding.rule.id())
}

/// What a report carries.
pub fn carried(format: Format, report: &str) -> Carried {
    match format {
        Format::Text => text(report),
        Format::Short => report.lines().map(short).collect(),
        Format::Json => strings(&json(report)["findings"], "fingerprint"),
        Format::Jsonl => {
            report.lines().map(json).filter(|line| line["type"] == "finding").map(|line| string(&line["fingerprint"])).collect()
        }
        Format::Sarif => sarif(report),
        // What could not be read has no line, and is no finding.
        Format::Github => report.lines().filter(|line| line.contains(",line=")).map(github).collect(),
        Format::Gitlab => strings(&json(report), "fingerprint"),
        Format::Junit => elements(report, "property").iter().map(|property| value(property, "value")).collect(),
        Format::Checkstyle => checkstyle(report),
        Format::Markdown => report.lines().filter(|line| line.starts_with("| `")).map(markdown).collect(),
        Format::Csv => csv(report),
        Format::Html => html(report),
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn strings(array: &Value, member: &str) -> Carried {
    array.as_array().unwrap().iter().map(|one| string(&one[member])).collect()
}

/// `error[rule]: message`, then `--> file:line:column` in the next line.
fn text(report: &str) -> Carried {
    let plain = anstream::adapter::strip_str(report).to_string();
    let lines: Vec<&str> = plain.lines().collect();
    let headings = lines.windows(2).filter_map(|pair| {
        let rule = pair[0].strip_prefix("error[").or_else(|| pair[0].strip_prefix("warning["))?.split(']').next()?;
        let place = pair[1].trim_start().strip_prefix("--> ")?;
        Some(format!("{} {rule}", place.rsplit_once(':')?.0))
    });
    headings.collect()
}

/// `file:line:column: rule message`.
fn short(line: &str) -> String {
    let (place, rest) = line.split_once(": ").unwrap();
    format!("{} {}", place.rsplit_once(':').unwrap().0, rest.split(' ').next().unwrap())
}

fn sarif(report: &str) -> Carried {
    let log = json(report);
    let results = log["runs"][0]["results"].as_array().unwrap();
    results.iter().map(|result| string(&result["partialFingerprints"]["untimed/v1"])).collect()
}

/// `::error file=…,line=…,title=rule::message`.
fn github(line: &str) -> String {
    let (properties, _) = line.trim_start_matches("::").split_once("::").unwrap();
    let (_, properties) = properties.split_once(' ').unwrap();
    let of = |name: &str| {
        let value = properties.split(',').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        value.unwrap().replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
    };
    format!("{}:{} {}", of("file"), of("line"), of("title"))
}

/// The attributes of all elements of a name.
pub fn elements(xml: &str, wanted: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return found,
            Event::Start(element) | Event::Empty(element) if element.name().as_ref() == wanted => {
                let attributes = element.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap();
                    (attribute.key.as_ref().to_owned(), value.into_owned())
                });
                found.push(attributes.collect());
            }
            _ => {}
        }
    }
}

/// The value of an attribute.
pub fn value(attributes: &[(String, String)], name: &str) -> String {
    attributes.iter().find(|(key, _)| key == name).unwrap().1.clone()
}

fn checkstyle(report: &str) -> Carried {
    let mut carried = Carried::new();
    for file in report.split("<file ").skip(1) {
        let file = format!("<file {}", file.split("</file>").next().unwrap());
        let name = value(&elements(&file, "file")[0], "name");
        for error in elements(&file, "error") {
            let source = value(&error, "source");
            carried.insert(format!("{name}:{} {}", value(&error, "line"), source.trim_start_matches("untimed.")));
        }
    }
    carried
}

/// `` | `file:line` | error `rule`: message | … ``
fn markdown(row: &str) -> String {
    let mut code = row.split('`').skip(1).step_by(2);
    format!("{} {}", code.next().unwrap(), code.next().unwrap())
}

fn csv(report: &str) -> Carried {
    let mut reader = csv::Reader::from_reader(report.as_bytes());
    let at = reader.headers().unwrap().iter().position(|column| column == "fingerprint").unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}

fn html(report: &str) -> Carried {
    report.split("data-fingerprint=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}
