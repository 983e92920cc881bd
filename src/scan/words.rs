//! Which files hold a word.
//!
//! In: the words of every file, from the first look at it. Out: [`Words`], which answers by binary search. Words are kept as hashes of 32
//! bits: two words that share one cost a needless look at a file, never a missed one.

/// The words of all files.
#[derive(Default)]
pub(super) struct Words {
    /// Hash and file, sorted.
    held: Vec<(u32, u32)>,
}

impl Words {
    /// Puts the words of files together, each given by its number.
    pub(super) fn new<'a>(files: impl Iterator<Item = (u32, &'a [u32])>) -> Self {
        let mut held: Vec<(u32, u32)> = files.flat_map(|(file, words)| words.iter().map(move |word| (*word, file))).collect();
        rayon::slice::ParallelSliceMut::par_sort_unstable(held.as_mut_slice());
        Self { held }
    }

    /// The files that hold a word, in the order of their numbers.
    pub(super) fn holders(&self, word: &str) -> impl Iterator<Item = u32> {
        let word = hash(word.trim_start_matches('#').as_bytes());
        let from = self.held.partition_point(|(known, _)| *known < word);
        self.held[from..].iter().take_while(move |(known, _)| *known == word).map(|(_, file)| *file)
    }

    /// Whether a file holds a word.
    pub(super) fn holds(&self, file: u32, word: &str) -> bool {
        self.held.binary_search(&(hash(word.trim_start_matches('#').as_bytes()), file)).is_ok()
    }
}

/// The words of a text as hashes, each once.
pub(super) fn hashes(bytes: &[u8]) -> Box<[u32]> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
    let mut words: Vec<u32> = bytes.split(|byte| !is_part(byte)).filter(|word| !word.is_empty()).map(hash).collect();
    words.sort_unstable();
    words.dedup();
    words.into()
}

/// A word's hash (FNV-1a, 32 bits).
fn hash(word: &[u8]) -> u32 {
    word.iter().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::{Words, hashes};

    #[test]
    fn finds_the_files_that_hold_a_word() {
        let texts = ["const api = axios.create()", "api.get('/x')", "class A { #api = 1 }"];
        let words: Vec<Box<[u32]>> = texts.iter().map(|text| hashes(text.as_bytes())).collect();
        let all = Words::new(words.iter().enumerate().map(|(at, words)| (at as u32, &**words)));
        assert_eq!(all.holders("api").collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(all.holders("#api").collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(all.holders("axios").collect::<Vec<_>>(), [0]);
        assert_eq!(all.holders("ap").count(), 0);
        assert!(all.holds(1, "get") && !all.holds(0, "get"));
    }
}
