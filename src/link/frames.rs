//! Calls of the scanned code, each once: two frames that say the same are one, so that what was found out in one is known in the other.
//!
//! In: a frame. Out: the one that says the same, if there is one. Frames are told apart by what they are made of; what is large and rarely
//! made twice (objects, lists) counts as the same only where it is the same in memory.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::memory::address;
use super::value::{Bound, Env, Frame, Home, Instance, Layer, LibValue, Loc, Made, Number, Rule, Value};

/// What tells a frame from others, as words.
type Key = Vec<u64>;

/// The frames of an evaluator.
#[derive(Default)]
pub(super) struct Frames {
    known: RefCell<FxHashMap<Key, Rc<Frame>>>,
}

impl Frames {
    /// The frame that says the same as this one.
    pub(super) fn one(&self, frame: Frame) -> Rc<Frame> {
        let mut key = Key::with_capacity(16);
        frame_words(&frame, &mut key);
        self.known.borrow_mut().entry(key).or_insert_with(|| Rc::new(frame)).clone()
    }

    /// Forgets all of them.
    pub(super) fn clear(&self) {
        self.known.borrow_mut().clear();
    }
}

fn frame_words(frame: &Frame, words: &mut Key) {
    words.push(pair(frame.file.0, frame.function.0));
    words.push(env(&frame.caller));
    words.push(env(&frame.outer));
    match frame.call {
        Some(call) => loc(call, words),
        None => words.push(u64::MAX),
    }
    words.push(frame.args.len() as u64);
    for arg in &frame.args {
        bound(arg, words);
    }
    if let Some(this) = &frame.this {
        value(this, words);
    }
}

fn pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

fn env(env: &Env) -> u64 {
    address(env) as u64
}

fn loc(at: Loc, words: &mut Key) {
    words.push(pair(at.file.0, at.expr.0));
}

fn text(text: &str, words: &mut Key) {
    words.push(text.len() as u64);
    words.extend(text.as_bytes().chunks(8).map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))));
}

fn bound(bound: &Bound, words: &mut Key) {
    match bound {
        Bound::Thunk(at, around) => {
            words.push(1);
            loc(*at, words);
            words.push(env(around));
        }
        Bound::Value(of) => {
            words.push(2);
            value(of, words);
        }
        Bound::Spread(at, around) => {
            words.push(3);
            loc(*at, words);
            words.push(env(around));
        }
        Bound::Named(name, at, around) => {
            words.push(4);
            text(name, words);
            loc(*at, words);
            words.push(env(around));
        }
    }
}

fn at_address<T: ?Sized>(of: &Rc<T>, words: &mut Key) {
    words.push(Rc::as_ptr(of).cast::<u8>() as u64);
}

