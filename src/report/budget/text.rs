//! The report on chains for people.
//!
//! In: answers. Out: text in a fixed order: the verdict, the calls that cannot fit, other ways out, the chain drawn, every call, what becomes of the
//! tries, the work at the bottom, findings, and what was assumed.

use std::fmt::Write as _;

use super::assumed::assumed;
use super::draw::{draw, span};
use super::grid::{BAD, BOLD, Cell, DIM, GOOD, WARN, grid, paint, styled};
use super::more::on_request;
use super::{Answer, MOST_ROWS, none_or_short};
use crate::budget::words::{compared, in_ms, short};
use crate::budget::{Call, Fate, Run, Verdict, fates};

/// The report on these chains, for people.
pub fn text(answers: &[Answer]) -> String {
    let mut out = String::new();
    for answer in answers {
        if !out.is_empty() {
            out.push('\n');
        }
        one(&mut out, answer);
    }
    out
}

/// The report on chains that were found in code: a line for each that fits, the whole report on each that does not.
pub fn scanned(answers: &[Answer]) -> String {
    let (fit, not): (Vec<&Answer>, Vec<&Answer>) = answers.iter().partition(|answer| answer.fits());
    if answers.len() < 2 {
        return text(answers);
    }
    let mut out = format!("{} chains: {} fit, {} do not\n", answers.len(), fit.len(), not.len());
    for answer in fit {
        let _ = writeln!(out, "  {}", headline(&answer.verdict));
    }
    for answer in not {
        out.push('\n');
        one(&mut out, answer);
    }
    out
}

fn one(out: &mut String, answer: &Answer) {
    let verdict = &answer.verdict;
    let _ = writeln!(out, "{}", headline(verdict));
    cannot_fit(out, verdict);
    ways_out(out, verdict);
    section(out, "The chain");
    out.push_str(&draw(verdict));
    section(out, "Each call");
    out.push_str(&each_call(verdict));
    every_try(out, verdict);
    work(out, answer);
    findings(out, verdict);
    on_request(out, answer);
    section(out, "Assumed");
    for line in assumed(verdict) {
        let _ = writeln!(out, "  - {line}");
    }
}

fn section(out: &mut String, title: &str) {
    let _ = writeln!(out, "\n{}", paint(title, BOLD));
}

pub(super) fn headline(verdict: &Verdict) -> String {
    let name = verdict.chain.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let top = verdict.calls.first().map_or("", |call| &*call.hop.caller);
    let reserve = verdict.calls.first().map_or_else(Default::default, |call| call.reserve);
    let kept =
        if reserve.as_micros() == 0 { String::new() } else { format!(" and keeps {} for after them", short(reserve.into())) };
    let broken = verdict.calls.iter().filter(|call| call.broken).count();
    let cannot =
        format!("tries of {} can never finish", if broken == 1 { "1 call".to_owned() } else { format!("{broken} calls") });
    let (takes, waits) = compared(verdict.worst.high, verdict.chain.deadline());
    let takes =
        if verdict.worst.high.is_unbounded() { "can wait for ever".to_owned() } else { format!("can take {takes}{kept}") };
    let short_of = match (verdict.chain.deadline().is_unbounded(), verdict.fits(), verdict.fits_deadline) {
        (true, true, _) => return format!("{name}{} {top} {takes}; no deadline was given", paint("fits:", GOOD)),
        (true, false, _) => format!("{top} {takes}; no deadline was given, but {cannot}"),
        (false, true, _) => return format!("{name}{} {top} {takes}, its caller waits {waits}", paint("fits:", GOOD)),
        (false, false, true) => format!("{top} ends in time ({takes}, its caller waits {waits}), but {cannot}"),
        (false, false, false) => format!("{top} {takes}, its caller waits {waits}"),
    };
    if verdict.fits_with_kind_dice() {
        format!("{name}{} {short_of}", paint("fits only if the dice are kind:", WARN))
    } else {
        format!("{name}{} {short_of}", paint("does not fit:", BAD))
    }
}

