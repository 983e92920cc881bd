//! Attributes that say something: tests, paths of modules, defaults of fields.
//!
//! In: syn's attributes. Out: plain answers. All others are passed over.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, LitStr, Meta, Token};

/// Test attributes by their last word: `#[test]`, `#[tokio::test]`, `#[rstest]`.
const TESTS: [&str; 8] = ["test", "bench", "rstest", "test_case", "quickcheck", "proptest", "wasm_bindgen_test", "should_panic"];

/// Whether an item is compiled for tests alone, or for the tests of other crates.
pub(super) fn is_test(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            Meta::parse_all.parse2(list.tokens.clone()).is_ok_and(|all| all.iter().any(needs_test))
        }
        meta => meta.path().segments.last().is_some_and(|last| TESTS.iter().any(|test| last.ident == test)),
    })
}

/// Words in the names of features that are there for tests: `testsuite`, `test-utils`, `integration_tests`.
const TEST_FEATURES: [&str; 4] = ["test", "tests", "testing", "testsuite"];

/// Whether a condition holds in tests alone.
fn needs_test(condition: &Meta) -> bool {
    let Meta::List(list) = condition else { return condition.path().is_ident("test") || is_test_feature(condition) };
    let Ok(parts) = Meta::parse_all.parse2(list.tokens.clone()) else { return false };
    if list.path.is_ident("all") {
        parts.iter().any(needs_test)
    } else if list.path.is_ident("any") {
        !parts.is_empty() && parts.iter().all(needs_test)
    } else {
        false
    }
}

/// Whether a condition is a feature that gives what is for tests to the tests of other crates.
fn is_test_feature(condition: &Meta) -> bool {
    let Meta::NameValue(pair) = condition else { return false };
    let name = text(&pair.value).filter(|_| pair.path.is_ident("feature"));
    name.is_some_and(|name| name.value().split(['-', '_']).any(|word| TEST_FEATURES.contains(&word)))
}

/// Comma-separated conditions.
trait ParseAll {
    fn parse_all(input: syn::parse::ParseStream) -> syn::Result<Punctuated<Meta, Token![,]>>;
}

impl ParseAll for Meta {
    fn parse_all(input: syn::parse::ParseStream) -> syn::Result<Punctuated<Self, Token![,]>> {
        Punctuated::parse_terminated(input)
    }
}

/// The file named by `#[path = "…"]`.
pub(super) fn path(attrs: &[Attribute]) -> Option<String> {
    attrs.iter().find_map(|attr| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

/// Where a field's value comes from when nothing else gives one.
pub(super) enum FieldDefault {
    /// `#[serde(default = "path")]`: what this function returns.
    Function(syn::Path, LitStr),
    /// `#[arg(default_value = "30")]`.
    Text(LitStr),
    /// `#[arg(default_value_t = 30)]`.
    Value(Box<Expr>),
}

/// The default that serde, clap or structopt gives to a field.
pub(super) fn field_default(attrs: &[Attribute]) -> Option<FieldDefault> {
    attrs.iter().find_map(|attr| {
        let Meta::List(list) = &attr.meta else { return None };
        let name = list.path.segments.last()?.ident.to_string();
        let pairs = pairs.parse2(list.tokens.clone()).ok()?;
        let find = |key: &str| pairs.iter().find(|(name, _)| name == key).and_then(|(_, value)| value.clone());
        match name.as_str() {
            "serde" | "builder" | "educe" | "derivative" => text(&find("default")?).and_then(|text| {
                let path = text.parse::<syn::Path>().ok()?;
                Some(FieldDefault::Function(path, text))
            }),
            "arg" | "clap" | "structopt" | "argh" | "option" | "envconfig" | "config" => {
                let value = ["default_value", "default_value_t", "default"].iter().find_map(|key| find(key))?;
                Some(text(&value).map_or_else(|| FieldDefault::Value(Box::new(value)), FieldDefault::Text))
            }
            _ => None,
        }
    })
}

fn text(value: &Expr) -> Option<LitStr> {
    match value {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// `name`, `name = value` and `name(…)`, separated by commas.
fn pairs(input: syn::parse::ParseStream) -> syn::Result<Vec<(String, Option<Expr>)>> {
    let mut all = Vec::new();
    while !input.is_empty() {
        let path = input.call(syn::Path::parse_mod_style)?;
        let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let value = if input.parse::<Option<Token![=]>>()?.is_some() {
            Some(input.parse::<Expr>()?)
        } else {
            if input.peek(syn::token::Paren) {
                input.parse::<proc_macro2::Group>()?;
            }
            None
        };
        all.push((name, value));
        if input.parse::<Option<Token![,]>>()?.is_none() {
            break;
        }
    }
    Ok(all)
}
