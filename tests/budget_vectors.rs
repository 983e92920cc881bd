//! Numbers that were worked out, measured or published elsewhere, and the incidents under `fixtures/chain/`.

#![allow(clippy::unwrap_used, clippy::panic)] // a test may fail

use std::fs;
use std::path::Path;

use untimed::budget::simulate::{By, Limit, Luck, Scenario, simulate};
use untimed::budget::{self, Bound, Chain, Curve, Defaults, Dice, Fate, Hop, Verdict, check, fates, load};
use untimed::limit::Millis;
use untimed::report::budget::assumed;

/// Thousandths of a second.
fn ms(seconds: f64) -> u64 {
    (seconds * 1_000.0).round() as u64
}

struct Vector {
    hops: &'static [(f64, u32, f64)],
    deadline: f64,
    seen: f64,
    wanted: f64,
    /// Tries that fit, per hop from the second.
    fit: &'static [u64],
    calls: (u64, u64),
    in_flight: (u64, u64),
    last: (f64, f64),
}

const VECTORS: [Vector; 7] = [
    Vector {
        hops: &[(3.0, 1, 0.0), (10.0, 0, 0.0)],
        deadline: 6.0,
        seen: 6.0,
        wanted: 20.0,
        fit: &[0],
        calls: (2, 2),
        in_flight: (2, 1),
        last: (13.0, 6.0),
    },
    Vector {
        hops: &[(3.0, 1, 0.0), (2.5, 0, 0.0)],
        deadline: 6.0,
        seen: 5.0,
        wanted: 5.0,
        fit: &[1],
        calls: (2, 2),
        in_flight: (1, 1),
        last: (5.0, 5.0),
    },
    Vector {
        hops: &[(2.0, 0, 0.0), (3.0, 1, 0.0)],
        deadline: 2.0,
        seen: 2.0,
        wanted: 6.0,
        fit: &[0],
        calls: (2, 1),
        in_flight: (1, 1),
        last: (6.0, 2.0),
    },
    Vector {
        hops: &[(10.0, 0, 0.0), (20.0, 0, 0.0)],
        deadline: 10.0,
        seen: 10.0,
        wanted: 20.0,
        fit: &[0],
        calls: (1, 1),
        in_flight: (1, 1),
        last: (20.0, 10.0),
    },
    Vector {
        hops: &[(1.0, 3, 0.0), (1.0, 3, 0.0), (1.0, 3, 0.0)],
        deadline: 10.0,
        seen: 4.0,
        wanted: 64.0,
        fit: &[1, 1],
        calls: (64, 4),
        in_flight: (12, 1),
        last: (10.0, 4.0),
    },
    Vector {
        hops: &[(60.0, 0, 0.0), (60.0, 5, 0.0)],
        deadline: 60.0,
        seen: 60.0,
        wanted: 360.0,
        fit: &[1],
        calls: (6, 1),
        in_flight: (1, 1),
        last: (360.0, 60.0),
    },
    Vector {
        hops: &[(3.0, 1, 0.1), (2.0, 2, 0.1), (1.5, 2, 0.2)],
        deadline: 10.0,
        seen: 6.1,
        wanted: 29.9,
        fit: &[1, 1],
        calls: (18, 6),
        in_flight: (4, 1),
        last: (12.2, 6.1),
    },
];

