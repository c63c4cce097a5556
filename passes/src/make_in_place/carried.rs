//! Arrays that a loop carries, and that each iteration copies to a row of its own first.
//!
//! ```text
//! for t < n (s = s0) {                 for t < n (s = s0, here = false) {
//!   copy s, T[t]                         if !here { copy s, T[t] }
//!   x = alloc m                    ==>   next = t + 1 < n && m fits
//!   ... s ... x ...                      x = if next { T[t + 1] } else { alloc m }
//!   yield x                              ... s ... x ...;  yield x, next
//! }                                    }
//! ```
//! The last iteration has no row to put its array in. If an array is not as large as a row, its iteration says so before it
//! is copied, as before.

use ad_dialect::{
    blocks::add_argument,
    ir::{BlkExt, Op, OpExt, ValExt},
};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::{
    row::{Row, is_plain},
    uses::{Use, accesses_of_all, only_reads, uses_of},
};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT, same_value},
    combinator::{BOUNDS, constant_index},
    extent::{Extent, extent_of_value},
    memory::{self, part},
    region::{ValueMap, clone_op, is_outside, is_within, with_more, yield_more},
};

/// An array that a loop carries.
pub struct Carried<'c> {
    around: Op<'c>,
    copy: Op<'c>,
    row: Row<'c>,
    /// What allocates the array for the next iteration.
    next: Op<'c>,
}

impl<'c> Carried<'c> {
    /// That of a copy.
    pub fn of(copy: Op<'c>) -> Option<Self> {
        let (block, array) = (copy.block()?, copy.opnd(0)?);
        let around = block.parent_operation().filter(|op| op.op_name() == "scf.for")?;
        let position = array.position().checked_sub(1)?;
        if array.defining_op().is_some() || array.owner_block() != Some(block) {
            return None;
        }
        let row = Row::of(copy.opnd(1)?.defining_op()?)?;
        let iv = *block.arg_list().first()?;
        let is_step_by_step = around.opnd(2).and_then(constant_index) == Some(1);
        let is_own = row.number == Extent::Value(iv) && is_outside(around, row.whole.res(0)?);
        if !is_step_by_step || !is_own || around.operand_count() <= BOUNDS {
            return None;
        }
        let next = block.ends().get(position)?.defining_op()?;
        let is_end = |it: Use<'c>| block.term().is_some_and(|end| end.key() == it.op.key());
        let made = next.res(0)?;
        uses_of(made, is_end)?;
        let yields = block.ends().into_iter().filter(|end| same_value(*end, made)).count();
        let is_next = is_plain(next) && next.block() == Some(block) && yields == 1;
        let reads = uses_of(array, |_| false)?;
        let mut accesses = reads.into_iter().filter(Use::is_access);
        let is_only_read = accesses.all(only_reads);
        let others =
            accesses_of_all(row.whole)?.into_iter().filter(|user| is_within(*user, around));
        let is_alone = { others }.all(|user| user.key() == copy.key());
        (is_next && is_only_read && is_alone).then_some(Self { around, copy, row, next })
    }

    /// Makes the array for the next iteration in its row.
    pub fn make(mut self, context: &'c Context) -> Option<()> {
        let block = self.copy.block()?;
        let bytes = self.row.bytes(context)?;
        let iv = *block.arg_list().first()?;
        let before = Builder::before(context, self.around, self.around.block()?);
        let around = with_more(context, self.around, &[before.truth(false)], &[before.bool_type()]);
        let is_here = add_argument(block, before.bool_type(), around.location());

        let b = Builder::before(context, self.copy, block);
        b.if_else(b.not(is_here), &[], |b, is_missing| {
            if is_missing {
                self.copy.detach();
                b.insert(self.copy);
            }
            Ok(vec![])
        })
        .ok()?;

        let b = Builder::before(context, self.next, block);
        let number = b.add(iv, b.index(1));
        let mut is_next = b.compare(CMP_SLT, number, around.opnd(1)?);
        let array = self.next.res(0)?;
        let mut dynamic = self.next.operand_list().into_iter();
        for (d, size) in self.row.row_sizes().iter().enumerate() {
            let own = match memory::static_size(array, d) {
                Some(size) => b.index(size),
                None => dynamic.next()?,
            };
            if extent_of_value(own) != *size {
                let fits = b.compare(CMP_EQ, own, size.value(&b));
                is_next = b.same("arith.andi", &[is_next, fits]);
            }
        }
        let made = b
            .if_else(is_next, &[array.r#type()], |b, is_next| {
                if is_next {
                    let start = self.row.start(&b, number);
                    return Ok(part(&b, self.next, bytes, start).into_iter().collect());
                }
                Ok(clone_op(&b, self.next, &mut ValueMap::new()).result_list())
            })
            .ok()?;
        array.replace_all_uses(made.res(0)?);
        self.next.erase();
        yield_more(block, &[is_next]);
        Some(())
    }
}
