use super::{lower, says, value};
use crate::facts::{CallForm, Expr, Field};

#[test]
fn literals() {
    value("5_000", "5000");
    value("0x10", "16");
    value("10n", "10");
    value("1.5e3", "1500");
    value("'a\\n\\u0041'", "\"a\\nA\"");
    value("`plain`", "\"plain\"");
    value("``", "\"\"");
    value("`a${b}/${c.d}e`", "join(\"a\", b, \"/\", c.d, \"e\")");
    value("`${a}`", "join(a)");
    value("true", "true");
    value("null", "null");
    value("undefined", "undefined");
    value("void 0", "undefined");
    value("Infinity", "Infinity");
    value("/a/g", "opaque(a regular expression)");
    value("[1, , ...xs]", "[1, xs]");
    value("{ a: 1, 'b-c': 2, 3: 4, d, [e]: 5, ['f']: 6, ...g }", "{a: 1, b-c: 2, 3: 4, d: d, […]: 5, f: 6, ...g}");
}

#[test]
fn operators() {
    value("a + b * 2 - c / 3 % 4", "a Add b Mul 2 Sub c Div 3 Rem 4");
    value("2 ** 3", "2 Pow 3");
    value("1 << 3", "1 Mul 2 Pow 3");
    value("a | 0", "opaque(bit arithmetic)");
    value("-a", "-a");
    value("+a", "a");
    value("!a", "!a");
    value("a === b", "a === b");
    value("a != null", "!a == null");
    value("a < b", "opaque(a condition)");
    value("typeof a", "opaque(a condition)");
    value("a || b", "Or(a, b)");
    value("a ?? b ?? c", "Coalesce(Coalesce(a, b), c)");
    value("a && b", "And(a, b)");
    value("t ? a : b", "Choice(a, b)");
    value("(a, b)", "seq(a, b)");
    value("void f()", "opaque(a value that is thrown away)");
}

#[test]
fn what_leaves_a_value_as_it_is() {
    for text in ["(a)", "((a))", "a as B", "a satisfies B", "a!", "<B>a", "(a as unknown as B)!", "a as const"] {
        value(text, "a");
    }
    value("await a", "await a");
    says("js", "function* f() { const v = yield g(); }", &["v@", "call"], &["v@1 = await g()", "call g()"]);
}

#[test]
fn members_and_calls() {
    value("a.b?.c['d'][0][e]", "a.b.c.d[0][e]");
    value("a?.b?.(c)?.[d]", "a.b(c)[d]");
    value("a.#b", "a.#b");
    value("f(a, ...b)", "f(a, b)");
    value("new A(b)", "new A(b)");
    value("new A", "new A()");
    value("new a.B().c()", "new a.B().c()");
    value("tag`a${b}`", "tag(join(\"a\", b))");
    value("(0, a.b)(c)", "a.b(c)");
    value("(x, a.b)(c)", "seq(x, a.b)(c)");
    value("import(a)", "import(a)");
    value("this.a.b()", "this.a.b()");
    value("import.meta.env.X", "import.meta.env.X");
    value("f<T>(a)", "f(a)");
    let facts = lower("js", "f(...a, b); new C(1)");
    let Expr::Call { args, form: CallForm::Plain, .. } = facts.expr(facts.calls[0]) else { panic!() };
    assert_eq!(args.iter().map(|arg| arg.spread).collect::<Vec<_>>(), [true, false]);
    assert!(matches!(facts.expr(facts.calls[1]), Expr::Call { form: CallForm::New, .. }));
}

#[test]
fn operators_before_calls_with_types_stand_around_them() {
    value("await a.b<T>(c)", "await a.b(c)");
    value("await a.b<T>(c).d()", "await a.b(c).d()");
    value("(await a.b<T>(c)).d", "await a.b(c).d");
    value("p && q + r<T>(s)", "And(p, q Add r(s))");
    value("!await a<T>(b)[0]", "!await a(b)[0]");
    let facts = lower("ts", "const v = await a.b<T>(c)!.d;");
    let call = facts.calls[0];
    assert_eq!(facts.show(call), "a.b(c)");
    assert_eq!((facts.span(call).start, facts.span(call).end), (16, 25));
    let member = facts.parent(call).unwrap();
    let wait = facts.parent(member).unwrap();
    assert!(matches!(facts.expr(wait), Expr::Await(_)));
    assert_eq!((facts.span(wait).start, facts.span(wait).end), (10, 28));
}

