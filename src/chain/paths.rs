//! The ways that calls take through services.
//!
//! In: hops. Out: chains from the services that nobody calls to the leaves, in the order of names. Circles are cut where they close; of too many
//! chains those are kept that together show every hop, then as many more as there is room for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::finding::graph::{Hop, Note};

/// How many circles are listed at most.
const MOST_CIRCLES: usize = 100;

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Places of hops.
    pub chains: Vec<Vec<usize>>,
    /// Names, the first one being who closes the circle.
    pub circles: Vec<Vec<String>>,
    /// Whether there are more chains.
    pub capped: bool,
    /// What should be known.
    pub notes: Vec<Note>,
}

/// Walks all ways through hops that are sorted by caller and callee. `from` names where they begin, else it is whoever is not called.
pub(super) fn walk(hops: &[Hop], from: &[String], most: usize) -> Walked {
    let web = Web::new(hops);
    let mut notes = Vec::new();
    let begins = if from.is_empty() { web.begins(&mut notes) } else { web.places(from) };
    let mut found = web.all(&begins, most);
    if found.capped {
        found.chains = web.every_hop_first(&begins, found.chains, most);
    }
    found.notes = notes;
    found
}

/// Hops between numbered names.
struct Web<'a> {
    names: Vec<&'a str>,
    /// Caller and callee of each hop.
    ends: Vec<(usize, usize)>,
    /// The hops of each caller.
    out: Vec<Vec<usize>>,
}

/// A service on the way, and which of its hops comes next.
struct Stop {
    name: usize,
    next: usize,
    /// Whether a chain went on from here.
    went_on: bool,
}

impl<'a> Web<'a> {
    fn new(hops: &'a [Hop]) -> Self {
        let all: BTreeSet<&str> = hops.iter().flat_map(|hop| [hop.caller.as_str(), hop.callee.as_str()]).collect();
        let names: Vec<&str> = all.into_iter().collect();
        let numbers: BTreeMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        let ends: Vec<(usize, usize)> =
            hops.iter().map(|hop| (numbers[hop.caller.as_str()], numbers[hop.callee.as_str()])).collect();
        let mut out = vec![Vec::new(); names.len()];
        ends.iter().enumerate().for_each(|(hop, (caller, _))| out[*caller].push(hop));
        Self { names, ends, out }
    }

    fn places(&self, from: &[String]) -> Vec<usize> {
        from.iter().filter_map(|name| self.names.binary_search(&name.as_str()).ok()).collect()
    }

    /// The services that nobody else calls; where all that lead somewhere call each other, the first by name.
    fn begins(&self, notes: &mut Vec<Note>) -> Vec<usize> {
        let called: BTreeSet<usize> =
            self.ends.iter().filter(|(caller, callee)| caller != callee).map(|(_, callee)| *callee).collect();
        let callers = || (0..self.names.len()).filter(|name| !self.out[*name].is_empty());
        let mut begins: Vec<usize> = callers().filter(|name| !called.contains(name)).collect();
        let mut reached = vec![false; self.names.len()];
        self.reach(&begins, &mut reached);
        for name in callers() {
            if !reached[name] {
                let text = format!(
                    "whoever leads to {0} is called in a circle; chains begin with {0}, the first by name",
                    self.names[name]
                );
                notes.push(Note { at: String::new(), text });
                begins.push(name);
                self.reach(&[name], &mut reached);
            }
        }
        begins.sort_unstable();
        begins
    }

    fn reach(&self, begins: &[usize], reached: &mut [bool]) {
        let mut next = begins.to_vec();
        while let Some(name) = next.pop() {
            if !std::mem::replace(&mut reached[name], true) {
                next.extend(self.out[name].iter().map(|hop| self.ends[*hop].1));
            }
        }
    }

