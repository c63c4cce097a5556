//! Questions about combinators.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, i32_array, int_of};
use melior::ir::{BlockLike, operation::OperationLike};

use super::builder::same_value;

/// How many operands of a combinator are arrays; the others are accumulators or
/// neutral elements.
pub fn input_count(op: Op<'_>) -> usize {
    op.attr("operandSegmentSizes")
        .and_then(i32_array)
        .and_then(|sizes| sizes.first().copied())
        .unwrap_or(0) as usize
}

/// How many results of a map are arrays; the others are accumulators.
pub fn array_result_count(map: Op<'_>) -> usize {
    (map.result_count() + input_count(map)).saturating_sub(map.operand_count())
}

/// Whether an array is that of the numbers of its elements: 0, 1, 2, ...
pub fn is_iota(array: Val<'_>) -> bool {
    array.defining_op().is_some_and(|op| op.op_name() == "soac.iota")
}

/// Whether an operation of a name is arithmetic that takes a step or two.
pub fn is_quick(name: &str) -> bool {
    name.starts_with("arith.") && !name.contains("div") && !name.contains("rem")
}

/// Whether an operation of a name is arithmetic that has a result for all operands.
pub fn cannot_fail(name: &str) -> bool {
    let is_arithmetic = ["arith.", "math.", "complex."].iter().any(|kind| name.starts_with(kind));
    is_arithmetic && !divides_integers(name)
}

/// Whether an operation of a name is a division of integers, which fails for 0.
pub fn divides_integers(name: &str) -> bool {
    let divides = name.contains("div") || name.contains("rem");
    name.starts_with("arith.") && divides && !name.ends_with('f')
}

/// The operands of an `scf.for` in front of what it carries at first.
pub const BOUNDS: usize = 3;

/// What a result of `scf.for` or `scf.forall` starts from.
pub fn start_of<'c>(op: Op<'c>, position: usize) -> Option<Val<'c>> {
    match op.op_name() {
        "scf.for" => op.opnd(BOUNDS + position),
        "scf.forall" => op.opnd(op.operand_count() - op.result_count() + position),
        _ => None,
    }
}

/// What an array that a loop carries is in the next iteration.
pub fn becomes(array: Val<'_>) -> Option<Val<'_>> {
    let body = array.owner_block().filter(|_| array.position() > 0)?;
    let is_loop = body.parent_operation().is_some_and(|op| op.op_name() == "scf.for");
    is_loop.then(|| body.term()?.opnd(array.position() - 1)).flatten()
}

/// The number in an `arith.constant`.
pub fn constant_index(value: Val<'_>) -> Option<i64> {
    let op = value.defining_op().filter(|op| op.op_name() == "arith.constant")?;
    op.attr("value").and_then(int_of)
}

/// Whether a `tensor.extract_slice` takes what is where a `tensor.insert_slice` puts something, in arrays that may be two.
pub fn is_same_place(extract: Op<'_>, insert: Op<'_>) -> bool {
    let (read, written) = (extract.operand_list(), insert.operand_list());
    let attribute = |name| extract.attr(name) == insert.attr(name);
    read.len() + 1 == written.len()
        && read[1..].iter().zip(&written[2..]).all(|(&a, &b)| same_value(a, b))
        && ["static_offsets", "static_sizes", "static_strides"].into_iter().all(attribute)
}

/// The dynamic sizes of a `tensor.extract_slice` or `insert_slice`.
pub fn slice_sizes<'c>(slice: Op<'c>) -> Option<Vec<Val<'c>>> {
    let segments = slice.attr("operandSegmentSizes").and_then(i32_array)?;
    // The last two are sizes and strides.
    let [before @ .., sizes, _] = segments.as_slice() else { return None };
    let first = before.iter().sum::<i32>() as usize;
    Some(slice.operand_list().get(first..first + *sizes as usize)?.to_vec())
}

/// The value without the `tensor.cast`s around it.
pub fn strip_casts(mut value: Val<'_>) -> Val<'_> {
    while let Some(cast) = value.defining_op().filter(|op| op.op_name() == "tensor.cast") {
        match cast.opnd(0) {
            Some(inner) => value = inner,
            None => break,
        }
    }
    value
}

/// The operands of a combinator that are arrays, and the others.
pub fn inputs_and_rest<'c>(op: Op<'c>) -> (Vec<Val<'c>>, Vec<Val<'c>>) {
    let mut inputs = op.operand_list();
    let rest = inputs.split_off(input_count(op).min(inputs.len()));
    (inputs, rest)
}
