//! Notes beside the line: what a case says that the audit must say.
//!
//! `//~ covered 3s by client [axios] idle from #api` (`#~` where `#` begins a comment). A note is a prefix of a site's one-line form,
//! ending where a word ends; ` from #a #b` names lines that its evidence must hold. `//~ #api` labels its line. Several notes on a line
//! are separated by ` ; ` or by another `//~`. `^` and `v` after the marker move it a line up or down each. `//~!none`: the file has no
//! site on purpose. `MISSING:` is true and not said yet, `SPURIOUS:` is said and false; both fail when the gap closes.

use std::collections::BTreeMap;

use untimed::finding::{Evidence, Outcome, Site};

/// What a note claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It is so, and it is said.
    Said,
    /// It is so, and it is not said.
    Missing,
    /// It is not so, and it is said.
    Spurious,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it claims.
    pub claim: Claim,
    /// The file as reports print it.
    pub file: String,
    /// The line that it is about.
    pub line: u32,
    /// The beginning of the one-line form.
    pub text: String,
    /// Labels of lines that are evidence.
    pub from: Vec<String>,
}

/// The notes of a case.
#[derive(Debug, Default)]
pub struct Notes {
    /// In the order of the text.
    pub notes: Vec<Note>,
    /// Files that have no site on purpose.
    pub none: Vec<String>,
    /// Files and lines by label.
    pub labels: BTreeMap<String, Vec<(String, u32)>>,
    /// Notes that cannot be read.
    pub bad: Vec<String>,
}

