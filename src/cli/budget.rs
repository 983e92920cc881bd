//! `untimed budget`: the arguments, and what is done with them.
//!
//! In: parsed arguments, standard input, a place to write. Out: the report there, and the exit code: 0 fits, 1 does not. It computes and draws nothing itself.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};

use super::progress::Watch;
use super::select::{Select, slashed};
use crate::budget::{self, Bound, Chain, Curve, Defaults, ParseError};
use crate::limit::Millis;
use crate::report::budget::{self as report, Answer, Simulate, Wanted};
use crate::report::html;
use crate::scan;
use crate::settings::Settings;

const AFTER: &str = "\
A chain file has one call per line, top first: caller -> callee  per-try  retries
  frontend -> checkout    none   2
  checkout -> pricing     1s     2    total=3s
  pricing -> inventory    500ms  2    backoff=exp:25ms..250ms jitter=full
Times: a number with ms, s, m or no unit (ms), `none` for no limit. After the retries may follow total=, backoff=, jitter=,
reserve=, min_useful=, on_timeout=yes|no|unknown, propagate=deadline. `chain NAME [deadline=2s] [backoff=25ms]` begins
another chain. What is written nearest to a call wins: its own line, then the `chain` line, then the options here.

Examples:
  untimed budget chain.txt --deadline 2s --backoff 25ms
  untimed budget - --deadline 2s --solve < chain.txt
  untimed budget chain.txt --deadline 2s --format svg --output chain.svg
  untimed budget chain.txt --bottom 500ms --trace
  untimed budget --scan . --deadline 2s
  untimed budget --layers layers.csv
  untimed budget --required --leaf 2s --backoff 1s

Exit code: 0 it fits, 1 it does not, 2 the check could not run.";

/// Arguments of `untimed budget`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct BudgetArgs {
    /// The chain file, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["scan", "layers", "required"], conflicts_with_all = ["layers", "required"])]
    pub file: Option<PathBuf>,

    /// Find the chains in the code below this path instead, as `untimed export` does; may be given several times
    #[arg(long, value_name = "PATH", conflicts_with_all = ["file", "layers", "required"])]
    pub scan: Vec<PathBuf>,

    /// Begin chains with this service instead of those that nobody calls, for --scan
    #[arg(long, value_name = "NAME", requires = "scan")]
    pub from: Vec<String>,

    /// How long the caller of the top waits, for chains that do not say it themselves
    #[arg(long, value_name = "TIME", value_parser = budget::limit_option)]
    pub deadline: Option<Bound>,

    /// The wait before each retry, where a call or its chain says none: 25ms, exp:25ms..250ms, envoy:25ms..250ms
    #[arg(long, value_name = "WAIT", value_parser = budget::backoff_option)]
    pub backoff: Option<Curve>,

    /// What each caller keeps of its own time for after its calls: 100ms, 350ms+250ms
    #[arg(long, value_name = "TIME", value_parser = budget::sum_option)]
    pub reserve: Option<Millis>,

    /// Check a table of layers (CSV or Markdown) instead: layer, timeout in seconds, attempts, backoff in seconds; outermost first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["required", "deadline", "backoff", "reserve"])]
    pub layers: Option<PathBuf>,

    /// Print the outermost timeout required for 1 to 4 attempts per layer and 1 to 5 layers instead
    #[arg(long, requires = "leaf", conflicts_with_all = ["deadline", "reserve"])]
    pub required: bool,

    /// How long the innermost call takes, for --required
    #[arg(long, value_name = "TIME", requires = "required", value_parser = budget::sum_option)]
    pub leaf: Option<Millis>,

    /// Find timeouts and retries that fit, with the fewest changes, and other ways out
    #[arg(long, conflicts_with_all = ["layers", "required"])]
    pub solve: bool,

    /// Show how much each timeout may grow before somebody loses a try
    #[arg(long, conflicts_with_all = ["layers", "required"])]
    pub sensitivity: bool,

    /// Simulate a request to a bottom that answers after this time (`none`: hangs)
    #[arg(long, value_name = "TIME", value_parser = budget::limit_option, conflicts_with_all = ["layers", "required"])]
    pub bottom: Option<Bound>,

    /// How many requests to simulate
    #[arg(long, value_name = "COUNT", default_value_t = 1, conflicts_with_all = ["layers", "required"])]
    pub requests: u64,

    /// Show every try of the simulated request as a Gantt chart (text, svg) or a list (json)
    #[arg(long, conflicts_with_all = ["layers", "required"])]
    pub trace: bool,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// What --scan looks at.
    #[command(flatten)]
    select: Select,
}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// A picture
    Svg,
    /// A flow chart for Markdown pages
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// A page
    Html,
}

