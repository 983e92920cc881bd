//! The judge's way through a program: which files matter, which calls count, one verdict each.
//!
//! In: the files that hold a trigger word. Out: [`Judged`]. Work on files and sites is done in parallel and put together in the order
//! of paths, so that any number of threads says the same.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::call::Call;
use super::findings::Case;
use super::globals::{Globals, Setting};
use super::reach::{Reach, entering, reach};
use super::sites::{Item, Items, items};
use super::verdict::Judgement;
use super::{Candidate, Judge, Judged, Policy, RemarkKind, findings, remedies};
use crate::facts::Expr;
use crate::finding::{By, Evidence, Identity, Limit, Region, Site, Verdict, Wrapper};
use crate::link::{Eval, FunctionKey, Loc, Program};
use crate::span::{FileId, Place, Span};

/// See [`super::judge`].
pub(super) fn survey(program: &Program<'_>, policy: &Policy, first: &[FileId]) -> Judged {
    let Reach { files: reached, entered } = reach(program, policy, first);
    let files: Vec<FileId> = reached.iter().map(|reached| reached.file).collect();
    let raw = share_out(&reached, || entering(program, policy, &entered), |judge, reached| judge.raw_calls(reached));
    let all = items(raw.into_iter().flatten().collect(), || bare(program, policy));
    let sites: Vec<usize> = (0..all.items.len())
        .filter(|index| !all.items[*index].inside && program.files.is_counted(all.items[*index].at.file))
        .collect();
    let settings: Vec<Setting> =
        share_out(&files, || bare(program, policy), |judge, file| judge.settings(*file)).into_iter().flatten().collect();
    let knowing = || Judge { globals: bare(program, policy).collect_globals(&settings), ..bare(program, policy) };
    let mut cases: Vec<Case> =
        share_out(&sites, knowing, |judge, index| judge.case(&all, *index)).into_iter().flatten().collect();
    cases.retain(|case| policy.kinds.is_empty() || policy.kinds.contains(&case.site.kind));
    cases.sort_by(|a, b| (place(&a.site.at), &a.site.call).cmp(&(place(&b.site.at), &b.site.call)));
    one_of_each(&mut cases);
    number(&mut cases);
    let wrappers = bare(program, policy).wrappers(&all, &cases);
    let overrides = cases.iter().filter(|case| case.overrides).count() as u32;
    let findings = findings::findings(&cases, &wrappers, program.files);
    let remedies = remedies::remedies(&cases);
    Judged { sites: cases.into_iter().map(|case| case.site).collect(), wrappers, findings, remedies, overrides }
}

/// Maps items in parallel, in order. Every thread has one judge, which serves all that the thread does, and takes the next item that none has
/// begun: one file can take as long as hundreds.
pub(super) fn share_out<'p, T: Sync, U: Send>(
    items: &[T],
    judge: impl Fn() -> Judge<'p> + Sync,
    map: impl Fn(&Judge<'p>, &T) -> U + Sync,
) -> Vec<U> {
    let next = AtomicUsize::new(0);
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        items.get(at).map(|item| (at, item))
    };
    let mut mapped: Vec<(usize, U)> = rayon::broadcast(|_| {
        let Some(first) = take() else { return Vec::new() };
        let judge = judge();
        std::iter::successors(Some(first), |_| take()).map(|(at, item)| (at, map(&judge, item))).collect()
    })
    .into_iter()
    .flatten()
    .collect();
    mapped.sort_by_key(|(at, _)| *at);
    mapped.into_iter().map(|(_, one)| one).collect()
}

fn place(at: &Region) -> (std::sync::Arc<str>, u32, u32, u32) {
    (at.file.clone(), at.line, at.column, at.end_line)
}

pub(super) fn bare<'p>(program: &'p Program<'p>, policy: &'p Policy) -> Judge<'p> {
    Judge { eval: Eval::new(program), texts: Eval::of_texts(program), policy, globals: Globals::default() }
}