fn value(of: &Value, words: &mut Key) {
    match of {
        Value::Number(n) => {
            words.push(10);
            number(n, words)
        }
        Value::Duration(n) => {
            words.push(11);
            number(n, words)
        }
        Value::Instant(n) => {
            words.push(12);
            number(n, words)
        }
        Value::Signal(n) => {
            words.push(13);
            number(n, words)
        }
        Value::Sleep(n) => {
            words.push(14);
            number(n, words)
        }
        Value::Text(t) => {
            words.push(15);
            text(t, words)
        }
        Value::Bool(b) => words.push(16 + u64::from(*b)),
        Value::Null => words.push(18),
        Value::Undefined => words.push(19),
        Value::Env(t) => {
            words.push(20);
            text(t, words)
        }
        Value::Parts(p) => {
            words.push(21);
            at_address(p, words)
        }
        Value::Object(o) => {
            words.push(22);
            at_address(o, words)
        }
        Value::List(items) => {
            words.push(23);
            words.push(items.len() as u64);
            items.iter().for_each(|item| bound(item, words))
        }
        Value::Elements(each, through) => {
            words.push(24 + u64::from(through.keyed) * 2 + u64::from(through.begun));
            value(each, words)
        }
        Value::Function(file, function, around, this) => {
            words.push(30);
            words.push(pair(file.0, function.0));
            words.push(env(around));
            match this {
                Some(this) => value(this, words),
                None => words.push(0),
            }
        }
        Value::Class(file, class) => {
            words.push(31);
            words.push(pair(file.0, class.0))
        }
        Value::Instance(i) => {
            words.push(32);
            instance(i, words)
        }
        Value::Super(i) => {
            words.push(33);
            instance(i, words)
        }
        Value::Module(file) => {
            words.push(34);
            words.push(u64::from(file.0))
        }
        Value::Folder(file, path) => {
            words.push(35);
            words.push(u64::from(file.0));
            text(path, words)
        }
        Value::Inner(file, scope) => {
            words.push(36);
            words.push(pair(file.0, scope.0))
        }
        Value::Lib(lib) => {
            words.push(37);
            library(lib, words)
        }
        Value::AnySignal(s) => {
            words.push(38);
            at_address(s, words)
        }
        Value::Canceller { made, env: around, is_signal } => {
            words.push(39 + u64::from(*is_signal));
            loc(*made, words);
            words.push(env(around))
        }
        Value::Timer(at) => {
            words.push(41);
            loc(*at, words)
        }
        Value::Any(options) => {
            words.push(42);
            words.push(options.len() as u64);
            options.iter().for_each(|option| value(option, words))
        }
        Value::Opaque(reason) => {
            words.push(43);
            text(reason, words)
        }
    }
}

fn number(of: &Number, words: &mut Key) {
    words.push(of.value.map_or(u64::MAX, f64::to_bits));
    words.push(of.origin as u64 * 8 + of.hint.map_or(0, |hint| 1 + hint as u64));
    match of.through {
        Some(at) => loc(at, words),
        None => words.push(u64::MAX),
    }
}

fn instance(of: &Instance, words: &mut Key) {
    words.push(pair(of.file.0, of.class.0));
    match &of.made {
        None => words.push(0),
        Some(Made::Call(at, around)) => {
            words.push(1);
            loc(*at, words);
            words.push(env(around))
        }
        Some(Made::Literal(at, around)) => {
            words.push(2);
            loc(*at, words);
            words.push(env(around))
        }
        Some(Made::Changed(before, by, around)) => {
            words.push(3);
            words.push(pair(by.0.0, by.1.0));
            words.push(env(around));
            instance(before, words);
        }
    }
}

fn library(of: &LibValue, words: &mut Key) {
    words.push(pair(of.library.0, of.object.0));
    words.push(pair(of.file.0, of.layers.len() as u32));
    words.push(pair(of.homes.len() as u32, of.origins.len() as u32));
    words.push(pair(of.fields.len() as u32, of.path.len() as u32));
    text(&of.package, words);
    of.path.iter().for_each(|name| text(name, words));
    of.layers.iter().for_each(|layer| layer_words(layer, words));
    of.homes.iter().chain(&of.origins).for_each(|home| home_words(home, words));
    for (file, class, name) in &of.fields {
        words.push(pair(file.0, class.0));
        text(name, words)
    }
    match &of.unmade {
        Some(reason) => text(reason, words),
        None => words.push(u64::MAX),
    }
    match of.class {
        Some((file, class, object)) => {
            words.push(pair(file.0, class.0));
            words.push(object.0 as u64)
        }
        None => words.push(u64::MAX),
    }
}

fn home_words(home: &Home, words: &mut Key) {
    words.push(pair(home.file.0, home.binding.0));
    words.push(env(&home.env));
}

fn layer_words(layer: &Layer, words: &mut Key) {
    loc(layer.at, words);
    words.push(env(&layer.env));
    let (kind, rule) = match layer.rule {
        Rule::Make(r) => (0, r),
        Rule::Step(r) => (1, r),
        Rule::Send(r) => (2, r),
    };
    words.push(pair(kind, rule as u32));
    words.push(pair(layer.object.0, layer.library.0));
}