fn cannot_fit(out: &mut String, verdict: &Verdict) {
    let broken: Vec<&Call> = verdict.calls.iter().filter(|call| call.broken).collect();
    if broken.is_empty() {
        return;
    }
    section(out, "Calls whose tries cannot fit");
    let rows = broken.iter().take(MOST_ROWS).map(|call| {
        let (needs, allowed) = compared(call.needs, call.room());
        let set = call.max_per_try.map_or_else(|| "nothing fits".to_owned(), |most| format!("{} or less", in_ms(most)));
        let dice = if call.broken_by_dice_only { " (all, if the dice are kind)" } else { "" };
        vec![
            call.hop.label().into(),
            allowed.into(),
            needs.into(),
            styled(format!("{}/{}{dice}", call.fit, call.hang_tries), BAD),
            set.into(),
        ]
    });
    out.push_str(&grid(&["call", "allowed", "needs", "fit", "per try to set"], rows.collect(), &[1, 2]));
    left_out(out, broken.len(), "calls");
}

fn left_out(out: &mut String, all: usize, what: &str) {
    if all > MOST_ROWS {
        let _ = writeln!(out, "  {}", paint(&format!("… {} more {what}; `--format json` has all", all - MOST_ROWS), DIM));
    }
}

fn ways_out(out: &mut String, verdict: &Verdict) {
    let advised: Vec<&Call> = verdict.calls.iter().filter(|call| !call.advice.is_empty()).collect();
    if advised.is_empty() {
        return;
    }
    section(out, if verdict.fits() { "What could be better" } else { "Other ways out, from the top down" });
    for call in advised.iter().take(MOST_ROWS) {
        let _ = writeln!(out, "  {}", call.hop.label());
        for line in &call.advice {
            let _ = writeln!(out, "    - {line}");
        }
    }
    left_out(out, advised.len(), "calls");
}

fn each_call(verdict: &Verdict) -> String {
    let rows = verdict.calls.iter().take(MOST_ROWS).map(|call| {
        let fit = format!("{}/{}", call.fit, call.hang_tries);
        vec![
            call.hop.label().into(),
            none_or_short(call.hop.per_try).into(),
            call.tries.to_string().into(),
            Cell::from(span(call.worst)),
            if call.broken { styled(fit, BAD) } else { fit.into() },
        ]
    });
    let mut out = grid(&["call", "per try", "tries", "worst case", "fit above"], rows.collect(), &[1, 2, 3]);
    left_out(&mut out, verdict.calls.len(), "calls");
    out
}

fn every_try(out: &mut String, verdict: &Verdict) {
    let told: Vec<(&Call, Vec<Run>)> = verdict.calls.iter().map(|call| (call, fates(&verdict.chain, call))).collect();
    let odd: Vec<_> = told.iter().filter(|(_, runs)| runs.iter().any(|run| run.fate != Fate::Completes)).collect();
    if odd.is_empty() {
        return;
    }
    section(out, "What becomes of the tries");
    for (call, runs) in odd.iter().take(MOST_ROWS) {
        let _ = writeln!(out, "  {}", call.hop.label());
        for run in runs {
            let _ = writeln!(out, "    {}", fate_line(run));
        }
    }
    left_out(out, odd.len(), "calls");
}

