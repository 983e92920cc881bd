//! `untimed` finds every outbound call in a repository that can wait for ever, and every retry that nobody is waiting for.
//!
//! # How it works
//!
//! Every file is read alone into **facts**; the facts of all files are **linked**; a **judge** matches linked calls against a **catalog** of
//! client libraries and gives every call site one **verdict** with the lines that prove it; **reports** print it. A small **budget** calculus
//! says whether timeouts and retries along a chain of calls fit inside what the caller at the top waits.
//!
//! ```text
//! text ──lang──▶ FileFacts ──link──▶ Program ──judge──▶ Sites, Findings ──gate──▶ Outcome ──report──▶ bytes, exit code
//!      (owned, no syntax tree)     (asked lazily)
//! Sites + configuration ──chain──▶ Graph, Chains ──report──▶ bytes      chain file or Chains ──budget──▶ Verdict ──report──▶ bytes, exit code
//! ```
//!
//! 1. [`walk`] lists the files of known languages, without tests, examples, generated and vendored code, and counts what it leaves out.
//! 2. Each file is read once. Only files that hold a trigger word of the catalog are parsed at first; files that import what those hold
//!    follow, and so does what an import leads to.
//! 3. [`lang`] lowers a file's syntax into [`facts::FileFacts`]: imports, exports, definitions, calls, values. From here on no language
//!    is known by name.
//! 4. [`link`] answers what a name means, what a value is and who calls whom, across files, each question when it is asked. What it cannot follow
//!    it says as a reason, never as a guess.
//! 5. [`judge`] finds the calls that leave the process, follows wrappers to their callers, weighs every limit that holds for a call, and gives
//!    the verdict.
//! 6. [`gate`] weighs the findings by what the user says about them: [`config`] reads that from `untimed.toml`.
//! 7. [`report`] writes it down.
//!
//! For `untimed export`, [`conf`] reads which services there are into [`facts::deployment`], and [`chain`] joins the sites into hops between
//! services and hops into chains, which [`budget`] checks.
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | call site | an expression that makes an outbound call: it leaves the process for another service, database, broker or peer |
//! | limit | what ends the wait of a call: how long, of which kind, and where it is written |
//! | kind of a limit | [`limit::LimitKind`]: what it ends: the whole attempt, a gap without bytes, connecting alone, … |
//! | client | a library that makes calls; an *instance* is a configured value of it |
//! | wrapper | a function of the scanned code that forwards its caller's destination into an outbound call |
//! | verdict | [`finding::Verdict`]: covered, partial, uncovered or unknown, always with evidence |
//! | evidence | the file and line of a fact that led to a verdict |
//! | stranger | [`finding::Stranger`]: a package that reaches other services and that nothing is known of |
//! | finding | [`finding::Finding`]: something to change, under a [`finding::Rule`] |
//! | remedy | one place where a change covers several call sites |
//! | service | a part of the system that is deployed on its own: declared, found in configuration, or a package that can be run |
//! | hop | one line of a chain: caller, callee, per-try timeout, retries; all calls from one service to another |
//! | graph | [`finding::graph::Graph`]: services, hops, and the chains of hops from a service that nobody calls to a leaf |
//!
//! # Map
//!
//! Modules import downward only, from floors above to floors below.
//!
//! | floor | modules |
//! |---|---|
//! | 0 | [`span`] places in files; [`limit`] lengths of time and kinds of limits; [`near`] misspelled names |
//! | 1 | [`facts`] what one file says; [`finding`] what the program says; [`budget`] arithmetic on chains; [`settings`] what is asked for |
//! | 2 | [`lang`] one folder for each language; [`conf`] one folder for each kind of configuration; [`catalog`] the client libraries, read from `queries/`; [`config`] reads `untimed.toml`; [`walk`]; [`history`] trees of a git repository; [`gate`] what counts; [`report`] |
//! | 3 | [`link`] |
//! | 4 | [`judge`]; [`chain`] from sites to chains |
//! | 5 | [`scan`] the conductor: the only threads, and the only place that opens sources to read them for meaning |
//! | 6 | [`cli`] the command line |
//!
//! A client library is data: one file `queries/<language>/<library>.toml` that says how it is imported, which calls go out, where a limit
//! goes, in which unit and of which kind, and where each claim was read or measured. Adding one touches no Rust.
pub mod budget;
pub mod catalog;
pub mod chain;
pub mod cli;
pub mod conf;
pub mod config;
pub mod facts;
pub mod finding;
pub mod gate;
pub mod history;
pub mod judge;
pub mod lang;
pub mod limit;
pub mod link;
pub mod near;
pub mod report;
pub mod scan;
pub mod settings;
pub mod span;
pub mod walk;
