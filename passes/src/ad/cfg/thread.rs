//! Values that are defined in several places, as one value per place of use.
//!
//! A *variable* is set at the end of some blocks. What it is at the start of a block is what it is at the end of the
//! blocks before, or an argument of the block where these differ. The arguments come first and are pruned afterwards.

use std::collections::HashMap;

use ad_dialect::{
    blocks::{add_argument, hand_on, handed_on, successors},
    ir::{Blk, BlkExt, Op, OpExt, Val},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

/// The edges into the blocks of a function, each with the branch and which edge of it it is.
struct Incoming<'c> {
    edges: HashMap<usize, Vec<(Blk<'c>, Op<'c>, usize)>>,
}

impl<'c> Incoming<'c> {
    fn of(function: Op<'c>) -> Self {
        let mut edges: HashMap<usize, Vec<_>> = HashMap::new();
        for block in function.blocks() {
            let Some(end) = block.term() else { continue };
            for (k, to) in successors(end).into_iter().enumerate() {
                edges.entry(key(to)).or_default().push((block, end, k));
            }
        }
        Self { edges }
    }

    fn of_block(&self, block: Blk<'c>) -> Vec<(Blk<'c>, Op<'c>, usize)> {
        self.edges.get(&key(block)).cloned().unwrap_or_default()
    }
}

fn key(block: Blk<'_>) -> usize {
    block.to_raw().ptr as usize
}

/// What a variable is at the start of a block, given the values it is set to at the end of blocks, and what it is where
/// it was not set.
pub fn at_start<'c>(
    context: &'c Context,
    function: Op<'c>,
    sets: &[(Blk<'c>, Val<'c>)],
    default: Val<'c>,
    block: Blk<'c>,
) -> Val<'c> {
    let sets = sets.iter().map(|(block, value)| (key(*block), *value)).collect();
    let incoming = Incoming::of(function);
    Threads { context, incoming, sets, default, starts: HashMap::new() }.at_start(block)
}

struct Threads<'c> {
    context: &'c Context,
    incoming: Incoming<'c>,
    sets: HashMap<usize, Val<'c>>,
    default: Val<'c>,
    /// What is known.
    starts: HashMap<usize, Val<'c>>,
}

impl<'c> Threads<'c> {
    /// Works with a list of what is to be done, because a function may have thousands of blocks in a row.
    fn at_start(&mut self, block: Blk<'c>) -> Val<'c> {
        let mut todo = vec![block];
        let mut arguments = vec![];
        while let Some(&block) = todo.last() {
            if self.starts.contains_key(&key(block)) {
                todo.pop();
                continue;
            }
            match &self.incoming.of_block(block)[..] {
                [] => {
                    self.starts.insert(key(block), self.default);
                }
                &[(from, ..)] => match self.at_end(from) {
                    Some(value) => {
                        self.starts.insert(key(block), value);
                    }
                    None => todo.push(from),
                },
                edges => {
                    let location = edges[0].1.location();
                    let argument = add_argument(block, self.default.r#type(), location);
                    self.starts.insert(key(block), argument);
                    arguments.push(block);
                    todo.extend(
                        edges
                            .iter()
                            .map(|(from, ..)| *from)
                            .filter(|from| !self.sets.contains_key(&key(*from))),
                    );
                }
            }
        }
        for block in arguments {
            for (from, end, k) in self.incoming.of_block(block) {
                let value = self.at_end(from).unwrap_or(self.default);
                let mut handed = handed_on(end);
                handed[k].push(value);
                hand_on(self.context, end, &handed);
            }
        }
        self.starts.get(&key(block)).copied().unwrap_or(self.default)
    }

    fn at_end(&self, block: Blk<'c>) -> Option<Val<'c>> {
        self.sets.get(&key(block)).or_else(|| self.starts.get(&key(block))).copied()
    }
}
