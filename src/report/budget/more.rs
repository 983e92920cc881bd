//! The parts of the text report that are printed on request: ways out, leeway, a simulated request.
//!
//! In: what was computed. Out: lines.

use std::fmt::Write as _;

use super::gantt::gantt;
use super::grid::{BAD, BOLD, Cell, DIM, GOOD, grid, paint, styled};
use super::{Answer, Simulate};
use crate::budget::simulate::{By, Ending, Limit, Run};
use crate::budget::words::{exact, in_ms, short};
use crate::budget::{Bound, Chain, Solution, Solved, diff};

fn section(out: &mut String, title: &str) {
    let _ = writeln!(out, "\n{}", paint(title, BOLD));
}

pub(super) fn on_request(out: &mut String, answer: &Answer) {
    if let Some(solved) = &answer.solved {
        ways_out(out, &answer.verdict.chain, solved);
    }
    leeway(out, answer);
    if let Some((asked, run)) = &answer.simulated {
        simulated(out, answer, *asked, run);
    }
}

fn ways_out(out: &mut String, chain: &Chain, solved: &Solved) {
    section(out, "Solved");
    if solved.fits_already {
        let _ = writeln!(out, "  the chain fits as it is: nothing to change");
    }
    for (at, solution) in solved.solutions.iter().enumerate() {
        one_way(out, chain, at + 1, solution);
    }
    let closed: Vec<&str> = solved.closed.iter().map(|way| way.title()).collect();
    if let Some(impossible) = &solved.impossible {
        let _ = writeln!(out, "  {} no timeouts and retries make it fit: {}", paint("impossible:", BAD), impossible.why);
        let _ = match impossible.smallest_deadline {
            Some(deadline) => writeln!(out, "  the smallest deadline with which something fits is {}", in_ms(deadline)),
            None => writeln!(out, "  no deadline helps"),
        };
    } else if !closed.is_empty() {
        let _ = writeln!(out, "\n  {}", paint(&format!("no way out: {}", closed.join("; ")), DIM));
    }
    if !solved.fits_already {
        let _ = match solved.deadline_as_is {
            Some(Bound::Finite(deadline)) => writeln!(out, "  as it is, the chain fits a deadline of {}", in_ms(deadline)),
            _ => writeln!(out, "  as it is, the chain fits no deadline: something beneath the top does not fit"),
        };
    }
}

fn one_way(out: &mut String, chain: &Chain, number: usize, solution: &Solution) {
    let titles: Vec<&str> = solution.ways.iter().map(|way| way.title()).collect();
    let changes = if solution.edits == 1 { "1 change".to_owned() } else { format!("{} changes", solution.edits) };
    let lost = match solution.tries_lost {
        0 => "every try kept".to_owned(),
        1 => "1 try lost".to_owned(),
        lost => format!("{lost} tries lost"),
    };
    let checked = match solution.simulated {
        Some(1) => "checked again, and by simulating 1 try".to_owned(),
        Some(tries) => format!("checked again, and by simulating {tries} tries"),
        None => "checked again; too many tries to simulate".to_owned(),
    };
    let _ = writeln!(
        out,
        "\n  {} {}",
        paint(&format!("{number}. {}:", titles.join("; ")), BOLD),
        format_args!("{changes}, {lost} ({checked})")
    );
    for line in diff(chain, &solution.chain).lines() {
        let style = match line.chars().next() {
            Some('+') => GOOD,
            Some('-') => BAD,
            _ => DIM,
        };
        let _ = writeln!(out, "     {}", paint(line, style));
    }
    let _ = writeln!(out, "     {}", paint("as a chain file:", DIM));
    for line in solution.chain.to_string().lines() {
        let _ = writeln!(out, "       {line}");
    }
}

