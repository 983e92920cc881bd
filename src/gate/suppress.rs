//! Suppressions: comments that take findings out of the count, with a reason.
//!
//! In: the findings and sites of an audit, the comments that speak to the program, and today's date. Out: findings and sites with the
//! reason of what suppresses them; a finding for each comment that cannot be read, suppresses nothing, or is past its day; the list of all.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;

use super::allow::{self, Allow};
use crate::finding::{Finding, Identity, Region, Rule, Site, Suppression, SuppressionState};

/// A comment that speaks to the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands.
    pub at: Region,
    /// What follows `untimed:`.
    pub text: String,
    /// Whether no code stands before it: then it speaks for the whole file.
    pub head: bool,
    /// Whether something stands before it on its line: then it speaks for this line, else for the next one.
    pub trails: bool,
}

/// What to look at.
pub struct Suppressing<'a> {
    /// The comments of all files, in order.
    pub comments: &'a [Comment],
    /// Today.
    pub today: Date,
    /// A shown path from the repository's folder on.
    pub rooted: &'a dyn Fn(&str) -> String,
    /// Whether all findings are there; where some kinds of sites are left out, nobody can say that a comment suppresses nothing.
    pub complete: bool,
    /// Whether chains are held to a deadline; where not, nobody can say so of rules about them.
    pub deadline: bool,
}

/// A comment with what it asks for.
struct Asked<'c> {
    comment: &'c Comment,
    asked: Result<Allow, String>,
    /// The lines that it speaks for.
    lines: (u32, u32),
    used: BTreeSet<Rule>,
}

/// Applies the comments. Findings are added in order.
pub fn suppress(findings: &mut Vec<Finding>, sites: &mut [Site], given: &Suppressing<'_>) -> Vec<Suppression> {
    let mut asked: Vec<Asked<'_>> = given
        .comments
        .iter()
        .filter_map(|comment| {
            let asked = allow::parse(&comment.text)?;
            Some(Asked {
                comment,
                asked,
                lines: (comment.at.line, comment.at.end_line + u32::from(!comment.trails)),
                used: BTreeSet::new(),
            })
        })
        .collect();
    if asked.is_empty() {
        return Vec::new();
    }
    chain(&mut asked);
    let places: HashMap<String, usize> = sites.iter().enumerate().map(|(at, site)| (site.id.clone(), at)).collect();
    for finding in findings.iter_mut() {
        let site = places.get(&finding.site).and_then(|at| sites.get_mut(*at));
        if let Some(reason) = reason_for(finding, site.as_deref(), &mut asked, given.today) {
            finding.suppressed = Some(reason.clone());
            if let Some(site) = site.filter(|_| finding.rule.is_verdict()) {
                site.suppressed = Some(reason);
            }
        }
    }
    let (list, about): (Vec<Suppression>, Vec<Vec<Finding>>) = asked.iter().map(|one| result(one, given)).unzip();
    findings.extend(about.into_iter().flatten());
    findings.sort_by(|a, b| (&a.at, a.rule, &a.message).cmp(&(&b.at, b.rule, &b.message)));
    list
}

/// Comments one below the other speak for the same line.
fn chain(asked: &mut [Asked<'_>]) {
    for at in (1..asked.len()).rev() {
        let (before, after) = asked.split_at_mut(at);
        if let (Some(upper), Some(lower)) = (before.last_mut(), after.first())
            && upper.comment.at.file == lower.comment.at.file
            && upper.comment.at.end_line + 1 == lower.comment.at.line
            && !upper.comment.trails
            && !lower.comment.trails
        {
            upper.lines.1 = lower.lines.1;
        }
    }
}

/// The reason of the comment that suppresses a finding.
fn reason_for(finding: &Finding, site: Option<&Site>, asked: &mut [Asked<'_>], today: Date) -> Option<String> {
    let own = site.filter(|site| site.at == finding.at);
    let lines = [finding.at.line, own.map_or(finding.at.line, |site| site.name_line), finding.at.end_line];
    let mut reason = None;
    for one in asked.iter_mut().filter(|one| one.comment.at.file == finding.at.file) {
        let Ok(allow) = &one.asked else { continue };
        let there = one.comment.head || lines.iter().any(|line| one.lines.0 <= *line && *line <= one.lines.1);
        let holds = allow.until.is_none_or(|until| today <= until);
        if there && holds && allow.rules.contains(&finding.rule) {
            one.used.insert(finding.rule);
            // What stands nearest says why; the head of the file speaks last.
            if reason.is_none() || !one.comment.head {
                reason = Some(allow.reason.clone());
            }
        }
    }
    reason
}

/// What is said about a comment, and the findings that it is itself.
fn result(one: &Asked<'_>, given: &Suppressing<'_>) -> (Suppression, Vec<Finding>) {
    let mut suppression = Suppression {
        at: one.comment.at.clone(),
        rules: Vec::new(),
        reason: String::new(),
        until: None,
        whole_file: one.comment.head,
        state: SuppressionState::Used,
    };
    let allow = match &one.asked {
        Ok(allow) => allow,
        Err(why) => {
            suppression.state = SuppressionState::Bad;
            let message = format!("this suppression cannot be taken: {why}");
            let fix = "write `untimed: allow(RULE) why this is right`".to_owned();
            return (suppression, vec![about(Rule::BadSuppression, one, given, message, fix)]);
        }
    };
    suppression.rules.clone_from(&allow.rules);
    suppression.reason.clone_from(&allow.reason);
    suppression.until = allow.until.map(|day| day.to_string());
    let remove = "remove the comment".to_owned();
    if let Some(until) = allow.until.filter(|until| *until < given.today) {
        suppression.state = SuppressionState::Stale;
        let message = format!("this suppression was for the time until {until}, which is over");
        return (suppression, vec![about(Rule::UnusedSuppression, one, given, message, format!("limit the call and {remove}"))]);
    }
    let unused: Vec<Rule> = allow.rules.iter().filter(|rule| !one.used.contains(rule)).copied().collect();
    let none_used = unused.len() == allow.rules.len();
    let is_judged = |rule: &&Rule| given.complete && (given.deadline || !rule.needs_deadline());
    let unused: Vec<&str> = unused.iter().filter(is_judged).map(|rule| rule.id()).collect();
    let all = unused.len() == allow.rules.len();
    suppression.state = match (none_used, all) {
        (_, true) => SuppressionState::Unused,
        (true, false) => SuppressionState::Unchecked,
        (false, false) => SuppressionState::Used,
    };
    if unused.is_empty() {
        return (suppression, Vec::new());
    }
    let message = format!("this suppression suppresses nothing: no finding of {} stands here", unused.join(", "));
    let fix = if all { remove } else { format!("take {} out of the comment", unused.join(", ")) };
    (suppression, vec![about(Rule::UnusedSuppression, one, given, message, fix)])
}

/// A finding about a comment.
fn about(rule: Rule, one: &Asked<'_>, given: &Suppressing<'_>, message: String, fix: String) -> Finding {
    let at = one.comment.at.clone();
    let path = (given.rooted)(&at.file);
    let identity = Identity { path, definition: String::new(), callee: one.comment.text.clone(), ordinal: 1 };
    Finding {
        rule,
        severity: rule.weight(),
        site: String::new(),
        at,
        message,
        fix,
        evidence: Vec::new(),
        fingerprint: identity.digest(Some(rule)),
        identity,
        suppressed: None,
        standing: None,
    }
}
