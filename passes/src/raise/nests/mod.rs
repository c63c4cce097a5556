//! Parallel loops over buffers as maps of what these hold:
//!
//! ```text
//! parallel (i) = (l) to (u) step (s) { b[i] = f(a[i + 1], a[j]) }
//!   ==>   x = to_tensor a;  y = map (\v -> f(v, x[j])) x[l + 1 : n : s];  materialize y in b[l : n : s]
//! ```
//! No iteration writes where another one reads or writes, so that what is read before anything is written is what the buffers
//! held before the loop. Loops in order of which that is known are such loops, too. What is read at the numbers of the loops,
//! plus or minus something, is a slice; what is added to buffers by atomic updates, or in order, is added to accumulators.
//!
//! In reading order: this file (which loops, and what they read and write), `additions` (what they add in order), `split` (nests
//! that are several), `maps` (what they become).

mod additions;
mod maps;
mod split;

use std::collections::HashSet;

use ad_dialect::{
    capi::memory_effects,
    ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt, ValueKey, int_of},
};
use melior::{
    Context,
    ir::{TypeLike, ValueLike, operation::OperationLike, r#type::MemRefType},
};

use crate::support::{
    atomic::{ADD_FLOAT, ADD_INTEGER},
    bounds::{Bounds, of_parallel},
    builder::{Builder, same_value},
    diag::Result,
    memory::{has_numbers, is_array, with_plain_layout},
    place::Sum,
    region::{all_inside, all_of, is_outside, values_inside},
    roots::are_apart,
};

/// Rewrites the parallel loops over buffers in a function.
pub fn raise<'c>(context: &'c Context, function: Op<'c>) -> Result<()> {
    let mut gone: HashSet<OpKey> = HashSet::new();
    for op in all_inside(function) {
        if gone.contains(&op.key()) {
            continue;
        }
        let Some(parts) = split::parts(context, op) else { continue };
        gone.extend(all_inside(op).iter().map(OpExt::key));
        if parts[0].op.key() != op.key() {
            op.erase();
        }
        for nest in parts {
            let Some(block) = nest.op.block() else { continue };
            let b = Builder::before(context, nest.op, block).with_location(nest.op.location());
            maps::build(&b, &nest)?;
            nest.op.erase();
        }
    }
    Ok(())
}

/// A parallel loop that writes to buffers what it computes of others.
struct Nest<'c> {
    op: Op<'c>,
    body: Blk<'c>,
    /// Whether some of its loops run in order.
    in_order: bool,
    /// The numbers of the loops.
    ivs: Vec<Val<'c>>,
    ranges: Vec<Bounds<'c>>,
    /// What is read at the numbers of the loops, by each iteration.
    slices: Vec<(Val<'c>, Spot<'c>)>,
    /// Where else buffers are read.
    lookups: Vec<Spot<'c>>,
    /// What is written, and where.
    stores: Vec<(Val<'c>, Spot<'c>)>,
    /// What is added, and where.
    updates: Vec<Update<'c>>,
    /// The operations that add to elements in order.
    sums: Vec<OpKey>,
}

/// What is added to an element of a buffer, or subtracted.
struct Update<'c> {
    value: Val<'c>,
    spot: Spot<'c>,
    is_negative: bool,
}

/// Where iterations read or write a buffer, each at a place of its own along some dimensions.
struct Spot<'c> {
    buffer: Val<'c>,
    indices: Vec<Val<'c>>,
    /// By dimension the loop whose number is in the index, and how often.
    loops: Vec<Option<(usize, i64)>>,
}

impl Spot<'_> {
    /// The loops, by dimension.
    fn order(&self) -> Vec<usize> {
        self.loops.iter().flatten().map(|(l, _)| *l).collect()
    }
}

impl<'c> Nest<'c> {
    fn of(context: &'c Context, op: Op<'c>) -> Option<Self> {
        let b = Builder::before(context, op, op.block()?);
        let mut nest = Self::of_loops(&b, op)?;
        hoist_sizes(op);
        let inside = values_inside(op);
        let end = nest.body.term()?.key();
        for inner in all_inside(op).into_iter().filter(|inner| inner.key() != end) {
            nest.note(inner, &inside)?;
        }
        let is_apart = |(i, buffer): (usize, Val<'c>)| {
            let others = nest.added_to().take(i).filter(|other| other.key() != buffer.key());
            let stored = nest.stores.iter().map(|(_, spot)| spot.buffer);
            others.chain(stored).all(|other| are_apart(other, buffer))
        };
        let fits = nest.added_to().enumerate().all(is_apart);
        let is_parallel = !nest.in_order || nest.is_independent();
        (fits && is_parallel && nest.is_as_large() && nest.stores.len() + nest.updates.len() > 0)
            .then_some(nest)
    }

