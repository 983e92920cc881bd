//! Questions inside questions: how far each may go, and which answers hold wherever they are asked.
//!
//! In: a question. Out: its answer, and whether it is the whole truth. What a question costs is counted for itself: whoever asks it, and
//! whatever was asked before, it is answered alike, so that neither the order of the questions nor the number of threads shows.

use std::cell::{Cell, RefCell};
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::eval::Eval;
use super::value::Value;

/// How many evaluations may stand inside each other in one question.
const DEEPEST: u32 = 32;
/// How many evaluations one question may cost, without the questions inside it.
const MOST_STEPS: u32 = 1_000;
/// How many evaluations may stand inside each other, whatever the questions.
const DEEPEST_OF_ALL: u32 = 2_000;
/// How many evaluations a question may cost with all that it asks.
const MOST_OF_ALL: u32 = 2_000_000;
/// How much stack an evaluation is given at least, and how much is added where there is less.
const STACK: (usize, usize) = (1 << 20, 8 << 20);

/// What is said of a value beyond the bounds.
pub(super) const TOO_MANY: &str = "more steps than are followed";

/// How many functions in a row are asked for their callers.
const DEEPEST_CALLERS: u8 = 3;
/// The same where the parameter is declared as a library's object, which programs hand on and on.
const DEEPEST_CALLERS_OF_CLIENTS: u8 = 6;

/// No question.
const NONE: usize = usize::MAX;

/// What is being asked for, with the number of each question.
pub(super) type Asked<K> = RefCell<FxHashMap<K, usize>>;

/// An open question that an answer leans on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaning {
    at: usize,
    question: u32,
}

/// How many functions may have been asked for their callers, each for the one before, where an answer holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Levels {
    from: u8,
    to: u8,
}

impl Levels {
    /// Wherever it is asked.
    const ALL: Self = Self { from: 0, to: u8::MAX };

    /// Whether they are all.
    pub(super) const fn are_all(self) -> bool {
        self.from == 0 && self.to == u8::MAX
    }

    fn both(self, other: Self) -> Self {
        Self { from: self.from.max(other.from), to: self.to.min(other.to) }
    }

    /// Those of the function that was asked before.
    const fn before(self) -> Self {
        Self { from: self.from.saturating_sub(1), to: if self.to == u8::MAX { u8::MAX } else { self.to.saturating_sub(1) } }
    }
}

/// How far the current question went.
#[derive(Debug)]
pub(super) struct Effort {
    depth: Cell<u32>,
    steps: Cell<u32>,
    /// Whether it ran into a bound.
    cut: Cell<bool>,
    /// The open questions, outermost first: each by the number it alone has. The first is none of them, and is never answered.
    open: RefCell<Vec<u32>>,
    /// How many questions were asked.
    asked: Cell<u32>,
    /// The outermost open question that the current answer took as far as it was known: until that one is answered, it holds for it alone.
    leaning: Cell<usize>,
    /// How many functions are being asked for their callers.
    level: Cell<u8>,
    /// At which levels the current answer holds.
    holds: Cell<Levels>,
    /// All evaluations that stand inside each other.
    depth_of_all: Cell<u32>,
    /// All that the judge's question cost.
    steps_of_all: Cell<u32>,
}

impl Default for Effort {
    fn default() -> Self {
        let none = || Cell::new(0);
        Self {
            depth: none(),
            steps: none(),
            cut: Cell::new(false),
            open: RefCell::new(vec![0]),
            asked: none(),
            leaning: Cell::new(NONE),
            level: Cell::new(0),
            holds: Cell::new(Levels::ALL),
            depth_of_all: none(),
            steps_of_all: none(),
        }
    }
}

