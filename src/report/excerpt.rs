//! A message with the source lines that it is about: one primary place, evidence as labelled lines, also in other files.
//!
//! In: places and texts, and the [`Sources`]. Out: text. Where a source cannot be read, the places stand as plain lines.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::{Sources, clean};
use crate::finding::{Evidence, Region};

/// More lines than this are not marked in one go; what spans more is marked on its first line.
const WIDEST: usize = 140;

/// What is said about a place.
pub(super) struct Excerpt<'a> {
    /// How loud.
    pub level: Level<'static>,
    /// The rule, if any.
    pub id: Option<&'a str>,
    /// The message.
    pub message: &'a str,
    /// The primary place.
    pub at: &'a Region,
    /// Further places, in order.
    pub evidence: &'a [Evidence],
    /// What to do; may be empty.
    pub help: &'a str,
}

/// A place in a file, to be marked.
struct Mark<'a> {
    at: &'a Region,
    label: String,
    primary: bool,
}

impl Excerpt<'_> {
    /// The message, its lines, and what to do.
    pub(super) fn draw(&self, sources: &Sources, width: usize) -> String {
        let (message, help) = (clean(self.message), clean(self.help));
        let mut title = self.level.clone().primary_title(&*message);
        if let Some(id) = self.id {
            title = title.id(id);
        }
        let elements = self.files().into_iter().flat_map(|(file, marks)| snippet(file, &marks, sources));
        let mut group = Group::with_title(title).elements(elements);
        if !help.is_empty() {
            group = group.element(Level::HELP.message(&*help));
        }
        let width = if width == 0 { WIDEST } else { width.min(WIDEST) };
        let mut text = Renderer::styled().term_width(width).render(&[group]);
        text.push('\n');
        text
    }

    /// The places to mark, per file, the primary one's first.
    fn files(&self) -> Vec<(&str, Vec<Mark<'_>>)> {
        let mut files: Vec<(&str, Vec<Mark<'_>>)> =
            vec![(&*self.at.file, vec![Mark { at: self.at, label: String::new(), primary: true }])];
        for one in self.evidence {
            let at = files.iter().position(|(file, _)| **file == *one.at.file).unwrap_or(files.len());
            if at == files.len() {
                files.push((&*one.at.file, Vec::new()));
            }
            let marks = &mut files[at].1;
            match marks.iter_mut().find(|mark| mark.at == &one.at) {
                Some(same) if same.label.is_empty() => same.label = clean(&one.text).into_owned(),
                Some(same) => same.label = format!("{}; {}", same.label, clean(&one.text)),
                None => marks.push(Mark { at: &one.at, label: clean(&one.text).into_owned(), primary: false }),
            }
        }
        files
    }
}

/// The lines of one file.
fn snippet<'a>(file: &str, marks: &[Mark<'_>], sources: &Sources) -> Vec<Element<'a>> {
    let first = marks.iter().map(|mark| mark.at.line).min().unwrap_or(1);
    let last = marks.iter().map(|mark| mark.at.line).max().unwrap_or(1);
    let Some(lines) = sources.lines(file, first, last) else {
        return marks.iter().flat_map(plain).collect();
    };
    let mut starts = Vec::with_capacity(lines.len());
    let mut source = String::new();
    for line in &lines {
        starts.push(source.len());
        source.push_str(line);
        source.push('\n');
    }
    let annotations = marks.iter().filter_map(|mark| {
        let at = (mark.at.line - first) as usize;
        let (line, start) = (lines.get(at)?, starts.get(at)?);
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let span = span_of(line, mark.at);
        let annotation = kind.span(start + span.start..start + span.end);
        Some(if mark.label.is_empty() { annotation } else { annotation.label(mark.label.clone()) })
    });
    let annotations: Vec<_> = annotations.collect();
    vec![Snippet::source(source).path(clean(file).into_owned()).line_start(first as usize).annotations(annotations).into()]
}

/// A place whose source is not there.
fn plain<'a>(mark: &Mark<'_>) -> Vec<Element<'a>> {
    let at = mark.at;
    let origin = Origin::path(clean(&at.file).into_owned()).line(at.line as usize).char_column(at.column as usize);
    let mut elements: Vec<Element<'a>> = vec![origin.into()];
    if !mark.label.is_empty() {
        elements.push(Level::NOTE.message(mark.label.clone()).into());
    }
    elements
}

/// The bytes of a line that a place takes; at least one character, and never beyond the line.
fn span_of(line: &str, at: &Region) -> Range<usize> {
    let byte = |column: u32| {
        let characters = column.saturating_sub(1) as usize;
        line.char_indices().nth(characters).map_or(line.len(), |(at, _)| at)
    };
    let start = byte(at.column);
    let end = if at.end_line == at.line { byte(at.end_column) } else { line.trim_end().len() };
    let next = line[start..].chars().next().map_or(start, |c| start + c.len_utf8());
    start..end.max(next)
}
