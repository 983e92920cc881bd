use super::says;

#[test]
fn module_exports() {
    says(
        "js",
        "module.exports = { a, b: f() }; module.exports.c = d; exports.e = exports.g = 5; exports['h'] = 6; exports = module.exports = i;",
        &["export ", "exports", "module"],
        &[
            "export = = {a: a, b: f()}",
            "export c = d",
            "export g = 5",
            "export e = 5",
            "export h = 6",
            "export = = i",
            "module.exports@0 = {a: a, b: f()} = i",
            "exports.c@0 = d",
            "exports.g@0 = 5",
            "exports.e@0 = 5",
            "exports.h@0 = 6",
        ],
    );
    says(
        "js",
        "Object.assign(module.exports, { a, b: 1, ...require('c') }, require('d'));",
        &["export "],
        &["export a = a", "export b = 1", "export  Star { module: \"c\" }", "export  Star { module: \"d\" }"],
    );
    says(
        "js",
        "function f(module, exports) { module.exports = 1; exports.a = 2 }",
        &["export ", "module.", "exports."],
        &["module.exports = 1", "exports.a = 2"],
    );
}

#[test]
fn own_exports_can_be_read() {
    says(
        "js",
        "exports.base = 'x'; f(exports.base); module.exports.client.timeout = 5; g(module.exports.client)",
        &["call", "exports"],
        &["exports.base@0 = \"x\"", "exports.client.timeout = 5", "call f(exports.base)", "call g(exports.client)"],
    );
    says(
        "js",
        "module.exports = { a: 1 }; f(module.exports.a)",
        &["exports", "module", "call"],
        &["module.exports@0 = {a: 1}", "exports.a@0 = {a: 1}.a", "call f(exports.a)"],
    );
}

#[test]
fn what_typescript_makes() {
    let text = "\"use strict\";
var __importDefault = (this && this.__importDefault) || function (mod) { return (mod && mod.__esModule) ? mod : { \"default\": mod }; };
Object.defineProperty(exports, \"__esModule\", { value: true });
exports.get = exports.BASE = void 0;
const axios_1 = __importDefault(require(\"axios\"));
const fs = __importStar(require(\"fs\"));
const http_1 = tslib_1.__importDefault(require(\"./http\"));
Object.defineProperty(exports, \"post\", { enumerable: true, get: function () { return http_1.post; } });
__exportStar(require(\"./all\"), exports);
exports.BASE = 'x';
function get() { return axios_1.default.get((0, http_1.url)(exports.BASE)); }
exports.get = get;
exports.default = class { };
";
    says(
        "js",
        text,
        &["export ", "axios_1@", "fs@", "http_1@", "call http", "call axios"],
        &[
            "export post = http_1.post",
            "export  Star { module: \"./all\" }",
            "export BASE = \"x\"",
            "export get = get",
            "export default = class#0",
            "axios_1@0 = {default: require:axios, ...require:axios}",
            "fs@0 = require:fs",
            "http_1@0 = {default: require:./http, ...require:./http}",
            "call http_1.url(exports.BASE)",
            "call axios_1.default.get(http_1.url(exports.BASE))",
        ],
    );
}

#[test]
fn what_babel_and_esbuild_make() {
    says(
        "js",
        "var _a = _interopRequireDefault(require('a')); var _b = require('./b'); Object.keys(_b).forEach(function (key) { if (key === 'default') return; Object.defineProperty(exports, key, { enumerable: true, get: function () { return _b[key]; } }); });",
        &["export ", "_a@"],
        &["export  Star { module: \"./b\" }", "_a@0 = {default: require:a, ...require:a}"],
    );
    says(
        "js",
        "var x_exports = {}; __export(x_exports, { get: () => get2, default: () => d }); module.exports = __toCommonJS(x_exports); var import_a = __toESM(require('a'), 1);",
        &["export ", "import_a@"],
        &["export get = get2", "export default = d", "export = = x_exports", "import_a@0 = {default: require:a, ...require:a}"],
    );
    says("js", "0 && (module.exports = { get });", &["export "], &["export = = {get: get}"]);
}
