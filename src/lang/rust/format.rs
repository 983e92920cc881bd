//! Format strings: `"{a}/x/{}"` as the texts and values it joins.
//!
//! In: the text of a format string. Out: its parts. Widths, precisions and traits are dropped.

/// A part of a format string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Text between holes.
    Text(String),
    /// The next positional argument: `{}`.
    Next,
    /// A positional argument: `{0}`.
    At(usize),
    /// A named argument or a variable in reach: `{name}`.
    Name(String),
}

/// Takes a format string apart.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut all = Vec::new();
    let mut current = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '{' | '}' if rest.next_if_eq(&c).is_some() => current.push(c),
            '{' => {
                let hole: String = rest.by_ref().take_while(|c| *c != '}').collect();
                if !current.is_empty() {
                    all.push(Part::Text(std::mem::take(&mut current)));
                }
                let name = hole.split(':').next().unwrap_or("").trim();
                all.push(match name.parse() {
                    _ if name.is_empty() => Part::Next,
                    Ok(at) => Part::At(at),
                    Err(_) => Part::Name(name.to_owned()),
                });
            }
            c => current.push(c),
        }
    }
    if !current.is_empty() {
        all.push(Part::Text(current));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_and_texts() {
        assert_eq!(
            parts("{{{a:>5}/x/{}{1:?}}}"),
            [
                Part::Text("{".into()),
                Part::Name("a".into()),
                Part::Text("/x/".into()),
                Part::Next,
                Part::At(1),
                Part::Text("}".into()),
            ]
        );
        assert_eq!(parts("{"), [Part::Next]);
    }
}
