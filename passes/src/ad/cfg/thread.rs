//! Values that are defined in several places, as one value per place of use.
//!
//! A *variable* is set at the end of some blocks. Where several of its values meet, a block has an argument for it: these
//! are the blocks of the iterated dominance frontier of those that set it, of which only those that are asked for get one
//! [Cytron, Ferrante, Rosen, Wegman, Zadeck, 1991]. Arguments that are the same on every edge are pruned afterwards.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    blocks::{add_argument, hand_on, handed_on, successors},
    ir::{Blk, BlkExt, BlockKey, Op, OpExt, Val},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{graph_of, numbers};
use crate::support::graph::{Dominators, Graph};

/// The blocks of a function, in which values are set and asked for. Good as long as the branches lead where they lead.
pub struct Threads<'c> {
    context: &'c Context,
    blocks: Vec<Blk<'c>>,
    numbers: HashMap<BlockKey, usize>,
    graph: Graph,
    dominators: Dominators,
    frontiers: Vec<Vec<usize>>,
}

impl<'c> Threads<'c> {
    /// The blocks of a function.
    pub fn of(context: &'c Context, function: Op<'c>) -> Self {
        let (blocks, graph) = (function.blocks(), graph_of(function));
        let numbers = numbers(&blocks);
        let dominators = graph.dominators();
        let frontiers = graph.frontiers(&dominators);
        Self { context, blocks, numbers, graph, dominators, frontiers }
    }

    /// What a variable is at the start of a block, given the values it is set to at the end of blocks, and what it is where
    /// it was not set.
    pub fn at_start(
        &self,
        sets: &[(Blk<'c>, Val<'c>)],
        default: Val<'c>,
        block: Blk<'c>,
    ) -> Val<'c> {
        let numbered =
            sets.iter().filter_map(|(block, value)| Some((self.number(*block)?, *value)));
        let sets: HashMap<_, _> = numbered.collect();
        let meets = self.meets(sets.keys().copied());
        let variable = Variable { threads: self, sets, default, meets, arguments: HashMap::new() };
        self.number(block).map_or(default, |block| variable.asked_for_at(block))
    }

    fn number(&self, block: Blk<'c>) -> Option<usize> {
        self.numbers.get(&block.key()).copied()
    }

    /// The iterated dominance frontier of some blocks.
    fn meets(&self, blocks: impl Iterator<Item = usize>) -> HashSet<usize> {
        let mut todo: Vec<_> = blocks.collect();
        let mut meets = HashSet::new();
        while let Some(block) = todo.pop() {
            todo.extend(self.frontiers[block].iter().copied().filter(|&to| meets.insert(to)));
        }
        meets
    }
}

/// A variable that is asked for.
struct Variable<'t, 'c> {
    threads: &'t Threads<'c>,
    sets: HashMap<usize, Val<'c>>,
    default: Val<'c>,
    /// The blocks where its values meet.
    meets: HashSet<usize>,
    /// The arguments for it.
    arguments: HashMap<usize, Val<'c>>,
}

impl<'c> Variable<'_, 'c> {
    fn asked_for_at(mut self, block: usize) -> Val<'c> {
        let mut todo = vec![];
        let value = self.at_start(block, &mut todo);
        while let Some(block) = todo.pop() {
            let mut sources = self.threads.graph.previous(block).to_vec();
            sources.dedup();
            for from in sources {
                let value = self.at_end(from, &mut todo);
                self.hand_on(from, block, value);
            }
        }
        value
    }

    /// What it is at the start of a block; the blocks for which this makes arguments are added to a list.
    fn at_start(&mut self, block: usize, todo: &mut Vec<usize>) -> Val<'c> {
        let mut block = block;
        while !self.meets.contains(&block) {
            let Some(above) = self.threads.dominators.above(block) else { return self.default };
            if let Some(value) = self.sets.get(&above) {
                return *value;
            }
            block = above;
        }
        *self.arguments.entry(block).or_insert_with(|| {
            todo.push(block);
            let from = self.threads.graph.previous(block).first();
            let end = from.and_then(|&from| self.threads.blocks[from].term());
            let location = end.map_or(self.default.location(), |end| end.location());
            add_argument(self.threads.blocks[block], self.default.r#type(), location)
        })
    }

    fn at_end(&mut self, block: usize, todo: &mut Vec<usize>) -> Val<'c> {
        self.sets.get(&block).copied().unwrap_or_else(|| self.at_start(block, todo))
    }

    /// Adds a value to all that the branch of one block hands on to another.
    fn hand_on(&self, from: usize, to: usize, value: Val<'c>) {
        let Some(end) = self.threads.blocks[from].term() else { return };
        let mut handed = handed_on(end);
        for (values, other) in handed.iter_mut().zip(successors(end)) {
            if other == self.threads.blocks[to] {
                values.push(value);
            }
        }
        hand_on(self.threads.context, end, &handed);
    }
}
