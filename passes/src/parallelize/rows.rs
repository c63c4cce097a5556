//! Operations whose results have a row, or a number to be combined, for each row of their inputs.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{
    Split,
    group::Group,
    overwrite::overwritten,
    parts::Parts,
    scan::{Starts, Totals},
    work::work_of,
};
use crate::support::{
    builder::Builder,
    chunk::{Piece, forall, per_chunk},
    combinator::{input_count, inputs_and_rest},
    diag::Result,
    extent::{Extent, extent_of},
    region::clone_with,
    size::Size,
};

/// `soac.map` without accumulators.
pub fn map<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    Some(new(b, group_of_map(op)?, build_rows))
}

fn group_of_map(op: Op<'_>) -> Option<Group<'_>> {
    (input_count(op) == op.operand_count()).then_some(())?;
    let group = Group::with_scans(op);
    row_sizes(&group)?;
    Some(group)
}

/// Whether a reduction runs in the loop of the map that makes what it reads.
fn rides(reduce: Op<'_>) -> bool {
    let maker = reduce.opnd(0).and_then(|input| input.defining_op());
    let map = maker.filter(|op| op.op_name() == "soac.map");
    let group = map.and_then(group_of_map);
    group.is_some_and(|group| group.riders.iter().any(|op| op.key() == reduce.key()))
}

/// An operation of `arith` or `math` on tensors.
pub fn elementwise<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    is_elementwise(op).then_some(())?;
    let group = Group::only(op);
    row_sizes(&group)?;
    Some(new(b, group, build_rows))
}

/// Whether it is an operation of `arith` or `math` on tensors.
pub fn is_elementwise(op: Op<'_>) -> bool {
    let name = op.op_name();
    let Some(result) = op.res(0).filter(|result| !result.r#type().shape().is_empty()) else {
        return false;
    };
    // One condition chooses a whole array: the two may be of different sizes, and nothing is computed.
    let is_array = |value: &Val<'_>| value.r#type().as_tensor().is_some();
    let is_choice =
        name == "arith.select" && op.opnd(0).is_some_and(|condition| !is_array(&condition));
    let is_alike = |value: &Val<'_>| {
        !is_array(value) || value.r#type().shape().len() == result.r#type().shape().len()
    };
    let operands = op.operand_list();
    (name.starts_with("arith.") || name.starts_with("math."))
        && is_array(&result)
        && !is_choice
        && operands.iter().any(is_array)
        && op.result_count() == 1
        && operands.iter().all(is_alike)
}

/// `soac.reduce`.
pub fn reduce<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    (!rides(op)).then_some(())?;
    let group = Some(Group::with_scans(op)).filter(Group::has_operator)?;
    Some(new(b, group, reduce_in_chunks))
}

fn new<'c>(b: &Builder<'c>, group: Group<'c>, build: super::Build) -> Split<'c> {
    let (width, work) = (width_of(b, &group), work_of(b, &group));
    Split { group, width, work, private: None, build }
}

/// The number of rows of the arrays that an operation reads.
pub fn width_of<'c>(b: &Builder<'c>, group: &Group<'c>) -> Size<'c> {
    let operands = group.op.operand_list();
    let array = operands.iter().find(|value| value.r#type().as_tensor().is_some());
    array.map_or(Size::Known(0), |&array| group.width(b, array))
}

/// The sizes of the rows of each result that the types do not say, if they are known before the operation runs.
pub fn row_sizes<'c>(group: &Group<'c>) -> Option<Vec<Vec<Extent<'c>>>> {
    let sizes = |result: Val<'c>| {
        let shape = result.r#type().shape();
        let dynamic = (1..shape.len()).filter(|&d| shape.get(d) == Some(&DYNAMIC));
        dynamic
            .map(|d| Some(extent_of(result, d)).filter(|&extent| group.knows(group.op, extent)))
            .collect()
    };
    let results = group.op.result_list();
    results.into_iter().filter(|result| !result.r#type().is_acc()).map(sizes).collect()
}

