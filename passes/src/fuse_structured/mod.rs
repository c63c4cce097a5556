//! `ad-fuse-structured`: structured operations that read what others make element by element become one.
//!
//! ```text
//! ys[i, j] = f(xs[i, j]);  zs[i, j] = g(ys[i, j], ws[j])   =>   ys, zs[i, j] = (y, g(y, ws[j]))  where y = f(xs[i, j])
//! ys[i, j] = f(xs[i, j]);  s += ys[i, j]                   =>   s += f(xs[i, j])
//! ys[i, j] = b[j];         zs[i, j] = g(ys[i, j])          =>   zs[i, j] = g(b[j])
//! ```
//! Nothing is computed more often than before: the second operation reads each element of the first one once, or that only
//! copies. Upstream's fusion leaves alone what more than one operation reads, which most of what is computed on the way
//! to a result is if there is a derivative, too.
//!
//! It is for kernels, each of which would read and write whole arrays; on one core, `ad-fuse-loops` does that to loops.
//! Products of matrices read their factors often and stay as they are. What is computed of the elements of one comes right
//! behind it.

mod early;
mod join;
mod order;

use std::collections::HashSet;

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt},
    linalg::{Expr, Structured, map_attribute},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use self::join::Join;
use crate::{
    fuse::block::{is_written_between, readers},
    lower::{
        contractions_to_gpu::Contraction,
        forall_to_gpu::{for_each_on_host, is_outermost},
    },
    raise::linalg::is_reduction,
    support::{
        builder::Builder,
        diag::Result,
        elementwise::is_elementwise,
        region::{clone_with, erase_dead_ops, replace, sort_by_place},
        structured::makes_elements,
    },
};

/// Runs the pass; returns how many operations were merged into others.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut blocks: Vec<Blk<'c>> = vec![];
    let mut on_arrays = vec![];
    for_each_on_host(module, &mut |op| {
        let Some(block) = op.block().filter(|_| is_outermost(op)) else { return };
        if is_elementwise(op) && has_neighbour(op, block) {
            on_arrays.push((op, block));
        }
        if (is_elementwise(op) || op.op_name().starts_with("linalg."))
            && blocks.last().map(BlkExt::key) != Some(block.key())
        {
            blocks.push(block);
        }
    });
    for (op, block) in on_arrays {
        as_structured(&Builder::before(context, op, block).with_location(op.location()), op)?;
    }
    let mut seen = HashSet::new();
    blocks.retain(|block| seen.insert(block.key()));
    let mut fused = 0;
    for block in blocks {
        block.ops().into_iter().rev().for_each(read_sizes);
        block.ops().into_iter().for_each(read_numbers);
        for kind in [Kind::Copies, Kind::All] {
            fused += fuse_all(context, block, kind)?;
            erase_dead_ops(block);
        }
        early::move_all(context, block);
    }
    Ok(fused)
}

/// Whether an operation on whole arrays reads what another such operation of its block makes, or a structured one, or is read by
/// one. Otherwise it may write to what it reads.
fn has_neighbour<'c>(op: Op<'c>, block: Blk<'c>) -> bool {
    let made = op.operand_list().into_iter().filter_map(|operand| operand.defining_op());
    made.chain(readers(op)).any(|op| {
        op.block() == Some(block) && (is_elementwise(op) || op.op_name().starts_with("linalg."))
    })
}