    /// All chains, up to a number. Every turn leads to a chain, so that the work is bounded by what is found.
    fn all(&self, begins: &[usize], most: usize) -> Walked {
        let mut found = Walked::default();
        let mut circles: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut on_way = vec![false; self.names.len()];
        for begin in begins {
            let mut way: Vec<usize> = Vec::new();
            let mut stops = vec![Stop { name: *begin, next: 0, went_on: false }];
            on_way[*begin] = true;
            while let Some(stop) = stops.last_mut() {
                let Some(hop) = self.out[stop.name].get(stop.next).copied() else {
                    let ended = !stop.went_on && !way.is_empty();
                    on_way[stop.name] = false;
                    if ended {
                        found.keep(way.clone(), most);
                    }
                    stops.pop();
                    way.pop();
                    continue;
                };
                stop.next += 1;
                let callee = self.ends[hop].1;
                if on_way[callee] {
                    if circles.len() < MOST_CIRCLES {
                        circles.insert(circle(&stops, callee));
                    }
                    continue;
                }
                stop.went_on = true;
                way.push(hop);
                if found.capped {
                    break;
                }
                stops.push(Stop { name: callee, next: 0, went_on: false });
                on_way[callee] = true;
            }
            stops.iter().for_each(|stop| on_way[stop.name] = false);
        }
        found.circles =
            circles.into_iter().map(|circle| circle.iter().map(|name| self.names[*name].to_owned()).collect()).collect();
        found
    }

    /// Chains that together show every hop that can be reached, before others.
    fn every_hop_first(&self, begins: &[usize], others: Vec<Vec<usize>>, most: usize) -> Vec<Vec<usize>> {
        let to = self.ways_from(begins);
        let onward = self.ways_to_leaves();
        let mut shown = vec![false; self.ends.len()];
        let mut chains: BTreeSet<Vec<usize>> = BTreeSet::new();
        for hop in 0..self.ends.len() {
            let Some(before) = to[self.ends[hop].0].as_ref().filter(|_| !shown[hop] && chains.len() < most) else { continue };
            let mut chain = before.clone();
            let mut passed: BTreeSet<usize> = chain.iter().map(|hop| self.ends[*hop].0).collect();
            passed.insert(self.ends[hop].0);
            let mut next = Some(hop);
            while let Some(hop) = next.filter(|hop| passed.insert(self.ends[*hop].1)) {
                chain.push(hop);
                let here = self.ends[hop].1;
                let unseen = |next: &&usize| !shown[**next] && !passed.contains(&self.ends[**next].1) && !chain.contains(*next);
                next = self.out[here].iter().find(unseen).copied().or(onward[here]);
            }
            chain.iter().for_each(|hop| shown[*hop] = true);
            if !chain.is_empty() {
                chains.insert(chain);
            }
        }
        for chain in others {
            if chains.len() >= most {
                break;
            }
            chains.insert(chain);
        }
        chains.into_iter().collect()
    }

    /// The shortest way from a beginning to each service.
    fn ways_from(&self, begins: &[usize]) -> Vec<Option<Vec<usize>>> {
        let mut ways: Vec<Option<Vec<usize>>> = vec![None; self.names.len()];
        let mut next: VecDeque<usize> = begins.iter().copied().collect();
        begins.iter().for_each(|begin| ways[*begin] = Some(Vec::new()));
        while let Some(name) = next.pop_front() {
            for hop in &self.out[name] {
                let callee = self.ends[*hop].1;
                if ways[callee].is_none() {
                    let mut way = ways[name].clone().unwrap_or_default();
                    way.push(*hop);
                    ways[callee] = Some(way);
                    next.push_back(callee);
                }
            }
        }
        ways
    }

    /// The hop with which the shortest way from each service to a leaf begins.
    fn ways_to_leaves(&self) -> Vec<Option<usize>> {
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.names.len()];
        self.ends.iter().enumerate().for_each(|(hop, (_, callee))| into[*callee].push(hop));
        let mut first: Vec<Option<usize>> = vec![None; self.names.len()];
        let mut next: VecDeque<usize> = (0..self.names.len()).filter(|name| self.out[*name].is_empty()).collect();
        while let Some(name) = next.pop_front() {
            for hop in &into[name] {
                let caller = self.ends[*hop].0;
                if first[caller].is_none() {
                    first[caller] = Some(*hop);
                    next.push_back(caller);
                }
            }
        }
        first
    }
}

