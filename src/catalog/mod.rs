//! What is known about client libraries: one file each, under `queries/`, checked and ready to be asked.
//!
//! In: the text of library files, built in or a user's own. Out: [`Catalog`]: which library a package or a global is, and its
//! rules. It looks at no code: matching calls with rules is the judge's work.

mod compile;
mod context;
mod injection;
mod library;
mod rules;
pub mod schema;
mod shape;
mod strangers;
mod tables;

use std::fmt;

use rustc_hash::FxHashMap;

use crate::settings::FAMILIES;

pub use context::Context;
pub use injection::InjectionTable;
pub use library::{AS_GIVEN, Library};
pub use rules::{Rules, Table, Tried, can};
pub use shape::{ArgShape, Role, Segment, Shape, name_fits, path_begins, path_fits};
pub use strangers::Strangers;
pub use tables::{
    Container, Handler, Inside, Keyed, MODULE, Make, Member, Object, ObjectId, Scoping, Send, Step, ValueRule, Versions,
};

/// The library files that the program brings along: path in the repository, text.
pub const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/queries.rs"));

/// A library of the catalog, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryId(pub u32);

/// Why a library file is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogError {
    /// The file.
    pub file: String,
    /// The line and column, if they are known.
    pub place: Option<(u32, u32)>,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for CatalogError {}

