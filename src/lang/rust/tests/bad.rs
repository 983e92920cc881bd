//! Bad, odd and huge input: never a panic, never an overflow, and the rest of the file is read.

use super::bulk::resident;
use super::{dump, lower};

/// On the stack that threads have by default.
fn on_a_thread<T: Send + 'static>(inner: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(2 << 20).spawn(inner).unwrap().join().unwrap()
}

/// A deep item is refused, and what stands around it is read.
fn refuses(deep: String) {
    on_a_thread(move || {
        let text = format!("fn before() {{ a(); }}\nfn deep() {{ let x = {deep}; }}\nfn after() {{ b(); }}\n");
        let facts = lower(&text);
        assert_eq!(facts.broken.len(), 1, "{:?}", facts.broken);
        assert_eq!(facts.functions.iter().filter_map(|f| f.name.as_deref()).collect::<Vec<_>>(), ["before", "after"]);
        assert_eq!(facts.lines.position(facts.broken[0].span.start).line, 2);
    });
}

#[test]
fn brackets_nest_too_deeply() {
    refuses(format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)));
    refuses(format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)));
    refuses(format!("{}1{}", "{".repeat(100_000), "}".repeat(100_000)));
    refuses(format!("{}1{}", "f(".repeat(100_000), ")".repeat(100_000)));
    refuses(format!("{}1{}", "m![".repeat(100_000), "]".repeat(100_000)));
    on_a_thread(|| assert_eq!(lower(&"(".repeat(100_000)).functions.len(), 0));
    on_a_thread(|| assert_eq!(lower(&"mod a {".repeat(100_000)).functions.len(), 0));
    on_a_thread(|| assert_eq!(lower(&format!("{}{}", "mod a {".repeat(100_000), "}".repeat(100_000))).functions.len(), 0));
}

#[test]
fn operators_pile_up() {
    for prefix in ["!", "&", "-", "*", "&&", "return ", "|| ", "async move || ", "x = ", "x as "] {
        refuses(format!("{}x", prefix.repeat(50_000)));
    }
    refuses(format!("a{}", ".b()".repeat(20_000)));
    refuses(format!("a{}", ".b".repeat(20_000)));
    refuses(format!("a{}", "?".repeat(20_000)));
    refuses(format!("a{}", "()".repeat(20_000)));
    refuses(format!("a{}", " + a".repeat(50_000)));
    refuses(format!("S {{}}{}", " + S {}".repeat(50_000)));
    refuses(format!("a{}", " && b == c".repeat(50_000)));
    refuses(format!("if a {{}} {}", "else if a {} ".repeat(20_000)));
    refuses(format!("{}u8{}", "0 as M<K, ".repeat(20_000), ">".repeat(20_000)));
    refuses(format!("0 as {}u8", "&".repeat(50_000)));
}

#[test]
fn what_is_deep_but_possible_is_read() {
    on_a_thread(|| {
        let cases = [
            format!("{}1{}", "(".repeat(390), ")".repeat(390)),
            format!("{}1{}", "f(".repeat(390), ")".repeat(390)),
            format!("{}1{}", "m!(".repeat(390), ")".repeat(390)),
            format!("{}1{}", "json!({ \"a\": ".repeat(190), "})".repeat(190)),
            format!("{}1{}", "{ if a {".repeat(190), "}}".repeat(190)),
            format!("{}1{}", "match x { y => ".repeat(390), "}".repeat(390)),
            format!("{}1{}", "async move { g(|| h::<T>(".repeat(120), "))}".repeat(120)),
            format!("{}x", "!".repeat(2900)),
            format!("a{}", ".b()".repeat(900)),
            format!("a{}", " + a".repeat(2900)),
            format!("x as {}u8", "&".repeat(2900)),
        ];
        for case in cases {
            let facts = lower(&format!("fn f() {{ let x = {case}; z(); }}"));
            assert!(facts.broken.is_empty(), "{:?} in {:.40}", facts.broken, case);
            assert!(facts.to_string().contains("z()"));
        }
    });
}

#[test]
fn what_is_shallow_is_read_where_we_are() {
    on_a_thread(|| {
        let cases = [
            format!("{}1{}", "(".repeat(22), ")".repeat(22)),
            format!("{}1{}", "m!(".repeat(22), ")".repeat(22)),
            format!("{}1{}", "json!({ \"a\": ".repeat(11), "})".repeat(11)),
            format!("{}1{}", "match x { y => ".repeat(22), "}".repeat(22)),
            format!("{}1{}", "async move { g(|| h::<T>(".repeat(7), "))}".repeat(7)),
            format!("{}x", "!".repeat(110)),
            format!("a{}", " + a".repeat(110)),
        ];
        for case in cases {
            let text = format!("fn f() {{ let x = {case}; z(); }}");
            assert!(super::super::Depth::of(text.as_bytes()).is_shallow(), "{text:.60}");
            // Half of the usual stack must do.
            let small = std::thread::Builder::new().stack_size(1 << 20);
            small.spawn(move || assert!(lower(&text).broken.is_empty())).unwrap().join().unwrap();
        }
    });
}

#[test]
fn bad_items_are_left_out_alone() {
    let text = "use a::b;\nfn one() { x(; }\nfn two() { y(); }\nmod m {\n  fn three() { z() }\n  fn four() -> { }\n}\n\
                impl T { fn five() { v() } fn six() -> { } }\nconst C: u8 = 3;\n";
    let facts = lower(text);
    let names: Vec<_> = facts.functions.iter().filter_map(|f| f.name.as_deref()).collect();
    assert_eq!(names, ["two", "three", "five"], "{facts}");
    let lines: Vec<_> = facts.broken.iter().map(|broken| facts.lines.position(broken.span.start).line).collect();
    assert_eq!(lines, [2, 6, 8]);
    assert_eq!(facts.bindings.last().unwrap().name.as_ref(), "C");
}

