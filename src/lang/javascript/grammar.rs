//! The grammars, and the roles of their nodes: `queries/javascript/*.scm`, turned into tables.
//!
//! In: the query files, built into the program, and a grammar. Out: a [`Grammar`], which says the [`Role`] of a node from the
//! number of its kind, so that a file costs no query run. It reads no nodes itself.

use std::fmt;

use tree_sitter::{Language, Node};

use super::roles::Role;

macro_rules! fields {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// The numbers of the fields that are read; `u16::MAX` for those that a grammar does not have.
        #[derive(Debug)]
        pub(super) struct Fields { $(pub(super) $field: u16,)* }

        impl Fields {
            fn of(language: &Language) -> Self {
                Self { $($field: language.field_id_for_name($name).map_or(u16::MAX, Into::into),)* }
            }
        }
    };
}

fields! {
    alias = "alias",
    alternative = "alternative",
    argument = "argument",
    arguments = "arguments",
    body = "body",
    condition = "condition",
    consequence = "consequence",
    constraint = "constraint",
    constructor = "constructor",
    declaration = "declaration",
    finalizer = "finalizer",
    function = "function",
    handler = "handler",
    increment = "increment",
    index = "index",
    initializer = "initializer",
    key = "key",
    kind = "kind",
    left = "left",
    name = "name",
    object = "object",
    operator = "operator",
    parameter = "parameter",
    parameters = "parameters",
    pattern = "pattern",
    property = "property",
    return_type = "return_type",
    right = "right",
    source = "source",
    ty = "type",
    type_arguments = "type_arguments",
    type_parameters = "type_parameters",
    value = "value",
}

/// A query file of this family.
pub(super) struct QueryFile {
    /// Its path in the repository.
    pub(super) path: &'static str,
    /// What it says.
    pub(super) text: &'static str,
}

macro_rules! query_file {
    ($name:literal) => {
        QueryFile {
            path: concat!("queries/javascript/", $name),
            text: include_str!(concat!("../../../queries/javascript/", $name)),
        }
    };
}

const COMMON: QueryFile = query_file!("common.scm");
const JAVASCRIPT: QueryFile = query_file!("javascript.scm");
const MARKUP: QueryFile = query_file!("markup.scm");
const TYPESCRIPT: QueryFile = query_file!("typescript.scm");
const ASSERTION: QueryFile = query_file!("assertion.scm");

/// The files for JavaScript.
pub(super) const FOR_JAVASCRIPT: &[QueryFile] = &[COMMON, JAVASCRIPT, MARKUP];
/// The files for TypeScript.
pub(super) const FOR_TYPESCRIPT: &[QueryFile] = &[COMMON, TYPESCRIPT, ASSERTION];
/// The files for TypeScript with markup.
pub(super) const FOR_TSX: &[QueryFile] = &[COMMON, TYPESCRIPT, MARKUP];

/// A line of a query file that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// The file, as a path in the repository.
    pub file: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub reason: String,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

impl std::error::Error for QueryError {}

/// A grammar and the roles of its nodes.
#[derive(Debug)]
pub(super) struct Grammar {
    /// The grammar.
    pub(super) language: Language,
    /// Its fields.
    pub(super) field: Fields,
    roles: Vec<Role>,
}

impl Grammar {
    /// Reads query files for a grammar.
    ///
    /// # Errors
    /// A line that is no `(node_kind) @capture`, a capture that is not in the list, a kind that the grammar does not have, a
    /// kind that has a role already.
    pub(super) fn new(language: Language, files: &[QueryFile]) -> Result<Self, QueryError> {
        let mut roles = vec![Role::Other; language.node_kind_count()];
        for file in files {
            for (at, line) in file.text.lines().enumerate() {
                let refuse = |reason| QueryError { file: file.path, line: at + 1, reason };
                let line = line.split(';').next().unwrap_or("").trim();
                if line.is_empty() {
                    continue;
                }
                let (kind, role) = pattern(line).map_err(refuse)?;
                assign(&language, &mut roles, kind, role).map_err(refuse)?;
            }
        }
        let field = Fields::of(&language);
        Ok(Self { language, field, roles })
    }

    /// The role of a node.
    pub(super) fn role(&self, node: Node<'_>) -> Role {
        self.roles.get(usize::from(node.kind_id())).copied().unwrap_or(Role::Other)
    }
}

/// Reads `(node_kind) @capture`.
fn pattern(line: &str) -> Result<(&str, Role), String> {
    let malformed = || format!("expected `(node_kind) @capture`, found `{line}`");
    let (kind, capture) = line.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(malformed)?;
    let capture = capture.trim().strip_prefix('@').ok_or_else(malformed)?;
    if kind.is_empty() || !kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(malformed());
    }
    let role =
        Role::of(capture).ok_or_else(|| format!("no such capture: `@{capture}`; there are @{}", Role::CAPTURES.join(", @")))?;
    Ok((kind, role))
}

/// Gives a kind its role under every number that the grammar knows it by.
fn assign(language: &Language, roles: &mut [Role], kind: &str, role: Role) -> Result<(), String> {
    let mut known = false;
    for (id, held) in roles.iter_mut().enumerate() {
        let number = id as u16;
        if language.node_kind_for_id(number) != Some(kind) || !language.node_kind_is_named(number) {
            continue;
        }
        if *held != Role::Other && *held != role {
            return Err(format!("`{kind}` has another capture already"));
        }
        *held = role;
        known = true;
    }
    if known { Ok(()) } else { Err(format!("the grammar has no node of the kind `{kind}`")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grammars() -> [(Language, &'static [QueryFile]); 3] {
        [
            (tree_sitter_javascript::LANGUAGE.into(), FOR_JAVASCRIPT),
            (tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), FOR_TYPESCRIPT),
            (tree_sitter_typescript::LANGUAGE_TSX.into(), FOR_TSX),
        ]
    }

    #[test]
    fn the_files_are_valid_queries_and_valid_tables() {
        for (language, files) in grammars() {
            for file in files {
                tree_sitter::Query::new(&language, file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path));
            }
            Grammar::new(language, files).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    fn refusal(text: &'static str) -> String {
        let file = QueryFile { path: "queries/javascript/x.scm", text };
        Grammar::new(tree_sitter_javascript::LANGUAGE.into(), &[file]).expect_err("refused").to_string()
    }

    #[test]
    fn what_is_not_in_the_list_is_refused_with_its_place() {
        let unknown = refusal("; fine\n(identifier) @name\n(call_expression) @cal\n");
        assert!(unknown.starts_with("queries/javascript/x.scm:3: no such capture: `@cal`; there are @import, "), "{unknown}");
        assert_eq!(
            refusal("(no_such_thing) @call"),
            "queries/javascript/x.scm:1: the grammar has no node of the kind `no_such_thing`"
        );
        assert!(refusal("\n(call_expression (identifier) @call)").starts_with("queries/javascript/x.scm:2: expected"));
        assert!(refusal("call_expression @call").contains("expected `(node_kind) @capture`"));
        assert_eq!(refusal("(this) @this\n(this) @name"), "queries/javascript/x.scm:2: `this` has another capture already");
    }
}
