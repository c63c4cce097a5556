//! Which rows of the results of a map are read.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, Val, ValExt, i64_array};
use melior::ir::{BlockLike, operation::OperationLike};

use crate::support::{
    builder::same_value,
    combinator::{input_count, is_iota},
    region::{is_outside, is_there_before},
};

/// The reads of the results of a map where all are of rows, in one map, at indices that it computes
/// for itself from data: indices that are computed from numbers of iterations read most rows.
pub struct Reads<'c> {
    /// The map that reads.
    pub reader: Op<'c>,
    /// What computes the indices there.
    pub slice: Slice<'c>,
    /// The indices.
    pub indices: Vec<Index<'c>>,
}

/// What computes indices in the body of a map.
pub struct Slice<'c> {
    /// The inputs of the map on which they depend, with the arguments of its body.
    pub inputs: Vec<(Val<'c>, Val<'c>)>,
    /// The operations of its body, in order.
    pub ops: Vec<Op<'c>>,
}

/// An index of rows.
pub struct Index<'c> {
    /// Its value in the body of the map that reads.
    pub value: Val<'c>,
    /// What reads such a row, and by which of its operands.
    pub reads: Vec<(Op<'c>, usize)>,
}

impl<'c> Reads<'c> {
    /// The reads of the results of a map, if they are such.
    pub fn of(map: Op<'c>) -> Option<Self> {
        let mut indices: Vec<Index<'c>> = vec![];
        for (user, operand) in all_uses(map) {
            let value = row_read(user, operand)?;
            match indices.iter_mut().find(|index| same_value(index.value, value)) {
                Some(index) => index.reads.push((user, 1)),
                None => indices.push(Index { value, reads: vec![(user, 1)] }),
            }
        }
        let body = indices.first()?.value.parent_block()?;
        let reader = body.parent_operation()?;
        let in_reader = |index: &Index<'c>| index.value.parent_block() == Some(body);
        if reader.op_name() != "soac.map"
            || !indices.iter().all(in_reader)
            || !runs_with(map, reader)
        {
            return None;
        }
        let values: Vec<_> = indices.iter().map(|index| index.value).collect();
        let reads = Self { reader, slice: Slice::of(reader, &values)?, indices };
        reads.is_known_before(map).then_some(reads)
    }

    /// Whether all that the indices depend on is there before an operation with the reader behind or inside.
    pub fn is_known_before(&self, op: Op<'c>) -> bool {
        let operands = self.slice.ops.iter().flat_map(|inner| inner.operand_list());
        let free = operands.filter(|operand| is_outside(self.reader, *operand));
        let inputs = self.slice.inputs.iter().map(|(input, _)| *input);
        free.chain(inputs).all(|value| is_there_before(value, op))
    }
}

impl<'c> Slice<'c> {
    /// What computes indices in the body of a map, if it may be executed once more and reads data.
    pub fn of(map: Op<'c>, indices: &[Val<'c>]) -> Option<Self> {
        let body = map.body(0)?;
        let mut wanted: HashSet<_> = indices.iter().map(ValExt::key).collect();
        let mut ops = vec![];
        for op in body.body_ops().into_iter().rev() {
            if !op.result_list().iter().any(|result| wanted.contains(&result.key())) {
                continue;
            }
            if !is_cheap(op) {
                return None;
            }
            wanted.extend(op.operand_list().iter().map(ValExt::key));
            ops.push(op);
        }
        ops.reverse();
        let (operands, arguments) = (map.operand_list(), body.arg_list());
        let mut inputs = vec![];
        for (i, &argument) in arguments.iter().enumerate() {
            if wanted.contains(&argument.key()) {
                if i >= input_count(map) {
                    return None;
                }
                inputs.push((operands[i], argument));
            }
        }
        let reads_data = ops.iter().any(|op| op.op_name() == "tensor.extract")
            || inputs.iter().any(|(input, _)| !is_iota(*input));
        (!inputs.is_empty() && reads_data).then_some(Self { inputs, ops })
    }
}

/// The uses of all results of an operation.
pub fn all_uses<'c>(op: Op<'c>) -> Vec<(Op<'c>, usize)> {
    op.result_list().iter().flat_map(ValExt::uses).collect()
}

/// The index of the row of an operand that an operation reads, if it reads nothing else of it.
fn row_read(user: Op<'_>, operand: usize) -> Option<Val<'_>> {
    let is_row = match user.op_name() {
        "tensor.extract" => true,
        "tensor.extract_slice" => {
            let first = |name: &str| user.attr(name).and_then(i64_array)?.first().copied();
            first("static_offsets") == Some(DYNAMIC) && first("static_sizes") == Some(1)
        }
        _ => false,
    };
    if is_row && operand == 0 { user.opnd(1) } else { None }
}

/// Whether one map is in the block of another one or in maps of that block: whenever this one runs,
/// so does that one, but for maps over nothing.
fn runs_with<'c>(map: Op<'c>, reader: Op<'c>) -> bool {
    let mut here = reader;
    while here.block() != map.block() {
        match here.parent() {
            Some(parent) if matches!(parent.op_name(), "soac.map" | "soac.with_acc") => {
                here = parent
            }
            _ => return false,
        }
    }
    map.is_before(here)
}

/// Whether an operation may be executed once more.
fn is_cheap(op: Op<'_>) -> bool {
    let name = op.op_name();
    name.starts_with("arith.") || matches!(name, "tensor.extract" | "tensor.dim")
}