/// Makes an operation on whole arrays a structured one.
fn as_structured<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<()> {
    let (Some(result), Some(&first)) = (op.res(0), op.operand_list().first()) else {
        return Ok(());
    };
    let inputs = op.operand_list();
    let rank = result.r#type().shape().len();
    let own: Vec<_> = (0..rank).map(Expr::Loop).collect();
    let maps: Vec<_> =
        (0..=inputs.len()).filter_map(|_| map_attribute(b.context(), rank, &own)).collect();
    let init = b.empty(result.r#type(), &sizes(b, first, result));
    let made = b.generic(&maps, &vec![true; rank], &inputs, &[init], |b, elements| {
        let arguments = &elements[..inputs.len()];
        Ok(clone_with(&b, op, arguments, &[result.r#type().scalar()]).result_list())
    })?;
    replace(op, &made.result_list());
    Ok(())
}

/// The sizes of an array that its type does not have, of another one of its shape.
fn sizes<'c>(b: &Builder<'c>, like: Val<'c>, array: Val<'c>) -> Vec<Val<'c>> {
    let shape = array.r#type().shape();
    let dynamic = shape.iter().enumerate().filter(|(_, size)| **size == ad_dialect::ir::DYNAMIC);
    dynamic.map(|(d, _)| b.dim(like, d)).collect()
}

/// Which operations are merged into others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Those that copy elements, each of which stays while anything else reads it.
    Copies,
    /// All.
    All,
}

/// Merges operations of a block into those that read them; returns how many.
fn fuse_all<'c>(context: &'c Context, block: Blk<'c>, kind: Kind) -> Result<u64> {
    let mut next = block.ops();
    next.reverse();
    let mut gone = HashSet::new();
    let mut fused = 0;
    while let Some(op) = next.pop() {
        if gone.contains(&op.key()) || !makes_elements(op) {
            continue;
        }
        let mut all: Vec<_> =
            readers(op).into_iter().filter(|reader| reader.block() == Some(block)).collect();
        sort_by_place(&mut all);
        all.dedup_by_key(|reader| reader.key());
        for reader in all {
            let Some(made) = fuse(context, block, [op, reader], kind)? else { continue };
            gone.insert(reader.key());
            gone.remove(&made.key());
            next.push(made);
            fused += 1;
            if readers(op).is_empty() {
                gone.insert(op.key());
                op.erase();
                break;
            }
        }
    }
    Ok(fused)
}

/// Lets sizes of what an operation makes be those of the arrays that it starts from, which are there before it.
fn read_sizes(op: Op<'_>) {
    let Some(s) = Structured::of(op) else { return };
    for (result, &init) in op.result_list().into_iter().zip(&s.inits) {
        for dim in result.users().iter().filter(|user| user.op_name() == "tensor.dim") {
            dim.set_operand(0, init);
        }
    }
}

/// Lets a generic operation read numbers that arrays without dimensions are made of.
fn read_numbers(op: Op<'_>) {
    let Some(s) = Structured::of(op).filter(|_| op.op_name() == "linalg.generic") else { return };
    for (k, array) in s.inputs.iter().enumerate() {
        let is_number = |made: &Op<'_>| {
            let inserts = matches!(made.op_name(), "tensor.insert" | "tensor.from_elements");
            inserts && array.r#type().shape().is_empty()
        };
        let made = array.defining_op().filter(is_number);
        if let Some(number) = made.and_then(|made| made.opnd(0)) {
            op.set_operand(k, number);
        }
    }
}

/// Puts one operation in the place of the reader, and of the producer where that is not a copy, if there is to be one.
fn fuse<'c>(
    context: &'c Context,
    block: Blk<'c>,
    [producer, reader]: [Op<'c>; 2],
    kind: Kind,
) -> Result<Option<Op<'c>>> {
    let Some(join) = Join::of(producer, reader).filter(Join::knows_sizes) else { return Ok(None) };
    let is_sum = !makes_elements(reader);
    if is_sum && (!is_reduction(reader) || Contraction::of(reader).is_some()) {
        return Ok(None);
    }
    let b = Builder::before(context, reader, block).with_location(reader.location());
    if join.is_copy() && !is_written_between(block, join.copied(), [producer, reader]) {
        let made = join.joined(&b, &[])?;
        replace(reader, &made.result_list());
        return Ok(Some(made));
    }
    if kind == Kind::Copies {
        return Ok(None);
    }
    let results = producer.result_list();
    let is_other = |user: &Op<'c>| user.key() != reader.key();
    let is_kept = |&j: &usize| results[j].users().iter().any(is_other);
    let kept: Vec<_> = (0..results.len()).filter(is_kept).collect();
    if !join.is_once() || !kept.is_empty() && (is_sum || join.writes()) {
        return Ok(None);
    }
    let Some(later) = order::behind(block, producer, reader) else { return Ok(None) };
    let made = join.joined(&b, &kept)?;
    let own = reader.result_count();
    replace(reader, &made.result_list());
    for (&j, new) in kept.iter().zip(made.result_list().split_off(own)) {
        results[j].replace_all_uses(new);
    }
    let mut last = made;
    for op in later {
        op.detach();
        Builder::after(context, last, block).insert(op);
        last = op;
    }
    Ok(Some(made))
}
