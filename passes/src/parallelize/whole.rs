//! Loops that run as they were where threads would not pay.
//!
//! What is split inside of a loop becomes a branch on its size, and such branches keep the loops beside them apart:
//! nothing is fused across them. Where all of these sizes are known before the loop, one branch around the loop decides
//! whether any of them is large, and the loop that is taken if none is has no others inside.
//!
//! ```text
//! for k: if |x| f >= work then parallel .. else ..   =>   if |x| f >= work then (the same) else (for k: ..)
//! ```

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, ValueKey};
use melior::ir::{BlockLike, ValueLike};

use crate::support::{
    builder::Builder,
    combinator::constant_index,
    diag::Result,
    extent::{Extent, extent_of},
    region::is_outside,
};

/// Puts a branch around a loop: the loop where one of the conditions inside of it holds, and what it was before
/// otherwise. Nothing happens if the conditions cannot be told before the loop.
pub fn choose<'c>(
    b: &Builder<'c>,
    split: Op<'c>,
    before: Op<'c>,
    conditions: &[Val<'c>],
) -> Result<()> {
    let mut entry = Entry { b, root: split, known: HashMap::new() };
    let known: Option<Vec<_>> = conditions.iter().map(|&c| entry.value(c)).collect();
    let any = known.and_then(|all| all.into_iter().reduce(|x, y| b.same("arith.ori", &[x, y])));
    let Some(any) = any else {
        before.erase();
        return Ok(());
    };
    let results = split.result_list();
    let types: Vec<_> = results.iter().map(|result| result.r#type()).collect();
    let users: Vec<_> = results.iter().map(ValExt::uses).collect();
    let branch = b.if_else(any, &types, |b, is_large| {
        let taken = if is_large { split } else { before };
        if is_large {
            split.detach();
        }
        b.insert(taken);
        Ok(taken.result_list())
    })?;
    for (result, users) in branch.result_list().into_iter().zip(users) {
        users.into_iter().for_each(|(user, i)| user.set_operand(i, result));
    }
    Ok(())
}

/// What values in a loop are, or may be supposed to be, in front of it.
struct Entry<'a, 'c> {
    b: &'a Builder<'c>,
    root: Op<'c>,
    known: HashMap<ValueKey, Val<'c>>,
}

impl<'c> Entry<'_, 'c> {
    /// A number that sizes make; none if it depends on what the loop computes.
    fn value(&mut self, value: Val<'c>) -> Option<Val<'c>> {
        if is_outside(self.root, value) {
            return Some(value);
        }
        if let Some(&known) = self.known.get(&value.key()) {
            return Some(known);
        }
        let op = value.defining_op()?;
        let found = match op.op_name() {
            "tensor.dim" => {
                let (array, d) = op.opnd(0).zip(op.opnd(1))?;
                self.size(array, constant_index(d)? as usize)?
            }
            name if name.starts_with("arith.") => {
                let operands = op.operand_list();
                let known = operands.into_iter().map(|operand| self.value(operand));
                let known = known.collect::<Option<Vec<_>>>()?;
                let copy = op.clone_detached();
                copy.set_operands(&known);
                self.b.insert(copy);
                copy.res(value.position())?
            }
            _ => return None,
        };
        self.known.insert(value.key(), found);
        Some(found)
    }

    /// The size of an array: of one that a loop carries, its size at the beginning.
    fn size(&mut self, array: Val<'c>, d: usize) -> Option<Val<'c>> {
        match extent_of(array, d) {
            Extent::Known(number) => Some(self.b.index(number)),
            Extent::Value(value) => self.value(value),
            Extent::Dim(array, d) if is_outside(self.root, array) => Some(self.b.dim(array, d)),
            Extent::Dim(array, d) => self.size(carried_from(array)?, d),
        }
    }
}

/// What a loop starts from with a value that it carries or gives, and what a branch gives in its first block.
fn carried_from(value: Val<'_>) -> Option<Val<'_>> {
    let (op, position) = match value.defining_op() {
        Some(op) => (op, value.position()),
        None => (value.owner_block()?.parent_operation()?, value.position().checked_sub(1)?),
    };
    match op.op_name() {
        "scf.for" => op.opnd(position + 3),
        "scf.if" => op.body(0)?.term()?.opnd(position),
        _ => None,
    }
}
