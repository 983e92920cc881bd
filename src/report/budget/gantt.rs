//! A simulated request as a Gantt chart, in text and as SVG.
//!
//! In: a chain and a run. Out: one row per try, in the order of their beginnings, each under the try that it serves. A try is hollow from the moment when
//! nobody waits for it any more.

use std::fmt::Write as _;

use super::grid::{BAD, DIM, PLAIN, padded, paint, width};
use super::svg::{Page, escape};
use crate::budget::simulate::{Ending, Run, Try};
use crate::budget::words::short;
use crate::budget::{Bound, Chain};

/// Columns of the chart.
const COLUMNS: u64 = 60;
/// Rows of the chart; what is left out is counted.
const MOST_TRIES: usize = 100;

/// What the chart shows: its rows in tree order, the moment at its right end, and when the top's caller left.
struct Chart<'a> {
    rows: Vec<&'a Try>,
    end: u64,
    left: u64,
}

impl<'a> Chart<'a> {
    fn of(run: &'a Run) -> Self {
        let last = |bound: Bound| bound.finite().map(|time| time.as_micros());
        let moments = run.tries.iter().flat_map(|one| [last(one.start), last(one.end)]).chain([last(run.at)]);
        let known = moments.flatten().max().unwrap_or(0);
        // What never ends goes on a little beyond everything else.
        let open = run.tries.iter().any(|one| one.ending == Ending::Open);
        let end = if open || known == 0 { (known + known / 8).max(1) } else { known };
        Self { rows: in_tree_order(&run.tries), end, left: last(run.at).unwrap_or(u64::MAX) }
    }

    fn at(&self, moment: Bound, across: u64) -> u64 {
        moment
            .finite()
            .map_or(across, |time| (u128::from(time.as_micros()) * u128::from(across) / u128::from(self.end)) as u64)
            .min(across)
    }

    /// When nobody waits for this try any more.
    fn orphaned(&self, one: &Try, tries: &[Try]) -> Bound {
        let mut moment = Bound::micros(self.left);
        let mut above = one.above;
        while let Some(id) = above {
            moment = moment.min(tries[id].end);
            above = tries[id].above;
        }
        moment
    }
}

/// Each try followed by those that serve it.
fn in_tree_order(tries: &[Try]) -> Vec<&Try> {
    let mut beneath: Vec<Vec<usize>> = vec![Vec::new(); tries.len()];
    let mut todo: Vec<usize> = Vec::new();
    for (id, one) in tries.iter().enumerate().rev() {
        match one.above {
            Some(above) => beneath[above].push(id),
            None => todo.push(id),
        }
    }
    let mut rows = Vec::new();
    while let Some(id) = todo.pop() {
        if rows.len() == MOST_TRIES {
            break;
        }
        rows.push(&tries[id]);
        todo.extend(&beneath[id]);
    }
    rows
}

fn label(chain: &Chain, one: &Try) -> String {
    let indent = "  ".repeat(one.hop.min(12));
    format!("{indent}{} #{}", chain.hops[one.hop].label(), one.number)
}

/// The chart in text.
pub fn gantt(chain: &Chain, run: &Run) -> String {
    let chart = Chart::of(run);
    let labels: Vec<String> = chart.rows.iter().map(|one| label(chain, one)).collect();
    let column = labels.iter().map(|label| width(label)).chain([12]).max().unwrap_or(0);
    let mut out = String::new();
    let end = short(Bound::micros(chart.end));
    let ruler = format!("0{}{end}", " ".repeat((COLUMNS as usize).saturating_sub(1 + width(&end))));
    let _ = writeln!(out, "  {}  {}", padded("", column), paint(&ruler, DIM));
    let waits = chart.at(run.at, COLUMNS) as usize;
    let _ =
        writeln!(out, "  {}  {}", padded("(its caller)", column), format_args!("{}{}", "─".repeat(waits.saturating_sub(1)), "┤"));
    for (one, label) in chart.rows.iter().zip(&labels) {
        let _ = writeln!(out, "  {}  {}", padded(label, column), bar(&chart, one, run));
    }
    if run.tries.len() > chart.rows.len() {
        let _ = writeln!(
            out,
            "  {}",
            paint(&format!("… {} more tries; `--format json` has all", run.tries.len() - chart.rows.len()), DIM)
        );
    }
    let _ = writeln!(out, "  {}", paint("█ somebody waits   ░ for nobody", DIM));
    out
}

