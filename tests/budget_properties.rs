//! The closed form against the simulation, and laws that every chain obeys.

#![allow(clippy::unwrap_used, clippy::panic)] // a test may fail

use proptest::prelude::*;
use untimed::budget::simulate::{Luck, Run, Scenario, simulate};
use untimed::budget::{self, Bound, Chain, Curve, Dice, Hop, Jitter, OnTimeout, Propagate, check};
use untimed::limit::Millis;

const MS: u64 = 1_000;

fn time(most: u64) -> impl Strategy<Value = Millis> {
    // Mostly round numbers, so that ties are common; now and then single microseconds.
    prop_oneof![4 => (1..=most).prop_map(|n| Millis::from_micros(n * 100 * MS)), 1 => (1..=most * 100 * MS).prop_map(Millis::from_micros)]
}

fn limit(most: u64) -> impl Strategy<Value = Bound> {
    prop_oneof![6 => time(most).prop_map(Bound::Finite), 1 => Just(Bound::Unbounded)]
}

fn curve() -> impl Strategy<Value = Option<Curve>> {
    prop_oneof![
        3 => Just(None),
        2 => time(4).prop_map(|wait| Some(Curve::Fixed(wait))),
        1 => (time(3), limit(9), 1_000_u64..3_000).prop_map(|(first, cap, milli_factor)| Some(Curve::Exponential {
            first: cap.finite().map_or(first, |cap| cap.min(first)), cap, milli_factor })),
        1 => (time(3), limit(9)).prop_map(|(base, cap)| Some(Curve::Envoy { base: cap.finite().map_or(base, |cap| cap.min(base)), cap })),
    ]
}

fn jitter() -> impl Strategy<Value = Option<Jitter>> {
    prop_oneof![
        3 => Just(None),
        1 => Just(Some(Jitter::Full)),
        1 => Just(Some(Jitter::Equal)),
        1 => (0_u8..=100).prop_map(|percent| Some(Jitter::Percent(percent))),
    ]
}

/// What a random hop may have beyond its per-try timeout, its retries and a fixed wait.
#[derive(Clone, Copy)]
struct Extras {
    dice: bool,
    gives_up: bool,
    useful: bool,
    passes: bool,
}

const PLAIN: Extras = Extras { dice: false, gives_up: false, useful: false, passes: false };
const ALL: Extras = Extras { dice: true, gives_up: true, useful: true, passes: true };

fn hop(extras: Extras) -> impl Strategy<Value = Hop> {
    let words = (limit(12), 0_u32..4, prop_oneof![3 => Just(Bound::Unbounded), 1 => limit(20)]);
    let more = (curve(), jitter(), prop::option::of(time(3)), prop::option::weighted(0.2, time(4)), 0..4, any::<bool>());
    (words, more).prop_map(move |((per_try, retries, total), (backoff, jitter, reserve, useful, on_timeout, passes))| {
        let mut hop = Hop::new("a", "b", per_try, retries);
        hop.total = total;
        hop.backoff = if extras.dice { backoff } else { backoff.filter(|curve| !matches!(curve, Curve::Envoy { .. })) };
        hop.jitter = jitter.filter(|_| extras.dice);
        hop.reserve = reserve;
        hop.min_useful = useful.filter(|_| extras.useful);
        if extras.gives_up && on_timeout == 0 {
            hop.on_timeout = OnTimeout::GiveUp;
        }
        if extras.passes && passes {
            hop.propagate = Propagate::Deadline;
        }
        hop
    })
}

fn chain(extras: Extras) -> impl Strategy<Value = Chain> {
    (prop::collection::vec(hop(extras), 1..5), limit(40)).prop_map(|(mut hops, deadline)| {
        for (at, hop) in hops.iter_mut().enumerate() {
            (hop.caller, hop.callee) = (format!("s{at}").into(), format!("s{}", at + 1).into());
        }
        Chain::new(hops).with_deadline(deadline)
    })
}

fn hang(chain: &Chain, luck: Luck) -> Run {
    let run = simulate(chain, &Scenario { luck, ..Scenario::HANG });
    assert!(!run.stopped_early);
    run
}

