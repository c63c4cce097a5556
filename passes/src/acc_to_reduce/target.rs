//! Where the contributions of an update end up.
//!
//! They come as an array with one dimension per index that is an iteration number,
//! followed by those of the value. It is the whole array that was accumulated into, or
//! a box in it.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type};
use melior::ir::ValueLike;

use super::analysis::{Index, Reason, Scope, Site};
use crate::{
    contract::leading_part,
    support::{
        builder::{Builder, CMP_SGT},
        combinator::{constant_index, input_count},
        diag::{Result, internal_error},
        extent::{Extent, extent_of, is_width},
        update::Update,
        zero::is_zero,
    },
};

/// Where the contributions of an update belong in its array.
pub struct Target<'c> {
    /// For each index, where it starts and which width it has, or where it stays.
    indices: Vec<(Index<'c>, Option<Extent<'c>>)>,
    /// Whether the contributions cover the whole array.
    covers: bool,
    /// The widths that are all positive if anything is updated.
    widths: Vec<Extent<'c>>,
}

impl<'c> Target<'c> {
    /// Works out the target of an update of array `start` of `root`.
    pub fn new(root: Op<'c>, site: &Site<'c>, start: Val<'c>) -> std::result::Result<Self, Reason> {
        let levels = site.levels();
        let inputs = |level: usize| -> Vec<Val<'c>> {
            let map = levels.get(level).map(|level| level.map);
            map.map(|map| map.operand_list().into_iter().take(input_count(map)).collect())
                .unwrap_or_default()
        };
        let width = |level: usize| -> Extent<'c> {
            let extents: Vec<_> = inputs(level).iter().map(|&v| extent_of(v, 0)).collect();
            let outside = extents.iter().find(|extent| extent.is_outside(root));
            outside.or(extents.first()).copied().unwrap_or(Extent::Known(0))
        };
        let mut covers = true;
        let mut indices = vec![];
        for (d, index) in site.indices.iter().enumerate() {
            let extent = match index {
                Index::Constant(_) => {
                    covers = false;
                    None
                }
                Index::Iteration(level, rest) => {
                    let zero = |value: &Val<'c>| constant_index(*value) == Some(0);
                    covers &= rest.iter().all(zero);
                    covers &= is_width(&inputs(*level), extent_of(start, d));
                    Some(width(*level))
                }
            };
            indices.push((index.clone(), extent));
        }
        let widths: Vec<_> = (0..levels.len()).map(width).collect();
        if !covers {
            if site.path.iter().any(|scope| matches!(scope, Scope::Branch(..))) {
                return Err("a branch decides whether its index is in bounds");
            }
            if !widths.iter().all(|extent| extent.is_outside(root)) {
                return Err("the width of a map changes from iteration to iteration");
            }
        }
        Ok(Target { indices, covers, widths })
    }

    /// Whether the contributions cover the whole array.
    pub fn covers(&self) -> bool {
        self.covers
    }

    /// The array `start` with the contributions added.
    pub fn embed(&self, b: &Builder<'c>, start: Val<'c>, made: Val<'c>) -> Result<Val<'c>> {
        let full = start.r#type();
        if self.covers {
            let made = b.cast(made, full);
            return if is_zero(start) { Ok(made) } else { add_arrays(b, start, made) };
        }
        // Without an iteration the index may be anything.
        let positive = self.widths.iter().filter(|width| !matches!(width, Extent::Known(1..)));
        let conditions = positive.map(|width| b.compare(CMP_SGT, width.value(b), b.index(0)));
        let conditions: Vec<_> = conditions.collect();
        let Some(any) = conditions.into_iter().reduce(|a, c| b.same("arith.andi", &[a, c])) else {
            return self.insert(b, start, made);
        };
        let guarded = b.if_else(any, &[full], |b, yes| {
            Ok(vec![if yes { self.insert(&b, start, made)? } else { start }])
        })?;
        Ok(guarded.res(0).unwrap_or(start))
    }

    fn insert(&self, b: &Builder<'c>, start: Val<'c>, made: Val<'c>) -> Result<Val<'c>> {
        let full = start.r#type();
        let offsets: Vec<_> = self.indices.iter().map(|(index, _)| offset(b, index)).collect();
        if made.r#type().as_tensor().is_none() {
            let old = b.extract(start, &offsets);
            let sum = if is_zero(start) { made } else { b.add(old, made) };
            return Ok(b.insert_element(sum, start, &offsets));
        }
        let (mut operands, mut sizes) = (vec![], vec![]);
        let mut statics = [vec![], vec![], vec![1; full.shape().len()]];
        let mut own = 0;
        for (d, &size) in full.shape().iter().enumerate() {
            let Some((index, _)) = self.indices.get(d) else {
                statics[0].push(0);
                statics[1].push(size);
                sizes.extend((size == DYNAMIC).then(|| b.dim(start, d)));
                continue;
            };
            operands.extend(offsets.get(d));
            statics[0].push(DYNAMIC);
            let kept = matches!(index, Index::Iteration(..));
            let size = made.r#type().shape().get(own).copied().filter(|_| kept).unwrap_or(1);
            sizes.extend((size == DYNAMIC).then(|| b.dim(made, own)));
            statics[1].push(size);
            own += usize::from(kept);
        }
        let dropped = self.indices.iter().map(|(index, _)| matches!(index, Index::Constant(_)));
        let dropped: Vec<_> = dropped.collect();
        let shape = statics[1].iter().enumerate();
        let shape = shape.filter(|(d, _)| dropped.get(*d) != Some(&true)).map(|(_, &size)| size);
        let part = tensor_type(&shape.collect::<Vec<_>>(), full.scalar());
        let (offset_count, size_count) = (operands.len() as i32, sizes.len() as i32);
        operands.extend(sizes);
        let made = b.cast(made, part);
        let sum = if is_zero(start) {
            made
        } else {
            let segments = [1, offset_count, size_count, 0];
            let all = [&[start][..], &operands].concat();
            let old = b.slice_op("tensor.extract_slice", &all, part, &statics, &segments);
            add_arrays(b, old, made)?
        };
        let segments = [1, 1, offset_count, size_count, 0];
        let all = [&[sum, start][..], &operands].concat();
        Ok(b.slice_op("tensor.insert_slice", &all, full, &statics, &segments))
    }
}

