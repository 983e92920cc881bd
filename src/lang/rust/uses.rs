//! `use` trees, `extern crate` and `mod name;`: imports, the names they bind, and what is given on.
//!
//! In: syn's items. Out: imports, bindings, exports. No path is resolved here; one that is written in a module inside of the file is put down
//! as the file would write it.

use proc_macro2::Ident;
use syn::{ItemExternCrate, ItemMod, ItemUse, UseTree, Visibility};

use super::lower::{Lower, plain};
use crate::facts::{Export, Exported, Import, ImportId, ImportName, MODULE, Source};
use crate::span::Span;

impl Lower<'_> {
    /// `use a::{b as c, d::*};`
    pub(super) fn use_item(&mut self, item: &ItemUse) {
        let mut path = Vec::new();
        if item.leading_colon.is_some() {
            path.push("".into());
        }
        let given = !matches!(item.vis, Visibility::Inherited);
        let inside = self.inline_modules();
        let tree = match &item.tree {
            UseTree::Path(step) if !inside.is_empty() && item.leading_colon.is_none() => {
                from_file(step, &inside, &mut path).unwrap_or(&item.tree)
            }
            tree => tree,
        };
        self.use_tree(tree, &mut path, given);
    }

    fn use_tree(&mut self, tree: &UseTree, path: &mut Vec<Box<str>>, given: bool) {
        match tree {
            UseTree::Path(step) => {
                path.push(plain(&step.ident));
                self.use_tree(&step.tree, path, given);
                path.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.use_tree(tree, path, given)),
            UseTree::Name(name) => self.use_name(path, &name.ident, &name.ident),
            UseTree::Rename(name) => self.use_name(path, &name.ident, &name.rename),
            UseTree::Glob(glob) => {
                let span = self.marks.span(glob.star_token.span);
                let module: Box<str> = path.join("::").into();
                self.import(&module, ImportName::Glob, span);
                if self.scope == MODULE {
                    let name = if given { "" } else { "super" };
                    self.facts.exports.push(Export { name: name.into(), what: Exported::Star { module }, span });
                }
            }
        }
    }

    fn use_name(&mut self, path: &[Box<str>], name: &Ident, to: &Ident) {
        let span = self.marks.between(name.span(), to.span());
        let mut full = path.to_vec();
        if name != "self" || path.is_empty() {
            full.push(plain(name));
        }
        let bound = if to == "self" { full.last().cloned().unwrap_or_default() } else { plain(to) };
        let (module, name) = match full.split_last() {
            Some((last, module)) if module.iter().any(|step| !step.is_empty()) => {
                (module.join("::"), ImportName::Name(last.clone()))
            }
            _ => (full.join("::"), ImportName::Namespace),
        };
        let import = self.import(&module, name.clone(), span);
        if &*bound == "_" {
            return;
        }
        self.bind(bound.clone(), span, None, Some(Source::Import(import)));
        if self.scope == MODULE {
            let what = Exported::From { module: module.into(), name };
            self.facts.exports.push(Export { name: bound, what, span });
        }
    }

    fn import(&mut self, module: &str, name: ImportName, span: Span) -> ImportId {
        let id = ImportId(self.facts.imports.len() as u32);
        self.facts.imports.push(Import { module: module.into(), name, span, scope: self.scope, type_only: false });
        id
    }

    /// `extern crate a as b;`
    pub(super) fn extern_crate(&mut self, item: &ItemExternCrate) {
        let name = plain(&item.ident);
        let to = item.rename.as_ref().map_or_else(|| name.clone(), |(_, to)| plain(to));
        let span = self.marks.span(item.ident.span());
        let module: &str = if &*name == "self" { "crate" } else { &name };
        let import = self.import(module, ImportName::Namespace, span);
        if &*to != "_" {
            self.bind(to.clone(), span, None, Some(Source::Import(import)));
            self.export(to, span);
        }
    }

    /// `mod name;`: a file beside this one.
    pub(super) fn module_file(&mut self, item: &ItemMod) {
        let name = plain(&item.ident);
        let span = self.marks.span(item.ident.span());
        let inside = self.inline_modules();
        let module = match super::attrs::path(&item.attrs) {
            Some(file) => format!("path:{}", inside.iter().map(|name| &**name).chain([&*file]).collect::<Vec<_>>().join("/")),
            None => ["self"].into_iter().chain(inside.iter().map(|name| &**name)).chain([&*name]).collect::<Vec<_>>().join("::"),
        };
        let import = self.import(&module, ImportName::Namespace, span);
        if let Some(import) = self.facts.imports.get_mut(import.index()) {
            import.scope = MODULE;
        }
        self.bind(name.clone(), span, None, Some(Source::Import(import)));
        self.export(name, span);
    }

    /// The modules written inside this file that we are in, outermost first.
    fn inline_modules(&self) -> Vec<Box<str>> {
        let mut names = Vec::new();
        let mut at = Some(self.scope);
        while let Some(scope) = at.and_then(|id| self.facts.scopes.get(id.index())) {
            names.extend(scope.module.clone());
            at = scope.parent;
        }
        names.reverse();
        names
    }

    /// Gives a module-level name to others.
    pub(super) fn export(&mut self, name: Box<str>, span: Span) {
        if self.scope == MODULE {
            self.facts.exports.push(Export { name: name.clone(), what: Exported::Local(name), span });
        }
    }
}

/// What is left of a path that begins at modules written inside of the file, `inside` which it stands, and where the file would begin it.
fn from_file<'t>(step: &'t syn::UsePath, inside: &[Box<str>], path: &mut Vec<Box<str>>) -> Option<&'t UseTree> {
    let (mut up, mut tree) = (0, &*step.tree);
    match &step.ident {
        first if first == "super" => up = 1,
        first if first == "self" => {}
        _ => return None,
    }
    while let UseTree::Path(step) = tree
        && step.ident == "super"
    {
        up += 1;
        tree = &step.tree;
    }
    match inside.len().checked_sub(up) {
        Some(left) => path.extend(["self".into()].into_iter().chain(inside.iter().take(left).cloned())),
        None => path.extend((inside.len()..up).map(|_| "super".into())),
    }
    Some(tree)
}