fn fate_line(run: &Run) -> String {
    let tries = if run.first == run.last { format!("try {}", run.first) } else { format!("tries {} to {}", run.first, run.last) };
    let (one, many) = match run.fate {
        Fate::Completes => ("completes", "complete"),
        Fate::Late => ("ends late", "end late"),
        Fate::Cut { .. } => ("is cut", "are cut"),
        Fate::ForNobody => ("runs for nobody", "run for nobody"),
        Fate::NeverStarts => ("never starts", "never start"),
        Fate::NeverTriggers => ("never triggers", "never trigger"),
        Fate::NotStarted => ("is not started", "are not started"),
    };
    let verb = if run.first == run.last { one } else { many };
    let (start, end) = (short(run.start), short(run.end));
    match run.fate {
        Fate::Completes => format!("{tries} {verb}, by {end}"),
        Fate::Late => format!("{tries} {verb}, by {end}, in the time that the caller keeps for itself"),
        Fate::Cut { by_total: true } => format!("{tries} {verb} at {end}, by the total of the hop"),
        Fate::Cut { by_total: false } if run.end.is_unbounded() => format!("{tries} never ends"),
        Fate::Cut { by_total: false } => format!("{tries} {verb} at {end}: its caller has left"),
        Fate::ForNobody if run.first == run.last => {
            format!("{tries} {verb}: it would start at {start}, after its caller has left")
        }
        Fate::ForNobody => format!("{tries} {verb}: the first would start at {start}, after its caller has left"),
        Fate::NeverStarts if run.start.is_unbounded() => format!("{tries} {verb}: the try before never ends"),
        Fate::NeverStarts => format!("{tries} {verb}: the time is used up before"),
        Fate::NeverTriggers => format!("{tries} {verb}: a try that timed out is not retried"),
        Fate::NotStarted => format!("{tries} {verb}: budget insufficient (not timed out)"),
    }
}

fn work(out: &mut String, answer: &Answer) {
    let verdict = &answer.verdict;
    let bottom = verdict.chain.bottom();
    section(out, "Time and work");
    let _ = writeln!(
        out,
        "  the caller sees an end after {}; the configuration wants {} for every try of every layer",
        short(verdict.seen),
        short(verdict.wanted)
    );
    let fails_fast =
        format!("{bottom} gets {} for one request, within {}", calls(verdict.amplification), short(verdict.fast_failure));
    let _ = writeln!(out, "  when the bottom fails fast instead, {fails_fast}");
    let Some(load) = &answer.load else {
        return;
    };
    let at_once = |most: Option<u64>| most.map(|most| format!(", {most} at once")).unwrap_or_default();
    let _ = writeln!(
        out,
        "  while it hangs, {bottom} gets {}{}, and the last work ends after {}",
        calls(load.calls),
        at_once(load.most_at_once),
        short(load.last_work)
    );
    let _ = writeln!(
        out,
        "  if leaving cancelled the work beneath: {}{}, the last ends after {}; without, {} for nobody",
        calls(load.calls_if_cancelled),
        at_once(load.most_at_once_if_cancelled),
        short(load.last_work_if_cancelled),
        calls_are(load.calls - load.calls_if_cancelled)
    );
    let Some(other) = answer.otherwise else { return };
    let Some(its) =
        other.load.filter(|its| (its.calls, its.last_work, other.worst) != (load.calls, load.last_work, verdict.worst.high))
    else {
        return;
    };
    let what = if other.passes {
        "if every call passed on the time that is left"
    } else {
        "if every call started its own clock instead"
    };
    let _ = writeln!(
        out,
        "  {what}: the calls of the top take {}, {bottom} gets {}, the last work ends after {}",
        short(other.worst),
        calls(its.calls),
        short(its.last_work)
    );
}

fn calls(count: u64) -> String {
    match count {
        0 => "no call".to_owned(),
        1 => "1 call".to_owned(),
        _ => format!("{count} calls"),
    }
}

fn calls_are(count: u64) -> String {
    match count {
        0 => "none is".to_owned(),
        1 => "1 call is".to_owned(),
        _ => format!("{count} calls are"),
    }
}

fn findings(out: &mut String, verdict: &Verdict) {
    if verdict.findings.is_empty() {
        return;
    }
    section(out, "Findings");
    for finding in verdict.findings.iter().take(MOST_ROWS) {
        let _ = writeln!(out, "  {} {}", paint(&format!("{}:", finding.rule.name()), WARN), finding.message);
    }
    left_out(out, verdict.findings.len(), "findings");
}
