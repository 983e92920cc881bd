use super::lower;
use crate::facts::Language;

const ENDINGS: [&str; 6] = ["js", "ts", "tsx", "vue", "svelte", "astro"];

/// Lowers on a thread with the stack of a rayon worker.
fn lower_on_small_stack(extension: &'static str, text: String) -> usize {
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let handle = thread.spawn(move || {
        let facts = lower(extension, &text);
        let _ = facts.to_string();
        facts.broken.len()
    });
    handle.unwrap().join().unwrap()
}

#[test]
fn deep_nesting_is_marked_and_survived() {
    let deep = 100_000;
    let nest = |open: &str, middle: &str, close: &str| format!("x = {}{middle}{};", open.repeat(deep), close.repeat(deep));
    for text in [
        nest("(", "1", ")"),
        nest("[", "1", "]"),
        nest("{a:", "1", "}"),
        nest("f(", "1", ")"),
        nest("!", "1", ""),
        nest("a ? ", "b", " : c"),
        nest("() => {", "", "}"),
        nest("a = ", "1", ""),
        nest("`${", "1", "}`"),
        format!("{}{}", "{".repeat(deep), "}".repeat(deep)),
        format!("const {}a{} = b;", "[".repeat(deep), "]".repeat(deep)),
        format!("const {}a{} = b;", "{a:".repeat(deep), "}".repeat(deep)),
    ] {
        assert!(lower_on_small_stack("js", text.clone()) > 0, "{:.40}", text);
    }
    let mixed = "f({ a: async ({ b }) => { if (c) { for (const d of e) { return new F([`${".repeat(2000);
    assert!(lower_on_small_stack("ts", mixed.clone()) > 0);
    assert!(lower_on_small_stack("tsx", format!("{mixed}{}", "}`]) } } } });".repeat(2000))) > 0);
    assert!(lower_on_small_stack("tsx", format!("x = {}{}", "<a>".repeat(5000), "</a>".repeat(5000))) > 0);
    assert!(lower_on_small_stack("ts", format!("let a: {}b{};", "A<".repeat(5000), ">".repeat(5000))) > 0);
    assert!(lower_on_small_stack("ts", format!("let a: {}b{};", "{ a: ".repeat(5000), "}".repeat(5000))) > 0);
    for text in ["(", "[", "{", "f(", "`${", "<a>", "a?", "class A {"] {
        lower_on_small_stack("js", text.repeat(deep));
    }
}

#[test]
fn long_chains_are_followed_to_the_end() {
    let links = 150;
    let calls = lower("ts", &format!("a{}", ".b()".repeat(links)));
    assert_eq!((calls.calls.len(), calls.broken.len()), (links, 0));
    let sum = lower("ts", &format!("x = f(){}", " + f()".repeat(5000)));
    assert_eq!((sum.calls.len(), sum.broken.len()), (5001, 0));
    let branches = lower("ts", &format!("if (f()) g();{}", "else if (f()) g();".repeat(2000)));
    assert_eq!((branches.calls.len(), branches.broken.len()), (4002, 0));
}

#[test]
fn unusual_texts() {
    for extension in ENDINGS {
        for text in [
            "",
            "\u{feff}",
            "\0",
            "a\0b()",
            "\r\n\r\n",
            "<script>",
            "---",
            "---\n",
            "#!/usr/bin/env node\n",
            "\u{2028}",
            "'",
            "`",
            "/*",
            "//",
            "<!--",
            "🦀",
            "((((",
            "))))",
            "<<<<<<< HEAD\na()\n=======\n",
        ] {
            lower(extension, text);
        }
    }
    let facts = lower("js", "\u{feff}#!/usr/bin/env node\r\nconst a = 1;\r\n  f('é', g());\r\n");
    assert!(facts.to_string().ends_with("call 3:10 g()\ncall 3:3 f(\"é\", g())\n"), "{facts}");
    let null = lower("js", "a(); \0\0 b();");
    assert_eq!(null.calls.len(), 2, "{null}");
}

#[test]
fn broken_syntax_keeps_what_can_be_read() {
    let facts = lower("ts", "a(1);\nconst x = { y: b(2), ;\nc(3);\nfunction d() { if (e(4) { }\nf(5);\n");
    let calls: Vec<_> = facts.calls.iter().map(|call| facts.show(*call)).collect();
    for call in ["a(1)", "b(2)", "c(3)", "e(4)", "f(5)"] {
        assert!(calls.iter().any(|found| found == call), "{call} of {calls:?}");
    }
    assert!(facts.broken.iter().all(|broken| &*broken.reason == "syntax error") && !facts.broken.is_empty());
}

#[test]
fn component_files() {
    let vue = "<template>\n  <a @click=\"no()\">ü</a>\n</template>\n<script setup lang=\"ts\">\nconst a = b<T>();\n</script>\n";
    let facts = lower("vue", vue);
    assert_eq!(facts.language, Language::TypeScript);
    assert!(facts.to_string().ends_with("call 5:11 b()\n"), "{facts}");
    assert_eq!(lower("svelte", "<script>a()</script>").language, Language::JavaScript);
    assert_eq!(lower("astro", "---\nconst a = await b();\n---\n<p/>").calls.len(), 1);
}

#[test]
fn flow_is_read_as_types() {
    let facts = lower("js", "/* @flow */\nconst a = (b: string): Promise<C> => d(b);\n");
    assert_eq!((facts.calls.len(), facts.broken.len()), (1, 0));
}

/// Every part's parent is what it is a part of, in published code as in written code.
#[test]
fn parents_and_parts_agree() {
    let facts = lower("js", "for (;;) { (0, a.b)(c ? d : [e, { f: g(h) }]); } i = j = k(); l.m ??= n`${o}`;");
    for (at, expr) in facts.exprs.iter().enumerate() {
        expr.each_part(|part| assert_eq!(facts.parent(part).map(|parent| parent.index()), Some(at), "{}", facts.show(part)));
    }
    assert!(
        !facts.exprs.iter().any(|expr| matches!(expr, crate::facts::Expr::Opaque { reason: "code that cannot be read", .. }))
    );
}

/// Every construct that is lowered, to be cut anywhere.
const ALL: &str = include_str!("all.txt");

#[test]
fn cut_anywhere_nothing_breaks() {
    for (extension, step) in [("tsx", 1), ("ts", 7), ("js", 7)] {
        for line in ALL.lines() {
            for end in (0..line.len()).step_by(step).filter(|end| line.is_char_boundary(*end)) {
                let _ = lower(extension, &line[..end]).to_string();
                let _ = lower(extension, &line[end..]).to_string();
            }
        }
    }
    for end in (0..ALL.len()).step_by(61).filter(|end| ALL.is_char_boundary(*end)) {
        let facts = lower("tsx", &ALL[..end]);
        for (at, parent) in facts.parents.iter().enumerate() {
            assert!(parent.is_none_or(|parent| parent.index() > at), "children come before parents");
        }
    }
}

#[test]
fn one_long_line_is_not_slow() {
    let text = "a.b({c:1,d:[2,3]});f('x',`y${z}`);".repeat(10_000);
    let started = std::time::Instant::now();
    assert_eq!(lower("js", &text).calls.len(), 20_000);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
