//! What is added to an array, and in the same places to fresh rows that are kept anyhow, is the sum of the rows.
//!
//! ```text
//! a' = with_acc a (\acc -> map (\i -> with_acc 0 (\row -> map (\j -> upd [f j] v row; upd [f j] v acc))))
//!   ==>  rows = map (\i -> with_acc 0 (\row -> map (\j -> upd [f j] v row)));  a' = a + sum rows
//! ```
//! The derivatives of a layer for its bias and for what the bias is added to are such twins. All iterations of the outer
//! map update the same elements of the array, each only its own row.
//!
//! Indices are in bounds, so that what is added to both is where both have elements: the array and the rows need not be
//! equally long.
//!
//! Requires that the updates fill the rows, as far as sizes tell. The sum reads each element of the rows once, which were
//! all written.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::{
    analysis::{Index, Scope, Site, path},
    target::{add_common, sum},
    thread::forget,
};
use crate::support::{
    accumulator::{origin, updates},
    builder::{Builder, same_value},
    combinator::{input_count, is_iota},
    diag::Result,
    extent::{Extent, extent_of, is_width},
    place,
    region::{is_outside, is_within},
    zero::is_zero,
};

/// Adds up the rows that a `soac.with_acc` makes wherever something else gets what they get; returns how often.
pub fn sum_rows<'c>(context: &'c Context, fresh: Op<'c>) -> Result<u64> {
    let mut count = 0;
    for position in 0..fresh.operand_count() {
        while let Some(twin) = Twin::of(fresh, position) {
            twin.sum(context)?;
            count += 1;
        }
    }
    Ok(count)
}

/// An accumulator that is updated as a fresh one inside of its `soac.with_acc` is.
struct Twin<'c> {
    root: Op<'c>,
    position: usize,
    /// Its updates beside those of the fresh one.
    updates: Vec<Op<'c>>,
    /// What becomes of all the fresh ones, behind `root`.
    rows: Val<'c>,
    /// How many maps there are around the fresh one.
    levels: usize,
}

impl<'c> Twin<'c> {
    fn of(fresh: Op<'c>, position: usize) -> Option<Self> {
        let (start, own) = (fresh.opnd(position)?, updates(fresh, position));
        if !is_zero(start) || !fills(fresh, start, &own) {
            return None;
        }
        let first = *own.first()?;
        let beside = first.block()?.ops().into_iter().filter(|&other| is_same(first, other));
        let accs = beside.filter_map(|other| other.opnd(0).and_then(origin));
        accs.filter(|&acc| is_outside(fresh, acc)).find_map(|acc| {
            let root = acc.owner_block()?.parent_operation()?;
            let is_read =
                |root: Op<'c>| root.res(acc.position()).map(|sum| !sum.users().is_empty());
            if root.op_name() != "soac.with_acc" || !is_read(root)? {
                return None;
            }
            let inside = |update: &Op<'c>| is_within(*update, fresh);
            let theirs: Vec<_> = updates(root, acc.position()).into_iter().filter(inside).collect();
            let (rows, levels) = handed_out(root, fresh, fresh.res(position)?)?;
            let twin = Self { root, position: acc.position(), updates: theirs, rows, levels };
            twin.equals(own.clone()).then_some(twin)
        })
    }

    /// Whether each of its updates belongs to one of some others.
    fn equals(&self, mut others: Vec<Op<'c>>) -> bool {
        let find = |&update: &Op<'c>| {
            let place = others.iter().position(|&other| is_same(update, other));
            place.map(|place| others.swap_remove(place)).is_some()
        };
        self.updates.iter().all(find) && others.is_empty()
    }

    fn sum(&self, context: &'c Context) -> Result<()> {
        let Self { root, position, ref updates, rows, levels } = *self;
        let (Some(block), Some(start), Some(total), Some(&first)) =
            (root.block(), root.opnd(position), root.res(position), updates.first())
        else {
            return Ok(());
        };
        let uses = total.uses();
        // The update will be gone when something is built.
        let b = Builder::after(context, root, block).deriving(root);
        let b = b.with_location(first.location()).with_fastmath_of(first);
        for &update in updates {
            forget(update);
        }
        let is_all = super::updates(root, position).is_empty();
        let shape = rows.r#type().shape();
        let bounds: Vec<_> = (levels..shape.len()).map(|d| vec![extent_of(rows, d)]).collect();
        let made = (0..levels).try_fold(rows, |made, _| sum(&b, made))?;
        let start = if is_all { start } else { total };
        let new = add_common(&b, root, start, made, &bounds)?;
        for (user, operand) in uses {
            user.set_operand(operand, new);
        }
        Ok(())
    }
}

