//! One snippet for each convention, by the dump of its facts.

use super::{dump, lower};
use crate::facts::JumpKind;

/// A file with a bit of everything.
pub(super) const EVERYTHING: &str = r##"//! ä
use crate::http::{self, shared as s, pool::*};
pub use reqwest::Client;
mod inner { use super::*; pub fn up() -> u8 { super::N } }
const N: u8 = 3 * 60;
static S: OnceLock<Client> = OnceLock::new();
#[derive(Clone)]
pub struct Api<C: Connect = H> { #[serde(default = "ten")] pub limit: u64, client: Arc<C>, }
impl<C> Api<C> where C: Connect {
    pub async fn get(&self, path: &str, (a, b): (u8, u8)) -> Result<String, Error> {
        let url = format!("{}/{path}/{{x}}", self.base);
        for attempt in 0..=N {
            match self.client.get(&url).send().await {
                Ok(res) if res.ok() => return Ok(res.text().await?),
                Err(e) if attempt < N => { warn!(%e, "again: {}", a); continue; }
                Err(e) => return Err(e.into()),
                _ => {}
            }
        }
        tokio::select! {
            biased;
            Some(x) = rx.recv(), if b > 1 => { x.go(); }
            _ = sleep(D) => bail!("late"),
            else => {}
        }
        let f = async move |x| { x + 1 };
        let Self { limit, .. } = *self;
        Err(anyhow!("no"))
    }
}
"##;

fn check(text: &str, wanted: &str) {
    let got = dump(text);
    let got: Vec<&str> = got.lines().map(str::trim).collect();
    for line in wanted.lines().map(str::trim).filter(|line| !line.is_empty()) {
        assert!(got.contains(&line), "no `{line}` in:\n{}", got.join("\n"));
    }
}

/// Checks lines of the dump of the body of `fn f() { … }`.
fn body(text: &str, wanted: &str) {
    check(&format!("fn f() {{ {text} }}"), wanted);
}

#[test]
fn a_bit_of_everything_is_read() {
    let facts = lower(EVERYTHING);
    assert!(facts.broken.is_empty(), "{:?}", facts.broken);
    assert_eq!(
        facts.jumps.iter().map(|jump| jump.kind).collect::<Vec<_>>(),
        [JumpKind::Fail, JumpKind::Return, JumpKind::Continue, JumpKind::Return]
    );
}

#[test]
fn paths_calls_and_members() {
    body(
        "reqwest::Client::<T>::new(); <A as B>::c(1); self.x.0.y(); Self::z; crate::a::b(); super::d(); r#type::e()",
        "
        call 1:10 reqwest.Client.new()
        call 1:39 A.c(1)
        call 1:55 this.x.0.y()
        call 1:78 crate.a.b()
        call 1:93 super.d()
        fn#0 f() returns type.e()
    ",
    );
}

#[test]
fn what_leaves_a_value_as_it_is() {
    body(
        "let a = &mut (b?); let c = *d as u8; let e = g().await?; let h = Some(1); let i = None; let j = -k;",
        "
        a@1 = b
        c@1 = d
        e@1 = await g()
        h@1 = Some(1)
        i@1 = null
        j@1 = -k
    ",
    );
}

#[test]
fn literals_and_operators() {
    body(
        r#"let a = "x\n"; let b = 1_000u64; let c = 'y'; let d = b"z"; let e = 1.5e3; let g = 2 * 60 + 1; let h = 1 << 3; let i = a || b && c; let j = a == b; let k = !a;"#,
        r#"
        a@1 = "x\n"
        b@1 = 1000
        c@1 = "y"
        d@1 = "z"
        e@1 = 1500
        g@1 = 2 Mul 60 Add 1
        h@1 = 1 Mul 2 Pow 3
        i@1 = Or(a, And(b, c))
        j@1 = opaque(a comparison)
        k@1 = opaque(a negation)
    "#,
    );
}

#[test]
fn lists_objects_and_joins() {
    body(
        r#"let a = S { x: 1, y, ..d() }; let b = (1, [2, 3]); let c = vec![4, 5]; let e = format!("{g}/x/{}{n:?}", h(), n = 7); let i = [0; 9]; let j = concat!("a", 1); let k = a::S {};"#,
        r#"
        a@1 = S{x: 1, y: y, ...d()}
        b@1 = [1, [2, 3]]
        c@1 = [4, 5]
        e@1 = join(g, "/x/", h(), 7)
        i@1 = [0]
        j@1 = join("a", 1)
        k@1 = a.S{}
    "#,
    );
}

#[test]
fn choices_and_blocks() {
    body(
        "let a = if b { c } else if let Some(d) = e() { d } else { return 9 }; let g = match h { 1 => i, _ => { j(); k } }; let l = { m(); n }; let o = unsafe { p }; let q = loop { break r; };",
        "
        a@1 = Choice(c, d)
        d@4 = e()
        g@1 = Choice(i, k)
        l@1 = n
        o@1 = p
        q@1 = Choice(r)
        fn#0 f() returns 9
    ",
    );
}

#[test]
fn closures_and_async_blocks() {
    check(
        "fn f() { let a = |x: T, (y, z)| x.b(y); let c = async move { d().await }; g(async |u| { return u; }) }",
        "
        fn#1 _(x: T, {}) returns x.b(y)
        x@2: T = param fn#1[0]
        z@2 = param fn#1[1][1]
        a@1 = fn#1
        fn#2 _() returns await d()
        c@1 = fn#2
        fn#3 _(u) returns u
        fn#0 f() returns g(fn#3)
    ",
    );
    let facts = lower("async fn f() { let c = async { d() }; let e = || 1; }");
    let of = |at: usize| (facts.functions[at].is_async, facts.functions[at].is_block, facts.functions[at].literal.is_some());
    assert_eq!([of(0), of(1), of(2)], [(true, false, false), (true, true, true), (false, false, true)]);
}

#[test]
fn a_let_that_hides_opens_a_scope() {
    body(
        "let b = b(); let c = new(); let c = c.x(1); let d = c;",
        "
        b@2 = b()
        c@2 = new()
        c@3 = c.x(1)
        d@3 = c
    ",
    );
    let facts = lower("fn f(c: C) { let c = c.y(); c }");
    let last = facts.functions[0].returns[0];
    assert_eq!(facts.expr_scopes[last.index()].0, 2, "{facts}");
}

#[test]
fn patterns() {
    body(
        "let Some(a) = x else { return }; let (b, ref c) = y; let P { d, e: Q(g, _) } = z; let [h, .., i] = w; if let Ok(j) | Err(j) = v() {} let k: T; let l @ Some(m) = n;",
        "
        a@1 = x
        b@1 = y[0]
        c@1 = y[1]
        d@1 = z.d
        g@1 = z.e[0]
        h@1 = w[0]
        j@3 = v() = v()<Err>
        k@1: T
        l@1 = n
        m@1 = n
    ",
    );
    check(
        "fn f(&self, C { url, .. }: C, &n: &u8) {} fn g() { match x { Foo::A(p) | Foo::B(p) if q(p) => {} MAX => {} } }",
        "
        fn#0 f({}: C, {}: &<u8>)
        url@1: param fn#0[0].url
    "
        .replace("url@1: param", "url@1 = param")
        .as_str(),
    );
    check(
        "fn g() { match x { Foo::A(p) | Foo::B(p) if q(p) => {} MAX => {} } }",
        "
        p@2 = x<A>[0] = x<B>[0]
        call 1:45 q(p)
    ",
    );
}

#[test]
fn assignments() {
    body(
        "let mut a = 1; a = 2; a += 3; self.b.c = 4; *d.lock() = 5; e[0].g = 6; (a, h.i) = j(); _ = k();",
        "
        a@1 = 1 = 2 = a Add 3 = j()[0]
        this.b.c = 4
        d.lock() = 5
        e[0].g = 6
        call 1:101 k()
    ",
    );
}

#[test]
fn imports_and_exports() {
    let text = "use a::b::{self, c as d, e::*}; pub use reqwest as r; use ::x::y; extern crate q as w; mod m; #[path = \"p.rs\"] mod n; use super::o as _;\npub(crate) use g::*; use h::*; mod i { mod k; #[path = \"z.rs\"] mod l; use super::u; use super::super::v; use self::t::s; }";
    let wanted = "import Name(\"b\") of a
        import Name(\"c\") of a::b
        import Glob of a::b::e
        import Namespace of reqwest
        import Name(\"y\") of ::x
        import Namespace of q
        import Namespace of self::m
        import Namespace of path:p.rs
        import Name(\"o\") of super
        import Namespace of self::i::k
        import Namespace of path:i/z.rs
        import Name(\"u\") of self
        import Name(\"v\") of super
        import Name(\"s\") of self::i::t
        export b From { module: \"a\", name: Name(\"b\") }
        export r From { module: \"reqwest\", name: Namespace }
        export w Local(\"w\")
        export m Local(\"m\")
        export  Star { module: \"g\" }
        export super Star { module: \"h\" }
        d@0 = Import(ImportId(1))
        i@0 = Module(ScopeId(1))
        u@1 = Import(ImportId(13))";
    let got = lower(text).to_string();
    let got: Vec<&str> = got.lines().map(str::trim).collect();
    for line in wanted.lines().map(str::trim) {
        assert!(got.contains(&line), "no `{line}` in:\n{}", got.join("\n"));
    }
    assert!(!got.iter().any(|line| line.starts_with("export u") || line.contains("_@")));
}

#[test]
fn types() {
    check("type A = Arc<Mutex<reqwest::Client>>; fn f<C: Connect + 'static, F>(c: C, g: F, h: &mut dyn X, i: impl Fn(u8) -> Y, j: (A, [B]), k: Vec<_>) -> impl Future<Output = C> where F: Fn() -> C {}", "
        A@0 = Alias(TypeRef { path: [\"Arc\"], scope: ScopeId(0), args: [TypeRef { path: [\"Mutex\"], scope: ScopeId(0), args: [TypeRef { path: [\"reqwest\", \"Client\"], scope: ScopeId(0), args: [] }] }] })
        fn#0 f(c: dyn<Connect>, g: dyn<Fn<dyn<Connect>>>, h: &<dyn<X>>, i: dyn<Fn<u8, Y>>, j: ()<A, []<B>>, k: Vec<_>)
        c@1: dyn<Connect> = param fn#0[0]
    ");
    let facts = lower("fn f() -> impl Future<Output = Result<X, E>> { g() }");
    assert_eq!(facts.functions[0].returns_type.as_ref().map(ToString::to_string).as_deref(), Some("dyn<Future<Result<X, E>>>"));
}

#[test]
fn structs_traits_and_impls() {
    check("struct P(A, pub B); #[derive(Deserialize)] struct C { #[serde(default = \"d::ten\")] a: u64, #[arg(long, default_value = \"30\")] b: u64, #[arg(default_value_t = 2 * 3)] c: u8 }
        enum E { One(X), Two { y: Y }, Three = 3 }
        trait T: Super { const N: u8 = 1; fn a(&self, x: u8) -> R; fn b() { c() } }
        impl<X: Tr> T for P { const N: u8 = 2; type O = Q; fn a(&self, x: u8) -> X { self.0 } }", "
        class#0 P
        field 0: A
        field 1: B
        field a: u64 = d.ten()
        field b: u64 = \"30\"
        field c: u8 = 2 Mul 3
        field One = class#3
        field Two = class#4
        field Three = 3
        class#3 One extends E
        field 0: X
        class#4 Two extends E
        field y: Y
        class#5 T
        method a = fn#0
        method b = fn#1
        field N: u8 = 1
        extend P via T
        method a = fn#2
        fn#2 a(x: u8) returns this.0
    ");
    let facts = lower("struct P; impl P { fn new() -> Self { P } fn go(&self) {} } trait T { fn x(); }");
    assert_eq!(facts.functions.iter().map(|f| f.is_static).collect::<Vec<_>>(), [true, false, true]);
    assert!(facts.classes[1].is_abstract && facts.functions[2].class.is_some());
}

#[test]
fn loops_and_their_counts() {
    let counts = |text: &str| -> Vec<String> {
        let facts = lower(&format!("const MAX: u8 = 3; fn f(n: u8) {{ {text} }}"));
        let shown = |of: &crate::facts::Loop| match &of.count {
            Some(count) => {
                let start = count.start.map_or("?".to_owned(), |start| facts.show(start));
                format!("{start}..{}{}", if count.inclusive { "=" } else { "" }, facts.show(count.limit))
            }
            None => {
                if of.over_items {
                    "items".into()
                } else {
                    "?".into()
                }
            }
        };
        facts.loops.iter().map(shown).collect()
    };
    assert_eq!(counts("for _ in 0..n {} for a in (1..=3).rev() {} for b in xs { loop {} }"), ["0..n", "1..=3", "items", "?"]);
    assert_eq!(
        counts("let mut a = 0; while a < MAX { a += 1; } let mut t = 5; while t > 0 && !done { t -= 1 } while x() {}"),
        ["0..MAX", "0..5", "?"]
    );
    assert_eq!(
        counts("let mut a = 1; loop { a += 1; if a >= MAX { return; } if a > 9 { break; } } loop { if x > 3 { go(); } }"),
        ["1..MAX", "?"]
    );
    body(
        "for (i, x) in xs.iter().enumerate() { x.get(); } for y in ys {} while let Some(z) = q.pop() {}",
        "
        element:23@2 = element of xs.iter().enumerate()
        x@2 = element:23[1]
        y@4 = element of ys
        z@6 = q.pop()
    ",
    );
}

#[test]
fn macros_are_code() {
    body(
        r#"tokio::select! { r = c.send() => r.x(), _ = sleep(D), if on() => { late() } } tokio::join!(a(), b()); println!("{}", d()); info!(target: "t", x = %e(), ?g, "m {}", h()); assert_eq!(i(), 1); matches!(j(), Some(k) if k.l()); json!({ "m": n(), "o": [p()] }); html! { <a href={ q() }>{ s() }</a> }; sqlx::query!("select", t()); write!(u, "x", v())?; dbg!(w());"#,
        r#"
        r@2 = c.send()
        call 1:43 r.x()
        call 1:10 tokio.select(c.send(), sleep(D))
        call 1:67 on()
        call 1:77 late()
        call 1:101 a()
        call 1:112 println(d())
        call 1:133 info("t", e(), g, h())
        call 1:225 k.l()
        call 1:233 json(n(), [p()])
        call 1:266 html(q(), s())
        call 1:305 sqlx.query("select", t())
        call 1:334 write(u, v())
        call 1:356 dbg(w())
        k@5 = j()
    "#,
    );
}

#[test]
fn macros_that_hold_items() {
    check(
        "lazy_static! { /// d\n static ref A: B = c(); pub static ref D: E = F::new(); }
        thread_local! { static G: RefCell<H> = const { i() }; }
        cfg_if! { if #[cfg(x)] { fn j() { k() } } else { fn j() { l() } } }
        my_items! { struct M; impl M { fn n() { o() } } }
        macro_rules! p { ($x:expr $(, $y:ident)*) => { reqwest::get($x).send($($y),*) }; }
        fn q() { pin!(let r = s();); r.t(); quote! { u.v() }; lost!(a b(c) => @d); }",
        "
        A@0: B = c()
        D@0: E = F.new()
        G@0: RefCell<H> = i()
        j@0 = Function(FunctionId(0)) = Function(FunctionId(1))
        call 4:43 k()
        fn#2 n() returns o()
        call 6:56 reqwest.get(x).send(y)
        r@8 = s()
        call 7:45 quote()
        call 7:71 b(c)
    ",
    );
    check("fn f() { weird!(%% x y(z) +); }", "broken 1:10 macro `weird!` could not be read");
}

#[test]
fn tests_are_marked() {
    let facts = lower(
        "#[cfg(test)] mod t { impl A { fn a() {} } fn b() { let c = || 1; } } #[tokio::test] async fn d() {} #[cfg(all(test, unix))] fn e() {} \
         #[cfg(any(test, feature = \"x\"))] fn g() {} #[cfg(not(test))] fn h() {} fn i() {} #[cfg(test)] impl B { fn j() {} }",
    );
    let marks: Vec<_> = facts.functions.iter().map(|f| (f.name.as_deref().unwrap_or("|"), f.is_test)).collect();
    assert_eq!(
        marks,
        [("a", true), ("b", true), ("|", true), ("d", true), ("e", true), ("g", false), ("h", false), ("i", false), ("j", true)]
    );
}

#[test]
fn remarks_and_spans() {
    let text = "// untimed: allow(uncovered-call) reason\nfn f() { \"// untimed: no\"; /* untimed: x */ /// untimed: doc\n a() }";
    let facts = lower(text);
    assert_eq!(
        facts.remarks.iter().map(|remark| &*remark.text).collect::<Vec<_>>(),
        ["allow(uncovered-call) reason", "x", "doc"]
    );
    let text = "pub async fn f() { a\n  .b(&c)\n  .d().await? }";
    let facts = lower(text);
    let part = |span: crate::span::Span| &text[span.start as usize..span.end as usize];
    let of: Vec<&str> = facts.spans.iter().map(|span| part(*span)).collect();
    assert_eq!(
        of,
        [
            "a",
            "a\n  .b",
            "c",
            "&c",
            "a\n  .b(&c)",
            "a\n  .b(&c)\n  .d",
            "a\n  .b(&c)\n  .d()",
            "a\n  .b(&c)\n  .d().await",
            "a\n  .b(&c)\n  .d().await?"
        ]
    );
    assert_eq!(part(facts.functions[0].span), text);
    assert_eq!(part(facts.functions[0].body), &text[17..]);
}

#[test]
fn children_stand_before_parents_and_keep_them() {
    let facts = lower(EVERYTHING);
    for (at, expr) in facts.exprs.iter().enumerate() {
        expr.each_part(|part| {
            assert!(part.index() < at);
        });
    }
    for function in &facts.functions {
        assert!(function.returns.iter().all(|value| facts.span(*value).end <= function.span.end), "{function:?}");
    }
}
