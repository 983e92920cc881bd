//! Contexts: what a library hands to the handlers that it is given, beside what they are called with.
//!
//! In: a `[[context]]` table. Out: [`Context`]. A builder is told the type of the context once, middlewares add to it, and every handler
//! gets it in a member of its parameter.

use serde::Deserialize;

use super::{ObjectId, Shape};

/// What a handler is handed: the context that a call of the chain before it gives a type to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextTable {
    /// The object that takes the handler.
    pub on: String,
    /// How.
    pub call: Vec<String>,
    /// Which parameter of the handler holds the context, from 0.
    #[serde(default)]
    pub param: u32,
    /// The member of it that is the context.
    pub key: String,
    /// The call of the chain whose first type argument is the context's type, or that of the function which makes it.
    pub typed_by: String,
    /// The function in the same parameter that hands on more of the context, under the same key.
    pub adds: String,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}

/// A checked `[[context]]`.
#[derive(Debug, Clone)]
pub struct Context {
    /// The object that takes the handler.
    pub on: ObjectId,
    /// How.
    pub shapes: Vec<Shape>,
    /// The rest as written.
    pub table: ContextTable,
}
