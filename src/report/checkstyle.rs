//! The findings as Checkstyle XML, which most views of linters read.
//!
//! In: an [`Outcome`]. Out: the findings that are not suppressed, by file.

use std::io;

use super::xml::{Xml, document, text};
use super::{open, said};
use crate::finding::{Finding, Outcome, Severity};

/// The whole report.
pub(super) fn audit(outcome: &Outcome) -> String {
    document(|xml| {
        let findings: Vec<&Finding> = open(outcome).collect();
        let root = xml.create_element("checkstyle").with_attribute(("version", "10.0"));
        root.write_inner_content(|xml| findings.chunk_by(|a, b| a.at.file == b.at.file).try_for_each(|file| write(xml, file)))?;
        Ok(())
    })
}

fn write(xml: &mut Xml, findings: &[&Finding]) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let file = xml.create_element("file").with_attribute(("name", &*text(&first.at.file)));
    file.write_inner_content(|xml| {
        for finding in findings {
            let severity = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Off => "info",
            };
            let source = format!("untimed.{}", finding.rule.id());
            let (line, column) = (finding.at.line.to_string(), finding.at.column.to_string());
            let error = xml.create_element("error").with_attributes([
                ("line", line.as_str()),
                ("column", &column),
                ("severity", severity),
                ("message", &text(&said(finding))),
                ("source", &source),
            ]);
            error.write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}
