use super::{lower, says};

#[test]
fn parameters() {
    says(
        "ts",
        "function f(this: X, a: A, b = 2, { c, d: { e = 3 } = {}, ...g }: B = {}, [h, , i], ...j: string[]) {}",
        &["fn#", "a@", "b@", "c@", "e@", "param:", "g@", "h@", "i@", "j@"],
        &[
            "fn#0 f(a: A, b = 2, {}: B = {}, {}, j: []<string>)",
            "a@1: A = param fn#0[0]",
            "b@1 = param fn#0[1] ?? 2",
            "c@1 = param fn#0[2].c",
            "e@1 = param fn#0[2].d.e ?? 3",
            "param:2@1 = param fn#0[2]",
            "g@1 = param:2 without c, d",
            "h@1 = param fn#0[3][0]",
            "i@1 = param fn#0[3][2]",
            "j@1: []<string> = param fn#0[4]",
        ],
    );
    says(
        "js",
        "f = (a, { b } = {}) => b; g = c => c; class A { set x([d]) {} }",
        &["fn#", "b@", "c@", "d@"],
        &[
            "fn#0 f(a, {} = {}) returns b",
            "fn#1 g(c) returns c",
            "fn#2 x({})",
            "b@1 = param fn#0[1].b",
            "c@2 = param fn#1[0]",
            "d@4 = param fn#2[0][0]",
        ],
    );
    let facts = lower("ts", "function f(a?: number, ...b) {}");
    assert_eq!(facts.functions[0].params.iter().map(|param| param.rest).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn destructured_variables() {
    says(
        "js",
        "const { a, b: { c = 1, ...d }, ['e']: e, [k]: l, ...m } = f(), [n = 2, [o], ...p] = q;",
        &["a@", "c@", "d@", "e@", "l@", "m@", "n@", "o@", "p@", "call"],
        &[
            "a@0 = f().a",
            "c@0 = f().b.c ?? 1",
            "d@0 = f().b without c",
            "e@0 = f().e",
            "l@0 = Opaque(\"a member whose name is computed\")",
            "m@0 = f() without a, b, e",
            "n@0 = q[0] ?? 2",
            "o@0 = q[1][0]",
            "p@0 = Opaque(\"the rest of a list\")",
            "call f()",
        ],
    );
}

#[test]
fn classes() {
    says(
        "ts",
        "class A<T> extends b.C<T> implements D, E<F> { static x: number = 1; #y = f(); readonly z; 'q-r' = 2; static { g(); } get w() { return 1 } set w(v) {} static async m() {} #p() {} [k]() { h() } h = () => this; constructor(private a: P, readonly b = 3, c?: Q) { super(a); } over(): void; over(n?: any) {} }",
        &["class#", "field", "method", "fn#", "call"],
        &[
            "class#0 A extends b.C",
            "field x: number = 1",
            "field #y = f()",
            "field z",
            "field q-r = 2",
            "field h = fn#5",
            "field a: P",
            "field b",
            "method w = fn#0",
            "method m = fn#2",
            "method #p = fn#3",
            "method constructor = fn#6",
            "method over = fn#7",
            "fn#0 w() returns 1",
            "fn#1 w(v)",
            "fn#2 m()",
            "fn#3 #p()",
            "fn#4 [k]() ",
            "fn#5 h() returns this",
            "fn#6 constructor(a: P, b = 3, c: Q)",
            "fn#7 over(n: any)",
            "call f()",
            "call g()",
            "call h()",
            "call super(a)",
        ]
        .map(|line| line.trim_end()),
    );
    let facts =
        lower("ts", "class A implements D, E<F> { static a() {} get b() { return 1 } c() {} constructor(private d: P, e) {} }");
    let class = &facts.classes[0];
    assert_eq!(class.implements.iter().map(ToString::to_string).collect::<Vec<_>>(), ["D", "E<F>"]);
    assert_eq!(class.methods.iter().map(|method| method.getter).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(
        class.methods.iter().map(|method| facts.function(method.function).is_static).collect::<Vec<_>>(),
        [true, false, false, false]
    );
    assert_eq!(
        facts.function(class.methods[3].function).params.iter().map(|param| param.field).collect::<Vec<_>>(),
        [true, false]
    );
    assert!(facts.functions.iter().all(|function| function.class.is_some()));
    says(
        "js",
        "const A = class B { a = new B() }; export default class extends A {}",
        &["A@", "B@", "class#"],
        &["class#0 B", "class#1 _ extends A", "B@1 = Class(ClassId(0))", "A@0 = class#0"],
    );
}

#[test]
fn what_only_describes() {
    says(
        "ts",
        "interface A extends B { a: C; b?(x: D): Promise<E>; readonly c: () => F; [k: string]: any } type G = { h: I }; abstract class J { abstract k(): L; abstract m: N; n() {} } abstract class O { abstract p(): void }",
        &["class#", "field", "method", "fn#"],
        &[
            "class#0 A",
            "field a: C",
            "field c: =><F>",
            "method b = fn#0",
            "class#1 G",
            "field h: I",
            "class#2 J",
            "field m: N",
            "method k = fn#1",
            "method n = fn#2",
            "class#3 O",
            "method p = fn#3",
            "fn#0 b(x: D)",
            "fn#1 k()",
            "fn#2 n()",
            "fn#3 p()",
        ],
    );
    let facts = lower("ts", "interface A extends B<C> {} abstract class D { a() {} } abstract class E { abstract a(): F }");
    assert_eq!(facts.classes.iter().map(|class| class.is_abstract).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(facts.classes[0].implements[0].to_string(), "B<C>");
    assert_eq!(facts.function(facts.classes[2].methods[0].function).returns_type.as_ref().unwrap().to_string(), "F");
    says(
        "ts",
        "declare module 'x' { export function f(): void } declare const a: B; declare global { interface W {} } function g(): void; function g(a?) {}",
        &["class", "fn#", "a@", "g@", "export"],
        &["fn#0 g(a)", "a@1 = param fn#0[0]", "g@0 = Function(FunctionId(0))"],
    );
}

#[test]
fn types() {
    for (written, lowered) in [
        ("A", "A"),
        ("a.b.C", "a.b.C"),
        ("Promise<A>", "Promise<A>"),
        ("A | B | null", "|<A, B, null>"),
        ("A & B", "dyn<A, B>"),
        ("A[]", "[]<A>"),
        ("readonly (A | B)[]", "[]<|<A, B>>"),
        ("[A, B]", "()<A, B>"),
        ("() => A", "=><A>"),
        ("typeof a.b", "typeof<a.b>"),
        ("ReturnType<typeof f>", "ReturnType<typeof<f>>"),
        ("Map<'k', A>", "Map<unknown, A>"),
        ("string", "string"),
        ("A | 'x'", "A"),
    ] {
        says("ts", &format!("let v: {written};"), &["v@"], &[&format!("v@0: {lowered}")]);
    }
    says(
        "ts",
        "function f(): Promise<A> { let o: { p: B }; }",
        &["o@", "type:", "field"],
        &["field p: B", "type:34@1 = Class(ClassId(0))", "o@1: type:34"],
    );
    assert_eq!(
        lower("ts", "const f = async (): Promise<A> => b;").functions[0].returns_type.as_ref().unwrap().to_string(),
        "Promise<A>"
    );
    says(
        "ts",
        "type A = B<C>; type D = 'x';",
        &["A@", "D@"],
        &[
            "A@0 = Alias(TypeRef { path: [\"B\"], scope: ScopeId(0), args: [TypeRef { path: [\"C\"], scope: ScopeId(0), args: [] }] })",
        ],
    );
}

#[test]
fn enums_and_namespaces() {
    says(
        "ts",
        "enum A { B, C, D = 10, E, F = D * 2, G = 'g' } const enum H { I = 1 }",
        &["A@", "H@"],
        &["A@0 = {B: 0, C: B Add 1, D: 10, E: D Add 1, F: D Mul 2, G: \"g\"}", "H@0 = {I: 1}"],
    );
    says(
        "ts",
        "namespace N { const a = 1; export const b = a; export function c() {} } export namespace M { export const d = 1 }",
        &["N@", "M@", "b@", "export"],
        &["export M Local(\"M\")", "b@1 = a", "N@0 = {b: b, c: c}", "M@0 = {d: d}"],
    );
}

#[test]
fn decorators() {
    says(
        "ts",
        "@A({ b: c() }) export class D { @E(f()) g; @H() i(@J(k()) l) {} }",
        &["call"],
        &["call c()", "call A({b: c()})", "call f()", "call E(f())", "call H()", "call k()", "call J(k())"],
    );
}

#[test]
fn a_value_goes_before_the_type_of_its_name() {
    says(
        "ts",
        "interface A { b: C } const A = d(); type E = F; class E {} interface G {} interface G {}",
        &["A@", "E@", "G@"],
        &["A@0 = d()", "E@0 = Class(ClassId(1))", "G@0 = Class(ClassId(2)) = Class(ClassId(3))"],
    );
}