impl Notes {
    /// Whether there is anything at all.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.none.is_empty()
    }

    /// Reads the notes of one file.
    pub fn read(&mut self, file: &str, text: &str) {
        for (at, line) in text.lines().enumerate() {
            let Some(begin) = line.find("//~").or_else(|| line.find("#~")) else { continue };
            let marker = if line[begin..].starts_with("//~") { "//~" } else { "#~" };
            for piece in line[begin + marker.len()..].split(marker) {
                self.piece(file, at as u32 + 1, piece);
            }
        }
    }

    fn piece(&mut self, file: &str, line: u32, piece: &str) {
        let piece = piece.trim_end().trim_end_matches("*/}").trim_end_matches("*/").trim_end_matches("-->");
        let moves = piece.len() - piece.trim_start_matches(['^', 'v']).len();
        let moved = piece[..moves].chars().fold(i64::from(line), |line, step| if step == '^' { line - 1 } else { line + 1 });
        let line = u32::try_from(moved).unwrap_or(0);
        for note in piece[moves..].split(" ; ").map(str::trim) {
            self.note(file, line, note);
        }
    }

    fn note(&mut self, file: &str, line: u32, note: &str) {
        if note == "!none" {
            return self.none.push(file.to_owned());
        }
        if note.starts_with('#') {
            for label in note.split_whitespace() {
                self.labels.entry(label.to_owned()).or_default().push((file.to_owned(), line));
            }
            return;
        }
        let (claim, rest) = if let Some(rest) = note.strip_prefix("MISSING:") {
            (Claim::Missing, rest)
        } else if let Some(rest) = note.strip_prefix("SPURIOUS:") {
            (Claim::Spurious, rest)
        } else {
            (Claim::Said, note)
        };
        let (text, from) = rest.trim().split_once(" from ").unwrap_or((rest.trim(), ""));
        let from: Vec<String> = from.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let verdict = text.split(' ').next().unwrap_or_default();
        if !matches!(verdict, "covered" | "partial" | "uncovered" | "unknown") || from.iter().any(|label| !label.starts_with('#'))
        {
            return self.bad.push(format!("{file}:{line}: `{note}` is no note: expected a verdict, a #label or !none"));
        }
        self.notes.push(Note { claim, file: file.to_owned(), line, text: text.trim().to_owned(), from });
    }

    /// Everything in which the audit and the notes differ; empty when they agree.
    pub fn differences(&self, files: &[String], outcome: &Outcome) -> Vec<String> {
        let mut differences = self.bad.clone();
        for note in &self.notes {
            let unknown = note.from.iter().filter(|label| !self.labels.contains_key(*label));
            differences.extend(unknown.map(|label| format!("{}:{}: no line is labelled {label}", note.file, note.line)));
        }
        let used = |label: &String| self.notes.iter().any(|note| note.from.contains(label));
        for (label, places) in self.labels.iter().filter(|(label, _)| !used(label)) {
            differences.extend(places.iter().map(|(file, line)| format!("{file}:{line}: no note is from {label}")));
        }
        for file in files {
            let sites: Vec<&Site> = outcome.sites.iter().filter(|site| *site.at.file == **file).collect();
            let notes: Vec<&Note> = self.notes.iter().filter(|note| note.file == *file).collect();
            if self.none.contains(file) && !notes.is_empty() {
                differences.push(format!("{file}: says !none and has notes"));
            }
            let mut lines: Vec<u32> = sites.iter().map(|site| site.name_line).chain(notes.iter().map(|note| note.line)).collect();
            lines.sort_unstable();
            lines.dedup();
            for line in lines {
                let sites: Vec<&Site> = sites.iter().copied().filter(|site| site.name_line == line).collect();
                let notes: Vec<&Note> = notes.iter().copied().filter(|note| note.line == line).collect();
                self.line(&sites, &notes, &mut differences);
            }
        }
        differences
    }

    fn line(&self, sites: &[&Site], notes: &[&Note], differences: &mut Vec<String>) {
        let of = |claim: Claim| notes.iter().copied().filter(|note| note.claim == claim).collect::<Vec<_>>();
        let mut open: Vec<&Site> = sites.to_vec();
        let unmet = self.take(&of(Claim::Said), &mut open);
        let still_missing = self.take(&of(Claim::Missing), &mut open);
        for note in of(Claim::Missing).into_iter().filter(|note| !still_missing.contains(note)) {
            differences.push(format!(
                "{}:{}: the gap is closed: `{}` is said now; drop MISSING: (and its SPURIOUS:)",
                note.file, note.line, note.text
            ));
        }
        for note in self.take(&of(Claim::Spurious), &mut open) {
            differences.push(format!(
                "{}:{}: the gap is closed: `{}` is no longer said; drop SPURIOUS:",
                note.file, note.line, note.text
            ));
        }
        for note in unmet {
            let from = if note.from.is_empty() { String::new() } else { format!(" from {}", note.from.join(" ")) };
            differences.push(format!("{}:{}: expected `{}{from}`", note.file, note.line, note.text));
        }
        for site in open {
            let mut text =
                format!("{}:{}: found, accepted as: //~ {}{}", site.at.file, site.name_line, site, self.labelled(site));
            for evidence in &site.evidence {
                text.push_str(&format!("\n        {}:{}: {}", evidence.at.file, evidence.at.line, evidence.text));
            }
            differences.push(text);
        }
    }

    /// Gives each note a site of its own; what is left of either comes back or stays.
    fn take<'n>(&self, notes: &[&'n Note], open: &mut Vec<&Site>) -> Vec<&'n Note> {
        let mut given: Vec<Option<usize>> = vec![None; open.len()];
        let mut unmet = Vec::new();
        for at in 0..notes.len() {
            let mut tried = vec![false; open.len()];
            if !self.give(notes, at, open, &mut given, &mut tried) {
                unmet.push(notes[at]);
            }
        }
        let mut given = given.into_iter();
        open.retain(|_| given.next().flatten().is_none());
        unmet
    }

    fn give(&self, notes: &[&Note], at: usize, open: &[&Site], given: &mut Vec<Option<usize>>, tried: &mut Vec<bool>) -> bool {
        for site in 0..open.len() {
            if tried[site] || !self.fits(notes[at], open[site]) {
                continue;
            }
            tried[site] = true;
            let free = match given[site] {
                None => true,
                Some(other) => self.give(notes, other, open, given, tried),
            };
            if free {
                given[site] = Some(at);
                return true;
            }
        }
        false
    }

    fn fits(&self, note: &Note, site: &Site) -> bool {
        let said = site.to_string();
        let prefix = said.strip_prefix(&*note.text).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        prefix && note.from.iter().all(|label| self.is_evidence(label, site))
    }

    fn is_evidence(&self, label: &str, site: &Site) -> bool {
        let places = self.labels.get(label).map_or(&[][..], Vec::as_slice);
        places.iter().any(|(file, line)| {
            let on = |at: &untimed::finding::Region| *at.file == **file && (at.line..=at.end_line.max(at.line)).contains(line);
            let in_evidence = |evidence: &Evidence| on(&evidence.at);
            site.evidence.iter().any(in_evidence) || site.limit.as_ref().and_then(|limit| limit.at.as_ref()).is_some_and(on)
        })
    }

    fn labelled(&self, site: &Site) -> String {
        let labels: Vec<&str> = self.labels.keys().map(String::as_str).filter(|label| self.is_evidence(label, site)).collect();
        if labels.is_empty() { String::new() } else { format!(" from {}", labels.join(" ")) }
    }
}
