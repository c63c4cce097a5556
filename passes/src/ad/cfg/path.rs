//! Which path was taken [ZYG 3.1].
//!
//! A block that several edges lead to is told by which one it was entered. The header of a loop with one way in and one
//! way back counts instead how often it was come back to.

use melior::ir::{Type, r#type::IntegerType};

use super::Blocks;
use crate::support::builder::Builder;

/// How a return block finds the edge that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// There is one edge at most.
    None,
    /// By the number of the edge, which the block is given as a last argument.
    Edge(usize),
    /// By the number of times that the edge back, of two, has been taken.
    Count {
        /// The position of the edge back among those into the block.
        back: usize,
        /// The blocks of the loop.
        inside: Vec<bool>,
    },
}

impl Record {
    /// What the record of a block is.
    pub fn of(blocks: &Blocks<'_>, block: usize) -> Self {
        let edges = blocks.incoming(block);
        if edges.len() < 2 {
            return Record::None;
        }
        let is_back = |edge: &(usize, usize)| blocks.dominators.dominates(block, edge.0);
        match (edges.len(), edges.iter().position(is_back)) {
            (2, Some(back)) if edges.iter().filter(|edge| is_back(edge)).count() == 1 => {
                Record::Count { back, inside: inside(blocks, block, edges[back].0) }
            }
            (count, _) => Record::Edge(count),
        }
    }

    /// The type of the argument, if there is one.
    pub fn r#type<'c>(&self, b: &Builder<'c>) -> Option<Type<'c>> {
        match self {
            Record::None => None,
            Record::Edge(2) => Some(b.bool_type()),
            Record::Edge(_) => Some(IntegerType::new(b.context(), 32).into()),
            Record::Count { .. } => Some(b.index_type()),
        }
    }
}

/// The blocks of the loop with a header and the origin of its edge back: those that reach it without the header.
fn inside(blocks: &Blocks<'_>, header: usize, latch: usize) -> Vec<bool> {
    let mut inside = vec![false; blocks.list.len()];
    inside[header] = true;
    let mut todo = vec![latch];
    while let Some(block) = todo.pop() {
        if !std::mem::replace(&mut inside[block], true) {
            todo.extend(blocks.graph.previous(block));
        }
    }
    inside
}