/// Uninitialised arrays for results that have a row for each row of the inputs.
pub fn empty_rows<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    results: &[Val<'c>],
) -> Option<Vec<Val<'c>>> {
    let width = width_of(b, group);
    let empty = |(result, sizes): (&Val<'c>, Vec<Extent<'c>>)| {
        let is_dynamic = result.r#type().shape().first() == Some(&DYNAMIC);
        let mut operands = if is_dynamic { vec![width.value(b)] } else { vec![] };
        operands.extend(sizes.into_iter().map(|size| Size::of_extent(b, size).value(b)));
        b.empty(result.r#type(), &operands)
    };
    Some(results.iter().zip(row_sizes(group)?).map(empty).collect())
}

/// Every thread computes the rows of its chunk, and combines them as reductions do that run in the same loop.
fn build_rows<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    let op = group.op;
    let Some(mut shared) = empty_rows(b, group, &op.result_list()) else { return Ok(None) };
    let overwritten = overwritten(group);
    for (start, array) in shared.iter_mut().zip(&overwritten) {
        *start = array.unwrap_or(*start);
    }
    for rider in &group.riders {
        shared.extend(inputs_and_rest(*rider).1.iter().map(|&like| per_chunk(b, count, like)));
    }
    let width = width_of(b, group);
    let starts = Starts::new(b, group, count, Totals::Shared)?;
    let results = forall(b, count, &shared, |b, t, shared| {
        let chunk = group.chunk(b, t, width, count);
        let here =
            overwritten.iter().zip(shared).filter_map(|(array, &out)| Some(((*array)?, out)));
        let parts = Parts::new(group, chunk).starting(starts.at(b, t)?);
        let mut parts = parts.reading_from(here.collect());
        let operands = parts.operands(b, op)?;
        let types: Vec<_> = op.result_list().iter().map(|&result| parts.type_of(result)).collect();
        let rows = clone_with(b, op, &operands, &types).result_list();
        let mut pieces: Vec<_> = rows.iter().map(|&rows| Piece::rows(rows, chunk)).collect();
        for &rider in &group.riders {
            let (inputs, neutrals) = inputs_and_rest(rider);
            let inputs = inputs.into_iter().filter_map(|input| rows.get(input.position()).copied());
            let total = combined(b, rider, &inputs.collect::<Vec<_>>(), &neutrals);
            pieces.extend(total.into_iter().map(|value| Piece::row(b, value, t)));
        }
        Ok(pieces)
    })?;
    let (rows, mut partial) = results.split_at(op.result_count());
    let mut all = rows.to_vec();
    for &rider in &group.riders {
        let neutrals = inputs_and_rest(rider).1;
        let (own, rest) = partial.split_at(neutrals.len().min(partial.len()));
        all.extend(combined(b, rider, own, &neutrals));
        partial = rest;
    }
    Ok(Some(all))
}

/// Every thread combines its chunk; what they get is combined in order.
pub fn reduce_in_chunks<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    let op = group.op;
    let (inputs, neutrals) = inputs_and_rest(op);
    let width = width_of(b, group);
    let starts = Starts::new(b, group, count, Totals::Shared)?;
    let shared: Vec<_> = neutrals.iter().map(|&like| per_chunk(b, count, like)).collect();
    let partial = forall(b, count, &shared, |b, t, _| {
        let chunk = group.chunk(b, t, width, count);
        let parts = Parts::new(group, chunk).starting(starts.at(b, t)?).of(b, &inputs)?;
        let total = combined(b, op, &parts, &neutrals);
        Ok(total.into_iter().map(|value| Piece::row(b, value, t)).collect())
    })?;
    Ok(Some(combined(b, op, &partial, &neutrals)))
}

/// What a reduction makes of some rows.
fn combined<'c>(
    b: &Builder<'c>,
    reduce: Op<'c>,
    rows: &[Val<'c>],
    neutrals: &[Val<'c>],
) -> Vec<Val<'c>> {
    let types: Vec<Type<'c>> = neutrals.iter().map(|neutral| neutral.r#type()).collect();
    clone_with(b, reduce, &[rows, neutrals].concat(), &types).result_list()
}
