//! Destinations taken apart: URLs, `host:port`, gRPC targets, sockets.
//!
//! In: a text, with a mark where something is not known. Out: an [`Address`]. It knows no services.

/// What stands where a part of a text is not known.
pub(super) const MARK: char = '\u{e000}';

/// Where a text leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    /// A host, maybe with a port.
    Host {
        /// Lower case, without brackets.
        host: String,
        /// The port: written, or that of the scheme.
        port: Option<u16>,
    },
    /// A socket file.
    Unix(String),
    /// A path without a host.
    Path(String),
    /// The host is not known.
    Unknown,
    /// Nothing at all.
    Nothing,
}

/// Schemes by which gRPC resolves names.
const RESOLVERS: [&str; 6] = ["dns", "ipv4", "ipv6", "passthrough", "static", "xds"];

/// Takes a text apart.
pub(super) fn address(text: &str) -> Address {
    let text = text.trim();
    if text.is_empty() {
        return Address::Nothing;
    }
    if let Some(socket) = socket(text) {
        return Address::Unix(socket);
    }
    if let Some(words) = words(text) {
        return words;
    }
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => match text.split_once(':') {
            Some((scheme, rest)) if RESOLVERS.contains(&scheme) => (scheme.to_owned(), rest),
            _ => (String::new(), text),
        },
    };
    let rest = if RESOLVERS.contains(&scheme.as_str()) { rest.trim_start_matches('/') } else { rest };
    if scheme.is_empty() {
        if let Some(rest) = text.strip_prefix("//") {
            return authority("", rest);
        }
        if text.starts_with(['/', '?', '.']) {
            return Address::Path(text.replace(MARK, "{…}"));
        }
    }
    authority(&scheme, rest)
}

/// The socket file that a text names.
fn socket(text: &str) -> Option<String> {
    let path = ["unix://", "http+unix://", "http://unix:", "https://unix:", "unix:"]
        .iter()
        .find_map(|before| text.strip_prefix(before))?;
    let path = path.split(':').next().unwrap_or(path);
    Some(path.replace("%2F", "/").replace("%2f", "/").replace(MARK, "{…}"))
}

/// `host=db port=5432 user=shop`, as PostgreSQL takes it.
fn words(text: &str) -> Option<Address> {
    let value = |key: &str| text.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    let host = value("host").filter(|_| !text.contains("://"))?;
    if host.contains(MARK) {
        return Some(Address::Unknown);
    }
    if host.starts_with('/') {
        return Some(Address::Unix(host.to_owned()));
    }
    let port = value("port").and_then(|port| port.parse().ok()).or(Some(5432));
    Some(Address::Host { host: host.to_ascii_lowercase(), port })
}

fn authority(scheme: &str, rest: &str) -> Address {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let whole = &rest[..end];
    let hosts = whole.rsplit_once('@').map_or(whole, |(_, hosts)| hosts);
    let first = hosts.split(',').next().unwrap_or(hosts);
    let (host, port) = host_and_port(first);
    if host.contains(MARK) {
        return Address::Unknown;
    }
    if host.is_empty() {
        return if scheme.is_empty() { Address::Nothing } else { Address::Path(rest.replace(MARK, "{…}")) };
    }
    let port = port.or_else(|| usual_port(scheme));
    Address::Host { host: host.trim_end_matches('.').to_ascii_lowercase(), port }
}

/// `[::1]:80`, `host:80`, `host`.
fn host_and_port(text: &str) -> (&str, Option<u16>) {
    if let Some(inner) = text.strip_prefix('[')
        && let Some((host, rest)) = inner.split_once(']')
    {
        return (host, rest.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    if text.matches(':').count() > 1 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.')) {
        return (text, None);
    }
    match text.split_once(':') {
        Some((host, port)) => (host, port.parse().ok()),
        None => (text, None),
    }
}

fn usual_port(scheme: &str) -> Option<u16> {
    Some(match scheme {
        "http" | "ws" => 80,
        "https" | "wss" => 443,
        "postgres" | "postgresql" => 5432,
        "mysql" | "mariadb" => 3306,
        "mongodb" => 27017,
        "redis" | "rediss" => 6379,
        "amqp" => 5672,
        "amqps" => 5671,
        "nats" => 4222,
        _ => return None,
    })
}

/// Whether a host is the machine itself.
pub(super) fn is_this_machine(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "::" | "host.docker.internal" | "0:0:0:0:0:0:0:1")
        || host.strip_prefix("127.").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
        || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let host = |host: &str, port: Option<u16>| Address::Host { host: host.to_owned(), port };
        for (text, address_is) in [
            ("http://Pricing:8080/x?y", host("pricing", Some(8080))),
            ("https://api.example.com/v1", host("api.example.com", Some(443))),
            ("http://[::1]:3000/x", host("::1", Some(3000))),
            ("[2001:db8::1]:80", host("2001:db8::1", Some(80))),
            ("fe80::1", host("fe80::1", None)),
            ("cart:7070", host("cart", Some(7070))),
            ("cart", host("cart", None)),
            ("dns:///cart:7070", host("cart", Some(7070))),
            ("dns:cart:7070", host("cart", Some(7070))),
            ("mongodb://u:p@a:1,b:2/db", host("a", Some(1))),
            ("postgres://u:\u{e000}@db/x", host("db", Some(5432))),
            ("\u{e000}://db/x", host("db", None)),
            ("http://db:\u{e000}/x", host("db", Some(80))),
            ("http://\u{e000}.example/x", Address::Unknown),
            ("host=Db user=x port=5433", host("db", Some(5433))),
            ("user=x host=/run/pg", Address::Unix("/run/pg".to_owned())),
            ("\u{e000}/x", Address::Unknown),
            ("/x/\u{e000}", Address::Path("/x/{…}".to_owned())),
            ("http://unix:/var/run/docker.sock:/v1", Address::Unix("/var/run/docker.sock".to_owned())),
            ("unix:///run/x.sock", Address::Unix("/run/x.sock".to_owned())),
            ("file:///x", Address::Path("/x".to_owned())),
            ("", Address::Nothing),
        ] {
            assert_eq!(address(text), address_is, "{text}");
        }
        assert!(is_this_machine("127.0.0.1") && is_this_machine("::1") && !is_this_machine("127.example"));
    }
}
