//! Why the calls on a line are, or are not, call sites.
//!
//! In: a file and a line. Out: the whole [`Outcome`], so that the sites on the line can be told with what leads to them, and for every
//! other call there what it is instead. It judges nothing: it asks the linker what is called.

use std::sync::Arc;

use super::languages::Languages;
use super::tree::Tree;
use super::{Observer, ScanError, conduct};
use crate::catalog::{Catalog, Library, Segment, Send, can};
use crate::facts::Expr;
use crate::finding::{Evidence, Outcome, Region};
use crate::link::{Eval, Files, LibValue, Loc, Op, Program, Unit, Value};
use crate::settings::Settings;
use crate::span::{FileId, Place, Span};
use crate::walk;

/// What is known about a line.
#[derive(Debug)]
pub struct Explained {
    /// The audit, of which the sites on the line are a part.
    pub outcome: Outcome,
    /// The file as reports print it; `None` when it takes no part.
    pub file: Option<Arc<str>>,
    /// The calls that begin on the line, and what each is.
    pub calls: Vec<Evidence>,
    /// The nearest line with a call, where the line has none.
    pub nearest: Option<u32>,
}

/// Audits what the settings name and looks at one line. `file` is a path from the folder where the command runs.
///
/// # Errors
///
/// As [`super::audit`].
pub fn explain(
    settings: &Settings,
    catalog: &Catalog,
    observer: &dyn Observer,
    file: &std::path::Path,
    line: u32,
) -> Result<Explained, ScanError> {
    let languages = Languages::new().map_err(ScanError::Query)?;
    if walk::language_of(file, &languages).is_none() {
        return Ok(Explained { outcome: Outcome::default(), file: None, calls: Vec::new(), nearest: None });
    }
    conduct(settings, catalog, observer, |tree, program, outcome| {
        let found = tree.find(file).filter(|file| tree.is_counted(*file));
        let unit = found.and_then(|file| tree.unit(file).map(|unit| (file, unit)));
        let (calls, nearest) = unit.map_or((Vec::new(), None), |(file, unit)| calls_on(tree, program, file, unit, line));
        Explained { outcome, file: found.map(|file| tree.shown(file)), calls, nearest }
    })
}

fn calls_on(tree: &Tree<'_>, program: &Program<'_>, file: FileId, unit: &Unit, line: u32) -> (Vec<Evidence>, Option<u32>) {
    let eval = Eval::new(program);
    let line_of = |expr| unit.facts.lines.position(unit.facts.span(expr).start).line;
    let mut calls: Vec<Evidence> = unit
        .facts
        .calls
        .iter()
        .filter(|call| line_of(**call) == line)
        .map(|call| {
            eval.begin();
            let at = Loc { file, expr: *call };
            let what = if unit.is_test(unit.facts.expr_scopes[call.index()]) {
                "is in test code, which is left out".to_owned()
            } else {
                what_it_is(&eval, unit, at)
            };
            let text = format!("`{}` {what}", callee_text(unit, at));
            Evidence { at: region(tree, Place { file, span: unit.facts.span(*call) }), text }
        })
        .collect();
    calls.sort_by(|a, b| a.at.cmp(&b.at));
    let lines = unit.facts.calls.iter().map(|call| line_of(*call));
    let nearest = if calls.is_empty() { lines.min_by_key(|other| (other.abs_diff(line), *other)) } else { None };
    (calls, nearest)
}

/// What a call is, as the end of a sentence that begins with its callee.
fn what_it_is(eval: &Eval<'_>, unit: &Unit, at: Loc) -> String {
    let Expr::Call { callee, .. } = unit.facts.expr(at.expr) else { return "is no call".to_owned() };
    if let Some((lib, matched)) = eval.op_at(at, &None) {
        let library = eval.program.catalog.library(lib.library);
        let client = library.client_of(lib.object);
        return match matched.op {
            Op::Send(_) if eval.is_bundled(&matched.roles) => {
                "reads a file that comes with the code: its address is relative to `import.meta.url`; it reaches no service"
                    .to_owned()
            }
            Op::Send(_) => format!("is an outbound call of {client}"),
            Op::Make(_) => format!("makes an object of {client}; nothing leaves the process"),
            Op::Step(_) => format!("configures an object of {client}; nothing leaves the process"),
            Op::Scope(_) => format!("encloses other calls ({client}); it limits or repeats them and sends nothing itself"),
            Op::Value(_) => format!("computes a value ({client})"),
            Op::Handler(_) => format!("registers a handler ({client})"),
        };
    }
    let value = eval.value(Loc { file: at.file, expr: *callee }, &None);
    value.options().iter().map(|option| nature(eval, option)).next().unwrap_or_else(|| "is not known".to_owned())
}

