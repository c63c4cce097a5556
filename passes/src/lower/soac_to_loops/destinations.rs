//! Where the results of a map lie: in new arrays, or in the place of inputs that die there.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{BlockLike, ValueLike};

use super::{Lowering, is_dynamic, sizes::Sizes, source::Source};
use crate::support::{
    builder::{Builder, same_value},
    combinator::becomes,
    diag::Result,
    region::are_exclusive,
};

/// A result array of a map: what the loop starts from.
pub struct Destination<'c> {
    pub start: Val<'c>,
    /// The sizes of a row that its type does not say.
    pub row_sizes: Vec<Val<'c>>,
    /// The input that is overwritten, if any.
    pub reused: Option<usize>,
}

impl<'c> Lowering<'c> {
    /// What the loop of a map starts from, for each of its result arrays.
    pub fn destinations(
        &self,
        b: &Builder<'c>,
        op: Op<'c>,
        inputs: &[Val<'c>],
        width: Val<'c>,
    ) -> Result<Vec<Destination<'c>>> {
        let count = op.result_list().len() + inputs.len();
        let count = count.saturating_sub(op.operand_list().len());
        let yielded = op.body(0).and_then(|body| body.term()).map(|end| end.operand_list());
        let mut sizes = Sizes::new(self, *b);
        let mut destinations: Vec<Destination<'c>> = vec![];
        let rows = yielded.unwrap_or_default();
        for (k, (result, row)) in op.result_list().into_iter().zip(rows).take(count).enumerate() {
            let shape = result.r#type().shape();
            let mut row_sizes = vec![];
            for d in (1..shape.len()).filter(|&d| shape.get(d).is_some_and(|&n| is_dynamic(n))) {
                let size = sizes.dim(row, d - 1);
                row_sizes.push(size.map_err(|obstacle| sizes.irregular(op, k, d, obstacle))?);
            }
            // What a loop carries stays in one buffer if what it becomes takes its place.
            let is_next = |input: &Val<'c>, of: Val<'c>| {
                becomes(*input).is_some_and(|next| same_value(next, of))
            };
            let becomes_other = |input: &Val<'c>| {
                let mut others = op.result_list().into_iter().filter(|r| !same_value(*r, result));
                others.any(|other| is_next(input, other))
            };
            let mut order: Vec<_> =
                (0..inputs.len()).filter(|&i| !becomes_other(&inputs[i])).collect();
            order.sort_by_key(|&i| !is_next(&inputs[i], result));
            let reused = order.into_iter().find(|&i| {
                destinations.iter().all(|d| d.reused != Some(i))
                    && self.may_overwrite(&mut sizes, op, inputs, i, result, &row_sizes)
            });
            let start = match reused.and_then(|i| inputs.get(i)) {
                Some(&input) => input,
                None => {
                    let mut all = row_sizes.clone();
                    if shape.first().is_some_and(|&n| is_dynamic(n)) {
                        all.insert(0, width);
                    }
                    b.empty(result.r#type(), &all)
                }
            };
            destinations.push(Destination { start, row_sizes, reused });
        }
        Ok(destinations)
    }

    /// Whether the loop of a map may write a result over an input that it reads row
    /// by row: nothing else reads the input, and it lies in a buffer of its own.
    fn may_overwrite(
        &self,
        sizes: &mut Sizes<'_, 'c>,
        op: Op<'c>,
        inputs: &[Val<'c>],
        position: usize,
        result: Val<'c>,
        row_sizes: &[Val<'c>],
    ) -> bool {
        let Some(&input) = inputs.get(position) else { return false };
        if input.r#type() != result.r#type()
            || !self.is_consumable(input)
            || inputs.iter().filter(|other| same_value(**other, input)).count() != 1
        {
            return false;
        }
        let mut readers = input.users();
        readers.retain(|user| user.op_name() != "tensor.dim" && !are_exclusive(*user, op));
        if readers.len() != 1 || readers.iter().any(|user| user.key() != op.key()) {
            return false;
        }
        let shape = input.r#type().shape();
        let dynamic = (1..shape.len()).filter(|&d| shape.get(d).is_some_and(|&n| is_dynamic(n)));
        dynamic.zip(row_sizes).all(|(d, &size)| {
            sizes.dim(input, d).is_ok_and(|own| super::sizes::same_size(own, size))
        })
    }

    fn is_consumable(&self, array: Val<'c>) -> bool {
        if !matches!(self.source(array), Source::Array(_)) {
            return false;
        }
        if self.consumable.contains(&array.key()) {
            return true;
        }
        match array.owner_block() {
            // What a loop carries; not what a function is given.
            Some(block) => {
                array.position() > 0
                    && block.parent_operation().is_some_and(|op| op.op_name() == "scf.for")
            }
            None => lies_apart(array),
        }
    }
}

/// Whether an array is the result of a loop, of whichever branch ran, or the part of what threads share that one of them
/// reads in order to write there.
fn lies_apart<'c>(array: Val<'c>) -> bool {
    let Some(maker) = array.defining_op() else { return false };
    let yielded = |branch: Blk<'c>| branch.term()?.opnd(array.position());
    match maker.op_name() {
        "scf.for" | "scf.forall" => true,
        "scf.if" => maker.blocks().into_iter().all(|branch| {
            yielded(branch).is_some_and(|own| own.parent_block() == Some(branch) && lies_apart(own))
        }),
        "tensor.extract_slice" => maker.opnd(0).is_some_and(is_shared_by_threads),
        _ => false,
    }
}

/// Whether an array is what threads share as they see it, of which only one slice is read.
fn is_shared_by_threads(array: Val<'_>) -> bool {
    let is_of_loop = |around: Op<'_>| around.op_name() == "scf.forall";
    let owner = array.owner_block().and_then(|block| block.parent_operation());
    let mut readers = array.users();
    readers
        .retain(|user| !["tensor.dim", "tensor.parallel_insert_slice"].contains(&user.op_name()));
    owner.is_some_and(is_of_loop) && readers.len() == 1
}