/// Whether two updates add one number in the same place, if to different accumulators.
fn is_same<'c>(one: Op<'c>, other: Op<'c>) -> bool {
    let (a, b) = (one.operand_list(), other.operand_list());
    let is_update = |op: Op<'c>| op.op_name() == "soac.update_acc";
    let are_same = a.iter().zip(&b).skip(1).all(|(&a, &b)| same_value(a, b));
    let is_number = a.last().is_some_and(|value| value.r#type().as_tensor().is_none());
    is_update(one)
        && is_update(other)
        && one.block() == other.block()
        && a.len() == b.len()
        && are_same
        && is_number
        && a.first().is_some_and(|&acc| !same_value(acc, b[0]))
}

/// What all the values that an operation has as a result are behind a `soac.with_acc` around it, if they are kept and
/// read there; and how many maps are between the two.
fn handed_out<'c>(root: Op<'c>, inner: Op<'c>, mut value: Val<'c>) -> Option<(Val<'c>, usize)> {
    let mut levels = 0;
    let path = path(root, inner).ok()?;
    for scope in path.iter().rev().chain([&Scope::Once(root)]) {
        match scope {
            Scope::Map(_) => levels += 1,
            Scope::Once(_) => {}
            Scope::Branch(..) | Scope::Known(..) => return None,
        }
        let ends = scope.block()?.ends();
        let place = ends.iter().position(|&end| same_value(end, value))?;
        value = scope.op().res(place)?;
    }
    (!value.users().is_empty()).then_some((value, levels))
}

/// Whether updates are as many as the elements of an array, as far as that can be seen: along each dimension they are in
/// each iteration of a map, which goes over all of it, or which is as wide as the distance between them.
fn fills<'c>(root: Op<'c>, array: Val<'c>, updates: &[Op<'c>]) -> bool {
    let sites: Vec<_> = updates.iter().flat_map(|&update| Site::new(root, update)).collect();
    let is_guarded = |scope: &Scope<'c>| matches!(scope, Scope::Branch(..));
    if sites.len() < updates.len() || sites.iter().any(|site| site.path.iter().any(is_guarded)) {
        return false;
    }
    let rank = array.r#type().shape().len();
    let counts = (0..rank).map(|d| {
        let parts = sites.iter().map(|site| Part::of(site, d)).collect::<Option<Vec<_>>>()?;
        number_of_parts(&parts, extent_of(array, d))
    });
    let wanted = counts.collect::<Option<Vec<_>>>().map(|counts| counts.iter().product::<usize>());
    let places = updates
        .iter()
        .map(|update| update.operand_list()[1..=rank].iter().map(ValExt::key).collect::<Vec<_>>());
    wanted.is_some_and(|wanted| places.collect::<HashSet<_>>().len() >= wanted)
}

/// The part of a dimension that an update is in.
struct Part<'c> {
    start: place::Sum,
    width: place::Sum,
    inputs: Vec<Val<'c>>,
}

impl<'c> Part<'c> {
    fn of(site: &Site<'c>, d: usize) -> Option<Self> {
        let Index::Iteration(level, rest) = site.indices.get(d)? else { return None };
        let map = site.levels().get(*level)?.map;
        let inputs: Vec<_> = map.operand_list().into_iter().take(input_count(map)).collect();
        let numbers = *inputs.iter().find(|&&input| is_iota(input))?;
        let width = match numbers.r#type().shape()[0] {
            DYNAMIC => place::Sum::of(numbers.defining_op()?.opnd(0)?),
            size => place::Sum::constant(size),
        };
        let start = rest
            .iter()
            .fold(place::Sum::default(), |sum, &term| sum.plus(&place::Sum::of(term), 1));
        Some(Self { start, width, inputs })
    }
}

/// How many different parts there are, if together they are at least half of a dimension.
fn number_of_parts(parts: &[Part<'_>], size: Extent<'_>) -> Option<usize> {
    let width = &parts.first()?.width;
    let is_whole = |part: &Part<'_>| is_width(&part.inputs, size);
    if parts.iter().all(is_whole) {
        return Some(1);
    }
    let number = |part: &Part<'_>| {
        (0..parts.len()).find(|&i| part.start == place::Sum::default().plus(width, i as i64))
    };
    let numbers = parts.iter().map(number).collect::<Option<HashSet<_>>>()?;
    let are_alike = parts.iter().all(|part| part.width == *width);
    let is_enough = match (size, width.as_constant()) {
        (Extent::Known(size), Some(width)) => 2 * width * numbers.len() as i64 >= size,
        (_, Some(_)) => false,
        (_, None) => numbers.len() > 1,
    };
    (are_alike && is_enough).then_some(numbers.len())
}
