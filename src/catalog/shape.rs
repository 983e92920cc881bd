//! Shapes: the small notation in which rules say how something is called.
//!
//! In: text such as `new {Pool,Client}(options)`. Out: [`Shape`], and whether a path fits it. It knows nothing of values: which
//! argument is what is decided by the judge, from the [`Role`]s.

use std::fmt;

/// A part of a dotted path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// One of these names.
    Names(Vec<Box<str>>),
    /// Any one name that begins and ends like this (`*Client`, `*`).
    Like(Box<str>, Box<str>),
    /// Any number of names.
    Any,
}

/// What an argument is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Destination.
    Target,
    /// Options object.
    Options,
    /// The limit itself.
    Limit,
    /// Something that aborts.
    Signal,
    /// An absolute time.
    Deadline,
    /// The enclosed work.
    Work,
    /// A function called later.
    Handler,
    /// The value passed on.
    Value,
    /// A number of extra tries.
    Retries,
    /// A number of tries.
    Tries,
    /// A wait between tries.
    Delay,
    /// An object whose configuration is taken over.
    Config,
    /// A function that changes the options of every call.
    Hook,
    /// The object that a step changes.
    Subject,
    /// Not looked at.
    Any,
    /// An object of the library.
    Object(Box<str>),
    /// Exactly this text.
    Text(Box<str>),
}

/// One argument of a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgShape {
    /// What it may be for, in order of preference.
    pub roles: Vec<Role>,
    /// Whether it is the last argument from here on that is no function.
    pub last: bool,
    /// Whether it may be missing. Every argument may, unless it is a text or an object.
    pub optional: bool,
}

/// How something is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Whether it is constructed with `new`.
    pub new: bool,
    /// The way from the object to what is called; empty: the object itself.
    pub path: Vec<Segment>,
    /// The arguments.
    pub args: Vec<ArgShape>,
}

impl Shape {
    /// Reads a shape.
    ///
    /// # Errors
    ///
    /// A sentence that says what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (new, rest) = text.strip_prefix("new ").map_or((false, text), |rest| (true, rest.trim_start()));
        let open = rest.find('(').ok_or_else(|| format!("`{text}` has no argument list: expected `name(role, role)`"))?;
        let inner = rest[open + 1..].strip_suffix(')').ok_or_else(|| format!("`{text}` does not end with `)`"))?;
        let path = parse_path(&rest[..open])?;
        let args =
            split_outside(inner, ',').into_iter().filter(|arg| !arg.is_empty()).map(parse_arg).collect::<Result<_, _>>()?;
        Ok(Self { new, path, args })
    }

    /// Whether a path of names fits.
    pub fn fits(&self, path: &[Box<str>]) -> bool {
        path_fits(&self.path, path)
    }
}

/// Reads a dotted path with wildcards.
///
/// # Errors
///
/// A sentence that says what was expected.
pub fn parse_path(text: &str) -> Result<Vec<Segment>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    split_outside(text, '.').into_iter().map(parse_segment).collect()
}

/// Whether a name is one of these: itself, or what begins and ends like this (`match*From*`: any middle part).
pub fn name_fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

fn parse_segment(text: &str) -> Result<Segment, String> {
    if text == "**" {
        return Ok(Segment::Any);
    }
    if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        if let Some(bad) = inner.split(',').map(str::trim).find(|name| !is_name(name)) {
            return Err(format!("`{bad}` is no name: expected one name between the commas of `{text}`"));
        }
        return Ok(Segment::Names(inner.split(',').map(|name| name.trim().into()).collect()));
    }
    if let Some((before, after)) = text.split_once('*') {
        return Ok(Segment::Like(before.into(), after.into()));
    }
    if is_name(text) { Ok(Segment::Names(vec![text.into()])) } else { Err(format!("`{text}` is no name")) }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '@' | '-' | '!'))
}

fn parse_arg(text: &str) -> Result<ArgShape, String> {
    let (last, text) = text.strip_prefix("..").map_or((false, text), |rest| (true, rest));
    let (optional, text) = text.strip_suffix('?').map_or((false, text), |rest| (true, rest));
    let roles: Vec<Role> = text.split('|').map(|role| parse_role(role.trim())).collect::<Result<_, _>>()?;
    let must = roles.iter().all(|role| matches!(role, Role::Text(_) | Role::Object(_)));
    Ok(ArgShape { roles, last, optional: optional || !must })
}

