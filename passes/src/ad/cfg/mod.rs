//! Functions with several blocks: derivatives of control-flow graphs [ZYG].
//!
//! Reading order: `normal`, the form in which both engines take a function; `forward`, forward mode; `reverse`, block
//! inversion [ZYG 3.1]; `path`, `residual` and `reach`, which it uses; `thread`, which finds block arguments for what has
//! several definitions, and `prune`, which removes those that are not needed.
//!
//! Reverse mode runs the function as it is, and then one *return block* per block, along the edges that were taken,
//! backwards. The adjoints that are alive between two blocks are arguments of return blocks. What a return block reads
//! of the primal is first a *stand-in*; what is left when the dead code is gone is a plain value, if the block that
//! defines it runs once on every path, or is handed to the exit as a block argument, if it runs at most once, or is
//! pushed on a tape.

mod dead;
mod forward;
pub mod halves;
mod normal;
mod path;
mod prune;
mod reach;
mod residual;
mod reverse;
mod thread;
mod undo;
mod unnest;

use std::collections::HashMap;

use ad_dialect::{
    blocks::{erase_blocks, hand_on, handed_on, redirect, successors},
    ir::{Blk, BlkExt, BlockKey, Op, OpExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

pub use forward::function as jvp_function;
pub use normal::normalise;
pub use reverse::function as vjp_function;
pub use unnest::{STRUCTURED, unnest};

use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    graph::{Dominators, Graph},
};

/// Whether a function has control flow between blocks; regions with several blocks become part of it.
pub fn is_graph(function: Op<'_>) -> bool {
    let blocks = function.blocks();
    blocks.len() > 1 || blocks.iter().any(|block| block.ops().into_iter().any(has_graph))
}

/// Whether an operation is a region with several blocks or structured control flow around one.
fn has_graph(op: Op<'_>) -> bool {
    let inner = || op.blocks().into_iter().flat_map(|block| block.ops());
    is_graph_region(op) || STRUCTURED.contains(&op.op_name()) && inner().any(has_graph)
}

fn is_graph_region(op: Op<'_>) -> bool {
    op.op_name() == "scf.execute_region" && op.blocks().len() > 1
}

/// Removes all that is in the body of a function.
pub fn empty(function: Op<'_>) {
    let blocks = function.blocks();
    let Some((&entry, others)) = blocks.split_first() else { return };
    entry.term().into_iter().for_each(|end| end.erase());
    erase_blocks(others);
    entry.ops().into_iter().rev().for_each(|op| op.erase());
}

/// The blocks of a function, by number, with edges to where they branch.
pub fn graph_of(function: Op<'_>) -> Graph {
    let list = function.blocks();
    let numbers = numbers(&list);
    let next = list.iter().map(|block| {
        let targets = block.term().map(successors).unwrap_or_default();
        targets.iter().filter_map(|to| numbers.get(&to.key()).copied()).collect()
    });
    Graph::new(next.collect())
}

/// The numbers of blocks in a list.
fn numbers(list: &[Blk<'_>]) -> HashMap<BlockKey, usize> {
    list.iter().enumerate().map(|(number, block)| (block.key(), number)).collect()
}

/// The blocks of a function in normal form, by number.
struct Blocks<'c> {
    list: Vec<Blk<'c>>,
    numbers: HashMap<BlockKey, usize>,
    graph: Graph,
    dominators: Dominators,
    /// The one that returns.
    exit: usize,
    /// What each block reaches by at least one edge.
    reached: Vec<Vec<bool>>,
}

impl<'c> Blocks<'c> {
    fn of(function: Op<'c>) -> Result<Self> {
        let (list, graph) = (function.blocks(), graph_of(function));
        let returns =
            |block: &Blk<'c>| block.term().is_some_and(|end| end.op_name() == "func.return");
        let Some(exit) = list.iter().position(returns) else {
            return Err(internal_error(function, "function without return"));
        };
        let dominators = graph.dominators();
        let reached = (0..list.len()).map(|block| graph.reached(block, None)).collect();
        let numbers = numbers(&list);
        Ok(Self { list, numbers, graph, dominators, exit, reached })
    }

    /// The number of the block that defines a value of the function, be it in an operation of the block.
    fn home(&self, value: Val<'c>) -> Option<usize> {
        let mut block = value.parent_block()?;
        loop {
            if let Some(&number) = self.numbers.get(&block.key()) {
                return Some(number);
            }
            block = block.parent_operation()?.block()?;
        }
    }

    /// Whether the block is on a way to the exit.
    fn returns(&self, block: usize) -> bool {
        block == self.exit || self.reached[block][self.exit]
    }

    /// Whether the block may run more than once.
    fn runs_again(&self, block: usize) -> bool {
        self.reached[block][block]
    }

    /// Whether the block runs once whenever the function returns.
    fn runs_once(&self, block: usize) -> bool {
        !self.runs_again(block) && self.dominators.dominates(block, self.exit)
    }

    /// The edges into a block: where they come from, and which edge of it it is.
    fn incoming(&self, block: usize) -> Vec<(usize, usize)> {
        let mut edges = vec![];
        let mut sources = self.graph.previous(block).to_vec();
        sources.dedup();
        for from in sources {
            let targets = self.graph.next(from).iter().enumerate();
            edges.extend(targets.filter(|(_, to)| **to == block).map(|(k, _)| (from, k)));
        }
        edges
    }

    /// What the edge of a block hands on.
    fn handed(&self, block: usize, edge: usize) -> Vec<Val<'c>> {
        let edges = self.list[block].term().map(handed_on).unwrap_or_default();
        edges.into_iter().nth(edge).unwrap_or_default()
    }
}

/// Copies a branch to a builder's position, with its edges to other blocks and other values.
fn copy_branch<'c>(
    b: &Builder<'c>,
    branch: Op<'c>,
    deciding: Option<Val<'c>>,
    edges: &[(Blk<'c>, Vec<Val<'c>>)],
) {
    let copy = branch.clone_detached();
    if let Some(deciding) = deciding {
        copy.set_operand(0, deciding);
    }
    for (k, (to, _)) in edges.iter().enumerate() {
        redirect(copy, k, *to);
    }
    b.insert(copy);
    let handed: Vec<_> = edges.iter().map(|(_, values)| values.clone()).collect();
    hand_on(b.context(), copy, &handed);
}

/// A builder in front of everything in a block.
fn at_front<'c>(context: &'c Context, block: Blk<'c>, like: &Builder<'c>) -> Builder<'c> {
    match block.ops().first() {
        Some(&first) => Builder::before(context, first, block).with_location(like.location()),
        None => Builder::at_end(context, block, like.location()),
    }
}