#[test]
fn the_published_vectors() {
    for (at, vector) in VECTORS.iter().enumerate() {
        let hops = vector.hops.iter().map(|&(per_try, retries, wait)| Hop {
            backoff: Some(Curve::Fixed(Millis::from_millis(ms(wait)))),
            ..Hop::new("", "", Bound::millis(ms(per_try)), retries)
        });
        let chain = Chain::new(hops.collect()).with_deadline(Bound::millis(ms(vector.deadline)));
        let verdict = check(&chain);
        assert_eq!(verdict.seen, Bound::millis(ms(vector.seen)), "seen {at}");
        assert_eq!(verdict.wanted, Bound::millis(ms(vector.wanted)), "wanted {at}");
        assert_eq!(verdict.calls[1..].iter().map(|call| call.fit).collect::<Vec<_>>(), vector.fit, "fit {at}");
        let load = load(&verdict).unwrap();
        assert_eq!((load.calls, load.calls_if_cancelled), vector.calls, "calls {at}");
        assert_eq!(
            (load.most_at_once, load.most_at_once_if_cancelled),
            (Some(vector.in_flight.0), Some(vector.in_flight.1)),
            "in flight {at}"
        );
        let last = (Bound::millis(ms(vector.last.0)), Bound::millis(ms(vector.last.1)));
        assert_eq!((load.last_work, load.last_work_if_cancelled), last, "last work {at}");
    }
}

/// 60 s over 60 s with 5 retries: five of the six calls start after the caller has left.
#[test]
fn zombies_are_counted() {
    let chain = Chain::new(vec![Hop::new("", "", Bound::millis(60_000), 0), Hop::new("", "", Bound::millis(60_000), 5)])
        .with_deadline(Bound::millis(60_000));
    assert_eq!(simulate(&chain, &Scenario::HANG).started_for_nobody, 5);
}

#[test]
fn totals_cut_what_they_cut() {
    let one = |per_try: u64, retries, wait: u64, total: u64| {
        let hop = Hop {
            total: Bound::millis(total),
            backoff: Some(Curve::Fixed(Millis::from_millis(wait))),
            ..Hop::new("a", "b", Bound::millis(per_try), retries)
        };
        check(&Chain::new(vec![hop]).with_deadline(Bound::millis(total)))
    };
    let verdict = one(250, 3, 0, 500);
    assert_eq!((verdict.seen, verdict.wanted, verdict.calls[0].fit), (Bound::millis(500), Bound::millis(1_000), 2));
    assert_eq!(load(&verdict).unwrap().calls, 2);
    let verdict = one(10_000, 3, 2_000, 30_000);
    assert_eq!((verdict.seen, verdict.wanted, verdict.calls[0].fit), (Bound::millis(30_000), Bound::millis(46_000), 2));
    assert_eq!(load(&verdict).unwrap().calls, 3);
    let fates: Vec<Fate> = fates(&verdict.chain, &verdict.calls[0]).iter().map(|run| run.fate).collect();
    assert_eq!(fates, [Fate::Completes, Fate::Cut { by_total: true }, Fate::NeverStarts]);
}

/// Envoy, measured: 3 s in all, 1 s a try, 5 retries: three tries fit with the kindest dice, two otherwise; 2 s in all with 1.5, 2 or 3 s a try.
#[test]
fn envoy_as_measured() {
    let route = |per_try: u64, retries, total: u64| {
        let hop = Hop {
            total: Bound::millis(total),
            backoff: Some(Curve::parse("envoy:25ms..250ms").unwrap()),
            ..Hop::new("a", "b", Bound::millis(per_try), retries)
        };
        Chain::new(vec![hop])
    };
    let verdict = check(&route(1_000, 5, 3_000));
    assert_eq!((verdict.calls[0].fit, verdict.calls[0].fit_if_kind), (2, 3));
    assert_eq!(verdict.worst.high, Bound::millis(3_000));
    for (per_try, tries) in [(1_500, 2), (2_000, 1), (3_000, 1)] {
        let chain = route(per_try, 3, 2_000);
        let run = simulate(&chain, &Scenario { luck: Luck::Seed(7), ..Scenario::HANG });
        assert_eq!((run.at, run.tries.len()), (Bound::millis(2_000), tries), "{per_try}");
        assert_eq!(check(&chain).worst.high, Bound::millis(2_000));
    }
    // 4 tries of 1 s took 4.07 s.
    let four = check(&route(1_000, 3, 60_000)).worst;
    assert!(four.low <= Bound::millis(4_070) && Bound::millis(4_070) <= four.high);
}

