//! What a loop adds up of many numbers in each iteration is added up behind it.
//!
//! ```text
//! for t < n (s = s0) { x = row t of xs; z = ..; s' = s + reduce (+) 0 z }
//!         ==>
//! for t < n (Z) { x = row t of xs; z = ..; Z' = Z with [t] = z };  s = s0 + reduce (+) 0 (concat Z)
//! ```
//! The reduction of an iteration would be three kernels, each of which waits for the one before. As with the sums of rows of
//! `ad-delay-sums`, whose operator is associative where an iteration reduces by it.
//!
//! Requires that each iteration has a row of another array that is as long, so that what is kept takes no more memory than
//! what there is already.

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of, tensor_type};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::atomic::kind;
use crate::{
    acc_to_reduce::after,
    delay_sums::counts_rows,
    support::{
        builder::{Builder, same_value},
        combinator::{BOUNDS, input_count},
        diag::Result,
        extent::{Extent, extent_of},
        position::{Position, positions},
        region::{ValueMap, clone_op, control_blocks, copy_block, is_outside, move_body},
    },
};

/// Delays what the loops of a block add up.
pub fn delay<'c>(context: &'c Context, block: Blk<'c>) -> Result<()> {
    for op in block.body_ops() {
        control_blocks(op).into_iter().try_for_each(|inner| delay(context, inner))?;
        let mut around = op;
        for position in 0..op.result_count() {
            if let Some(sum) = LateSum::of(around, position) {
                around = sum.delay(context)?;
            }
        }
    }
    Ok(())
}

/// A number that a loop carries and adds a reduction to.
struct LateSum<'c> {
    around: Op<'c>,
    position: usize,
    /// What adds.
    add: Op<'c>,
    reduce: Op<'c>,
    /// How many numbers an iteration reduces.
    width: Extent<'c>,
}

impl<'c> LateSum<'c> {
    fn of(around: Op<'c>, position: usize) -> Option<Self> {
        let is_loop = around.op_name() == "scf.for" && counts_rows(around);
        let body = around.body(0).filter(|_| is_loop)?;
        let alone = |value: Val<'c>| {
            let made = value.defining_op().filter(|op| op.block() == Some(body))?;
            (value.users().len() == 1 && made.result_count() == 1).then_some(made)
        };
        let sum = *body.arg_list().get(position + 1)?;
        let add = alone(*body.ends().get(position)?)?;
        let [x, y] = add.operand_list()[..] else { return None };
        let added = if same_value(x, sum) { y } else { x };
        let reduce = alone(added).filter(|op| op.op_name() == "soac.reduce")?;
        let is_one = input_count(reduce) == 1 && sum.users().len() == 1;
        let operator = reduce.body(0).filter(|_| is_one)?;
        let [l, r] = operator.arg_list()[..] else { return None };
        let in_loop = kind(add.res(0)?, sum, added)?;
        let is_same = kind(*operator.ends().first()?, l, r) == Some(in_loop);
        let has_neutral = reduce.opnd(1).is_some_and(|neutral| is_outside(around, neutral));
        let numbers = reduce.opnd(0).filter(|_| is_same && has_neutral)?;
        let is_vector = numbers.r#type().shape().len() == 1;
        let known = |width: &Extent<'c>| {
            width.is_outside(around)
                && body.body_ops().into_iter().any(|op| has_row(around, op, *width))
        };
        let width = sizes(numbers).into_iter().find(known).filter(|_| is_vector)?;
        Some(Self { around, position, add, reduce, width })
    }

    /// Makes the loop once more, without the sum; returns it.
    fn delay(self, context: &'c Context) -> Result<Op<'c>> {
        let Self { around, position, add, reduce, width } = self;
        let (Some(block), Some(body)) = (around.block(), around.body(0)) else { return Ok(around) };
        let (operands, results) = (around.operand_list(), around.result_list());
        let (numbers, neutral) = (reduce.operand_list()[0], reduce.operand_list()[1]);
        let b = Builder::before(context, around, block);
        let shape = [DYNAMIC, numbers.r#type().shape()[0]];
        let kept = tensor_type(&shape, numbers.r#type().scalar());
        let count = b.same("arith.maxsi", &[operands[1], b.index(0)]);
        let mut sizes = vec![count];
        sizes.extend((shape[1] == DYNAMIC).then(|| width.value(&b)));
        let starts = [&operands[BOUNDS..], &[b.empty(kept, &sizes)]].concat();
        let made =
            b.for_loop([operands[0], operands[1], operands[2]], &starts, |b, t, carried| {
                let (rows, others) = (carried[results.len()], &carried[..results.len()]);
                let mut ends = move_body(&b, body, &[&[t], others].concat());
                ends[position] = others[position];
                ends.push(b.insert_row(numbers, rows, t));
                Ok(ends)
            })?;
        for (name, attribute) in around.discardable_attrs() {
            made.set_attr(context, &name, attribute);
        }
        let b = after(context, made, block).deriving(reduce);
        let made_values = made.result_list();
        let all = made_values[results.len()];
        let all = b.collapse(all, &[vec![0, 1]], array_of(DYNAMIC, kept.scalar()));
        let total = b.reduce(&[all], &[neutral], |b, both| {
            Ok(reduce.body(0).map(|body| copy_block(&b, body, both)).unwrap_or_default())
        })?;
        let mut names = ValueMap::new();
        for operand in add.operand_list() {
            let is_new = reduce.res(0).is_some_and(|result| result.key() == operand.key());
            names.insert(operand.key(), if is_new { total[0] } else { starts[position] });
        }
        let sum = clone_op(&b, add, &mut names).res(0);
        for (number, (old, new)) in results.into_iter().zip(made_values).enumerate() {
            old.replace_all_uses(if number == position { sum.unwrap_or(new) } else { new });
        }
        add.erase();
        reduce.erase();
        around.erase();
        Ok(made)
    }
}

/// How many elements an array has, as what makes it says.
fn sizes(array: Val<'_>) -> Vec<Extent<'_>> {
    let map = array.defining_op().filter(|op| op.op_name() == "soac.map");
    let inputs = map.map(|map| map.operand_list()[..input_count(map)].to_vec()).unwrap_or_default();
    [array].into_iter().chain(inputs).map(|array| extent_of(array, 0)).collect()
}

/// Whether an operation in a loop reads a part of an array that is another one in each iteration, and has a dimension of
/// some size.
fn has_row<'c>(around: Op<'c>, op: Op<'c>, width: Extent<'c>) -> bool {
    if op.op_name() != "tensor.extract_slice" || !op.opnd(0).is_some_and(|x| is_outside(around, x))
    {
        return false;
    }
    let number = around.body(0).and_then(|body| body.arg_list().first().copied());
    let first = positions(op).and_then(|all| all.first().copied().flatten());
    let (Some(number), Some(Position::At(at)), Some(part)) = (number, first, op.res(0)) else {
        return false;
    };
    let rank = part.r#type().shape().len();
    same_value(at, number) && (0..rank).any(|d| extent_of(part, d) == width)
}
