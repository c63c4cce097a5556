//! Questions about directed graphs with an entry, such as those of the blocks of a function.

use std::{collections::HashSet, ops::Range};

/// A graph with nodes `0 .. n`, of which 0 is the entry. An edge may be there several times.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    next: Vec<Vec<usize>>,
    previous: Vec<Vec<usize>>,
}

impl Graph {
    /// The graph with, for each node, where its edges lead.
    pub fn new(next: Vec<Vec<usize>>) -> Self {
        let mut previous = vec![vec![]; next.len()];
        for (node, targets) in next.iter().enumerate() {
            for &to in targets {
                previous[to].push(node);
            }
        }
        Self { next, previous }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// Where the edges of a node lead.
    pub fn next(&self, node: usize) -> &[usize] {
        &self.next[node]
    }

    /// Where the edges into a node come from.
    pub fn previous(&self, node: usize) -> &[usize] {
        &self.previous[node]
    }

    /// The graph with all edges turned round and another entry, which becomes node 0: node `i` is the old node `names[i]`.
    /// Only what the new entry reaches is in it.
    pub fn reversed(&self, entry: usize) -> (Self, Vec<usize>) {
        let turned = Self { next: self.previous.clone(), previous: self.next.clone() };
        let names = turned.order_from(entry);
        let mut number = vec![usize::MAX; self.len()];
        names.iter().enumerate().for_each(|(i, &node)| number[node] = i);
        let next = names.iter().map(|&node| {
            let targets = self.previous[node].iter().map(|&to| number[to]);
            targets.filter(|&to| to != usize::MAX).collect()
        });
        (Self::new(next.collect()), names)
    }

    /// The nodes that the entry reaches, each before all that are reached from it but along retreating edges: the
    /// reverse of the order in which a depth-first search leaves them.
    pub fn order(&self) -> Vec<usize> {
        self.order_from(0)
    }

    fn order_from(&self, entry: usize) -> Vec<usize> {
        let mut left = vec![];
        let mut seen = vec![false; self.len()];
        if entry >= self.len() {
            return left;
        }
        seen[entry] = true;
        let mut path = vec![(entry, 0)];
        while let Some((node, edge)) = path.pop() {
            match self.next[node].get(edge) {
                Some(&to) => {
                    path.push((node, edge + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => left.push(node),
            }
        }
        left.reverse();
        left
    }

    /// What a node reaches by at least one edge, through nodes other than `without`, at which it stops.
    pub fn reached(&self, from: usize, without: Option<usize>) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            for &to in &self.next[node] {
                if !std::mem::replace(&mut seen[to], true) && Some(to) != without {
                    todo.push(to);
                }
            }
        }
        seen
    }

    /// Who dominates whom.
    pub fn dominators(&self) -> Dominators {
        let order = self.order();
        let mut number = vec![usize::MAX; self.len()];
        order.iter().enumerate().for_each(|(i, &node)| number[node] = i);
        // By Cooper, Harvey and Kennedy: above[i] is the number of what dominates order[i] immediately.
        let mut above: Vec<Option<usize>> = vec![None; order.len()];
        if let Some(entry) = above.first_mut() {
            *entry = Some(0);
        }
        let mut changes = true;
        while changes {
            changes = false;
            for i in 1..order.len() {
                let known = self.previous[order[i]].iter().map(|&node| number[node]);
                let known = known.filter(|&p| p != usize::MAX && above[p].is_some());
                let common = known.reduce(|a, b| meet(&above, a, b));
                if common != above[i] {
                    above[i] = common;
                    changes = true;
                }
            }
        }
        let mut immediate = vec![None; self.len()];
        for i in 1..order.len() {
            immediate[order[i]] = above[i].map(|p| order[p]);
        }
        // Those that a node dominates have the numbers after its own.
        let mut counts = vec![1; self.len()];
        for &node in order.iter().rev() {
            if let Some(upper) = immediate[node] {
                counts[upper] += counts[node];
            }
        }
        let mut dominated = vec![0..0; self.len()];
        let mut free = vec![1; self.len()];
        for &node in &order {
            let first = immediate[node].map_or(0, |upper: usize| free[upper]);
            dominated[node] = first..first + counts[node];
            free[node] = first + 1;
            if let Some(upper) = immediate[node] {
                free[upper] += counts[node];
            }
        }
        Dominators { immediate, dominated }
    }

    /// The dominance frontier of each node: where what it dominates ends, the nodes that it does not dominate strictly, but
    /// of which it dominates one that an edge comes from.
    pub fn frontiers(&self, dominators: &Dominators) -> Vec<Vec<usize>> {
        let mut frontiers: Vec<Vec<usize>> = vec![vec![]; self.len()];
        for node in 0..self.len() {
            let end = dominators.above(node);
            for &from in &self.previous[node] {
                let mut at = Some(from).filter(|_| dominators.is_reached(from));
                while let Some(other) = at.filter(|_| at != end) {
                    if frontiers[other].last() != Some(&node) {
                        frontiers[other].push(node);
                    }
                    at = dominators.above(other);
                }
            }
        }
        frontiers
    }

    /// How deep in loops each node is. A loop is a strongly connected part, and the loops in it are those that are
    /// left when the nodes are gone through which it is entered; so there is an answer for loops with several entries.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.len()];
        let mut todo = vec![(self.order(), 0)];
        while let Some((nodes, depth)) = todo.pop() {
            for part in self.cycles(&nodes) {
                part.iter().for_each(|&node| depths[node] = depth + 1);
                let members: HashSet<_> = part.iter().copied().collect();
                let is_in = |node: &usize| members.contains(node);
                let is_entry = |node: &usize| *node == 0 || !self.previous[*node].iter().all(is_in);
                let inner: Vec<_> = part.iter().copied().filter(|node| !is_entry(node)).collect();
                if inner.len() < part.len() {
                    todo.push((inner, depth + 1));
                }
            }
        }
        depths
    }

    /// The strongly connected parts with cycles, of the graph of some nodes: each in the order of the list, and one after
    /// the other as their first nodes are in it.
    pub fn cycles(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let mut place = vec![usize::MAX; self.len()];
        nodes.iter().enumerate().for_each(|(i, &node)| place[node] = i);
        let parts = Parts::of(self, nodes, &place).found;
        let is_cycle = |part: &Vec<usize>| part.len() > 1 || self.next[part[0]].contains(&part[0]);
        let mut cycles: Vec<_> = parts.into_iter().filter(is_cycle).collect();
        cycles.iter_mut().for_each(|part| part.sort_unstable_by_key(|&node| place[node]));
        cycles.sort_unstable_by_key(|part| place[part[0]]);
        cycles
    }
}

/// The strongly connected parts of the graph of some nodes, by Tarjan.
struct Parts {
    found: Vec<Vec<usize>>,
    /// The number of each node in the order in which they are met, the lowest one on the stack that it reaches, and
    /// whether it is on the stack.
    numbers: Vec<usize>,
    lowest: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
}

impl Parts {
    fn of(graph: &Graph, nodes: &[usize], place: &[usize]) -> Self {
        let mut parts = Self {
            found: vec![],
            numbers: vec![usize::MAX; graph.len()],
            lowest: vec![0; graph.len()],
            is_open: vec![false; graph.len()],
            open: vec![],
        };
        let mut count = 0;
        for &root in nodes {
            if parts.numbers[root] != usize::MAX {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((node, edge)) = path.pop() {
                if edge == 0 {
                    parts.meet(node, count);
                    count += 1;
                }
                match graph.next[node].get(edge) {
                    Some(&to) => {
                        path.push((node, edge + 1));
                        if place[to] == usize::MAX {
                            continue;
                        }
                        if parts.numbers[to] == usize::MAX {
                            path.push((to, 0));
                        } else if parts.is_open[to] {
                            parts.lowest[node] = parts.lowest[node].min(parts.numbers[to]);
                        }
                    }
                    None => {
                        parts.leave(node);
                        if let Some(&(above, _)) = path.last() {
                            parts.lowest[above] = parts.lowest[above].min(parts.lowest[node]);
                        }
                    }
                }
            }
        }
        parts
    }

    fn meet(&mut self, node: usize, number: usize) {
        (self.numbers[node], self.lowest[node]) = (number, number);
        self.is_open[node] = true;
        self.open.push(node);
    }

    /// Closes the part that a node is the first one of.
    fn leave(&mut self, node: usize) {
        if self.lowest[node] != self.numbers[node] {
            return;
        }
        let first = self.open.iter().rposition(|&other| other == node).unwrap_or(0);
        let part = self.open.split_off(first);
        part.iter().for_each(|&other| self.is_open[other] = false);
        self.found.push(part);
    }
}

/// Who dominates whom; nodes that the entry does not reach dominate nothing.
#[derive(Clone, Debug)]
pub struct Dominators {
    immediate: Vec<Option<usize>>,
    /// The numbers of the nodes that each dominates, its own first; none where the entry does not reach it.
    dominated: Vec<Range<usize>>,
}

impl Dominators {
    /// The closest other node that every path from the entry to a node goes through.
    pub fn above(&self, node: usize) -> Option<usize> {
        self.immediate[node]
    }

    /// Whether the entry reaches a node.
    pub fn is_reached(&self, node: usize) -> bool {
        !self.dominated[node].is_empty()
    }

    /// Whether every path from the entry to `node` goes through `upper`, as it does if they are the same.
    pub fn dominates(&self, upper: usize, node: usize) -> bool {
        let number = self.dominated[node].start;
        upper == node || self.is_reached(node) && self.dominated[upper].contains(&number)
    }
}

/// The closest common dominator of two nodes, by their numbers in the order.
fn meet(above: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let deeper = if a > b { &mut a } else { &mut b };
        *deeper = above[*deeper].unwrap_or(0);
    }
    a
}
