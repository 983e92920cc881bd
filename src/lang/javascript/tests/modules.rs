use super::{lower, says};

#[test]
fn imports() {
    says(
        "ts",
        "import a, { b as c, default as d, type E, 'f-g' as h } from 'm'; import * as ns from \"n\"; import type T from 't'; import type { U } from 'u'; import w = require('w'); import y = ns.z.q; import 's';",
        &["import", "a@", "c@", "ns@", "w@", "y@"],
        &[
            "import Name(\"default\") of m",
            "import Name(\"b\") of m",
            "import Name(\"default\") of m",
            "import Name(\"E\") of m",
            "import Name(\"f-g\") of m",
            "import Namespace of n",
            "import Name(\"default\") of t",
            "import Name(\"U\") of u",
            "import Whole of w",
            "import Namespace of s",
            "a@0 = Import(ImportId(0))",
            "c@0 = Import(ImportId(1))",
            "ns@0 = Import(ImportId(5))",
            "w@0 = Import(ImportId(8))",
            "y@0 = ns.z.q",
        ],
    );
    let facts = lower(
        "ts",
        "import { a, type B } from 'm'; import type C from 'c'; import type { D } from 'd'; import type e = require('e');",
    );
    assert_eq!(facts.imports.iter().map(|import| import.type_only).collect::<Vec<_>>(), [false, true, true, true, true]);
}

#[test]
fn modules_inside_expressions() {
    says(
        "js",
        "function f() { return require('a').b(require('a')) } const { c } = await import('d'); import(`e`).then(g => g.h()); const i = require(j), k = require.resolve('l');",
        &["import ", "require:", "import:", "c@", "call", "i@", "k@"],
        &[
            "import Whole of a",
            "import Namespace of d",
            "import Namespace of e",
            "require:a@0 = Import(ImportId(0))",
            "import:d@0 = Import(ImportId(1))",
            "c@0 = import:d.c",
            "import:e@0 = Import(ImportId(2))",
            "i@0 = require(j)",
            "k@0 = require.resolve(\"l\")",
            "call require:a.b(require:a)",
            "call g.h()",
            "call import:e.then(fn#1)",
            "call require(j)",
            "call require.resolve(\"l\")",
        ],
    );
    says("js", "function f(require) { return require('a') }", &["import", "call"], &["call require(\"a\")"]);
    says(
        "js",
        "import { createRequire } from 'module'; const require = createRequire(import.meta.url); v = require('a');",
        &["v@", "require@"],
        &["v@0 = require:a"],
    );
    says("ts", "let a: typeof import('x'); type B = import('y').C;", &["import"], &[]);
}

#[test]
fn exports() {
    says(
        "ts",
        "export const a = 1, { b, c: [d], ...e } = f; export function g() {} export class H {} export { i, j as k, l as default }; export { m as n } from 'o'; export * from 'p'; export * as q from 'r'; export * as default from 'r2'; export type T = U; export interface V {} export enum W { X }",
        &["export"],
        &[
            "export a Local(\"a\")",
            "export b Local(\"b\")",
            "export d Local(\"d\")",
            "export e Local(\"e\")",
            "export g Local(\"g\")",
            "export H Local(\"H\")",
            "export i Local(\"i\")",
            "export k Local(\"j\")",
            "export default Local(\"l\")",
            "export n From { module: \"o\", name: Name(\"m\") }",
            "export  Star { module: \"p\" }",
            "export q From { module: \"r\", name: Namespace }",
            "export default From { module: \"r2\", name: Namespace }",
            "export T Local(\"T\")",
            "export V Local(\"V\")",
            "export W Local(\"W\")",
        ],
    );
    says(
        "ts",
        "export default { a: 1 };\nexport default function f() {}\nexport default class {}\nexport default () => 1;",
        &["export"],
        &["export default = {a: 1}", "export default Local(\"f\")", "export default = class#0", "export default = fn#1"],
    );
    says("ts", "export = axios;", &["export"], &["export = = axios"]);
    says(
        "ts",
        "export default abstract class A {} export type { B } from 'b'; export declare const c: number;",
        &["export"],
        &["export default Local(\"A\")", "export B From { module: \"b\", name: Name(\"B\") }"],
    );
}
