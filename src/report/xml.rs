//! What the XML formats share: a writer, and text that XML may hold.
//!
//! In: what is written inside. Out: a document.

use std::borrow::Cow;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::clean;

/// A writer into memory.
pub(super) type Xml = Writer<Vec<u8>>;

/// A document with what `write` puts into it.
pub(super) fn document(write: impl FnOnce(&mut Xml) -> io::Result<()>) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing into memory does not fail.
    let _ = xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None))).and_then(|()| write(&mut xml));
    let mut text = String::from_utf8(xml.into_inner()).unwrap_or_default();
    text.push('\n');
    text
}

/// Text without characters that XML forbids even when they are escaped.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    let text = clean(text);
    let forbidden = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    if text.contains(forbidden) { text.replace(forbidden, "\u{fffd}").into() } else { text }
}
