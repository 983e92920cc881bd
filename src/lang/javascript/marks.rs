//! What a file says to the program, and what could not be read of it.
//!
//! In: the whole tree. Out: [`Remark`]s from comments, and [`Broken`] parts where the grammar gave up. Both are looked for
//! only where the text or the tree says that there are some.

use tree_sitter::Node;

use super::lower::{Lowerer, span};
use super::roles::Role;
use crate::facts::{Broken, Remark};

/// What begins a remark.
const MARK: &str = "untimed:";

impl<'t> Lowerer<'t> {
    /// Finds the comments that speak to the program.
    pub(super) fn remarks(&mut self, root: Node<'t>) {
        for (at, _) in self.text.match_indices(MARK) {
            let Some(node) = root.descendant_for_byte_range(at, at + MARK.len()) else { continue };
            if self.role(node) != Role::Comment {
                continue;
            }
            let rest = self.text.get(at + MARK.len()..node.end_byte()).unwrap_or("");
            let line = rest.split(['\n', '\r']).next().unwrap_or("");
            let text = line.split("*/").next().unwrap_or("").trim();
            self.facts.remarks.push(Remark { span: span(node), text: text.into() });
        }
    }

    /// Finds the topmost parts that are no syntax.
    pub(super) fn broken_parts(&mut self, root: Node<'t>) {
        if !root.has_error() {
            return;
        }
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            let is_broken = node.is_error() || node.is_missing();
            if is_broken {
                self.facts.broken.push(Broken { span: span(node), reason: "syntax error".into() });
            }
            if !is_broken && node.has_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }
}
