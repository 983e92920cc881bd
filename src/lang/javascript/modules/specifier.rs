//! What kind of path a module is written as.
//!
//! In: `./x`, `#x`, `@/x`, `axios`, `node:http`, `npm:axios@1`, `https://esm.sh/axios@1`. Out: a [`Specifier`]. It looks nowhere.

/// A module as written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Specifier<'a> {
    /// A path to a file.
    Path(&'a str),
    /// One of the `imports` of the package around the file.
    Imports(&'a str),
    /// A path that begins with what no package is named like.
    Alias(&'a str),
    /// A package; a local one may have its name, unless the way it is written says where it is from.
    Package { name: &'a str, inner: &'a str, local: bool },
    /// None of these.
    Unknown,
}

impl<'a> Specifier<'a> {
    pub(super) fn new(module: &'a str) -> Self {
        let bare = module.rsplit('!').next().unwrap_or(module);
        if let Some(rest) = bare.strip_prefix("node:") {
            return named(rest, false);
        }
        if let Some(rest) = bare.strip_prefix("npm:").or_else(|| bare.strip_prefix("jsr:")) {
            return named(rest.trim_start_matches('/'), false);
        }
        if let Some(rest) = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://")) {
            return url(rest);
        }
        match bare.as_bytes() {
            [] => Self::Unknown,
            [b'.' | b'/', ..] => Self::Path(bare),
            [b'#', ..] => Self::Imports(bare),
            [b'@' | b'~', b'/', ..] | [b'~' | b'$', ..] => Self::Alias(bare),
            [b'@', b'@', b'/', ..] => Self::Alias(bare),
            _ => named(bare, true),
        }
    }
}

fn named(text: &str, local: bool) -> Specifier<'_> {
    let text = text.split(['?']).next().unwrap_or(text);
    let slashes = if text.starts_with('@') { 2 } else { 1 };
    let end = text.match_indices('/').nth(slashes - 1).map_or(text.len(), |(at, _)| at);
    let (name, inner) = (text.get(..end).unwrap_or(""), text.get(end + 1..).unwrap_or(""));
    let name = if local { name } else { without_version(name) };
    if name.is_empty() || name.starts_with('@') && !name.contains('/') {
        return Specifier::Unknown;
    }
    Specifier::Package { name, inner, local }
}

/// `axios` of `axios@1.2.3`.
pub(super) fn without_version(name: &str) -> &str {
    let from = usize::from(name.starts_with('@'));
    match name.get(from..).and_then(|rest| rest.find('@')) {
        Some(at) => name.get(..from + at).unwrap_or(name),
        None => name,
    }
}

/// A package behind the address of one of the servers that give packages to browsers and Deno.
fn url(rest: &str) -> Specifier<'_> {
    let Some((host, path)) = rest.split_once('/') else { return Specifier::Unknown };
    let path = match host {
        "cdn.jsdelivr.net" => path.strip_prefix("npm/"),
        "deno.land" => path.strip_prefix("x/"),
        "esm.sh" | "unpkg.com" | "cdn.skypack.dev" | "esm.run" | "ga.jspm.io" | "jspm.dev" => Some(path),
        _ => None,
    };
    let Some(mut path) = path else { return Specifier::Unknown };
    if let Some(after) = path.strip_prefix("npm:") {
        path = after;
    }
    if let Some((first, after)) = path.split_once('/')
        && (matches!(first, "stable" | "pin" | "gh")
            || first.len() > 1 && first[1..].bytes().all(|b| b.is_ascii_digit()) && first.starts_with('v'))
    {
        path = after;
    }
    named(path, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let local = |name, inner| Specifier::Package { name, inner, local: true };
        let far = |name, inner| Specifier::Package { name, inner, local: false };
        for (module, kind) in [
            ("./a", Specifier::Path("./a")),
            ("..", Specifier::Path("..")),
            ("raw!./a", Specifier::Path("./a")),
            ("#a/b", Specifier::Imports("#a/b")),
            ("@/a", Specifier::Alias("@/a")),
            ("~/a", Specifier::Alias("~/a")),
            ("$lib/a", Specifier::Alias("$lib/a")),
            ("axios", local("axios", "")),
            ("mysql2/promise", local("mysql2", "promise")),
            ("@scope/pkg/x/y", local("@scope/pkg", "x/y")),
            ("@scope", Specifier::Unknown),
            ("", Specifier::Unknown),
            ("node:fs/promises", far("fs", "promises")),
            ("npm:axios@1", far("axios", "")),
            ("npm:@scope/pkg@^1/x", far("@scope/pkg", "x")),
            ("https://esm.sh/axios@1.2.3?pin=v1", far("axios", "")),
            ("https://esm.sh/v135/@a/b@2/c", far("@a/b", "c")),
            ("https://cdn.jsdelivr.net/npm/ky@1/+esm", far("ky", "+esm")),
            ("https://deno.land/x/oak@v12/mod.ts", far("oak", "mod.ts")),
            ("https://example.com/a.js", Specifier::Unknown),
        ] {
            assert_eq!(Specifier::new(module), kind, "{module}");
        }
    }
}