/// 8,000 ms outside, 350 ms to finish, 250 ms on the way: 7,400 ms at most below. With 2,100 ms left, 600 ms of them reserved and a useful try of 1,800 ms, no further try.
#[test]
fn the_example_with_a_reserve() {
    let chains = budget::parse("caller -> service  5900ms  1  reserve=350ms+250ms min_useful=1800ms").unwrap();
    let chain = chains[0].clone().with_deadline(Bound::millis(8_000));
    let verdict = check(&chain);
    assert_eq!(verdict.calls[0].allowed, Bound::millis(7_400));
    assert_eq!((verdict.calls[0].fit, verdict.calls[0].tries), (1, 2));
    let runs = fates(&chain, &verdict.calls[0]);
    assert_eq!(runs.iter().map(|run| (run.first, run.fate)).collect::<Vec<_>>(), [(1, Fate::Completes), (2, Fate::NotStarted)]);
    let run = simulate(&chain, &Scenario::HANG);
    assert_eq!((run.by, run.tries.len()), (By::Limit { hop: 0, limit: Limit::Budget }, 1));
    assert_eq!((run.top_over, run.at), (Bound::millis(5_900), Bound::millis(6_500)));
    // With 300 ms less for the first try, 2,400 ms are left: just enough.
    let mut enough = chain;
    enough.hops[0].per_try = Bound::millis(5_600);
    assert_eq!(simulate(&enough, &Scenario::HANG).tries.len(), 2);
}

/// Ten requests through gateway, loan and billing, which takes 500 ms: who answers and when, calls that reach billing, orphaned completions.
#[test]
fn the_experiment_with_a_late_answer() {
    let at_hop = |hop| By::Limit { hop, limit: Limit::PerTry };
    for (outer, inner, at, by, orphaned) in [
        (300, 800, 300, at_hop(0), 10),
        (800, 300, 300, at_hop(1), 0),
        (800, 800, 500, By::Response, 0),
        (800, 100, 100, at_hop(1), 0),
    ] {
        let chain = Chain::new(vec![
            Hop::new("gateway", "loan", Bound::millis(outer), 0),
            Hop::new("loan", "billing", Bound::millis(inner), 0),
        ]);
        let scenario = Scenario { bottom: Bound::millis(500), ..Scenario::HANG };
        let runs: Vec<_> = (0..10).map(|_| simulate(&chain, &scenario)).collect();
        assert!(runs.iter().all(|run| run.at == Bound::millis(at) && run.by == by), "{outer}/{inner}: {runs:?}");
        assert_eq!(runs.iter().map(|run| run.bottom_calls).sum::<u64>(), 10);
        assert_eq!(runs.iter().map(|run| run.orphaned).sum::<u64>(), orphaned, "{outer}/{inner}");
    }
}

/// An answer after 7 s, where the caller waits 3 s twice.
#[test]
fn ratings_answers_too_late() {
    let chain = &budget::parse(&fs::read_to_string("fixtures/chain/bookinfo.txt").unwrap()).unwrap()[0];
    let run = simulate(chain, &Scenario { bottom: Bound::millis(7_000), ..Scenario::HANG });
    assert_eq!((run.at, run.by, run.orphaned), (Bound::millis(6_000), By::Limit { hop: 0, limit: Limit::PerTry }, 2));
}