/// All known libraries.
#[derive(Debug, Default)]
pub struct Catalog {
    libraries: Vec<Library>,
    /// Exact package names, per family.
    packages: FxHashMap<(&'static str, Box<str>), Vec<LibraryId>>,
    /// Package names with a wildcard: family, before, after.
    patterns: Vec<(&'static str, Box<str>, Box<str>, LibraryId)>,
    /// Global names, per family.
    globals: FxHashMap<(&'static str, Box<str>), (LibraryId, ObjectId)>,
    /// What is asked of every call, per family.
    common: FxHashMap<&'static str, Common>,
}

/// Rules that hold for calls on values of no library.
#[derive(Debug, Default)]
pub struct Common {
    /// `[[value]] on = "any"`, by method name.
    pub methods: FxHashMap<Box<str>, Vec<(LibraryId, usize)>>,
    /// `[[make]] foreign = true`.
    pub makes: Vec<(LibraryId, usize)>,
    /// `[[send]] foreign = true`, by method name.
    pub sends: FxHashMap<Box<str>, Vec<(LibraryId, usize)>>,
    /// The last names of outbound calls.
    pub names: rustc_hash::FxHashSet<Box<str>>,
    /// The packages of libraries whose outbound calls have any name, as code names them (`_` for `-`).
    pub wild: Vec<Box<str>>,
    /// The last names of calls that make something for the whole process or module.
    pub settings: rustc_hash::FxHashSet<Box<str>>,
    /// Methods of objects of the scanned code that libraries run, with the last names of the calls that are given the objects.
    pub runs: FxHashMap<Box<str>, Vec<Box<str>>>,
    /// `[[injection]]`.
    pub injections: Vec<InjectionTable>,
    /// `[[scope]] on = "work"`, by method name.
    pub scopes: FxHashMap<Box<str>, Vec<(LibraryId, usize)>>,
}

impl Catalog {
    /// The libraries that the program brings along.
    ///
    /// # Errors
    ///
    /// The first file that is refused; a test holds that none is.
    pub fn built_in() -> Result<Self, CatalogError> {
        let mut catalog = Self::default();
        for (path, text) in BUILT_IN {
            let family = path.split('/').nth(1).unwrap_or_default();
            catalog.add(family_of(family, path)?, path, text)?;
        }
        catalog.check()?;
        Ok(catalog)
    }

    /// Adds one library file. A file of the same family whose `client` is known replaces the known one.
    ///
    /// # Errors
    ///
    /// Says the line, what was found and what was expected.
    pub fn add(&mut self, family: &'static str, path: &str, text: &str) -> Result<(), CatalogError> {
        let library = compile::compile(family, path, text)?;
        self.insert(library);
        Ok(())
    }

    /// Adds one library whose text stands in a file of another kind (a `[[client]]` table of the user's configuration). It goes by its
    /// client's name, as a library file of that name would.
    ///
    /// # Errors
    ///
    /// As [`Catalog::add`].
    pub fn add_client(&mut self, family: &'static str, path: &str, text: &str) -> Result<(), CatalogError> {
        let mut library = compile::compile(family, path, text)?;
        library.stem = library.client.as_ref().into();
        self.insert(library);
        Ok(())
    }

    fn insert(&mut self, library: Library) {
        let (family, stem) = (library.family, library.stem.clone());
        let known = self.libraries.iter().position(|known| known.family == family && known.stem == stem);
        let id = LibraryId(known.unwrap_or(self.libraries.len()) as u32);
        if known.is_some() {
            self.packages.values_mut().for_each(|ids| ids.retain(|known| *known != id));
            self.patterns.retain(|(_, _, _, known)| *known != id);
            self.globals.retain(|_, (known, _)| *known != id);
        }
        for package in &library.packages {
            match package.split_once('*') {
                Some((before, after)) => {
                    self.patterns.push((family, before.replace('-', "_").into(), after.replace('-', "_").into(), id));
                }
                None => self.packages.entry((family, package.replace('-', "_").into())).or_default().push(id),
            }
        }
        for (name, object) in &library.globals {
            self.globals.insert((family, name.clone()), (id, *object));
        }
        match known {
            Some(at) => self.libraries[at] = library,
            None => self.libraries.push(library),
        }
    }

    /// The rules of a family that hold for calls on values of no library.
    pub fn common(&self, family: &'static str) -> Option<&Common> {
        self.common.get(family)
    }

    fn index(&mut self) {
        self.common.clear();
        for (at, library) in self.libraries.iter().enumerate() {
            let id = LibraryId(at as u32);
            let common = self.common.entry(library.family).or_default();
            for (rule, value) in library.values.iter().enumerate().filter(|(_, value)| value.on.is_none()) {
                last_names(&value.shapes).for_each(|name| note(&mut common.methods, name, (id, rule)));
            }
            for (rule, send) in library.sends.iter().enumerate().filter(|(_, send)| send.table.foreign) {
                last_names(&send.shapes).for_each(|name| note(&mut common.sends, name, (id, rule)));
            }
            common.injections.extend(library.injections.iter().cloned());
            for make in &library.makes {
                let Some(method) = make.table.runs.as_deref() else { continue };
                common.runs.entry(method.into()).or_default().extend(last_names(&make.shapes).cloned());
            }
            for (rule, scope) in library.scopes.iter().enumerate().filter(|(_, scope)| scope.on.is_none()) {
                last_names(&scope.shapes).for_each(|name| note(&mut common.scopes, name, (id, rule)));
            }
            match library.send_names() {
                Some(names) => common.names.extend(names.into_iter().map(Into::into)),
                None => common.wild.extend(library.packages.iter().map(|package| package.replace('-', "_").into())),
            }
            for make in library.makes.iter().filter(|make| make.table.global || make.table.ambient) {
                common.settings.extend(last_names(&make.shapes).cloned());
            }
            common
                .makes
                .extend(library.makes.iter().enumerate().filter(|(_, make)| make.table.foreign).map(|(rule, _)| (id, rule)));
        }
    }

    /// Checks what concerns several files: objects of other files must exist. Makes the catalog ready to be asked.
    ///
    /// # Errors
    ///
    /// The first reference that leads nowhere.
    pub fn check(&mut self) -> Result<(), CatalogError> {
        self.index();
        for library in &self.libraries {
            for foreign in library.foreign_objects() {
                if self.foreign(library, &foreign).is_none() {
                    return Err(CatalogError {
                        file: library.path.to_string(),
                        place: None,
                        message: format!("`{foreign}` names no object: expected `file:object` with a file beside this one"),
                    });
                }
            }
        }
        Ok(())
    }

    /// All libraries, in the order they were added.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// A library.
    pub fn library(&self, id: LibraryId) -> &Library {
        &self.libraries[id.0 as usize]
    }

    /// The name that a package goes by here: its own, else the one that code calls it by, where only that is known (`tokio = { package =
    /// "madsim-tokio" }`: what takes a package's place does what it does).
    pub fn known_as<'n>(&self, family: &'static str, package: &'n str, written: &'n str, inner: &str) -> &'n str {
        let called = written.split("::").next().unwrap_or(written);
        let is_known = |name: &str| !self.package(family, name, inner).is_empty();
        if called != package && !is_known(package) && is_known(called) { called } else { package }
    }

    /// The libraries that a package, or a module inside it, is.
    pub fn package(&self, family: &'static str, name: &str, inner: &str) -> Vec<LibraryId> {
        let full: Box<str> = if inner.is_empty() { name.into() } else { format!("{name}/{inner}").into() };
        let is_else = |id: &LibraryId| self.library(*id).except.contains(&full);
        // Names that differ by `-` and `_` alone are one: crates are written both ways.
        for key in [full.clone(), name.into()].map(|key: Box<str>| Box::<str>::from(key.replace('-', "_"))) {
            let mut found = self.packages.get(&(family, key.clone())).cloned().unwrap_or_default();
            for (of, before, after, id) in &self.patterns {
                let fits = key.len() >= before.len() + after.len() && key.starts_with(&**before) && key.ends_with(&**after);
                if *of == family && fits && !found.contains(id) {
                    found.push(*id);
                }
            }
            found.retain(|id| !is_else(id));
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The library and object that a name without an import is.
    pub fn global(&self, family: &'static str, name: &str) -> Option<(LibraryId, ObjectId)> {
        self.globals.get(&(family, name.into())).copied()
    }

    /// The object that `file:object` names.
    pub fn foreign(&self, from: &Library, name: &str) -> Option<(LibraryId, ObjectId)> {
        let (stem, object) = name.split_once(':')?;
        let at = self.libraries.iter().position(|library| library.family == from.family && *library.stem == *stem)?;
        let object = self.libraries[at].object_id(object)?;
        Some((LibraryId(at as u32), object))
    }

    /// The object that a library's file names: its own, or `file:object`.
    pub fn object_of(&self, library: LibraryId, name: &str) -> Option<(LibraryId, ObjectId)> {
        let from = self.library(library);
        self.foreign(from, name).or_else(|| Some((library, from.object_id(name)?)))
    }

    /// The words whose presence makes a file of this family worth parsing.
    pub fn triggers(&self, family: &'static str) -> Vec<String> {
        let mut words: Vec<String> =
            self.libraries.iter().filter(|library| library.family == family).flat_map(Library::triggers).collect();
        words.sort();
        words.dedup();
        words
    }
}

fn last_names(shapes: &[Shape]) -> impl Iterator<Item = &Box<str>> {
    shapes.iter().filter_map(|shape| shape.path.last()).flat_map(|segment| match segment {
        Segment::Names(names) => names.as_slice(),
        _ => &[],
    })
}

fn note(table: &mut FxHashMap<Box<str>, Vec<(LibraryId, usize)>>, name: &str, rule: (LibraryId, usize)) {
    let rules = table.entry(name.into()).or_default();
    if !rules.contains(&rule) {
        rules.push(rule);
    }
}

/// The known family of that name.
///
/// # Errors
///
/// Says which families there are.
pub fn family_of(name: &str, path: &str) -> Result<&'static str, CatalogError> {
    FAMILIES.into_iter().find(|known| *known == name).ok_or_else(|| CatalogError {
        file: path.to_owned(),
        place: None,
        message: format!("`{name}` is no language of the catalog: expected `javascript` or `rust`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_library_that_comes_along_is_accepted() {
        let catalog = Catalog::built_in().unwrap_or_else(|error| panic!("{error}"));
        assert!(!catalog.libraries().is_empty());
    }

    #[test]
    fn what_is_refused_is_named_with_its_line() {
        let mut catalog = Catalog::default();
        let mut refused = |text: &str| catalog.add("javascript", "my.toml", text).unwrap_err().to_string();
        let head = "client = \"x\"\nkind = \"http\"\nsource = \"s\"\n";
        assert!(refused(&format!("{head}timout = 3\n")).starts_with("my.toml:4:1: unknown field `timout`"));
        let bad = refused(&format!("{head}[[send]]\non = \"clinet\"\ncall = [\"get(target)\"]\n"));
        assert!(bad.starts_with("my.toml:5:6: `clinet` is no object of this file"), "{bad}");
        let bad = refused(&format!("{head}[[send]]\ncall = [\"get(target\"]\n"));
        assert!(bad.starts_with("my.toml:5:9: "), "{bad}");
        let bad = refused(&format!("{head}[[send]]\ncall = [\"get(target)\"]\nversions = \"two\"\n"));
        assert!(bad.starts_with("my.toml:6:12: `two` is no version range"), "{bad}");
        let inside = "inside = [{ key = \"dialect\", object = \"flie\" }]";
        let bad = refused(&format!("{head}[[make]]\ncall = [\"(options)\"]\ngives = \"module\"\n{inside}\n"));
        assert!(bad.starts_with("my.toml:7:") && bad.contains("`flie` is no object of this file"), "{bad}");
    }

    #[test]
    fn a_foreign_call_must_ask_for_an_object() {
        let mut catalog = Catalog::default();
        let text = |role: &str| {
            format!(
                "client = \"x\"\nkind = \"database\"\nsource = \"s\"\n[[object]]\nname = \"connection\"\n\
                 [[send]]\nforeign = true\ncall = [\"**.load({role})\"]\n"
            )
        };
        assert!(catalog.add("rust", "my.toml", &text("connection")).is_ok());
        let bad = catalog.add("rust", "my.toml", &text("_")).unwrap_err().to_string();
        assert!(bad.starts_with("my.toml:8:9: `**.load(_)` is foreign"), "{bad}");
    }

    #[test]
    fn trigger_words_stand_in_place_of_a_crate_that_everybody_names() {
        let catalog = Catalog::built_in().unwrap_or_else(|error| panic!("{error}"));
        let words = catalog.triggers("rust");
        let has = |word: &str| words.iter().any(|known| known == word);
        assert!(has("reqwest") && has("TcpStream") && has("aws_sdk_"));
        assert!(!has("std") && !has("tokio") && !has("http"));
    }

    #[test]
    fn packages_with_wildcards_and_inner_modules() {
        let mut catalog = Catalog::default();
        let file = |client: &str, package: &str| {
            format!("client = \"{client}\"\nkind = \"http\"\nsource = \"s\"\npackages = [\"{package}\"]\n")
        };
        catalog.add("javascript", "aws.toml", &file("aws", "@aws-sdk/client-*")).unwrap();
        catalog.add("javascript", "mysql.toml", &file("mysql2", "mysql2/promise")).unwrap();
        assert_eq!(catalog.package("javascript", "@aws-sdk/client-s3", ""), [LibraryId(0)]);
        assert_eq!(catalog.package("javascript", "mysql2", "promise"), [LibraryId(1)]);
        assert!(catalog.package("javascript", "mysql2", "").is_empty());
        assert!(catalog.package("rust", "@aws-sdk/client-s3", "").is_empty());
        let drizzle = file("drizzle", "drizzle-orm") + "except = [\"drizzle-orm/bun-sqlite\"]\n";
        catalog.add("javascript", "drizzle.toml", &drizzle).unwrap();
        assert_eq!(catalog.package("javascript", "drizzle-orm", "node-postgres"), [LibraryId(2)]);
        assert!(catalog.package("javascript", "drizzle-orm", "bun-sqlite").is_empty());
    }
}