fn offset<'c>(b: &Builder<'c>, index: &Index<'c>) -> Val<'c> {
    // A constant may be defined inside of the nest.
    let outside = |value: &Val<'c>| match constant_index(*value) {
        Some(number) => b.index(number),
        None => *value,
    };
    match index {
        Index::Constant(value) => outside(value),
        Index::Iteration(_, rest) => {
            let terms = rest.iter().map(outside);
            terms.reduce(|a, c| b.add(a, c)).unwrap_or_else(|| b.index(0))
        }
    }
}

/// The sum of two arrays or scalars, elementwise, as a nest of maps.
pub fn add_arrays<'c>(b: &Builder<'c>, x: Val<'c>, y: Val<'c>) -> Result<Val<'c>> {
    if x.r#type().shape().is_empty() {
        return Ok(b.add(x, y));
    }
    let sums = b.map(&[x, y], &[], &[x.r#type()], |b, rows| match rows {
        [x, y] => Ok(vec![add_arrays(&b, *x, *y)?]),
        _ => Ok(vec![]),
    })?;
    Ok(sums.first().copied().unwrap_or(x))
}

/// The sum of two arrays that may be of different sizes, as large as the first one: what only one of them has stays, or is
/// left out. Along each dimension, `bounds` are what the second one, or what is to be added of it, is at most as large as;
/// one of them is its size.
pub fn add_common<'c>(
    b: &Builder<'c>,
    at: Op<'c>,
    array: Val<'c>,
    added: Val<'c>,
    bounds: &[Vec<Extent<'c>>],
) -> Result<Val<'c>> {
    let full = array.r#type();
    let own: Vec<_> = (0..bounds.len()).map(|d| extent_of(array, d)).collect();
    let is_all = own.iter().zip(bounds).all(|(own, bounds)| bounds.iter().all(|b| b == own));
    if is_all {
        let added = b.cast(added, full);
        return if is_zero(array) { Ok(added) } else { add_arrays(b, array, added) };
    }
    let sizes = own.into_iter().zip(bounds).map(|(own, bounds)| least(b, own, bounds));
    let sizes: Vec<_> = sizes.collect();
    let part = |array| {
        let part = leading_part(b, array, sizes.clone());
        part.ok_or_else(|| internal_error(at, "the smallest of some sizes is too large"))
    };
    let mut common = part(added)?;
    if !is_zero(array) {
        common = add_arrays(b, part(array)?, common)?;
    }
    let statics = common.r#type().shape();
    let dynamic = sizes.iter().zip(&statics).filter(|(_, size)| **size == DYNAMIC);
    let dynamic: Vec<_> = dynamic.map(|(&size, _)| size).collect();
    let segments = [1, 1, 0, dynamic.len() as i32, 0];
    let operands = [&[common, array][..], &dynamic].concat();
    let rank = statics.len();
    let statics = [vec![0; rank], statics, vec![1; rank]];
    Ok(b.slice_op("tensor.insert_slice", &operands, full, &statics, &segments))
}

