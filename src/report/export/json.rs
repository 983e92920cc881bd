//! The graph as JSON; `schemas/export.schema.json` describes it.
//!
//! In: a [`View`]. Out: text. Times are milliseconds, null where there is no limit.

use serde_json::{Value, json};

use super::super::json::{SCHEMA_VERSION, pretty, retries};
use super::View;
use super::words::what;
use crate::finding::Site;
use crate::finding::graph::{Hop, Service, UNKNOWN};
use crate::limit::Millis;

/// The whole graph.
pub(super) fn text(view: View<'_>) -> String {
    let graph = view.graph;
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "untimed", "version": env!("CARGO_PKG_VERSION")},
        "services": graph.services.iter().map(service).collect::<Vec<_>>(),
        "hops": graph.hops.iter().map(|one| hop(one, view.sites)).collect::<Vec<_>>(),
        "chains": graph.chains.iter().map(|chain| graph.stops(chain)).collect::<Vec<_>>(),
        "unresolved": unresolved(view),
        "circles": graph.circles,
        "capped": graph.capped,
        "notes": graph.notes.iter().map(|note| json!({"at": note.at, "text": note.text})).collect::<Vec<_>>(),
    });
    pretty(&document)
}

fn service(service: &Service) -> Value {
    json!({
        "name": service.name,
        "what": service.what.word(),
        "code": service.code,
        "hosts": service.hosts,
        "ports": service.ports,
        "found": service.found.iter().map(|found| json!({"by": found.by, "at": found.at})).collect::<Vec<_>>(),
    })
}

fn hop(hop: &Hop, sites: &[Site]) -> Value {
    let calls = hop.calls.iter().map(|call| {
        let site = &sites[call.site];
        json!({
            "id": site.id,
            "file": site.at.file,
            "line": site.at.line,
            "client": site.client,
            "verdict": site.verdict.word(),
            "limit_ms": ms(site.limit.as_ref().and_then(|limit| limit.wait)),
            "limit_kind": site.limit.as_ref().map(|limit| limit.kind.to_string()),
            "retries": retries(site.retries),
            "backoff_ms": ms(site.backoff),
            "what": what(site),
            "how": call.how,
        })
    });
    json!({
        "caller": hop.caller,
        "callee": hop.callee,
        "per_try_ms": ms(hop.per_try),
        "retries": retries(hop.retries),
        "backoff_ms": ms(hop.backoff),
        "sites": calls.collect::<Vec<_>>(),
    })
}

/// Sites whose callee is not known.
fn unresolved(view: View<'_>) -> Vec<Value> {
    let open = view.graph.hops.iter().filter(|hop| hop.callee == UNKNOWN);
    let each = open.flat_map(|hop| hop.calls.iter().map(move |call| (hop, call)));
    let row = |(hop, call): (&Hop, &crate::finding::graph::Crossing)| {
        let site = &view.sites[call.site];
        json!({"caller": hop.caller, "file": site.at.file, "line": site.at.line, "target": site.target.text, "why": call.how})
    };
    each.map(row).collect()
}

fn ms(time: Option<Millis>) -> Option<f64> {
    time.map(Millis::as_millis_f64)
}
