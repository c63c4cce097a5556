//! Insertions of single elements that depend on what kernels make are kernels of one thread.
//!
//! ```text
//! y = if extract(..)[0] < n then insert(v, x, extract(..)[0]) else x
//!         ==>
//! y = forall (1) shared(x): if .. then insert(v, x, ..) else x
//! ```
//! The host would wait for the kernels to know whether, and where, something is inserted. The numbers are then read in the
//! kernel (`scalars`).

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::{Mapped, alone::whole, one_kernel, scalars};
use crate::support::{
    builder::Builder,
    chunk::{Piece, forall_on, slice},
    combinator::is_quick,
    region::{ValueMap, clone_op, control_blocks, is_within},
    size::Size,
};

/// The kernel of an insertion, or of a branch that does nothing else.
pub fn kernel<'c>(b: &Builder<'c>, op: Op<'c>) -> Mapped<'c> {
    if !depends_on_device(op) {
        return Ok(None);
    }
    let bases = match op.op_name() {
        "tensor.insert" => op.opnd(1).map(|array| vec![array]),
        "scf.if" => changed(op),
        _ => None,
    };
    let Some(bases) = bases.filter(|bases| !bases.is_empty() && bases.iter().all(has_rows)) else {
        return Ok(None);
    };
    let made = forall_on(b, Size::Known(1), &bases, one_kernel(b), |b, _, shared| {
        let mut map = ValueMap::new();
        for (base, &shared) in bases.iter().zip(shared) {
            map.insert(base.key(), b.cast(slice(b, shared, &[0], whole(b, shared)), base.r#type()));
        }
        let values = clone_op(b, op, &mut map).result_list();
        let piece = |(value, &shared): (Val<'c>, &Val<'c>)| Piece::rows(value, whole(b, shared));
        Ok(values.into_iter().zip(shared).map(piece).collect())
    })?;
    Ok(Some(made))
}

/// Whether a branch only inserts elements into arrays, of which one thread would have to copy the others.
pub fn is_insertion(op: Op<'_>) -> bool {
    op.op_name() == "scf.if" && changed(op).is_some_and(|bases| !bases.is_empty())
}

fn has_rows(array: &Val<'_>) -> bool {
    !array.r#type().shape().is_empty()
}

/// Whether kernels make a number that says whether, where or what something inserts.
fn depends_on_device(op: Op<'_>) -> bool {
    let mut values = op.operand_list();
    op.for_each(&mut |inner| {
        if inner.key() != op.key() && inner.op_name() == "tensor.insert" {
            values.extend(inner.operand_list());
        }
    });
    values.retain(|value| value.r#type().as_tensor().is_none());
    values.into_iter().any(scalars::is_made_on_device)
}

/// The arrays that the results of a branch are, but for elements that are inserted; none if it does more than that.
fn changed<'c>(op: Op<'c>) -> Option<Vec<Val<'c>>> {
    let blocks = control_blocks(op);
    let is_insertion = |op: &Op<'c>| {
        matches!(op.op_name(), "tensor.insert" | "tensor.extract") || is_quick(op.op_name())
    };
    if !blocks.iter().all(|block| block.body_ops().iter().all(is_insertion)) {
        return None;
    }
    let mut bases: Vec<Val<'c>> = vec![];
    for position in 0..op.result_list().len() {
        let mut ends = blocks.iter().map(|block| base(op, block, position));
        let first = ends.next()??;
        let is_same = ends.all(|end| end.is_some_and(|end| end.key() == first.key()));
        // Two results of one array would be two arrays.
        if !is_same || bases.iter().any(|base| base.key() == first.key()) {
            return None;
        }
        bases.push(first);
    }
    Some(bases)
}

/// The array from outside of an operation that a block inserts into to yield a value.
fn base<'c>(op: Op<'c>, block: &Blk<'c>, position: usize) -> Option<Val<'c>> {
    let mut array = *block.ends().get(position)?;
    while let Some(made) = array.defining_op().filter(|made| is_within(*made, op)) {
        array = made.opnd(1).filter(|_| made.op_name() == "tensor.insert")?;
    }
    array.r#type().as_tensor().map(|_| array)
}