#[test]
fn calls_keep_their_parents() {
    let facts = lower("js", "if (!(await f(g(1)).h)) { [i()].map(j()) }");
    let chain = |text: &str| {
        let call = facts.calls.iter().copied().find(|call| facts.show(*call) == text).unwrap();
        std::iter::successors(Some(call), |at| facts.parent(*at)).map(|at| facts.show(at)).collect::<Vec<_>>()
    };
    assert_eq!(chain("g(1)"), ["g(1)", "f(g(1))", "f(g(1)).h", "await f(g(1)).h", "!await f(g(1)).h"]);
    assert_eq!(chain("i()"), ["i()", "[i()]", "[i()].map", "[i()].map(j())"]);
}

#[test]
fn functions_as_values() {
    says(
        "js",
        "const v = { a() { return 1 }, get b() { return f() }, get c() { if (x) return 1; return 2 }, set d(e) { g() }, async *h() {}, i: () => 3 };",
        &["v@", "fn#", "call"],
        &[
            "fn#0 a() returns 1",
            "fn#1 b() returns f()",
            "fn#2 c() returns 1 returns 2",
            "fn#3 d(e)",
            "fn#4 h()",
            "fn#5 i() returns 3",
            "v@0 = {a: fn#0, b: f(), c: opaque(a getter), h: fn#4, i: fn#5}",
            "call f()",
            "call g()",
        ],
    );
    let facts = lower("js", "const a = function () {}, b = async x => x, c = function own() { own() }; d.e = () => 1;");
    let named: Vec<_> = facts
        .functions
        .iter()
        .map(|function| (function.name.as_deref(), function.is_async, function.literal.is_some()))
        .collect();
    assert_eq!(named, [(Some("a"), false, true), (Some("b"), true, true), (Some("own"), false, true), (Some("e"), false, true)]);
}

#[test]
fn markup() {
    says(
        "tsx",
        "const v = <A.B c={d()} {...e()} f='g'><h.i>{/* no */}{j() && <K l={m()} />}</h.i><></></A.B>;",
        &["v@", "call"],
        &["v@0 = opaque(markup)", "call d()", "call e()", "call j()", "call m()"],
    );
    let facts = lower("jsx", "x = <A b={c(() => <D e={f()} />)} />");
    assert_eq!(facts.calls.len(), 2);
    assert!(matches!(facts.expr(facts.parent(facts.calls[1]).unwrap()), Expr::Opaque { reason: "markup", .. }));
}

#[test]
fn assignments_are_sources_and_values() {
    says(
        "js",
        "let a = 1; a = b = f(); a ||= g(); a ??= 3; a += 4; a++; ({ a } = h); [a, [a]] = i;",
        &["a@", "b@", "call"],
        &[
            "a@0 = 1 = f() = g() = 3 = Opaque(\"a running count\") = Opaque(\"a running count\") = h.a = i[0] = i[1][0]",
            "b@0 = f()",
            "call f()",
            "call g()",
        ],
    );
    says("js", "v = (a = f()).b; w = a ??= 2", &["v@", "w@"], &["v@0 = f().b", "w@0 = Coalesce(a, 2)"]);
    says("js", "function f() { a = 1 } let a; { let a; a = 2 }", &["a@"], &["a@0 = 1", "a@2 = 2"]);
}

#[test]
fn writes_to_members() {
    says(
        "ts",
        "a.b.c = 1; this.x = f(); a['d'][0] = 2; a[k] = 3; (a as any).e!.g = 4; f().h = 5; a.i ??= 6; a.j++; [a.k, this.l] = m; ({ n: a.o } = p);",
        &["a.", "this.", "a[", "f().", "call"],
        &[
            "a.b.c = 1",
            "this.x = f()",
            "a.d[0] = 2",
            "a[k] = 3",
            "a.e.g = 4",
            "f().h = 5",
            "a.i = 6",
            "a.j = opaque(a running count)",
            "a.k = m[0]",
            "this.l = m[1]",
            "a.o = p.n",
            "call f()",
            "call f()",
        ],
    );
    let facts = lower("js", "a = b.c = d()");
    assert_eq!(facts.show(facts.writes[0].value), "d()");
    assert_eq!(facts.calls.len(), 1);
}

#[test]
fn prototypes() {
    says(
        "js",
        "function A() {} A.prototype.b = function () {}; A.prototype.c = 5; x.A.prototype = { d() {}, e: () => 1, f: 2 }; A.s = 1;",
        &["extend", "method", "A.s"],
        &[
            "method constructor = fn#0",
            "extend A",
            "method b = fn#1",
            "extend A",
            "extend x.A",
            "method d = fn#2",
            "method e = fn#3",
            "A.s = 1",
        ],
    );
}

#[test]
fn fields_of_objects_keep_their_order() {
    let facts = lower("js", "v = { ...a, b: 1, ...c }");
    let Expr::Object { fields, .. } = facts.exprs.last().unwrap() else { panic!() };
    assert!(matches!(fields.as_slice(), [Field::Spread(_), Field::Named(..), Field::Spread(_)]));
}
