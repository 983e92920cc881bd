//! When the tries of one hop begin and end, counted from the hop's own beginning.
//!
//! In: how long one try takes, the waits between tries, which dice. Out: beginnings, ends, and how many tries begin or end in time, without
//! walking through them: four billion retries cost as much as three.

use super::backoff::{Backoff, Dice};
use super::time::Bound;

/// Equal tries in a row with waits between them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeline {
    pub one: Bound,
    pub backoff: Backoff,
    pub dice: Dice,
}

impl Timeline {
    /// When try `k` (from 1) begins. Unbounded when a try before it never ends.
    pub fn start(&self, k: u64) -> Bound {
        self.one.times(k - 1).plus(self.backoff.sum(k - 1, self.dice).into())
    }

    /// When try `k` (from 1) ends; no time at all for no tries.
    pub fn end(&self, k: u64) -> Bound {
        if k == 0 { Bound::ZERO } else { self.start(k).plus(self.one) }
    }

    /// How many of `tries` begin before `room` is over and have ended by then; all of them where the room has no end.
    pub fn ended_by(&self, room: Bound, tries: u64) -> u64 {
        if room.is_unbounded() { tries } else { last(tries, |k| self.start(k) < room && self.end(k) <= room) }
    }

    /// How many of `tries` begin before `stop`.
    pub fn begun_before(&self, stop: Bound, tries: u64) -> u64 {
        last(tries, |k| self.start(k) < stop)
    }

    /// How many of `tries` begin at `stop` or before.
    pub fn begun_by(&self, stop: Bound, tries: u64) -> u64 {
        last(tries, |k| !self.start(k).is_unbounded() && self.start(k) <= stop)
    }
}

/// The greatest `k` up to `most` for which `holds`, which holds for all smaller ones too; 0 for none.
fn last(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    if most == 0 || holds(most) {
        return most;
    }
    let (mut low, mut high) = (0, most);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Millis;

    #[test]
    fn counts_are_those_of_walking() {
        for (one, wait, room, tries) in
            [(500, 25, 1000, 3), (100, 0, 300, 9), (100, 0, 299, 9), (1, 0, 7, 50), (0, 0, 0, 4), (0, 3, 9, 40)]
        {
            let line =
                Timeline { one: Bound::micros(one), backoff: Backoff::fixed(Millis::from_micros(wait)), dice: Dice::Worst };
            let (mut at, mut ended, mut before, mut by) = (0, 0, 0, 0);
            for _ in 0..tries {
                before += u64::from(at < room);
                by += u64::from(at <= room);
                let begun = at < room;
                at += one;
                ended += u64::from(begun && at <= room);
                at += wait;
            }
            let room = Bound::micros(room);
            assert_eq!(
                (line.ended_by(room, tries), line.begun_before(room, tries), line.begun_by(room, tries)),
                (ended, before, by)
            );
        }
    }

    #[test]
    fn a_try_that_never_ends_has_no_successor() {
        let line = Timeline { one: Bound::Unbounded, backoff: Backoff::default(), dice: Dice::Worst };
        assert_eq!(line.ended_by(Bound::millis(9), 3), 0);
        assert_eq!(line.ended_by(Bound::Unbounded, 3), 3);
        assert_eq!(line.begun_before(Bound::Unbounded, 3), 1);
        assert_eq!(line.begun_by(Bound::Unbounded, 3), 1);
    }
}
