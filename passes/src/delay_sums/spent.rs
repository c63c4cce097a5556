//! Rows that nothing but a product reads are kept where the loop has read something for the last time.
//!
//! ```text
//! for t < n (S) { z = Z[m - t]; d = f z; S' = S + X[m - t]^T d }
//!         ==>
//! for t < n (S, D = Z) { z = D[m - t]; d = f z; S' = S + X[m - t]^T d; D' = D with [m - t] = d }
//! ```
//! That is what a return loop does with the products that the loop on the way forwards has saved: their cotangents are as
//! large, and no other array is needed for all of them.
//!
//! Requires that the array is one that a loop has filled, of which nothing else reads than this row in each iteration.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::{Factor, added_product, is_row};
use crate::support::{
    builder::Builder,
    combinator::BOUNDS,
    extent::extent_of,
    position::{Position, positions},
    region::{is_outside, with_more, yield_more},
};

/// Has a loop keep the rows that products it adds up would need behind it, as far as there is room; returns the loop that it
/// is then.
pub fn keep_rows<'c>(context: &'c Context, around: Op<'c>) -> Op<'c> {
    let mut around = around;
    for position in 0..around.result_count() {
        if let Some(row) = unkept(around, position)
            && let Some((slice, index)) = spent(around, row)
        {
            around = keep(context, around, row, (slice, index));
        }
    }
    around
}

/// The one factor of a product that is not there behind the loop.
fn unkept<'c>(around: Op<'c>, position: usize) -> Option<Val<'c>> {
    let (_, structured) = added_product(around, position)?;
    let body = around.body(0)?;
    let (mut lacking, mut rows) = (vec![], 0);
    for &input in &structured.inputs {
        match Factor::of(around, body, input) {
            None => lacking.push(input),
            Some(Factor::Rows(_)) => rows += 1,
            Some(Factor::Same(_)) => {}
        }
    }
    let [row] = lacking[..] else { return None };
    (rows > 0 && row.parent_block() == Some(body)).then_some(row)
}

/// What reads the row of an array that nothing reads later, and the index, where a row like the given one has room.
fn spent<'c>(around: Op<'c>, row: Val<'c>) -> Option<(Op<'c>, Val<'c>)> {
    let body = around.body(0)?;
    let rank = row.r#type().shape().len();
    body.body_ops().into_iter().find_map(|slice| {
        let array = slice.opnd(0).filter(|_| slice.op_name() == "tensor.extract_slice")?;
        let read = slice.res(0).filter(|read| read.r#type() == row.r#type())?;
        let is_as_large = (0..rank).all(|d| extent_of(read, d) == extent_of(row, d));
        let reads = array.users().into_iter().filter(|user| user.op_name() != "tensor.dim");
        let is_spent = is_outside(around, array)
            && is_new(array)
            && is_row(around, slice, array, read)
            && reads.count() == 1;
        let Position::At(index) = positions(slice)?.into_iter().next()?? else { return None };
        (is_as_large && is_spent).then_some((slice, index))
    })
}

/// Whether a loop has filled an array that there was not before.
fn is_new(array: Val<'_>) -> bool {
    let filled = array.defining_op().filter(|op| op.op_name() == "scf.for");
    let start = filled.and_then(|op| op.opnd(BOUNDS + array.position())?.defining_op());
    start.is_some_and(|op| op.op_name() == "tensor.empty")
}

/// Carries the array through the loop, and puts the row where another one has been read.
fn keep<'c>(
    context: &'c Context,
    around: Op<'c>,
    row: Val<'c>,
    (slice, index): (Op<'c>, Val<'c>),
) -> Op<'c> {
    let (Some(array), Some(body)) = (slice.opnd(0), around.body(0)) else { return around };
    let new = with_more(context, around, &[array], &[array.r#type()]);
    let own = body.add_argument(array.r#type(), new.location());
    slice.set_operand(0, own);
    if let Some(end) = body.term() {
        let b = Builder::before(context, end, body).deriving(slice);
        yield_more(body, &[b.insert_row(row, own, index)]);
    }
    new
}
