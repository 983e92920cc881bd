//! From a library file as written to rules that can be asked.
//!
//! In: [`schema::LibraryFile`]. Out: [`Library`], with shapes and version ranges read and every object name resolved. It refuses
//! what cannot mean anything and says the line; it does not look at other libraries.

use super::CatalogError;
use super::context::Context;
use super::library::{AS_GIVEN, Library};
use super::rules::RulesOf;
use super::schema::{InsideTable, Level, LibraryFile, Sent};
use super::shape::{Role, Shape, parse_path};
use super::tables::*;
use crate::finding::SiteKind;
use crate::span::LineIndex;

/// Reads one library file.
pub(super) fn compile(family: &'static str, path: &str, text: &str) -> Result<Library, CatalogError> {
    let file: LibraryFile = toml::from_str(text).map_err(|error| CatalogError {
        file: path.to_owned(),
        place: error.span().map(|span| place_of(text, span.start)),
        message: with_nearest(error.message()),
    })?;
    compile_file(family, path, text, file)
}

/// The line and column of a byte.
fn place_of(text: &str, offset: usize) -> (u32, u32) {
    let at = LineIndex::new(text).position(offset as u32);
    (at.line, at.column)
}

/// What is said about a field or word that is not known, with the known one that was probably meant.
fn with_nearest(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    let nearest = names.next().and_then(|name| crate::near::nearest(name, names));
    match nearest.filter(|_| message.starts_with("unknown ")) {
        Some(near) => message.replacen(", expected ", &format!("; the nearest is `{near}`, expected "), 1),
        None => message.to_owned(),
    }
}

/// Checks one library. `text` serves to find the line of what is refused.
pub(super) fn compile_file(family: &'static str, path: &str, text: &str, file: LibraryFile) -> Result<Library, CatalogError> {
    let compiler = Compiler { path, text, names: object_names(&file) };
    compiler.library(family, file)
}

fn object_names(file: &LibraryFile) -> Vec<String> {
    std::iter::once("module".to_owned()).chain(file.object.iter().map(|object| object.name.clone())).collect()
}

struct Compiler<'a> {
    path: &'a str,
    text: &'a str,
    names: Vec<String>,
}

