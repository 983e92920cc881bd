//! What a dependency injector gives for a name: the names of its parts.
//!
//! In: `[[injection]]` of a library file. Out: [`InjectionTable`]. How the entries are found is the linker's matter.

use serde::Deserialize;

/// A decorator that asks for something by a token, and the entries of lists that say what it is:
/// `@Inject('REDIS') redis` and `{ provide: 'REDIS', useFactory: () => new Redis() }`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InjectionTable {
    /// The decorator of a parameter; its argument is the token.
    pub asks: String,
    /// The key of an entry that holds its token.
    pub named: String,
    /// The keys of an entry that give what is asked for: a value, a class, or a function that makes it.
    pub gives: Vec<String>,
    /// Where it was read or measured.
    #[serde(default)]
    pub source: Option<String>,
}