fn parse_role(text: &str) -> Result<Role, String> {
    if let Some(text) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return Ok(Role::Text(text.into()));
    }
    Ok(match text {
        "target" => Role::Target,
        "options" => Role::Options,
        "limit" => Role::Limit,
        "signal" => Role::Signal,
        "deadline" => Role::Deadline,
        "work" => Role::Work,
        "handler" => Role::Handler,
        "value" => Role::Value,
        "retries" => Role::Retries,
        "tries" => Role::Tries,
        "delay" => Role::Delay,
        "config" => Role::Config,
        "hook" => Role::Hook,
        "subject" => Role::Subject,
        "_" => Role::Any,
        "" => return Err("an empty argument: expected a role such as `target` or `_`".to_owned()),
        name if name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '-') => Role::Object(name.into()),
        other => return Err(format!("`{other}` is no role: expected `target`, `options`, `limit`, … or the name of an object")),
    })
}

fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            c if c == separator && depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

/// Whether a path of names fits a pattern.
pub fn path_fits(pattern: &[Segment], path: &[Box<str>]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((Segment::Any, rest)), _) => (0..=path.len()).any(|skip| path_fits(rest, &path[skip..])),
        (Some((segment, rest)), Some((name, names))) => segment.fits(name) && path_fits(rest, names),
        _ => false,
    }
}

/// Whether a path could go on to fit a pattern.
pub fn path_begins(pattern: &[Segment], path: &[Box<str>]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (_, None) => true,
        (Some((Segment::Any, _)), _) => true,
        (Some((segment, rest)), Some((name, names))) => segment.fits(name) && path_begins(rest, names),
        (None, Some(_)) => false,
    }
}

impl Segment {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Names(names) => names.iter().any(|known| **known == *name),
            Self::Like(before, after) => {
                name.len() >= before.len() + after.len() && name.starts_with(&**before) && name.ends_with(&**after)
            }
            Self::Any => true,
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Names(names) if names.len() == 1 => f.write_str(&names[0]),
            Self::Names(names) => write!(f, "{{{}}}", names.join(",")),
            Self::Like(before, after) => write!(f, "{before}*{after}"),
            Self::Any => f.write_str("**"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(shape: &str, path: &[&str]) -> bool {
        let path: Vec<Box<str>> = path.iter().map(|name| (*name).into()).collect();
        Shape::parse(shape).unwrap().fits(&path)
    }

    #[test]
    fn paths_with_wildcards() {
        assert!(fits("{get,head}(target, options)", &["head"]));
        assert!(!fits("{get,head}(target)", &["post"]));
        assert!(fits("**.create(body?, options)".replace("body?", "_").as_str(), &["chat", "completions", "create"]));
        assert!(fits("(target)", &[]));
        assert!(fits("*Client.connect(target)", &["LedgerClient", "connect"]));
        assert!(!fits("*Client.connect(target)", &["Ledger", "connect"]));
    }

    #[test]
    fn names_with_wildcards() {
        assert!(name_fits("close", "close") && !name_fits("close", "closed"));
        assert!(name_fits("*Path", "queuePath") && !name_fits("*Path", "pathOf"));
        assert!(name_fits("match*From*", "matchQueueFromQueueName") && !name_fits("match*From*", "matchQueue"));
    }

    #[test]
    fn bad_shapes_say_what_was_expected() {
        for bad in ["get", "get(target", "get(Target)", "get(,x y)", "a..b()", "{a.b,c}()"] {
            assert!(Shape::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn roles() {
        let shape = Shape::parse("new *(target|options, 'timeout', ..options, credentials)").unwrap();
        assert!(shape.new);
        assert_eq!(shape.args[0].roles, [Role::Target, Role::Options]);
        assert_eq!(shape.args[1].roles, [Role::Text("timeout".into())]);
        assert!(shape.args[2].last);
        assert_eq!(shape.args[3].roles, [Role::Object("credentials".into())]);
        assert!(!shape.args[3].optional);
        assert_eq!(Shape::parse("(subject, options)").unwrap().args[0].roles, [Role::Subject]);
    }
}
