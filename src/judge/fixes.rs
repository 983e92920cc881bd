//! What to write for a call that lacks a limit.
//!
//! In: an outbound call. Out: the text of its library's file that fits it, with its name. Where to write it, [`super::remedies`] tells.

use super::Judge;
use super::call::Call;

/// What to write for a call.
pub(super) struct Fix {
    /// The text.
    pub text: Option<String>,
    /// No other place than that of the call helps: it is about this call, or about the reading of its answer.
    pub at_call: bool,
}

impl Judge<'_> {
    /// What to write for a call: what its rule says, else what the object says that is given to it, else its library.
    pub(super) fn fix(&self, call: &Call) -> Fix {
        let table = &self.send_rule(call).table;
        let each = table.fix_reads.each.as_deref().filter(|_| self.is_read_later(call));
        let elsewhere = || table.fix_reads.elsewhere.as_deref().filter(|_| self.is_read_elsewhere(call));
        let given = || self.given_object(call).and_then(|(given, _)| self.catalog().library(given).fix.as_deref());
        let library = || self.catalog().library(call.lib.library).fix.as_deref();
        let text = each.or_else(elsewhere).or(table.fix.as_deref()).or_else(given).or_else(library);
        Fix { text: text.map(|text| self.named(text, call)), at_call: each.is_some() || table.fix_at_call }
    }

    /// A text with the name of the call, where it leaves room for it.
    fn named(&self, text: &str, call: &Call) -> String {
        let name = self.eval.unit(call.at.file).and_then(|unit| unit.call_name(call.at.expr));
        text.replace("{call}", name.unwrap_or("…"))
    }

    fn is_read_later(&self, call: &Call) -> bool {
        self.reads_later(call) && !call.read_in_chain && !self.reads(call).is_empty()
    }

    /// Whether nothing reads the answer in the function of the call: it is handed on, and others read it.
    fn is_read_elsewhere(&self, call: &Call) -> bool {
        let reading = &self.catalog().library(call.end.library).object(call.end.object).reads;
        let here = |read: &super::reads::Read| {
            let Some(unit) = self.eval.unit(read.file) else { return false };
            let reads = unit.call_name(read.by).is_some_and(|name| reading.iter().any(|known| **known == *name));
            reads && read.left.is_none() && read.file == call.at.file
        };
        self.is_read_later(call) && !self.reads(call).iter().any(here)
    }
}
