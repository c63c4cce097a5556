//! Where an accumulator is updated, and what its indices are there.
//!
//! An accumulator is one thread of values: it is handed into maps, branches and
//! loops and comes out again. From an update the thread leads back to the
//! `soac.with_acc` that it started from, and the operations around the update are its
//! nest.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    combinator::is_iota,
    region::{free_values, is_outside},
};

/// A map around an update.
#[derive(Clone, Copy)]
pub struct Level<'c> {
    /// The map.
    pub map: Op<'c>,
    /// Its body.
    pub body: Blk<'c>,
}

/// A scope around an update, outermost first in a path.
#[derive(Clone, Copy)]
pub enum Scope<'c> {
    /// A map: the body runs once per iteration.
    Map(Level<'c>),
    /// A branch, by its number.
    Branch(Op<'c>, usize),
    /// Another `soac.with_acc`: the body runs once.
    Once(Op<'c>),
    /// A branch, by its number, of which it is known in front of the nest whether it runs.
    Known(Op<'c>, usize),
}

impl<'c> Scope<'c> {
    /// The operation of the scope.
    pub fn op(&self) -> Op<'c> {
        match self {
            Scope::Map(level) => level.map,
            Scope::Branch(op, _) | Scope::Known(op, _) | Scope::Once(op) => *op,
        }
    }

    /// The map, if the scope is one.
    pub fn level(&self) -> Option<Level<'c>> {
        match self {
            Scope::Map(level) => Some(*level),
            _ => None,
        }
    }

    /// The block that the scope runs.
    pub fn block(&self) -> Option<Blk<'c>> {
        match self {
            Scope::Map(level) => Some(level.body),
            Scope::Branch(op, branch) | Scope::Known(op, branch) => op.body(*branch),
            Scope::Once(op) => op.body(0),
        }
    }
}

/// What one index of an update is.
#[derive(Clone)]
pub enum Index<'c> {
    /// The iteration number of a level, plus values that no level changes.
    Iteration(usize, Vec<Val<'c>>),
    /// The same in every iteration.
    Constant(Val<'c>),
}

/// An update of an accumulator and the nest that it runs in.
#[derive(Clone)]
pub struct Site<'c> {
    /// The update.
    pub update: Op<'c>,
    /// The scopes between the `soac.with_acc` and the update.
    pub path: Vec<Scope<'c>>,
    /// One for every index of the update.
    pub indices: Vec<Index<'c>>,
    /// What is added.
    pub value: Val<'c>,
}

/// Why an accumulator stays.
pub type Reason = &'static str;

impl<'c> Site<'c> {
    /// Finds out about an update below `root`.
    pub fn new(root: Op<'c>, update: Op<'c>) -> Result<Self, Reason> {
        let operands = update.operand_list();
        let Some((&value, rest)) = operands.split_last() else { return Err(MALFORMED) };
        let path = path(root, update)?;
        let mut site = Site { update, path, indices: vec![], value };
        let mut taken = HashSet::new();
        for &index in rest.get(1..).unwrap_or_default() {
            let found = site.classify(root, index)?;
            if let Index::Iteration(level, _) = found
                && !taken.insert(level)
            {
                return Err("two of its indices depend on the same map");
            }
            site.indices.push(found);
        }
        Ok(site)
    }

    /// The maps around the update, outermost first.
    pub fn levels(&self) -> Vec<Level<'c>> {
        self.path.iter().filter_map(|scope| scope.level()).collect()
    }

    /// The level whose iteration number is an index, in the order of the indices.
    pub fn index_levels(&self) -> Vec<usize> {
        let levels = self.indices.iter().filter_map(|index| match index {
            Index::Iteration(level, _) => Some(*level),
            Index::Constant(_) => None,
        });
        levels.collect()
    }

    /// The levels that no index depends on.
    pub fn invariant_levels(&self) -> Vec<usize> {
        let indexed = self.index_levels();
        (0..self.levels().len()).filter(|level| !indexed.contains(level)).collect()
    }

    fn classify(&self, root: Op<'c>, index: Val<'c>) -> Result<Index<'c>, Reason> {
        let levels = self.levels();
        let (mut iterations, mut rest) = (vec![], vec![]);
        let mut terms = vec![index];
        while let Some(term) = terms.pop() {
            if let Some(level) = iteration_of(&levels, term) {
                iterations.push(level);
            } else if is_outside(root, term) || is_constant(term) {
                rest.push(term);
            } else if let Some(sum) = term.defining_op().filter(|op| op.op_name() == "arith.addi") {
                terms.extend(sum.operand_list());
            } else {
                return Err("an index is read or computed");
            }
        }
        match (iterations.as_slice(), rest.as_slice()) {
            ([], [constant]) => Ok(Index::Constant(*constant)),
            ([level], _) => Ok(Index::Iteration(*level, rest)),
            _ => Err("an index is read or computed"),
        }
    }
}