/// What the directives of a fixture demand of one chain.
fn demand(verdict: &Verdict, words: &[&str], context: &str) {
    let call = |number: &str| &verdict.calls[number.parse::<usize>().unwrap() - 1];
    let bound = |text: &str| budget::bound(text).unwrap();
    let assumes = |words: &[&str]| assumed(verdict).iter().any(|line| line.contains(&words.join(" ")));
    match words {
        ["fits", word] => assert_eq!(verdict.fits(), *word == "yes", "{context}"),
        ["worst", time] => assert_eq!(verdict.worst.high, bound(time), "{context}"),
        ["fit", number, fit] => assert_eq!(format!("{}/{}", call(number).fit, call(number).hang_tries), *fit, "{context}"),
        ["allowed", number, time] => assert_eq!(call(number).allowed, bound(time), "{context}"),
        ["most", number, time] => assert_eq!(call(number).max_per_try, bound(time).finite(), "{context}"),
        ["amplification", count] => assert_eq!(verdict.amplification.to_string(), *count, "{context}"),
        ["calls", count] => assert_eq!(load(verdict).unwrap().calls.to_string(), *count, "{context}"),
        ["calls-if-cancelled", count] => assert_eq!(load(verdict).unwrap().calls_if_cancelled.to_string(), *count, "{context}"),
        ["last-work", time] => assert_eq!(load(verdict).unwrap().last_work, bound(time), "{context}"),
        ["fate", number, name] => {
            assert!(fates(&verdict.chain, call(number)).iter().any(|run| run.fate.name() == *name), "{context}")
        }
        ["finding", rule] => {
            assert!(verdict.findings.iter().any(|f| f.rule.name() == *rule), "{context}: {:?}", verdict.findings)
        }
        ["finding", rule, number] => {
            let hop = number.parse::<usize>().unwrap() - 1;
            assert!(
                verdict.findings.iter().any(|f| f.rule.name() == *rule && f.hop == Some(hop)),
                "{context}: {:?}",
                verdict.findings
            );
        }
        ["silent"] => assert!(verdict.findings.is_empty(), "{context}: {:?}", verdict.findings),
        ["assumed", words @ ..] => assert!(assumes(words), "{context}"),
        ["not-assumed", words @ ..] => assert!(!assumes(words), "{context}"),
        _ => panic!("{context}: no such directive"),
    }
}

/// Every incident is judged as its file says.
#[test]
fn the_incidents() {
    let mut files = 0;
    let mut demands = 0;
    for entry in fs::read_dir(Path::new("fixtures/chain")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        files += 1;
        let text = fs::read_to_string(&path).unwrap();
        let mut chains = budget::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_iter();
        let mut defaults = Defaults::default();
        let mut pending: Vec<(String, String)> = Vec::new();
        let mut parts: Vec<Vec<(String, String)>> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.starts_with("chain ") && !pending.is_empty() {
                parts.push(std::mem::take(&mut pending));
            }
            let Some(directive) = line.strip_prefix("#> ") else { continue };
            match directive.split_once(' ') {
                Some(("deadline", time)) => defaults.deadline = Some(budget::bound(time).unwrap()),
                Some(("backoff", wait)) => defaults.backoff = Some(Curve::parse(wait).unwrap()),
                _ => pending.push((directive.to_owned(), format!("{}:{}: {directive}", path.display(), number + 1))),
            }
        }
        parts.push(pending);
        assert_eq!(parts.len(), chains.len(), "{}: every chain says what it expects", path.display());
        for part in parts {
            let mut chain = chains.next().unwrap();
            chain.or_else(&defaults);
            let verdict = check(&chain);
            for (directive, context) in part {
                demand(&verdict, &directive.split_whitespace().collect::<Vec<_>>(), &context);
                demands += 1;
            }
        }
    }
    assert!(files >= 18 && demands >= 90, "{files} files, {demands} demands");
}

#[test]
fn dice_make_a_range() {
    let chain = budget::parse("a -> b  1s  2  backoff=exp:100ms jitter=full").unwrap()[0].clone();
    let at = |deadline: u64| check(&chain.clone().with_deadline(Bound::millis(deadline)));
    assert_eq!((at(9_000).worst.low, at(9_000).worst.high), (Bound::millis(3_000), Bound::millis(3_300)));
    assert!(at(3_300).fits() && !at(3_299).fits() && at(3_299).fits_with_kind_dice() && !at(2_999).fits_with_kind_dice());
    let run = |luck| simulate(&chain, &Scenario { luck, ..Scenario::HANG }).at;
    assert_eq!((run(Luck::Always(Dice::Kind)), run(Luck::Always(Dice::Worst))), (Bound::millis(3_000), Bound::millis(3_300)));
}