/// Does what the arguments say and writes the report to `out`.
///
/// # Errors
/// Whatever keeps the check from running, as one sentence that names the file, the line or the option.
pub fn run(args: &BudgetArgs, stdin: &mut dyn Read, out: &mut dyn Write) -> Result<u8> {
    let settings = (!args.scan.is_empty()).then(|| args.select.settings(&args.scan)).transpose()?;
    if let Some(settings) = &settings
        && args.select.configure.shown(settings, out)?
    {
        return Ok(0);
    }
    let (text, fits) = if args.required {
        (required(args)?, true)
    } else if let Some(settings) = &settings {
        answer(args, scanned(args, settings)?)?
    } else if let Some(path) = &args.layers {
        layers(args, path, stdin)?
    } else {
        let path = args.file.as_deref().ok_or_else(|| anyhow!("expected a chain file, or `-` for standard input"))?;
        let chains = budget::parse(&read(path, stdin)?).map_err(|error| located(path, &error))?;
        answer(args, chains)?
    };
    super::output::deliver_to(&text, args.output.as_deref(), out)?;
    Ok(u8::from(!fits))
}

/// Checks chains, wherever they come from: a file, or a scan that knows the source place of each setting
/// ([`budget::Hop::per_try_at`]). Returns the report and whether everything fits.
///
/// # Errors
/// Options that do not go together.
pub fn answer(args: &BudgetArgs, chains: Vec<Chain>) -> Result<(String, bool)> {
    let defaults = Defaults { deadline: args.deadline, backoff: args.backoff, jitter: None, reserve: args.reserve };
    let simulated = args.bottom.is_some() || args.trace || args.requests > 1;
    let simulate = simulated.then(|| Simulate {
        bottom: args.bottom.unwrap_or(Bound::Unbounded),
        requests: args.requests,
        trace: args.trace,
    });
    let wanted = Wanted { solve: args.solve, sensitivity: args.sensitivity, simulate };
    let answers = chains
        .into_iter()
        .map(|chain| Answer::to(chain, &defaults, &wanted))
        .collect::<Result<Vec<_>, String>>()
        .map_err(|why| anyhow!(why))?;
    let text = match args.format {
        Format::Text if !args.scan.is_empty() && !args.solve && !args.sensitivity => report::scanned(&answers),
        Format::Text => report::text(&answers),
        Format::Json => report::json(&answers),
        Format::Svg if args.trace => chart(&answers)?,
        Format::Svg => report::svg(&answers),
        Format::Mermaid => report::mermaid(&answers),
        Format::Dot => report::dot(&answers),
        Format::Html => html::budget(&answers),
    };
    Ok((text, answers.iter().all(Answer::fits)))
}

/// The chains in the code below the named paths.
fn scanned(args: &BudgetArgs, settings: &Settings) -> Result<Vec<Chain>> {
    let catalog = scan::catalog(settings)?;
    let watch = Watch::new(false);
    let exported = scan::export(settings, &catalog, &watch, &args.from, scan::MOST_CHAINS);
    watch.end();
    let chains = exported?.chains;
    if chains.is_empty() {
        let paths: Vec<String> = args.scan.iter().map(|path| path.display().to_string()).collect();
        bail!("--scan {}: no service calls another one: expected code with outbound calls", paths.join(" "));
    }
    Ok(chains)
}

fn chart(answers: &[Answer]) -> Result<String> {
    match answers {
        [Answer { verdict, simulated: Some((_, run)), .. }] => Ok(report::gantt_svg(&verdict.chain, run)),
        _ => bail!("--trace --format svg: the file has {} chains; expected one", answers.len()),
    }
}

fn layers(args: &BudgetArgs, path: &Path, stdin: &mut dyn Read) -> Result<(String, bool)> {
    let layers = budget::parse_layers(&read(path, stdin)?).map_err(|error| located(path, &error))?;
    let verdict = budget::check_layers(&layers);
    let text = match args.format {
        Format::Text => report::layers_text(&verdict),
        Format::Json => report::layers_json(&verdict),
        other => bail!("--format {}: expected text or json with --layers", name(other)),
    };
    Ok((text, verdict.fits()))
}

fn required(args: &BudgetArgs) -> Result<String> {
    let leaf = args.leaf.ok_or_else(|| anyhow!("--required: expected --leaf TIME beside it"))?;
    let backoff = match args.backoff {
        None => Millis::ZERO,
        Some(Curve::Fixed(wait)) => wait,
        Some(other) => bail!("--backoff {other}: expected one fixed time with --required"),
    };
    match args.format {
        Format::Text => Ok(report::required_text(leaf, backoff)),
        Format::Json => Ok(report::required_json(leaf, backoff)),
        other => bail!("--format {}: expected text or json with --required", name(other)),
    }
}

fn name(format: Format) -> String {
    format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

fn located(path: &Path, error: &ParseError) -> anyhow::Error {
    anyhow!("{}:{}: {}; expected {}", shown(path), error.line, error.found, error.expected)
}

fn read(path: &Path, stdin: &mut dyn Read) -> Result<String> {
    let path = &slashed(path);
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        stdin.read_to_end(&mut bytes).context("standard input: cannot be read")?;
    } else {
        bytes = std::fs::read(path).map_err(|error| anyhow!("{}: cannot be read: {error}; expected a text file", shown(path)))?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        anyhow!("{}:{line}: the bytes are no UTF-8; expected text", shown(path))
    })
}