/// Whether what is passed on can make a useful try useless: then the closed form is an upper bound.
fn mixed(chain: &Chain) -> bool {
    chain.hops.windows(2).any(|pair| pair.iter().all(|hop| hop.propagate == Propagate::Deadline) && pair[1].min_useful.is_some())
}

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(12_000))]

    /// Totals, reserves, fixed and growing waits: exactly the same.
    #[test]
    fn the_closed_form_is_the_simulation(chain in chain(PLAIN)) {
        let verdict = check(&chain);
        let run = hang(&chain, Luck::Always(Dice::Worst));
        prop_assert_eq!(verdict.worst.high, run.top_over);
        prop_assert_eq!(verdict.worst.low, verdict.worst.high);
        prop_assert_eq!(verdict.seen, run.at);
    }
}

proptest! {
    #![proptest_config(cases(10_000))]

    /// Everything at once: dice, tries that are not retried, tries that are refused, deadlines that are passed on.
    #[test]
    fn the_closed_form_with_everything_is_the_simulation(chain in chain(ALL), seed in any::<u64>()) {
        let verdict = check(&chain);
        let (kind, worst, any) = (hang(&chain, Luck::Always(Dice::Kind)), hang(&chain, Luck::Always(Dice::Worst)), hang(&chain, Luck::Seed(seed)));
        let dice = verdict.calls.iter().any(|call| !chain.backoff_of(&call.hop).jitter.eq(&Jitter::None) || matches!(call.hop.backoff, Some(Curve::Envoy { .. })));
        let reluctant = chain.hops.iter().any(|hop| hop.min_useful.is_some() || hop.on_timeout == OnTimeout::GiveUp);
        for run in [&kind, &worst, &any] {
            prop_assert!(run.top_over <= verdict.worst.high, "{:?} above {:?}", run.top_over, verdict.worst);
            prop_assert!(run.top_over >= verdict.worst.low || mixed(&chain), "{:?} below {:?}", run.top_over, verdict.worst);
        }
        if !mixed(&chain) && (!dice || !reluctant) {
            prop_assert_eq!(verdict.worst.high, worst.top_over);
            prop_assert_eq!(verdict.worst.low, kind.top_over);
            prop_assert_eq!(verdict.seen, worst.at);
        }
    }

}

proptest! {
    #![proptest_config(cases(5_000))]

    /// Calls at the bottom and the end of the last work, with and without cancellation.
    #[test]
    fn the_load_is_that_of_the_simulation(chain in chain(Extras { dice: false, ..ALL })) {
        let verdict = check(&chain);
        if let Some(load) = budget::load(&verdict) {
            let free = hang(&chain, Luck::Always(Dice::Worst));
            let cancelled = simulate(&chain, &Scenario { cancel: true, ..Scenario::HANG });
            prop_assert_eq!((load.calls, load.last_work), (free.bottom_calls, free.last_work));
            prop_assert_eq!((load.calls_if_cancelled, load.last_work_if_cancelled), (cancelled.bottom_calls, cancelled.last_work));
            prop_assert!(load.calls_if_cancelled <= load.calls);
            prop_assert_eq!(cancelled.started_for_nobody, 0);
        } else {
            prop_assert!(mixed(&chain));
        }
    }

    /// How many tries of the first service fit is how many of them end in time, counted one by one.
    #[test]
    fn what_fits_is_what_ends_in_time(chain in chain(Extras { passes: false, dice: false, ..ALL })) {
        let verdict = check(&chain);
        let run = hang(&chain, Luck::Always(Dice::Worst));
        let top = &verdict.calls[0];
        let ended = |one: &&budget::simulate::Try| one.hop == 0 && one.start < top.room() && one.end <= top.room() && one.ending != budget::simulate::Ending::Stopped;
        let cut_short = run.tries.iter().any(|one| one.hop == 0 && one.ending == budget::simulate::Ending::Stopped && one.end <= top.room()
            && one.end == one.start.plus(top.one_try.high));
        if !top.room().is_unbounded() {
            prop_assert_eq!(top.fit, run.tries.iter().filter(ended).count() as u64 + u64::from(cut_short));
        }
    }
}

/// One change of one limit for the longer, or one more retry.
fn longer(chain: &Chain, at: usize, which: u8, more: Millis) -> Chain {
    let mut longer = chain.clone();
    let count = longer.hops.len();
    let hop = &mut longer.hops[at % count];
    match which {
        0 => hop.per_try = hop.per_try.plus(more.into()),
        1 => hop.total = hop.total.plus(more.into()),
        2 => hop.retries += 1,
        3 => hop.per_try = Bound::Unbounded,
        4 => hop.total = Bound::Unbounded,
        _ => hop.reserve = Some(hop.reserve.unwrap_or_default().plus(more)),
    }
    longer
}

