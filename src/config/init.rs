//! A first configuration file, from what is found in the tree.
//!
//! In: an audit, and the folders that look like services. Out: the text of `untimed.toml`. What is only proposed is commented out with
//! `#` alone before its key; prose has a space behind it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::show::quoted;
use crate::finding::{Outcome, Reached, Rule, SiteKind, Verdict};

/// How many services and wrappers are named at most.
const MOST: usize = 12;

/// What the file is made from.
#[derive(Debug)]
pub struct Found<'a> {
    /// The audit.
    pub outcome: &'a Outcome,
    /// Folders with a manifest of their own: name and path.
    pub services: &'a [(String, String)],
}

/// The text of the file.
pub fn template(found: &Found<'_>) -> String {
    let mut text = String::from(
        "# What `untimed` looks at in this repository, and what counts. `untimed audit --show-config` prints what it comes to.\n",
    );
    let sites = &found.outcome.sites;
    let covered = sites.iter().filter(|site| site.verdict == Verdict::Covered).count();
    let coverage = Reached { calls: sites.len(), covered, ..Reached::default() }.shown_coverage();
    let _ = writeln!(
        text,
        "# When this was written: outbound calls {}, files {}, covered calls {covered}.",
        sites.len(),
        found.outcome.counts.scanned
    );
    what(found, &mut text);
    rules(found, &mut text);
    wrappers(found, &mut text);
    services(found, &mut text);
    let _ = write!(
        text,
        "\n[gate]\n# Covered calls of all that are needed, in percent. When this was written: {coverage}.\n#min_coverage = {coverage}\n\
         # Uncovered calls that are allowed.\n#max_uncovered = 0\n\
         # Partial and unknown count as uncovered.\nstrict = false\n\
         # The rules whose new findings fail; those that are errors unless said.\n#fail_on = [\"uncovered-call\"]\n"
    );
    text
}

fn what(found: &Found<'_>, text: &mut String) {
    let mut kinds: BTreeMap<SiteKind, usize> = BTreeMap::new();
    for site in &found.outcome.sites {
        *kinds.entry(site.kind).or_default() += 1;
    }
    let named: Vec<String> = kinds.keys().map(|kind| format!("\"{}\"", kind.word())).collect();
    let counts: Vec<String> = kinds.iter().map(|(kind, count)| format!("{} {count}", kind.word())).collect();
    let _ = write!(
        text,
        "\n# Only these paths take part, as .gitignore writes them; all unless said.\n#include = [\"**\"]\n\
         # These do not, beside tests, examples, generated and vendored code.\nexclude = []\n"
    );
    if !named.is_empty() {
        let _ = write!(text, "# Only these kinds of calls. Found: {}.\n#kinds = [{}]\n", counts.join(", "), named.join(", "));
    }
    let _ = write!(
        text,
        "\n[policy]\n# A library's own default longer than this is no limit.\nlongest_default = \"60s\"\n\
         # The kinds of limits that cover a call: total ends the attempt, idle a gap without bytes; with wait the caller goes on alone.\n\
         accept = [\"total\", \"idle\", \"wait\"]\n# Also test code.\ntests = false\n"
    );
}

fn rules(found: &Found<'_>, text: &mut String) {
    text.push_str("\n[rules]\n# error, warning or off. `untimed explain RULE` tells what each means.\n");
    for rule in Rule::ALL {
        let count = found.outcome.findings.iter().filter(|finding| finding.rule == rule).count();
        let found = if count > 0 { format!("  # found: {count}") } else { String::new() };
        let _ = writeln!(text, "{} = \"{}\"{found}", rule.id(), rule.weight().word());
    }
    text.push_str(
        "\n# Other rules for some paths.\n#[[override]]\n#paths = [\"**/scripts/**\"]\n#rules = { uncovered-call = \"warning\" }\n\
         \n# A limit that the code does not show.\n#[[limit]]\n#paths = [\"**\"]\n#wait = \"3s\"\n\
         #reason = \"a sidecar ends every request\"\n",
    );
}

fn wrappers(found: &Found<'_>, text: &mut String) {
    text.push_str("\n# A function is, or is not, a wrapper: its calls count in place of the call inside.\n");
    for wrapper in found.outcome.wrappers.iter().take(MOST) {
        let _ = writeln!(text, "# Found: {} ({}:{}), calls: {}.", wrapper.name, wrapper.at.file, wrapper.at.line, wrapper.sites);
    }
    text.push_str("#[[wrapper]]\n#function = \"send\"\n#wrapper = false\n");
}

fn services(found: &Found<'_>, text: &mut String) {
    text.push_str("\n# Services: where their code is, and under which names and ports others reach them.\n");
    for (name, path) in found.services.iter().take(MOST) {
        let _ =
            writeln!(text, "#[services.{}]\n#paths = [{}]\n#hosts = [{}]\n#ports = []", quoted(name), quoted(path), quoted(name));
    }
    if found.services.is_empty() {
        text.push_str("#[services.orders]\n#hosts = [\"orders\"]\n#ports = [8080]\n");
    }
}