/// A call that may go through one wrapper or another (whatever implements a trait) is one site, as is one that a macro makes in several
/// places: the weakest counts. What a macro makes other calls of each time is a site each time.
fn one_of_each(cases: &mut Vec<Case>) {
    cases.dedup_by(|next, kept| {
        let by_wrappers = next.call == kept.call && !next.via.is_empty() && !kept.via.is_empty();
        let of = |case: &Case| (case.site.client.clone(), case.site.call.clone());
        let by_macro = next.call != kept.call && next.site.at == kept.site.at && of(next) == of(kept);
        let same = by_wrappers || by_macro;
        if same && next.site.verdict < kept.site.verdict {
            std::mem::swap(next, kept);
        }
        same
    });
}

/// Counts every site among its like, and gives it its id.
fn number(cases: &mut [Case]) {
    let mut seen: BTreeMap<Identity, u32> = BTreeMap::new();
    for case in cases {
        let site = &mut case.site;
        let ordinal = seen.entry(site.identity.clone()).or_insert(0);
        *ordinal += 1;
        site.identity.ordinal = *ordinal;
        site.id = site.identity.digest(None);
    }
}

impl Judge<'_> {
    /// Judges one counted item.
    fn case(&self, all: &Items, index: usize) -> Option<Case> {
        let item = &all.items[index];
        let judged = self.judge_item(all, index, &None, 0);
        let first = judged.first()?.0.clone();
        let judgement = Self::weakest(judged.into_iter().map(|(_, judgement)| judgement).collect())?;
        let through = self.wrappers_through(all, index);
        let unit = self.eval.unit(item.at.file)?;
        let span = if item.via.is_none() { self.span(&first) } else { unit.facts.span(item.at.expr) };
        let at = self.region(Place { file: item.at.file, span });
        let limit = judgement.limit.clone().filter(|_| judgement.verdict != Verdict::Unknown);
        let by = limit.as_ref().map(|limit| self.by(item, limit, span, &through));
        let overrides = item.via.is_some() && by == Some(By::Own);
        let library = self.catalog().library(first.lib.library);
        let client = library.client_of(first.lib.object);
        let evidence = self.evidence(item, &first, &judgement, by, &through);
        let function = self.definition(item.at, false);
        let callee = match item.via {
            Some(wrapper) => format!("{client} through {}", self.function_name(wrapper)),
            None => format!("{client}.{}", first.lib.path.join(".")),
        };
        let identity = Identity {
            path: self.program().files.rooted(&at.file),
            definition: self.definition(item.at, true).unwrap_or_default(),
            callee: callee.trim_end_matches('.').to_owned(),
            ordinal: 0,
        };
        let site = Site {
            id: String::new(),
            identity,
            name_line: self.name_line(item, &first),
            language: unit.facts.language.word(),
            kind: self.send_rule(&first).table.kind.unwrap_or(library.kind),
            client: client.to_string(),
            call: self.call_word(item, &first),
            function,
            target: self.target(&first),
            verdict: judgement.verdict,
            by,
            limit: limit.as_ref().map(|limit| self.limit(item, limit, by)),
            default_limit: judgement.default_limit.filter(|_| judgement.verdict == Verdict::Uncovered),
            retries: judgement.retries,
            backoff: judgement.backoff,
            wrapper: through.first().map(|key| self.function_name(*key)),
            evidence,
            suppressed: None,
            caller_service: None,
            at,
        };
        let off = judgement.remarks.iter().any(|remark| remark.kind == RemarkKind::Off);
        let fix = self.fix(&first);
        let remedy = self.remedy(item, &first, &through, &site, off, &fix);
        let fix = fix.text;
        let remarks =
            judgement.remarks.iter().map(|remark| (remark.kind, self.region_of(remark.at), remark.text.clone())).collect();
        let others = judgement
            .others
            .iter()
            .map(|other| (other.by, other.wait, other.at.map(|at| self.region_of(at)), other.kind))
            .collect();
        let unknown = judgement.unknown.as_deref().map(str::to_owned);
        let (files, file) = (self.program().files, item.at.file);
        let package = files.modules(file).package_of(files.path(file));
        let operation = self.operation(&first);
        let mut case =
            Case { site, call: item.at, operation, via: through, remedy, fix, remarks, others, overrides, package, unknown };
        self.policy.declare(&mut case, files.path(file));
        Some(case)
    }

    /// Whose limit it is, seen from the counted call.
    fn by(&self, item: &Item, limit: &Candidate, span: Span, through: &[FunctionKey]) -> By {
        if item.via.is_none() {
            return limit.by;
        }
        let in_call = |at: &Loc| {
            at.file == item.at.file && self.eval.unit(at.file).is_some_and(|unit| span.holds(unit.facts.span(at.expr)))
        };
        if limit.by != By::Scope && (limit.at.as_ref().is_some_and(in_call) || limit.through.as_ref().is_some_and(in_call)) {
            return By::Own;
        }
        let inside = limit.at.is_some_and(|at| {
            through.iter().any(|(file, function)| {
                at.file == *file
                    && self
                        .eval
                        .unit(*file)
                        .is_some_and(|unit| unit.facts.function(*function).span.holds(unit.facts.span(at.expr)))
            })
        });
        match limit.by {
            By::Scope if !inside => By::Scope,
            _ => By::Wrapper,
        }
    }

    fn limit(&self, item: &Item, candidate: &Candidate, by: Option<By>) -> Limit {
        let at = match (by, item.via, candidate.through) {
            (Some(By::Own), Some(_), Some(through)) => Some(through),
            _ => candidate.at,
        };
        let overridable = candidate.overridable || candidate.at.is_some_and(|at| self.is_parameter(at));
        Limit {
            wait: candidate.wait,
            kind: candidate.kind,
            origin: candidate.origin,
            overridable,
            at: at.map(|at| self.region_of(at)),
            setting: candidate.why.split('`').nth(1).filter(|_| candidate.why.starts_with('`')).map(str::to_owned),
        }
    }

    fn is_parameter(&self, at: Loc) -> bool {
        let Some(unit) = self.eval.unit(at.file) else { return false };
        let Expr::Name(name, scope) = unit.facts.expr(at.expr) else { return false };
        unit.binding(name, *scope).is_some_and(|binding| {
            unit.facts.bindings[binding.index()].sources.iter().any(|source| matches!(source, crate::facts::Source::Param { .. }))
        })
    }

    /// A place as people read it.
    pub(super) fn region(&self, place: Place) -> Region {
        let Some(unit) = self.eval.unit(place.file) else { return Region::default() };
        Region::of(self.program().files.shown(place.file), &unit.facts.lines, place.span)
    }

    /// The place of an expression.
    pub(super) fn region_of(&self, at: Loc) -> Region {
        let span = self.eval.unit(at.file).map_or(Span::default(), |unit| unit.facts.span(at.expr));
        self.region(Place { file: at.file, span })
    }

    /// The line on which the name of the terminal call stands.
    fn name_line(&self, item: &Item, call: &Call) -> u32 {
        let at = if item.via.is_none() { call.at } else { item.at };
        let Some(unit) = self.eval.unit(at.file) else { return 0 };
        let Expr::Call { callee, .. } = unit.facts.expr(at.expr) else { return 0 };
        let span = unit.facts.span(*callee);
        let offset = match unit.facts.expr(*callee) {
            Expr::Member { name, .. } => span.end.saturating_sub(name.len() as u32),
            _ => span.start,
        };
        unit.facts.lines.position(offset).line
    }

    fn call_word(&self, item: &Item, call: &Call) -> String {
        let at = if item.via.is_none() { call.at } else { item.at };
        let word = self.eval.unit(at.file).and_then(|unit| unit.call_name(at.expr)).unwrap_or("call");
        word.to_owned()
    }

    /// The enclosing definition, the innermost or the outermost: `name` or `Class.name`.
    fn definition(&self, at: Loc, outermost: bool) -> Option<String> {
        let unit = self.eval.unit(at.file)?;
        let mut function = unit.facts.function_of(at.expr);
        let mut found = None;
        while let Some(id) = function {
            let name = unit.facts.function(id).name.clone().or_else(|| {
                self.eval.binding_of(unit, (at.file, id)).map(|binding| unit.facts.bindings[binding.index()].name.clone())
            });
            if name.is_some() {
                found = Some(self.function_name((at.file, id)));
            }
            if found.is_some() && !outermost {
                break;
            }
            function = unit.around(id);
        }
        found
    }

    /// A function's name, with its class.
    pub(super) fn function_name(&self, key: FunctionKey) -> String {
        let Some(unit) = self.eval.unit(key.0) else { return "?".to_owned() };
        let own = unit.facts.function(key.1).name.as_deref();
        let bound = self.eval.binding_of(unit, key).map(|binding| &*unit.facts.bindings[binding.index()].name);
        let name = own.or(bound).unwrap_or("(anonymous)");
        let class = match unit.owner(key.1) {
            Some(crate::link::Owner::Class(class)) => unit.facts.class(class).name.as_deref().map(str::to_owned),
            Some(crate::link::Owner::Extension(at)) => {
                unit.facts.extensions[at].of.referred().path.last().map(ToString::to_string)
            }
            None => None,
        };
        class.map_or_else(|| name.to_owned(), |class| format!("{class}.{name}"))
    }

    /// Why, in order.
    fn evidence(
        &self,
        item: &Item,
        call: &Call,
        judgement: &Judgement,
        by: Option<By>,
        through: &[FunctionKey],
    ) -> Vec<Evidence> {
        let mut evidence = Vec::new();
        let mut add = |at: Region, text: String| {
            let one = Evidence { at, text };
            if !evidence.contains(&one) {
                evidence.push(one);
            }
        };
        for key in through {
            if let Some(unit) = self.eval.unit(key.0) {
                let span = Span::new(unit.facts.function(key.1).span.start, unit.facts.function(key.1).span.start);
                add(self.region(Place { file: key.0, span }), format!("the call goes through `{}`", self.function_name(*key)));
            }
        }
        if item.via.is_some() {
            add(self.region_of(call.at), "the outbound call inside".to_owned());
        }
        // What a chain makes for one call is no client.
        let is_shared = |layer: &&crate::link::Layer| {
            let crate::link::value::Rule::Make(rule) = layer.rule else { return false };
            let gives = self.catalog().object_of(layer.library, &self.catalog().library(layer.library).makes[rule].gives);
            layer.at != call.at
                && gives.is_none_or(|(library, object)| {
                    self.catalog().library(library).object(object).level == crate::catalog::schema::Level::Client
                })
        };
        let made = || self.making(&call.lib).filter(is_shared).or_else(|| call.lib.layers.iter().rev().find(is_shared));
        if let Some(made) = self.ambient_for(call).or_else(made) {
            add(self.region_of(made.at), "the client is made here".to_owned());
        }
        if let Some(limit) = &judgement.limit {
            let at = limit.at.unwrap_or(item.at);
            let wait = limit.wait.map_or_else(|| "a value known at run time".to_owned(), |wait| wait.to_string());
            let by = by.map_or("", By::word);
            add(self.region_of(at), format!("{} ({wait}, {}, by {by})", limit.why, limit.kind));
        }
        for remark in &judgement.remarks {
            add(self.region_of(remark.at), remark.text.clone());
        }
        if judgement.verdict == Verdict::Uncovered {
            let library = self.catalog().library(call.lib.library);
            let client = library.client_of(call.lib.object);
            let text = match judgement.default_limit {
                Some(wait) => format!("{client} ends it after {wait} of its own, longer than any caller waits"),
                None => format!("{client} has no limit of its own"),
            };
            add(self.region_of(item.at), text);
        }
        if let Some(reason) = &judgement.unknown {
            add(self.region_of(item.at), format!("it comes from {reason}"));
        }
        evidence
    }

    /// The wrappers in use, with how many sites go through each.
    fn wrappers(&self, all: &Items, cases: &[Case]) -> Vec<Wrapper> {
        let mut wrappers = Vec::new();
        for key in all.wrappers.keys() {
            let sites: Vec<&Case> = cases.iter().filter(|case| case.via.first() == Some(key)).collect();
            if sites.is_empty() {
                continue;
            }
            let Some(unit) = self.eval.unit(key.0) else { continue };
            let span = unit.facts.function(key.1).span;
            let limit = sites.iter().filter(|case| !case.overrides).find_map(|case| case.site.limit.clone());
            wrappers.push(Wrapper {
                name: self.function_name(*key),
                at: self.region(Place { file: key.0, span }),
                sites: sites.len() as u32,
                limit,
            });
        }
        wrappers.sort_by_key(|a| place(&a.at));
        wrappers
    }
}
