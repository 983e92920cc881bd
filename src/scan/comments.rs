//! The comments that speak to the program, in all files that take part.
//!
//! In: the files. Out: [`Comment`]s in the order of files and lines. What they ask for is the gate's question.

use super::tree::Tree;
use crate::facts::{Expr, FileFacts};
use crate::finding::Region;
use crate::gate::Comment;
use crate::link::Files;
use crate::span::FileId;

/// All comments, in order.
pub(super) fn comments(tree: &Tree<'_>) -> Vec<Comment> {
    let mut comments: Vec<Comment> = tree.speaking().into_iter().flat_map(|file| of_file(tree, file)).collect();
    comments.sort_by(|a, b| a.at.cmp(&b.at));
    comments
}

fn of_file(tree: &Tree<'_>, file: FileId) -> Vec<Comment> {
    let Some(unit) = tree.unit(file) else { return Vec::new() };
    let facts = &unit.facts;
    let bytes = std::fs::read(tree.path(file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let first = first_code(facts);
    let comment = |remark: &crate::facts::Remark| {
        let at = Region::of(tree.shown(file), &facts.lines, remark.span);
        let before = text.get(..remark.span.start as usize).unwrap_or_default();
        let trails = before.rsplit(['\n', '\r']).next().is_some_and(|line| !line.trim().is_empty());
        let head = first.is_none_or(|first| remark.span.end <= first);
        Comment { at, text: remark.text.to_string(), head, trails }
    };
    facts.remarks.iter().map(comment).collect()
}

/// Where the code of a file begins; a directive (`'use strict'`) is none.
fn first_code(facts: &FileFacts) -> Option<u32> {
    let is_directive = |at: usize| matches!(facts.exprs[at], Expr::Text(_)) && facts.parents[at].is_none();
    let exprs = facts.spans.iter().enumerate().filter(|(at, _)| !is_directive(*at)).map(|(_, span)| span.start);
    let others = facts.imports.iter().map(|import| import.span.start);
    let others = others.chain(facts.functions.iter().map(|function| function.span.start));
    let others = others.chain(facts.classes.iter().map(|class| class.span.start));
    let others = others.chain(facts.bindings.iter().map(|binding| binding.span.start));
    exprs.chain(others).min()
}
