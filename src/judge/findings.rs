//! From judged sites to findings: what is wrong, and what to write where.
//!
//! In: [`Case`]s. Out: [`Finding`]s, sorted. One place is reported once for each rule, however many sites it concerns.

use std::collections::BTreeSet;

use super::RemarkKind;
use super::operation::Operation;
use super::remedies::Spot;
use crate::finding::{By, Evidence, Finding, Identity, Region, Rule, Site, Verdict, Wrapper};
use crate::limit::{LimitKind, Millis};
use crate::link::{Files, FunctionKey, Loc};

/// A site with what its findings are made of.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub site: Site,
    /// The call.
    pub call: Loc,
    /// What it asks for; for the call of a wrapper, what the call inside does.
    pub operation: Operation,
    pub via: Vec<FunctionKey>,
    pub remedy: Option<Spot>,
    pub fix: Option<String>,
    pub remarks: Vec<(RemarkKind, Region, String)>,
    pub others: Vec<(By, Option<Millis>, Option<Region>, LimitKind)>,
    pub overrides: bool,
    /// The package that the site's file belongs to.
    pub package: Option<String>,
    pub unknown: Option<String>,
}

/// All findings.
pub(super) fn findings(cases: &[Case], wrappers: &[Wrapper], files: &dyn Files) -> Vec<Finding> {
    let mut out = Findings { files, found: Vec::new(), places: BTreeSet::new() };
    for case in cases {
        verdict(case, &mut out);
        remarks(case, &mut out);
        retries(case, &mut out);
        bypassed(case, cases, wrappers, &mut out);
        never_fires(case, &mut out);
    }
    let mut found = out.found;
    found.sort_by(|a, b| (&a.at, a.rule, &a.message).cmp(&(&b.at, b.rule, &b.message)));
    found
}

struct Findings<'f> {
    files: &'f dyn Files,
    found: Vec<Finding>,
    places: BTreeSet<(Rule, Region)>,
}

impl Findings<'_> {
    fn add(&mut self, rule: Rule, case: &Case, at: &Region, message: String, fix: String, evidence: Vec<Evidence>) {
        if !self.places.insert((rule, at.clone())) {
            return;
        }
        let mut identity = Identity { ordinal: 0, ..case.site.identity.clone() };
        if at.file != case.site.at.file {
            identity.path = self.files.rooted(&at.file);
            identity.definition.clear();
        }
        self.found.push(Finding {
            rule,
            severity: rule.weight(),
            site: case.site.id.clone(),
            at: at.clone(),
            message,
            fix,
            evidence,
            fingerprint: String::new(),
            identity,
            suppressed: None,
            standing: None,
        });
    }
}

fn verdict(case: &Case, out: &mut Findings<'_>) {
    let site = &case.site;
    let what = format!("`{}` of {}", site.call, site.client);
    let (rule, message) = match site.verdict {
        Verdict::Covered => return,
        Verdict::Uncovered => {
            let after_all = site.default_limit.map_or_else(String::new, |wait| format!(" before {wait}"));
            (Rule::UncoveredCall, format!("nothing ends {what}{after_all} when the callee hangs"))
        }
        Verdict::Partial => {
            let (kind, wait) = site.limit.as_ref().map_or((LimitKind::Connect, None), |limit| (limit.kind, limit.wait));
            (Rule::PartialLimit, format!("{what} is limited in part only: {}", part(kind, wait)))
        }
        Verdict::Unknown => {
            let reason = case.unknown.as_deref().unwrap_or("what could not be followed");
            (Rule::UnknownLimit, format!("whether anything ends {what} could not be followed: it comes from {reason}"))
        }
    };
    out.add(rule, case, &site.at, message, fix_of(case), site.evidence.clone());
}

/// What to write, and where, if that is not where the call stands.
fn fix_of(case: &Case) -> String {
    let at = &case.site.at;
    match (&case.remedy, &case.fix) {
        (Some(spot), Some(fix)) if spot.at.line != at.line || spot.at.file != at.file => {
            format!("{} at {}:{}: {fix}", spot.what, spot.at.file, spot.at.line)
        }
        (_, Some(fix)) => fix.clone(),
        (_, None) => String::new(),
    }
}

/// What a limit of a part ends, and after how long; what it leaves open.
fn part(kind: LimitKind, wait: Option<Millis>) -> String {
    let after = wait.map_or_else(String::new, |wait| format!(" after {wait}"));
    match kind {
        LimitKind::Headers => format!("the wait for the headers ends{after}, the body may hang"),
        LimitKind::Connect => format!("connecting ends{after}, the answer may hang"),
        LimitKind::Pool => format!("the wait for a connection ends{after}, the answer may hang"),
        LimitKind::Queue => format!("the wait to be sent ends{after}, the answer may hang"),
        LimitKind::Body => format!("reading the body ends{after}, the wait for the headers does not"),
        LimitKind::Server => format!("only the far side ends it{after}, and that may be what hangs"),
        LimitKind::Wait => format!("the caller goes on{after}, the request does not end, and the policy does not accept that"),
        LimitKind::Idle => {
            format!("a gap without bytes ends it{after}, a slow drip does not, and the policy does not accept that")
        }
        LimitKind::Total => format!("an attempt ends{after}, and the policy does not accept that"),
    }
}

