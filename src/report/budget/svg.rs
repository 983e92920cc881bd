//! Chains drawn as SVG, top to bottom.
//!
//! In: answers. Out: one picture: a box per service with how long its own calls can take, an arrow per call with its limit and what fits. A call that does not
//! fit is red and thick, the first of them on a red ground; a call without a timeout is dashed; the bottom hangs.

use std::fmt::Write as _;

use super::Answer;
use super::draw::{limit_of, takes};
use super::grid::width;
use crate::budget::words::{in_ms, short};
use crate::budget::{Call, Verdict};

const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:14px;fill:#1f2328}\
.title{font-size:16px;font-weight:600}.name{font-weight:600}.small{font-size:12.5px;fill:#57606a}.bad{fill:#cf222e}.strong{font-weight:600}\
.box{fill:#f6f8fa;stroke:#8c959f;stroke-width:1.2}.hangs{fill:#ffebe9;stroke:#cf222e}.pill{fill:#fff;stroke:#8c959f;stroke-width:1.2}\
.call{stroke:#57606a;stroke-width:1.6;fill:none}.broken{stroke:#cf222e;stroke-width:4}.dashed{stroke-dasharray:8 6}\
.first{fill:#ffebe9;stroke:#ff8182;stroke-width:1}.useful{fill:#2da44e}.useless{fill:#fff;stroke:#cf222e;stroke-dasharray:3 2}\
.left{stroke:#cf222e;stroke-width:1.5;stroke-dasharray:4 3}";

/// A picture that grows downwards.
pub(super) struct Page {
    wide: u64,
    body: String,
    /// What the names of its parts end in, so that several pictures can stand on one page.
    number: String,
}

impl Page {
    pub fn new(wide: u64) -> Self {
        Self { wide, body: String::new(), number: String::new() }
    }

    pub fn raw(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    pub fn text(&mut self, x: u64, y: u64, class: &str, text: &str) {
        self.raw(&format!(r#"<text class="{class}" x="{x}" y="{y}">{}</text>"#, escape(text)));
    }

    pub fn text_end(&mut self, x: u64, y: u64, class: &str, text: &str) {
        self.raw(&format!(r#"<text class="{class}" x="{x}" y="{y}" text-anchor="end">{}</text>"#, escape(text)));
    }

    pub fn bar(&mut self, x: u64, y: u64, wide: u64, class: &str) {
        if wide > 0 {
            self.raw(&format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{wide}" height="14" rx="2"/>"#));
        }
    }

    fn rect(&mut self, class: &str, [x, y, wide, high]: [u64; 4]) {
        self.raw(&format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="8"/>"#));
    }

    /// The picture as a file of its own.
    pub fn finish(self, high: u64) -> String {
        let (wide, body, defs) = (self.wide, &self.body, self.defs());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" role=\"img\">\n\
             <style>{STYLE}</style>\n{defs}\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }

    /// The picture as a part of a page that has a style for it.
    fn inside(self, high: u64) -> String {
        let (wide, body, defs) = (self.wide, &self.body, self.defs());
        format!("<svg width=\"{wide}\" viewBox=\"0 0 {wide} {high}\" role=\"img\">\n{defs}\n{body}</svg>")
    }

    fn defs(&self) -> String {
        let marker = |id: &str, fill: &str, size: u32| {
            format!(
                r#"<marker id="{id}{}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="{size}" markerHeight="{size}" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 10 5 0 10z" fill="{fill}"/></marker>"#,
                self.number
            )
        };
        format!("<defs>{}{}</defs>", marker("arrow", "#57606a", 10), marker("arrow-bad", "#cf222e", 16))
    }
}

pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

/// More calls than this are not drawn; what is left out is counted.
const MOST_CALLS: usize = 500;
const LEFT: u64 = 32;
const BOX: u64 = 56;
const GAP: u64 = 84;

/// The chains as one picture, one below the other.
pub fn svg(answers: &[Answer]) -> String {
    let (boxes, labels) = sizes(answers);
    let titles = answers.iter().map(|answer| width(&title(&answer.verdict)) as u64 * 9).max().unwrap_or(0);
    let mut page = Page::new((LEFT * 2 + boxes / 2 + labels.max(boxes / 2)).max(titles + LEFT * 2));
    let mut y = 24;
    for answer in answers {
        y += 16;
        page.text(LEFT, y, if answer.verdict.fits() { "title" } else { "title bad" }, &title(&answer.verdict));
        y = draw(&mut page, &answer.verdict, boxes, labels, y + 18) + 36;
    }
    page.finish(y - 12)
}

/// One chain as a part of a page, without a title; the number tells it from the other chains there.
pub fn picture(answer: &Answer, number: usize) -> String {
    let (boxes, labels) = sizes(std::slice::from_ref(answer));
    let wide = LEFT + boxes / 2 + labels.max(boxes / 2);
    let mut page = Page { number: format!("-{number}"), ..Page::new(wide) };
    let end = draw(&mut page, &answer.verdict, boxes, labels, 2);
    page.inside(end + 2)
}

/// How wide the boxes and the labels beside the arrows are.
fn sizes(answers: &[Answer]) -> (u64, u64) {
    let texts = |verdict: &Verdict| {
        let names = verdict
            .calls
            .iter()
            .take(MOST_CALLS)
            .flat_map(|call| [width(&shortened(&call.hop.caller, 40)), width(&takes(call.worst))]);
        let labels = verdict.calls.iter().take(MOST_CALLS).map(|call| width(&limit_of(call)).max(width(&fit_line(call))));
        (names.chain([width(verdict.chain.bottom()).min(40)]).max().unwrap_or(0) as u64, labels.max().unwrap_or(0) as u64)
    };
    let sizes: Vec<(u64, u64)> = answers.iter().map(|answer| texts(&answer.verdict)).collect();
    let boxes = (sizes.iter().map(|size| size.0).max().unwrap_or(0) * 8 + 40).max(220);
    (boxes, sizes.iter().map(|size| size.1).max().unwrap_or(0) * 8 + 40)
}

fn title(verdict: &Verdict) -> String {
    let name = verdict.chain.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let takes = if verdict.worst.high.is_unbounded() {
        "can wait for ever".to_owned()
    } else {
        format!("can take {}", short(verdict.worst.high))
    };
    let word = match (verdict.fits(), verdict.fits_with_kind_dice()) {
        (true, _) => "fits",
        (false, true) => "fits only if the dice are kind",
        (false, false) => "does not fit",
    };
    let waits = if verdict.chain.deadline().is_unbounded() {
        "no deadline".to_owned()
    } else {
        format!("its caller waits {}", short(verdict.chain.deadline()))
    };
    format!("{name}{word}: {takes}, {waits}")
}

fn draw(page: &mut Page, verdict: &Verdict, boxes: u64, labels: u64, mut y: u64) -> u64 {
    let middle = LEFT + boxes / 2;
    let middle_text = |page: &mut Page, y: u64, class: &str, text: &str| {
        page.raw(&format!(r#"<text class="{class}" x="{middle}" y="{y}" text-anchor="middle">{}</text>"#, escape(text)));
    };
    let first = verdict.first_broken();
    for (at, call) in verdict.calls.iter().take(MOST_CALLS).enumerate() {
        page.rect("box", [LEFT, y, boxes, BOX]);
        middle_text(page, y + 24, "name", &shortened(&call.hop.caller, 40));
        middle_text(page, y + 43, "small", &takes(call.worst));
        y += BOX;
        if first == Some(at) {
            page.rect("first", [middle + 14, y + 6, labels - 20, GAP - 12]);
        }
        arrow(page, call, middle, y);
        let mark = if first == Some(at) { "the first that does not fit" } else { "" };
        page.text(middle + 26, y + 27, "name", &limit_of(call));
        page.text(middle + 26, y + 46, if call.broken { "bad strong" } else { "small" }, &fit_line(call));
        page.text(middle + 26, y + 64, "small bad", mark);
        y += GAP;
    }
    if let Some(left @ 1..) = verdict.calls.len().checked_sub(MOST_CALLS) {
        middle_text(page, y + 4, "small", &format!("… {left} more calls"));
        y += 20;
    }
    page.rect("box hangs", [LEFT, y, boxes, BOX]);
    middle_text(page, y + 24, "name", &shortened(verdict.chain.bottom(), 40));
    middle_text(page, y + 43, "bad strong", "hangs");
    y + BOX
}

fn arrow(page: &mut Page, call: &Call, x: u64, y: u64) {
    let mut class = "call".to_owned();
    if call.broken {
        class.push_str(" broken");
    }
    if call.hop.own_limit().is_unbounded() {
        class.push_str(" dashed");
    }
    let marker = if call.broken { "arrow-bad" } else { "arrow" };
    let mut element = String::new();
    let _ = write!(element, r#"<path class="{class}" d="M{x} {y}V{}" marker-end="url(#{marker}{})"/>"#, y + GAP - 2, page.number);
    page.raw(&element);
}

fn fit_line(call: &Call) -> String {
    if !call.broken {
        return "fits".to_owned();
    }
    let set =
        call.max_per_try.map_or_else(|| "no per-try timeout fits".to_owned(), |most| format!("{} or less would", in_ms(most)));
    format!("{} of {} tries fit; {set}", call.fit, call.hang_tries)
}