#[test]
fn a_missing_bracket_costs_one_item() {
    let facts = lower("fn one() { if x { y();\n}\n\nfn two() { z(); }\n\n#[a]\npub fn three() {}\n");
    let names: Vec<_> = facts.functions.iter().filter_map(|f| f.name.as_deref()).collect();
    assert_eq!(names, ["two", "three"], "{facts}");
    assert_eq!(facts.broken.len(), 1);
}

#[test]
fn unstable_syntax_costs_its_item() {
    let facts = lower("fn a() { b() }\ngen fn c() { yield 1; }\nfn d() { builtin # offset_of(X, y) }\nfn e() {}\n");
    assert!(facts.functions.iter().any(|f| f.name.as_deref() == Some("e")), "{facts}");
    assert!(facts.functions.iter().any(|f| f.name.as_deref() == Some("a")), "{facts}");
    assert!(!facts.broken.is_empty());
}

#[test]
fn offsets_survive_marks_lines_and_letters() {
    for before in [
        "",
        "\u{feff}",
        "#!/usr/bin/env cargo\n",
        "\u{feff}#!/bin/x\r\n",
        "// ünï\r\n",
        "/* 🦀\r\n */\n#![allow(x)]\n",
        "#! [allow(x)]\n",
    ] {
        let text = format!("{before}fn é() {{ let s = \"🦀ß\"; 'ä'; naïve::call(ß)\r\n.次(\"…\") }}");
        let facts = lower(&text);
        assert!(facts.broken.is_empty(), "{text:?}: {:?}", facts.broken);
        let spans: Vec<&str> =
            facts.calls.iter().map(|call| &text[facts.span(*call).start as usize..facts.span(*call).end as usize]).collect();
        assert_eq!(spans, ["naïve::call(ß)", "naïve::call(ß)\r\n.次(\"…\")"], "{before:?}");
    }
    let text = "fn ü() { x( }\n🦀\nfn é() { let ä = ö(1); }";
    let facts = lower(text);
    let call = facts.span(facts.calls[0]);
    assert_eq!(&text[call.start as usize..call.end as usize], "ö(1)", "{facts}");
}

#[test]
fn cut_anywhere_nothing_panics() {
    let texts = [
        super::lowering::EVERYTHING,
        "#[cfg(test)] mod t { use super::*; #[tokio::test] async fn a() { let Some(b) = c? else { return }; select! { x = y => z, } } }",
        "macro_rules! m { ($x:expr, $($y:ident),*) => { $x.get($($y),*) }; }\nlazy_static! { static ref A: B = c(\"}\"); }\r\n// ü untimed: allow(x) y",
        "fn f() { format!(\"{a} {} {{\", b); 'l: loop { break 'l 1 } r#\"x\"#; b'\\''; '🦀'; json!({ \"k\": v() }); }",
    ];
    for text in texts {
        for (at, _) in text.char_indices() {
            lower(&text[..at]);
            lower(&text[at..]);
        }
    }
}

#[test]
fn memory_stays_flat() {
    // Spans that are kept would keep the text too: 100 KB for each file.
    let text = format!("/* {} */{}\n", "x".repeat(100_000), super::lowering::EVERYTHING);
    let grown = || {
        let before = resident();
        for _ in 0..150 {
            lower(&text);
        }
        resident().saturating_sub(before)
    };
    // Other tests of this process take memory too: one quiet window in five is enough.
    let windows: Vec<u64> = (0..5).map(|_| grown()).take_while(|kib| *kib >= 4 * 1024).collect();
    assert!(windows.len() < 5, "KiB more after each 150 files: {windows:?}");
}

#[test]
fn strange_texts_are_read() {
    for text in [
        "", "\u{feff}", "#!", "#!/x", "\0", "🦀", "'", "\"", "r#\"", "/*", "//", "{", "}", "))", "#", "$", "\\", "fn", "use",
        "use ;", "mod", "'a'b'c",
    ] {
        lower(text);
    }
    assert_eq!(dump("fn f() { 1 } }\nfn g() { h() }").matches("fn#").count(), 2);
}

#[test]
fn generated_files_are_read() {
    let array = format!("pub const A: &[u32] = &[{}];\nfn f() {{ g() }}\n", "0x1234, ".repeat(100_000));
    let calls = format!("pub fn f() {{\n{}}}\n", "    a.b(1).c(\"x\", &y)?;\n".repeat(10_000));
    let functions = "fn f(x: u8) { let y = a(x); y = b(); let y = y.c(); }\n".repeat(5_000);
    for (text, wanted) in [(array, 1), (calls, 20_000), (functions, 15_000)] {
        let facts = lower(&text);
        assert!(facts.broken.is_empty());
        assert_eq!(facts.calls.len(), wanted);
    }
}

#[test]
fn what_tests_hide_is_not_said() {
    let macros = "proptest! { #[test] fn f(a in 0..9u8, b in vec(any::<u8>(), 0..9)) { g(a) } }";
    let facts = lower(&format!("#[cfg(test)]\nmod tests {{ {macros} }}\n"));
    assert!(facts.broken.is_empty(), "{:?}", facts.broken);
    assert_eq!(lower(macros).broken.len(), 1);
}