fn leeway(out: &mut String, answer: &Answer) {
    let Some(leeway) = &answer.leeway else { return };
    section(out, "How much each timeout may grow");
    let calls = &answer.verdict.calls;
    let rows = leeway.iter().zip(calls).map(|(leeway, call)| {
        let slack = leeway.slack.map_or_else(|| "none".to_owned(), |slack| exact(slack.into()));
        let grow = match leeway.may_grow {
            None => "has no timeout".to_owned(),
            Some(Bound::Unbounded) => "as much as you like".to_owned(),
            Some(room) => exact(room),
        };
        let loser = leeway.loser.map(|at| format!("before {} loses a try", calls[at].hop.label())).unwrap_or_default();
        vec![Cell::from(call.hop.label()), slack.into(), grow.into(), loser.into()]
    });
    out.push_str(&grid(&["call", "slack", "may grow by", ""], rows.collect(), &[1, 2]));
}

fn simulated(out: &mut String, answer: &Answer, asked: Simulate, run: &Run) {
    let chain = &answer.verdict.chain;
    let what = match asked.bottom {
        Bound::Unbounded => format!("Simulated: {} hangs", chain.bottom()),
        time => format!("Simulated: {} answers after {}", chain.bottom(), exact(time)),
    };
    section(out, &what);
    let _ = writeln!(out, "  {}", outcome(chain, run));
    let requests = if asked.requests == 1 { "1 request".to_owned() } else { format!("{} requests", asked.requests) };
    let of = |count: u64| count.saturating_mul(asked.requests);
    let _ = writeln!(
        out,
        "  {requests}: {} calls reach {}, {} orphaned completions, {} calls start after the caller has gone; the last work ends after {}",
        of(run.bottom_calls),
        chain.bottom(),
        of(run.orphaned),
        of(run.started_for_nobody),
        short(run.last_work)
    );
    if run.stopped_early {
        let _ =
            writeln!(out, "  {}", paint(&format!("stopped after {} tries: the numbers are lower bounds", run.tries.len()), BAD));
    }
    out.push_str(&grid(
        &["call", "tries", "responses", "errors", "timeouts", "stopped", "never end", "for nobody"],
        per_call(answer, run),
        &[1, 2, 3, 4, 5, 6, 7],
    ));
    if asked.trace {
        out.push('\n');
        out.push_str(&gantt(chain, run));
    }
}

fn per_call(answer: &Answer, run: &Run) -> Vec<Vec<Cell>> {
    let calls = &answer.verdict.calls;
    let mut counts = vec![[0_u64; 7]; calls.len()];
    for one in &run.tries {
        let count = &mut counts[one.hop];
        count[0] += 1;
        let column = match one.ending {
            Ending::Response => 1,
            Ending::Error => 2,
            Ending::Timeout => 3,
            Ending::Stopped | Ending::Cancelled => 4,
            Ending::Open => 5,
        };
        count[column] += 1;
        count[6] += u64::from(one.for_nobody);
    }
    let row = |(call, counts): (&crate::budget::Call, &[u64; 7])| {
        let number = |(at, count): (usize, &u64)| match (at, count) {
            (6, 1..) => styled(count.to_string(), BAD),
            _ => count.to_string().into(),
        };
        std::iter::once(Cell::from(call.hop.label())).chain(counts.iter().enumerate().map(number)).collect()
    };
    calls.iter().zip(&counts).take(super::MOST_ROWS).map(row).collect()
}

/// Who answers when, in a sentence.
pub(super) fn outcome(chain: &Chain, run: &Run) -> String {
    let at = exact(run.at);
    let top = chain.hops.first().map_or("", |hop| &*hop.caller);
    match run.by {
        By::Response => format!("the response is back at {at}"),
        By::Deadline => format!("the caller of {top} leaves at {at}, at its deadline"),
        By::Nobody => format!("{top} waits for ever"),
        By::Limit { hop, limit } => {
            let label = chain.hops[hop].label();
            let what = match limit {
                Limit::PerTry => "its timeout",
                Limit::Total => "its total",
                Limit::Passed => "the deadline passed on to it",
                Limit::Budget => "too little time left for another try",
            };
            match (hop, limit) {
                (0, Limit::PerTry) => format!("the outer timeout answers at {at} ({label})"),
                (0, _) => format!("the outer limit answers at {at} ({label}: {what})"),
                _ => format!("the inner error is back at {at} ({label}: {what})"),
            }
        }
    }
}
