//! Types that the grammars refuse where they stand: type arguments between a tag and its template (``sql<Row[]>`…` ``), and function
//! types whose only parameter goes by a keyword (`(string) => void`).
//!
//! In: a text, its tree, and its bytes. Out: the bytes with such type arguments blank and such parameters renamed.

use tree_sitter::Tree;

/// Keywords that name a parameter nobody uses.
const KEYWORDS: [&str; 9] = ["any", "boolean", "never", "number", "object", "string", "symbol", "undefined", "unknown"];

/// Blanks type arguments before a template.
pub(super) fn blank_type_arguments(text: &str, tree: &Tree, bytes: &mut [u8]) {
    for (at, _) in text.match_indices('`') {
        let before = text[..at].trim_end();
        if !before.ends_with('>') || before.ends_with("=>") || !begins_template(tree, at) {
            continue;
        }
        if let Some(open) = opening(before).filter(|open| is_tag(&text[..*open])) {
            bytes[open..before.len()].fill(b' ');
        }
    }
}

/// Whether a template begins there, as far as the grammar sees that.
fn begins_template(tree: &Tree, at: usize) -> bool {
    let node = tree.root_node().descendant_for_byte_range(at, at + 1);
    let around = node.filter(|node| node.kind() == "`").and_then(|node| node.parent());
    around.is_some_and(|around| around.is_error() || around.start_byte() == at)
}

/// Where the type arguments begin that a text ends with.
fn opening(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_u32;
    for at in (0..bytes.len()).rev() {
        match bytes[at] {
            b'>' if at > 0 && matches!(bytes[at - 1], b'=' | b'-') => {}
            b'>' => depth += 1,
            b'<' if depth <= 1 => return Some(at),
            b'<' => depth -= 1,
            b'`' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a text ends with what a template can be tagged with.
fn is_tag(text: &str) -> bool {
    text.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | '$' | ')' | ']'))
}

/// Renames the only parameter of a function type where it goes by a keyword.
pub(super) fn rename_keywords(text: &str, bytes: &mut [u8]) {
    for (at, _) in text.match_indices("=>") {
        let Some(inside) = text[..at].trim_end().strip_suffix(')').map(str::trim_end) else { continue };
        let is_only = |keyword: &&&str| inside.strip_suffix(**keyword).is_some_and(|before| before.trim_end().ends_with('('));
        if let Some(keyword) = KEYWORDS.iter().find(is_only) {
            bytes[inside.len() - keyword.len()] = b'_';
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::{Expr, FileFacts};
    use crate::lang::Frontend;
    use crate::lang::javascript::JavaScript;

    /// What the calls of a text call, and the text of each.
    fn calls(extension: &str, text: &str) -> Vec<(String, String)> {
        let facts = JavaScript::new().map(|javascript| javascript.lower(extension, text));
        let Ok(facts) = facts else { return Vec::new() };
        assert!(facts.broken.is_empty(), "{text}: {:?}", facts.broken);
        let called = |facts: &FileFacts, call| match facts.expr(call) {
            Expr::Call { callee, .. } => facts.named(*callee).unwrap_or_default(),
            _ => String::new(),
        };
        let place = |call| &text[facts.span(call).start as usize..facts.span(call).end as usize];
        facts.calls.iter().map(|call| (called(&facts, *call), place(*call).to_owned())).collect()
    }

    fn tagged(text: &str) -> Vec<(String, String)> {
        calls("ts", text)
    }

    fn one(callee: &str, text: &str) -> Vec<(String, String)> {
        vec![(callee.to_owned(), text.to_owned())]
    }

    #[test]
    fn reads_templates_with_type_arguments() {
        for types in ["<Row>", "<Row[]>", "<{ a: string }[]>", "<Array<{ a: boolean }>>", "<\n  { f: (a: A) => B }[]\n>", "<[]>"]
        {
            let call = format!("db.sql{types}`select 1`");
            assert_eq!(tagged(&format!("const rows = await {call};\n")), one("db.sql", &call));
            assert_eq!(tagged(&format!("const rows = [{call}];\n")), one("db.sql", &call));
        }
        let call = "db.sql<{ value: string }[]>\n  `select 1`";
        assert_eq!(tagged(&format!("async () => {{ return {call} }};\n")), one("db.sql", call));
        assert_eq!(
            calls("tsx", "const Box = styled.div<Props>`a: ${(p) => p.a};`;\n"),
            one("styled.div", "styled.div<Props>`a: ${(p) => p.a};`")
        );
    }

    #[test]
    fn leaves_other_templates() {
        assert_eq!(tagged("const a = `<b>`;\nconst c = x < y ? z > `1` : f(`<b>${x}</b>`);\n").len(), 1);
        assert_eq!(tagged("const f = (a: Map<string, string>) => `x`;\nf(m);\n"), one("f", "f(m)"));
        assert_eq!(calls("tsx", "const a = <p>b<code>`c`</code></p>;\nf(a);\n"), one("f", "f(a)"));
    }

    #[test]
    fn reads_parameters_that_go_by_keywords() {
        let text = "interface A { ready: (string) => boolean; set?: ( boolean ) => void; on: Promise<(any) => void> }\nf(1);\n";
        assert_eq!(tagged(text), one("f", "f(1)"));
        assert_eq!(tagged("const g = (string) => send(string);\nlet h: (string) => void;\n"), one("send", "send(string)"));
    }
}
