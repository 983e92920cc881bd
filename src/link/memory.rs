//! What an evaluator found out before, so that it is not found out twice.
//!
//! In: answers, with what they answer. Out: the same answers. Two kinds of looks remember apart: a first look follows no parameters to their
//! callers and trusts written types, so that its answers are not the answers of a whole look.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::FunctionKey;
use super::value::{Env, Frame, LibValue, Loc, Value};
use crate::catalog::{LibraryId, ObjectId};
use crate::facts::{BindingId, ExprId};
use crate::span::FileId;

/// What was found out before.
pub(super) type Known<K, V> = RefCell<FxHashMap<K, V>>;

/// What is being asked for, so that nothing leads to itself for ever.
pub(super) type Asked<K> = RefCell<FxHashSet<K>>;

/// Calls by the function that they call.
pub(super) type Called = FxHashMap<FunctionKey, Vec<ExprId>>;

/// The answers of one kind of look.
#[derive(Default)]
pub(super) struct Memory {
    /// What expressions stand for where no call around them is known.
    pub values: Known<Loc, Value>,
    /// What they stand for inside the calls of the current question. The environment is kept, so that its address stays its own.
    pub framed: Known<(Loc, *const Frame), (Env, Value)>,
    /// What they stand for as far as the bounds of the current question let it be followed, with how deep inside it they were asked for.
    pub bounded: Known<(Loc, *const Frame), (Env, u32, Value)>,
    /// Expressions that are being asked for, with how many names were being asked for when that began.
    pub busy: Known<Loc, usize>,
    /// What files export, where that was found out wholly.
    pub exports: Known<(FileId, Box<str>), Option<Value>>,
    /// Exports that are being asked for.
    pub exporting: Asked<(FileId, Box<str>)>,
    /// What names that no scope declares are in a file, by its globs.
    pub by_glob: Known<(FileId, Box<str>), Option<Value>>,
    /// Names that are being asked for by globs.
    pub globbing: Asked<(FileId, Box<str>)>,
    /// The calls of a file that call something by a name, by the function that it is.
    pub called: Known<(FileId, Box<str>), Rc<Called>>,
    /// The calls that make instances of classes without constructors of their own.
    pub constructions: Known<super::instance::ClassKey, Rc<[Loc]>>,
    /// What containers hand to the classes that they list, by the library's object and the class.
    pub handed: Known<(LibraryId, ObjectId, super::instance::ClassKey), Rc<[Rc<LibValue>]>>,
    /// The library's objects that instances of classes are, however those are made.
    pub extended: Known<super::instance::ClassKey, Option<Value>>,
    /// The functions that imported names may be.
    pub imports: Known<(FileId, BindingId), Rc<[FunctionKey]>>,
}

/// A name that is being asked for.
pub(super) struct Named {
    /// The name, the calls around it, and whether it is a first look.
    pub key: (FileId, BindingId, *const Frame, bool),
    /// What is known of it so far.
    pub so_far: Option<Value>,
}

impl Memory {
    /// What was found out about an expression.
    pub(super) fn value(&self, at: Loc, env: &Env) -> Option<Value> {
        match env {
            None => self.values.borrow().get(&at).cloned(),
            Some(_) => self.framed.borrow().get(&(at, address(env))).map(|(_, value)| value.clone()),
        }
    }

    /// What was found out about an expression before a bound, where it was asked for no deeper than now: more is not found out here.
    pub(super) fn bounded_at(&self, at: Loc, env: &Env, depth: u32) -> Option<Value> {
        let bounded = self.bounded.borrow();
        bounded.get(&(at, address(env))).filter(|(_, known, _)| *known <= depth).map(|(.., value)| value.clone())
    }

    /// Remembers what an expression stands for.
    pub(super) fn remember(&self, at: Loc, env: &Env, value: &Value) {
        match env {
            None => drop(self.values.borrow_mut().insert(at, value.clone())),
            Some(_) => drop(self.framed.borrow_mut().insert((at, address(env)), (env.clone(), value.clone()))),
        }
    }
}

/// What tells the calls around an evaluation from others, as long as they last; null where none is known.
pub(super) fn address(env: &Env) -> *const Frame {
    env.as_ref().map_or(std::ptr::null(), Rc::as_ptr)
}
