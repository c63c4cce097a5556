//! Branches that each fill a new array fill one.
//!
//! ```text
//! if c then (f (empty n)) else (g (empty n))  =>  e = empty n in if c then (f e) else (g e)
//! ```
//! Only one branch runs, so that the two never meet; and the result is that one buffer, where
//! otherwise which buffer it is would be known only when the program runs.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, ValueKey, i32_array};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::slots::fill_in_place;
use crate::support::{
    builder::same_value,
    combinator::start_of,
    region::{are_exclusive, is_outside},
};

/// Gives the branches of every `scf.if` common destinations: those that their results are inserted into, if they are.
pub fn share<'c>(context: &'c Context, module: Op<'c>) {
    let mut branches = vec![];
    collect(module, &mut branches);
    for result in branches.into_iter().flat_map(|op| op.result_list()) {
        if let Some(shared) = share_one(result) {
            fill_in_place(context, result, shared);
        }
    }
}

/// All branches in order, each after those inside of it.
fn collect<'c>(root: Op<'c>, branches: &mut Vec<Op<'c>>) {
    let inner = root.blocks().into_iter().flat_map(|block| block.ops());
    inner.for_each(|op| collect(op, branches));
    if root.op_name() == "scf.if" {
        branches.push(root);
    }
}

fn share_one<'c>(result: Val<'c>) -> Option<Op<'c>> {
    let branch = result.defining_op()?;
    let yielded = |k: usize| branch.body(k)?.term()?.opnd(result.position());
    let mut origins = Origins { branch, known: HashMap::new() };
    let [then, other] = [0, 1].map(|k| yielded(k).and_then(|value| origins.of(value)));
    let (then, other) = (then?, other?);
    let (sizes, same) = (then.operand_list(), other.operand_list());
    let fits = then.res(0)?.r#type() == other.res(0)?.r#type()
        && sizes.iter().all(|&size| is_outside(branch, size))
        && sizes.len() == same.len()
        && sizes.iter().zip(&same).all(|(&a, &b)| same_value(a, b));
    let block = branch.block().filter(|_| fits)?;
    let shared = then.clone_detached();
    block.insert_before(branch, shared);
    for old in [then, other] {
        old.res(0)?.replace_all_uses(shared.res(0)?);
        old.erase();
    }
    Some(shared)
}

/// What is found inside of a branch. Each value is looked at once, however many ways lead to it.
struct Origins<'c> {
    branch: Op<'c>,
    known: HashMap<ValueKey, Option<Op<'c>>>,
}

impl<'c> Origins<'c> {
    /// The new array of the branch that a value is written into, step by step, if nothing else is.
    fn of(&mut self, value: Val<'c>) -> Option<Op<'c>> {
        if let Some(&known) = self.known.get(&value.key()) {
            return known;
        }
        let found = value.defining_op().filter(|_| !is_outside(self.branch, value));
        let found = found.and_then(|op| self.of_definition(op, value.position()));
        self.known.insert(value.key(), found);
        found
    }

    fn of_definition(&mut self, op: Op<'c>, position: usize) -> Option<Op<'c>> {
        let written = match op.op_name() {
            "tensor.empty" => {
                let users = op.res(0)?.users();
                let is_alone =
                    |k: usize| users[k + 1..].iter().all(|user| are_exclusive(users[k], *user));
                return (0..users.len()).all(is_alone).then_some(op);
            }
            // Branches that share an array.
            "scf.if" => {
                let yielded = |k: usize| op.body(k)?.term()?.opnd(position);
                let [then, other] = [0, 1].map(|k| yielded(k).and_then(|value| self.of(value)));
                return then.filter(|then| other.is_some_and(|other| other.key() == then.key()));
            }
            "tensor.insert" | "tensor.insert_slice" => 1,
            "scf.for" | "scf.forall" => return self.of(start_of(op, position)?),
            name if name.starts_with("linalg.") => {
                let inputs = i32_array(op.attr("operandSegmentSizes")?)?.first().copied()?;
                usize::try_from(inputs).ok()? + position
            }
            _ => return None,
        };
        self.of(op.opnd(written)?)
    }
}
