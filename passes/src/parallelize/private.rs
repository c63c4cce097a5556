//! Updates of shared arrays: every thread has arrays of its own, which are combined in the order of the threads.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Type, ValueLike};

use super::{
    Split,
    group::Group,
    own_bins::{self, own_dimension},
    parts::Parts,
    rows::{empty_rows, row_sizes, width_of},
    work::work_of,
};
use crate::support::{
    builder::{Builder, same_value},
    chunk::{Chunk, Piece, apart, forall},
    combinator::{array_result_count, inputs_and_rest},
    diag::Result,
    region::{clone_with, copy_block, reads},
    size::Size,
    update::Update,
};

/// `soac.hist`: private histograms that start from the neutral element, unless its bins belong to iterations.
pub fn hist<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    let group = Some(Group::of(op)).filter(Group::has_operator)?;
    let (width, work) = (width_of(b, &group), work_of(b, &group));
    if own_dimension(&group).is_some() {
        return Some(Split { group, width, work, private: None, build: own_bins::build });
    }
    let private = Some(elements(b, &Update::of(op).dests));
    Some(Split { group, width, work, private, build: build_hist })
}

fn build_hist<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    hist_in_chunks(b, group, count, apart)
}

/// The number of elements of some arrays together.
fn elements<'c>(b: &Builder<'c>, arrays: &[Val<'c>]) -> Size<'c> {
    let sizes = arrays.iter().map(|&array| Size::of_array(b, array));
    sizes.fold(Size::Known(0), |sum, size| sum.plus(b, size))
}

/// The histogram in so many chunks, whose bins are in arrays that `own` makes.
pub fn hist_in_chunks<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
    own: impl Fn(&Builder<'c>, Size<'c>, Val<'c>) -> Val<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    let Some(body) = group.op.body(0) else { return Ok(None) };
    let update = Update::of(group.op);
    let partial = hists_of_chunks(b, group, count, own)?;
    let bounds = [b.index(0), count.value(b), b.index(1)];
    let sums = b.for_loop(bounds, &update.dests, |b, t, sums| {
        let own: Vec<_> = partial.iter().map(|&all| b.row(all, t)).collect();
        combine(&b, update.at.len(), sums, &own, body)
    })?;
    Ok(Some(sums.result_list()))
}

/// The histograms of so many chunks, as rows of arrays that `own` makes.
pub fn hists_of_chunks<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
    own: impl Fn(&Builder<'c>, Size<'c>, Val<'c>) -> Val<'c>,
) -> Result<Vec<Val<'c>>> {
    let op = group.op;
    let update = Update::of(op);
    let width = width_of(b, group);
    let types: Vec<_> = update.dests.iter().map(|dest| dest.r#type()).collect();
    let shared: Vec<_> = update.dests.iter().map(|&dest| own(b, count, dest)).collect();
    forall(b, count, &shared, |b, t, _| {
        let mut operands =
            Parts::new(group, Chunk::new(b, t, width, count)).of(b, &update.read())?;
        for (&dest, &neutral) in update.dests.iter().zip(&update.neutrals) {
            let shape = dest.r#type().shape();
            operands.push(
                (0..update.at.len())
                    .rev()
                    .fold(neutral, |row, d| b.replicate(row, b.dim(dest, d), shape[d])),
            );
        }
        operands.extend(&update.neutrals);
        let copy = clone_with(b, op, &operands, &types);
        Ok(copy.result_list().into_iter().map(|own| Piece::row(b, own, t)).collect())
    })
}

/// Combines arrays bin by bin, which have so many leading dimensions of bins.
fn combine<'c>(
    b: &Builder<'c>,
    dimensions: usize,
    left: &[Val<'c>],
    right: &[Val<'c>],
    body: Blk<'c>,
) -> Result<Vec<Val<'c>>> {
    let both = [left, right].concat();
    if dimensions == 0 {
        return Ok(copy_block(b, body, &both));
    }
    let types: Vec<_> = left.iter().map(|array| array.r#type()).collect();
    b.map(&both, &[], &types, |b, rows| {
        let (left, right) = rows.split_at(left.len());
        combine(&b, dimensions - 1, left, right, body)
    })
}

/// `soac.with_acc` around one map: private arrays that start from zero.
pub fn with_acc<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    hoist(b, op);
    let map = only_map(op)?;
    row_sizes(&Group::only(map))?;
    let width = width_of(b, &Group::only(map));
    let group = Group::only(op);
    let work = work_of(b, &group);
    let private = Some(elements(b, &op.operand_list()));
    Some(Split { group, width, work, private, build: build_with_acc })
}

/// Moves what needs no accumulator in front of the operation, whose body runs exactly once.
fn hoist<'c>(b: &Builder<'c>, op: Op<'c>) {
    let Some(body) = op.body(0) else { return };
    let mut stays: HashSet<_> = body.arg_list().iter().map(ValExt::key).collect();
    for inner in body.body_ops() {
        let read = reads(inner);
        if read.iter().any(|value| stays.contains(&value.key())) {
            stays.extend(inner.result_list().iter().map(ValExt::key));
        } else {
            inner.detach();
            b.insert(inner);
        }
    }
}