    /// Loops without results, before it is known what they do.
    fn of_loops(b: &Builder<'c>, op: Op<'c>) -> Option<Self> {
        let body = op.body(0).filter(|_| op.result_count() == 0)?;
        let end = body.term()?;
        let (mut body, mut ivs) = (body, body.arg_list());
        let mut ranges = match op.op_name() {
            "scf.parallel" if end.operand_count() == 0 => of_parallel(b, op)?,
            "scf.forall" if end.body(0).is_none_or(|inserts| inserts.ops().is_empty()) => {
                of_parallel(b, op)?
            }
            "scf.for" => vec![counted(op, op)?],
            _ => return None,
        };
        let mut in_order = op.op_name() == "scf.for";
        // As long as a loop is all that the one around it does.
        while let [inner] = body.body_ops()[..]
            && let (Some(range), Some(block)) = (counted(inner, op), inner.body(0))
        {
            ranges.push(range);
            ivs.extend(block.arg_list());
            body = block;
            in_order = true;
        }
        let (slices, lookups, stores) = (vec![], vec![], vec![]);
        let (updates, sums) = (vec![], vec![]);
        Some(Self { op, body, in_order, ivs, ranges, slices, lookups, stores, updates, sums })
    }

    /// Whether what is read or written as a whole is not read or written again and again for few elements: loops around it
    /// would do that.
    fn is_as_large(&self) -> bool {
        let around = std::iter::successors(self.op.parent(), |op| op.parent());
        let is_loop = |op: Op<'c>| op.op_name() != "scf.if" && op.op_name().starts_with("scf.");
        let updated = self.updates.iter().map(|update| &update.spot);
        let mut whole = self.lookups.iter().chain(updated);
        !around.into_iter().any(is_loop)
            || whole.all(|spot| spot.indices.len() <= self.ranges.len())
    }

    /// Whether loops in order read and write no place in different iterations, as far as is known.
    fn is_independent(&self) -> bool {
        let stores = self.stores.iter().map(|(_, spot)| spot);
        let others = || self.reads().chain(self.stores.iter().map(|(_, spot)| spot));
        let apart = |one: &Spot<'c>, other: &Spot<'c>| are_apart(one.buffer, other.buffer);
        stores
            .into_iter()
            .all(|store| others().all(|other| apart(store, other) || is_same(store, other)))
            && self.added_to().all(|buffer| self.reads().all(|read| are_apart(buffer, read.buffer)))
    }

