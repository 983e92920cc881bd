//! Templates (`{{ … }}`), as far as they are literal.
//!
//! In: a text with actions of Helm or Jinja. Out: the same text, line by line, with a mark in place of each action, so that it is YAML where
//! the rest is; whoever reads a value that holds the mark knows that it is not known. No action is run and no value is looked up.

/// What stands in place of an action.
pub(super) const MARK: char = '\u{e000}';

/// Whether a text has actions.
pub(super) fn is_template(text: &str) -> bool {
    text.contains("{{") && text.contains("}}")
}

/// Whether a value is known: no action took part in it.
pub(super) fn is_literal(text: &str) -> bool {
    !text.contains(MARK)
}

/// The text with marks for actions. Lines that hold nothing but actions become empty.
pub(super) fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find("{{") {
        out.push_str(&rest[..begin]);
        let action = &rest[begin..];
        let end = action.find("}}").map_or(action.len(), |end| end + 2);
        out.push(MARK);
        out.extend(action[..end].chars().filter(|c| *c == '\n'));
        rest = &action[end..];
    }
    out.push_str(rest);
    let lines: Vec<String> = out.lines().map(line).collect();
    lines.join("\n") + "\n"
}

fn line(line: &str) -> String {
    let bare = line.trim();
    if !bare.is_empty() && bare.chars().all(|c| c == MARK || c.is_whitespace()) {
        return String::new();
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_become_marks_and_lines_stay() {
        let text = "{{- if .x }}\nname: orders-{{ .y }}\n{{/* a\nb */}}\nport: 80\n{{- end }}\n";
        assert_eq!(marked(text), format!("\nname: orders-{MARK}\n\n\nport: 80\n\n"));
        assert!(is_template(text) && !is_literal(&marked(text)) && is_literal("port"));
        marked("never {{ closed");
    }
}