/// The map that is all that a body has, if each accumulator goes through it and comes back in its place.
fn only_map<'c>(with_acc: Op<'c>) -> Option<Op<'c>> {
    let body = with_acc.body(0)?;
    let [map] = body.body_ops()[..] else { return None };
    (map.op_name() == "soac.map").then_some(())?;
    let (accs, yielded) = (inputs_and_rest(map).1, body.term()?.operand_list());
    let arguments = body.arg_list();
    let comes_back = accs.iter().enumerate().all(|(i, acc)| {
        let k = acc.position();
        let result = map.res(array_result_count(map) + i);
        acc.owner_block() == Some(body)
            && yielded.get(k).zip(result).is_some_and(|(end, result)| same_value(*end, result))
    });
    (accs.len() == arguments.len() && comes_back).then_some(map)
}

fn build_with_acc<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    let arrays = group.op.operand_list();
    let Some(map) = only_map(group.op) else { return Ok(None) };
    let alone = Group::only(map);
    let width = width_of(b, &alone);
    let (inputs, accs) = inputs_and_rest(map);
    let rows = array_result_count(map);
    let Some(empty) = empty_rows(b, &alone, &map.result_list()[..rows]) else { return Ok(None) };
    let own: Vec<_> = arrays.iter().map(|&array| apart(b, count, array)).collect();
    let partial = forall(b, count, &[own, empty].concat(), |b, t, _| {
        let chunk = Chunk::new(b, t, width, count);
        let mut parts = Parts::new(&alone, chunk);
        let zeros: Vec<_> = arrays.iter().map(|&array| b.zeros_like(array)).collect();
        let types: Vec<_> =
            map.result_list()[..rows].iter().map(|&result| parts.type_of(result)).collect();
        let values = b.with_acc(&zeros, &types, |b, own| {
            let mut operands = parts.of(&b, &inputs)?;
            operands.extend(accs.iter().map(|acc| own[acc.position()]));
            let acc_types = accs.iter().map(|acc| acc.r#type());
            let types: Vec<_> = types.iter().copied().chain(acc_types).collect();
            let results = clone_with(&b, map, &operands, &types).result_list();
            let (rows, sums) = results.split_at(rows);
            let mut yielded = own.to_vec();
            for (acc, sum) in accs.iter().zip(sums) {
                yielded[acc.position()] = *sum;
            }
            Ok([&yielded, rows].concat())
        })?;
        let (sums, rows) = values.split_at(arrays.len());
        let sums = sums.iter().map(|&sum| Piece::row(b, sum, t));
        Ok(sums.chain(rows.iter().map(|&rows| Piece::rows(rows, chunk))).collect())
    })?;
    let (own, rows) = partial.split_at(arrays.len());
    let sums = b.with_acc(&arrays, &[], |b, accs| {
        let types: Vec<Type<'c>> = accs.iter().map(|acc| acc.r#type()).collect();
        b.map(own, accs, &types, |b, arguments| {
            let (own, accs) = arguments.split_at(own.len());
            Ok(accs.iter().zip(own).map(|(&acc, &own)| b.update_acc(acc, &[], own)).collect())
        })
    })?;
    let Some(end) = group.op.body(0).and_then(|body| body.term()) else { return Ok(None) };
    let further = end.operand_list().into_iter().skip(arrays.len()).map(|value| {
        let is_of_map = value.defining_op().is_some_and(|op| op.key() == map.key());
        if is_of_map { rows[value.position()] } else { value }
    });
    Ok(Some(sums.into_iter().chain(further).collect()))
}
