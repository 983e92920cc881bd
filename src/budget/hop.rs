//! A chain of calls: who calls whom, how long each try may take, how often it is tried.
//!
//! In: plain values. Out: [`Chain`] and [`Hop`] with their defaults resolved. It computes no times: that is [`super::check`].

use std::sync::Arc;

use super::backoff::{Backoff, Curve, Jitter};
use super::time::Bound;
use crate::limit::Millis;

/// Whether a try that ran into its own timeout is tried again. Many real configurations say no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnTimeout {
    /// It is tried again.
    #[default]
    Retry,
    /// The hop gives up (Istio's and HAProxy's default, gRPC with a deadline, nginx with one server).
    GiveUp,
    /// Nobody knows; computed as if it were tried again, and said so.
    Unknown,
}

/// What the callee learns about the time that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Propagate {
    /// Nothing: each hop starts its own clock.
    #[default]
    Nothing,
    /// The hop keeps to the time its caller has left, and passes the rest on (gRPC, a deadline header).
    Deadline,
}

/// Where a setting of a hop is written, for advice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// What is written there, ready for a sentence: `` `timeout` ``.
    pub setting: String,
    /// Where: `orders/src/stock.rs:16`.
    pub at: String,
}

/// One call of a chain: one line of a chain file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hop {
    /// The service that calls.
    pub caller: Arc<str>,
    /// The service that is called.
    pub callee: Arc<str>,
    /// What ends one try.
    pub per_try: Bound,
    /// Tries after the first.
    pub retries: u32,
    /// What ends all tries of this hop together.
    pub total: Bound,
    /// The waits between the tries; the chain's when absent.
    pub backoff: Option<Curve>,
    /// The dice on those waits; the chain's when absent.
    pub jitter: Option<Jitter>,
    /// What the caller keeps of its own time for after the hop; the chain's when absent.
    pub reserve: Option<Millis>,
    /// A try that would start with less than this (and the reserve) left is not started.
    pub min_useful: Option<Millis>,
    /// Whether a timed-out try is tried again.
    pub on_timeout: OnTimeout,
    /// Whether the remaining time is passed on.
    pub propagate: Propagate,
    /// Where the per-try timeout is written, or would be.
    pub per_try_at: Option<Arc<Place>>,
    /// Where the retries are written.
    pub retries_at: Option<Arc<Place>>,
}

impl Hop {
    /// A hop with nothing but its first four words.
    pub fn new(caller: impl Into<Arc<str>>, callee: impl Into<Arc<str>>, per_try: Bound, retries: u32) -> Self {
        Self {
            caller: caller.into(),
            callee: callee.into(),
            per_try,
            retries,
            total: Bound::Unbounded,
            backoff: None,
            jitter: None,
            reserve: None,
            min_useful: None,
            on_timeout: OnTimeout::Retry,
            propagate: Propagate::Nothing,
            per_try_at: None,
            retries_at: None,
        }
    }

    /// The first try and the retries.
    pub fn tries(&self) -> u64 {
        u64::from(self.retries) + 1
    }

    /// What this hop itself puts an end to a try with: the per-try timeout, or the total where that is shorter.
    pub fn own_limit(&self) -> Bound {
        self.per_try.min(self.total)
    }

    /// `caller -> callee`.
    pub fn label(&self) -> String {
        format!("{} -> {}", self.caller, self.callee)
    }
}

/// Calls in a row, top first, and the time that the top's caller waits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Chain {
    /// The name after `chain`.
    pub name: Option<String>,
    /// How long the caller of the first hop's caller waits.
    pub deadline: Option<Bound>,
    /// The waits of hops that say none.
    pub backoff: Option<Curve>,
    /// The dice of hops that say none.
    pub jitter: Option<Jitter>,
    /// The reserve of hops that say none.
    pub reserve: Option<Millis>,
    /// The calls; each one's caller is the callee of the one before.
    pub hops: Vec<Hop>,
}

impl Chain {
    /// A chain of these hops, without a deadline.
    pub fn new(hops: Vec<Hop>) -> Self {
        Self { hops, ..Self::default() }
    }

    /// The same chain under this deadline.
    #[must_use]
    pub fn with_deadline(self, deadline: Bound) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// The deadline, unbounded when none is known.
    pub fn deadline(&self) -> Bound {
        self.deadline.unwrap_or(Bound::Unbounded)
    }

    /// The waits of one hop: its own, else the chain's, else none.
    pub fn backoff_of(&self, hop: &Hop) -> Backoff {
        let none = Backoff::default();
        Backoff {
            curve: hop.backoff.or(self.backoff).unwrap_or(none.curve),
            jitter: hop.jitter.or(self.jitter).unwrap_or(none.jitter),
        }
    }

    /// The reserve of one hop: its own, else the chain's, else none.
    pub fn reserve_of(&self, hop: &Hop) -> Millis {
        hop.reserve.or(self.reserve).unwrap_or(Millis::ZERO)
    }

    /// Fills in what the chain does not say itself: what is written nearest to a hop wins.
    pub fn or_else(&mut self, defaults: &Defaults) {
        self.deadline = self.deadline.or(defaults.deadline);
        self.backoff = self.backoff.or(defaults.backoff);
        self.jitter = self.jitter.or(defaults.jitter);
        self.reserve = self.reserve.or(defaults.reserve);
    }

    /// The service at the bottom, which hangs.
    pub fn bottom(&self) -> &str {
        self.hops.last().map_or("", |hop| &hop.callee)
    }
}

/// Values for chains that do not say their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Defaults {
    /// For [`Chain::deadline`].
    pub deadline: Option<Bound>,
    /// For [`Chain::backoff`].
    pub backoff: Option<Curve>,
    /// For [`Chain::jitter`].
    pub jitter: Option<Jitter>,
    /// For [`Chain::reserve`].
    pub reserve: Option<Millis>,
}
