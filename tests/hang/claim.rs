//! What is said of a call: by the note beside it, or by the audit.
//!
//! In: a note (`//~ covered 300ms by own [axios] idle`) or a site of the audit's JSON. Out: a [`Claim`], and what follows from it
//! for each mood of the server.

use std::time::Duration;

use serde_json::Value;

use crate::server::Mood;

/// How much later than its limit a call may end on a busy machine; undici's timers alone are a second coarse.
const SLACK: Duration = Duration::from_millis(1_800);

/// What is said of one call. A note may leave out all but the verdict.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Claim {
    /// `covered`, `partial`, `uncovered` or `unknown`.
    pub verdict: String,
    /// How long the deciding limit is.
    pub limit: Option<Duration>,
    /// What covers the call.
    pub by: Option<String>,
    /// The client library.
    pub client: Option<String>,
    /// The deciding limit's kind.
    pub kind: Option<String>,
    /// What ends an uncovered call after all.
    pub default: Option<Duration>,
    /// Extra tries.
    pub retries: Option<u32>,
    /// All the time between the tries.
    pub between: Duration,
}

/// What must happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The call ends, and not before the first nor after the second.
    Ends(Duration, Duration),
    /// It is still waiting when the cap is reached.
    Waits,
    /// The claim says nothing of this mood.
    Either,
}

impl Claim {
    /// Reads the text after `//~`.
    pub fn from_note(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let verdict = words.next().unwrap_or_default().to_owned();
        if !["covered", "partial", "uncovered", "unknown"].contains(&verdict.as_str()) {
            return Err(format!("`{verdict}` is no verdict in `{text}`"));
        }
        let mut claim = Self { verdict, ..Self::default() };
        while let Some(word) = words.next() {
            let mut next = || words.next().ok_or_else(|| format!("nothing follows `{word}` in `{text}`"));
            match word {
                "by" => claim.by = Some(next()?.to_owned()),
                "default" => claim.default = Some(duration(next()?)?),
                "retries" => claim.retries = Some(next()?.parse().map_err(|_| format!("no number of retries in `{text}`"))?),
                _ if word.starts_with('[') => claim.client = Some(word.trim_matches(['[', ']']).to_owned()),
                _ if word.starts_with(|c: char| c.is_ascii_digit()) => claim.limit = Some(duration(word)?),
                _ => claim.kind = Some(word.to_owned()),
            }
        }
        Ok(claim)
    }

    /// Reads one element of `sites`.
    pub fn from_site(site: &Value) -> Result<Self, String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let millis = |value: &Value| value.as_f64().map(|ms| Duration::from_secs_f64(ms / 1_000.0));
        Ok(Self {
            verdict: text(&site["verdict"]).ok_or_else(|| format!("a site without a verdict: {site}"))?,
            limit: millis(&site["limit"]["ms"]),
            by: text(&site["by"]),
            client: text(&site["client"]),
            kind: text(&site["limit"]["kind"]),
            default: millis(&site["default_limit"]).or_else(|| millis(&site["default_limit"]["ms"])),
            retries: site["retries"].as_u64().and_then(|n| u32::try_from(n).ok()),
            between: millis(&site["backoff_ms"]).unwrap_or_default(),
        })
    }

    /// What it says must happen in a mood.
    pub fn expects(&self, mood: Mood) -> Expected {
        let kind = self.kind.as_deref().unwrap_or("idle");
        match (self.verdict.as_str(), mood) {
            (_, Mood::Answers) => Expected::Ends(Duration::ZERO, SLACK),
            ("covered", Mood::Mute) => self.ends(true),
            ("covered", Mood::Stalled) => self.ends(false),
            ("covered", Mood::Drip) if kind != "idle" => self.ends(false),
            ("partial", Mood::Mute) if kind == "headers" => self.ends(true),
            ("partial", Mood::Mute) => Expected::Waits,
            ("partial", Mood::Stalled) if kind == "headers" => Expected::Waits,
            ("uncovered", Mood::Mute) => Expected::Waits,
            _ => Expected::Either,
        }
    }

    /// An unanswered call ends at its limit and not before; one whose body is never read may end with the headers.
    fn ends(&self, unanswered: bool) -> Expected {
        let (limit, tries) = (self.limit.unwrap_or_default(), 1 + self.retries.unwrap_or_default());
        let least = if unanswered { limit.mul_f64(0.9) * tries } else { Duration::ZERO };
        Expected::Ends(least, limit * tries + self.between + SLACK)
    }

    /// Where another claim of the same call contradicts this one; what this one leaves out is not compared.
    pub fn differs(&self, other: &Self) -> Option<String> {
        fn apart<T: PartialEq + std::fmt::Debug>(name: &str, ours: &Option<T>, theirs: &Option<T>) -> Option<String> {
            (ours.is_some() && ours != theirs).then(|| format!("{name}: {ours:?} is noted, the audit says {theirs:?}"))
        }
        if self.verdict != other.verdict {
            return Some(format!("{} is noted, the audit says {}", self.verdict, other.verdict));
        }
        apart("limit", &self.limit, &other.limit)
            .or_else(|| apart("by", &self.by, &other.by))
            .or_else(|| apart("client", &self.client, &other.client))
            .or_else(|| apart("kind", &self.kind, &other.kind))
            .or_else(|| apart("default", &self.default, &other.default))
            .or_else(|| apart("retries", &self.retries, &other.retries))
    }
}

/// `300ms`, `1.5s` or `5m`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return Err(format!("`{text}` has no unit: expected ms, s or m")),
    };
    number.parse().map(|n: f64| Duration::from_secs_f64((n * seconds * 1e6).round() / 1e6)).map_err(|e| format!("`{text}`: {e}"))
}
