//! Arrays of which each iteration of a loop accesses one row, as a row that it has for itself.
//!
//! ```text
//! t = alloc n x m                               for i < n
//! for i < n                                       u = alloc m
//!   for j < m:  t[i, j] = f a[i, j]      ==>      for j < m:  u[j] = f a[i, j]
//!   for j < m:  b[i, j] = g t[i, j]               for j < m:  b[i, j] = g u[j]
//! ```
//! A row stays in the cache nearest to the processor where an array would go to memory and back.

use ad_dialect::ir::{BlkExt, Op, OpExt, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::access::Access;
use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    memory,
    region::is_within,
};

/// Gives a loop rows for the arrays that nothing else accesses.
pub fn in_loop<'c>(context: &'c Context, root: Op<'c>) {
    let mut arrays: Vec<Op<'c>> = vec![];
    root.for_each(&mut |op| {
        let array = Access::of(op).and_then(|access| access.place.base.defining_op());
        let allocation = array.filter(|op| op.op_name() == "memref.alloc");
        let Some(allocation) = allocation.filter(|op| op.block() == root.block()) else { return };
        if arrays.iter().all(|known| known.key() != allocation.key()) {
            arrays.push(allocation);
        }
    });
    for array in arrays {
        own_rows(context, root, array);
    }
}

fn own_rows<'c>(context: &'c Context, root: Op<'c>, allocation: Op<'c>) -> Option<()> {
    let (array, body) = (allocation.res(0)?, root.body(0)?);
    let number = *body.arg_list().first()?;
    answer_sizes(allocation);
    let users = array.users();
    let is_own = |user: &Op<'c>| {
        let first = usize::from(user.op_name() == "memref.store");
        let is_access =
            Access::of(*user).is_some() && user.opnd(first).is_some_and(|a| same_value(a, array));
        let index = user.opnd(first + 1);
        is_access && is_within(*user, root) && index.is_some_and(|i| same_value(i, number))
    };
    if memory::rank(array) < 2 || !users.iter().all(is_own) {
        return None;
    }
    let b = Builder::before(context, *body.ops().first()?, body);
    let known = usize::from(memory::static_size(array, 0).is_none());
    let sizes = allocation.operand_list().split_off(known);
    let row =
        memory::allocate(&b, "memref.alloc", memory::row_of(memory::array_type(array)?), &sizes);
    for user in users {
        let mut operands = user.operand_list();
        let first = usize::from(user.op_name() == "memref.store");
        operands.remove(first + 1);
        operands[first] = row;
        user.set_operands(&operands);
    }
    allocation.erase();
    Some(())
}

/// Puts the sizes that are allocated in the place of questions for them.
fn answer_sizes(allocation: Op<'_>) {
    let Some(array) = allocation.res(0) else { return };
    let asks = |op: &Op<'_>| op.op_name() == "memref.dim";
    for dim in array.users().into_iter().filter(asks) {
        let dimension = dim.opnd(1).and_then(constant_index).map(|d| d as usize);
        let is_dynamic = |d: usize| memory::static_size(array, d).is_none();
        let known = dimension.filter(|&d| d < memory::rank(array) && is_dynamic(d));
        let size = known.and_then(|d| allocation.opnd((0..d).filter(|&d| is_dynamic(d)).count()));
        if let Some((size, old)) = size.zip(dim.res(0)) {
            old.replace_all_uses(size);
            dim.erase();
        }
    }
}
