//! `.env` files: one `NAME=value` a line.
//!
//! In: the text of such a file, or the folder that it lies in. Out: names, values and lines. `export` is passed over, quotes and comments behind a value go; nothing is
//! interpolated.

use crate::facts::deployment::{Filed, Setting, Spot};

/// One variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value; `None` where the line names it alone, so that it comes from whoever runs the program.
    pub value: Option<String>,
    /// 1-based.
    pub line: u32,
}

/// Reads a file's variables, in order. Lines that are none are passed over.
pub fn variables(text: &str) -> Vec<Variable> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim().strip_prefix("export ").unwrap_or(line.trim()).trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (name.trim(), Some(plain(value.trim()))),
            None => (line, None),
        };
        if is_name(name) {
            found.push(Variable { name: name.to_owned(), value, line: at as u32 + 1 });
        }
    }
    found
}

/// The variables that the `.env` file of a folder sets, in its order, each with its place.
pub fn beside(folder: &Filed) -> Vec<(String, Setting)> {
    let file = folder.join(".env");
    let text = std::fs::read_to_string(&file.path).unwrap_or_default();
    let set = |variable: Variable| {
        let at = Spot::new(&file.shown, variable.line);
        Some((variable.name, Setting { value: Ok(variable.value?), at }))
    };
    variables(&text).into_iter().filter_map(set).collect()
}

/// Whether a text can be the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

/// A value without quotes, or without the comment behind it.
fn plain(value: &str) -> String {
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote)
            && let Some(end) = inner.find(quote)
        {
            return inner[..end].to_owned();
        }
    }
    value.split(" #").next().unwrap_or(value).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_variables() {
        let text = "# shop\nA=1\nexport B = \"two # not a comment\"\nC='x' # y\nD=http://d:80/#/x # z\nE\n\nnot a name=1\nF=";
        let found: Vec<(String, Option<String>, u32)> =
            variables(text).into_iter().map(|variable| (variable.name, variable.value, variable.line)).collect();
        let is = |name: &str, value: Option<&str>, line| (name.to_owned(), value.map(str::to_owned), line);
        assert_eq!(
            found,
            [
                is("A", Some("1"), 2),
                is("B", Some("two # not a comment"), 3),
                is("C", Some("x"), 4),
                is("D", Some("http://d:80/#/x"), 5),
                is("E", None, 6),
                is("F", Some(""), 9),
            ]
        );
    }
}
