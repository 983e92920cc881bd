use super::{lower, says};
use crate::facts::JumpKind;

/// How often each loop of a text runs.
fn counts(text: &str) -> Vec<String> {
    let facts = lower("js", text);
    let show = |facts: &crate::facts::FileFacts, count: &crate::facts::LoopCount| {
        let start = count.start.map_or("?".into(), |start| facts.show(start));
        format!("{start}..{}{}", if count.inclusive { "=" } else { "" }, facts.show(count.limit))
    };
    facts.loops.iter().map(|looped| looped.count.as_ref().map_or("-".into(), |count| show(&facts, count))).collect()
}

#[test]
fn loops_that_count() {
    for (text, count) in [
        ("for (let i = 0; i < n; i++) {}", "0..n"),
        ("for (let i = 1; i <= this.max; ++i) {}", "1..=this.max"),
        ("for (let i = 3; i > 0; i--) {}", "0..3"),
        ("for (let i = n; i >= 1; i -= 1) {}", "1..=n"),
        ("for (let i = n; i--;) {}", "?..n"),
        ("for (i = 0; i < 5; i += 1) {}", "0..5"),
        ("for (let i = 0, j = 9; i < 5 && !done; i++, j--) {}", "0..5"),
        ("for (var i = 0; 5 > i; i++) {}", "0..5"),
        ("for (let i = 0; i !== 4; i++) {}", "0..4"),
        ("for (let d = 100; d < 9999; d *= 2) {}", "-"),
        ("for (;;) {}", "-"),
        ("for (let i = 0; ; i++) {}", "-"),
        ("while (tries < 5) {}", "?..5"),
        ("while (tries <= MAX && more) {}", "?..=MAX"),
        ("while (n--) {}", "?..n"),
        ("while (n-- > 0) {}", "0..n"),
        ("while (i++ < n) {}", "?..n"),
        ("while (retries > 0) {}", "0..retries"),
        ("while (queue.length > 0) {}", "-"),
        ("while (true) {}", "-"),
        ("do {} while (++i < 3);", "?..3"),
    ] {
        assert_eq!(counts(text), [count], "{text}");
    }
}

#[test]
fn counters_of_loops_are_no_running_counts() {
    says(
        "js",
        "for (let i = 0; i < 3; i++) { i = f() } let n = 3; while (n--) {} let m = 1; m++;",
        &["i@", "n@", "m@"],
        &["i@1 = 0 = f()", "n@0 = 3", "m@0 = 1 = Opaque(\"a running count\")"],
    );
}

#[test]
fn loops_over_items() {
    says(
        "js",
        "for (const a of f()) {} for await (const [b] of c) {} for (var d in e) {} for (g of h) {} for (i.j of k) {}",
        &["a@", "b@", "d@", "g@", "i.", "call"],
        &[
            "a@1 = element of f()",
            "b@3 = Opaque(\"a part of an element of a collection\")",
            "d@0 = Opaque(\"a key of an object\")",
            "g@0 = element of h",
            "i.j = opaque(an element of a collection)",
            "call f()",
        ],
    );
    let facts = lower("js", "for (a of b) { while (c) {} }");
    assert_eq!(facts.loops.iter().map(|looped| looped.over_items).collect::<Vec<_>>(), [true, false]);
    assert!(facts.loops[0].span.holds(facts.loops[1].span));
}

#[test]
fn tries_and_jumps() {
    let text = "function f() { try { return g() } catch ({ code }) { throw new E() } finally { h() } try {} catch {} a: for (;;) { break a; continue } }";
    let facts = lower("js", text);
    let part = |span: crate::span::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(facts.tries.len(), 2);
    assert_eq!(part(facts.tries[0].body), "{ return g() }");
    assert_eq!(part(facts.tries[0].handler.unwrap()), "catch ({ code }) { throw new E() }");
    assert_eq!(part(facts.tries[0].finally.unwrap()), "finally { h() }");
    assert_eq!(facts.tries[1].finally, None);
    let kinds: Vec<_> = facts.jumps.iter().map(|jump| jump.kind).collect();
    assert_eq!(kinds, [JumpKind::Return, JumpKind::Throw, JumpKind::Break, JumpKind::Continue]);
    assert_eq!(part(facts.jumps[0].span), "return g()");
    says(
        "js",
        text,
        &["code@", "fn#", "call"],
        &["fn#0 f() returns g()", "code@3 = Opaque(\"a caught error\")", "call g()", "call new E()", "call h()"],
    );
}

#[test]
fn scopes() {
    says(
        "js",
        "var a; { var a = 1; let a = 2; function b() {} } function c() { if (x) { var d = 3 } } switch (e) { case f(): let g; default: h() } label: i();",
        &["a@", "b@", "d@", "g@", "call"],
        &["a@0 = 1", "a@1 = 2", "b@1 = Function(FunctionId(0))", "d@3 = 3", "g@5", "call f()", "call h()", "call i()"],
    );
    let facts = lower("js", "function f() { { g() } } class A { b = h(); c() { i() } }");
    let function = |at: usize| facts.function_of(facts.calls[at]).map(|id| facts.function(id).name.as_deref().unwrap());
    assert_eq!([function(0), function(1), function(2)], [Some("f"), None, Some("c")]);
}

#[test]
fn values_in_statements() {
    says(
        "js",
        "if (a()) b(); else if (c()) d(); else e(); with (f()) g(); throw h(); using i = j();",
        &["call"],
        &["call a()", "call b()", "call c()", "call d()", "call e()", "call f()", "call g()", "call h()", "call j()"],
    );
}

#[test]
fn remarks() {
    let text = "// untimed: allow(a) because \r\nf('untimed: no'); /* x\n * untimed: one */ /* untimed: two*/\nconst x = <A>{/* untimed: three */}</A>; // untimed:\n";
    let facts = lower("jsx", text);
    let said: Vec<_> = facts.remarks.iter().map(|remark| (facts.lines.position(remark.span.start).line, &*remark.text)).collect();
    assert_eq!(said, [(1, "allow(a) because"), (2, "one"), (3, "two"), (4, "three"), (4, "")]);
}