fn remarks(case: &Case, out: &mut Findings<'_>) {
    for (kind, at, text) in &case.remarks {
        let rule = match kind {
            RemarkKind::Off => Rule::LimitOff,
            RemarkKind::NoEffect => Rule::LimitWithoutEffect,
            RemarkKind::Unit => Rule::SuspiciousUnit,
            RemarkKind::Evidence => continue,
        };
        let fix = match kind {
            RemarkKind::Unit => "write the value in the unit that the interface takes".to_owned(),
            _ => case.fix.clone().unwrap_or_default(),
        };
        let call = Evidence { at: case.site.at.clone(), text: "the call that it was written for".to_owned() };
        out.add(rule, case, at, text.clone(), fix, vec![call]);
    }
}

fn retries(case: &Case, out: &mut Findings<'_>) {
    let site = &case.site;
    if site.retries == 0 || site.verdict != Verdict::Uncovered {
        return;
    }
    let times = if site.retries == u32::MAX { "without end".to_owned() } else { format!("up to {} more times", site.retries) };
    let message = match site.default_limit {
        Some(wait) => format!("`{}` is tried {times}, each time for up to {wait}", site.call),
        None => format!("`{}` is tried {times}, but a try that hangs never ends: the retries never come", site.call),
    };
    let fix = match fix_of(case) {
        fix if fix.is_empty() => "limit each try".to_owned(),
        fix => format!("limit each try: {fix}"),
    };
    out.add(Rule::RetryWithoutLimit, case, &site.at, message, fix, site.evidence.clone());
}

fn bypassed(case: &Case, cases: &[Case], wrappers: &[Wrapper], out: &mut Findings<'_>) {
    let site = &case.site;
    if site.wrapper.is_some() || !matches!(site.verdict, Verdict::Uncovered | Verdict::Partial) {
        return;
    }
    // A wrapper is in reach where other code of the same package goes through it, and this code may. It stands in for a call that asks
    // for the same.
    let can_call = |wrapper: &FunctionKey| {
        let is_private = out.files.unit(wrapper.0).is_some_and(|unit| unit.facts.function(wrapper.1).is_private);
        let modules = out.files.modules(wrapper.0);
        !is_private || modules.sees_private(out.files.path(case.call.file), out.files.path(wrapper.0))
    };
    let used = cases.iter().find(|other| {
        other.site.wrapper.is_some()
            && other.site.client == site.client
            && other.package == case.package
            && other.site.verdict == Verdict::Covered
            && other.site.by == Some(By::Wrapper)
            && other.operation.can_do(&case.operation)
            && other.via.first().is_some_and(can_call)
    });
    let of = |other: &Case| {
        let file = out.files.shown(other.via.first()?.0);
        wrappers.iter().find(|wrapper| wrapper.at.file == file && Some(&wrapper.name) == other.site.wrapper.as_ref())
    };
    let Some(wrapper) = used.and_then(of) else {
        return;
    };
    if wrapper.sites < 2 && wrapper.at.file != site.at.file {
        return;
    }
    let limit = wrapper.limit.as_ref().and_then(|limit| limit.wait).map_or_else(String::new, |wait| format!(" ({wait})"));
    let message = format!("`{}` goes round `{}`, which limits {} other calls{limit}", site.call, wrapper.name, wrapper.sites);
    let evidence = vec![Evidence { at: wrapper.at.clone(), text: format!("`{}` is limited", wrapper.name) }];
    out.add(Rule::BypassedWrapper, case, &site.at, message, format!("call `{}` instead", wrapper.name), evidence);
}

fn never_fires(case: &Case, out: &mut Findings<'_>) {
    let outer = case
        .others
        .iter()
        .filter(|(by, ..)| matches!(by, By::Scope | By::Wrapper))
        .filter_map(|(_, wait, at, _)| Some(((*wait)?, at.clone()?)));
    let Some((outer, outer_at)) = outer.min_by_key(|(wait, _)| *wait) else { return };
    for (by, wait, at, kind) in &case.others {
        let (Some(wait), Some(at)) = (wait, at) else { continue };
        if matches!(by, By::Own | By::Client | By::Global) && *kind != LimitKind::Wait && *wait >= outer && *at != outer_at {
            let message = format!("this limit of {wait} never fires: {outer} around it end first");
            let evidence = vec![Evidence { at: outer_at.clone(), text: format!("the limit around it: {outer}") }];
            out.add(Rule::LimitNeverFires, case, at, message, format!("set it below {outer}"), evidence);
        }
    }
}
