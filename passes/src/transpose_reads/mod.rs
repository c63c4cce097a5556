//! `ad-transpose-reads`: what a loop reads lies side by side.
//!
//! ```text
//! map (\p ->                           B = transpose A
//!   map (\i ->                  ==>    map (\p ->
//!     sum (map (\c -> A[i, c]) ...       map (\i ->
//!                                          sum (map (\c -> B[c, i]) ...
//! ```
//! Here `c` is data, such as the column of an entry of a sparse matrix, so that every read of the
//! inner loop is somewhere else in memory. With the number of an iteration of the loop around it as
//! the last index, the iterations of that loop read neighbours: they share what they bring into the
//! cache, and several of them run at once on vectors (`ad-vectorize`).
//!
//! A copy is made once in front of the loops in which the array stays the same, where the array is
//! walked over as a whole in any case: so the program takes no more time than a constant times what it
//! took.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt, array_of, tensor_type};
use melior::{
    Context,
    ir::{BlockLike, Type, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::{input_count, is_iota},
    diag::Result,
    region::{is_outside, is_within},
};

/// A read that a transposed copy serves better.
struct Read<'c> {
    op: Op<'c>,
    array: Val<'c>,
    /// The index that is to come last.
    dimension: usize,
    /// The outermost loop around the read in which the array stays the same.
    around: Op<'c>,
}

/// Runs the pass; returns how many transposed copies there are.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut reads = vec![];
    module.for_each(&mut |op| reads.extend(judge(op)));
    let mut copies: Vec<(&Read<'c>, Val<'c>)> = vec![];
    for read in &reads {
        let same = |other: &Read<'c>| {
            same_value(other.array, read.array)
                && other.dimension == read.dimension
                && other.around.key() == read.around.key()
        };
        let copy = match copies.iter().find(|(other, _)| same(other)) {
            Some((_, copy)) => *copy,
            None => {
                let Some(block) = read.around.block() else { continue };
                let b = Builder::before(context, read.around, block);
                let copy = transposed(&b, read.array, read.dimension)?;
                copies.push((read, copy));
                copy
            }
        };
        let mut operands = read.op.operand_list();
        operands[0] = copy;
        let last = operands.remove(1 + read.dimension);
        operands.push(last);
        read.op.set_operands(&operands);
    }
    Ok(copies.len() as u64)
}

/// Whether an operation is a read of an element whose last index is data and another of whose
/// indices is the number of an iteration of a map in a loop.
fn judge<'c>(op: Op<'c>) -> Option<Read<'c>> {
    if op.op_name() != "tensor.extract" {
        return None;
    }
    let operands = op.operand_list();
    let (&array, at) = operands.split_first()?;
    let (&last, others) = at.split_last()?;
    if !is_data(last) {
        return None;
    }
    let (dimension, map) =
        others.iter().enumerate().rev().find_map(|(d, &i)| Some((d, numbered(i)?)))?;
    let mut around = map;
    while let Some(parent) = around.parent().filter(|parent| is_outside(*parent, array)) {
        if !matches!(parent.op_name(), "soac.map" | "soac.with_acc" | "scf.for") {
            break;
        }
        around = parent;
    }
    let is_in_map = !is_outside(map, last);
    let may = around.key() != map.key() && is_in_map && is_outside(around, array);
    (may && is_walked_over(array, around)).then_some(Read { op, array, dimension, around })
}

/// The map of whose iterations a value is the number.
fn numbered(index: Val<'_>) -> Option<Op<'_>> {
    let input = input_of(index)?;
    if is_iota(input) { index.owner_block()?.parent_operation() } else { None }
}

/// The array of which a value is an element in a map.
fn input_of(element: Val<'_>) -> Option<Val<'_>> {
    if element.defining_op().is_some() {
        return None;
    }
    let map = element.owner_block()?.parent_operation()?;
    let is_element = map.op_name() == "soac.map" && element.position() < input_count(map);
    is_element.then(|| map.opnd(element.position())).flatten()
}

/// Whether an index comes from the elements of an array.
fn is_data(index: Val<'_>) -> bool {
    match index.defining_op() {
        Some(op) if op.op_name() == "tensor.extract" => true,
        Some(op) => {
            op.op_name().starts_with("arith.") && op.operand_list().into_iter().any(is_data)
        }
        None => input_of(index).is_some() && numbered(index).is_none(),
    }
}

/// Whether an array is passed over as a whole whenever an operation runs.
fn is_walked_over<'c>(array: Val<'c>, around: Op<'c>) -> bool {
    array.uses().into_iter().any(|(user, i)| {
        user.op_name() == "soac.map"
            && i < input_count(user)
            && user
                .parent()
                .is_none_or(|outer| around.parent().is_some_and(|inside| is_within(inside, outer)))
    })
}

/// An array with one dimension made the last.
fn transposed<'c>(b: &Builder<'c>, array: Val<'c>, dimension: usize) -> Result<Val<'c>> {
    let rank = array.r#type().shape().len();
    let order: Vec<_> = (0..rank).filter(|&d| d != dimension).chain([dimension]).collect();
    row_of(b, array, &order, &mut vec![])
}

/// A row of such an array, given the indices around it, in the order of the new dimensions.
fn row_of<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    order: &[usize],
    at: &mut Vec<(usize, Val<'c>)>,
) -> Result<Val<'c>> {
    let Some((&dimension, rest)) = order.split_first() else {
        let mut sorted = at.clone();
        sorted.sort_by_key(|(dimension, _)| *dimension);
        let indices: Vec<_> = sorted.into_iter().map(|(_, index)| index).collect();
        return Ok(b.extract(array, &indices));
    };
    let width = array.r#type().shape()[dimension];
    let numbers = b.iota(b.dim(array, dimension), width);
    let row = row_type(array, rest);
    let rows = b.map(&[numbers], &[], &[array_of(width, row)], |b, number| {
        at.push((dimension, number[0]));
        let row = row_of(&b, array, rest, at)?;
        at.pop();
        Ok(vec![row])
    })?;
    Ok(rows[0])
}

/// The type of what has some dimensions of an array, in their order.
fn row_type<'c>(array: Val<'c>, dimensions: &[usize]) -> Type<'c> {
    let scalar = array.r#type().scalar();
    let shape = array.r#type().shape();
    let sizes: Vec<_> = dimensions.iter().map(|&d| shape[d]).collect();
    if sizes.is_empty() { scalar } else { tensor_type(&sizes, scalar) }
}
