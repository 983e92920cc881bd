//! From everything that is known about a call to one verdict.
//!
//! In: a call. Out: a [`Judgement`]: the verdict, the limit that decides it, and why. What ends the call first decides; a limit that
//! covers beats one that covers a part.

use std::rc::Rc;

use super::call::Call;
use super::clearing::Cleared;
use super::limits::{Configured, Found};
use super::reads::Read;
use super::scopes::Enclosure;
use super::signals::Timer;
use super::{Candidate, Judge, Remark, RemarkKind};
use crate::finding::{By, Origin, SiteKind, Verdict};
use crate::limit::{LimitKind, Millis};
use crate::link::Loc;

/// What is known about one call.
#[derive(Debug, Clone)]
pub(super) struct Judgement {
    pub verdict: Verdict,
    pub limit: Option<Candidate>,
    pub default_limit: Option<Millis>,
    pub retries: u32,
    pub backoff: Option<Millis>,
    pub remarks: Vec<Remark>,
    pub unknown: Option<Rc<str>>,
    /// Other limits that hold, from the inside outward: an inner one at or above an outer one never fires.
    pub others: Vec<Candidate>,
}

impl Judge<'_> {
    /// Judges a call. `outer` are the calls of wrappers around it, innermost first.
    pub(super) fn judgement(&self, call: &Call) -> Judgement {
        self.eval.begin();
        let mut configured = self.configured(call);
        let layers = self.all_layers(call);
        self.leave_open(call, &layers, &mut configured);
        self.eval.go_on();
        let mut enclosures = self.enclosures(call.at, &call.env);
        self.leave_at_hand(call, &mut enclosures);
        self.add_enclosures(call, &enclosures, &mut configured);
        self.add_ending_timers(call, &mut configured);
        let mut judgement = self.decide(call, configured);
        let around = judgement.limit.as_ref().and_then(|limit| position_of(limit, &enclosures));
        let ended = around.is_some() || judgement.limit.as_ref().is_some_and(|limit| limit.ends_tries);
        let outside = tries_outside(&enclosures, around);
        (judgement.retries, judgement.backoff) = self.retries(call, &layers, &outside, ended);
        if !ended && let Some(whole) = ends_first(&judgement) {
            // All tries together end before the limit of each could have ended the last of them.
            judgement.limit = Some(whole);
            (judgement.retries, judgement.backoff) = self.retries(call, &layers, &outside, true);
        }
        judgement
    }

    fn add_enclosures(&self, call: &Call, enclosures: &[Enclosure], out: &mut Configured) {
        for enclosure in enclosures {
            match enclosure {
                Enclosure::Limit { at, kind, .. } if *kind != LimitKind::Wait && self.holds_thread(call) => {
                    let text = "it does not end a call that holds its thread: run that one in a task of its own".to_owned();
                    out.remarks.push(Remark { kind: RemarkKind::NoEffect, at: *at, text });
                }
                Enclosure::Limit { wait, origin, kind, by, at, span } => {
                    let timer = Timer { at: *at, wait: *wait, origin: *origin, set_by: None, through: None };
                    let later = self.reads_later(call) && kind.covers();
                    let outside = if later { self.reads_outside(call, span.0, span.1) } else { Vec::new() };
                    let stops = later && self.cleared(call, &timer) == Cleared::AtHeaders;
                    let each = if stops || outside.is_empty() { None } else { self.each_ended(call, &outside) };
                    let socket = self.send_rule(call).table.kind.unwrap_or(self.catalog().library(call.lib.library).kind)
                        == SiteKind::Socket;
                    // What a socket's call waits for is the connection; the exchange comes after it.
                    let (wait, kind, why) = match (outside.is_empty() && !stops, each, socket) {
                        (true, ..) => (*wait, *kind, "ends the wait"),
                        (false, Some(each), _) => {
                            let longest = wait.zip(each).map(|(head, body)| head.max(body));
                            (
                                longest,
                                LimitKind::Idle,
                                "ends the wait for the headers; what reads the body ends after a limit too",
                            )
                        }
                        (false, None, true) => {
                            (*wait, LimitKind::Connect, "ends the wait for the connection; the exchange goes on outside of it")
                        }
                        (false, None, false) => {
                            (*wait, LimitKind::Headers, "ends the wait for the headers; the body is read outside of it")
                        }
                    };
                    out.candidates.push(Candidate {
                        ends_tries: false,
                        wait,
                        kind,
                        origin: if wait.is_some() { *origin } else { Origin::Dynamic },
                        overridable: false,
                        at: Some(*at),
                        by: *by,
                        through: None,
                        why: why.to_owned(),
                    });
                }
                Enclosure::Off { at, why } => out.remarks.push(Remark { kind: RemarkKind::Off, at: *at, text: why.clone() }),
                Enclosure::Open { at, what } => {
                    let text = format!("{what} may end it");
                    out.remarks.push(Remark { kind: RemarkKind::Evidence, at: *at, text });
                    out.unknown.push(what.as_str().into());
                }
                Enclosure::Retries { at, extra, .. } => {
                    let text = if *extra == u32::MAX {
                        "it is tried again without end".to_owned()
                    } else {
                        format!("it is tried {extra} more times")
                    };
                    out.remarks.push(Remark { kind: RemarkKind::Evidence, at: *at, text });
                }
            }
        }
    }

    /// Whether a call holds its thread until it is done.
    fn holds_thread(&self, call: &Call) -> bool {
        self.catalog().library(call.lib.library).object(call.lib.object).blocking
    }

    /// Whether each read of a body ends by a limit around it: after how long the last of them does, if that is known.
    fn each_ended(&self, call: &Call, reads: &[Read]) -> Option<Option<Millis>> {
        let mut longest = Some(Millis::ZERO);
        for read in reads {
            let env = if read.file == call.at.file { call.env.clone() } else { None };
            let around = self.enclosures(Loc { file: read.file, expr: read.by }, &env).into_iter();
            let ends = around.filter_map(|found| match found {
                Enclosure::Limit { wait, kind, .. } if kind.covers() => Some(wait),
                _ => None,
            });
            let nearest = ends.min_by_key(|wait| wait.map_or(u64::MAX, Millis::as_micros))?;
            longest = longest.zip(nearest).map(|(a, b)| a.max(b));
        }
        Some(longest)
    }

    /// Timers that destroy the request.
    fn add_ending_timers(&self, call: &Call, out: &mut Configured) {
        for timer in self.ending_timers(call) {
            let kind = match self.cleared(call, &timer) {
                Cleared::Before => continue,
                Cleared::AtHeaders => LimitKind::Headers,
                Cleared::After => LimitKind::Total,
            };
            // What ends the request also ends the wait for it.
            out.candidates.retain(|known| known.at != Some(timer.at));
            out.candidates.push(Candidate {
                ends_tries: false,
                wait: timer.wait,
                kind,
                origin: timer.origin,
                overridable: false,
                at: Some(timer.at),
                by: By::Own,
                through: None,
                why: "a timer ends the request".to_owned(),
            });
        }
    }

    fn decide(&self, call: &Call, configured: Configured) -> Judgement {
        let Configured { candidates, keys, remarks, unknown, default_limit, ambient, .. } = configured;
        let never_read =
            self.reads_later(call) && candidates.iter().any(|c| c.kind == LimitKind::Headers) && self.reads(call).is_empty();
        // A probe: after the connect of a socket, which its own limit ends, nothing is exchanged.
        let own = self.send_rule(call).table.limit == Some(LimitKind::Connect) && self.reads_later(call);
        let connects = own && self.is_dropped(call);
        let covers = |candidate: &Candidate| {
            candidate.kind.covers() && self.policy.accepted.contains(&candidate.kind)
                || never_read && candidate.kind == LimitKind::Headers && !call.read_in_chain
                || connects && candidate.kind == LimitKind::Connect && candidate.by == By::Own
        };
        let (covering, partial): (Vec<Candidate>, Vec<Candidate>) = candidates.into_iter().partition(|c| covers(c));
        let off = keys.iter().any(|state| matches!(state.found, Found::Off(_)));
        let mut judgement = Judgement {
            verdict: Verdict::Uncovered,
            limit: None,
            default_limit: None,
            retries: 0,
            backoff: None,
            remarks,
            unknown: None,
            others: covering.clone(),
        };
        if let Some(first) = covering.into_iter().min_by_key(strength) {
            judgement.verdict = Verdict::Covered;
            judgement.limit = Some(first);
            return judgement;
        }
        let library = self.catalog().library(call.lib.library);
        // What limits a part alone leaves a call partial whoever makes its client; what covers it may have been set there.
        let open = library.can_be_covered_by_client() || partial.is_empty() && library.can_be_limited_by_client();
        let unmade = call.lib.unmade.clone().filter(|_| !ambient && !off && open && !self.is_bare(call));
        if let Some(reason) = unknown.into_iter().next().or(unmade) {
            judgement.verdict = Verdict::Unknown;
            judgement.unknown = Some(reason);
            return judgement;
        }
        judgement.default_limit = default_limit;
        let chosen = partial.iter().any(|candidate| candidate.by != By::Default);
        if default_limit.is_some() && !chosen {
            return judgement;
        }
        if let Some(limit) = partial.into_iter().min_by_key(partial_strength) {
            judgement.verdict = Verdict::Partial;
            judgement.limit = Some(limit);
            judgement.default_limit = None;
        }
        judgement
    }

    /// The weakest of several judgements of one site.
    pub(super) fn weakest(judgements: Vec<Judgement>) -> Option<Judgement> {
        let weight = |judgement: &Judgement| {
            let wait = judgement.limit.as_ref().map_or(0, |limit| u64::MAX - limit.wait.map_or(u64::MAX, Millis::as_micros));
            (judgement.verdict, wait)
        };
        judgements.into_iter().reduce(|a, b| if weight(&b) < weight(&a) { b } else { a })
    }
}