impl Walked {
    fn keep(&mut self, chain: Vec<usize>, most: usize) {
        if self.chains.len() < most {
            self.chains.push(chain);
        } else {
            self.capped = true;
        }
    }
}

/// The names from the one that is called again to the last, beginning with the smallest so that a circle is told once.
fn circle(stops: &[Stop], closes: usize) -> Vec<usize> {
    let mut names: Vec<usize> = stops.iter().map(|stop| stop.name).skip_while(|name| *name != closes).collect();
    let least = names.iter().enumerate().min_by_key(|(_, name)| **name).map_or(0, |(at, _)| at);
    names.rotate_left(least);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hops(pairs: &[(&str, &str)]) -> Vec<Hop> {
        let hop = |(caller, callee): &(&str, &str)| Hop {
            caller: (*caller).to_owned(),
            callee: (*callee).to_owned(),
            per_try: None,
            retries: 0,
            backoff: None,
            calls: Vec::new(),
        };
        let mut hops: Vec<Hop> = pairs.iter().map(hop).collect();
        hops.sort_by(|a, b| (&a.caller, &a.callee).cmp(&(&b.caller, &b.callee)));
        hops
    }

    fn shown(hops: &[Hop], walked: &Walked) -> Vec<String> {
        let names = |chain: &Vec<usize>| {
            let first = hops[chain[0]].caller.clone();
            std::iter::once(first).chain(chain.iter().map(|hop| hops[*hop].callee.clone())).collect::<Vec<_>>().join(" ")
        };
        walked.chains.iter().map(names).collect()
    }

    #[test]
    fn every_way_from_whoever_is_not_called() {
        let hops = hops(&[("web", "api"), ("api", "db"), ("api", "mail"), ("jobs", "db")]);
        assert_eq!(shown(&hops, &walk(&hops, &[], 9)), ["jobs db", "web api db", "web api mail"]);
        assert_eq!(shown(&hops, &walk(&hops, &["api".to_owned()], 9)), ["api db", "api mail"]);
    }

    #[test]
    fn circles_are_cut_and_told_once() {
        let hops = hops(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("e", "e"), ("x", "y"), ("y", "x")]);
        let walked = walk(&hops, &[], 9);
        assert_eq!(shown(&hops, &walked), ["a b c d", "x y"]);
        assert_eq!(walked.circles, [vec!["b", "c"], vec!["e"], vec!["x", "y"]]);
        assert_eq!(walked.notes.len(), 1, "{:?}", walked.notes);
    }

    #[test]
    fn of_too_many_chains_those_stay_that_show_every_hop() {
        let names: Vec<String> = (0..40).map(|at| format!("s{at:02}")).collect();
        let mut pairs = Vec::new();
        for caller in 0..40 {
            for callee in caller + 1..(caller + 6).min(40) {
                pairs.push((names[caller].as_str(), names[callee].as_str()));
            }
        }
        let hops = hops(&pairs);
        let walked = walk(&hops, &[], 300);
        assert!(walked.capped && walked.chains.len() == 300);
        let shown: BTreeSet<usize> = walked.chains.iter().flatten().copied().collect();
        assert_eq!(shown.len(), hops.len());
        assert!(walked.chains.iter().all(|chain| chain.windows(2).all(|pair| hops[pair[0]].callee == hops[pair[1]].caller)));
    }

    #[test]
    fn a_large_graph_ends() {
        let names: Vec<String> = (0..200).map(|at| format!("s{at:03}")).collect();
        let mut state = 7_u32;
        let mut pairs = BTreeSet::new();
        while pairs.len() < 2_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (caller, callee) = ((state >> 8) as usize % 200, (state >> 16) as usize % 200);
            pairs.insert((names[caller].as_str(), names[callee].as_str()));
        }
        let pairs: Vec<(&str, &str)> = pairs.into_iter().collect();
        let hops = hops(&pairs);
        let walked = walk(&hops, &[], 1_000);
        assert!(walked.capped && walked.chains.len() == 1_000 && !walked.circles.is_empty());
        let shown: BTreeSet<usize> = walked.chains.iter().flatten().copied().collect();
        assert!(shown.len() > 1_950, "{} of {}: all but those that close circles", shown.len(), hops.len());
    }
}
