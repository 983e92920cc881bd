//! The judge: finds the outbound calls of a program and gives each one verdict with the lines that prove it.
//!
//! In: a [`Program`] and a [`Policy`]. Out: [`Judged`]: sites, wrappers, findings, remedies, as plain data. It asks the linker what values are,
//! and the catalog what they mean; it knows no language and no library by name.

mod ambient;
mod call;
mod carried;
mod clearing;
mod declared;
mod defaults;
mod destination;
mod elsewhere;
mod endless;
mod entered;
mod extensions;
mod findings;
mod fixes;
mod followed;
mod fragments;
mod given;
mod globals;
mod handlers;
mod hosts;
mod keys;
mod lazy;
mod limits;
mod objects;
mod operation;
mod overrides;
mod pieces;
mod placed;
mod promises;
mod reach;
mod reads;
mod remedies;
mod repeats;
mod replaced;
mod retries;
mod scoped;
mod scopes;
mod signals;
mod sites;
mod survey;
mod target;
mod units;
mod verdict;
mod ways;

use crate::catalog::Catalog;
use crate::finding::{By, Finding, Origin, Remedy, Site, SiteKind, Wrapper};
use crate::limit::{LimitKind, Millis};
use crate::link::{Eval, Loc, Program};
use crate::settings::{DeclaredLimit, DeclaredWrapper, Settings};
use crate::span::FileId;

/// What counts.
#[derive(Debug, Clone)]
pub struct Policy {
    /// A library's default longer than this is no limit.
    pub longest_default: Millis,
    /// The kinds of sites that are reported; empty: all.
    pub kinds: Vec<SiteKind>,
    /// The kinds of limits that cover a call.
    pub accepted: Vec<LimitKind>,
    /// Functions that are, or are not, wrappers.
    pub wrappers: Vec<DeclaredWrapper>,
    /// Limits that the code does not show.
    pub limits: Vec<DeclaredLimit>,
}

impl Policy {
    /// What the settings say.
    pub fn of(settings: &Settings) -> Self {
        Self {
            longest_default: settings.longest_default,
            kinds: settings.kinds.clone(),
            accepted: settings.accepted.clone(),
            wrappers: settings.wrappers.clone(),
            limits: settings.limits.clone(),
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::of(&Settings::default())
    }
}

/// What the judge says.
#[derive(Debug, Default)]
pub struct Judged {
    /// Sorted by file, line, column.
    pub sites: Vec<Site>,
    /// Sorted by file, line.
    pub wrappers: Vec<Wrapper>,
    /// Sorted by file, line, column, rule.
    pub findings: Vec<Finding>,
    /// Sorted by how much they cover.
    pub remedies: Vec<Remedy>,
    /// Wrapper calls that pass their own value.
    pub overrides: u32,
}

/// A limit that holds for a call.
#[derive(Debug, Clone)]
struct Candidate {
    wait: Option<Millis>,
    kind: LimitKind,
    origin: Origin,
    overridable: bool,
    at: Option<Loc>,
    by: By,
    through: Option<Loc>,
    why: String,
    /// It ends all tries of the library, not one (a signal).
    ends_tries: bool,
}

/// Something a person should know about a call.
#[derive(Debug, Clone, PartialEq)]
struct Remark {
    kind: RemarkKind,
    at: Loc,
    text: String,
}

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RemarkKind {
    /// A limit that is switched off.
    Off,
    /// A limit that does nothing.
    NoEffect,
    /// A value in a doubtful unit.
    Unit,
    /// A fact that matters.
    Evidence,
}

/// The judge of one thread.
struct Judge<'p> {
    eval: Eval<'p>,
    /// Follows destinations.
    texts: Eval<'p>,
    policy: &'p Policy,
    globals: globals::Globals,
}

impl<'p> Judge<'p> {
    fn program(&self) -> &'p Program<'p> {
        self.eval.program
    }

    fn catalog(&self) -> &'p Catalog {
        self.eval.program.catalog
    }
}

/// Judges a program. `files` are the counted files worth a look at first; more are asked for as they turn out to matter.
pub fn judge(program: &Program<'_>, policy: &Policy, files: &[FileId]) -> Judged {
    survey::survey(program, policy, files)
}
