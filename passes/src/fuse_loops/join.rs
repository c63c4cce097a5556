//! Loops over rows, and which of them can be one.

use ad_dialect::ir::{BlkExt, Op, OpExt, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::{
    access::{self, Access},
    rows::Rows,
};
use crate::{
    support::{
        builder::Builder,
        combinator::constant_index,
        memory::{self, is_pure},
        place::Sum,
        region::{between, move_body, needed_between, values_inside},
    },
    vectorize::expand,
};

/// A loop from 0 on that only accesses elements and computes, or an operation that can be one.
pub struct Row<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// Whether another one joined it.
    pub is_joint: bool,
    /// Which loop of the operation it is, the outermost one if that may be.
    outer: usize,
    /// Whether it adds up what is used behind it.
    has_totals: bool,
    /// How many iterations it has, in several ways.
    sizes: Vec<Sum>,
    /// What an iteration accesses.
    accesses: Vec<Access<'c>>,
}

impl<'c> Row<'c> {
    /// An operation, if it is one.
    pub fn of(op: Op<'c>) -> Option<Self> {
        match op.op_name() {
            "scf.for" => Self::of_loop(op),
            _ => Self::of_arrays(op),
        }
    }

    fn of_loop(op: Op<'c>) -> Option<Self> {
        let bound = |i: usize| op.opnd(i).and_then(constant_index);
        let is_plain = bound(0) == Some(0)
            && bound(2) == Some(1)
            && op.result_list().into_iter().all(|result| !memory::is_array(result))
            && op.attr("unsignedCmp").is_none()
            && op.discardable_attrs().is_empty();
        if !is_plain {
            return None;
        }
        let number = *op.body(0)?.arg_list().first()?;
        let inside = values_inside(op);
        let in_loop = |access: Access<'c>| Access {
            place: access.place.in_loop(&inside, number),
            is_write: access.is_write,
        };
        let accesses = access::accesses(op)?.into_iter().map(in_loop).collect();
        let sizes = vec![Sum::of(op.opnd(1)?)];
        let has_totals = op.result_count() > 0;
        Some(Self { op, is_joint: false, outer: 0, has_totals, sizes, accesses })
    }

    fn of_arrays(op: Op<'c>) -> Option<Self> {
        let Rows { outer, has_totals, sizes, accesses } = Rows::of(op)?;
        Some(Self { op, is_joint: false, outer, has_totals, sizes, accesses })
    }

    /// One loop for this one and a later one of the same block, if there can be one.
    pub fn join(&self, context: &'c Context, later: &Self) -> Option<Self> {
        let is_as_long = self.sizes.iter().any(|size| later.sizes.contains(size));
        let sizes = [&self.sizes[..], &later.sizes].concat();
        if !is_as_long || !self.shares_with(later) || !self.may_run_with(later, &sizes) {
            return None;
        }
        let moved = self.moved_with(later);
        if moved.is_none() && !self.may_wait_for(later) {
            return None;
        }
        let is_first = moved.is_some();
        move_all(moved.unwrap_or_default(), self.op)?;
        let first = as_loop(context, self)?;
        let second = as_loop(context, later)?;
        if is_first {
            // What sums start from.
            move_all(needed_between(first, second)?, first)?;
        }
        let joint = one_loop(context, [first, second], if is_first { first } else { second })?;
        let accesses = [&self.accesses[..], &later.accesses].concat();
        let has_totals = self.has_totals || later.has_totals;
        Some(Self { op: joint, is_joint: true, outer: 0, has_totals, sizes, accesses })
    }

    /// Whether some element is accessed by both in the same iteration.
    fn shares_with(&self, later: &Self) -> bool {
        self.pairs(later).any(|(a, b)| a.place.is_own(&b.place))
    }

    /// Whether no iteration of the later one has to wait for another one of this one.
    fn may_run_with(&self, later: &Self, sizes: &[Sum]) -> bool {
        self.pairs(later)
            .filter(|(a, b)| a.is_ordered(b))
            .all(|(a, b)| a.place.is_own(&b.place) || a.place.is_apart_in(&b.place, sizes))
    }

    fn pairs<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = (&'a Access<'c>, &'a Access<'c>)> {
        self.accesses.iter().flat_map(|a| other.accesses.iter().map(move |b| (a, b)))
    }

    /// Whether this one can run where a later one is.
    fn may_wait_for(&self, later: &Self) -> bool {
        let may_swap = |op: Op<'c>| self.may_swap_with(op);
        !self.has_totals && between(self.op, later.op).into_iter().all(may_swap)
    }

    /// Whether it does not matter which of this one and another operation of the block comes first, but for values.
    fn may_swap_with(&self, op: Op<'c>) -> bool {
        let is_apart = |a: &Access<'c>, b: &Access<'c>| {
            !a.is_ordered(b) || a.place.is_apart_in(&b.place, &self.sizes)
        };
        is_pure(op)
            || access::effects(op)
                .is_some_and(|all| all.iter().all(|a| self.accesses.iter().all(|b| is_apart(a, b))))
    }

    /// What has to move in front of this one for a later one to run here; none if something cannot, or
    /// if the later one has to wait for what is between.
    fn moved_with(&self, later: &Self) -> Option<Vec<Op<'c>>> {
        let moved = needed_between(self.op, later.op)?;
        if !moved.iter().all(|op| is_pure(*op)) {
            return None;
        }
        let is_moved = |op: &Op<'c>| moved.iter().any(|other| other.key() == op.key());
        let mut others = between(self.op, later.op).into_iter().filter(|op| !is_moved(op));
        others.all(|op| later.may_swap_with(op)).then_some(moved)
    }
}

/// Moves operations in front of another one.
fn move_all<'c>(ops: Vec<Op<'c>>, before: Op<'c>) -> Option<()> {
    let block = before.block()?;
    for op in ops {
        op.detach();
        BlkExt::insert_before(&block, before, op);
    }
    Some(())
}

/// An operation as a loop.
fn as_loop<'c>(context: &'c Context, row: &Row<'c>) -> Option<Op<'c>> {
    match row.op.op_name() {
        "scf.for" => Some(row.op),
        _ => expand::with_outermost(context, row.op, row.outer)?,
    }
}

/// One loop for two, in the place of one of them.
fn one_loop<'c>(
    context: &'c Context,
    [first, second]: [Op<'c>; 2],
    place: Op<'c>,
) -> Option<Op<'c>> {
    let b = Builder::before(context, place, place.block()?);
    let (own, other) = (first.operand_list(), second.operand_list());
    let (bounds, own) = own.split_first_chunk()?;
    let inits = [own, &other[3..]].concat();
    let bodies = (first.body(0)?, second.body(0)?);
    let joint = b.for_loop(*bounds, &inits, |b, number, carried| {
        let (own, other) = carried.split_at(own.len());
        let mut ends = move_body(&b, bodies.0, &[&[number], own].concat());
        ends.extend(move_body(&b, bodies.1, &[&[number], other].concat()));
        Ok(ends)
    });
    let joint = joint.ok()?;
    let results = [first.result_list(), second.result_list()].concat();
    for (old, new) in results.into_iter().zip(joint.result_list()) {
        old.replace_all_uses(new);
    }
    first.erase();
    second.erase();
    Some(joint)
}
