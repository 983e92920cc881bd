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
        self.files_of(hash(word.trim_start_matches('#').as_bytes()))
    }

    /// The files that may implement, extend or add to a type of that name, or call it otherwise; some more than once.
    pub(super) fn heirs(&self, name: &str) -> impl Iterator<Item = u32> {
        [Mark::Heir, Mark::Renamed].into_iter().flat_map(|mark| self.files_of(mark.on(name.as_bytes())))
    }

    /// The files that may write down an instance of a type of that name, or hand it what it is made of: `Name { … }`, `Name(…)`.
    pub(super) fn makers(&self, name: &str) -> impl Iterator<Item = u32> {
        self.files_of(Mark::Made.on(name.as_bytes()))
    }

    fn files_of(&self, hash: u32) -> impl Iterator<Item = u32> {
        let from = self.held.partition_point(|(known, _)| *known < hash);
        self.held[from..].iter().take_while(move |(known, _)| *known == hash).map(|(_, file)| *file)
    }

    /// Whether a file holds a word.
    pub(super) fn holds(&self, file: u32, word: &str) -> bool {
        self.held.binary_search(&(hash(word.trim_start_matches('#').as_bytes()), file)).is_ok()
    }
}

/// What is said of a word beside that it is there.
#[derive(Clone, Copy)]
enum Mark {
    /// It stands among the types that something implements, extends or adds to.
    Heir,
    /// A bracket opens right after it.
    Made,
    /// It goes by another name (`Client as Inner`).
    Renamed,
}

impl Mark {
    /// The hash of a word with this mark: no word has it, as it begins with what is part of none.
    fn on(self, word: &[u8]) -> u32 {
        let begin = match self {
            Self::Heir => b"<",
            Self::Made => b"(",
            Self::Renamed => b"=",
        };
        hash_on(hash(begin), word)
    }
}

/// The words of a text as hashes, each once. `heirs` are the words after which types are named that the code implements or extends.
pub(super) fn hashes(bytes: &[u8], heirs: &[&str]) -> Box<[u32]> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
    let mut words = Vec::with_capacity(bytes.len() / 8);
    let mut before: &[u8] = &[];
    // Whether nothing but space stands between the word before and here.
    let mut is_next = false;
    let mut is_clause = false;
    let mut at = 0;
    while at < bytes.len() {
        if !is_part(bytes[at]) {
            is_clause &= !matches!(bytes[at], b'{' | b';');
            // Types are written with a capital letter.
            if is_next && matches!(bytes[at], b'{' | b'(') && before.first().is_some_and(u8::is_ascii_uppercase) {
                words.push(Mark::Made.on(before));
            }
            is_next &= bytes[at] == b' ';
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().position(|byte| !is_part(*byte)).unwrap_or(bytes.len() - at);
        let word = &bytes[at..at + length];
        at += length;
        words.push(hash(word));
        if is_clause {
            words.push(Mark::Heir.on(word));
        }
        if word == b"as" {
            words.push(Mark::Renamed.on(before));
        }
        // A macro that writes such a clause is named after it (`impl_store!(Client)`).
        let opens = |heir: &str| word.strip_prefix(heir.as_bytes()).is_some_and(|rest| matches!(rest, [] | [b'_', ..]));
        is_clause |= heirs.iter().any(|heir| opens(heir));
        before = word;
        is_next = true;
    }
    words.sort_unstable();
    words.dedup();
    // A copy of its size: what is cut down in place keeps its room.
    words.as_slice().into()
}

/// A word's hash (FNV-1a, 32 bits).
fn hash(word: &[u8]) -> u32 {
    hash_on(0x811c_9dc5, word)
}

/// The hash of more bytes after those of a hash.
fn hash_on(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::{Words, hashes};

    #[test]
    fn finds_the_files_that_hold_a_word() {
        let texts = ["const api = axios.create()", "api.get('/x')", "class A { #api = 1 }"];
        let words: Vec<Box<[u32]>> = texts.iter().map(|text| hashes(text.as_bytes(), &[])).collect();
        let all = Words::new(words.iter().enumerate().map(|(at, words)| (at as u32, &**words)));
        assert_eq!(all.holders("api").collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(all.holders("#api").collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(all.holders("axios").collect::<Vec<_>>(), [0]);
        assert_eq!(all.holders("ap").count(), 0);
        assert!(all.holds(1, "get") && !all.holds(0, "get"));
    }

    #[test]
    fn finds_the_files_that_implement_a_type() {
        let texts = [
            "class Users extends Base<User> implements a.Store, Closer { base: Other }",
            "import { Store as Kept } from './store'; interface Wide extends Kept {}",
            "const store: Store = new Base()",
        ];
        let words: Vec<Box<[u32]>> = texts.iter().map(|text| hashes(text.as_bytes(), &["implements", "extends"])).collect();
        let all = Words::new(words.iter().enumerate().map(|(at, words)| (at as u32, &**words)));
        assert_eq!(all.heirs("Store").collect::<Vec<_>>(), [0, 1]);
        assert_eq!(all.heirs("Base").collect::<Vec<_>>(), [0]);
        assert_eq!(all.heirs("Kept").collect::<Vec<_>>(), [1]);
        assert_eq!(all.heirs("Other").count(), 0);
        assert_eq!(all.makers("Base").collect::<Vec<_>>(), [2]);
        assert_eq!(all.makers("Closer").collect::<Vec<_>>(), [0]);
    }
}
