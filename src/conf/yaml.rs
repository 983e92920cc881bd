//! YAML as a tree with line numbers: documents, anchors, merge keys.
//!
//! In: the text of a file. Out: [`Node`]s, one for each document, and the first error with its line; what stands before the error is
//! kept. What is anchored is shared, not copied, so that aliases of aliases cost nothing. It gives no meaning to anything: scalars are
//! text, tags are passed over.

use std::collections::HashMap;
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle};

/// How deep values may stand inside each other.
const DEEPEST: usize = 100;

/// A value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// The line on which it begins, 1-based.
    pub line: u32,
    /// What it is.
    pub data: Data,
}

/// What a value is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// Nothing: `~`, `null`, or no text at all.
    Null,
    /// A text, number or truth value, as written.
    Scalar(Box<str>),
    /// A list.
    List(Vec<Rc<Node>>),
    /// A map, in source order; what `<<` merges comes last. A key that stands twice has its last value.
    Map(Vec<Entry>),
}

/// One entry of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The key.
    pub key: Rc<str>,
    /// Its line.
    pub line: u32,
    /// The value.
    pub value: Rc<Node>,
}

/// Why a text is no YAML from here on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// 1-based.
    pub line: u32,
    /// What is wrong.
    pub why: String,
}

/// How many brackets are put right in one file.
const MOST_REPAIRS: usize = 50;

/// Reads all documents of a text. A bracket that closes a list or map at the margin, as libyaml takes it and YAML 1.2 does not, is put right.
pub(super) fn documents(text: &str) -> (Vec<Rc<Node>>, Option<Broken>) {
    let (mut read, mut repaired) = (strictly(text), text.to_owned());
    for _ in 0..MOST_REPAIRS {
        let Some(line) = read.1.as_ref().map(|broken| broken.line as usize) else { break };
        let Some(indented) = indented(&repaired, line) else { break };
        repaired = indented;
        read = strictly(&repaired);
    }
    read
}

/// The text with one line that begins with a closing bracket moved to the right; `None` where it begins with something else.
fn indented(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let at = line.checked_sub(1)?;
    let margin = " ".repeat(80);
    lines.get(at).filter(|line| line.trim_start().starts_with([']', '}']) && !line.starts_with(&margin))?;
    let moved = |(nth, line): (usize, &&str)| if nth == at { format!("{margin}{line}") } else { (*line).to_owned() };
    Some(lines.iter().enumerate().map(moved).collect::<Vec<_>>().join("\n"))
}

/// Reads all documents; what is open where the text breaks is closed there.
fn strictly(text: &str) -> (Vec<Rc<Node>>, Option<Broken>) {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                let broken = Broken { line: error.marker().line() as u32, why: error.info().to_owned() };
                return (builder.closed(), Some(broken));
            }
        };
        if let Err(broken) = builder.take(event, span.start.line() as u32) {
            return (builder.closed(), Some(broken));
        }
    }
    (builder.documents, None)
}

/// A list or map that is not complete yet.
enum Open {
    List(Vec<Rc<Node>>),
    Map { entries: Vec<Entry>, key: Option<(Rc<str>, u32)> },
}

#[derive(Default)]
struct Builder {
    documents: Vec<Rc<Node>>,
    open: Vec<(Open, usize, u32)>,
    anchors: HashMap<usize, Rc<Node>>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, line: u32) -> Result<(), Broken> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let is_null = style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                let data = if is_null { Data::Null } else { Data::Scalar(text.into()) };
                self.finish(Rc::new(Node { line, data }), anchor);
            }
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).cloned();
                let why = || "an alias that stands inside its own anchor".to_owned();
                let node = node.ok_or_else(|| Broken { line, why: why() })?;
                self.finish(node, 0);
            }
            Event::SequenceStart(anchor, _) => self.begin(Open::List(Vec::new()), anchor, line)?,
            Event::MappingStart(anchor, _) => self.begin(Open::Map { entries: Vec::new(), key: None }, anchor, line)?,
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::DocumentStart(_) => self.anchors.clear(),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn begin(&mut self, open: Open, anchor: usize, line: u32) -> Result<(), Broken> {
        if self.open.len() >= DEEPEST {
            return Err(Broken { line, why: format!("more than {DEEPEST} values inside each other") });
        }
        self.open.push((open, anchor, line));
        Ok(())
    }

    fn end(&mut self) {
        if let Some((open, anchor, line)) = self.open.pop() {
            let data = match open {
                Open::List(items) => Data::List(items),
                Open::Map { entries, .. } => Data::Map(merged(entries)),
            };
            self.finish(Rc::new(Node { line, data }), anchor);
        }
    }

    /// The documents, with what is still open closed.
    fn closed(mut self) -> Vec<Rc<Node>> {
        while !self.open.is_empty() {
            self.end();
        }
        self.documents
    }

    /// Puts a complete value where it belongs.
    fn finish(&mut self, node: Rc<Node>, anchor: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            None => self.documents.push(node),
            Some((Open::List(items), ..)) => items.push(node),
            Some((Open::Map { entries, key }, ..)) => match key.take() {
                Some((key, line)) => entries.push(Entry { key, line, value: node }),
                None => *key = Some((node.text().unwrap_or_default().into(), node.line)),
            },
        }
    }
}