proptest! {
    #![proptest_config(cases(4_000))]

    /// Raising a limit, or one more retry, never shortens the worst case of any call.
    #[test]
    fn more_never_takes_less(chain in chain(Extras { dice: true, ..PLAIN }), at in 0_usize..4, which in 0_u8..6, more in time(9)) {
        let (before, after) = (check(&chain), check(&longer(&chain, at, which, more)));
        prop_assert!(after.worst.high >= before.worst.high && after.worst.low >= before.worst.low);
        prop_assert!(after.calls.iter().zip(&before.calls).all(|(after, before)| after.needs >= before.needs));
    }

    /// One more hop, anywhere, never makes the whole faster, as long as it does not itself cut short what the others did.
    #[test]
    fn another_hop_never_takes_less(chain in chain(Extras { dice: true, ..PLAIN }), another in hop(PLAIN), at in 0_usize..5) {
        let before = check(&chain);
        let at = at.min(chain.hops.len());
        let uncut = match before.calls.get(at) {
            Some(call) => call.worst.high.plus(call.reserve.into()),
            None => chain.hops[at - 1].own_limit(),
        };
        let mut longer = chain.clone();
        longer.hops.insert(at, Hop { per_try: another.per_try.max(uncut), total: Bound::Unbounded, ..another });
        prop_assert!(check(&longer).worst.high >= before.worst.high);
    }

    /// What is printed is read back as the same.
    #[test]
    fn parse_undoes_print(chain in chain(ALL), name in "[a-zA-Z0-9äöü漢字._/-]{1,12}") {
        let chains = vec![Chain { name: Some(name), ..chain }];
        prop_assert_eq!(budget::parse(&budget::print(&chains)), Ok(chains));
    }

    /// Any text at all: an answer or an error that names a line of it.
    #[test]
    fn any_text_is_read_or_refused(text in "([a-c]( -> | → |->)?[a-c]? ?(none|[0-9.]{1,4}(ms|s|m)?)? [0-9]?( [a-z_]{1,9}=[a-z0-9.:%]{1,6})?\\n|\\PC{0,40}\\n|chain x\\n|#.*\\n){0,6}") {
        match budget::parse(&text) {
            Ok(chains) => prop_assert_eq!(budget::parse(&budget::print(&chains)), Ok(chains)),
            Err(error) => prop_assert!((1..=text.lines().count().max(1)).contains(&error.line)),
        }
    }
}

/// The contract's own formulas, in its own words, with integers.
#[test]
fn the_formulas_of_the_contract() {
    let numbers: Vec<u64> = vec![1, 2, 3, 7, 10];
    let mut checked = 0_u32;
    for &t0 in &numbers {
        for &t1 in &numbers {
            for (r0, r1) in [(0_u32, 0_u32), (1, 2), (3, 1), (2, 0)] {
                for b in [0_u64, 1, 4] {
                    for &deadline in &numbers {
                        let (n0, n1) = (u64::from(r0) + 1, u64::from(r1) + 1);
                        let worst1 = n1 * t1 + (n1 - 1) * b;
                        let one0 = t0.min(worst1);
                        let worst0 = n0 * one0 + (n0 - 1) * b;
                        let fit = |allowed: u64, one: u64, n: u64| ((allowed + b) / (one + b)).min(n);
                        let chain = Chain {
                            backoff: Some(Curve::Fixed(Millis::from_millis(b))),
                            ..Chain::new(vec![
                                Hop::new("a", "b", Bound::millis(t0), r0),
                                Hop::new("b", "c", Bound::millis(t1), r1),
                            ])
                        }
                        .with_deadline(Bound::millis(deadline));
                        let verdict = check(&chain);
                        assert_eq!(verdict.worst.high, Bound::millis(worst0));
                        assert_eq!(verdict.fits_deadline, worst0 <= deadline);
                        assert_eq!((verdict.calls[0].fit, verdict.calls[1].fit), (fit(deadline, one0, n0), fit(t0, t1, n1)));
                        for (call, n, allowed) in [(&verdict.calls[0], n0, deadline), (&verdict.calls[1], n1, t0)] {
                            let most = allowed.checked_sub((n - 1) * b).map(|rest| rest / n).filter(|most| *most > 0);
                            assert_eq!(call.max_per_try, most.map(Millis::from_millis));
                            assert_eq!(call.broken, call.fit < n);
                        }
                        checked += 1;
                    }
                }
            }
        }
    }
    assert_eq!(checked, 1_500);
}