    /// The buffer that each update adds to.
    fn added_to(&self) -> impl Iterator<Item = Val<'c>> {
        self.updates.iter().map(|update| update.spot.buffer)
    }

    /// Where buffers are read.
    fn reads(&self) -> impl Iterator<Item = &Spot<'c>> {
        self.slices.iter().map(|(_, spot)| spot).chain(&self.lookups)
    }

    /// Notes what an operation of the loop reads or writes; none if that is something else than what is known here.
    fn note(&mut self, op: Op<'c>, inside: &HashSet<ValueKey>) -> Option<()> {
        let is_top = op.block() == Some(self.body);
        match op.op_name() {
            _ if self.sums.contains(&op.key()) => {}
            "memref.load" => {
                let spot = self.spot(op, 0, inside)?;
                if let Some(addition) = self.addition(op, &spot, inside) {
                    self.add(addition, spot);
                    return Some(());
                }
                let stored = self.stores.iter().map(|(_, spot)| spot.buffer);
                if !stored.chain(self.added_to()).all(|other| are_apart(other, spot.buffer)) {
                    return None;
                }
                if is_top && !spot.order().is_empty() && self.is_regular(&spot, inside) {
                    self.slices.push((op.res(0)?, spot));
                } else {
                    self.lookups.push(spot);
                }
            }
            "memref.store" if is_top => {
                let spot = self.spot(op, 1, inside).filter(|spot| self.is_own(spot, inside))?;
                self.stores.push((op.opnd(0)?, spot));
            }
            "memref.atomic_rmw" if is_top => {
                let adds = op
                    .attr("kind")
                    .and_then(int_of)
                    .is_some_and(|kind| [ADD_FLOAT, ADD_INTEGER].contains(&kind));
                let is_read = op.res(0).is_none_or(|old| !old.users().is_empty());
                let spot = self.spot(op, 1, inside).filter(|_| adds && !is_read)?;
                self.updates.push(Update { value: op.opnd(0)?, spot, is_negative: false });
            }
            _ => {
                let effects = memory_effects(op);
                let mut values = op.operand_list().into_iter().chain(op.result_list());
                if effects.reads || effects.writes || values.any(is_array) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// The buffers to which is added.
    fn updated(&self) -> Vec<Val<'c>> {
        let mut found: Vec<Val<'c>> = vec![];
        for buffer in self.added_to() {
            if found.iter().all(|other| other.key() != buffer.key()) {
                found.push(buffer);
            }
        }
        found
    }

    /// Where an access of numbers is, behind so many operands, in a buffer from outside.
    fn spot(&self, access: Op<'c>, before: usize, inside: &HashSet<ValueKey>) -> Option<Spot<'c>> {
        let operands = access.operand_list();
        let buffer = *operands.get(before)?;
        let indices = operands[before + 1..].to_vec();
        let loops = indices.iter().map(|&index| {
            let sum = Sum::of(index);
            let mut own = self.ivs.iter().enumerate().map(|(l, iv)| (l, sum.times(iv.key())));
            own.find(|(_, times)| *times != 0)
        });
        let loops = loops.collect();
        let fits = has_numbers(buffer) && has_strides(buffer) && !inside.contains(&buffer.key());
        fits.then_some(Spot { buffer, indices, loops })
    }

    /// Whether each iteration has an element of its own.
    fn is_own(&self, spot: &Spot<'c>, inside: &HashSet<ValueKey>) -> bool {
        spot.order().len() == self.ranges.len() && self.is_regular(spot, inside)
    }

    /// Whether each iteration has a place of its own along dimensions, those of the others being the same for all.
    fn is_regular(&self, spot: &Spot<'c>, inside: &HashSet<ValueKey>) -> bool {
        let order = spot.order();
        let is_once = (0..order.len()).all(|d| !order[..d].contains(&order[d]));
        let is_linear = |(&index, own): (&Val<'c>, &Option<(usize, i64)>)| {
            let sum = Sum::of(index);
            let is_own = |key: ValueKey| own.is_some_and(|(l, _)| self.ivs[l].key() == key);
            own.is_none_or(|(_, times)| times > 0)
                && sum.values().all(|key| is_own(key) || !inside.contains(&key))
        };
        is_once && spot.indices.iter().zip(&spot.loops).all(is_linear)
    }
}

/// Whether two places are the same in each iteration.
fn is_same(one: &Spot<'_>, other: &Spot<'_>) -> bool {
    let indices = one.indices.iter().zip(&other.indices);
    same_value(one.buffer, other.buffer)
        && indices.into_iter().all(|(&a, &b)| Sum::of(a) == Sum::of(b))
}

/// Takes the sizes of buffers out of a loop.
fn hoist_sizes(op: Op<'_>) {
    for size in all_of(op, "memref.dim") {
        let is_fixed = size.operand_list().into_iter().all(|value| is_outside(op, value));
        if let Some(block) = op.block().filter(|_| is_fixed) {
            size.detach();
            block.insert_before(op, size);
        }
    }
}

/// Whether a buffer can be cast to one of any strides.
fn has_strides(buffer: Val<'_>) -> bool {
    let r#type = buffer.r#type();
    MemRefType::try_from(r#type).is_ok_and(|array| {
        let is_strided = array.layout().to_string().starts_with("strided");
        is_strided || with_plain_layout(r#type) == r#type
    })
}

/// The bounds of an `scf.for` without results that counts by indices, if they are known in front of another operation.
fn counted<'c>(op: Op<'c>, first: Op<'c>) -> Option<Bounds<'c>> {
    let [lower, upper, step] = op.operand_list()[..] else { return None };
    let fits = op.op_name() == "scf.for"
        && op.attr("unsignedCmp").is_none()
        && lower.r#type().is_index()
        && [lower, upper, step].iter().all(|&bound| is_outside(first, bound));
    fits.then_some([lower, upper, step])
}
