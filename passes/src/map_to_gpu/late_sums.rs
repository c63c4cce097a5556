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
//!
//! Where the numbers are reductions themselves, in a map that reads a product of matrices, what those reduce is kept: then the
//! map has nothing but elements, which are made where the product is (`lower-contractions-to-gpu`).

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of, tensor_type};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::atomic::kind;
use crate::{
    delay_sums::counts_rows,
    fuse::fuse_maps,
    lower::contractions_to_gpu::Contraction,
    support::{
        atomic::Kind,
        builder::{Builder, same_value},
        combinator::{BOUNDS, input_count},
        diag::{Result, internal_error},
        extent::{Extent, extent_of},
        position::{Position, positions},
        region::{
            ValueMap, clone_op, control_blocks, copy_block, is_outside, made_for_one, with_more,
            yield_more,
        },
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
    /// What makes them, if they are reductions.
    rows: Option<RowSums<'c>>,
}

/// A result of a map that is a reduction of what its body makes.
#[derive(Clone, Copy)]
struct RowSums<'c> {
    map: Op<'c>,
    position: usize,
    reduce: Op<'c>,
    /// How many numbers it reduces.
    width: Extent<'c>,
}

impl<'c> LateSum<'c> {
    fn of(around: Op<'c>, position: usize) -> Option<Self> {
        let is_loop = around.op_name() == "scf.for" && counts_rows(around);
        let body = around.body(0).filter(|_| is_loop)?;
        let alone = |value| made_for_one(value, body);
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
        let rows = RowSums::of(around, reduce, width).filter(|it| it.kind() == Some(in_loop));
        Some(Self { around, position, add, reduce, width, rows })
    }

    /// Lets the loop keep the numbers in place of adding them up; returns it.
    fn delay(self, context: &'c Context) -> Result<Op<'c>> {
        let Self { around, position, add, reduce, width, rows } = self;
        let (Some(block), Some(body)) = (around.block(), around.body(0)) else { return Ok(around) };
        let (operands, count) = (around.operand_list(), around.result_count());
        let (numbers, neutral) = (reduce.operand_list()[0], reduce.operand_list()[1]);
        let b = Builder::before(context, around, block);
        if let Some(rows) = rows {
            rows.give_elements(context)?;
        }
        let shape = [vec![DYNAMIC], numbers.r#type().shape()].concat();
        let kept = tensor_type(&shape, numbers.r#type().scalar());
        let mut sizes = vec![b.same("arith.maxsi", &[operands[1], b.index(0)])];
        let widths = [Some(width), rows.map(|rows| rows.width)].into_iter().flatten();
        let unknown = shape[1..].iter().zip(widths).filter(|(size, _)| **size == DYNAMIC);
        sizes.extend(unknown.map(|(_, width)| width.value(&b)));
        let rows = b.empty(kept, &sizes);
        let made = with_more(context, around, &[rows], &[kept]);
        let (t, sum) = (body.arg_list()[0], body.arg_list()[position + 1]);
        let rows = body.add_argument(kept, reduce.location());
        let end = body.term().ok_or_else(|| internal_error(made, "loop has no end"))?;
        end.set_operand(position, sum);
        let filled = Builder::before(context, end, body).insert_row(numbers, rows, t);
        yield_more(body, &[filled]);
        let b = Builder::after(context, made, block).deriving(reduce);
        let results = made.result_list();
        let dimensions = (0..shape.len()).collect();
        let all = b.collapse(results[count], &[dimensions], array_of(DYNAMIC, kept.scalar()));
        let total = b.reduce(&[all], &[neutral], |b, both| {
            Ok(reduce.body(0).map(|body| copy_block(&b, body, both)).unwrap_or_default())
        })?;
        let start = operands[BOUNDS + position];
        let (uses, added) = (results[position].uses(), reduce.res(0));
        let mut names = ValueMap::from([(sum.key(), start)]);
        names.extend(added.map(|added| (added.key(), total[0])));
        if let Some(sum) = clone_op(&b, add, &mut names).res(0) {
            uses.into_iter().for_each(|(user, operand)| user.set_operand(operand, sum));
        }
        add.erase();
        reduce.erase();
        Ok(made)
    }
}

impl<'c> RowSums<'c> {
    /// That of the numbers which a reduction of a loop reads, of so many rows.
    fn of(around: Op<'c>, outer: Op<'c>, rows: Extent<'c>) -> Option<Self> {
        let (numbers, body) = (outer.opnd(0)?, around.body(0)?);
        let map = numbers.defining_op().filter(|op| op.op_name() == "soac.map")?;
        let inside = map.body(0).filter(|_| input_count(map) == map.operand_count())?;
        let reads_product = map.operand_list().iter().any(|array| {
            let maker = array.defining_op().filter(|op| op.block() == Some(body));
            maker.is_some_and(|op| Contraction::of(op).is_some())
        });
        let position = numbers.position();
        let reduce = made_for_one(*inside.ends().get(position)?, inside)?;
        let suits = reads_product
            && numbers.users().len() == 1
            && reduce.op_name() == "soac.reduce"
            && input_count(reduce) == 1
            && same_value(reduce.opnd(1)?, outer.opnd(1)?);
        let elements = reduce.opnd(0).filter(|_| suits)?;
        let has_rows = |op: Op<'c>, width| has_row(around, op, rows) && has_row(around, op, width);
        let known = |width: &Extent<'c>| {
            width.is_outside(around) && body.body_ops().into_iter().any(|op| has_rows(op, *width))
        };
        let is_vector = elements.r#type().shape().len() == 1;
        let width = sizes(elements).into_iter().find(known).filter(|_| is_vector)?;
        Some(Self { map, position, reduce, width })
    }

    /// What it does with two numbers.
    fn kind(&self) -> Option<Kind> {
        let body = self.reduce.body(0)?;
        let [l, r] = body.arg_list()[..] else { return None };
        kind(*body.ends().first()?, l, r)
    }

    /// Lets the map give what is reduced in place of reductions; what is made one element after the other is one map.
    fn give_elements(self, context: &'c Context) -> Result<()> {
        let Self { map, position, reduce, .. } = self;
        let (Some(elements), Some(inside)) = (reduce.opnd(0), map.body(0)) else { return Ok(()) };
        if let Some((result, end)) = map.res(position).zip(inside.term()) {
            end.set_operand(position, elements);
            result.set_type(array_of(result.r#type().shape()[0], elements.r#type()));
        }
        reduce.erase();
        fuse_maps(context, inside)
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