impl Eval<'_> {
    /// Begins a new question: the effort counts anew.
    pub fn begin(&self) {
        self.effort.steps_of_all.set(0);
        self.go_on();
        self.frames.clear();
        for memory in [&self.whole, &self.first] {
            memory.framed.borrow_mut().clear();
            memory.leaning.borrow_mut().clear();
        }
    }

    /// Begins another part of a question: the effort counts anew, what was found out stays.
    pub fn go_on(&self) {
        self.effort.steps.set(0);
    }

    /// Notes that the current answer is cut short by a bound.
    pub(super) fn cut_short(&self) {
        self.effort.cut.set(true);
    }

    /// Whether the current answer was cut short by a bound.
    pub(super) fn is_cut(&self) -> bool {
        self.effort.cut.get()
    }

    /// Notes that the current answer takes an open question as far as it is known.
    pub(super) fn lean_on(&self, question: usize) {
        let effort = &self.effort;
        effort.leaning.set(effort.leaning.get().min(question));
    }

    /// The outermost question that the current answer leans on, as long as it is open.
    pub(super) fn leaning(&self) -> Option<Leaning> {
        let at = Some(self.effort.leaning.get()).filter(|at| *at != NONE)?;
        Some(Leaning { at, question: *self.effort.open.borrow().get(at)? })
    }

    /// Whether what leans on a question holds now: then the current answer leans on it too.
    pub(super) fn leans(&self, leaning: Leaning) -> bool {
        let holds = self.effort.open.borrow().get(leaning.at) == Some(&leaning.question);
        if holds {
            self.lean_on(leaning.at);
        }
        holds
    }

    /// Asks a question, by its place among the open ones; whether the answer is the whole truth.
    pub(super) fn question<T>(&self, ask: impl FnOnce(usize) -> T) -> (T, bool) {
        let effort = &self.effort;
        effort.asked.set(effort.asked.get() + 1);
        let number = effort.open.borrow().len();
        effort.open.borrow_mut().push(effort.asked.get());
        let (cut, leaning) = (effort.cut.replace(false), effort.leaning.replace(NONE));
        let holds = effort.holds.replace(Levels::ALL);
        let answer = ask(number);
        effort.open.borrow_mut().pop();
        let own = Some(effort.leaning.get()).filter(|on| *on < number).unwrap_or(NONE);
        let whole = own == NONE && !effort.cut.get();
        effort.cut.set(cut || effort.cut.get());
        effort.leaning.set(leaning.min(own));
        effort.holds.set(holds.both(effort.holds.get()));
        (answer, whole)
    }

    /// Whether something is found out without running into a bound or a cycle.
    pub(super) fn uncut(&self, find: impl FnOnce()) -> bool {
        self.question(|_| find()).1
    }

    /// At which levels the current answer holds.
    pub(super) fn levels(&self) -> Levels {
        self.effort.holds.get()
    }

    /// Whether what holds at some levels does here: then the current answer holds at those alone.
    pub(super) fn holds(&self, levels: Levels) -> bool {
        let level = self.effort.level.get();
        let holds = levels.from <= level && level <= levels.to;
        if holds {
            self.effort.holds.set(self.effort.holds.get().both(levels));
        }
        holds
    }

    /// Follows a parameter to the callers of its function; `None` where enough functions were asked for theirs. `is_client`: whether it is
    /// declared as a client.
    pub(super) fn among_callers<T>(&self, is_client: impl FnOnce() -> bool, ask: impl FnOnce() -> T) -> Option<T> {
        let effort = &self.effort;
        let level = effort.level.get();
        let (is_followed, levels) = if level < DEEPEST_CALLERS {
            (true, Levels { from: 0, to: DEEPEST_CALLERS - 1 })
        } else if level < DEEPEST_CALLERS_OF_CLIENTS {
            (is_client(), Levels { from: DEEPEST_CALLERS, to: DEEPEST_CALLERS_OF_CLIENTS - 1 })
        } else {
            (false, Levels { from: DEEPEST_CALLERS_OF_CLIENTS, to: u8::MAX })
        };
        let holds = effort.holds.replace(Levels::ALL);
        let answer = is_followed.then(|| {
            effort.level.set(level + 1);
            let answer = ask();
            effort.level.set(level);
            answer
        });
        effort.holds.set(holds.both(levels).both(effort.holds.get().before()));
        answer
    }

    /// Asks a question that no call around it takes part in, with an effort of its own and from the first level on; whether the answer
    /// holds wherever it is asked.
    pub(super) fn alone<T>(&self, ask: impl FnOnce(usize) -> T) -> (T, bool) {
        let effort = &self.effort;
        let before = (effort.level.replace(0), effort.holds.get());
        let answer = self.aside(ask);
        effort.level.set(before.0);
        effort.holds.set(before.1);
        answer
    }

    /// Asks a question that no call around it takes part in, with an effort of its own; whether the answer is the whole truth.
    pub(super) fn aside<T>(&self, ask: impl FnOnce(usize) -> T) -> (T, bool) {
        let effort = &self.effort;
        let before = (effort.depth.replace(0), effort.steps.replace(0), effort.cut.get());
        let aside = [&self.whole, &self.first].map(|memory| memory.framed.take());
        let leaning = effort.leaning.replace(NONE);
        let (answer, _) = self.question(ask);
        let whole = effort.leaning.get() == NONE;
        self.lean_on(leaning);
        for (memory, framed) in [&self.whole, &self.first].into_iter().zip(aside) {
            memory.framed.replace(framed);
        }
        effort.depth.set(before.0);
        effort.steps.set(before.1);
        effort.cut.set(before.2);
        (answer, whole)
    }

    /// Asks for something that may lead to itself; `None`, where it does: then the answer goes without.
    pub(super) fn once<K: Hash + Eq + Clone, T>(&self, asked: &Asked<K>, key: K, ask: impl FnOnce() -> T) -> Option<(T, bool)> {
        let known = asked.borrow().get(&key).copied();
        if let Some(question) = known {
            self.lean_on(question);
            return None;
        }
        Some(self.question(|number| {
            asked.borrow_mut().insert(key.clone(), number);
            let answer = ask();
            asked.borrow_mut().remove(&key);
            answer
        }))
    }

    /// Runs one more evaluation inside the current one, if the bounds allow it.
    pub(super) fn within_bounds(&self, f: impl FnOnce() -> Value) -> Value {
        self.within(f).unwrap_or_else(|| Value::opaque(TOO_MANY))
    }

    /// One step deeper into a question; `None` where that is not followed any further.
    pub(super) fn within<T>(&self, f: impl FnOnce() -> T) -> Option<T> {
        let effort = &self.effort;
        let (depth, steps) = (effort.depth.get(), effort.steps.get() + 1);
        effort.steps.set(steps);
        if depth >= DEEPEST || steps > MOST_STEPS {
            self.cut_short();
            return None;
        }
        effort.depth.set(depth + 1);
        let answer = self.one_more(f);
        effort.depth.set(depth);
        answer
    }

    /// How deep inside the current question this is.
    pub(super) fn depth(&self) -> u32 {
        self.effort.depth.get()
    }

    /// One evaluation more, wherever it is asked; `None` where there is no room for it.
    pub(super) fn one_more<T>(&self, f: impl FnOnce() -> T) -> Option<T> {
        let effort = &self.effort;
        let (depth, steps) = (effort.depth_of_all.get(), effort.steps_of_all.get() + 1);
        effort.steps_of_all.set(steps);
        if depth >= DEEPEST_OF_ALL || steps > MOST_OF_ALL {
            // Nothing that comes of this is the whole truth.
            self.lean_on(0);
            return None;
        }
        effort.depth_of_all.set(depth + 1);
        let answer = stacker::maybe_grow(STACK.0, STACK.1, f);
        effort.depth_of_all.set(depth);
        Some(answer)
    }
}