/// The smallest of some sizes.
fn least<'c>(b: &Builder<'c>, first: Extent<'c>, others: &[Extent<'c>]) -> Val<'c> {
    let (mut known, mut values) = (None::<i64>, vec![]);
    for &extent in [first].iter().chain(others) {
        match extent {
            Extent::Known(size) => known = Some(known.map_or(size, |known| known.min(size))),
            other if values.contains(&other) => {}
            other => values.push(other),
        }
    }
    let known = known.map(Extent::Known);
    let sizes = values.into_iter().chain(known).map(|extent| extent.value(b));
    let least = sizes.reduce(|a, c| b.same("arith.minsi", &[a, c]));
    least.unwrap_or_else(|| b.index(0))
}

/// The sum of the rows of an array, where a sum of rows is a nest of maps, too.
pub fn sum<'c>(b: &Builder<'c>, array: Val<'c>) -> Result<Val<'c>> {
    sum_into(b, array, array, 0)
}

/// The same, where the last `count` dimensions are as large as those of another array: what makes no rows may not know how
/// long they would be.
pub fn sum_into<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    into: Val<'c>,
    count: usize,
) -> Result<Val<'c>> {
    let row = array.r#type().row();
    let shape = array.r#type().shape();
    let rank = into.r#type().shape().len();
    let dynamic = (1..shape.len()).filter(|&d| shape.get(d) == Some(&DYNAMIC));
    // Where the sizes come from, so that nothing but the sum reads the array.
    let sizes = dynamic.map(|d| match shape.len() - d {
        last if last <= count => extent_of(into, rank - last).value(b),
        _ => if_taken(extent_of(array, d)).value(b),
    });
    let sizes: Vec<_> = sizes.collect();
    let zero = b.zeros(row, &sizes);
    let sums = b.reduce(&[array], &[zero], |b, pair| match pair {
        [x, y] => Ok(vec![add_arrays(&b, *x, *y)?]),
        _ => Ok(vec![]),
    })?;
    Ok(sums.first().copied().unwrap_or(zero))
}

/// The size that an array has if the branch that makes it is taken, where that is known before: the sum of no rows is as
/// long as a row would be.
fn if_taken(extent: Extent<'_>) -> Extent<'_> {
    let Extent::Dim(array, d) = extent else { return extent };
    let branch = array.defining_op().filter(|op| op.op_name() == "scf.if");
    let made = branch.and_then(|op| Some((op, op.body(0)?.term()?.opnd(array.position())?)));
    match made.map(|(op, made)| (op, before_updates(extent_of(made, d)))) {
        Some((op, known)) if known.is_outside(op) => if_taken(known),
        _ => extent,
    }
}

/// The size of what histograms and scatters started from, or reductions, if an array is the result of one.
fn before_updates(extent: Extent<'_>) -> Extent<'_> {
    let Extent::Dim(array, d) = extent else { return extent };
    let place = array.position();
    let start = array.defining_op().and_then(|op| match op.op_name() {
        "soac.hist" | "soac.scatter" => Update::of(op).dests.get(place).copied(),
        "soac.reduce" => op.opnd(input_count(op) + place),
        _ => None,
    });
    start.map_or(extent, |start| before_updates(extent_of(start, d)))
}