impl Compiler<'_> {
    /// An error at the first line that holds `needle` between quotes.
    fn error(&self, needle: &str, message: String) -> CatalogError {
        let quoted = [format!("\"{needle}\""), format!("'{needle}'")];
        let place = quoted.iter().find_map(|quoted| self.text.find(quoted.as_str())).map(|at| place_of(self.text, at));
        CatalogError { file: self.path.to_owned(), place, message }
    }

    fn object(&self, name: &str) -> Result<ObjectId, CatalogError> {
        let at = self.names.iter().position(|known| known == name);
        at.map(|at| ObjectId(at as u32)).ok_or_else(|| {
            self.error(name, format!("`{name}` is no object of this file: expected one of {}", self.names.join(", ")))
        })
    }

    fn objects(&self, names: &[String]) -> Result<Vec<ObjectId>, CatalogError> {
        names.iter().map(|name| self.object(name)).collect()
    }

    fn gives(&self, name: &str) -> Result<Box<str>, CatalogError> {
        if !name.contains(':') && name != AS_GIVEN {
            self.object(name)?;
        }
        Ok(name.into())
    }

    fn shapes(&self, texts: &[String]) -> Result<Vec<Shape>, CatalogError> {
        let shapes =
            texts.iter().map(|text| Shape::parse(text).map_err(|why| self.error(text, why))).collect::<Result<Vec<_>, _>>()?;
        for (shape, text) in shapes.iter().zip(texts) {
            for role in shape.args.iter().flat_map(|arg| &arg.roles) {
                if let Role::Object(name) = role {
                    self.object(name).map_err(|error| self.error(text, error.message))?;
                }
            }
        }
        Ok(shapes)
    }

    fn versions(&self, text: Option<&str>) -> Result<Versions, CatalogError> {
        Versions::parse(text).map_err(|why| self.error(text.unwrap_or_default(), why))
    }

    fn keyed<T: Clone>(
        &self,
        keys: &[String],
        on: &[String],
        versions: Option<&str>,
        table: &T,
    ) -> Result<Keyed<T>, CatalogError> {
        Ok(Keyed {
            keys: keys.iter().map(|key| dotted(key)).collect(),
            on: self.objects(on)?,
            versions: self.versions(versions)?,
            table: table.clone(),
        })
    }

    fn library(&self, family: &'static str, file: LibraryFile) -> Result<Library, CatalogError> {
        let stem = self.path.rsplit(['/', '\\']).next().unwrap_or_default();
        let kind = match (file.kind, file.send.is_empty()) {
            (Some(kind), _) => kind,
            (None, true) => SiteKind::Http,
            (None, false) => {
                return Err(
                    self.error("client", "`kind` is missing: outbound calls need one, for example `kind = \"http\"`".to_owned())
                );
            }
        };
        let globals = file.globals.iter().map(|(name, object)| Ok((name.as_str().into(), self.object(object)?)));
        let objects = self.compile_objects(&file)?;
        Ok(Library {
            rules: RulesOf::new(objects.len()),
            family,
            stem: stem.strip_suffix(".toml").unwrap_or(stem).into(),
            path: self.path.into(),
            client: file.client.as_str().into(),
            kind,
            packages: file.packages.iter().map(|package| package.as_str().into()).collect(),
            except: file.except.iter().map(|module| module.as_str().into()).collect(),
            lazy: file.lazy.iter().map(|path| dotted(path)).collect(),
            globals: globals.collect::<Result<_, CatalogError>>()?,
            priority: file.priority,
            source: file.source.as_str().into(),
            note: file.note.as_deref().map(Into::into),
            fix: file.fix.as_deref().map(Into::into),
            words: file.triggers.clone(),
            objects,
            makes: self.makes(&file)?,
            members: self.members(&file)?,
            containers: self.containers(&file)?,
            contexts: each(&file.context, |t| {
                Ok(Context { on: self.object(&t.on)?, shapes: self.shapes(&t.call)?, table: t.clone() })
            })?,
            injections: file.injection.clone(),
            sends: self.sends(&file)?,
            steps: self.steps(&file)?,
            handlers: self.handlers(&file)?,
            limits: each(&file.limit, |t| self.keyed(std::slice::from_ref(&t.key), &t.on, t.versions.as_deref(), t))?,
            defaults: each(&file.default, |t| self.keyed(std::slice::from_ref(&t.key), &t.on, t.versions.as_deref(), t))?,
            together: each(&file.together, |t| self.keyed(&t.keys, &[], t.versions.as_deref(), t))?,
            ignored: each(&file.ignored, |t| self.keyed(std::slice::from_ref(&t.key), &t.on, t.versions.as_deref(), t))?,
            retries: each(&file.retry, |t| self.keyed(&t.keys, &t.on, t.versions.as_deref(), t))?,
            scopes: self.scopes(&file)?,
            values: self.values(&file)?,
        })
    }

    fn compile_objects(&self, file: &LibraryFile) -> Result<Vec<Object>, CatalogError> {
        let plain = |name: &str| Object {
            name: name.into(),
            exports: Vec::new(),
            types: Vec::new(),
            like: Vec::new(),
            stands_for: None,
            level: Level::Client,
            reads: Vec::new(),
            views: Vec::new(),
            unread: Vec::new(),
            ends: Vec::new(),
            sent: Sent::Always,
            bare: false,
            several: false,
            blocking: file.blocking,
            client: None,
        };
        let mut objects = vec![plain("module")];
        for table in &file.object {
            objects.push(Object {
                exports: table.exports.iter().map(|path| dotted(path)).collect(),
                types: table.types.iter().map(|path| dotted(path)).collect(),
                like: self.objects(&table.like)?,
                stands_for: table.stands_for.as_deref().map(|name| self.gives(name)).transpose()?,
                level: table.level,
                reads: table.reads.iter().map(|name| name.as_str().into()).collect(),
                views: table.views.iter().map(|written| View::of(written)).collect(),
                unread: table.unread.iter().map(|name| name.as_str().into()).collect(),
                ends: table.ends.iter().map(|name| name.as_str().into()).collect(),
                sent: table.sent,
                bare: table.bare,
                several: table.several,
                blocking: table.blocking.unwrap_or(file.blocking),
                client: table.client.as_deref().map(Into::into),
                ..plain(&table.name)
            });
        }
        let direct: Vec<Vec<ObjectId>> = objects.iter().map(|object| object.like.clone()).collect();
        for (at, object) in objects.iter_mut().enumerate() {
            object.like = vec![ObjectId(at as u32)];
            let mut next = 0;
            while let Some(of) = object.like.get(next).copied() {
                for more in &direct[of.0 as usize] {
                    if !object.like.contains(more) {
                        object.like.push(*more);
                    }
                }
                next += 1;
            }
        }
        Ok(objects)
    }

    fn makes(&self, file: &LibraryFile) -> Result<Vec<Make>, CatalogError> {
        each(&file.make, |t| {
            Ok(Make {
                on: self.object(&t.on)?,
                shapes: self.shapes(&t.call)?,
                gives: self.gives(&t.gives)?,
                inside: self.inside(&t.inside)?,
                versions: self.versions(t.versions.as_deref())?,
                table: t.clone(),
            })
        })
    }

    fn inside(&self, tables: &[InsideTable]) -> Result<Vec<Inside>, CatalogError> {
        each(tables, |t| {
            Ok(Inside {
                key: t.key.split('.').map(Into::into).collect(),
                values: t.values.clone(),
                object: t.object.as_deref().map(|name| self.object(name)).transpose()?,
            })
        })
    }

    fn members(&self, file: &LibraryFile) -> Result<Vec<Member>, CatalogError> {
        each(&file.member, |t| {
            let path = parse_path(&t.path).map_err(|why| self.error(&t.path, why))?;
            Ok(Member { on: self.object(&t.on)?, path, gives: self.gives(&t.gives)? })
        })
    }

    fn containers(&self, file: &LibraryFile) -> Result<Vec<Container>, CatalogError> {
        each(&file.container, |t| {
            let Some(make) = file.make.iter().position(|make| make.gives == t.gives) else {
                return Err(self.error(&t.gives, format!("no `[[make]]` gives `{}`, which the container hands out", t.gives)));
            };
            Ok(Container { gives: self.object(&t.gives)?, make, bare: dotted(&t.bare), table: t.clone() })
        })
    }

    fn sends(&self, file: &LibraryFile) -> Result<Vec<Send>, CatalogError> {
        each(&file.send, |t| {
            let shapes = self.shapes(&t.call)?;
            let asks = |shape: &Shape| shape.args.iter().flat_map(|arg| &arg.roles).any(|role| matches!(role, Role::Object(_)));
            if let Some((_, text)) = shapes.iter().zip(&t.call).find(|(shape, _)| t.foreign && !asks(shape)) {
                let why = format!(
                    "`{text}` is foreign and must ask for an object of this file: expected for example `load(connection)`"
                );
                return Err(self.error(text, why));
            }
            Ok(Send {
                on: self.object(&t.on)?,
                shapes,
                gives: t.gives.as_deref().map(|name| self.object(name)).transpose()?,
                body: t.body,
                versions: self.versions(t.versions.as_deref())?,
                table: t.clone(),
            })
        })
    }

    fn steps(&self, file: &LibraryFile) -> Result<Vec<Step>, CatalogError> {
        each(&file.step, |t| {
            Ok(Step {
                on: self.object(&t.on)?,
                shapes: self.shapes(&t.call)?,
                gives: t.gives.as_deref().map(|name| self.object(name)).transpose()?,
                versions: self.versions(t.versions.as_deref())?,
                table: t.clone(),
            })
        })
    }

    fn handlers(&self, file: &LibraryFile) -> Result<Vec<Handler>, CatalogError> {
        each(&file.handler, |t| Ok(Handler { on: self.object(&t.on)?, shapes: self.shapes(&t.call)? }))
    }

    fn scopes(&self, file: &LibraryFile) -> Result<Vec<Scoping>, CatalogError> {
        each(&file.scope, |t| {
            let on = if t.on == "work" { None } else { Some(self.object(&t.on)?) };
            Ok(Scoping { on, shapes: self.shapes(&t.call)?, versions: self.versions(t.versions.as_deref())?, table: t.clone() })
        })
    }

    fn values(&self, file: &LibraryFile) -> Result<Vec<ValueRule>, CatalogError> {
        each(&file.value, |t| {
            let on = if t.on == "any" { None } else { Some(self.object(&t.on)?) };
            let members = t.member.iter().map(|path| parse_path(path).map_err(|why| self.error(path, why)));
            Ok(ValueRule {
                on,
                shapes: self.shapes(&t.call)?,
                members: members.collect::<Result<_, _>>()?,
                is: t.is,
                unit: t.unit,
                table: t.clone(),
            })
        })
    }
}

fn dotted(path: &str) -> Vec<Box<str>> {
    path.split('.').map(Into::into).collect()
}

fn each<T, U>(tables: &[T], f: impl FnMut(&T) -> Result<U, CatalogError>) -> Result<Vec<U>, CatalogError> {
    tables.iter().map(f).collect()
}
