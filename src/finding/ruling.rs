//! What the gate says.
//!
//! In: nothing; the gate fills these in. Out: plain data for reports and the exit code.

use super::{Identity, Rule};

/// Whether the gate holds, and why.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ruling {
    /// Why it does not hold, a sentence each; none: it holds.
    pub failures: Vec<String>,
    /// What the findings were compared with, in words: a baseline, a revision.
    pub compared: Vec<String>,
    /// Whether new findings can fail it; not where nothing is known and thresholds are given in their place.
    pub judges_new: bool,
    /// New findings that fail it.
    pub new: usize,
    /// New findings that do not.
    pub others: usize,
    /// Findings that stood before.
    pub known: usize,
    /// Findings that comments suppress.
    pub suppressed: usize,
    /// Findings of the baseline that are gone.
    pub stale: Vec<KnownFinding>,
    /// Files that go by another name than in what was compared with.
    pub renamed: Vec<(String, String)>,
    /// The floors, each with what was reached.
    pub floors: Vec<Reached>,
    /// What was written, as a sentence.
    pub written: Option<String>,
}

impl Ruling {
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.failures.is_empty()
    }
}

/// A finding that is known, without its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KnownFinding {
    /// Where and what.
    pub identity: Identity,
    /// The rule.
    pub rule: Rule,
}

/// A floor, and what was reached.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reached {
    /// The calls that it is about, in words; empty: all.
    pub part: String,
    /// Where it is written.
    pub written: String,
    /// The calls that count: all but those that a comment suppresses.
    pub calls: usize,
    /// Covered calls.
    pub covered: usize,
    /// Calls that count as uncovered.
    pub uncovered: usize,
    /// The coverage that is needed, in percent.
    pub min_coverage: Option<f64>,
    /// How many uncovered calls are allowed.
    pub max_uncovered: Option<u32>,
}

impl Reached {
    /// Covered calls of all, in percent; all of them where there are none.
    pub fn coverage(&self) -> f64 {
        if self.calls == 0 { 100.0 } else { self.covered as f64 / self.calls as f64 * 100.0 }
    }

    /// The coverage with one digit, rounded down: what falls short must not look like enough.
    pub fn shown_coverage(&self) -> f64 {
        (self.covered * 1_000).checked_div(self.calls).map_or(100.0, |tenths| tenths as f64 / 10.0)
    }

    /// Whether the coverage is high enough.
    pub fn is_covered(&self) -> bool {
        self.min_coverage.is_none_or(|needed| self.coverage() + 1e-9 >= needed)
    }

    /// Whether few enough calls are uncovered.
    pub fn is_few(&self) -> bool {
        self.max_uncovered.is_none_or(|most| self.uncovered as u64 <= u64::from(most))
    }
}

#[cfg(test)]
mod tests {
    use super::Reached;

    #[test]
    fn a_coverage_is_rounded_down_and_no_further() {
        let shown = |covered, calls| Reached { calls, covered, ..Reached::default() }.shown_coverage();
        for covered in 0..=100 {
            assert_eq!(shown(covered, 100), covered as f64);
        }
        assert_eq!((shown(999, 1_000), shown(9_999, 10_000), shown(0, 0)), (99.9, 99.9, 100.0));
    }
}
