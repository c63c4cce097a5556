//! Operations that one thread executes.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::ir::ValueLike;

use super::{Mapped, one_kernel, rows::row_of};
use crate::{
    parallelize::{group::Group, rows::width_of},
    support::{
        builder::Builder,
        chunk::{Chunk, Piece, forall_on, slice},
        combinator::{BOUNDS, inputs_and_rest},
        extent::{Extent, extent_of},
        region::{ValueMap, clone_op},
        size::Size,
        update::Update,
    },
};

/// The operation in a kernel of one thread, if the sizes of its results are known before.
pub fn alone<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let results = group.op.result_list();
    let Some(shared) = results.iter().map(|&r| place(b, group, r)).collect::<Option<Vec<_>>>()
    else {
        return Ok(None);
    };
    let made = forall_on(b, Size::Known(1), &shared, one_kernel(b), |b, zero, shared| {
        let mut map = ValueMap::new();
        for producer in &group.maps {
            clone_op(b, *producer, &mut map);
        }
        let values = in_place(b, group.op, shared, &mut map).result_list();
        let pieces = values.into_iter().zip(shared).map(|(value, &shared)| {
            let is_scalar = value.r#type().as_tensor().is_none();
            let is_whole = !is_scalar && !value.r#type().shape().is_empty();
            if !is_whole {
                let value = if is_scalar { value } else { b.extract(value, &[]) };
                return row_of(b, shared, value, zero);
            }
            Piece::rows(b.cast(value, shared.r#type()), whole(b, shared))
        });
        Ok(pieces.collect())
    })?;
    let values = made.into_iter().zip(&results).map(|(array, result)| {
        if result.r#type().as_tensor().is_none() {
            return b.extract(array, &[b.index(0)]);
        }
        if result.r#type().shape().is_empty() {
            let scalar = b.extract(array, &[b.index(0)]);
            return b.val("tensor.from_elements", &[scalar], result.r#type());
        }
        array
    });
    Ok(Some(values.collect()))
}

/// A copy of an operation. A loop has arrays that begin uninitialised where their last versions go to.
fn in_place<'c>(b: &Builder<'c>, op: Op<'c>, shared: &[Val<'c>], map: &mut ValueMap<'c>) -> Op<'c> {
    let is_uninitialised = |position: usize| {
        let start = op.opnd(BOUNDS + position).filter(|start| !start.r#type().shape().is_empty());
        let made = start.filter(|_| op.op_name() == "scf.for").and_then(|v| v.defining_op());
        made.is_some_and(|made| made.op_name() == "tensor.empty")
    };
    let own: Vec<_> = (0..shared.len())
        .filter(|&position| is_uninitialised(position))
        .map(|position| (position, slice(b, shared[position], &[0], whole(b, shared[position]))))
        .collect();
    let copy = clone_op(b, op, map);
    let before = Builder::before(b.context(), copy, b.block());
    for (position, array) in own {
        let r#type = copy.result_list()[position].r#type();
        copy.set_operand(BOUNDS + position, before.cast(array, r#type));
    }
    copy
}

/// All rows of an array.
pub fn whole<'c>(b: &Builder<'c>, array: Val<'c>) -> Chunk<'c> {
    Chunk { offset: b.index(0), size: Size::of_value(b.dim(array, 0)) }
}

/// The neutral elements of a reduction or scan.
fn neutrals<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    inputs_and_rest(op).1
}

/// An uninitialised array for a result.
fn place<'c>(b: &Builder<'c>, group: &Group<'c>, result: Val<'c>) -> Option<Val<'c>> {
    let r#type = result.r#type();
    let shape = r#type.shape();
    if r#type.as_tensor().is_none() || shape.is_empty() {
        let element = if r#type.as_tensor().is_none() { r#type } else { r#type.scalar() };
        return Some(b.empty(array_of(1, element), &[]));
    }
    let mut sizes = vec![];
    let (like, skipped) = match group.op.op_name() {
        "soac.reduce" => (neutrals(group.op).get(result.position()).copied(), 0),
        "soac.scan" => (neutrals(group.op).get(result.position()).copied(), 1),
        "soac.hist" | "soac.scatter" => {
            (Update::of(group.op).dests.get(result.position()).copied(), 0)
        }
        _ => (None, 0),
    };
    for d in (0..shape.len()).filter(|&d| shape[d] == DYNAMIC) {
        if let Some(like) = like {
            let is_row = d >= skipped;
            let size =
                if is_row { Size::of_value(b.dim(like, d - skipped)) } else { width_of(b, group) };
            sizes.push(size.value(b));
            continue;
        }
        let extent: Extent<'c> = extent_of(result, d);
        if !group.knows(group.op, extent) {
            return None;
        }
        sizes.push(Size::of_extent(b, extent).value(b));
    }
    Some(b.empty(r#type, &sizes))
}
