//! What an evaluator found out before, so that it is not found out twice.
//!
//! In: answers, with what they answer. Out: the same answers. Two kinds of looks remember apart: a first look follows no parameters to their
//! callers and trusts written types, so that its answers are not the answers of a whole look.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::FunctionKey;
use super::asking::{Asked, Leaning, Levels};
use super::value::{Env, Frame, LibValue, Loc, Value};
use crate::catalog::{LibraryId, ObjectId};
use crate::facts::{BindingId, ExprId};
use crate::span::FileId;

/// What was found out before.
pub(super) type Known<K, V> = RefCell<FxHashMap<K, V>>;

/// Calls by the function that they call.
pub(super) type Called = FxHashMap<FunctionKey, Vec<ExprId>>;

/// An object of a library, and the class that it is handed to.
type Handed = (LibraryId, ObjectId, super::instance::ClassKey);

/// A method, and whether it is a getter.
type FoundMethod = Option<(FunctionKey, bool)>;

/// The answers of one kind of look.
#[derive(Default)]
pub(super) struct Memory {
    /// What expressions stand for where no call around them is known.
    pub values: Known<Loc, Value>,
    /// What they stand for inside the calls of the current question: those are kept until it is answered, so that their addresses stay
    /// their own.
    pub framed: Known<(Loc, *const Frame), Framed>,
    /// The same for those that hold only at some levels.
    pub leveled: Known<Loc, Vec<(Levels, Value)>>,
    /// What expressions stand for as long as a question that the answer leans on is open.
    pub leaning: Known<Loc, (Leaning, Levels, Value)>,
    /// Expressions that are being asked for, each with how many names were being asked for when that began, and its question.
    pub busy: Known<Loc, (usize, usize)>,
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
    pub handed: Known<Handed, Rc<[Rc<LibValue>]>>,
    /// The library's objects that instances of classes are, however those are made.
    pub extended: Known<super::instance::ClassKey, Option<Value>>,
    /// Methods that were looked up.
    pub methods: Known<(super::instance::ClassKey, Box<str>), FoundMethod>,
    /// The classes that stand for abstract ones.
    pub implementations: Known<super::instance::ClassKey, super::instance::ClassKey>,
    /// The functions that imported names may be.
    pub imports: Known<(FileId, BindingId), Rc<[FunctionKey]>>,
}

/// What an expression stands for inside calls.
pub(super) struct Framed {
    /// At which levels it holds.
    pub levels: Levels,
    /// The question that it leans on.
    pub leaning: Option<Leaning>,
    /// How deep in the question it was asked for, if it ran into a bound there: more is not found out at the same depth, or deeper.
    pub cut_at: Option<u32>,
    /// The answer.
    pub value: Value,
}

/// A name that is being asked for.
pub(super) struct Named {
    /// The name, the calls around it, and whether it is a first look.
    pub key: (FileId, BindingId, *const Frame, bool),
    /// Its question.
    pub question: usize,
    /// What is known of it so far.
    pub so_far: Option<Value>,
}

/// What tells the calls around an evaluation from others, as long as they last; null where none is known.
pub(super) fn address(env: &Env) -> *const Frame {
    env.as_ref().map_or(std::ptr::null(), Rc::as_ptr)
}