/// What must not happen.
pub const MALFORMED: Reason = "the operation is malformed";

/// The scopes between `root` and an operation inside of it, outermost first.
pub fn path<'c>(root: Op<'c>, inner: Op<'c>) -> Result<Vec<Scope<'c>>, Reason> {
    let mut path = vec![];
    let mut here = inner;
    loop {
        let (Some(parent), Some(block)) = (here.parent(), here.block()) else {
            return Err(MALFORMED);
        };
        if parent.key() == root.key() {
            path.reverse();
            return Ok(path);
        }
        path.push(match parent.op_name() {
            "soac.map" => Scope::Map(Level { map: parent, body: block }),
            "soac.with_acc" => Scope::Once(parent),
            "scf.if" => {
                let is_then = parent.body(0) == Some(block);
                Scope::Branch(parent, usize::from(!is_then))
            }
            "scf.for" | "scf.while" => {
                return Err("a sequential loop around the update carries other values");
            }
            _ => return Err("the operation around the update is not a map"),
        });
        here = parent;
    }
}

/// The level that the value is the iteration number of.
pub fn iteration_of(levels: &[Level<'_>], value: Val<'_>) -> Option<usize> {
    let value = match value.defining_op() {
        Some(cast) if cast.op_name() == "arith.index_cast" => cast.opnd(0)?,
        Some(_) => return None,
        None => value,
    };
    let owner = value.owner_block()?;
    let level = levels.iter().position(|level| level.body == owner)?;
    let input = levels.get(level)?.map.opnd(value.position())?;
    is_iota(input).then_some(level)
}

fn is_constant(value: Val<'_>) -> bool {
    value.defining_op().is_some_and(|op| op.op_name() == "arith.constant")
}

/// The values inside of a `soac.with_acc` that something needs besides some updates:
/// other updates, and what the body yields.
pub fn needed_besides(root: Op<'_>, skip: &HashSet<OpKey>) -> HashSet<ValueKey> {
    let mut needed = HashSet::new();
    let mut open = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == "soac.update_acc" && !skip.contains(&op.key()) {
            open.extend(op.operand_list().into_iter().skip(1));
            let mut around = op.parent();
            while let Some(scope) = around.filter(|scope| scope.key() != root.key()) {
                if scope.op_name() != "soac.map" {
                    open.extend(scope.operand_list());
                }
                around = scope.parent();
            }
        }
    });
    let yielded = root.body(0).and_then(|body| body.term()).map(|end| end.operand_list());
    let further = yielded.unwrap_or_default();
    open.extend(further.into_iter().skip(root.operand_count()));
    while let Some(value) = open.pop() {
        if value.r#type().is_acc() || is_outside(root, value) || !needed.insert(value.key()) {
            continue;
        }
        needs(value, &mut open);
    }
    needed
}

/// Adds what a value is made of.
fn needs<'c>(value: Val<'c>, open: &mut Vec<Val<'c>>) {
    let position = value.position();
    let Some(op) = value.defining_op() else {
        let parent = value.owner_block();
        let parent = parent.and_then(|block| melior::ir::BlockLike::parent_operation(&block));
        match parent {
            Some(map) if map.op_name() == "soac.map" => open.extend(map.opnd(position)),
            Some(other) => open.extend(other.operand_list()),
            None => {}
        }
        return;
    };
    match op.op_name() {
        "soac.map" | "soac.with_acc" => {
            open.extend(op.body(0).and_then(|body| body.term()).and_then(|end| end.opnd(position)));
        }
        _ => {
            open.extend(op.operand_list());
            open.extend(free_values(&op.blocks()));
        }
    }
}