/// What ends the call first comes first; at the same time an enclosing construct does.
fn strength(candidate: &Candidate) -> (u64, u8) {
    let by = match candidate.by {
        By::Wrapper | By::Scope => 0,
        By::Own => 1,
        By::Client => 2,
        By::Global => 3,
        By::Default | By::Declared => 4,
    };
    (candidate.wait.map_or(u64::MAX, Millis::as_micros), by)
}

/// The limit of all tries together that ends them before the limit of one try has ended each of them.
fn ends_first(judgement: &Judgement) -> Option<Candidate> {
    let each = judgement.limit.as_ref().filter(|_| judgement.verdict == Verdict::Covered)?;
    let all = each.wait?.as_micros().saturating_mul(u64::from(judgement.retries) + 1);
    let whole = judgement.others.iter().filter(|one| one.ends_tries && one.wait.is_some_and(|wait| wait.as_micros() <= all));
    whole.min_by_key(|one| one.wait.map_or(u64::MAX, Millis::as_micros)).cloned()
}

/// Among limits of a part: the one that covers most comes first; of the same kind the longest, and what is chosen before defaults.
fn partial_strength(candidate: &Candidate) -> (bool, u8, u64) {
    let kind = match candidate.kind {
        // They would cover, but the policy does not accept them.
        LimitKind::Total | LimitKind::Idle | LimitKind::Wait => 0,
        LimitKind::Headers => 1,
        LimitKind::Server => 2,
        LimitKind::Connect => 3,
        LimitKind::Pool => 4,
        _ => 5,
    };
    (candidate.by == By::Default, kind, u64::MAX - candidate.wait.map_or(u64::MAX, Millis::as_micros))
}

/// The enclosures that try again what a limit around them has ended: those outside of it, and what the same call says of each try.
fn tries_outside(enclosures: &[Enclosure], limit: Option<usize>) -> Vec<Enclosure> {
    let Some((limit, Enclosure::Limit { at: by, .. })) = limit.and_then(|at| Some((at, enclosures.get(at)?))) else {
        return enclosures.to_vec();
    };
    let stays = |(index, enclosure): &(usize, &Enclosure)| {
        *index > limit || matches!(enclosure, Enclosure::Retries { at, .. } if at == by)
    };
    enclosures.iter().enumerate().filter(stays).map(|(_, enclosure)| enclosure.clone()).collect()
}

/// Which of the enclosures a limit is, if it ends what is in it: tries in there end with it.
fn position_of(limit: &Candidate, enclosures: &[Enclosure]) -> Option<usize> {
    enclosures.iter().position(|enclosure| match enclosure {
        Enclosure::Limit { at, kind, .. } => Some(*at) == limit.at && kind.covers(),
        _ => false,
    })
}
