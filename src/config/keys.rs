//! The keys that each table knows.
//!
//! The reader refuses all others; a test holds the JSON Schema to the same ones.

/// The file.
pub(super) const FILE: &[&str] = &[
    "include", "exclude", "kinds", "queries", "max_size", "policy", "rules", "override", "client", "wrapper", "limit",
    "services", "gate",
];

/// `[policy]`.
pub(super) const POLICY: &[&str] = &["longest_default", "accept", "tests", "examples", "generated", "vendored", "ignored"];

/// `[[override]]`.
pub(super) const OVERRIDE: &[&str] = &["paths", "rules"];

/// `[[wrapper]]`.
pub(super) const WRAPPER: &[&str] = &["function", "paths", "wrapper"];

/// `[[limit]]`.
pub(super) const LIMIT: &[&str] = &["paths", "kinds", "clients", "hosts", "wait", "kind", "reason"];

/// `[services.NAME]`.
pub(super) const SERVICE: &[&str] = &["paths", "hosts", "ports", "env"];

/// `[gate]`.
pub(super) const GATE: &[&str] = &["baseline", "min_coverage", "max_uncovered", "strict", "fail_on", "floor"];

/// `[[gate.floor]]`.
pub(super) const FLOOR: &[&str] = &["paths", "kinds", "services", "min_coverage", "max_uncovered"];

/// Every table with its keys; the file itself has no name, a service any.
pub const TABLES: &[(&str, &[&str])] = &[
    ("", FILE),
    ("policy", POLICY),
    ("override", OVERRIDE),
    ("wrapper", WRAPPER),
    ("limit", LIMIT),
    ("services.*", SERVICE),
    ("gate", GATE),
    ("gate.floor", FLOOR),
];
