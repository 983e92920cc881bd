//! Words of a closed list as arguments.
//!
//! In: all values of a type and the word of each. Out: a parser that knows the words and says them when another one is given.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of these values by its word.
pub(super) fn one_of<T, const N: usize>(all: [T; N], word: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let by_word = move |text: String| all.into_iter().find(|one| word(*one) == text).ok_or("a word that is none of these");
    PossibleValuesParser::new(all.map(word)).try_map(by_word)
}