/// Entries with what `<<` brings: the map's own keys first, then those of earlier merged maps.
fn merged(entries: Vec<Entry>) -> Vec<Entry> {
    let mut own: Vec<Entry> = Vec::new();
    let mut brought: Vec<Entry> = Vec::new();
    for entry in entries {
        match (&*entry.key, &entry.value.data) {
            ("<<", Data::Map(more)) => brought.extend(more.iter().cloned()),
            ("<<", Data::List(maps)) => {
                brought.extend(maps.iter().flat_map(|map| map.entries()).cloned());
            }
            _ => match own.iter_mut().find(|known| known.key == entry.key) {
                Some(known) => *known = entry,
                None => own.push(entry),
            },
        }
    }
    for entry in brought {
        if !own.iter().any(|known| known.key == entry.key) {
            own.push(entry);
        }
    }
    own
}

impl Node {
    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Rc<Self>> {
        self.entries().iter().find(|entry| &*entry.key == key).map(|entry| &entry.value)
    }

    /// The value at a path of keys.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.get(key).map(Rc::as_ref))
    }

    /// The text at a path of keys.
    pub(super) fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path)?.text()
    }

    /// The entries of a map; none for anything else.
    pub(super) fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none for anything else.
    pub(super) fn items(&self) -> &[Rc<Self>] {
        match &self.data {
            Data::List(items) => items,
            _ => &[],
        }
    }

    /// The items of a list, or the value itself where it stands alone.
    pub(super) fn one_or_more(self: &Rc<Self>) -> Vec<Rc<Self>> {
        match &self.data {
            Data::List(items) => items.clone(),
            Data::Null => Vec::new(),
            _ => vec![self.clone()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_lines_anchors_and_merge_keys() {
        let text = "x: &base\n  a: 1\n  b: two\ny:\n  <<: *base\n  b: own\n---\n- ~\n- 'null'\n";
        let (documents, broken) = documents(text);
        assert_eq!(broken, None);
        let y = documents[0].get("y").unwrap();
        assert_eq!((y.text_at(&["a"]), y.text_at(&["b"])), (Some("1"), Some("own")));
        assert_eq!(y.entries().iter().map(|entry| entry.line).collect::<Vec<_>>(), [6, 2]);
        assert_eq!(documents[1].items()[0].data, Data::Null);
        assert_eq!(documents[1].items()[1].text(), Some("null"));
    }

    #[test]
    fn what_stands_before_an_error_is_kept() {
        let (documents, broken) = documents("a: 1\n---\nb: 2\nc: [1\nd: 2\n");
        assert_eq!(documents.len(), 2);
        assert_eq!(documents[1].text_at(&["b"]), Some("2"));
        let broken = broken.unwrap();
        assert!(broken.line >= 3 && !broken.why.is_empty(), "{broken:?}");
    }

    #[test]
    fn brackets_at_the_margin_are_put_right() {
        let (documents, broken) = documents("a:\n  b: [\n    x,\n  ]\n  c: {\n    d: 1\n  }\n  e: 2\n");
        assert_eq!(broken, None);
        assert_eq!((documents[0].text_at(&["a", "c", "d"]), documents[0].text_at(&["a", "e"])), (Some("1"), Some("2")));
    }

    #[test]
    fn bombs_cost_nothing() {
        let mut text = "a0: &a0 [x, x]\n".to_owned();
        for n in 1..40 {
            let last = n - 1;
            text.push_str(&format!("a{n}: &a{n} [*a{last}, *a{last}, *a{last}, *a{last}]\n"));
        }
        let (bomb, broken) = documents(&text);
        assert_eq!((bomb[0].entries().len(), broken), (40, None));
        let (_, broken) = documents(&"[".repeat(100_000));
        assert!(broken.is_some());
        let (_, broken) = documents("a: &a\n  b: *a\n");
        assert_eq!(broken.map(|broken| broken.line), Some(2));
    }
}