/// What is called, where no rule of the catalog knows the call.
fn nature(eval: &Eval<'_>, value: &Value) -> String {
    let program = eval.program;
    let place = |file: FileId, span: Span| {
        let line = eval.unit(file).map_or(0, |unit| unit.facts.lines.position(span.start).line);
        format!("{}:{line}", program.files.shown(file))
    };
    match value {
        Value::Lib(lib) => {
            let library = program.catalog.library(lib.library);
            let client = library.client_of(lib.object);
            match lib.path.join(".") {
                _ if let Some(elsewhere) = sent_elsewhere(library, lib) => format!("belongs to {client}; {elsewhere}"),
                path if path.is_empty() => format!("belongs to {client}; {} names no outbound call like this", library.path),
                path => format!("belongs to {client}; {} does not name `{path}` as an outbound call", library.path),
            }
        }
        Value::Function(file, function, ..) => {
            let span = eval.unit(*file).map_or(Span::default(), |unit| unit.facts.function(*function).span);
            format!(
                "is a function of the scanned code ({}); what it sends is counted there, or here if it is a wrapper",
                place(*file, span)
            )
        }
        Value::Class(file, class) => {
            let span = eval.unit(*file).map_or(Span::default(), |unit| unit.facts.class(*class).span);
            format!("makes an instance of a class of the scanned code ({})", place(*file, span))
        }
        Value::Opaque(reason) => format!("is not known to be a client: it comes from {reason}"),
        Value::Instance(_) | Value::Super(_) => "belongs to an instance of a class of the scanned code".to_owned(),
        _ => "is a plain value of the scanned code, no client".to_owned(),
    }
}

/// What is said of a call by the name of an outbound call of its library that is none here.
fn sent_elsewhere(library: &Library, lib: &LibValue) -> Option<String> {
    let name = lib.path.last()?;
    let is_it = |send: &&Send| {
        send.shapes.iter().any(|shape| matches!(shape.path.last(), Some(Segment::Names(names)) if names.contains(name)))
    };
    let mut on: Vec<&str> = library.sends.iter().filter(is_it).map(|send| &*library.object(send.on).name).collect();
    on.dedup();
    if on.is_empty() {
        return None;
    }
    if library.sends.iter().filter(is_it).any(|send| can(library, lib.object, send.on)) {
        return Some(format!("`{name}` is an outbound call with other arguments than here"));
    }
    let on = on.join("`, `");
    Some(format!("`{name}` is an outbound call on `{on}`, and what it is called on here could not be followed so far"))
}

/// A callee as people name it: `axios.get`.
fn callee_text(unit: &Unit, at: Loc) -> String {
    let Expr::Call { callee, .. } = unit.facts.expr(at.expr) else { return String::new() };
    let mut names: Vec<&str> = Vec::new();
    let mut expr = *callee;
    loop {
        match unit.facts.expr(expr) {
            Expr::Member { of, name } => {
                names.push(name);
                expr = *of;
            }
            Expr::Name(name, _) => {
                names.push(name);
                break;
            }
            Expr::This => {
                names.push("this");
                break;
            }
            Expr::Super => {
                names.push("super");
                break;
            }
            _ => {
                names.push("…");
                break;
            }
        }
    }
    names.reverse();
    names.join(".")
}

fn region(tree: &Tree<'_>, place: Place) -> Region {
    let Some(unit) = tree.unit(place.file) else { return Region::default() };
    Region::of(tree.shown(place.file), &unit.facts.lines, place.span)
}