fn bar(chart: &Chart, one: &Try, run: &Run) -> String {
    let (start, end) = (chart.at(one.start, COLUMNS), chart.at(one.end, COLUMNS));
    let start = start.min(COLUMNS - 1);
    let end = end.max(start + 1);
    let useful = chart.at(chart.orphaned(one, &run.tries).max(one.start), COLUMNS).clamp(start, end);
    let text = |count: u64, c: &str| c.repeat(usize::try_from(count).unwrap_or(0));
    let style = if one.for_nobody { BAD } else { PLAIN };
    let bar = format!("{}{}", text(useful - start, "█"), text(end - useful, "░"));
    let how = match one.ending {
        Ending::Open => "never ends".to_owned(),
        ending => format!("{} at {}", ending.name(), short(one.end)),
    };
    format!("{}{}{}  {}", text(start, " "), paint(&bar, style), text(COLUMNS - end, " "), paint(&how, DIM))
}

/// The chart as SVG.
pub fn gantt_svg(chain: &Chain, run: &Run) -> String {
    const WIDE: u64 = 640;
    let chart = Chart::of(run);
    let labels: Vec<String> = chart.rows.iter().map(|one| chain.hops[one.hop].label()).collect();
    let indent = |one: &Try| 12 * one.hop.min(12) as u64;
    let left = 24
        + chart
            .rows
            .iter()
            .zip(&labels)
            .map(|(one, label)| indent(one) + 8 * (width(label) as u64 + 4))
            .max()
            .unwrap_or(100)
            .clamp(120, 460);
    let mut page = Page::new(left + WIDE + 170);
    page.text(24, 34, "title", &super::more::outcome(chain, run));
    let mut y = 60;
    page.text(left, y, "small", "0");
    page.text_end(left + WIDE, y, "small", &short(Bound::micros(chart.end)));
    y += 10;
    let top = y;
    for (one, label) in chart.rows.iter().zip(&labels) {
        page.text(24 + indent(one), y + 15, "small", &format!("{label} #{}", one.number));
        let (start, end) = (chart.at(one.start, WIDE), chart.at(one.end, WIDE));
        let useful = chart.at(chart.orphaned(one, &run.tries).max(one.start), WIDE).clamp(start, end.max(start));
        page.bar(left + start, y + 4, useful - start, "useful");
        page.bar(left + useful, y + 4, end.saturating_sub(useful), "useless");
        let how = if one.ending == Ending::Open {
            "never ends".to_owned()
        } else {
            format!("{} at {}", one.ending.name(), short(one.end))
        };
        page.text(left + WIDE + 12, y + 15, "small", &how);
        y += 22;
    }
    if let Bound::Finite(_) = run.at {
        let x = left + chart.at(run.at, WIDE);
        page.raw(&format!(r#"<line class="left" x1="{x}" y1="{top}" x2="{x}" y2="{y}"/>"#));
        page.raw(&format!(
            r#"<text class="small bad" x="{x}" y="{}" text-anchor="middle">{}</text>"#,
            y + 16,
            escape(&format!("its caller is gone, {}", short(run.at)))
        ));
        y += 20;
    }
    if run.tries.len() > chart.rows.len() {
        y += 18;
        page.text(24, y, "small", &format!("… {} more tries", run.tries.len() - chart.rows.len()));
    }
    page.finish(y + 24)
}
