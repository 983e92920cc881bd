//! The script blocks of component files: `.vue`, `.svelte`, `.astro`.
//!
//! In: the text of such a file. Out: a text of the same length in which everything but code is blank, so that every line and
//! column stays what it was; and which grammar reads it. Markup outside the blocks is not read.

/// The code of a component file.
pub(super) struct Blocks {
    /// The text with everything else blank.
    pub(super) text: String,
    /// The ending of a file that the code could stand in alone: `js`, `jsx`, `ts`, `tsx`.
    pub(super) extension: &'static str,
}

/// Blanks everything but the code.
pub(super) fn blocks(extension: &str, text: &str) -> Blocks {
    let mut kept: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    let mut language = "js";
    if extension == "astro" {
        language = "ts";
        if let Some((start, end)) = frontmatter(text) {
            kept.push((start, end));
            from = end;
        }
    }
    while let Some(block) = next_script(text, from) {
        if let Some(found) = block.language {
            language = wider(language, found);
        }
        if block.is_code {
            kept.push((block.start, block.end));
        }
        from = block.end;
    }
    Blocks { text: blanked(text, &kept), extension: language }
}

/// The grammar that reads both.
fn wider(one: &'static str, other: &'static str) -> &'static str {
    match (one, other) {
        ("js", other) => other,
        (one, "js") => one,
        (one, other) if one == other => one,
        _ => "tsx",
    }
}

fn blanked(text: &str, kept: &[(usize, usize)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end) in kept.iter().copied().chain([(text.len(), text.len())]) {
        blank(text.get(at..start).unwrap_or(""), &mut out);
        out.push_str(text.get(start..end).unwrap_or(""));
        at = end;
    }
    out
}

fn blank(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(c),
            c => out.extend(std::iter::repeat_n(' ', c.len_utf8())),
        }
    }
}

/// What stands between the two `---` lines at the top.
fn frontmatter(text: &str) -> Option<(usize, usize)> {
    let top = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.len() - top.len() + 3;
    let inner = top.strip_prefix("---")?;
    Some((start, start + inner.find("\n---").map_or(inner.len(), |end| end + 1)))
}

struct Script {
    start: usize,
    end: usize,
    language: Option<&'static str>,
    is_code: bool,
}

/// The next `<script>` at or after an offset. Comments of the markup are passed over.
fn next_script(text: &str, mut from: usize) -> Option<Script> {
    loop {
        let at = from + text.get(from..)?.find('<')?;
        let rest = text.get(at..)?;
        if rest.starts_with("<!--") {
            from = at + rest.find("-->")? + 3;
        } else if starts_with_word(rest, "<script") {
            let (language, is_code, length) = attributes(rest.get("<script".len()..)?);
            let start = at + "<script".len() + length;
            let end = start + end_of_script(text.get(start..)?);
            return Some(Script { start, end, language, is_code });
        } else {
            from = at + 1;
        }
    }
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        && !text[word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '-')
}

fn end_of_script(text: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("</")) {
        if starts_with_word(&text[from + at..], "</script") {
            return from + at;
        }
        from += at + 2;
    }
    text.len()
}

/// The language, whether it is code at all, and where the tag ends.
fn attributes(text: &str) -> (Option<&'static str>, bool, usize) {
    let end = tag_end(text);
    let inside = text.get(..end.saturating_sub(1)).unwrap_or("");
    let language = attribute(inside, "lang").and_then(|lang| match lang {
        "ts" | "typescript" => Some("ts"),
        "tsx" => Some("tsx"),
        "jsx" => Some("jsx"),
        _ => None,
    });
    let is_code = attribute(inside, "type")
        .is_none_or(|kind| matches!(kind, "module" | "") || kind.ends_with("javascript") || kind.ends_with("babel"));
    let closed = inside.trim_end().ends_with('/');
    (language, is_code && !closed, end)
}

fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(at) = tag.get(from..).and_then(|rest| rest.find(name)).map(|at| from + at) {
        from = at + name.len();
        let begins = tag[..at].chars().next_back().is_none_or(char::is_whitespace);
        let value = tag[from..].trim_start().strip_prefix('=').map(str::trim_start);
        if let (true, Some(value)) = (begins, value) {
            return Some(match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value[1..].split(quote).next().unwrap_or(""),
                _ => value.split(char::is_whitespace).next().unwrap_or(""),
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(extension: &str, text: &str) -> (String, &'static str) {
        let blocks = blocks(extension, text);
        assert_eq!(blocks.text.len(), text.len());
        assert_eq!(blocks.text.matches('\n').count(), text.matches('\n').count());
        (blocks.text.split_whitespace().collect::<Vec<_>>().join(" "), blocks.extension)
    }

    #[test]
    fn only_code_stays() {
        let vue = "<template>ü</template>\n<!-- <script>no()</script> -->\n<script setup lang='ts' generic=\"A extends B<C>\">\na();\n</script>\n<SCRIPT>b()</SCRIPT>";
        assert_eq!(code("vue", vue), ("a(); b()".into(), "ts"));
        assert_eq!(code("svelte", "<script type=\"application/json\">{}</script><script>x</script>"), ("x".into(), "js"));
        assert_eq!(code("astro", "---\nconst a = 1;\n---\n<b/><script>c()</script>"), ("const a = 1; c()".into(), "ts"));
        assert_eq!(code("vue", "<script src=\"./x.ts\" lang=\"tsx\" /><p/>"), (String::new(), "tsx"));
        assert_eq!(code("vue", "<script>a"), ("a".into(), "js"));
        assert_eq!(code("vue", "<scripts>a</scripts>"), (String::new(), "js"));
    }
}
